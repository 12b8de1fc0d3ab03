//! Reading the name of a variant, and the names of its squares.

use std::fmt;
use std::str::FromStr;

use super::game_type::GameType;
use super::numbering::Numbering;
use crate::board::{Corner, Names};
use crate::rules::Variant;

impl Numbering {
    /// Returns the names of squares that PDN uses for a variant; under house rules, those of the rules file.
    pub fn for_variant(variant: Variant) -> Self {
        let conventions = variant.conventions();
        Self::new(variant.shape(), conventions.mirrored, conventions.names, conventions.corner)
            .with_capture_sign(conventions.capture_sign)
    }

    /// Returns the numbers used in JSON and in numeric texts of algebraic variants: from the top-left square, but for Spanish
    /// and Portuguese draughts, whose own numbers run from the bottom right of a mirrored board, those.
    pub fn internal(variant: Variant) -> Self {
        let own = Self::for_variant(variant);
        let keeps_own = own.names() == Names::Numeric && own.is_mirrored() && own.corner() == Corner::BottomRight;
        if keeps_own { own } else { own.from_top_left() }
    }
}

/// The error of reading a [`Variant`] from text that names none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVariant {
    text: String,
}

impl UnknownVariant {
    /// Returns the text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown variant `{}`", self.text)
    }
}

impl std::error::Error for UnknownVariant {}

impl FromStr for Variant {
    type Err = UnknownVariant;

    /// Reads anything a user may call a built-in variant: its name, a usual other name, a `GameType` number or value.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::Variant;
    ///
    /// assert_eq!("Russian".parse(), Ok(Variant::RUSSIAN));
    /// assert_eq!("23".parse(), Ok(Variant::POOL));
    /// assert_eq!("23,B,8,8,A1,1".parse(), Ok(Variant::JAMAICAN));
    /// assert_eq!("ludo".parse::<Variant>().unwrap_err().to_string(), "unknown variant `ludo`");
    /// ```
    fn from_str(text: &str) -> Result<Self, UnknownVariant> {
        let by_game_type = || GameType::parse(text).ok().and_then(GameType::variant);
        Self::by_name(text.trim()).or_else(by_game_type).ok_or_else(|| UnknownVariant { text: text.to_owned() })
    }
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
            if let Some(game_type) = variant.game_type() {
                assert_eq!(game_type.variant(), Some(variant));
                assert_eq!(game_type.start(), Some(variant.starts()));
                assert_eq!(GameType::parse(&game_type.to_string()).unwrap(), game_type);
            }
        }
    }

    #[test]
    fn names_are_read_in_any_case() {
        for &variant in Variant::ALL {
            assert_eq!(variant.name().parse(), Ok(variant));
            assert_eq!(variant.name().to_uppercase().parse(), Ok(variant));
        }
        assert!("99".parse::<Variant>().is_err() && "chess".parse::<Variant>().is_err());
    }
}
