//! Boards as text and SVG.

mod svg;
mod text;

pub use svg::board_svg;
pub use text::board_text;
