//! Texts of squares, positions, moves and rules: numbering, `GameType`, FEN, moves as written, rules files.

mod fen;
mod game_type;
mod moves;
mod numbering;
mod rules_file;
mod variants;
mod writing;

pub use fen::{
    Fen, FenError, FenFault, is_plain_fen, parse_fen, read_fen, tidied_fen, write_fen, write_fen_in, write_setup,
};
pub use game_type::{GameType, GameTypeError};
pub use moves::{
    Deviation, Explanation, Readings, ResolveError, Resolved, full, full_in, readings, resolve, short, short_in,
    short_move_text,
};
pub use numbering::{Corner, Names, Numbering, SquareName};
pub use rules_file::{RulesError, RulesFault, read_rules, rules_json, rules_label, write_rules};
pub use variants::{full_game_type, has_international_results, variant_by_name};
pub use writing::Writing;
