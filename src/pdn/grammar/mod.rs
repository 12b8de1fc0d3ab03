//! The tokens of the reading grammar in nom: one parser for each production of `grammar/movetext.ebnf`, and for tags and
//! white space of `grammar/reading.ebnf`, under the production's own name.
//!
//! A parser takes what its production describes and nothing else; what deviates from the grammar is left to
//! [`recover`](super::recover). What has no bound on its length, such as a game or a variation, is assembled by the
//! [`reader`](super::reader).

pub(super) mod movetext;
pub(super) mod primitive;
pub(super) mod reading;

pub(super) use movetext::{
    Deviations, Move, clock_time, colon_count, command, comment, digit, ellipsis, first_move, gap, is_result, is_soft,
    line_comment, marks, r#move, number, numeral, result, result_before_number,
};
pub(super) use primitive::{dots, open_setup, tag_head};
pub(super) use reading::{identifier, tag, white_space};

/// The result of a parser: the remaining bytes, and the value.
pub(super) type Parsed<'a, T = &'a [u8]> = nom::IResult<&'a [u8], T, ()>;
