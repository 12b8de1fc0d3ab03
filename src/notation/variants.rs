//! The names of built-in variants, and their notation in PDN and common usage: `GameType` number, square names, signs.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::game_type::{GameType, GameTypeError};
use super::numbering::Numbering;
use crate::board::Corner::{self, BottomLeft, BottomRight, TopLeft};
use crate::board::Names::{self, Algebraic, Numeric};
use crate::board::Side;
use crate::error::ParseError;
use crate::rules::ResultStyle::{self, OnePoint, TwoPoints};
use crate::rules::{Conventions, Variant};

impl Numbering {
    /// Returns the names of squares that PDN uses for a variant; under house rules, those of the rules file.
    pub fn for_variant(variant: Variant) -> Self {
        let conventions = variant.conventions();
        Self::new(variant.shape(), conventions.mirrored, conventions.names, conventions.corner)
            .with_capture_sign(conventions.capture_sign)
    }

    /// Returns the numbers used in JSON and in numeric texts of algebraic variants: counted from the top-left square,
    /// except that Spanish and Portuguese draughts keep their own numbers, which run from the bottom right of a
    /// mirrored board.
    pub fn internal(variant: Variant) -> Self {
        let own = Self::for_variant(variant);
        let keeps_own = own.names() == Names::Numeric && own.is_mirrored() && own.corner() == Corner::BottomRight;
        if keeps_own { own } else { own.at_top_left() }
    }
}

/// Writes the name.
impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reads what [`FromStr`] reads.
impl<'de> Deserialize<'de> for Variant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl FromStr for Variant {
    type Err = ParseError;

    /// Reads anything a user may call a built-in variant: its name, a common alias, a `GameType` number or value.
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
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let by_game_type = || text.parse::<GameType>().ok().and_then(GameType::variant);
        Self::by_name(text.trim()).or_else(by_game_type).ok_or_else(|| {
            ParseError::new(if is_american(text) {
                GameTypeError::American(text.to_owned()).to_string()
            } else {
                format!("unknown variant `{text}`")
            })
        })
    }
}

/// The `GameType` number of a set-up position without a variant.
pub(super) const SET_UP: u16 = 99;

/// Names of [`SET_UP`] in place of its number.
const SET_UP_NAMES: [&str; 2] = ["set-up", "setup"];

/// The notation of one variant in PDN and common usage.
struct Row {
    variant: Variant,
    /// Number of the `GameType` tag: PDN 3.0, table of game types; from 96 on, common usage.
    number: Option<u16>,
    names: Names,
    /// Corner of the first square, as in the `GameType` tag: seen by the side that starts.
    corner: Corner,
    mirrored: bool,
    capture_sign: char,
    results: ResultStyle,
    /// Other names, found in `GameType` tags and on command lines.
    aliases: &'static [&'static str],
}

const fn row(variant: Variant, number: u16, names: Names, corner: Corner) -> Row {
    let number = Some(number);
    Row { variant, number, names, corner, mirrored: false, capture_sign: 'x', results: OnePoint, aliases: &[] }
}

impl Row {
    const fn mirrored(self) -> Self {
        Self { mirrored: true, ..self }
    }

    const fn captures_with(self, capture_sign: char) -> Self {
        Self { capture_sign, ..self }
    }

    const fn two_points(self) -> Self {
        Self { results: TwoPoints, ..self }
    }

    const fn without_number(self) -> Self {
        Self { number: None, ..self }
    }

    const fn also(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }
}

const POOL_UNIFIED: &[&str] = &["unified", "unifiedpool", "poolunified", "zimbabwean"];

/// The rows, in the order of [`Variant::ALL`].
const TABLE: &[Row] = &[
    row(Variant::INTERNATIONAL, 20, Numeric, TopLeft).two_points().also(&["polish"]),
    row(Variant::ENGLISH, 21, Numeric, BottomRight).also(&["checkers", "americancheckers", "angloamerican"]),
    row(Variant::ITALIAN, 22, Numeric, TopLeft).mirrored().also(&["dama"]),
    row(Variant::POOL, 23, Numeric, BottomRight).also(&["americanpool", "americanpoolcheckers", "poolcheckers"]),
    row(Variant::POOL_UNIFIED, 23, Algebraic, BottomLeft).also(POOL_UNIFIED),
    row(Variant::JAMAICAN, 23, Algebraic, BottomRight).mirrored(),
    row(Variant::SPANISH, 24, Numeric, BottomRight).mirrored().also(&["damas"]),
    row(Variant::RUSSIAN, 25, Algebraic, BottomLeft).captures_with(':').also(&["shashki"]),
    row(Variant::BRAZILIAN, 26, Algebraic, BottomLeft).also(&["braziliaans"]),
    row(Variant::CANADIAN, 27, Numeric, TopLeft).two_points(),
    row(Variant::PORTUGUESE, 28, Numeric, BottomRight).mirrored().also(&["portugese"]),
    row(Variant::CZECH, 29, Algebraic, BottomLeft),
    row(Variant::TURKISH, 30, Algebraic, BottomLeft),
    row(Variant::THAI, 31, Numeric, TopLeft).captures_with('-').also(&["makhos"]),
    row(Variant::FRISIAN, 40, Numeric, TopLeft).also(&["frysian"]),
    row(Variant::SPANTSIRETTI, 41, Algebraic, BottomLeft).captures_with(':').also(&["spancirety"]),
    row(Variant::KILLER, 0, Numeric, TopLeft).without_number(),
    row(Variant::BREAKTHROUGH, 96, Numeric, TopLeft),
    row(Variant::ANTIDRAUGHTS, 98, Numeric, TopLeft).also(&["giveaway", "antidraught"]),
    row(Variant::FRYSK, 97, Numeric, TopLeft).also(&["frysk!"]),
];

// A row is found by the index of its variant, so a variant without a row does not compile.
const _: () = {
    assert!(TABLE.len() == Variant::ALL.len());
    let mut n = 0;
    while n < TABLE.len() {
        assert!(matches!(TABLE[n].variant.index(), Some(index) if index == n));
        n += 1;
    }
};

impl Variant {
    fn row(self) -> Option<&'static Row> {
        TABLE.get(self.index()?)
    }

    /// Returns the conventions for records of the variant; under house rules, those of the rules file.
    pub(crate) fn conventions(self) -> Conventions {
        let Some(row) = self.row() else {
            return self.house_conventions().expect("a built-in variant has a row");
        };
        Conventions {
            names: row.names,
            corner: row.corner.seen_by(self.starts()),
            mirrored: row.mirrored,
            capture_sign: row.capture_sign,
            results: row.results,
        }
    }

    /// Returns the full `GameType` of the variant, such as `20,W,10,10,N2,0`; `None` if it has no number, as in Killer
    /// draughts and under house rules.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::Variant;
    ///
    /// assert_eq!(Variant::ITALIAN.game_type().unwrap().to_string(), "22,W,8,8,N2,1");
    /// assert_eq!(Variant::KILLER.game_type(), None);
    /// ```
    pub fn game_type(self) -> Option<GameType> {
        self.game_type_in(Numbering::for_variant(self))
    }

    /// Returns the tag that names the variant in records: its full `GameType`, or `Variant` with its name if it has no number.
    pub(crate) fn tag(self) -> (&'static str, String) {
        match self.game_type() {
            Some(game_type) => ("GameType", game_type.to_string()),
            None => ("Variant", self.name().to_owned()),
        }
    }

    /// Returns the full `GameType` of the variant with its squares named by a numbering, as [`Variant::game_type`].
    pub(crate) fn game_type_in(self, numbering: Numbering) -> Option<GameType> {
        let number = self.row()?.number?;
        let (starts, size) = (self.starts(), (self.shape().width(), self.shape().height()));
        let notation = (numbering.names(), numbering.corner().seen_by(starts));
        Some(GameType::full(number, starts, size, notation, numbering.is_mirrored()))
    }
}

/// Returns true for the name that means checkers to most, and American pool to its players.
pub(super) fn is_american(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case("american")
}

/// Returns the variant with a `GameType` number; of the three with number 23, American pool.
pub(super) fn by_number(number: u16) -> Option<Variant> {
    TABLE.iter().find(|row| row.number == Some(number)).map(|row| row.variant)
}

/// Returns the `GameType` of a name as people write it. The first word decides; case and punctuation are ignored. A
/// variant without a number gets that of a set-up position.
pub(super) fn by_name(text: &str) -> Option<GameType> {
    let lower = text.trim().to_ascii_lowercase().replace([' ', '_'], "-");
    let joined = lower.replace('-', "");
    let first = lower.split('-').next().unwrap_or_default();
    // `Pool unified` is found as `pool-unified`, `Pool checkers` as `poolcheckers`, `Brazilian draughts` as
    // `brazilian`.
    [lower.as_str(), &joined, first].into_iter().find_map(|name| {
        if SET_UP_NAMES.contains(&name) {
            return Some(GameType::full(SET_UP, Side::White, (10, 10), (Numeric, TopLeft), false));
        }
        let row = TABLE.iter().find(|row| row.variant.name() == name || row.aliases.contains(&name))?;
        let (starts, shape) = (row.variant.starts(), row.variant.shape());
        let (size, names) = ((shape.width(), shape.height()), (row.names, row.corner));
        Some(GameType::full(row.number.unwrap_or(SET_UP), starts, size, names, row.mirrored))
    })
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
                assert_eq!(game_type.to_string().parse::<GameType>().unwrap(), game_type);
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
