//! Hand-tuned parsers for the tokens that nearly all records are made of, tried before the plain productions.
//!
//! Each takes only what the plain parser would take in the same way; a test compares them.

use std::ops::Range;

use nom::Err::Error;
use nom::Parser;
use nom::sequence::{delimited, terminated};

use crate::pdn::grammar::movetext::is_result;
use crate::pdn::grammar::primitive::{byte, until};
use crate::pdn::grammar::{Parsed, identifier};
use crate::pdn::movetext::{MoveKind, MoveText, WrittenSquare};
use crate::pdn::tree::WrittenNumber;
use crate::text::whitespace::is_blank;

/// Number of bytes examined: a number of three digits and two dots, or two squares of three characters, their sign and
/// the byte after them.
const WINDOW: usize = 8;

/// A move as [`game_move`] finds it.
#[derive(Debug)]
pub(super) struct FastMove<'a> {
    /// The number and its bytes.
    pub(super) count: Option<(WrittenNumber, &'a [u8])>,
    /// The bytes of the move.
    pub(super) text: &'a [u8],
    pub(super) played: MoveText,
    /// The input from the next token on: whitespace is skipped once.
    pub(super) next: &'a [u8],
}

/// A `game_move` of the shape `32-28`, `7x16`, `7- 2`, `c3:e5`, `ed4` or `12. 32-28`, with any blanks before its parts, and
/// whitespace after it that cannot belong to the move.
#[inline(always)]
pub(super) fn game_move(input: &[u8]) -> Parsed<'_, FastMove<'_>> {
    let input = after_blanks(input);
    // In a window of constant size no index has to be checked; the last bytes of an input are left to the productions.
    let Some(window) = input.first_chunk::<WINDOW>() else { return Err(Error(())) };
    let (count_end, value) = count(window);
    let count = (count_end > 0).then(|| (WrittenNumber::new(value, 1), &input[..count_end]));
    let input = if count_end > 0 { after_blanks(&input[count_end..]) } else { input };
    let Some(window) = input.first_chunk::<WINDOW>() else { return Err(Error(())) };
    let Some(Path { squares, kind, to_at, end }) = path(window) else { return Err(Error(())) };
    let Some(next) = next_token(input, kind, to_at..end) else { return Err(Error(())) };
    let (text, rest) = input.split_at(end);
    Ok((rest, FastMove { count, text, played: MoveText::short(*window, end, kind, squares), next }))
}

/// The input after its blanks; mostly there is one, and none after a line break.
#[inline(always)]
fn after_blanks(input: &[u8]) -> &[u8] {
    let mut rest = input;
    while let [byte, after @ ..] = rest
        && is_blank(*byte)
    {
        rest = after;
    }
    rest
}

/// The end and the value of a number of at most three digits with one dot; 0 if there is none.
#[inline(always)]
fn count(window: &[u8; WINDOW]) -> (usize, u32) {
    let digit = |at: usize| u32::from(window[at].wrapping_sub(b'0'));
    let (one, two, three) = (digit(0), digit(1), digit(2));
    let (end, value) = match () {
        () if one > 9 => return (0, 0),
        () if window[1] == b'.' => (2, one),
        () if two > 9 => return (0, 0),
        () if window[2] == b'.' => (3, one * 10 + two),
        () if three > 9 || window[3] != b'.' => return (0, 0),
        () => (4, one * 100 + two * 10 + three),
    };
    // `12...` has several dots.
    if window[end] == b'.' { (0, 0) } else { (end, value) }
}

/// The squares of a move and where they are.
struct Path {
    squares: [WrittenSquare; 2],
    kind: MoveKind,
    /// Where the second square begins.
    to_at: usize,
    /// Where it ends.
    end: usize,
}

/// The squares of a move: two numerals, two cells, or a file and a cell. Places are constants in each case, since a place that
/// is computed has to be compared with the end of the window.
#[inline(always)]
fn path(window: &[u8; WINDOW]) -> Option<Path> {
    let (first, second) = (digit(window[0]), digit(window[1]));
    match (first <= 9, second <= 9, digit(window[2]) <= 9) {
        (true, true, _) => numeral_after(window, 10 * first + second, 2),
        (true, false, _) => numeral_after(window, first, 1),
        (false, true, false) => cell_after(window, cell(window[0], second)?, 2),
        (false, true, true) => cell_after(window, cell(window[0], 10 * second + digit(window[2]))?, 3),
        (false, false, true) => {
            let squares = [WrittenSquare::File(file(window[0])?), cell(window[1], digit(window[2]))?];
            Some(Path { squares, kind: MoveKind::Unseparated, to_at: 1, end: 3 })
        }
        (false, false, false) => None,
    }
}

/// The value of a digit; more than 9 for other bytes.
#[inline(always)]
const fn digit(byte: u8) -> u8 {
    byte.wrapping_sub(b'0')
}

/// The file of a letter, from 0.
#[inline(always)]
fn file(letter: u8) -> Option<u8> {
    // `l` is the last file of the largest board, 12x12.
    Some(letter.wrapping_sub(b'a')).filter(|&file| file < 12)
}

#[inline(always)]
fn cell(letter: u8, rank: u8) -> Option<WrittenSquare> {
    Some(WrittenSquare::Cell { file: file(letter)?, rank })
}

#[inline(always)]
const fn kind(sign: u8) -> Option<MoveKind> {
    match sign {
        b'-' => Some(MoveKind::Quiet),
        b'x' | b':' => Some(MoveKind::Capture),
        _ => None,
    }
}

/// A path from a numeral to another one after a sign at this place, in columns with a blank between them: `7- 2`.
#[inline(always)]
fn numeral_after(window: &[u8; WINDOW], from: u8, sign_at: usize) -> Option<Path> {
    let kind = kind(window[sign_at])?;
    let to_at = sign_at + 1;
    let (tens, ones) = (digit(window[to_at]), digit(window[to_at + 1]));
    let (to_at, to, end) = match (tens <= 9, ones <= 9) {
        (true, true) => (to_at, 10 * tens + ones, to_at + 2),
        (true, false) => (to_at, tens, to_at + 1),
        (false, true) if window[to_at] == b' ' && digit(window[to_at + 2]) > 9 => (to_at + 1, ones, to_at + 2),
        (false, _) => return None,
    };
    // `1-0` and `0- 1` are results, and `0:05` is a time.
    let is_result = sign_at == 1 && to <= 9 && is_result(window[0], b'0' + to);
    let squares = [WrittenSquare::Number(from), WrittenSquare::Number(to)];
    (!is_result && from > 0).then_some(Path { squares, kind, to_at, end })
}

/// A path from a cell to another one after a sign at this place.
#[inline(always)]
fn cell_after(window: &[u8; WINDOW], from: WrittenSquare, sign_at: usize) -> Option<Path> {
    let kind = kind(window[sign_at])?;
    let (tens, ones) = (digit(window[sign_at + 2]), digit(window[sign_at + 3]));
    let (rank, end) = match (tens <= 9, ones <= 9) {
        (true, true) => (10 * tens + ones, sign_at + 4),
        (true, false) => (tens, sign_at + 3),
        (false, _) => return None,
    };
    let squares = [from, cell(window[sign_at + 1], rank)?];
    Some(Path { squares, kind, to_at: sign_at + 1, end })
}

/// The input after the whitespace that follows a move, if this and what comes next show that the move ends there: neither
/// another jump (`11x18 18x25`) nor a list of captured squares. `last` is where its last square is.
#[inline(always)]
fn next_token(input: &[u8], kind: MoveKind, last: Range<usize>) -> Option<&[u8]> {
    let after = &input[last.end..];
    // After most moves, one space.
    let next = match after {
        [b' ', next, ..] if *next > b' ' => &after[1..],
        [b' ' | b'\n' | b'\r' | b'\t', ..] => after_blanks(after),
        _ => return None,
    };
    // A byte above ASCII may begin a no-break space, and a control character may be skipped.
    let is_visible = next.first().is_some_and(|&byte| byte > b' ' && byte < 0x80 && byte != b'<');
    (is_visible && (kind != MoveKind::Capture || !jumps_on(&input[last], next))).then_some(next)
}

/// Returns true if the token after a capture begins with the square that the move ends on, and perhaps jumps from there.
#[inline(always)]
fn jumps_on(last: &[u8], next: &[u8]) -> bool {
    // Nearly always the first byte differs.
    last.first() == next.first() && next.strip_prefix(last).is_some_and(|rest| matches!(rest, [b'x' | b':' | b'X', ..]))
}

/// A `tag` of the shape `[Name "value"]` with a one-line value without escapes.
#[inline(always)]
pub(super) fn tag(input: &[u8]) -> Parsed<'_, (&[u8], &[u8])> {
    let (value_on, name) = delimited(byte(b'['), identifier, (byte(b' '), byte(b'"'))).parse(input)?;
    let (rest, value) = terminated(until([b'"', b'\\', b'\n']), (byte(b'"'), byte(b']'))).parse(value_on)?;
    Ok((rest, (name, value)))
}

#[cfg(test)]
mod tests {
    use nom::combinator::{consumed, opt};
    use nom::sequence::preceded;
    use proptest::prelude::*;

    use super::*;
    use crate::pdn::grammar::{self, white_space};
    use crate::pdn::recover::moves::{any_move, captured_list, split_capture};

    fn tag_agrees(input: &[u8]) -> bool {
        let found = tag(input);
        found.is_err() || found == grammar::tag(input)
    }

    fn game_move_agrees(input: &[u8]) -> bool {
        let Ok((rest, fast)) = game_move(input) else { return true };
        let count = opt(preceded(white_space, consumed(grammar::number)));
        let count = count.map(|count| count.map(|(text, number)| (number, text)));
        let plain = (count, preceded(white_space, consumed(any_move))).parse(input);
        let Ok((plain_rest, (count, (text, found)))) = plain else { return false };
        let ends_alike = rest.ends_with(fast.next) && after_blanks(rest) == fast.next;
        let same = (plain_rest, count, text) == (rest, fast.count, fast.text)
            && MoveText::of(text, found.kind, &found.squares, &[]) == fast.played
            && ends_alike;
        let captures = found.kind == MoveKind::Capture;
        let jumps = captures && preceded(white_space, split_capture(found.last)).parse(rest).is_ok();
        // The reader looks for a list only there.
        let list = matches!(rest, [b'<', ..] | [b' ', b' ' | b'<', ..]) && captured_list(rest).is_ok();
        same && !jumps && !list
    }

    /// Parts of records, put together at random.
    const PARTS: [&str; 37] = [
        "1.",
        "7- 2",
        "11- 22",
        "1- 0",
        "20x 9",
        "ed4",
        "ab10",
        "12. ",
        "7...",
        "32-28",
        "7x16",
        "7-2",
        "1-0",
        "2-0",
        "0-1",
        "0:05",
        "c3-d4",
        "c3:e5",
        "a10xb11",
        "18x25",
        "11x18",
        "<25>",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        "\u{a0}",
        "\0",
        ".",
        "!",
        "*",
        "[Event \"a\"]",
        "[A \"b\\\"\"]",
        "(",
        "{c}",
        "x",
    ];

    proptest! {
        #[test]
        fn the_plain_parsers_take_the_same(parts in proptest::collection::vec(proptest::sample::select(&PARTS[..]), 0..30)) {
            let text = parts.concat();
            for at in 0..text.len() {
                let input = &text.as_bytes()[at..];
                prop_assert!(game_move_agrees(input) && tag_agrees(input), "{}", input.escape_ascii());
            }
        }
    }

    #[test]
    fn tags_of_one_line_without_escapes_are_taken() {
        assert_eq!(tag(b"[White_2 \"A, b\"]\n"), Ok((&b"\n"[..], (&b"White_2"[..], &b"A, b"[..]))));
        assert_eq!(tag(b"[Round \"\"]"), Ok((&b""[..], (&b"Round"[..], &b""[..]))));
        for other in
            ["[a \"b\"]", "[A  \"b\"]", "[A \"b\" ]", "[A \"b\\\"\"]", "[A \"b\nc\"]", "[A b]", "[A \"b\"", "A \"b\"]"]
        {
            assert!(tag(other.as_bytes()).is_err(), "{other}");
        }
    }
}
