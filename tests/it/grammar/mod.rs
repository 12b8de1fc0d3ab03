//! The grammars in `grammar/` against the parsers.

mod sentences;
mod values;
mod writing;
