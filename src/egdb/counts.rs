//! How many positions of a class are won, drawn and lost.

use std::iter::Sum;

use serde::Serialize;

use super::code::{Code, Value};

/// Numbers of positions by value for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    win: u64,
    draw: u64,
    loss: u64,
}

impl Counts {
    pub(super) const fn new(win: u64, draw: u64, loss: u64) -> Self {
        Self { win, draw, loss }
    }

    /// Returns the number of positions with a value.
    pub const fn of(&self, value: Value) -> u64 {
        match value {
            Value::Win => self.win,
            Value::Draw => self.draw,
            Value::Loss => self.loss,
        }
    }

    /// Returns the number of all positions.
    pub const fn total(&self) -> u64 {
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
pub struct ClassCounts {
    pub(super) all: Counts,
    pub(super) quiet: Counts,
    pub(super) longest_win: Option<u8>,
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

    /// Returns the counts over all positions.
    pub const fn all(&self) -> Counts {
        self.all
    }

    /// Returns the counts over the positions where the side to move cannot capture.
    pub const fn quiet(&self) -> Counts {
        self.quiet
    }
}
