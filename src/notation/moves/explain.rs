//! Why a written move is not legal, and which moves may have been meant.

use std::fmt;

use super::super::numbering::{Numbering, SquareName};
use super::read::Target;
use crate::board::{Side, Square};
use crate::pdn::{MoveText, WrittenSquare};
use crate::rules::{Move, Position};

/// Why no legal move fits a text.
///
/// # Examples
///
/// ```
/// use pdn::notation::{Numbering, ResolveError, resolve};
/// use pdn::rules::{Position, Variant};
///
/// let position = Position::from_fen(Variant::INTERNATIONAL, "W:W28,32,33,38:B18,20,23")?;
/// let numbering = Numbering::for_variant(Variant::INTERNATIONAL);
/// let Err(ResolveError::Illegal(why)) = resolve(&position, &"33-29".parse().unwrap(), numbering) else { panic!() };
/// assert_eq!(why.reason().to_string(), "White must capture, but not with the piece on 33");
/// assert_eq!(why.question(&position, numbering).as_deref(), Some("did White mean 28x19?"));
/// # Ok::<(), pdn::notation::PositionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    reason: IllegalReason,
    candidates: Vec<Move>,
}

/// What is wrong with a move; its words are one clause.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IllegalReason {
    /// The board has no square of this name.
    NoSquare(Box<str>),
    /// No piece of the side to move goes from this file to this square.
    NoMoveFromFile(Side, WrittenSquare, WrittenSquare),
    /// No piece is on the first square.
    NoPiece(SquareName),
    /// The piece on the first square belongs to the side that is not to move.
    OtherSide(SquareName, Side),
    /// The king has made this many quiet moves in a row, and may make no more.
    KingMoveLimit {
        /// Its square.
        king: SquareName,
        /// The number of moves.
        limit: u8,
        /// The rules are those of Frisian draughts, not house rules.
        is_frisian: bool,
    },
    /// The side has no legal move.
    NoMoves(Side),
    /// The side must capture, but not with the piece on this square.
    OtherCapture(Side, SquareName),
    /// The side must capture, and the piece on the first square cannot capture to the second one, or in this way.
    WrongCapture(Side, SquareName, Option<SquareName>),
    /// The piece on the first square cannot move to the second one.
    CannotMove(SquareName, Option<SquareName>),
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goal = |to: &Option<SquareName>| to.map_or_else(String::new, |to| format!(" to {to}"));
        match self {
            Self::NoSquare(name) => write!(f, "the board has no square {name}"),
            Self::NoMoveFromFile(turn, file, to) => write!(f, "{turn} has no move from file {file} to {to}"),
            Self::NoPiece(from) => write!(f, "there is no piece on {from}"),
            Self::OtherSide(from, turn) => write!(f, "the piece on {from} is {}'s, but {turn} is to move", !*turn),
            Self::KingMoveLimit { king, limit, is_frisian } => {
                write!(f, "the king on {king} has made {limit} quiet moves in a row, ")?;
                f.write_str("and no king may make more while its side has a man")?;
                f.write_str(if *is_frisian { " (Frisian rules 2011, article 11)" } else { "" })
            }
            Self::NoMoves(turn) => write!(f, "{turn} has no legal move"),
            Self::OtherCapture(turn, from) => write!(f, "{turn} must capture, but not with the piece on {from}"),
            Self::WrongCapture(turn, from, to) => {
                write!(f, "{turn} must capture; the piece on {from} cannot capture{} in this way", goal(to))
            }
            Self::CannotMove(from, to) => write!(f, "the piece on {from} cannot move{}", goal(to)),
        }
    }
}

impl Explanation {
    /// Maximum number of candidates.
    pub const MAX_CANDIDATES: usize = 4;

    /// The reason.
    pub const fn reason(&self) -> &IllegalReason {
        &self.reason
    }

    /// Returns the reason.
    pub fn into_reason(self) -> IllegalReason {
        self.reason
    }

    /// Legal moves that may have been meant, the likeliest first; at most [`MAX_CANDIDATES`](Self::MAX_CANDIDATES).
    pub fn candidates(&self) -> &[Move] {
        &self.candidates
    }

    /// Returns the candidates as a question such as `did White mean 32-28 or 31-27?`, `None` if there are none.
    pub fn question(&self, position: &Position, numbering: Numbering) -> Option<String> {
        let moves = list_moves(position, &self.candidates, numbering);
        (!moves.is_empty()).then(|| format!("did {} mean {moves}?", position.turn()))
    }
}

pub(super) fn explain(position: &Position, text: &MoveText, numbering: Numbering) -> Explanation {
    let moves = position.legal_moves();
    let reason = reason(position, text, numbering, &moves);
    Explanation { reason, candidates: candidates(text, numbering, &moves) }
}

fn reason(position: &Position, text: &MoveText, numbering: Numbering, moves: &[Move]) -> IllegalReason {
    let off_board = |square: &&WrittenSquare| Target::of(**square, numbering) == Target::OffBoard;
    if let Some(&off_board) = text.squares().iter().find(off_board) {
        return IllegalReason::NoSquare(name_of(off_board, text).into());
    }
    let turn = position.turn();
    let Some(from) = numbering.parse(text.from()) else {
        return IllegalReason::NoMoveFromFile(turn, text.from(), text.to());
    };
    match position.piece_at(from) {
        None => IllegalReason::NoPiece(numbering.name(from)),
        Some((side, _)) if side != turn => IllegalReason::OtherSide(numbering.name(from), turn),
        Some(_) => why_not(position, from, numbering.parse(text.to()), numbering, moves),
    }
}

/// Returns the name of a written square. Numbers too large to be stored are taken from the text.
fn name_of(square: WrittenSquare, text: &MoveText) -> String {
    let digits = text.text().split(|letter: char| !letter.is_ascii_digit()).max_by_key(|digits| digits.len());
    digits.filter(|_| square == WrittenSquare::Number(u8::MAX)).map_or_else(|| square.to_string(), str::to_owned)
}

fn why_not(
    position: &Position,
    from: Square,
    to: Option<Square>,
    numbering: Numbering,
    moves: &[Move],
) -> IllegalReason {
    let captures = moves.first().is_some_and(Move::is_capture);
    let (turn, name) = (position.turn(), numbering.name(from));
    if !captures && position.barred_king() == Some(from) {
        let limit = position.variant().spec().king_move_limit.unwrap_or_default();
        return IllegalReason::KingMoveLimit { king: name, limit, is_frisian: !position.variant().is_house() };
    }
    let has_moves = moves.iter().any(|played| played.from() == from);
    let (from, to) = (name, to.map(|to| numbering.name(to)));
    match (moves.is_empty(), captures, has_moves) {
        (true, ..) => IllegalReason::NoMoves(turn),
        (_, true, false) => IllegalReason::OtherCapture(turn, from),
        (_, true, true) => IllegalReason::WrongCapture(turn, from, to),
        (_, false, _) => IllegalReason::CannotMove(from, to),
    }
}

fn candidates(text: &MoveText, numbering: Numbering, moves: &[Move]) -> Vec<Move> {
    let (from, to) = (numbering.parse(text.from()), numbering.parse(text.to()));
    let written = format!("{} {}", text.from(), text.to());
    let rank = |played: &Move| {
        if (Some(played.to()), Some(played.from())) == (from, to) {
            return Some(0);
        }
        let own = format!("{} {}", numbering.name(played.from()), numbering.name(played.to()));
        let distance = distance(&written, &own);
        let shares_square = from == Some(played.from()) || to == Some(played.to());
        (distance <= 1 || shares_square || moves.len() <= 2).then_some(distance)
    };
    let mut ranked: Vec<_> = moves.iter().filter_map(|played| rank(played).map(|rank| (rank, *played))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, played)| played).take(Explanation::MAX_CANDIDATES).collect()
}

/// Returns the number of letters to change, add or remove to turn one text into the other.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let change = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

/// Returns moves as a list for a message: `32-28, 31-27 or 31-26`.
fn list_moves(position: &Position, moves: &[Move], numbering: Numbering) -> String {
    let texts: Vec<_> = moves.iter().map(|played| position.short_in(played, numbering)).collect();
    match &texts[..] {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
