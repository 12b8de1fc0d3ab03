//! Bytes of records: files, folders and standard input, compressed or not, cut into chunks of whole games.
//!
//! This room knows where a game ends but not what it means. Memory is bounded by the largest game, not by the size of a
//! file. [`expand`] finds the files, [`Input::chunks`] reads one of them, and a [`Pipeline`] works on many, on several
//! threads with the feature `parallel`.

#[cfg(feature = "zip")]
mod archive;
mod chunk;
mod chunks;
mod compression;
mod cut;
#[cfg(feature = "compression")]
mod decoders;
mod early;
mod input;
mod open;
mod pipeline;
mod requested;
mod utf16;

pub(crate) use chunk::Located;
pub use chunk::{Chunk, Location};
pub(crate) use chunks::Independent;
pub use chunks::{ChunkOptions, Chunks};
pub use compression::compressed_extension;
#[cfg(feature = "cli")]
pub(crate) use compression::uncompressed;
pub(crate) use input::expand_including;
pub use input::{Input, expand};
#[cfg(feature = "serve")]
pub(crate) use input::{is_device, is_served};
pub(crate) use pipeline::Steps;
pub use pipeline::{Event, MAX_JOBS, Pipeline, Work};
pub(crate) use requested::RequestedEncoding;
