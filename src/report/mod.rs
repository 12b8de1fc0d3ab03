//! Boards as text and SVG.

mod svg;
mod text;
mod view;

pub use svg::board_svg;
pub use text::board_text;
pub use view::{Arrow, BoardView, Marked};
