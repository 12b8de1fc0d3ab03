//! The names of squares that a variant may be written in.

use crate::board::{Corner, Names, Shape};
use crate::notation::Numbering;
use crate::rules::Variant;

/// Which names of squares take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// Those in use: the variant's own, the other kind, numbers or letters, from its usual corner, and on small boards
    /// with letters numbers from the bottom left too.
    Usual,
    /// Numbers and letters from the other corners.
    Unusual,
}

impl Naming {
    /// Returns the names of squares of a variant in letters or numbers.
    pub(super) fn of(self, variant: Variant, letters: bool) -> Vec<Numbering> {
        let own = Numbering::for_variant(variant);
        let read_by_own = Self::read_by_own(own, letters);
        let from_bottom_left = read_by_own.with_corner(Corner::BottomLeft);
        let is_second_usual = !letters && own.is_algebraic() && own.shape() == Shape::dark(8, 8) && !own.is_mirrored();
        match self {
            Self::Usual if is_second_usual => vec![own, from_bottom_left],
            Self::Usual => vec![own],
            Self::Unusual => {
                let corners = Corner::ALL.into_iter().map(|corner| read_by_own.with_corner(corner));
                let is_new = |&numbering: &Numbering| {
                    numbering != read_by_own && !(is_second_usual && numbering == from_bottom_left)
                };
                corners.filter(is_new).collect()
            }
        }
    }

    /// Returns the letters or numbers that a numbering reads: its own ones, or those from the usual corner.
    fn read_by_own(own: Numbering, letters: bool) -> Numbering {
        if own.is_algebraic() == letters {
            return own;
        }
        let names = if letters { Names::Algebraic } else { Names::Numeric };
        Numbering::new(own.shape(), own.is_mirrored(), names, own.corner())
            .with_capture_sign(own.capture_sign())
            .from_usual_corner()
    }
}
