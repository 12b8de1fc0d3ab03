//! Explanations of why a written move is not legal, and which moves may have been meant.

use std::fmt::Display;

use super::super::numbering::Numbering;
use super::joined::moves_in;
use super::read::{Target, readings};
use crate::board::Side;
use crate::pdn::{MoveText, WrittenSquare};
use crate::rules::{Move, Position, Precedence, Setup, Variant};

/// The reason why a written move could not be played: no legal move fits the text, or several do. Displayed as one clause.
///
/// # Examples
///
/// ```
/// use pdn::notation::{Numbering, resolve};
/// use pdn::rules::{Position, Variant};
///
/// let position = Position::from_fen(Variant::INTERNATIONAL, "W:W28,32,33,38:B18,20,23")?;
/// let numbering = Numbering::for_variant(Variant::INTERNATIONAL);
/// let why = resolve(&position, &"33-29".parse()?, numbering).unwrap_err();
/// assert_eq!(why.to_string(), "White must capture, but not with the piece on 33");
/// assert_eq!(why.question(&position, numbering).as_deref(), Some("did White mean 28x19?"));
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct ResolveError {
    reason: Reason,
    candidates: Vec<Move>,
    /// The moves of a text that has no whitespace between them, if it has one reading.
    split: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Reason {
    /// Several legal moves fit the text.
    #[error("several legal moves fit the text")]
    Ambiguous,
    /// The board has no square of this name.
    #[error("the board has no square {0}")]
    NoSquare(Box<str>),
    /// No piece of the side to move goes from this file to this square.
    #[error("{0} has no move from file {1} to {2}")]
    NoMoveFromFile(Side, WrittenSquare, WrittenSquare),
    /// No piece is on the first square.
    #[error("there is no piece on {0}")]
    NoPiece(WrittenSquare),
    /// The piece on the first square belongs to the side that is not to move.
    #[error("the piece on {0} is {other}'s, but {1} is to move", other = !*.1)]
    OtherSide(WrittenSquare, Side),
    /// The king has made this many quiet moves in a row, and may not make any more.
    #[error(
        "the king on {king} has made {limit} quiet moves in a row, and no king may make more while its side has a man{}",
        if *.is_frisian { " (Frisian rules 2011, article 11)" } else { "" }
    )]
    KingMoveLimit {
        /// Its square.
        king: WrittenSquare,
        /// The number of moves.
        limit: u8,
        /// True if the rules are those of Frisian draughts, not house rules.
        is_frisian: bool,
    },
    /// The side has no legal move.
    #[error("{0} has no legal move")]
    NoMoves(Side),
    /// The side must capture, but not with the piece on this square.
    #[error("{0} must capture, but not with the piece on {1}")]
    OtherCapture(Side, WrittenSquare),
    /// The side must capture, and the piece on the first square cannot capture to the second one, or in this way.
    #[error("{0} must capture; the piece on {1} cannot capture{goal} in this way", goal = goal(*.2))]
    WrongCapture(Side, WrittenSquare, Option<WrittenSquare>),
    /// The capture takes fewer pieces than another one, which is compulsory: the numbers of pieces, and the moves.
    #[error("it takes {taken}, but {side} must take {most}: {moves}")]
    TakesFewer {
        /// The side to move.
        side: Side,
        /// Pieces that the move takes.
        taken: usize,
        /// Pieces that must be taken.
        most: usize,
        /// The moves that take them.
        moves: Box<str>,
    },
    /// Another capture of as many pieces has precedence.
    #[error("{0} must capture in another way, which the rules prefer: {1}")]
    Preferred(Side, Box<str>),
    /// The piece on the first square cannot move to the second one.
    #[error("the piece on {0} cannot move{goal}", goal = goal(*.1))]
    CannotMove(WrittenSquare, Option<WrittenSquare>),
}

fn goal(to: Option<WrittenSquare>) -> String {
    to.map_or_else(String::new, |to| format!(" to {to}"))
}

impl ResolveError {
    // A question with more answers does not help.
    /// Maximum number of candidates for an illegal move.
    const MAX_CANDIDATES: usize = 4;

    /// Returns the error of a text that several legal moves fit.
    pub(super) const fn ambiguous(candidates: Vec<Move>) -> Self {
        Self { reason: Reason::Ambiguous, candidates, split: None }
    }

    /// Returns true if several legal moves fit the text.
    pub const fn is_ambiguous(&self) -> bool {
        matches!(self.reason, Reason::Ambiguous)
    }

    /// Returns the legal moves that fit the text, in the order of the position's legal moves, or else a few that may have been meant.
    pub fn candidates(&self) -> &[Move] {
        &self.candidates
    }

    /// Returns the reason, to be displayed as one clause.
    pub(crate) fn into_reason(self) -> impl Display + Send + Sync + 'static {
        self.reason
    }

    /// Returns the candidates as a question such as `did White mean 32-28 or 31-27?`, `None` if there are none.
    pub fn question(&self, position: &Position, numbering: Numbering) -> Option<String> {
        if let Some(split) = &self.split {
            return Some(format!("did you mean {split}? A repair separates them"));
        }
        let texts: Vec<_> = self.candidates.iter().map(|played| position.short_in(played, numbering)).collect();
        let moves = match &texts[..] {
            [] => return None,
            [only] => only.clone(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        };
        Some(format!("did {} mean {moves}?", position.turn()))
    }
}

pub(super) fn explain(position: &Position, text: &MoveText, numbering: Numbering) -> ResolveError {
    let moves = position.legal_moves();
    let reason = reason(position, text, numbering, &moves);
    ResolveError { reason, candidates: candidates(text, numbering, &moves), split: split(position, text, numbering) }
}

/// Returns the moves of a text that is several of them, such as `32-2819-23`.
fn split(position: &Position, text: &MoveText, numbering: Numbering) -> Option<String> {
    // Two moves of three characters each, and one more.
    let readings = if text.text().len() > 6 { moves_in(text.text(), position, numbering) } else { Vec::new() };
    let [only] = &readings[..] else { return None };
    (only.len() > 1).then(|| only.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

fn reason(position: &Position, text: &MoveText, numbering: Numbering, moves: &[Move]) -> Reason {
    let off_board = |square: &&WrittenSquare| Target::of(**square, numbering) == Target::OffBoard;
    // Before everything else: without the square, the other reasons have nothing to refer to.
    if let Some(&off_board) = text.squares().iter().find(off_board) {
        return Reason::NoSquare(name_of(off_board, text).into());
    }
    let turn = position.turn();
    let Some(from) = numbering.parse(text.from()) else {
        return Reason::NoMoveFromFile(turn, text.from(), text.to());
    };
    let (name, to) = (numbering.name(from), numbering.parse(text.to()).map(|to| numbering.name(to)));
    let captures = moves.first().is_some_and(Move::is_capture);
    let has_moves = moves.iter().any(|played| played.from() == from);
    match position.piece_at(from) {
        None => Reason::NoPiece(name),
        Some((side, _)) if side != turn => Reason::OtherSide(name, turn),
        Some(_) if !captures && position.barred_king() == Some(from) => {
            let limit = position.variant().spec().king_move_limit.unwrap_or_default();
            Reason::KingMoveLimit { king: name, limit, is_frisian: !position.variant().is_house() }
        }
        Some(_) if moves.is_empty() => Reason::NoMoves(turn),
        Some(_) if captures && let Some(reason) = precedence(position, text, numbering, moves) => reason,
        Some(_) if captures && has_moves => Reason::WrongCapture(turn, name, to),
        Some(_) if captures => Reason::OtherCapture(turn, name),
        Some(_) => Reason::CannotMove(name, to),
    }
}

/// Returns the captures that a text means, and that the pieces allow, whether or not the rules prefer others.
fn captures(position: &Position, text: &MoveText, numbering: Numbering) -> Vec<(Move, Position)> {
    let variant = position.variant();
    let mut spec = variant.spec().clone();
    spec.precedence = Precedence::Free;
    let Ok(free) = Variant::house(&spec, variant.conventions()) else { return Vec::new() };
    let setup = Setup::new(Some(position.turn()), position.pieces());
    let Ok((position, _)) = Position::from_setup(free, &setup) else { return Vec::new() };
    let found = readings(&position, text, numbering);
    let captures = found.moves().iter().filter(|played| played.is_capture());
    captures.map(|played| (*played, position.play_unchecked(played))).collect()
}

/// Returns the positions that a move gives if it is played although it is not legal, and what it then does: a capture that the
/// rules do not prefer, or a piece that goes to an empty square.
pub(crate) fn as_if_played(position: &Position, text: &MoveText, numbering: Numbering) -> Vec<(Position, String)> {
    let variant = position.variant();
    let of = |pieces: Vec<_>| Position::from_setup(variant, &Setup::new(Some(!position.turn()), pieces)).ok();
    let (Some(from), Some(to)) = (numbering.parse(text.from()), numbering.parse(text.to())) else { return Vec::new() };
    let goes = format!("the piece on {} goes to {}", numbering.name(from), numbering.name(to));
    let taken = |played: &Move| {
        let names = played.captured().iter().map(|square| numbering.name(square).to_string());
        format!("{goes} and takes {}", names.collect::<Vec<_>>().join(", "))
    };
    if text.captures() != Some(false) {
        let captures = captures(position, text, numbering).into_iter();
        return captures
            .filter_map(|(played, after)| Some((of(after.pieces().collect())?.0, taken(&played))))
            .collect();
    }
    let Some((side, piece)) = position.piece_at(from).filter(|(side, _)| *side == position.turn()) else {
        return Vec::new();
    };
    if text.squares().len() != 2 || position.piece_at(to).is_some() {
        return Vec::new();
    }
    let others = position.pieces().filter(|&(square, ..)| square != from);
    of(others.chain([(to, side, piece)]).collect()).map(|(after, _)| (after, goes)).into_iter().collect()
}

/// Returns the reason why a capture that the pieces allow is not legal: the rules prefer others.
fn precedence(position: &Position, text: &MoveText, numbering: Numbering, moves: &[Move]) -> Option<Reason> {
    let written = captures(position, text, numbering);
    let taken = written.iter().map(|(played, _)| played.captured().len()).max()?;
    let most = moves.iter().map(|played| played.captured().len()).max()?;
    let named: Vec<_> = moves.iter().take(ResolveError::MAX_CANDIDATES).collect();
    let named = named.into_iter().map(|played| position.short_in(played, numbering)).collect::<Vec<_>>().join(", ");
    let (side, moves) = (position.turn(), named.into());
    Some(if taken < most { Reason::TakesFewer { side, taken, most, moves } } else { Reason::Preferred(side, moves) })
}

/// Returns the name of a written square. Numbers too large to be stored are taken from the text.
fn name_of(square: WrittenSquare, text: &MoveText) -> String {
    let digits = text.text().split(|letter: char| !letter.is_ascii_digit()).max_by_key(|digits| digits.len());
    digits.filter(|_| square == WrittenSquare::Number(u8::MAX)).map_or_else(|| square.to_string(), str::to_owned)
}

fn candidates(text: &MoveText, numbering: Numbering, moves: &[Move]) -> Vec<Move> {
    let (from, to) = (numbering.parse(text.from()), numbering.parse(text.to()));
    let written = format!("{} {}", text.from(), text.to());
    let rank = |played: &Move| {
        // The squares in the wrong order, `28-32` for 32-28, are the likeliest slip.
        if (Some(played.to()), Some(played.from())) == (from, to) {
            return Some(0);
        }
        // A shared square or a small choice makes a move likely; what differs in one letter shares a square. To write and to
        // compare the names of all moves took a third of the time for a game with an illegal move.
        let shares_square = from == Some(played.from()) || to == Some(played.to());
        let own = || format!("{} {}", numbering.name(played.from()), numbering.name(played.to()));
        (shares_square || moves.len() <= 2).then(|| distance(&written, &own()))
    };
    let mut ranked: Vec<_> = moves.iter().filter_map(|played| rank(played).map(|rank| (rank, *played))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, played)| played).take(ResolveError::MAX_CANDIDATES).collect()
}

/// Returns the number of letters to change, add or remove to turn one text into the other.
fn distance(a: &str, b: &str) -> usize {
    // One row of the table of distances at a time.
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
