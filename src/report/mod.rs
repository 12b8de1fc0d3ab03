//! Boards as text, SVG and PNG, diagrams, and reports as HTML.

mod diagram;
#[cfg(feature = "cli")]
mod page;
#[cfg(feature = "png")]
mod png;
mod svg;
mod text;
mod view;

pub use diagram::{Diagram, sheet_svg};
#[cfg(feature = "cli")]
pub use page::{Language, PageGame, ReportPage, board_block};
#[cfg(feature = "png")]
pub use png::png;
pub use svg::board_svg;
pub use text::board_text;
pub use view::{Arrow, BoardView, Marked};
