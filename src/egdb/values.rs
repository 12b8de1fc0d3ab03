//! The values of positions with their distances to the end, in one byte each, and their counts in a class.

use std::iter::Sum;

use serde::Serialize;

use crate::board::Side;

/// The value of a position for the side to move.
///
/// # Examples
///
/// ```
/// use pdn::egdb::Value;
///
/// assert_eq!(Value::Win.name(), "win");
/// assert!(Value::Loss < Value::Draw && Value::Draw < Value::Win);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// The side to move loses.
    Loss,
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Value {
    /// Returns the value for the other side.
    #[must_use]
    pub(crate) const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// Returns the winner if this is the value for a side.
    pub(crate) fn winner(self, side: Side) -> Option<Side> {
        match self {
            Self::Loss => Some(!side),
            Self::Draw => None,
            Self::Win => Some(side),
        }
    }

    /// Returns `win`, `draw` or `loss`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

/// A value with a distance in plies: 0 for a draw, otherwise one more than the distance.
///
/// The distance of a win is odd and that of a loss even. Tables without distances store the smallest ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code(pub(super) u8);

// 255 has other meanings: any code in a block, and no distance in the solver.
/// Largest distance that is stored.
pub(super) const MAX_DISTANCE: u8 = 250;

impl Code {
    pub(super) const DRAW: Self = Self(0);
    /// A lost position without a legal move, or any loss without a distance.
    pub(super) const LOSS: Self = Self(1);
    /// Any win without a distance.
    pub(super) const WIN: Self = Self(2);

    pub(super) const fn of_distance(distance: u8) -> Self {
        Self(distance + 1)
    }

    /// Returns the distance, `None` for a draw.
    pub(super) const fn distance(self) -> Option<u8> {
        self.0.checked_sub(1)
    }

    pub(super) const fn value(self) -> Value {
        match self.0 {
            0 => Value::Draw,
            code if code % 2 == 0 => Value::Win,
            _ => Value::Loss,
        }
    }

    /// Returns the same value without a distance.
    pub(super) const fn without_distance(self) -> Self {
        match self.value() {
            Value::Draw => Self::DRAW,
            Value::Win => Self::WIN,
            Value::Loss => Self::LOSS,
        }
    }
}

/// The results of some moves of a position.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    /// Distance of the quickest win, 0 if there is none.
    pub(super) win: u8,
    pub(super) draws: bool,
    /// Distance of the slowest loss, 0 if there is none.
    pub(super) loss: u8,
}

impl Tally {
    /// Adds a move that leads to a position with a code.
    #[inline]
    pub(super) fn add(&mut self, reply: Code) {
        match (reply.value(), reply.0) {
            (Value::Draw, _) => self.draws = true,
            (Value::Loss, code) => self.win = if self.win == 0 { code } else { self.win.min(code) },
            (Value::Win, code) => self.loss = self.loss.max(code),
        }
    }

    /// Returns true if no other move can change the code.
    #[inline]
    pub(super) const fn has_quickest_win(self) -> bool {
        self.win == Code::LOSS.0
    }

    /// Returns the code of a position all of whose moves were added; `blocked` is that of a position without moves.
    pub(super) const fn code(self, blocked: Code) -> Code {
        match self {
            Self { win: 1.., .. } => Code::of_distance(self.win),
            Self { draws: true, .. } => Code::DRAW,
            Self { loss: 1.., .. } => Code::of_distance(self.loss),
            _ => blocked,
        }
    }
}

/// Numbers of positions by value for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    win: u64,
    draw: u64,
    loss: u64,
}

impl Counts {
    pub(super) const fn new([win, draw, loss]: [u64; 3]) -> Self {
        Self { win, draw, loss }
    }

    /// Returns the number of positions with a value.
    pub(crate) const fn of(&self, value: Value) -> u64 {
        match value {
            Value::Win => self.win,
            Value::Draw => self.draw,
            Value::Loss => self.loss,
        }
    }

    /// Returns the number of all positions.
    pub(crate) const fn total(&self) -> u64 {
        self.win + self.draw + self.loss
    }

    /// Returns the numbers of wins, draws and losses.
    pub(super) const fn numbers(&self) -> [u64; 3] {
        [self.win, self.draw, self.loss]
    }

    pub(super) fn add(&mut self, value: Value) {
        match value {
            Value::Win => self.win += 1,
            Value::Draw => self.draw += 1,
            Value::Loss => self.loss += 1,
        }
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self { win: self.win - other.win, draw: self.draw - other.draw, loss: self.loss - other.loss }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |a, b| Self { win: a.win + b.win, draw: a.draw + b.draw, loss: a.loss + b.loss })
    }
}

/// The positions of a material class by value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassCounts {
    /// The counts over all positions.
    pub(crate) all: Counts,
    /// The counts over the positions where the side to move cannot capture.
    pub(crate) quiet: Counts,
    /// The distance of the longest win.
    pub(super) longest_win: Option<u8>,
}

impl Sum for ClassCounts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |a, b| Self {
            all: [a.all, b.all].into_iter().sum(),
            quiet: [a.quiet, b.quiet].into_iter().sum(),
            longest_win: a.longest_win.max(b.longest_win),
        })
    }
}

impl ClassCounts {
    /// Adds a position.
    pub(super) fn add(&mut self, code: Code, must_capture: bool) {
        self.all.add(code.value());
        if !must_capture {
            self.quiet.add(code.value());
        }
        if code.value() == Value::Win {
            self.longest_win = self.longest_win.max(code.distance());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(replies: &[u8]) -> Code {
        let mut tally = Tally::default();
        for &code in replies {
            tally.add(Code(code));
        }
        tally.code(Code::LOSS)
    }

    #[test]
    fn the_quickest_win_and_the_slowest_loss_count() {
        assert_eq!(tally(&[0, 5, 3, 8]).distance(), Some(3));
        assert_eq!((tally(&[0, 4]), tally(&[]).value()), (Code::DRAW, Value::Loss));
        assert_eq!((tally(&[4, 8, 2]).distance(), tally(&[4, 8, 2]).value()), (Some(8), Value::Loss));
        assert_eq!(tally(&[Code::LOSS.0]), Code::WIN);
        assert_eq!(tally(&[Code::WIN.0]).without_distance(), Code::LOSS);
    }
}
