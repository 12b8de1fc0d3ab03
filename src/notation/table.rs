//! What PDN and usage say of each built-in variant: `GameType` number, other names, names of squares, signs. One row per
//! variant, found by its index.

use super::game_type::GameType;
use super::numbering::Numbering;
use crate::board::Corner::{self, BottomLeft, BottomRight, TopLeft};
use crate::board::Names::{self, Algebraic, Numeric};
use crate::board::Side;
use crate::rules::ResultStyle::{self, OnePoint, TwoPoints};
use crate::rules::{Conventions, Variant};

/// The `GameType` number of a set-up position without a variant.
pub(super) const SET_UP: u16 = 99;

/// Names of [`SET_UP`] in place of its number.
const SET_UP_NAMES: [&str; 2] = ["set-up", "setup"];

/// What PDN and usage say of one variant.
struct Row {
    variant: Variant,
    /// Number of the `GameType` tag: PDN 3.0, table of game types; from 96 on, usage.
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
    /// Returns the full `GameType` with a number.
    fn game_type(&self, number: u16) -> GameType {
        let shape = self.variant.shape();
        let (starts, size) = (self.variant.starts(), (shape.width(), shape.height()));
        GameType::full(number, starts, size, (self.names, self.corner), self.mirrored)
    }

    fn is_called(&self, name: &str) -> bool {
        self.variant.name() == name || self.aliases.contains(&name)
    }

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

/// The rows, in the order of [`Variant::ALL`].
const TABLE: &[Row] = &[
    row(Variant::INTERNATIONAL, 20, Numeric, TopLeft).two_points().also(&["polish"]),
    row(Variant::ENGLISH, 21, Numeric, BottomRight).also(&["checkers"]),
    row(Variant::ITALIAN, 22, Numeric, TopLeft).mirrored().also(&["dama"]),
    row(Variant::POOL, 23, Numeric, BottomRight).also(&["american", "poolcheckers"]),
    row(Variant::POOL_UNIFIED, 23, Algebraic, BottomLeft).also(&[
        "unified",
        "unifiedpool",
        "poolunified",
        "zimbabwean",
    ]),
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

// A row is found by the index of its variant.
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

    /// Returns how records of the variant are written; under house rules, as the rules file says.
    pub fn conventions(self) -> Conventions {
        let mut conventions = Conventions::usual(self.shape());
        if let Some(house) = self.house_conventions() {
            conventions = house;
        } else if let Some(row) = self.row() {
            conventions.names = row.names;
            conventions.corner = row.corner.seen_by(self.starts());
            conventions.mirrored = row.mirrored;
            conventions.capture_sign = row.capture_sign;
            conventions.results = row.results;
        }
        conventions
    }

    /// Returns the full `GameType` of the variant, such as `20,W,10,10,N2,0`; `None` if it has no number, such as Killer
    /// draughts and house rules.
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

    /// Returns the full `GameType` of the variant with its squares named by a numbering, as [`Variant::game_type`].
    pub fn game_type_in(self, numbering: Numbering) -> Option<GameType> {
        let number = self.row()?.number?;
        let (starts, size) = (self.starts(), (self.shape().width(), self.shape().height()));
        let notation = (numbering.names(), numbering.corner().seen_by(starts));
        Some(GameType::full(number, starts, size, notation, numbering.is_mirrored()))
    }
}

/// Returns the variant with a `GameType` number; of the three with number 23, American pool.
pub(super) fn by_number(number: u16) -> Option<Variant> {
    TABLE.iter().find(|row| row.number == Some(number)).map(|row| row.variant)
}

/// Returns the `GameType` of a name as people write it. The first word decides; case and punctuation do not matter. A
/// variant without a number gets that of a set-up position.
pub(super) fn by_name(text: &str) -> Option<GameType> {
    let lower = text.trim().to_ascii_lowercase().replace([' ', '_'], "-");
    let joined = lower.replace('-', "");
    let first = lower.split('-').next().unwrap_or_default();
    [lower.as_str(), &joined, first].into_iter().find_map(|name| {
        if SET_UP_NAMES.contains(&name) {
            return Some(GameType::full(SET_UP, Side::White, (10, 10), (Numeric, TopLeft), false));
        }
        let row = TABLE.iter().find(|row| row.is_called(name))?;
        Some(row.game_type(row.number.unwrap_or(SET_UP)))
    })
}
