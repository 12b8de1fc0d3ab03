//! Boards drawn for people.

mod svg;
mod text;

pub use svg::board_svg;
pub use text::board_text;
