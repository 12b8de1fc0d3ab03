//! Hand-tuned parsers for the tokens that nearly all records are made of, tried before the plain productions.
//!
//! Each has the signature of the production that it replaces, and takes only what the production would take in the same
//! way: the fuzz target `fast` compares them.

use nom::Err::Error;
use nom::Parser;
use nom::sequence::{delimited, preceded, terminated};
use smallvec::SmallVec;

use super::primitive::{byte, until};
use super::reading::{self, GameMove};
use super::{Deviations, Move, Parsed, Squares, r#move, white_space};
use crate::pdn::movetext::{MoveKind, WrittenSquare};
use crate::pdn::recover::moves::{captured_list, split_capture};
use crate::pdn::tree::WrittenNumber;

/// Number of bytes examined: a space, a number of three digits, another space, a move and the two bytes after it.
const WINDOW: usize = 16;

/// A `game_move` of the shape `32-28`, `7x16` or `12. 32-28`, with at most one space or line feed before it, and
/// whitespace after it that cannot belong to the move.
#[inline(always)]
pub(in crate::pdn) fn game_move(input: &[u8]) -> Parsed<'_, GameMove<'_>> {
    // In a window of constant size no index has to be checked; the last bytes of an input are left to the productions.
    let Some(window) = input.first_chunk::<WINDOW>() else { return Err(Error(())) };
    let first = usize::from(matches!(window[0], b' ' | b'\n'));
    let (count_end, value) = count(window, first);
    let start = match count_end {
        0 => first,
        end => end + usize::from(matches!(window[end], b' ' | b'\n')),
    };
    let Some((sign_at, end)) = squares(window, start) else { return Err(Error(())) };
    let kind = if window[sign_at] == b'-' { MoveKind::Quiet } else { MoveKind::Capture };
    if !ends(window, sign_at, end) {
        return Err(Error(()));
    }
    let count = (count_end > 0).then(|| (WrittenNumber::new(value, 1), &input[first..count_end]));
    let found = Move { kind, squares: (), last: &input[sign_at + 1..end], deviations: Deviations::empty() };
    Ok((&input[end..], GameMove { count, text: &input[start..end], found }))
}

/// The end and the value of a number of at most three digits with one dot; 0 if there is none.
#[inline(always)]
fn count(window: &[u8; WINDOW], first: usize) -> (usize, u32) {
    let digit = |at: usize| u32::from(window[at].wrapping_sub(b'0'));
    let (one, two, three) = (digit(first), digit(first + 1), digit(first + 2));
    let (end, value) = match () {
        () if one > 9 => return (0, 0),
        () if window[first + 1] == b'.' => (first + 2, one),
        () if two > 9 => return (0, 0),
        () if window[first + 2] == b'.' => (first + 3, one * 10 + two),
        () if three > 9 || window[first + 3] != b'.' => return (0, 0),
        () => (first + 4, one * 100 + two * 10 + three),
    };
    // `12...` has several dots.
    if window[end] == b'.' { (0, 0) } else { (end, value) }
}

/// The positions of the sign and the end of `NN-NN` or `NNxNN`. A second square of one digit after a first one of one
/// digit may be a result.
#[inline(always)]
fn squares(window: &[u8; WINDOW], start: usize) -> Option<(usize, usize)> {
    if !window[start].is_ascii_digit() {
        return None;
    }
    let sign = start + 1 + usize::from(window[start + 1].is_ascii_digit());
    let second = sign + 1;
    let end = second + 1 + usize::from(window[second + 1].is_ascii_digit());
    let signed = matches!(window[sign], b'-' | b'x') && window[second].is_ascii_digit();
    let no_result = end > start + 3 || window[start] > b'2';
    (signed && no_result).then_some((sign, end))
}

/// Returns true if the whitespace after the move and what follows it show that the move ends here: neither another jump
/// (`11x18 18x25`) nor a list of captured squares comes next.
#[inline(always)]
fn ends(window: &[u8; WINDOW], sign: usize, end: usize) -> bool {
    let (space, next) = (window[end], window[end + 1]);
    // More whitespace may hide a list of captures, and a byte above ASCII may begin a no-break space.
    let visible = next > b' ' && next < 0x80 && next != b'<';
    match space {
        b' ' => visible && (window[sign] == b'-' || !jumps_on(window, sign, end)),
        b'\n' | b'\r' => window[sign] == b'-' || (visible && !jumps_on(window, sign, end)),
        _ => false,
    }
}

/// Returns true if the token after the move begins with the square that the move ends on, and perhaps jumps from there.
#[inline(always)]
fn jumps_on(window: &[u8; WINDOW], sign: usize, end: usize) -> bool {
    let same = window[end + 1] == window[sign + 1];
    let second = window[end + 2];
    same && if end == sign + 2 { matches!(second, b'x' | b':' | b'X') } else { second == window[sign + 2] }
}

/// A `move` of the shape `32-28` or `7x16` that is all of the input.
#[inline(always)]
pub(in crate::pdn) fn whole_move<S: Squares>(input: &[u8]) -> Parsed<'_, Move<'_, S>> {
    // Padded, so that `squares` need not know where the text ends.
    let mut window = [b' '; WINDOW];
    let Some(text) = window.get_mut(..input.len().min(WINDOW)) else { return Err(Error(())) };
    text.copy_from_slice(&input[..text.len()]);
    let Some((sign, end)) = squares(&window, 0).filter(|&(_, end)| end == input.len()) else { return Err(Error(())) };
    let kind = if window[sign] == b'-' { MoveKind::Quiet } else { MoveKind::Capture };
    let digit = |at: usize| window[at] - b'0';
    let number = |start: usize, end: usize| match end - start {
        1 => digit(start),
        _ => digit(start) * 10 + digit(start + 1),
    };
    let mut squares = S::default();
    squares.push(WrittenSquare::Number(number(0, sign)));
    squares.push(WrittenSquare::Number(number(sign + 1, end)));
    Ok((&input[end..], Move { kind, squares, last: &input[sign + 1..], deviations: Deviations::empty() }))
}

/// A `tag` of the shape `[Name "value"]` with a one-line value without escapes.
#[inline(always)]
pub(in crate::pdn) fn tag(input: &[u8]) -> Parsed<'_, (&[u8], &[u8])> {
    let (value_on, name) = delimited(byte(b'['), reading::identifier, (byte(b' '), byte(b'"'))).parse(input)?;
    let (rest, value) = terminated(until([b'"', b'\\', b'\n']), (byte(b'"'), byte(b']'))).parse(value_on)?;
    Ok((rest, (name, value)))
}

/// Returns true if, at every offset, these parsers take what the plain productions take. For tests.
#[doc(hidden)]
pub fn fast_agrees(bytes: &[u8]) -> bool {
    let agree = |input: &[u8]| game_move_agrees(input) && whole_move_agrees(input) && tag_agrees(input);
    (0..bytes.len()).all(|at| agree(&bytes[at..]))
}

fn tag_agrees(input: &[u8]) -> bool {
    let found = tag(input);
    found.is_err() || found == reading::tag(input)
}

fn game_move_agrees(input: &[u8]) -> bool {
    let Ok((rest, found)) = game_move(input) else { return true };
    let plain = preceded(white_space, reading::game_move).parse(input) == Ok((rest, found));
    let captures = found.found.kind == MoveKind::Capture;
    let jumps = captures && preceded(white_space, split_capture::<()>(found.found.last)).parse(rest).is_ok();
    // The reader looks for a list only there.
    let list = matches!(rest, [b'<', ..] | [b' ', b' ' | b'<', ..]) && captured_list::<()>(rest).is_ok();
    plain && !jumps && !list
}

fn whole_move_agrees(input: &[u8]) -> bool {
    let longest = input.len().min("32-28 ".len());
    (0..=longest).map(|len| &input[..len]).all(|text| {
        let found = whole_move::<SmallVec<_>>(text);
        found.is_err() || found == r#move(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
