//! Bytes as text: encodings, lines and columns, formats of records, languages, and text that is safe to print.

mod encoding;
mod format;
mod language;
mod lines;
mod printable;
mod question;
pub(crate) mod signs;
mod terms;
pub(crate) mod whitespace;

pub use encoding::Encoding;
pub(crate) use encoding::Evidence;
pub use format::Format;
pub(crate) use format::object_ends;
pub use language::Language;
pub use lines::line_column;
pub(crate) use lines::{LineCounter, LineIndex, Lines, decode_line, decode_part};
pub(crate) use printable::{MAX_QUOTED, columns, printable, printable_lines, quoted, quoted_end, visible};
pub(crate) use question::{error_at, error_in};
pub(crate) use terms::in_plain_terms;
