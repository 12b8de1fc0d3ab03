//! What variants are called and how their squares are named.

use super::game_type::{self, GameType};
use super::numbering::Numbering;
use super::writing::Writing;
use crate::rules::Variant;

impl Numbering {
    /// Returns the names of squares that PDN uses for a variant; of house rules those of the rules file.
    pub fn for_variant(variant: Variant) -> Self {
        Writing::of(variant).numbering(variant.shape())
    }

    /// Returns the numbers that are used in JSON and in numeric texts of algebraic variants: from the top-left square on,
    /// for Spanish and Portuguese their own.
    pub fn internal(variant: Variant) -> Self {
        Writing::of(variant).internal(variant.shape())
    }
}

impl GameType {
    /// Returns the variant that the tag stands for; `None` for 99, a set-up position.
    pub fn variant(self) -> Option<Variant> {
        self.variant_name().and_then(Variant::by_name)
    }
}

/// Finds a variant by anything a user may call it: its name, a `GameType` number or value.
///
/// # Examples
///
/// ```
/// use pdn::notation::variant_by_name;
/// use pdn::rules::Variant;
///
/// assert_eq!(variant_by_name("Russian"), Some(Variant::RUSSIAN));
/// assert_eq!(variant_by_name("23"), Some(Variant::POOL));
/// assert_eq!(variant_by_name("23,B,8,8,A1,1"), Some(Variant::JAMAICAN));
/// ```
pub fn variant_by_name(text: &str) -> Option<Variant> {
    Variant::by_name(text.trim()).or_else(|| GameType::parse(text).ok().and_then(GameType::variant))
}

/// Returns the full `GameType` of a variant, such as `20,W,10,10,N2,0`; `None` for one that has no
/// number, such as house rules.
pub fn full_game_type(variant: Variant) -> Option<GameType> {
    if variant.is_house() { None } else { game_type::full_game_type(variant.name()) }
}

/// Whether results of a variant are written `2-0 1-1 0-2` rather than `1-0 1/2-1/2 0-1`.
pub fn has_international_results(variant: Variant) -> bool {
    Writing::of(variant).international_results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_names_for_all_its_squares() {
        for &variant in Variant::ALL {
            for numbering in [Numbering::for_variant(variant), Numbering::internal(variant)] {
                assert_eq!(numbering.shape(), variant.shape(), "{variant}");
            }
            assert!(game_type::Entry::by_variant(variant.name()).is_some(), "{variant}");
            if let Some(game_type) = full_game_type(variant) {
                assert_eq!(game_type.variant(), Some(variant));
                assert_eq!(game_type.start(), Some(variant.starts()));
                assert_eq!(GameType::parse(&game_type.to_string()).unwrap(), game_type);
            }
        }
    }

    #[test]
    fn names_are_found_in_any_case() {
        for &variant in Variant::ALL {
            assert_eq!(variant_by_name(variant.name()), Some(variant));
            assert_eq!(variant_by_name(&variant.name().to_uppercase()), Some(variant));
        }
        assert_eq!(variant_by_name("99"), None);
        assert_eq!(variant_by_name("chess"), None);
    }
}
