//! Bytes as text: encodings, lines with their columns, and what of it is safe to print.

mod encoding;
mod lines;
mod printable;
pub(crate) mod whitespace;

pub use encoding::{Encoding, Evidence, UnknownEncoding};
pub use lines::{LineCounter, Lines, decode_line, line_column};
pub use printable::{columns, printable, printable_lines, visible};
