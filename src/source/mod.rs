//! Bytes of records: files, folders and standard input, compressed or not, cut into chunks of whole games.
//!
//! This room knows where a game ends but not what it means. Memory is bounded by the largest game, not by the size of a
//! file. [`expand`] finds the files, [`Input::chunks`] reads one of them, and a [`Pipeline`] works on many, on several
//! threads with the feature `parallel`.

#[cfg(feature = "compression")]
mod archive;
mod binary;
mod chunk;
mod chunks;
mod compression;
mod cut;
mod input;
mod open;
mod pipeline;
mod stream;
mod utf16;
#[cfg(feature = "compression")]
mod zstd;

pub use chunk::{Chunk, Location, Locator};
pub use chunks::{ChunkOptions, Chunks};
pub use input::{Input, expand};
pub use pipeline::{Event, Pipeline, Work};
pub use utf16::Utf16Order;
