//! Rows as CSV and JSON, games as PDN.

#[cfg(feature = "engine")]
mod annotated;
mod canonical;
mod csv;
mod json;
mod pdn;
mod repair;
mod sarif;

#[cfg(feature = "engine")]
pub use annotated::annotated_pdn;
pub use canonical::{FormatOptions, MoveStyle, canonical_tree, format_game, write_canonical};
pub use csv::{games_header, moves_header, write_game, write_moves};
pub use json::{SEPARATOR, write_json_item, write_json_line};
pub use pdn::write_pdn;
pub use repair::{Repair, repair};
pub use sarif::{sarif_footer, sarif_header, write_sarif_result};
