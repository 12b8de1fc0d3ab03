//! Texts of squares, positions, moves and rules: numbering, `GameType`, FEN, written moves, rules files.

mod date;
mod fen;
mod game_type;
mod grammar;
mod moves;
mod numbering;
mod position;
mod result;
mod roster;
mod rules_file;
mod table;
mod time_control;
mod variants;

pub use date::{DateParts, WrittenDate, date_of, date_parts, read_date};
pub use fen::{Fen, FenError, FenFault, is_plain_fen, parse_fen, read_fen, tidied_fen};
pub use game_type::{GameType, GameTypeError};
pub use moves::{Deviation, Explanation, IllegalReason, Readings, ResolveError, Resolved, readings, resolve};
pub use numbering::{Numbering, SquareName};
pub use position::PositionError;
pub use result::{Outcome, WrittenResult, is_result, is_unknown_result, read_result, standard_result, styled_result};
pub use roster::{english_tag, rating, roster_tag, roster_text, tag_text, translated};
#[cfg(feature = "toml")]
pub use rules_file::read_rules;
pub use rules_file::{RulesIssue, RulesIssues, rules_json, rules_label, write_rules};
pub use time_control::{ParseTimeControlError, Stage, TimeControl};
pub use variants::UnknownVariant;
