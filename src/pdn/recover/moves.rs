//! Moves, numbers and squares that deviate from the grammar.

use std::ops::Range;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_while_m_n};
use nom::character::complete::{digit1, one_of};
use nom::combinator::{consumed, not, opt, peek, recognize, verify};
use nom::multi::{fold_many0, many0_count, many1_count};
use nom::sequence::{delimited, pair, preceded, terminated};

use super::text::{boundary, points};
use crate::pdn::grammar::primitive::{byte, decimal, few, next_is, one, run, wide};
use crate::pdn::grammar::{Deviations, Move, Parsed, gap, marks, r#move, numeral};
use crate::pdn::movetext::{LARGEST_SQUARE, MoveKind, MoveText, Squares, WrittenSquare, digit_like, with_digits};
use crate::text::signs::{capture_len, dash_len};
use crate::text::whitespace::is_blank;

/// A move that deviates from the grammar.
pub(in crate::pdn) fn odd_move(input: &[u8]) -> Parsed<'_, Move<'_>> {
    match input {
        [b'0'..=b'9', ..] => alt((numbers, missing_separator)).parse(input),
        // `cd4 `: where moves are written so, all are, and `cells` takes 4,000 instructions to find it out.
        [b'a'..=b'l', b'a'..=b'l', b'1'..=b'9', b' ' | b'\n' | b'\r', ..] => {
            let (start, rest) = input.split_at(1);
            let (square, rest) = rest.split_at(2);
            let mut found = Move::start(start).to(MoveKind::Unseparated, square);
            found.deviations = Deviations::ULTRA_SHORT;
            Ok((rest, found))
        }
        _ => cells(input),
    }
}

/// A `gap` that may hold whitespace and invisible characters of several bytes.
fn wide_gap(input: &[u8]) -> Parsed<'_> {
    recognize((gap, many0_count((wide, gap)))).parse(input)
}

/// A move, whether or not it deviates from the grammar.
pub(in crate::pdn) fn any_move(input: &[u8]) -> Parsed<'_, Move<'_>> {
    alt((r#move, odd_move)).parse(input)
}

/// A separator and the square after it.
#[derive(Clone, Copy)]
pub(super) struct Link<'a> {
    kind: MoveKind,
    deviations: Deviations,
    padded: bool,
    square: &'a [u8],
}

/// A move whose squares are being read.
struct Path<'a> {
    found: Move<'a>,
    padded: bool,
    /// True if some squares have no sign between them.
    glued: bool,
    signed: bool,
}

impl<'a> Path<'a> {
    fn start(square: &'a [u8], deviations: Deviations) -> Self {
        let mut found = Move::start(square);
        found.deviations = deviations;
        Self { found, padded: false, glued: false, signed: false }
    }

    fn to(mut self, link: Link<'a>) -> Self {
        let signed = link.kind != MoveKind::Unseparated;
        let captures = link.kind == MoveKind::Capture && self.found.kind == MoveKind::Capture;
        // If there are several signs, all should be capture signs.
        let dashed = self.signed && signed && !captures;
        self.found = self.found.to(link.kind, link.square);
        self.found.deviations |= link.deviations;
        self.found
            .deviations
            .set(Deviations::DASHED_CAPTURE, dashed || self.found.deviations.contains(Deviations::DASHED_CAPTURE));
        if link.deviations.contains(Deviations::UPPER_CASE) && link.square.first().is_some_and(u8::is_ascii_digit) {
            self.found.last = &link.square[..0];
        }
        self.padded |= link.padded;
        self.glued |= !signed;
        self.signed |= signed;
        self
    }
}

/// Squares by number: with gaps, dashes, odd separators, or more digits than a square has.
pub(super) fn numbers(input: &[u8]) -> Parsed<'_, Move<'_>> {
    let signed = terminated(digit1, peek(one_of("-x:")));
    let first = (not(misread), alt((signed, terminated(numeral, wide_gap))));
    number_path(input, first.map(|((), square)| square)).map(|(rest, path)| (rest, path.found))
}

fn number_path<'a>(
    input: &'a [u8],
    mut first: impl Parser<&'a [u8], Output = &'a [u8], Error = ()>,
) -> Parsed<'a, Path<'a>> {
    let (rest, from) = first.parse(input)?;
    let (rest, link) = number_link(rest)?;
    path_of(rest, || Path::start(from, Deviations::empty()).to(link), later_number_link)
}

/// A path that ends within a square, before a letter for its second digit: `37-3Z`.
pub(super) fn misread(input: &[u8]) -> Parsed<'_, ()> {
    let path = |input| number_path(input, terminated(digit1, peek(one_of("-x:"))));
    let letter = one(|byte| matches!(byte, b'l' | b'o' | b'A'..=b'Z'));
    (peek((path, letter)), letter_for_digit).map(|_| ()).parse(input)
}

/// Returns the only move in a text, with a sign between its squares, and where it is: `gedw. 23x34`.
pub(crate) fn only_move(text: &[u8]) -> Option<(Range<usize>, MoveText)> {
    let continues = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | 0x80..);
    let (mut only, mut at) = (None, 0);
    while at < text.len() {
        let begins = text[at].is_ascii_alphanumeric() && !text[..at].last().is_some_and(continues);
        match any_move(&text[at..]) {
            Ok((rest, found)) if begins && found.kind != MoveKind::Unseparated => {
                let range = at..text.len() - rest.len();
                at = range.end;
                let written = MoveText::of(&text[range.clone()], found.kind, &found.squares, &[]);
                if only.replace((range, written)).is_some() {
                    return None;
                }
            }
            _ => at += 1,
        }
    }
    only
}

/// The rest of a path after its first link.
fn path_of<'a>(
    input: &'a [u8],
    start: impl Fn() -> Path<'a>,
    link: fn(&'a [u8]) -> Parsed<'a, Link<'a>>,
) -> Parsed<'a, Path<'a>> {
    fold_many0(link, start, Path::to).parse(input)
}

/// A separator and digits, perhaps after a gap; then no dot may follow.
pub(super) fn number_link(input: &[u8]) -> Parsed<'_, Link<'_>> {
    let after_gap = delimited(wide_gap, digit1, not(byte(b'.'))).map(|square| (true, square));
    let square = alt((digit1.map(|square| (false, square)), after_gap));
    let link = |((kind, deviations), (padded, square))| Link { kind, deviations, padded, square };
    (any_separator, square).map(link).parse(input)
}

/// A second or later link. `30-25 - 19` is a move and a null move.
pub(super) fn later_number_link(input: &[u8]) -> Parsed<'_, Link<'_>> {
    verify(number_link, |link: &Link<'_>| !link.padded || link.kind == MoveKind::Capture).parse(input)
}

/// A sign of the grammar, `X`, or a typographic one: dashes, crosses, letters like them and colons, in UTF-8 or cp1252.
pub(in crate::pdn) fn any_separator(input: &[u8]) -> Parsed<'_, (MoveKind, Deviations)> {
    const NONE: Deviations = Deviations::empty();
    // The crosses of cp1252 and cp1251.
    let cross = alt((of_length(capture_len), recognize(one(|byte| matches!(byte, 0xD5 | 0xD7 | 0xF5)))));
    alt((
        byte(b'-').map(|_| (MoveKind::Quiet, NONE)),
        one(|byte| matches!(byte, b'x' | b':')).map(|_| (MoveKind::Capture, NONE)),
        byte(b'X').map(|_| (MoveKind::Capture, Deviations::UPPER_CASE)),
        dash.map(|_| (MoveKind::Quiet, Deviations::ODD_SEPARATOR)),
        cross.map(|_| (MoveKind::Capture, Deviations::ODD_SEPARATOR)),
    ))
    .parse(input)
}

/// The dashes of Unicode, and the two of cp1252.
pub(super) fn dash(input: &[u8]) -> Parsed<'_> {
    alt((of_length(dash_len), recognize(one(|byte| matches!(byte, 0x96 | 0x97))))).parse(input)
}

/// As many bytes as a function says, at least one.
pub(super) fn of_length(length: fn(&[u8]) -> usize) -> impl Fn(&[u8]) -> Parsed<'_> {
    move |input| verify(take(length(input)), |found: &[u8]| !found.is_empty()).parse(input)
}

/// `3228`: two squares of two digits each with no separator.
pub(in crate::pdn) fn missing_separator(input: &[u8]) -> Parsed<'_, Move<'_>> {
    let two = |input| recognize((one(|byte| byte.is_ascii_digit()), one(|byte| byte.is_ascii_digit()))).parse(input);
    let on_board = |square: &[u8]| (1..=u32::from(LARGEST_SQUARE)).contains(&decimal(square));
    // Four digits may as well be a year or a count: these are squares of a board, and differ.
    let squares = verify((two, two), |&(from, to): &(&[u8], &[u8])| on_board(from) && on_board(to) && from != to);
    let found = |(from, to)| {
        let mut found = Move::start(from).to(MoveKind::Unseparated, to);
        found.deviations = Deviations::MISSING_SEPARATOR;
        found
    };
    terminated(squares, boundary).map(found).parse(input)
}

/// Squares by file and rank: in upper case, with odd separators, or the first one as a file alone (`cd4`).
fn cells(input: &[u8]) -> Parsed<'_, Move<'_>> {
    let (rest, path) = alt((cell_path, file_path)).parse(input)?;
    // Without signs, it may be part of a word.
    if path.glued {
        boundary(rest)?;
    }
    let mut found = path.found;
    // Of `df6xh4`, the file and its cell are ultra-short.
    if path.glued && path.signed && !found.deviations.contains(Deviations::ULTRA_SHORT) {
        found.deviations |= Deviations::ODD_SEPARATOR;
    }
    Ok((rest, found))
}

fn cell_path(input: &[u8]) -> Parsed<'_, Path<'_>> {
    let (rest, ((from, upper), link)) = (any_cell, alt((preceded(wide_gap, signed_cell), glued_cell))).parse(input)?;
    path_of(rest, || Path::start(from, upper).to(link), cell_link)
}

/// `ultra-short`: the first square is a file.
fn file_path(input: &[u8]) -> Parsed<'_, Path<'_>> {
    // Otherwise a letter in prose would begin a move: `a - c3`.
    let tight = verify(signed_cell, |link: &Link<'_>| !link.padded);
    let (rest, (from, link)) = (preceded(not(any_cell), recognize(any_file)), alt((tight, glued_cell))).parse(input)?;
    path_of(rest, || Path::start(from, Deviations::ULTRA_SHORT).to(link), cell_link)
}

fn cell_link(input: &[u8]) -> Parsed<'_, Link<'_>> {
    alt((signed_cell, glued_cell)).parse(input)
}

fn signed_cell(input: &[u8]) -> Parsed<'_, Link<'_>> {
    let link = |((kind, deviations), gap, (square, upper)): (_, &[u8], _)| Link {
        kind,
        deviations: Deviations::union(deviations, upper),
        padded: !gap.is_empty(),
        square,
    };
    (any_separator, wide_gap, any_cell).map(link).parse(input)
}

fn glued_cell(input: &[u8]) -> Parsed<'_, Link<'_>> {
    let link = |(square, deviations)| Link { kind: MoveKind::Unseparated, deviations, padded: false, square };
    any_cell.map(link).parse(input)
}

/// A cell in either case.
fn any_cell(input: &[u8]) -> Parsed<'_, (&[u8], Deviations)> {
    let cell = (any_file, few::<1, 2>(|byte| byte.is_ascii_digit()));
    let upper = |file: u8| if file.is_ascii_uppercase() { Deviations::UPPER_CASE } else { Deviations::empty() };
    consumed(cell).map(|(text, (file, _))| (text, upper(file))).parse(input)
}

fn any_file(input: &[u8]) -> Parsed<'_, u8> {
    one(|byte| matches!(byte, b'a'..=b'l' | b'A'..=b'L'))(input)
}

/// `9n`, `9)`, `9,`, `9;`: a number with another character in place of its dot.
pub(super) fn number_typo(input: &[u8]) -> Parsed<'_, u32> {
    let apart = |next: Option<u8>| next.is_none_or(|byte| byte.is_ascii_whitespace());
    let letter = terminated(one(|byte| byte.is_ascii_alphabetic() || matches!(byte, b',' | b')')), next_is(apart));
    let glued = terminated(one(|byte| matches!(byte, b',' | b';')), peek(move_alone));
    terminated(few::<1, 3>(|byte| byte.is_ascii_digit()), alt((letter, glued))).map(decimal).parse(input)
}

/// A move of two digits on both sides with nothing attached to it: `9,32-28` is a number and a move, `1,5-0,5` and
/// `2,5-10` are not.
fn move_alone(input: &[u8]) -> Parsed<'_, ()> {
    let path = |input| number_path(input, digit1);
    let whole = verify(consumed(path), |(text, path): &(&[u8], Path<'_>)| {
        let deviates = path.padded || path.found.deviations.contains(Deviations::DASHED_CAPTURE);
        !deviates && text.len() >= "32-28".len()
    });
    (not(points), whole, boundary, not(byte(b','))).map(|_| ()).parse(input)
}

/// Digits alone.
pub(super) fn bare_digits(input: &[u8]) -> Parsed<'_, u32> {
    let ends = |next: Option<u8>| next.is_none_or(|byte| byte.is_ascii_whitespace() || b"{}()[]".contains(&byte));
    terminated(digit1, next_is(ends)).map(decimal).parse(input)
}

/// `l4x23`, `2B-19!`: squares with a letter for one of two digits, and the marks after them.
pub(in crate::pdn) fn letter_for_digit(input: &[u8]) -> Parsed<'_> {
    let numeral = |byte: u8| byte.is_ascii_digit() || digit_like(char::from(byte)).is_some();
    // At least one real digit, so that words such as `So-so` are not moves.
    let square = || verify(take_while_m_n(1, 2, numeral), |square: &[u8]| square.iter().any(u8::is_ascii_digit));
    let squares = recognize((square(), many1_count(pair(one_of("-x:"), square()))));
    let marks = many0_count(alt((marks, tag("*"))));
    terminated(verify(squares, is_misspelt), (marks, boundary)).parse(input)
}

fn is_misspelt(found: &[u8]) -> bool {
    let spelt = str::from_utf8(found).ok().and_then(with_digits);
    spelt.is_some_and(|spelt| {
        let squares = || spelt.split(['-', 'x', ':']).map(str::parse);
        // No move ends where it begins.
        let differ = squares().zip(squares().skip(1)).all(|(one, next)| one != next);
        differ && squares().all(|square| matches!(square, Ok(1..=LARGEST_SQUARE)))
    })
}

/// The next part of a capture written jump by jump, `18x25` after `11x18`: it begins on the square where the last part
/// ended.
pub(in crate::pdn) fn split_capture<'a>(last: &'a [u8]) -> impl Fn(&'a [u8]) -> Parsed<'a, Move<'a>> {
    // A number too long for a square, as in `1232-281`, is the start of no jump.
    let is_square = !last.is_empty() && last.len() <= if last.first().is_some_and(u8::is_ascii_digit) { 2 } else { 3 };
    move |input| {
        let again = (verify(tag(last), |_: &[u8]| is_square), one_of("x:X"));
        let clean = |next: &Move<'_>| next.kind == MoveKind::Capture && next.deviations.is_empty();
        preceded(peek(again), verify(any_move, clean)).parse(input)
    }
}

/// `<42, 29>` after a move, with the whitespace before it.
pub(in crate::pdn) fn captured_list(input: &[u8]) -> Parsed<'_, Squares> {
    let cell = recognize((one(|byte| matches!(byte, b'a'..=b'l')), digit1));
    let item = delimited(run(is_blank), alt((digit1, cell)), (run(is_blank), opt(byte(b','))));
    let list = fold_many0(item, Squares::new, |mut squares: Squares, square| {
        squares.push(WrittenSquare::of(square));
        squares
    });
    delimited((run(is_blank), byte(b'<')), list, (run(is_blank), byte(b'>'))).parse(input)
}
