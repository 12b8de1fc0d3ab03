//! Following the positions of plain games while they are read.

use crate::rules::{Move, Position};

/// Follows the positions of games with plain moves while they are read: of each line in order, variations after the move
/// that they replace.
pub trait Follower {
    /// A game begins in this position; what was followed of an earlier game that has not ended is void.
    fn begin(&mut self, start: &Position);

    /// A position is reached, by a move unless it is set up.
    fn reach(&mut self, played: Option<&Move>, after: &Position);

    /// A variation opens: it continues from the position before the last move.
    fn open(&mut self);

    /// A variation closes: the line around it continues.
    fn close(&mut self);

    /// The game is over, and it is plain.
    fn end(&mut self);
}
