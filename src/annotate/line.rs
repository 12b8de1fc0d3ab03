//! How much of a best line is shown.

use crate::board::{Piece, Side};
use crate::rules::{Move, Position};

/// Number of plies of a line that gains nothing, up to the next position without a capture.
const QUIET_PLIES: usize = 5;

/// Greatest number of plies of a line.
pub(super) const MAX_PLIES: usize = 24;

/// Men that a king counts for.
const KING: i32 = 3;

/// Returns the part of a best line that shows why it is the best: to the first quiet position in which the side that moves has
/// gained material, or to the end of the game; a line that gains nothing is cut after a few plies.
pub(super) fn shortened(before: &Position, line: &[Move]) -> Vec<Move> {
    let side = before.turn();
    let start = balance(before, side);
    let (mut position, mut quiet_end) = (*before, None);
    for (n, step) in line.iter().enumerate().take(MAX_PLIES) {
        position = position.play_unchecked(step);
        if position.can_capture() {
            continue;
        }
        if balance(&position, side) > start {
            return line[..=n].to_vec();
        }
        if n + 1 >= QUIET_PLIES && quiet_end.is_none() {
            quiet_end = Some(n + 1);
        }
    }
    let is_over = line.len() <= MAX_PLIES && position.is_game_over();
    let end = if is_over { line.len() } else { quiet_end.unwrap_or(line.len().min(MAX_PLIES)) };
    line[..end].to_vec()
}

/// Returns the material of a side less that of the other, in men.
fn balance(position: &Position, side: Side) -> i32 {
    let worth = |piece| if piece == Piece::King { KING } else { 1 };
    position.pieces().map(|(_, owner, piece)| if owner == side { worth(piece) } else { -worth(piece) }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Variant, line_moves};

    #[test]
    fn lines_end_with_the_gain() {
        let position = Position::from_fen(Variant::INTERNATIONAL, "W:W28,40,48:B22,3").expect("a position");
        let line = line_moves(position, &[0; 9]).expect("legal moves");
        assert_eq!(shortened(&position, &line), line[..1], "the capture gains a man");
    }

    #[test]
    fn lines_without_a_gain_are_short() {
        let start = Position::start(Variant::INTERNATIONAL);
        let line = line_moves(start, &[0; 12]).expect("legal moves");
        assert!(shortened(&start, &line).len() >= QUIET_PLIES.min(line.len()));
        assert_eq!(shortened(&start, &line[..3]), line[..3]);
    }
}
