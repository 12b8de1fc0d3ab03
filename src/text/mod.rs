//! Bytes as text: encodings, and lines with their columns.

mod encoding;
mod lines;
pub(crate) mod whitespace;

pub use encoding::{Encoding, Evidence, UnknownEncoding};
pub use lines::{LineCounter, Lines, decode_line, line_column};
