//! Moves as written, before any rules are applied.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use compact_str::CompactString;
use nom::Parser;
use nom::combinator::{all_consuming, iterator, opt};
use nom::sequence::{preceded, terminated};
use smallvec::SmallVec;

use super::grammar::primitive::{decimal, run};
use super::grammar::{Move, Parsed};
use super::recover::moves::{any_move, captured_list, split_capture};
use crate::error::ParseError;
use crate::text::signs::{plain_letter, single_byte};
use crate::text::whitespace::{is_ignorable, is_skipped};

/// A square as written; it may not exist on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrittenSquare {
    /// A number, which may be 0 or above the board's last square; 255 for all above 254.
    Number(u8),
    /// A file from 0 (`a`) to 11 (`l`) and a rank as written.
    Cell {
        /// File, counted from 0.
        file: u8,
        /// Rank as written, so that 1 is the lowest one.
        rank: u8,
    },
    /// A file alone, counted from 0: the first half of the ultra-short `cd4`.
    File(u8),
}

impl WrittenSquare {
    /// The square of a numeral, a cell or a file.
    pub(super) fn of(text: &[u8]) -> Self {
        // No board has square 255, so larger numbers are as impossible.
        let number = |digits| decimal(digits).min(255) as u8;
        match text {
            [letter, rank @ ..] if letter.is_ascii_alphabetic() => match letter.to_ascii_lowercase() - b'a' {
                file if rank.is_empty() => Self::File(file),
                file => Self::Cell { file, rank: number(rank) },
            },
            digits => Self::Number(number(digits)),
        }
    }
}

impl WrittenSquare {
    /// Appends the name of the square; several times as fast as formatting it.
    pub(crate) fn push_to(self, text: &mut String) {
        let number = match self {
            Self::Number(number) | Self::Cell { rank: number, .. } => Some(number),
            Self::File(_) => None,
        };
        if let Self::Cell { file, .. } | Self::File(file) = self {
            text.push(char::from(b'a' + file));
        }
        let Some(number) = number else { return };
        // Without leading zeros, but 0 has its digit.
        for (unit, shown_from) in [(100, 100), (10, 10), (1, 0)] {
            if number >= shown_from {
                text.push(char::from(b'0' + number / unit % 10));
            }
        }
    }
}

impl fmt::Display for WrittenSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Cell { file, rank } => write!(f, "{}{rank}", char::from(b'a' + file)),
            Self::File(file) => write!(f, "{}", char::from(b'a' + file)),
        }
    }
}

/// The separators between the squares of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MoveKind {
    /// `-`: a quiet move, or in careless texts a capture.
    Quiet,
    /// `x` or `:`, at least once.
    Capture,
    /// Nothing: `a3b4`, `cd4`, `3228`.
    Unseparated,
}

/// The squares of a move in their order; nearly all moves need no heap for them.
pub(super) type Squares = SmallVec<[WrittenSquare; 5]>;

/// A move as written: `32-28`, `7- 2`, `11x18 18x25`, `ed4`, `47x36 <42, 29>`.
///
/// # Examples
///
/// ```
/// use pdn::{MoveText, WrittenSquare};
///
/// let padded: MoveText = "7- 2".parse()?;
/// assert_eq!(padded.squares(), [WrittenSquare::Number(7), WrittenSquare::Number(2)]);
/// let jumps: MoveText = "11x18 18x25".parse()?;
/// assert_eq!((jumps.captures(), jumps.squares().len()), (Some(true), 3));
/// assert!("Event".parse::<MoveText>().is_err());
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MoveText(Form);

/// A move in the only form that it can have, so that equal moves are equal values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// Two squares in at most eight ASCII characters: nearly all moves. A game has thousands of them, and dropping those
    /// without heap takes no time.
    Short { text: ShortText, kind: MoveKind, squares: [WrittenSquare; 2] },
    /// Shared, because dropping it is then a call that short moves do not pay for.
    Long(Arc<LongMove>),
}

const _: () = assert!(size_of::<MoveText>() == 16, "a move is two words");

/// At most eight printable ASCII characters, with zeros after them. They are not compared with ASCII when a move is read, which
/// took 65 instructions a move: only writers need them as a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ShortText([u8; 8]);

impl ShortText {
    fn of(text: &[u8]) -> Option<Self> {
        let mut bytes = [0; 8];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        text.iter().all(|byte| matches!(byte, b' '..=b'~')).then_some(Self(bytes))
    }

    /// Returns the first bytes of a window, at least one.
    #[inline(always)]
    const fn first(window: [u8; 8], len: usize) -> Self {
        Self((u64::from_le_bytes(window) & (u64::MAX >> (64 - 8 * len))).to_le_bytes())
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        let zeros = u64::from_le_bytes(self.0).leading_zeros() as usize / 8;
        &self.0[..self.0.len() - zeros]
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct LongMove {
    text: CompactString,
    kind: MoveKind,
    squares: Box<[WrittenSquare]>,
    captured: Box<[WrittenSquare]>,
}

impl FromStr for MoveText {
    type Err = ParseError;

    /// Reads one move as it may be written in a game, with or without deviations from the grammar.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = all_consuming(written_move).parse(text.as_bytes());
        let expected = |_| ParseError::new("expected a move such as 32-28, 28x17 or c3-d4");
        let (_, (found, captured)) = read.map_err(expected)?;
        Ok(Self::of(text.as_bytes(), found.kind, &found.squares, &captured))
    }
}

/// A move, the further jumps of a capture written jump by jump, and a list of captured squares.
fn written_move(input: &[u8]) -> Parsed<'_, (Move<'_>, Squares)> {
    let (rest, mut found) = any_move(input)?;
    let space = |input| run(|byte| byte.is_ascii_whitespace())(input);
    let mut last = found.last;
    let mut jumps = iterator(rest, |input| {
        let (rest, jump) = preceded(space, split_capture(last)).parse(input)?;
        last = jump.last;
        Ok((rest, jump.squares))
    });
    jumps.by_ref().for_each(|squares| found.squares.extend(squares.into_iter().skip(1)));
    let (rest, ()) = jumps.finish()?;
    let (rest, captured) = terminated(opt(captured_list), space).parse(rest)?;
    Ok((rest, (found, captured.unwrap_or_default())))
}

/// The text of a move with one space for each run of whitespace, and with ASCII for letters and digits that look like it. Only
/// dashes and crosses are not ASCII; those that are not UTF-8 are in cp1252 or cp1251.
fn single_spaced(text: &[u8]) -> String {
    let letter = |&byte: &u8| match byte {
        0x96 | 0x97 => '–',
        _ => single_byte(byte).unwrap_or(char::from(byte)),
    };
    let chunks = text.utf8_chunks();
    let decoded = chunks.flat_map(|chunk| chunk.valid().chars().chain(chunk.invalid().iter().map(letter)));
    let visible = decoded.filter(|&letter| !is_ignorable(letter));
    let visible: String = visible.map(|letter| plain_letter(letter).unwrap_or(letter)).collect();
    let is_space = |letter: char| letter.is_whitespace() || u8::try_from(letter).is_ok_and(is_skipped);
    visible.split(is_space).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

impl MoveText {
    /// Returns a move of two squares whose text is the first bytes of a window, printable ASCII characters with single spaces
    /// at most.
    #[inline(always)]
    pub(super) const fn short(window: [u8; 8], len: usize, kind: MoveKind, squares: [WrittenSquare; 2]) -> Self {
        Self(Form::Short { text: ShortText::first(window, len), kind, squares })
    }

    /// Returns the move that a parser found in a text.
    pub(super) fn of(text: &[u8], kind: MoveKind, squares: &[WrittenSquare], captured: &[WrittenSquare]) -> Self {
        let two = <[WrittenSquare; 2]>::try_from(squares).ok().filter(|_| captured.is_empty());
        let short = |text: &[u8]| Some(Self(Form::Short { text: ShortText::of(text)?, kind, squares: two? }));
        if let Some(short) = short(text).filter(|_| !text.contains(&b' ')) {
            return short;
        }
        let text = single_spaced(text);
        if let Some(short) = short(text.as_bytes()) {
            return short;
        }
        let long = LongMove { text: text.into(), kind, squares: squares.into(), captured: captured.into() };
        Self(Form::Long(Arc::new(long)))
    }
}

impl MoveText {
    /// Reads one move; `None` if the text is anything else.
    #[inline]
    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    /// Returns the canonical text of a move between squares, with a separator between them: `-` for a quiet move, `x`,
    /// `:` or, in variants that use it, `-` for a capture.
    ///
    /// # Panics
    ///
    /// Panics if there are fewer than two squares.
    pub(crate) fn from_squares(path: impl IntoIterator<Item = WrittenSquare>, separator: char) -> Self {
        let squares: Squares = path.into_iter().collect();
        assert!(squares.len() >= 2, "a move has at least two squares");
        let mut text = String::with_capacity(8);
        for (n, square) in squares.iter().enumerate() {
            if n > 0 {
                text.push(separator);
            }
            square.push_to(&mut text);
        }
        let kind = if separator == '-' { MoveKind::Quiet } else { MoveKind::Capture };
        Self::of(text.as_bytes(), kind, &squares, &[])
    }

    /// The text as written; each run of whitespace in it is one space.
    #[inline]
    pub fn text(&self) -> &str {
        match &self.0 {
            Form::Short { text, .. } => str::from_utf8(text.bytes()).unwrap_or_default(),
            Form::Long(long) => &long.text,
        }
    }

    /// The bytes of the text; several times as fast where a string is not needed.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.0 {
            Form::Short { text, .. } => text.bytes(),
            Form::Long(long) => long.text.as_bytes(),
        }
    }

    /// The squares and the kind of a move written with two squares only.
    #[inline(always)]
    pub(crate) fn two_squares(&self) -> Option<([WrittenSquare; 2], MoveKind)> {
        match &self.0 {
            Form::Short { kind, squares, .. } => Some((*squares, *kind)),
            Form::Long(long) if long.captured.is_empty() => Some((long.squares[..].try_into().ok()?, long.kind)),
            Form::Long(_) => None,
        }
    }

    /// Returns true if it is written as a capture, with `x` or `:`, and false if it is written as a quiet move, which in careless
    /// texts may be a capture; `None` if nothing separates its squares.
    pub fn captures(&self) -> Option<bool> {
        match self.kind() {
            MoveKind::Capture => Some(true),
            MoveKind::Quiet => Some(false),
            MoveKind::Unseparated => None,
        }
    }

    /// The kind of separator between the squares.
    #[inline]
    pub(crate) fn kind(&self) -> MoveKind {
        match &self.0 {
            Form::Short { kind, .. } => *kind,
            Form::Long(long) => long.kind,
        }
    }

    /// The squares in order, at least two; in a capture written jump by jump, each stop occurs once.
    #[inline]
    pub fn squares(&self) -> &[WrittenSquare] {
        match &self.0 {
            Form::Short { squares, .. } => squares,
            Form::Long(long) => &long.squares,
        }
    }

    /// The squares of a list of captured pieces (`<42, 29>`), empty if there is none.
    #[inline]
    pub fn captured(&self) -> &[WrittenSquare] {
        match &self.0 {
            Form::Short { .. } => &[],
            Form::Long(long) => &long.captured,
        }
    }

    /// The first square.
    pub fn from(&self) -> WrittenSquare {
        self.squares()[0]
    }

    /// The last square.
    pub fn to(&self) -> WrittenSquare {
        self.squares()[self.squares().len() - 1]
    }

    /// Returns true if squares are named by letters.
    pub(crate) fn has_letters(&self) -> bool {
        self.squares().iter().any(|square| !matches!(square, WrittenSquare::Number(_)))
    }

    /// Returns true if the first square is a file alone (`cd4`).
    pub(crate) fn is_ultra_short(&self) -> bool {
        matches!(self.from(), WrittenSquare::File(_))
    }

    /// Returns true if a square has a leading zero, which strict writers omit.
    pub(crate) fn has_leading_zero(&self) -> bool {
        let bytes = self.bytes();
        // Of letters only `x` separates squares: `17x08` has a leading zero, `a10` none.
        let begins = |at: usize| at == 0 || !bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'x';
        let is_zero = |pair: &[u8]| pair[0] == b'0' && pair[1].is_ascii_digit();
        bytes.windows(2).enumerate().any(|(at, pair)| is_zero(pair) && begins(at))
    }

    /// Returns true if there is whitespace inside the move, which strict writers omit.
    pub(crate) fn has_blanks(&self) -> bool {
        self.bytes().contains(&b' ')
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// The last square of the largest board with numbers, 12x12.
pub(crate) const LARGEST_SQUARE: u8 = 72;

/// Returns the words of a text without the move numbers before them, as in `1. 32-28 19-23 2.37-32`.
pub(crate) fn move_words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace().map(|word| {
        let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
    });
    words.filter(|word| !word.is_empty())
}

/// Returns the text with digits in place of similar letters; `None` if there are none.
pub(crate) fn with_digits(text: &str) -> Option<String> {
    let digits: String = text.chars().map(|letter| digit_like(letter).unwrap_or(letter)).collect();
    (digits != text).then_some(digits)
}

/// The digit that a letter looks like.
pub(super) const fn digit_like(letter: char) -> Option<char> {
    Some(match letter {
        'l' | 'I' | 'i' | '|' => '1',
        'O' | 'o' | 'Q' => '0',
        'Z' | 'z' => '2',
        'S' | 's' => '5',
        'G' => '6',
        'B' => '8',
        'g' | 'q' => '9',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        let parsed = MoveText::parse(text)?;
        let squares: Vec<_> = parsed.squares().iter().map(ToString::to_string).collect();
        let captured: Vec<_> = parsed.captured().iter().map(ToString::to_string).collect();
        Some(format!("{:?} {} <{}>", parsed.kind(), squares.join(" "), captured.join(" ")))
    }

    #[test]
    fn reads_every_way_of_writing() {
        for (text, expected) in [
            ("32-28", "Quiet 32 28 <>"),
            ("01-06", "Quiet 1 6 <>"),
            ("18x 9", "Capture 18 9 <>"),
            ("7 - 2", "Quiet 7 2 <>"),
            ("c3xe5xg7", "Capture c3 e5 g7 <>"),
            ("E3:G5", "Capture e3 g5 <>"),
            ("a3b4", "Unseparated a3 b4 <>"),
            ("cd4", "Unseparated c d4 <>"),
            ("c:e5", "Capture c e5 <>"),
            ("3228", "Unseparated 32 28 <>"),
            ("12-21-32-23", "Quiet 12 21 32 23 <>"),
            ("11x18 18x25", "Capture 11 18 25 <>"),
            ("47x36 <42, 29, 14, 31>", "Capture 47 36 <42 29 14 31>"),
            ("0-51", "Quiet 0 51 <>"),
            ("4294967296-5", "Quiet 255 5 <>"),
            ("1232-281", "Quiet 255 255 <>"),
            ("1x2x3x4x5x6x7", "Capture 1 2 3 4 5 6 7 <>"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "32", "32-", "-28", "Event", "32-28x", "11x18 19x25", "32-28 <4", "d4", "9999"] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn what_the_reader_takes_for_two_tokens_is_not_one_move() {
        for text in ["7-\n\n2", "32 - 28 - 19", "32-28- 19", "c3 - d4 - e5"] {
            assert_eq!(MoveText::parse(text), None, "{text}");
        }
    }

    #[test]
    fn keeps_the_text() {
        assert_eq!(MoveText::parse("7-\n  2").unwrap().text(), "7- 2");
        assert!(MoveText::parse("01-06").unwrap().has_leading_zero());
        assert!(MoveText::parse("10x06").unwrap().has_leading_zero());
        assert!(!MoveText::parse("10-20").unwrap().has_leading_zero());
    }
}
