//! Writers of CSV, JSON, Arrow, Parquet, SARIF, commands for GitHub, and PDN.

mod annotated;
#[cfg(feature = "arrow")]
mod arrow;
mod conversion;
mod csv;
#[cfg(feature = "query")]
mod event;
mod excel;
mod format;
mod formatting;
mod github;
mod json;
mod lidraughts;
#[cfg(feature = "parquet")]
mod parquet;
mod pdn;
#[cfg(feature = "query")]
mod preparation;
mod replacing;
mod sarif;
mod table;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod typed;
#[cfg(feature = "query")]
mod xlsx;

pub use crate::options::Excel;
pub(crate) use annotated::{GamePlace, PlacedReview, PlacedReviews};
pub use annotated::{annotated_pdn, plain_pdn};
#[cfg(feature = "arrow")]
pub use arrow::{ArrowColumn, ArrowRows, arrow_schema};
pub use conversion::{Conversion, ConvertedText, TextOutput};
#[cfg(feature = "cli")]
pub(crate) use csv::{CsvCell, csv_header, write_csv_diagnostic};
pub use csv::{CsvOptions, write_csv_rows};
#[cfg(feature = "query")]
pub(crate) use event::{Crossing, NO_OPPONENT, StandingsTable, TextTable, event_csv, sheets, with_play};
pub use format::{ConvertOptions, FORMATS, RecordFormat, RecordWriter, WrittenGame};
pub use formatting::{Formatted, FormattedOutput, Formatting, InputFormat};
pub use github::write_github_command;
pub(crate) use json::LastLine;
pub use json::{SEPARATOR, write_json_game, write_json_line};
#[cfg(feature = "parquet")]
pub use parquet::{ParquetChunk, ParquetGames, ParquetOutput};
pub use pdn::write_pdn;
#[cfg(feature = "query")]
pub(crate) use preparation::{noted_reason, preparation_tables};
pub use replacing::cannot_replace;
pub(crate) use sarif::{sarif_footer, sarif_header, write_sarif_result};
pub use table::{Column, Kind, Table};
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub use table::{ColumnValues, TableRows};
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub use typed::{ConvertedRows, RowOutput, TableGames};
#[cfg(feature = "query")]
pub(crate) use xlsx::events_xlsx;
