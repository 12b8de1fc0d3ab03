//! Writers of CSV, JSON, SARIF, commands for GitHub, and PDN.

mod annotated;
mod csv;
#[cfg(feature = "query")]
mod event;
mod github;
mod json;
mod pdn;
mod sarif;

pub use annotated::{FormerEvaluations, annotated_pdn, remove_former};
pub use csv::{CsvOptions, games_header, moves_header, write_game, write_moves};
#[cfg(feature = "query")]
pub use event::{cross_table, event_csv, event_html, standings_cells};
pub use github::write_github_command;
pub use json::{SEPARATOR, write_json_game, write_json_item, write_json_line};
pub use pdn::write_pdn;
pub use sarif::{sarif_footer, sarif_header, write_sarif_result};
