//! Bytes as text: encodings, lines with their columns, and what of it is safe to print.

mod encoding;
mod lines;
mod printable;
pub(crate) mod whitespace;

pub use encoding::{Encoding, Evidence, UnknownEncoding};
pub(crate) use lines::{LineCounter, decode_line};
pub use lines::{Lines, line_column};
pub(crate) use printable::visible;
pub use printable::{columns, printable, printable_lines};
