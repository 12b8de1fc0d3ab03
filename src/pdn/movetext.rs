//! Moves as they are written, before any rules are asked.

use std::fmt;
use std::str::FromStr;

/// A square as it is written; whether the board has it is for others to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrittenSquare {
    /// A number; 0 and everything above the board's last square are written too, and 255 stands for all above 254.
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

impl fmt::Display for WrittenSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Cell { file, rank } => write!(f, "{}{rank}", char::from(b'a' + file)),
            Self::File(file) => write!(f, "{}", char::from(b'a' + file)),
        }
    }
}

/// What stands between the squares of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// `-`: a quiet move, or in careless texts a capture.
    Quiet,
    /// `x` or `:`, at least once.
    Capture,
    /// Nothing: `a3b4`, `cd4`, `3228`.
    Unseparated,
}

/// A move as it is written: `32-28`, `7- 2`, `11x18 18x25`, `ed4`, `47x36 <42, 29>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MoveText {
    text: Ink,
    kind: MoveKind,
    squares: Squares,
    captured: Box<[WrittenSquare]>,
}

impl MoveText {
    /// Reads one move; `None` if the text holds anything else, or less than two squares.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::pdn::{MoveKind, MoveText, WrittenSquare};
    ///
    /// let padded = MoveText::parse("7- 2").unwrap();
    /// assert_eq!(padded.squares(), [WrittenSquare::Number(7), WrittenSquare::Number(2)]);
    /// let jumps = MoveText::parse("11x18 18x25").unwrap();
    /// assert_eq!((jumps.kind(), jumps.squares().len()), (MoveKind::Capture, 3));
    /// assert!(MoveText::parse("Event").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        if let Some((kind, squares)) = common(text.as_bytes()) {
            return Some(Self { text: Ink::new(text), kind, squares, captured: Box::default() });
        }
        let mut scan = Scan { rest: text.as_bytes(), kind: MoveKind::Unseparated };
        let mut squares = Squares::default();
        scan.path(&mut squares)?;
        let captured = scan.captured()?;
        let whole = scan.rest.trim_ascii_start().is_empty() && squares.as_slice().len() >= 2;
        whole.then(|| Self { text: Ink::new(text), kind: scan.kind, squares, captured: captured.into() })
    }

    /// Returns the canonical text of a move between squares, with a separator between them: `-` for a quiet move, `x`, `:`
    /// or, in variants that write it so, `-` for a capture.
    ///
    /// # Panics
    ///
    /// If there are less than two squares.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::pdn::{MoveText, WrittenSquare};
    ///
    /// let squares = [WrittenSquare::Number(32), WrittenSquare::Number(28)];
    /// assert_eq!(MoveText::from_squares(squares, '-'), "32-28".parse()?);
    /// # Ok::<(), pdn::pdn::ParseMoveError>(())
    /// ```
    pub fn from_squares(path: impl IntoIterator<Item = WrittenSquare>, separator: char) -> Self {
        let (mut text, mut squares) = (String::new(), Squares::default());
        for square in path {
            if !text.is_empty() {
                text.push(separator);
            }
            text.push_str(&square.to_string());
            squares.push(square);
        }
        assert!(squares.as_slice().len() >= 2, "a move has at least two squares");
        let kind = if separator == '-' { MoveKind::Quiet } else { MoveKind::Capture };
        Self { text: Ink::new(&text), kind, squares, captured: Box::default() }
    }

    /// The text as written; each run of blanks in it is one space.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// What stands between the squares.
    pub const fn kind(&self) -> MoveKind {
        self.kind
    }

    /// The squares in their order, at least two; of a capture written jump by jump, each stop once.
    pub fn squares(&self) -> &[WrittenSquare] {
        self.squares.as_slice()
    }

    /// The squares of a list of captured pieces (`<42, 29>`), empty where there is none.
    pub fn captured(&self) -> &[WrittenSquare] {
        &self.captured
    }

    /// The first square.
    pub fn from(&self) -> WrittenSquare {
        self.squares()[0]
    }

    /// The last square.
    pub fn to(&self) -> WrittenSquare {
        self.squares()[self.squares().len() - 1]
    }

    /// Whether the first square is a file alone (`cd4`).
    pub fn is_ultra_short(&self) -> bool {
        matches!(self.from(), WrittenSquare::File(_))
    }

    /// Whether a square has a leading zero, which strict writers leave out.
    pub fn has_leading_zero(&self) -> bool {
        let mut before = b' ';
        self.text().bytes().zip(self.text().bytes().skip(1).chain([b' '])).any(|(byte, next)| {
            let leading = byte == b'0' && (!before.is_ascii_alphanumeric() || before == b'x') && next.is_ascii_digit();
            before = byte;
            leading
        })
    }

    /// Whether blanks stand inside the move, which strict writers leave out.
    pub fn has_blanks(&self) -> bool {
        self.text().contains(' ')
    }
}

impl FromStr for MoveText {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        Self::parse(text).ok_or(ParseMoveError)
    }
}

/// The error for a text that is not a [`MoveText`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a move such as 32-28, 28x17 or c3-d4")
    }
}

impl std::error::Error for ParseMoveError {}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Two numbers and `-` or `x` between them, as nearly all moves are.
fn common(text: &[u8]) -> Option<(MoveKind, Squares)> {
    let sign = text.iter().take(3).position(|&byte| byte == b'-' || byte == b'x')?;
    let kind = if text[sign] == b'-' { MoveKind::Quiet } else { MoveKind::Capture };
    let mut squares = Squares::default();
    for digits in [&text[..sign], &text[sign + 1..]] {
        let number = match *digits {
            [low] if low.is_ascii_digit() => low - b'0',
            [high, low] if high.is_ascii_digit() && low.is_ascii_digit() => (high - b'0') * 10 + (low - b'0'),
            _ => return None,
        };
        squares.push(WrittenSquare::Number(number));
    }
    Some((kind, squares))
}

/// Reads squares and what stands between them.
struct Scan<'a> {
    rest: &'a [u8],
    kind: MoveKind,
}

impl Scan<'_> {
    fn path(&mut self, squares: &mut Squares) -> Option<()> {
        if let Some([first, second]) = glued_numbers(self.rest)
            && separator(self.rest[4..].trim_ascii_start()).is_none()
        {
            squares.push(first);
            squares.push(second);
            self.rest = &self.rest[4..];
            return Some(());
        }
        squares.push(self.square()?);
        loop {
            let before = self.rest;
            let separated = self.separator();
            if self.rest.is_empty() || self.rest[0] == b'<' {
                return (!separated).then_some(());
            }
            let blanks = !separated && before.len() != self.rest.len();
            let square = self.square()?;
            // A blank and no separator: the next jump of a capture written jump by jump starts where this one ended.
            if !blanks {
                squares.push(square);
            } else if squares.as_slice().last() != Some(&square) {
                return None;
            }
        }
    }

    fn square(&mut self) -> Option<WrittenSquare> {
        let first = *self.rest.first()?;
        if first.is_ascii_digit() {
            return Some(WrittenSquare::Number(self.number()));
        }
        let file = first.to_ascii_lowercase().checked_sub(b'a').filter(|&file| file < 12)?;
        self.rest = &self.rest[1..];
        let ranked = self.rest.first().is_some_and(u8::is_ascii_digit);
        Some(if ranked { WrittenSquare::Cell { file, rank: self.number() } } else { WrittenSquare::File(file) })
    }

    fn number(&mut self) -> u8 {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let value =
            self.rest[..digits].iter().fold(0u8, |value, digit| value.saturating_mul(10).saturating_add(digit - b'0'));
        self.rest = &self.rest[digits..];
        value
    }

    fn separator(&mut self) -> bool {
        self.blanks();
        let Some((len, captures)) = separator(self.rest) else { return false };
        self.rest = &self.rest[len..];
        self.blanks();
        match self.kind {
            _ if captures => self.kind = MoveKind::Capture,
            MoveKind::Unseparated => self.kind = MoveKind::Quiet,
            _ => {}
        }
        true
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn captured(&mut self) -> Option<Vec<WrittenSquare>> {
        let mut captured = Vec::new();
        self.blanks();
        if self.rest.first() != Some(&b'<') {
            return Some(captured);
        }
        self.rest = &self.rest[1..];
        loop {
            self.rest = self.rest.trim_ascii_start();
            match *self.rest.first()? {
                b'>' => break self.rest = &self.rest[1..],
                b',' => self.rest = &self.rest[1..],
                _ => captured.push(self.square()?),
            }
        }
        Some(captured)
    }
}

/// Length of the separator that the bytes begin with, and whether it is one of captures.
///
/// Besides `-`, `x`, `:` the dashes and crosses of typesetters, UTF-8 or cp1252, and the Cyrillic letter ha.
pub(super) fn separator(bytes: &[u8]) -> Option<(usize, bool)> {
    match *bytes {
        [b'-' | 0x96 | 0x97, ..] => Some((1, false)),
        [b'x' | b':' | b'X' | 0xD7, ..] => Some((1, true)),
        [0xE2, 0x80, 0x90..=0x94, ..] | [0xE2, 0x88, 0x92, ..] => Some((3, false)),
        [0xC3, 0x97, ..] | [0xD1, 0x85, ..] => Some((2, true)),
        // The same dashes and crosses after decoding from cp1252 to UTF-8 are covered above.
        _ => None,
    }
}

/// `3228`: two squares of two digits each and nothing between them.
pub(super) fn glued_numbers(bytes: &[u8]) -> Option<[WrittenSquare; 2]> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits != 4 {
        return None;
    }
    let pair = |at: usize| (bytes[at] - b'0') * 10 + (bytes[at + 1] - b'0');
    let (first, second) = (pair(0), pair(2));
    let squares = [WrittenSquare::Number(first), WrittenSquare::Number(second)];
    let board = 1..=LARGEST_SQUARE;
    (board.contains(&first) && board.contains(&second) && first != second).then_some(squares)
}

/// The last square of the largest board with numbers, 12x12.
pub(super) const LARGEST_SQUARE: u8 = 72;

/// Returns the text with digits for the letters that look like them; `None` where there are none.
pub fn with_digits(text: &str) -> Option<String> {
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

const FEW: usize = 5;

/// A list of squares that needs no heap for nearly all moves.
#[derive(Clone)]
enum Squares {
    Few(u8, [WrittenSquare; FEW]),
    Many(Vec<WrittenSquare>),
}

impl Default for Squares {
    fn default() -> Self {
        Self::Few(0, [WrittenSquare::Number(0); FEW])
    }
}

impl Squares {
    fn push(&mut self, square: WrittenSquare) {
        match self {
            Self::Few(len, few) if usize::from(*len) < FEW => {
                few[usize::from(*len)] = square;
                *len += 1;
            }
            Self::Few(_, few) => {
                let mut many = few.to_vec();
                many.push(square);
                *self = Self::Many(many);
            }
            Self::Many(many) => many.push(square),
        }
    }

    fn as_slice(&self) -> &[WrittenSquare] {
        match self {
            Self::Few(len, few) => &few[..usize::from(*len)],
            Self::Many(many) => many,
        }
    }
}

impl PartialEq for Squares {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Squares {}

impl std::hash::Hash for Squares {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

const SHORT: usize = 22;

/// A text that needs no heap for nearly all moves; runs of blanks in it are one space.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Ink {
    Short(u8, [u8; SHORT]),
    Long(Box<str>),
}

impl Ink {
    fn new(text: &str) -> Self {
        if text.len() <= SHORT && !text.bytes().any(|byte| byte.is_ascii_whitespace()) {
            let mut bytes = [0; SHORT];
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            return Self::Short(text.len() as u8, bytes);
        }
        let spaced = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        if spaced.len() <= SHORT && !spaced.contains(char::is_whitespace) {
            return Self::new(&spaced);
        }
        Self::Long(spaced.into())
    }

    fn as_str(&self) -> &str {
        match self {
            Self::Short(len, bytes) => str::from_utf8(&bytes[..usize::from(*len)]).unwrap_or_default(),
            Self::Long(text) => text,
        }
    }
}

impl fmt::Debug for Ink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
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
    fn keeps_the_text() {
        assert_eq!(MoveText::parse("7-\n  2").unwrap().text(), "7- 2");
        assert!(MoveText::parse("01-06").unwrap().has_leading_zero());
        assert!(MoveText::parse("10x06").unwrap().has_leading_zero());
        assert!(!MoveText::parse("10-20").unwrap().has_leading_zero());
    }
}
