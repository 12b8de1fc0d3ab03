//! Material classes: the pieces on the board, seen from the side to move.

use std::fmt;
use std::str::FromStr;

/// Maximum number of pieces of a class.
pub const MAX_PIECES: u8 = 7;

/// The pieces of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Force {
    men: u8,
    kings: u8,
}

impl Force {
    /// Returns the pieces of a side.
    pub const fn new(men: u8, kings: u8) -> Self {
        Self { men, kings }
    }

    /// Returns the number of men.
    pub const fn men(self) -> u8 {
        self.men
    }

    /// Returns the number of kings.
    pub const fn kings(self) -> u8 {
        self.kings
    }

    /// Returns the number of pieces.
    pub const fn pieces(self) -> u8 {
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
/// A position with Black to move belongs to the class of the position with exchanged colours, so each class is counted once.
/// As text, `MKvM` is a man and a king of the side to move against a man.
///
/// # Examples
///
/// ```
/// use pdn::egdb::Material;
///
/// let material: Material = "MKvM".parse()?;
/// assert_eq!((material.pieces(), material.men()), (3, 2));
/// assert_eq!(material.mirrored().to_string(), "MvMK");
/// # Ok::<(), pdn::egdb::ParseMaterialError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    own: Force,
    their: Force,
}

impl Material {
    /// Returns a class from the pieces of the side to move and those of its opponent.
    pub const fn new(own: Force, their: Force) -> Self {
        Self { own, their }
    }

    /// Returns the pieces of the side to move.
    pub const fn own(self) -> Force {
        self.own
    }

    /// Returns the pieces of the opponent of the side to move.
    pub const fn their(self) -> Force {
        self.their
    }

    /// Returns the class of the same pieces with the other side to move.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self { own: self.their, their: self.own }
    }

    /// Returns true if both sides have the same pieces, so that the class is its own mirror.
    pub fn is_symmetric(self) -> bool {
        self.own == self.their
    }

    /// Returns the number of pieces of both sides.
    pub const fn pieces(self) -> u8 {
        self.own.pieces() + self.their.pieces()
    }

    /// Returns the number of men of both sides.
    pub const fn men(self) -> u8 {
        self.own.men + self.their.men
    }

    /// Returns the number of kings of both sides.
    pub const fn kings(self) -> u8 {
        self.own.kings + self.their.kings
    }

    /// Returns the class and its mirror; a class that is its own mirror alone.
    pub fn pair(self) -> impl Iterator<Item = Self> {
        [self, self.mirrored()].into_iter().take(2 - usize::from(self.is_symmetric()))
    }

    /// Returns a class of each pair of mirrored classes with this number of pieces and of men: the one whose side to move is
    /// stronger.
    pub fn pairs(pieces: u8, men: u8) -> Vec<Self> {
        let own = (1..pieces).flat_map(|own| (0..=own.min(men)).map(move |own_men| (own, own_men)));
        let class = |(own, own_men): (u8, u8)| {
            let (their, their_men) = (pieces - own, men - own_men);
            (their_men <= their)
                .then(|| Self::new(Force::new(own_men, own - own_men), Force::new(their_men, their - their_men)))
        };
        own.filter_map(class).filter(|class| class.leader() == *class).collect()
    }

    /// Returns the class whose side to move is stronger: the class or its mirror.
    #[must_use]
    pub(super) fn leader(self) -> Self {
        if self.strength() >= self.mirrored().strength() { self } else { self.mirrored() }
    }

    fn strength(self) -> (u8, u8) {
        (self.own.pieces(), self.own.kings)
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

/// The error of reading a [`Material`] from text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseMaterialError;

impl fmt::Display for ParseMaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected the pieces of both sides, such as MKvM")
    }
}

impl std::error::Error for ParseMaterialError {}

impl FromStr for Material {
    type Err = ParseMaterialError;

    fn from_str(text: &str) -> Result<Self, ParseMaterialError> {
        let (own, their) = text.split_once('v').ok_or(ParseMaterialError)?;
        let material = Self::new(force(own)?, force(their)?);
        if material.pieces() > MAX_PIECES { Err(ParseMaterialError) } else { Ok(material) }
    }
}

fn force(letters: &str) -> Result<Force, ParseMaterialError> {
    let men = letters.bytes().take_while(|letter| *letter == b'M').count();
    let kings = letters.len() - men;
    let is_valid =
        (1..usize::from(MAX_PIECES)).contains(&letters.len()) && letters.bytes().skip(men).all(|b| b == b'K');
    if is_valid { Ok(Force::new(men as u8, kings as u8)) } else { Err(ParseMaterialError) }
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
    fn classes_survive_their_text() {
        for class in (0..=4).flat_map(|men| Material::pairs(4, men)) {
            assert_eq!(class.to_string().parse(), Ok(class));
        }
        for text in ["", "v", "MvX", "KMvM", "Mv", "MMMMvMMMM", "M-M", "MMMMMMMv"] {
            assert_eq!(text.parse::<Material>(), Err(ParseMaterialError), "{text}");
        }
    }
}
