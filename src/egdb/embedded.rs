//! The tables in the program: 2 to 4 pieces of the five variants that are played most, without distances.

use crate::rules::Variant;

/// Each variant with its tables. `data/README.md` has the commands that make the files.
const TABLES: [(Variant, &[u8]); 5] = [
    (Variant::INTERNATIONAL, include_bytes!("data/international.egdb")),
    (Variant::ITALIAN, include_bytes!("data/italian.egdb")),
    (Variant::BRAZILIAN, include_bytes!("data/brazilian.egdb")),
    (Variant::RUSSIAN, include_bytes!("data/russian.egdb")),
    (Variant::ENGLISH, include_bytes!("data/english.egdb")),
];

/// Returns the tables of a variant, or of one with the same moves.
pub(super) fn embedded(variant: Variant) -> Option<&'static [u8]> {
    let key = variant.spec().play_key();
    TABLES.iter().find(|(known, _)| known.spec().play_key() == key).map(|&(_, bytes)| bytes)
}
