//! The grammars in `grammar/` against the parsers.

mod productions;
mod sentences;
mod values;
mod writing;
