//! Boards as text, SVG, PNG and GIF, diagrams, charts, and reports as HTML.

#[cfg(feature = "report")]
mod chart;
mod diagram;
#[cfg(any(feature = "pdf", feature = "png"))]
mod fonts;
#[cfg(feature = "png")]
mod gif;
#[cfg(feature = "report")]
mod page;
#[cfg(feature = "report")]
mod sheet;
mod svg;
mod text;
mod view;

#[cfg(all(feature = "query", feature = "report"))]
pub use chart::{Chart, ChartData, ChartKind, ChartOptions, ChartQuery};
pub(crate) use diagram::sheet_size;
#[cfg(feature = "report")]
use diagram::shortened;
pub use diagram::{Diagram, sheet_svg};
#[cfg(feature = "png")]
pub use gif::Animation;
#[cfg(all(feature = "query", feature = "report"))]
pub(crate) use page::{Addresses, SiteWork, letters, prepare_texts, site_address, sitemap};
#[cfg(all(feature = "query", feature = "report"))]
pub use page::{EventPage, PreparationPage, Site, SiteFile, SiteGame};
#[cfg(feature = "cli")]
pub(crate) use page::{ExerciseWork, LeftOut, LessonSite, SolvePage, ValuedLine, sheet_text};
#[cfg(feature = "report")]
pub(crate) use page::{PageBlocks, PageBoard, PageGame, PageWork};
#[cfg(feature = "report")]
pub use page::{ReportOptions, ReportPage};
#[cfg(all(feature = "pdf", feature = "query"))]
pub(crate) use sheet::event_pdf;
#[cfg(feature = "report")]
pub use sheet::{Grid, Paper, Sheet, SheetItem, SheetOptions, Solutions};
pub use svg::board_svg;
#[cfg(feature = "png")]
pub use svg::png;
#[cfg(all(feature = "query", feature = "report"))]
use svg::svg_start;
#[cfg(feature = "report")]
use svg::titled_board_svg;
#[cfg(all(feature = "png", feature = "query", feature = "report"))]
pub(crate) use svg::without_text;
pub use text::board_text;
pub(crate) use view::Marked;
pub use view::{Arrow, BoardView};
