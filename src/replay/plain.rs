//! Plain moves, as nearly all are written, played without a tree.

use smallvec::SmallVec;

use super::choose::agrees;
use crate::board::Square;
use crate::notation::{Deviation, GameType, Numbering, readings};
use crate::pdn::{MoveKind, MoveText};
use crate::rules::{Move, Position, Variant};

/// Plays plain moves: exactly one legal move fits the text, however that is written. The plies of a game whose moves are
/// all plain are those that [`replay`](super::replay()) returns, and the only diagnostics about its moves are their deviations.
#[derive(Debug)]
pub(crate) struct PlainMoves {
    names: Names,
    played: Move,
}

impl PlainMoves {
    /// Returns a player of moves.
    pub(crate) fn new() -> Self {
        Self { names: Names::new(Numbering::for_variant(Variant::INTERNATIONAL)), played: Move::NONE }
    }

    /// Sets the names of squares in which moves are read.
    pub(crate) fn set_numbering(&mut self, numbering: Numbering) {
        if self.names.numbering != numbering {
            self.names = Names::new(numbering);
        }
    }

    /// Plays the move that a text denotes and returns it with its deviation from the standard, or `None` if the move is not
    /// plain; then `after` is meaningless.
    #[inline]
    pub(crate) fn play(
        &mut self,
        before: &Position,
        after: &mut Position,
        text: &[u8],
    ) -> Option<(&Move, Option<Deviation>)> {
        let Some((from, kind, to)) = self.names.ends(text) else { return self.play_rare(before, after, text) };
        if !before.play_only_into(from, to, after, &mut self.played) {
            return None;
        }
        Some((&self.played, self.deviation(kind)))
    }

    /// Returns how the sign of a kind deviates from the standard for the move played.
    #[inline]
    fn deviation(&self, kind: MoveKind) -> Option<Deviation> {
        match kind {
            _ if is_regular(kind, &self.played, self.names.captures_have_hyphens) => None,
            MoveKind::Capture => Some(Deviation::QuietAsCapture),
            MoveKind::Quiet | MoveKind::Unseparated => Some(Deviation::CaptureAsQuiet),
        }
    }

    /// Plays a move with intermediate squares or written in another way.
    #[cold]
    fn play_rare(
        &mut self,
        before: &Position,
        after: &mut Position,
        text: &[u8],
    ) -> Option<(&Move, Option<Deviation>)> {
        // Reading `11x20x4` as any text takes 5,100 instructions, this a quarter; one capture in six is written so.
        if let Some(stops) = self.names.stops(text)
            && before.play_only_into(stops[0], stops[stops.len() - 1], after, &mut self.played)
            && before.paths(&self.played).iter().any(|path| path[..] == stops[..])
        {
            return Some((&self.played, None));
        }
        if let Some((file, kind, to)) = self.names.file_and_end(text) {
            let own = before.squares_of(before.turn());
            let from = self.names.squares_on(file).filter(|&square| own.contains(square));
            let mut moves = from.flat_map(|from| before.moves_between(from, to));
            let (played, None) = (moves.next()?, moves.next()) else { return None };
            self.played = played;
            *after = before.play_unchecked(&played);
            return Some((&self.played, self.deviation(kind)));
        }
        let text = MoveText::parse(str::from_utf8(text).ok()?)?;
        let found = readings(before, &text, self.names.numbering);
        let [played] = found.moves()[..] else { return None };
        self.played = played;
        *after = before.play_unchecked(&played);
        Some((&self.played, found.deviation()))
    }
}

/// Returns true if a move has the sign of its kind.
fn is_regular(kind: MoveKind, played: &Move, captures_have_hyphens: bool) -> bool {
    match kind {
        MoveKind::Capture => played.is_capture(),
        MoveKind::Quiet => !played.is_capture() || captures_have_hyphens,
        MoveKind::Unseparated => true,
    }
}

/// Returns the variant of a `GameType`, if no field of the tag contradicts the variant's board and names of squares.
pub(crate) fn plain_variant(game_type: &str) -> Option<Variant> {
    let game_type = GameType::parse(game_type).ok()?;
    game_type.variant().filter(|&variant| agrees(game_type, variant))
}

/// Squares by number and by letters; [`NO_SQUARE`] if there is none.
#[derive(Debug)]
struct Names {
    numbering: Numbering,
    captures_have_hyphens: bool,
    numbers: [u8; 100],
    cells: [[u8; 16]; 16],
}

const NO_SQUARE: u8 = u8::MAX;

impl Names {
    fn new(numbering: Numbering) -> Self {
        let bit = |square: Option<Square>| square.map_or(NO_SQUARE, Square::bit);
        let cell = |file: usize, rank: usize| match rank {
            0 => NO_SQUARE,
            _ => bit(numbering.square_of(file as u8, rank as u8 - 1)),
        };
        Self {
            numbering,
            captures_have_hyphens: numbering.capture_sign() == '-',
            numbers: std::array::from_fn(|number| bit(numbering.square(number as u8))),
            cells: std::array::from_fn(|file| std::array::from_fn(|rank| cell(file, rank))),
        }
    }

    /// Reads two squares with one sign, and perhaps a space after it, or none between them: `32-28`, `18x 9`, `a3b4`.
    #[inline]
    fn ends(&self, text: &[u8]) -> Option<(Square, MoveKind, Square)> {
        let (from, rest) = self.square(text)?;
        let (kind, rest) = match rest {
            [b'-', b' ', rest @ ..] | [b'-', rest @ ..] => (MoveKind::Quiet, rest),
            [b'x' | b':', b' ', rest @ ..] | [b'x' | b':', rest @ ..] => (MoveKind::Capture, rest),
            [b'a'..=b'l', ..] if !text[0].is_ascii_digit() => (MoveKind::Unseparated, rest),
            _ => return None,
        };
        let (to, rest) = self.square(rest)?;
        rest.is_empty().then_some((from, kind, to))
    }

    /// Reads a file, perhaps a sign, and a square by letter: `cd4`, `c:e5`.
    fn file_and_end(&self, text: &[u8]) -> Option<(usize, MoveKind, Square)> {
        let (kind, rest) = match text {
            [_, b'-', rest @ ..] => (MoveKind::Quiet, rest),
            [_, b'x' | b':', rest @ ..] => (MoveKind::Capture, rest),
            [_, rest @ ..] => (MoveKind::Unseparated, rest),
            [] => return None,
        };
        let &[file @ b'a'..=b'l', ..] = text else { return None };
        let (b'a'..=b'l', (to, [])) = (*rest.first()?, self.square(rest)?) else { return None };
        Some((usize::from(file - b'a'), kind, to))
    }

    fn squares_on(&self, file: usize) -> impl Iterator<Item = Square> {
        self.cells[file].into_iter().filter(|&bit| bit != NO_SQUARE).map(Square::from_bit)
    }

    /// Reads three squares or more with the sign of a capture between them.
    fn stops(&self, text: &[u8]) -> Option<SmallVec<[Square; 8]>> {
        let (first, mut rest) = self.square(text)?;
        let mut stops = SmallVec::from_slice(&[first]);
        while let [b'x' | b':', next @ ..] = rest {
            let (stop, after) = self.square(next)?;
            stops.push(stop);
            rest = after;
        }
        (rest.is_empty() && stops.len() > 2).then_some(stops)
    }

    #[inline]
    fn square<'a>(&self, text: &'a [u8]) -> Option<(Square, &'a [u8])> {
        let digit = |byte: u8| byte.wrapping_sub(b'0');
        let (file, digits) = match text {
            [letter @ b'a'..=b'l', digits @ ..] => (Some(letter - b'a'), digits),
            _ => (None, text),
        };
        let (value, rest) = match digits {
            [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] => (digit(*tens) * 10 + digit(*ones), rest),
            [ones @ b'0'..=b'9', rest @ ..] => (digit(*ones), rest),
            _ => return None,
        };
        let bit = match file {
            Some(file) => *self.cells[usize::from(file)].get(usize::from(value))?,
            None => self.numbers[usize::from(value)],
        };
        (bit != NO_SQUARE).then(|| (Square::from_bit(bit), rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(variant: Variant, fen: &str, text: &str) -> Option<String> {
        let before = Position::from_fen(variant, fen).expect("a FEN");
        let mut after = before;
        let mut moves = PlainMoves::new();
        moves.set_numbering(Numbering::for_variant(variant));
        let deviation = moves.play(&before, &mut after, text.as_bytes())?.1;
        Some(deviation.map_or_else(|| after.fen(), |deviation| format!("{} ({deviation})", after.fen())))
    }

    #[test]
    fn plain_moves_are_played() {
        let (variant, fen) = (Variant::INTERNATIONAL, "W:W28,32:B19,23");
        assert_eq!(play(variant, fen, "28x14").as_deref(), None);
        assert_eq!(play(variant, "W:W28,32:B9,23", "28x19").as_deref(), Some("B:W19,32:B9"));
        assert_eq!(play(variant, "W:W28,32:B14,23", "28x19x10").as_deref(), Some("B:W10,32:B"));
        assert_eq!(play(variant, "W:W8,32:B23", "8- 2").as_deref(), Some("B:WK2,32:B23"));
        for text in ["c3-d4", "c3d4", "cd4"] {
            assert_eq!(play(Variant::RUSSIAN, "W:Wc3:Bh8", text).as_deref(), Some("B:Wd4:Bh8"), "{text}");
        }
    }

    #[test]
    fn plain_moves_may_deviate() {
        let variant = Variant::INTERNATIONAL;
        let played = play(variant, "W:W28,32:B9,23", "28-19").expect("a move");
        assert_eq!(played, "B:W19,32:B9 (a capture is written with the sign of a quiet move)");
        let played = play(variant, "W:W28,32:B9", "28x22").expect("a move");
        assert_eq!(played, "B:W22,32:B9 (a quiet move is written with the sign of a capture)");
        let played = play(variant, "W:W28,32:B14,23", "28x20x10").expect("a move");
        assert_eq!(played, "B:W10,32:B (the intermediate squares are not on the path of the piece)");
    }

    #[test]
    fn other_moves_are_not() {
        let variant = Variant::INTERNATIONAL;
        for (fen, text) in [
            ("W:W28,32:B9,23", "32-27"),
            ("W:W28,32:B9,23", "28x32"),
            ("W:W28,32:B9", "28-22x"),
            ("W:W28,32:B9", "99-22"),
            ("W:W28,32:B9", "Event"),
            // Two captures between the same squares.
            ("W:WK48:B8,9,18,19,31,32,42,43", "48x4"),
        ] {
            assert_eq!(play(variant, fen, text), None, "{fen} {text}");
        }
    }
}
