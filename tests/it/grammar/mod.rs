//! The grammars in `grammar/` against the parsers.

mod productions;
mod search;
mod sentences;
mod values;
mod writing;
