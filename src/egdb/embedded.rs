//! The tables in the program: 2 to 4 pieces of the five variants that are played most, without distances. There are none
//! without the feature `tables`.

use crate::rules::Variant;

/// Largest number of pieces of a class in the program.
pub(super) const MAX_EMBEDDED: u8 = 4;

/// Number of variants with tables in the program.
pub(super) const EMBEDDED: usize = if cfg!(feature = "tables") { 5 } else { 0 };

/// Each variant with its tables. `data/README.md` has the commands that make the files.
#[cfg(feature = "tables")]
const TABLES: [(Variant, &[u8]); EMBEDDED] = [
    (Variant::INTERNATIONAL, include_bytes!("data/international.egdb")),
    (Variant::ITALIAN, include_bytes!("data/italian.egdb")),
    (Variant::BRAZILIAN, include_bytes!("data/brazilian.egdb")),
    (Variant::RUSSIAN, include_bytes!("data/russian.egdb")),
    (Variant::ENGLISH, include_bytes!("data/english.egdb")),
];

#[cfg(not(feature = "tables"))]
const TABLES: [(Variant, &[u8]); EMBEDDED] = [];

/// Returns the number and the tables of a variant, or for house rules of the variant with the same moves.
pub(super) fn embedded(variant: Variant) -> Option<(usize, &'static [u8])> {
    let has_same_moves =
        |known: Variant| variant == known || variant.is_house() && variant.spec().play_key() == known.spec().play_key();
    let n = TABLES.iter().position(|(known, _)| has_same_moves(*known))?;
    Some((n, TABLES[n].1))
}
