//! Material classes: the pieces on the board, seen from the side to move.

use std::fmt;

use serde::Serialize;

/// Maximum number of pieces of a class.
pub(crate) const MAX_PIECES: u8 = 7;

/// The pieces of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub(crate) struct Force {
    pub(crate) men: u8,
    pub(crate) kings: u8,
}

impl Force {
    /// Returns the number of pieces.
    pub(crate) const fn pieces(self) -> u8 {
        self.men + self.kings
    }
}

impl fmt::Display for Force {
    /// Writes a letter for each piece, such as `MMK`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (men, kings) = (usize::from(self.men), usize::from(self.kings));
        write!(f, "{}{}", "M".repeat(men), "K".repeat(kings))
    }
}

/// A material class: the pieces of the side to move and those of its opponent.
///
/// A position with Black to move belongs to the class of the position with colours exchanged, so each class is counted
/// once. As text, `MKvM` is a man and a king of the side to move against a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Material {
    /// The pieces of the side to move.
    pub(crate) own: Force,
    /// The pieces of its opponent.
    pub(crate) their: Force,
}

impl Material {
    /// Returns the class of the same pieces with the other side to move.
    #[must_use]
    pub(super) const fn mirrored(self) -> Self {
        Self { own: self.their, their: self.own }
    }

    /// Returns the number of pieces of both sides.
    pub(crate) const fn pieces(self) -> u8 {
        self.own.pieces() + self.their.pieces()
    }

    /// Returns the number of men of both sides.
    pub(super) const fn men(self) -> u8 {
        self.own.men + self.their.men
    }

    /// Returns the number of kings of both sides.
    pub(super) const fn kings(self) -> u8 {
        self.own.kings + self.their.kings
    }

    /// Returns the class and its mirror; only the class if it is its own mirror.
    pub(super) fn pair(self) -> impl Iterator<Item = Self> {
        [self, self.mirrored()].into_iter().take(2 - usize::from(self.own == self.their))
    }

    /// Returns one class of each pair of mirrored classes with these numbers of pieces and men: the one whose side to
    /// move is stronger.
    pub(super) fn pairs(pieces: u8, men: u8) -> Vec<Self> {
        let own = (1..pieces).flat_map(|own| (0..=own.min(men)).map(move |own_men| (own, own_men)));
        let class = |(own, own_men): (u8, u8)| {
            let (their, their_men) = (pieces - own, men - own_men);
            let force = |men, pieces| Force { men, kings: pieces - men };
            (their_men <= their).then(|| Self { own: force(own_men, own), their: force(their_men, their) })
        };
        own.filter_map(class).filter(|class| class.leader() == *class).collect()
    }

    /// Returns the class whose side to move is stronger: the class or its mirror.
    #[must_use]
    pub(super) fn leader(self) -> Self {
        let strength = |force: Force| (force.pieces(), force.kings);
        if strength(self.own) >= strength(self.their) { self } else { self.mirrored() }
    }

    /// Returns true if a game can come from a position of another class, or of its mirror, to one of this class or its mirror, by
    /// captures and promotions.
    #[cfg(feature = "engine")]
    pub(super) fn follows(self, other: Self) -> bool {
        let remains = |left: Force, of: Force| left.men <= of.men && left.pieces() <= of.pieces();
        other.pair().any(|other| remains(self.own, other.own) && remains(self.their, other.their))
    }

    /// Returns an index of the class, below [`Material::KEYS`].
    pub(super) fn key(self) -> usize {
        let digit = |key: usize, count: u8| key * (usize::from(MAX_PIECES) + 1) + usize::from(count);
        [self.own.men, self.own.kings, self.their.men, self.their.kings].into_iter().fold(0, digit)
    }

    /// Number of values of [`Material::key`].
    pub(super) const KEYS: usize = (MAX_PIECES as usize + 1).pow(4);
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.own, self.their)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_belongs_to_one_pair() {
        for pieces in 2..=MAX_PIECES {
            let pairs: Vec<_> = (0..=pieces).flat_map(|men| Material::pairs(pieces, men)).collect();
            let mut classes: Vec<_> = pairs.iter().flat_map(|class| class.pair()).collect();
            let count = classes.len();
            classes.sort_unstable();
            classes.dedup();
            assert_eq!(classes.len(), count, "{pieces}");
            let expected: usize = (1..usize::from(pieces)).map(|own| (own + 1) * (usize::from(pieces) - own + 1)).sum();
            assert_eq!(count, expected, "{pieces}");
        }
    }

    #[test]
    fn a_class_is_named_by_its_pieces() {
        let class = Material { own: Force { men: 1, kings: 1 }, their: Force { men: 1, kings: 0 } };
        assert_eq!((class.pieces(), class.men()), (3, 2));
        assert_eq!([class.to_string(), class.mirrored().to_string()], ["MKvM", "MvMK"]);
    }
}
