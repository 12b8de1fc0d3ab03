//! From a written move to a legal one.

use std::fmt;

use super::super::numbering::Numbering;
use super::explain::{Explanation, explain};
use crate::board::{Square, SquareSet};
use crate::pdn::{MoveKind, MoveText, WrittenSquare};
use crate::rules::{Move, MoveList, Position, Rules, Task, legal_moves};

/// A way of writing a move that this reader accepts and a strict one does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deviation {
    /// A capture is written with the sign of a quiet move.
    CaptureAsQuiet,
    /// A quiet move is written with the sign of a capture.
    QuietAsCapture,
    /// The squares between lie on the way of the piece, but are not the ones where the standard asks for a stop.
    OtherStops,
    /// The squares between do not lie on the way of the piece; first and last square leave no doubt all the same.
    WrongStops,
    /// The list of captured pieces is not complete.
    CapturedMissing,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CaptureAsQuiet => "a capture is written with the sign of a quiet move",
            Self::QuietAsCapture => "a quiet move is written with the sign of a capture",
            Self::OtherStops => "the squares between are on the way, but not those where the standard asks for a stop",
            Self::WrongStops => "the squares between are not on the way of the piece",
            Self::CapturedMissing => "the list of captured pieces is not complete",
        })
    }
}

/// A written move and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The move.
    pub played: Move,
    /// How its text differs from what the standard allows.
    pub deviation: Option<Deviation>,
}

/// Why a written move could not be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolveError {
    /// No legal move fits the text.
    Illegal(Explanation),
    /// Several legal moves fit the text.
    Ambiguous {
        /// They, in the order of the position's legal moves.
        candidates: Vec<Move>,
    },
}

/// All legal moves that fit a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readings {
    /// They, in the order of the position's legal moves.
    pub moves: Vec<Move>,
    /// Among several, the one whose whole path the text is: of captures with the same first and last square, one without
    /// a stop between looks as if it were written short.
    pub exact: Option<Move>,
    /// How the text differs from what the standard allows.
    pub deviation: Option<Deviation>,
}

/// Finds the one legal move that a text stands for.
///
/// # Errors
///
/// If no move fits the text, or more than one.
///
/// # Examples
///
/// ```
/// use pdn::notation::{Numbering, resolve};
/// use pdn::pdn::MoveText;
/// use pdn::rules::{Position, Variant};
///
/// let start = Position::start(Variant::INTERNATIONAL);
/// let text = MoveText::parse("032-28").unwrap();
/// let resolved = resolve(&start, &text, Numbering::for_variant(start.variant())).unwrap();
/// assert_eq!(start.short(&resolved.played), "32-28");
/// ```
pub fn resolve(position: &Position, text: &MoveText, numbering: Numbering) -> Result<Resolved, ResolveError> {
    let Readings { moves, exact, deviation } = readings(position, text, numbering);
    match (&moves[..], exact) {
        ([], _) => Err(ResolveError::Illegal(explain(position, text, numbering))),
        (&[played], _) | (_, Some(played)) => Ok(Resolved { played, deviation }),
        _ => Err(ResolveError::Ambiguous { candidates: moves }),
    }
}

/// Finds all legal moves that a text may stand for.
pub fn readings(position: &Position, text: &MoveText, numbering: Numbering) -> Readings {
    let moves = between(position, Place::of(text.from(), numbering), Place::of(text.to(), numbering), numbering);
    let mut found = Readings { moves, exact: None, deviation: None };
    if !text.captured().is_empty() {
        found.keep_capturing(text.captured(), numbering);
    }
    let captures = found.moves.first().is_some_and(Move::is_capture);
    if captures && text.squares().len() > 2 {
        found.keep_passing(position, text.squares(), numbering);
    } else if found.moves.len() > 1 {
        found.exact = found.without_stop(position);
    }
    if !found.moves.is_empty() && found.deviation.is_none() {
        found.deviation = wrong_sign(text.kind(), captures, numbering);
    }
    found
}

fn between(position: &Position, from: Place, to: Place, numbering: Numbering) -> Vec<Move> {
    let (from, to) = (from.squares(numbering), to.squares(numbering));
    let own = position.squares_of(position.turn());
    if to.is_empty() || !from.iter().any(|square| own.contains(square)) {
        return Vec::new();
    }
    position.variant().dispatch(Between { position, from, to })
}

/// The legal moves from some squares to some others. Most lists hold one move, so that filtering before anything is
/// converted and sorted halves the time of a replay.
struct Between<'a> {
    position: &'a Position,
    from: SquareSet,
    to: SquareSet,
}

impl Task for Between<'_> {
    type Output = Vec<Move>;

    fn run<R: Rules>(self, rules: R) -> Vec<Move> {
        let mut list = MoveList::default();
        legal_moves(rules, &self.position.state::<R::Board>(), &mut list);
        let all = list.as_slice().iter().map(Move::from_step);
        let mut moves: Vec<Move> =
            all.filter(|played| self.from.contains(played.from()) && self.to.contains(played.to())).collect();
        if moves.len() > 1 {
            moves.sort_unstable_by(|a, b| {
                let squares = |played: &Move| (played.from(), played.to());
                squares(a).cmp(&squares(b)).then_with(|| a.captured().iter().cmp(b.captured().iter()))
            });
        }
        moves
    }
}

fn wrong_sign(kind: MoveKind, captures: bool, numbering: Numbering) -> Option<Deviation> {
    match kind {
        MoveKind::Quiet if captures && numbering.capture_sign() != '-' => Some(Deviation::CaptureAsQuiet),
        MoveKind::Capture if !captures => Some(Deviation::QuietAsCapture),
        _ => None,
    }
}

impl Readings {
    /// The only move that has a path without a stop, if there is just one.
    fn without_stop(&self, position: &Position) -> Option<Move> {
        let straight = |played: &&Move| position.paths(played).iter().any(|path| path.len() == 2);
        let mut straight = self.moves.iter().filter(straight);
        let only = straight.next().copied();
        if straight.next().is_none() { only } else { None }
    }

    fn keep_capturing(&mut self, listed: &[WrittenSquare], numbering: Numbering) {
        let places: Vec<_> = listed.iter().map(|&square| Place::of(square, numbering)).collect();
        self.moves.retain(|played| {
            let captured = played.captured();
            places.iter().all(|place| captured.iter().any(|square| place.holds(square, numbering)))
        });
        if self.moves.iter().any(|played| played.captured().len() == places.len()) {
            self.moves.retain(|played| played.captured().len() == places.len());
        } else if !self.moves.is_empty() {
            self.deviation = Some(Deviation::CapturedMissing);
        }
    }

    /// Keeps the captures that pass the written squares: exactly the standard's stops if there is such a capture, else
    /// those on whose way they lie in this order, else all.
    fn keep_passing(&mut self, position: &Position, squares: &[WrittenSquare], numbering: Numbering) {
        let places: Vec<_> = squares.iter().map(|&square| Place::of(square, numbering)).collect();
        let paths: Vec<_> = self.moves.iter().map(|played| (*played, position.paths(played))).collect();
        let stops_at = |path: &Vec<Square>| {
            path.len() == places.len() && path.iter().zip(&places).all(|(&stop, place)| place.holds(stop, numbering))
        };
        let passes = |path: &Vec<Square>| {
            let mut way = way(path, numbering).into_iter();
            places.iter().all(|place| way.any(|square| place.holds(square, numbering)))
        };
        let fitting = |fits: &dyn Fn(&Vec<Square>) -> bool| -> Vec<Move> {
            paths.iter().filter(|(_, paths)| paths.iter().any(fits)).map(|(played, _)| *played).collect()
        };
        let exact = fitting(&stops_at);
        if !exact.is_empty() {
            self.moves = exact;
            return;
        }
        let passing = fitting(&passes);
        self.deviation = Some(if passing.is_empty() { Deviation::WrongStops } else { Deviation::OtherStops });
        if !passing.is_empty() {
            self.moves = passing;
        }
    }
}

/// All squares that a piece visits or jumps over on a path, in order.
fn way(path: &[Square], numbering: Numbering) -> Vec<Square> {
    let place = |square| (numbering.display_row(square) as i8, numbering.display_column(square) as i8);
    let mut way = vec![path[0]];
    for stops in path.windows(2) {
        let ((mut row, mut column), end) = (place(stops[0]), place(stops[1]));
        let step = ((end.0 - row).signum(), (end.1 - column).signum());
        while (row, column) != end {
            (row, column) = (row + step.0, column + step.1);
            way.extend(numbering.square_at_display(row as u8, column as u8));
            // Stops of one path always lie on one line; anything else must not run away.
            if !(0..=12).contains(&row) || !(0..=12).contains(&column) {
                break;
            }
        }
    }
    way
}

/// A written square on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Square(Square),
    File(u8),
    Nowhere,
}

impl Place {
    pub(super) fn of(written: WrittenSquare, numbering: Numbering) -> Self {
        match written {
            WrittenSquare::File(file) if file < numbering.shape().width() => Self::File(file),
            _ => numbering.parse(written).map_or(Self::Nowhere, Self::Square),
        }
    }

    /// All squares of the board that it may be.
    fn squares(self, numbering: Numbering) -> SquareSet {
        match self {
            Self::Square(square) => [square].into_iter().collect(),
            Self::File(_) => numbering.shape().squares().filter(|&square| self.holds(square, numbering)).collect(),
            Self::Nowhere => SquareSet::EMPTY,
        }
    }

    fn holds(self, square: Square, numbering: Numbering) -> bool {
        match self {
            Self::Square(own) => own == square,
            Self::File(file) => numbering.file_and_rank(square).0 == file,
            Self::Nowhere => false,
        }
    }
}

impl Numbering {
    /// Returns the square that a written one names, by number or letter whichever the numbering writes; `None` if the
    /// board has no such square or only its file is written.
    pub fn parse(self, written: WrittenSquare) -> Option<Square> {
        match written {
            WrittenSquare::Number(number) => self.square(number),
            WrittenSquare::Cell { file, rank } => self.square_of(file, rank.checked_sub(1)?),
            WrittenSquare::File(_) => None,
        }
    }
}
