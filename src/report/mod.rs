//! Boards as text, SVG and PNG, diagrams, and reports as HTML.

mod diagram;
#[cfg(feature = "report")]
mod page;
mod svg;
mod text;
mod view;

pub use diagram::{Diagram, sheet_size, sheet_svg};
#[cfg(all(feature = "query", feature = "report"))]
pub use page::EventPage;
#[cfg(feature = "report")]
pub use page::{Language, PageBoard, PageGame, ReportPage, board_block};
pub use svg::board_svg;
#[cfg(feature = "png")]
pub use svg::png;
pub use text::board_text;
pub use view::{Arrow, BoardView, Marked};
