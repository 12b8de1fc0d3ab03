//! From a written move to a legal one.

use super::super::numbering::Numbering;
use super::explain::{ResolveError, explain};
use crate::board::Square;
use crate::pdn::{MoveKind, MoveText, WrittenSquare};
use crate::rules::{Move, Position};

/// A way of writing a move that is accepted although the standard does not allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Deviation {
    /// A capture is written with the sign of a quiet move.
    #[error("a capture is written with the sign of a quiet move")]
    CaptureAsQuiet,
    /// A quiet move is written with the sign of a capture.
    #[error("a quiet move is written with the sign of a capture")]
    QuietAsCapture,
    /// The intermediate squares are on the path of the piece, but not those that the standard requires.
    #[error("the intermediate squares are on the path, but not those that the standard requires")]
    OtherStops,
    /// The intermediate squares are not on the path of the piece, but the first and last square identify the move.
    #[error("the intermediate squares are not on the path of the piece")]
    WrongStops,
    /// The list of captured pieces is incomplete.
    #[error("the list of captured pieces is incomplete")]
    CapturedMissing,
}

/// All legal moves that fit a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Readings {
    /// The moves, in the order of the position's legal moves.
    pub(super) moves: Vec<Move>,
    /// Among several moves, the one whose full form is the text: the full form of a capture without intermediate squares
    /// looks like the short form of the others.
    pub(super) exact: Option<Move>,
    /// The deviation of the text from the standard, if any.
    pub(super) deviation: Option<Deviation>,
}

impl Readings {
    /// Returns the moves, in the order of the position's legal moves.
    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns, among several moves, the one whose full form is the text: the full form of a capture without intermediate
    /// squares looks like the short form of the others.
    pub(crate) const fn exact(&self) -> Option<Move> {
        self.exact
    }

    /// Returns the deviation of the text from the standard, if any.
    pub(crate) const fn deviation(&self) -> Option<Deviation> {
        self.deviation
    }
}

/// Returns the legal move that a text denotes, and the deviation of the text from the standard, if any.
///
/// # Errors
///
/// If no legal move fits the text, or several do.
///
/// # Examples
///
/// ```
/// use pdn::notation::{Numbering, resolve};
/// use pdn::MoveText;
/// use pdn::rules::{Position, Variant};
///
/// let start = Position::start(Variant::INTERNATIONAL);
/// let text: MoveText = "032-28".parse()?;
/// let (played, deviation) = resolve(&start, &text, Numbering::for_variant(start.variant())).unwrap();
/// assert_eq!((start.short(&played).as_str(), deviation), ("32-28", None));
/// # Ok::<(), pdn::ParseError>(())
/// ```
pub fn resolve(
    position: &Position,
    text: &MoveText,
    numbering: Numbering,
) -> Result<(Move, Option<Deviation>), ResolveError> {
    let Readings { moves, exact, deviation } = readings(position, text, numbering);
    match (&moves[..], exact) {
        ([], _) => Err(explain(position, text, numbering)),
        (&[played], _) | (_, Some(played)) => Ok((played, deviation)),
        _ => Err(ResolveError::ambiguous(moves)),
    }
}

/// Returns all legal moves that a text may denote.
///
/// Several moves have the same first and last square only if they capture different pieces.
pub(crate) fn readings(position: &Position, text: &MoveText, numbering: Numbering) -> Readings {
    let moves = between(position, Target::of(text.from(), numbering), Target::of(text.to(), numbering), numbering);
    let mut found = Readings { moves, exact: None, deviation: None };
    if !text.captured().is_empty() {
        found.keep_capturing(text.captured(), numbering);
    }
    let captures = found.moves.first().is_some_and(Move::is_capture);
    if captures && text.squares().len() > 2 {
        found.keep_passing(position, text.squares(), numbering);
    } else if found.moves.len() > 1 {
        found.exact = found.direct(position);
    }
    if !found.moves.is_empty() && found.deviation.is_none() {
        found.deviation = match text.kind() {
            // House rules may have the dash as the sign of captures.
            MoveKind::Quiet if captures && numbering.capture_sign() != '-' => Some(Deviation::CaptureAsQuiet),
            MoveKind::Capture if !captures => Some(Deviation::QuietAsCapture),
            _ => None,
        };
    }
    found
}

/// Returns the legal moves between two written squares, in the order of the position's legal moves.
fn between(position: &Position, from: Target, to: Target, numbering: Numbering) -> Vec<Move> {
    let own = position.squares_of(position.turn());
    match (from, to) {
        (Target::OffBoard, _) | (_, Target::OffBoard) => Vec::new(),
        // An illegal move often begins on another square; then no move is generated at all.
        (Target::Square(from), Target::Square(to)) => {
            if own.contains(from) {
                position.moves_between(from, to).into()
            } else {
                Vec::new()
            }
        }
        (Target::File(_), _) | (_, Target::File(_)) => {
            let mut moves = position.legal_moves();
            moves.retain(|played| from.holds(played.from(), numbering) && to.holds(played.to(), numbering));
            moves.into()
        }
    }
}

impl Readings {
    /// Returns the only move with a path without intermediate squares, if there is exactly one.
    fn direct(&self, position: &Position) -> Option<Move> {
        let straight = |played: &&Move| position.paths(played).iter().any(|path| path.len() == 2);
        let mut straight = self.moves.iter().filter(straight);
        let only = straight.next().copied();
        if straight.next().is_none() { only } else { None }
    }

    fn keep_capturing(&mut self, listed: &[WrittenSquare], numbering: Numbering) {
        let targets: Vec<_> = listed.iter().map(|&square| Target::of(square, numbering)).collect();
        self.moves.retain(|played| {
            let captured = played.captured();
            targets.iter().all(|target| captured.iter().any(|square| target.holds(square, numbering)))
        });
        if self.moves.iter().any(|played| played.captured().len() == targets.len()) {
            self.moves.retain(|played| played.captured().len() == targets.len());
        } else if !self.moves.is_empty() {
            self.deviation = Some(Deviation::CapturedMissing);
        }
    }

    /// Keeps the captures that fit the written squares best: those with exactly this full form, else those whose full
    /// form contains the squares in this order, else those whose path passes over them, else all.
    fn keep_passing(&mut self, position: &Position, squares: &[WrittenSquare], numbering: Numbering) {
        let targets: Vec<_> = squares.iter().map(|&square| Target::of(square, numbering)).collect();
        let paths: Vec<_> = self.moves.iter().map(|played| (*played, position.paths(played))).collect();
        let stops_at = |path: &Vec<Square>| {
            path.len() == targets.len()
                && path.iter().zip(&targets).all(|(&stop, target)| target.holds(stop, numbering))
        };
        let includes = |path: &Vec<Square>| {
            let mut stops = path.iter();
            targets.iter().all(|target| stops.any(|&stop| target.holds(stop, numbering)))
        };
        let passes = |path: &Vec<Square>| {
            let mut visited = squares_on(path, numbering).into_iter();
            targets.iter().all(|target| visited.any(|square| target.holds(square, numbering)))
        };
        let fitting = |fits: &dyn Fn(&Vec<Square>) -> bool| -> Vec<Move> {
            paths.iter().filter(|(_, paths)| paths.iter().any(fits)).map(|(played, _)| *played).collect()
        };
        let exact = fitting(&stops_at);
        if !exact.is_empty() {
            self.moves = exact;
            return;
        }
        // From the strictest reading to the most lenient: a path that the text names exactly must not be ambiguous
        // because another passes the same squares.
        let including = fitting(&includes);
        let passing = if including.is_empty() { fitting(&passes) } else { including };
        self.deviation = Some(if passing.is_empty() { Deviation::WrongStops } else { Deviation::OtherStops });
        if !passing.is_empty() {
            self.moves = passing;
        }
    }
}

/// Returns all squares that a piece visits or jumps over on a path, in order.
fn squares_on(path: &[Square], numbering: Numbering) -> Vec<Square> {
    let target = |square| (numbering.display_row(square) as i8, numbering.display_column(square) as i8);
    let mut way = vec![path[0]];
    for stops in path.windows(2) {
        let ((mut row, mut column), end) = (target(stops[0]), target(stops[1]));
        let step = ((end.0 - row).signum(), (end.1 - column).signum());
        while (row, column) != end {
            (row, column) = (row + step.0, column + step.1);
            way.extend(numbering.square_at_display(row as u8, column as u8));
            // Consecutive squares of a path are always on one line; anything else must not loop forever.
            if !(0..=12).contains(&row) || !(0..=12).contains(&column) {
                break;
            }
        }
    }
    way
}

/// A written square, found on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Square(Square),
    File(u8),
    OffBoard,
}

impl Target {
    pub(super) fn of(written: WrittenSquare, numbering: Numbering) -> Self {
        match written {
            WrittenSquare::File(file) if file < numbering.shape().width() => Self::File(file),
            _ => numbering.parse(written).map_or(Self::OffBoard, Self::Square),
        }
    }

    fn holds(self, square: Square, numbering: Numbering) -> bool {
        match self {
            Self::Square(own) => own == square,
            Self::File(file) => numbering.file_and_rank(square).0 == file,
            Self::OffBoard => false,
        }
    }
}

impl Numbering {
    /// Returns the square that a written one denotes, by number or letter, whichever the numbering itself writes;
    /// `None` if the board has no such square or only its file is written.
    pub fn parse(self, written: WrittenSquare) -> Option<Square> {
        match written {
            WrittenSquare::Number(number) => self.square(number),
            WrittenSquare::Cell { file, rank } => self.square_of(file, rank.checked_sub(1)?),
            WrittenSquare::File(_) => None,
        }
    }
}
