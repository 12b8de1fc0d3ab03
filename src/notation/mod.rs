//! Texts of squares, positions, moves and rules: numbering, `GameType`, FEN, written moves, rules files.

mod aliases;
mod chess;
mod dates;
mod fen;
mod game_type;
mod moves;
mod numbering;
mod record;
mod result;
mod rules_file;
mod tags;
mod time_control;
mod variants;

pub use aliases::Aliases;
pub(crate) use aliases::{alias_line, one_space};
pub(crate) use chess::is_chess_move;
pub(crate) use dates::DateOrder;
pub(crate) use dates::{
    DATE_TAGS, DateOrders, DateParts, NoDate, WrittenDate, date_of, date_parts, no_date, read_date_in,
};
pub(crate) use fen::{Fen, read_fen};
pub use fen::{FenError, parse_fen};
pub(crate) use fen::{FenText, MAX_RANK, fen_names, is_plain_fen, tidied_fen, without_tag};
pub use game_type::GameType;
pub(crate) use game_type::GameTypeError;
pub use moves::{Deviation, ResolveError, resolve};
pub(crate) use moves::{as_if_played, moves_in, readings, without_number};
pub use numbering::Numbering;
pub use record::GameRecord;
pub use result::Outcome;
pub(crate) use result::{
    WrittenResult, is_forfeit, is_half_point, is_result, is_unknown_result, read_result, standard_result, styled_result,
};
#[cfg(feature = "toml")]
pub use rules_file::read_rules;
pub use rules_file::{rules_json, rules_label, write_rules};
pub(crate) use tags::{
    TagMatch, english_tag, is_tag_name, is_tag_name_part, lasting_name, rating, roster_tag, roster_text, tag_text,
    translation,
};
pub use time_control::{Stage, TimeControl};
