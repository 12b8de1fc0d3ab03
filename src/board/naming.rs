//! How squares are named: by numbers or letters, and from which corner.

use serde::{Deserialize, Serialize};

use super::Side;

/// How squares are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Names {
    /// `1`, `2`, `3` …
    #[serde(rename = "numbers")]
    Numeric,
    /// `a1`, `b2` …
    #[serde(rename = "letters")]
    Algebraic,
    /// Algebraic with only the file of a move's first square, such as `cd4`. Written in full by this crate.
    #[serde(rename(serialize = "letters"), skip_deserializing)]
    Short,
}

impl Names {
    /// Returns the letter of the notation field of a `GameType` tag: `N`, `A` or `S`.
    pub const fn letter(self) -> char {
        match self {
            Self::Numeric => 'N',
            Self::Algebraic => 'A',
            Self::Short => 'S',
        }
    }
}

/// A corner of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Corner {
    /// `0` in a `GameType` tag.
    BottomLeft,
    /// `1` in a `GameType` tag.
    BottomRight,
    /// `2` in a `GameType` tag.
    TopLeft,
    /// `3` in a `GameType` tag.
    TopRight,
}

impl Corner {
    /// All corners, in the order of their digits.
    pub const ALL: [Self; 4] = [Self::BottomLeft, Self::BottomRight, Self::TopLeft, Self::TopRight];

    /// Returns the corner that a digit of the notation field of a `GameType` tag denotes, `None` above 3.
    pub fn from_digit(digit: u8) -> Option<Self> {
        Self::ALL.get(usize::from(digit)).copied()
    }

    /// Returns the digit of the corner in the notation field of a `GameType` tag.
    pub const fn digit(self) -> u8 {
        self as u8
    }

    /// Returns the same corner of the board as the opponent, on the opposite side, sees it.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::BottomLeft => Self::TopRight,
            Self::BottomRight => Self::TopLeft,
            Self::TopLeft => Self::BottomRight,
            Self::TopRight => Self::BottomLeft,
        }
    }

    /// Converts a corner between the point of view of `side` and that of White, in either direction.
    #[must_use]
    pub const fn seen_by(self, side: Side) -> Self {
        match side {
            Side::White => self,
            Side::Black => self.opposite(),
        }
    }

    pub(crate) const fn is_top(self) -> bool {
        matches!(self, Self::TopLeft | Self::TopRight)
    }

    pub(crate) const fn is_left(self) -> bool {
        matches!(self, Self::BottomLeft | Self::TopLeft)
    }
}
