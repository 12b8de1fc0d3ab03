//! Texts of squares, positions, moves and rules: numbering, `GameType`, FEN, moves as written, rules files.

mod date;
mod fen;
mod game_type;
mod moves;
mod numbering;
mod position;
mod result;
mod roster;
#[cfg(feature = "toml")]
mod rules_file;
mod variants;
mod writing;

pub use date::{WrittenDate, read_date};
pub use fen::{
    Fen, FenError, FenFault, is_plain_fen, parse_fen, read_fen, tidied_fen, write_fen, write_fen_in, write_setup,
};
pub use game_type::{GameType, GameTypeError};
pub use moves::{
    Deviation, Explanation, Readings, ResolveError, Resolved, full, full_in, readings, resolve, short, short_in,
};
pub use numbering::{Corner, Names, Numbering, SquareName};
pub use position::{PositionError, parse_position};
pub use result::{Outcome, WrittenResult, is_result, is_unknown_result, read_result, standard_result};
pub use roster::{english_tag, roster_tag, translated};
#[cfg(feature = "toml")]
pub use rules_file::{RulesError, RulesFault, read_rules, rules_json, rules_label, write_rules};
pub use variants::{full_game_type, has_international_results, variant_by_name};
pub use writing::Writing;
