//! The reading grammar in nom: one parser for each production of `grammar/movetext.ebnf` and `grammar/reading.ebnf`,
//! under the production's own name.
//!
//! A parser takes what its production describes and nothing else; what deviates from the grammar is left to
//! [`recover`](super::recover). Productions of unbounded length, such as a game or a variation, are recognised by their
//! beginning, and the reader drives the rest one element at a time: memory and stack stay constant however deeply a
//! file is nested.

pub(super) mod fast;
pub(super) mod movetext;
pub(super) mod primitive;
pub(super) mod reading;

#[doc(hidden)]
pub use fast::fast_agrees;
pub(super) use movetext::{
    Deviations, Move, cell, command, comment, digit, ellipsis, gap, is_result, is_soft, line_comment, marks, r#move,
    number, numeral, result,
};
pub(super) use primitive::{dots, open_setup, tag_head};
pub(super) use reading::{Element, GameMove, Parenthesis, game, identifier, movetext, records, tail, white_space};

/// The result of a parser: the remaining bytes, and the value.
pub(super) type Parsed<'a, T = &'a [u8]> = nom::IResult<&'a [u8], T, ()>;
