//! Hand-tuned parsers for the tokens that nearly all records are made of, tried before the plain productions.
//!
//! Each takes only what the plain parser would take in the same way; a test compares them.

use std::ops::Range;

use nom::Err::Error;
use nom::Parser;
use nom::sequence::{delimited, terminated};

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
}

/// A `game_move` of the shape `32-28`, `7x16`, `c3:e5` or `12. 32-28`, with any blanks before its parts, and whitespace
/// after it that cannot belong to the move.
#[inline(always)]
pub(super) fn game_move(input: &[u8]) -> Parsed<'_, FastMove<'_>> {
    let input = after_blanks(input);
    // In a window of constant size no index has to be checked; the last bytes of an input are left to the productions.
    let Some(window) = input.first_chunk::<WINDOW>() else { return Err(Error(())) };
    let (count_end, value) = count(window);
    let count = (count_end > 0).then(|| (WrittenNumber::new(value, 1), &input[..count_end]));
    let input = if count_end > 0 { after_blanks(&input[count_end..]) } else { input };
    let Some(window) = input.first_chunk::<WINDOW>() else { return Err(Error(())) };
    let Some((squares, sign_at, end)) = squares(window) else { return Err(Error(())) };
    let kind = if window[sign_at] == b'-' { MoveKind::Quiet } else { MoveKind::Capture };
    if !ends(input, kind, sign_at + 1..end) {
        return Err(Error(()));
    }
    let (text, rest) = input.split_at(end);
    match MoveText::short(text, kind, squares) {
        Some(played) => Ok((rest, FastMove { count, text, played })),
        None => Err(Error(())),
    }
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

/// The squares of `NN-NN` or `NNxNN`, and the positions of the sign and the end. A second square of one digit after a
/// first one of one digit may be a result.
#[inline(always)]
fn squares(window: &[u8; WINDOW]) -> Option<([WrittenSquare; 2], usize, usize)> {
    let (from, sign) = square(window, 0)?;
    if !matches!(window[sign], b'-' | b'x' | b':') {
        return None;
    }
    let (to, end) = square(window, sign + 1)?;
    let same_kind = matches!(from, WrittenSquare::Number(_)) == matches!(to, WrittenSquare::Number(_));
    let no_result = end > 3 || window[0] > b'2';
    (same_kind && no_result).then_some(([from, to], sign, end))
}

/// A square of one or two digits, perhaps after a file, and its end.
#[inline(always)]
fn square(window: &[u8; WINDOW], at: usize) -> Option<(WrittenSquare, usize)> {
    let file = window[at].wrapping_sub(b'a');
    let at = at + usize::from(file < 12);
    let (tens, ones) = (window[at].wrapping_sub(b'0'), window[at + 1].wrapping_sub(b'0'));
    if tens > 9 {
        return None;
    }
    let (value, end) = if ones > 9 { (tens, at + 1) } else { (tens * 10 + ones, at + 2) };
    let square = if file < 12 { WrittenSquare::Cell { file, rank: value } } else { WrittenSquare::Number(value) };
    Some((square, end))
}

/// Returns true if the whitespace after the move and what follows it show that the move ends here: neither another jump
/// (`11x18 18x25`) nor a list of captured squares comes next. `last` is where its last square is.
#[inline(always)]
fn ends(input: &[u8], kind: MoveKind, last: Range<usize>) -> bool {
    let after = &input[last.end..];
    // After most moves, one space.
    let next = match after {
        [b' ', next, ..] if *next > b' ' => &after[1..],
        [b' ' | b'\n' | b'\r' | b'\t', ..] => after_blanks(after),
        _ => return false,
    };
    // A byte above ASCII may begin a no-break space, and a control character may be skipped.
    let visible = next.first().is_some_and(|&byte| byte > b' ' && byte < 0x80 && byte != b'<');
    visible && (kind == MoveKind::Quiet || !jumps_on(&input[last], next))
}

/// Returns true if the token after a capture begins with the square that the move ends on, and perhaps jumps from there.
#[inline(always)]
fn jumps_on(last: &[u8], next: &[u8]) -> bool {
    next.strip_prefix(last).is_some_and(|rest| matches!(rest, [b'x' | b':' | b'X', ..]))
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
    use nom::sequence::preceded;
    use proptest::prelude::*;

    use super::*;
    use crate::pdn::grammar::{self, white_space};
    use crate::pdn::reader::element;
    use crate::pdn::recover::moves::{captured_list, split_capture};

    fn tag_agrees(input: &[u8]) -> bool {
        let found = tag(input);
        found.is_err() || found == grammar::tag(input)
    }

    fn game_move_agrees(input: &[u8]) -> bool {
        let Ok((rest, fast)) = game_move(input) else { return true };
        let Ok((plain_rest, plain)) = preceded(white_space, element::game_move).parse(input) else { return false };
        let found = &plain.found;
        let same = (plain_rest, plain.count, plain.text) == (rest, fast.count, fast.text)
            && MoveText::of(plain.text, found.kind, &found.squares, &[]) == fast.played;
        let captures = found.kind == MoveKind::Capture;
        let jumps = captures && preceded(white_space, split_capture(found.last)).parse(rest).is_ok();
        // The reader looks for a list only there.
        let list = matches!(rest, [b'<', ..] | [b' ', b' ' | b'<', ..]) && captured_list(rest).is_ok();
        same && !jumps && !list
    }

    /// Parts of records, put together at random.
    const PARTS: [&str; 30] = [
        "1.",
        "12. ",
        "7...",
        "32-28",
        "7x16",
        "7-2",
        "1-0",
        "2-0",
        "0-1",
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
