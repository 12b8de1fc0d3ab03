//! Why a written move is not legal, and which moves may have been meant.

use super::super::numbering::{Numbering, SquareName};
use super::read::Target;
use crate::board::Square;
use crate::pdn::{MoveText, WrittenSquare};
use crate::rules::{Move, Position};

/// Why no legal move fits a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The reason, in one clause.
    pub reason: String,
    /// Legal moves that may have been meant, the likeliest first; at most [`MAX_CANDIDATES`](Self::MAX_CANDIDATES).
    pub candidates: Vec<Move>,
}

impl Explanation {
    /// Maximum number of candidates.
    pub const MAX_CANDIDATES: usize = 4;
}

pub(super) fn explain(position: &Position, text: &MoveText, numbering: Numbering) -> Explanation {
    let moves = position.legal_moves();
    let reason = reason(position, text, numbering, &moves);
    Explanation { reason, candidates: candidates(text, numbering, &moves) }
}

fn reason(position: &Position, text: &MoveText, numbering: Numbering, moves: &[Move]) -> String {
    if let Some(off_board) = text.squares().iter().find(|&&square| Target::of(square, numbering) == Target::OffBoard) {
        return format!("the board has no square {}", name_of(*off_board, text));
    }
    let turn = position.turn();
    let Some(from) = numbering.parse(text.from()) else {
        return format!("{turn} has no move from file {} to {}", text.from(), text.to());
    };
    let name = |square: Square| numbering.name(square);
    match position.piece_at(from) {
        None => format!("there is no piece on {}", name(from)),
        Some((side, _)) if side != turn => format!("the piece on {} is {side}'s, but {turn} is to move", name(from)),
        Some(_) => why_not(position, from, numbering.parse(text.to()), numbering, moves),
    }
}

/// Returns the name of a written square. Numbers too large to be stored are taken from the text.
fn name_of(square: WrittenSquare, text: &MoveText) -> String {
    let digits = text.text().split(|letter: char| !letter.is_ascii_digit()).max_by_key(|digits| digits.len());
    digits.filter(|_| square == WrittenSquare::Number(u8::MAX)).map_or_else(|| square.to_string(), str::to_owned)
}

fn why_not(position: &Position, from: Square, to: Option<Square>, numbering: Numbering, moves: &[Move]) -> String {
    if moves.first().is_none_or(|played| !played.is_capture()) && position.barred_king() == Some(from) {
        return king_move_limit(position, numbering.name(from));
    }
    let turn = position.turn();
    let captures = moves.first().is_some_and(Move::is_capture);
    let mut own = moves.iter().filter(|played| played.from() == from).peekable();
    let to = to.map_or_else(String::new, |to| format!(" to {}", numbering.name(to)));
    let from = numbering.name(from);
    match (moves.is_empty(), captures, own.peek().is_some()) {
        (true, ..) => format!("{turn} has no legal move"),
        (_, true, false) => format!("{turn} must capture, but not with the piece on {from}"),
        (_, true, true) => format!("{turn} must capture; the piece on {from} cannot capture{to} in this way"),
        (_, false, _) => format!("the piece on {from} cannot move{to}"),
    }
}

fn king_move_limit(position: &Position, king: SquareName) -> String {
    let spec = position.variant().spec();
    let limit = spec.king_move_limit.unwrap_or_default();
    let article = if position.variant().is_house() { "" } else { " (Frisian rules 2011, article 11)" };
    format!(
        "the king on {king} has made {limit} quiet moves in a row, and no king may make more while its side has a man{article}"
    )
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

impl Explanation {
    /// Returns the candidates as a question such as `did White mean 32-28 or 31-27?`, `None` if there are none.
    pub fn question(&self, position: &Position, numbering: Numbering) -> Option<String> {
        let moves = list_moves(position, &self.candidates, numbering);
        (!moves.is_empty()).then(|| format!("did {} mean {moves}?", position.turn()))
    }
}
