//! Sides and kinds of pieces.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::ParseError;

/// One of the two players. White is drawn at the bottom and moves up the board.
///
/// # Examples
///
/// ```
/// use pdn::board::Side;
///
/// assert_eq!("White".parse(), Ok(Side::White));
/// assert_eq!("b".parse(), Ok(!Side::White));
/// assert!("red".parse::<Side>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The side drawn at the bottom.
    #[cfg_attr(feature = "cli", value(name = "W", aliases = ["w", "white"], help = crate::options::NAME_ONLY))]
    White,
    /// The side drawn at the top.
    #[cfg_attr(feature = "cli", value(name = "B", aliases = ["b", "black"], help = crate::options::NAME_ONLY))]
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// Returns the letter of the side in FEN and JSON: `W` or `B`.
    #[inline]
    pub(crate) const fn letter(self) -> char {
        match self {
            Self::White => 'W',
            Self::Black => 'B',
        }
    }

    /// Returns 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

impl FromStr for Side {
    type Err = ParseError;

    /// Reads a name (`White`) or letter (`W`) in either case.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.to_ascii_lowercase().as_str() {
            "white" | "w" => Ok(Self::White),
            "black" | "b" => Ok(Self::Black),
            _ => Err(ParseError::new("expected `White`, `Black`, `W` or `B`")),
        }
    }
}

/// A man or a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Piece {
    /// An unpromoted piece.
    Man,
    /// A promoted piece.
    King,
}
