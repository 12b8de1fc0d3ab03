//! From a legal move to its text.

use super::super::numbering::Numbering;
use crate::board::Square;
use crate::pdn::{MoveText, WrittenSquare};
use crate::rules::{Move, Position};

/// Writes a legal move in the names of its variant: short, unless several captures share first and last square; then
/// with the whole path.
pub fn short(position: &Position, played: &Move) -> String {
    short_in(position, played, Numbering::for_variant(position.variant()))
}

/// Writes a legal move as [`short`] does, in the names of a numbering.
pub fn short_in(position: &Position, played: &Move, numbering: Numbering) -> String {
    if !played.is_capture() {
        return join(&[played.from(), played.to()], '-', numbering);
    }
    if position.moves_between(played.from(), played.to()).len() > 1 {
        return full_in(position, played, numbering);
    }
    join(&[played.from(), played.to()], numbering.capture_sign(), numbering)
}

/// Returns a legal move as a game tree holds it, written as [`short_in`] writes it.
pub fn short_move_text(position: &Position, played: &Move, numbering: Numbering) -> MoveText {
    let sign = if played.is_capture() { numbering.capture_sign() } else { '-' };
    let is_ambiguous = played.is_capture() && position.moves_between(played.from(), played.to()).len() > 1;
    let path = if is_ambiguous { position.paths(played).into_iter().next() } else { None };
    let path = path.unwrap_or_else(|| vec![played.from(), played.to()]);
    MoveText::from_squares(path.into_iter().map(|square| written(square, numbering)), sign)
}

fn written(square: Square, numbering: Numbering) -> WrittenSquare {
    if numbering.is_algebraic() {
        let (file, rank) = numbering.file_and_rank(square);
        WrittenSquare::Cell { file, rank: rank + 1 }
    } else {
        WrittenSquare::Number(numbering.number(square))
    }
}

/// Writes a legal move in the names of its variant, a capture with its whole path.
pub fn full(position: &Position, played: &Move) -> String {
    full_in(position, played, Numbering::for_variant(position.variant()))
}

/// Writes a legal move as [`full`] does, in the names of a numbering.
pub fn full_in(position: &Position, played: &Move, numbering: Numbering) -> String {
    let sign = if played.is_capture() { numbering.capture_sign() } else { '-' };
    match position.paths(played).first() {
        Some(path) => join(path, sign, numbering),
        None => join(&[played.from(), played.to()], sign, numbering),
    }
}

fn join(path: &[Square], sign: char, numbering: Numbering) -> String {
    let mut text = String::with_capacity(8);
    for (n, &square) in path.iter().enumerate() {
        if n > 0 {
            text.push(sign);
        }
        text.push_str(numbering.name(square).as_str());
    }
    text
}
