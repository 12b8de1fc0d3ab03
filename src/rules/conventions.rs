//! How records of a variant are written: the part of a variant that the rules of play never read.

use serde::{Deserialize, Serialize};

use crate::board::{Corner, Names, Shape};

/// How records of a variant are written: names of squares, sign of captures, style of results.
///
/// Two variants with the same rules and different conventions are different variants.
///
/// # Examples
///
/// ```
/// use pdn::board::Names;
/// use pdn::rules::{ResultStyle, Variant};
///
/// let conventions = Variant::INTERNATIONAL.conventions();
/// assert_eq!((conventions.names, conventions.results), (Names::Numeric, ResultStyle::TwoPoints));
/// assert_eq!(Variant::RUSSIAN.conventions().capture_sign, ':');
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Conventions {
    /// How squares are named.
    pub names: Names,
    /// The corner of the first square, as White sees it.
    pub corner: Corner,
    /// True if the bottom-left corner of the real board is not playable.
    pub mirrored: bool,
    /// The sign between the squares of a capture: `x`, `:` or `-`.
    pub capture_sign: char,
    /// How results are written.
    pub results: ResultStyle,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ResultStyle {
    /// `1-0`, `1/2-1/2`, `0-1`.
    #[serde(rename = "1-0")]
    OnePoint,
    /// `2-0`, `1-1`, `0-2`.
    #[serde(rename = "2-0")]
    TwoPoints,
}

impl Conventions {
    /// Returns the usual conventions of a board: numbers from the top left on boards with at least 10 rows, letters from the
    /// bottom left on smaller ones, captures with `x` and results such as `1-0`.
    pub const fn usual(shape: Shape) -> Self {
        let (names, corner) = if shape.height() < 10 {
            (Names::Algebraic, Corner::BottomLeft)
        } else {
            (Names::Numeric, Corner::TopLeft)
        };
        Self { names, corner, mirrored: false, capture_sign: 'x', results: ResultStyle::OnePoint }
    }
}
