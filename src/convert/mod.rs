//! Rows as CSV and JSON.

mod csv;
mod json;

pub use csv::{games_header, moves_header, write_game, write_moves};
pub use json::{write_json_array_item, write_json_line};
