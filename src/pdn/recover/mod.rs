//! Deviations from the reading grammar, each named after its code, tried only where no production matches.
//!
//! The parsers in [`moves`], [`tags`] and [`text`] recognise deviating text; the methods of the reader in the other files
//! decide what it means in its context, report it and continue.

mod context;
mod foreign;
mod games;
mod marks;
pub(super) mod moves;
mod tags;
pub(super) mod text;
mod unclosed;

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{digit1, one_of};
use nom::combinator::{not, peek};
use nom::sequence::preceded;

pub(super) use tags::{OddTag, bare_fen, missing_opening_bracket, odd_tag};
pub(crate) use tags::{tag_value, without_quotes};
pub(super) use unclosed::ClosingSearch;

use super::grammar::{Move, Parsed, clock_time, colon_count, r#move, number, result};
use super::tree::WrittenNumber;
use foreign::foreign;
pub(crate) use foreign::has_foreign;
pub(crate) use moves::only_move;
use moves::{bare_digits, misread, missing_separator, number_typo, numbers, odd_move};
pub(super) use text::not_movetext;
use text::{Spelling, date, decimal_score, decimals, half, joined_result, odd_count, points};

/// A token that begins with a digit or a letter, in the detail needed for lookahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Move(Move<'a>),
    Number(WrittenNumber),
    /// `9n`, `9,`, `9,` of `9,32-28`: a number if a move follows.
    NumberTypo(u32),
    /// Digits alone: a number without its dot if a move follows.
    Digits(u32),
    Result(Spelling),
    Word,
}

/// A token of the grammar, or one that deviates from it.
pub(super) fn token(input: &[u8]) -> Parsed<'_, Token<'_>> {
    let plain =
        alt((number.map(Token::Number), r#move.map(Token::Move), result.map(|_| Token::Result(Spelling::Plain))));
    match input.first() {
        Some(b'0'..=b'9') => {
            // `0.5-0.5` has the number `0.` and the move `5-0` in it.
            alt((preceded(not(not_movetext), plain), foreign, odd_token)).parse(input)
        }
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'&' | 0x80..) => alt((foreign, odd_token)).parse(input),
        _ => text::word.map(|_| Token::Word).parse(input),
    }
}

/// A token that deviates from the grammar, or a word.
#[cold]
fn odd_token(input: &[u8]) -> Parsed<'_, Token<'_>> {
    let word = || text::word.map(|_| Token::Word);
    match input.first() {
        // Scores and results first, because their first number could begin a move.
        Some(b'0'..=b'9') => alt((
            preceded(peek(alt((date, clock_time))), word()),
            decimals.map(Token::Result),
            decimal_score.map(|()| Token::Word),
            joined_result.map(Token::Result),
            signed,
            unsigned,
            word(),
        ))
        .parse(input),
        Some(0x80..) => alt((half.map(Token::Result), word())).parse(input),
        _ => alt((odd_move.map(Token::Move), word())).parse(input),
    }
}

/// Digits with a sign directly after them: a result, a move or a word, and nothing else.
fn signed(input: &[u8]) -> Parsed<'_, Token<'_>> {
    let result = preceded(not(misread), points).map(Token::Result);
    let token =
        alt((colon_count.map(Token::NumberTypo), result, numbers.map(Token::Move), text::word.map(|_| Token::Word)));
    // Whatever it is, it is one token: of `9-32-28` no part may be read as a number.
    preceded(peek((digit1, one_of("-x:"))), token).parse(input)
}

/// Digits with something else after them.
fn unsigned(input: &[u8]) -> Parsed<'_, Token<'_>> {
    alt((
        // From the most specific to the least: `1/2` before digits alone, `3228` before a number without its dot.
        half.map(Token::Result),
        missing_separator.map(Token::Move),
        points.map(Token::Result),
        numbers.map(Token::Move),
        odd_count.map(Token::Number),
        number_typo.map(Token::NumberTypo),
        bare_digits.map(Token::Digits),
    ))
    .parse(input)
}
