//! Bytes of records: files, folders and standard input, compressed or not, cut into chunks of whole games.
//!
//! Nothing here knows what a game means; a chunk ends only where a game certainly ends. Memory is bounded by the largest
//! game, never by the size of a file.

mod chunk;
mod cut;
mod decompress;
mod encoding;
mod input;
mod pipeline;

pub use crate::text::line_column;
pub use chunk::{Chunk, Chunks, Limits, Locator, Place, chunks, chunks_as};
pub use decompress::{is_compressed, open};
pub use encoding::Utf16Order;
pub use input::{Input, expand};
pub use pipeline::{Event, Setup, Work, process};
