//! How records of a variant are written: the part of a variant that its rules do not know.

use super::game_type::Entry;
use super::numbering::{Corner, Names, Numbering};
use crate::board::Shape;
use crate::rules::Variant;

/// How records of a variant are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writing {
    /// How squares are named.
    pub names: Names,
    /// The corner of the first square, as White sees it.
    pub corner: Corner,
    /// Whether the bottom-left corner of the real board is no playable square.
    pub mirrored: bool,
    /// The sign between the squares of a capture: `x`, `:` or `-`.
    pub capture_sign: char,
    /// Whether results are written `2-0 1-1 0-2` rather than `1-0 1/2-1/2 0-1`.
    pub international_results: bool,
}

/// Signs between the squares of a capture, by their code.
const SIGNS: [char; 3] = ['x', ':', '-'];
const CORNERS: [Corner; 4] = [Corner::BottomLeft, Corner::BottomRight, Corner::TopLeft, Corner::TopRight];
const NAMES: [Names; 3] = [Names::Numeric, Names::Algebraic, Names::Short];

impl Writing {
    /// Returns how records of a variant are written.
    pub fn of(variant: Variant) -> Self {
        match variant.writing() {
            Some(code) => Self::decode(code),
            None => Entry::by_variant(variant.name()).map_or_else(|| Self::usual(variant.shape()), Entry::writing),
        }
    }

    /// Returns how records are usually written on a board: numbers from the top left on boards of 10 rows and more,
    /// letters from the bottom left on lower ones.
    pub const fn usual(shape: Shape) -> Self {
        let (names, corner) = if shape.height() < 10 {
            (Names::Algebraic, Corner::BottomLeft)
        } else {
            (Names::Numeric, Corner::TopLeft)
        };
        Self { names, corner, mirrored: false, capture_sign: 'x', international_results: false }
    }

    pub(super) const fn numbering(self, shape: Shape) -> Numbering {
        Numbering::new(shape, self.mirrored, self.names, self.corner).with_capture_sign(self.capture_sign)
    }

    /// Returns the numbers used in JSON: from the top-left square on, but where numbers of a mirrored board run from the
    /// bottom right (Spanish, Portuguese) these.
    pub(super) const fn internal(self, shape: Shape) -> Numbering {
        let own = self.numbering(shape);
        let numbered = matches!(self.names, Names::Numeric);
        let keeps_its_own = numbered && self.mirrored && matches!(self.corner, Corner::BottomRight);
        if keeps_its_own { own } else { own.from_top_left() }
    }

    /// Returns a number that stands for all this, for the rules to keep.
    pub fn code(self) -> u32 {
        let sign = SIGNS.iter().position(|&sign| sign == self.capture_sign).unwrap_or_default();
        let flags = u32::from(self.mirrored) | u32::from(self.international_results) << 1;
        flags | (self.names as u32) << 2 | u32::from(self.corner.digit()) << 4 | (sign as u32) << 6
    }

    /// Returns what a number stands for: the inverse of [`Writing::code`].
    fn decode(code: u32) -> Self {
        Self {
            names: NAMES.get((code >> 2 & 3) as usize).copied().unwrap_or(Names::Numeric),
            corner: CORNERS[(code >> 4 & 3) as usize],
            mirrored: code & 1 == 1,
            capture_sign: SIGNS.get((code >> 6 & 3) as usize).copied().unwrap_or('x'),
            international_results: code >> 1 & 1 == 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_writing_survives_its_number() {
        for &variant in Variant::ALL {
            let writing = Writing::of(variant);
            assert_eq!(Writing::decode(writing.code()), writing, "{variant}");
            assert_eq!(writing.numbering(variant.shape()), Numbering::for_variant(variant), "{variant}");
            assert_eq!(writing.internal(variant.shape()), Numbering::internal(variant), "{variant}");
        }
    }
}
