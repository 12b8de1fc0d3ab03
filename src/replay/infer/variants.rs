//! Prior knowledge about the variants: how common they are, which words in tags point to them, which of them are played alike,
//! and which square names they are written with.

use std::sync::LazyLock;

use crate::board::{Corner, Names, Shape};
use crate::notation::Numbering;
use crate::rules::{Goal, RuleSpec, Variant};

/// Number of built-in variants.
const COUNT: usize = Variant::ALL.len();

/// How likely a variant is before any game is read.
struct Prior {
    variant: Variant,
    /// How much rarer its records are than those of International draughts, in thousandths of a natural logarithm of
    /// odds.
    rarity: i64,
    /// Words in tags that point to it, in lower case.
    words: &'static [&'static str],
    known_by: KnownBy,
}

/// What can distinguish a variant from more common ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KnownBy {
    /// Its moves.
    Moves,
    /// How its games end; until then, their moves are those of a more common variant.
    Results,
    /// Only a word in a tag: all its moves are legal in a more common variant, with the same results.
    Words,
}

const fn prior(variant: Variant, rarity: i64, words: &'static [&'static str]) -> Prior {
    Prior { variant, rarity, words, known_by: KnownBy::Moves }
}

/// The variants in the order of [`Variant::ALL`].
const PRIORS: [Prior; COUNT] = [
    prior(Variant::INTERNATIONAL, 0, &[]),
    prior(Variant::ENGLISH, 300, &["checkers", "english", "3-move", "gayp"]),
    prior(Variant::ITALIAN, 1200, &["italia", "dama ", "campionato", "bianco", "luogo"]),
    prior(Variant::POOL, 2200, &["pool", "apca"]),
    prior(Variant::POOL_UNIFIED, 3300, &["zimbabw", "unified"]),
    prior(Variant::JAMAICAN, 4000, &["jamaic"]),
    prior(Variant::SPANISH, 2000, &["españ", "espan", "spain", "spanish", "blancas"]),
    prior(Variant::RUSSIAN, 300, &["russia", "росси", "ссср", "шашк", "москв", "draughts-64"]),
    prior(Variant::BRAZILIAN, 1000, &["brasil", "brazil", "brancas", "torneio"]),
    prior(Variant::CANADIAN, 3000, &["canad", "québec", "quebec", "montr"]),
    prior(Variant::PORTUGUESE, 2800, &["portug", "lisboa", "brancas"]),
    prior(Variant::CZECH, 2800, &["czech", "česk", "cesk", "praha", "prague", "brno"]),
    prior(Variant::TURKISH, 3000, &["turk", "türk", "ankara"]),
    prior(Variant::THAI, 3000, &["thai", "makhos", "bangkok"]),
    prior(Variant::FRISIAN, 2500, &["fries", "frysk", "fryske", "frisian"]),
    prior(Variant::SPANTSIRETTI, 4000, &[]),
    Prior { known_by: KnownBy::Words, ..prior(Variant::KILLER, 3500, &["killer"]) },
    Prior { known_by: KnownBy::Results, ..prior(Variant::BREAKTHROUGH, 4600, &["breakthrough"]) },
    Prior {
        known_by: KnownBy::Results,
        ..prior(Variant::ANTIDRAUGHTS, 4700, &["antid", "giveaway", "поддавки", "poddavki"])
    },
    prior(Variant::FRYSK, 5000, &["frysk!"]),
];

/// A variant rarer than this is not inferred from a few moves.
const COMMON: i64 = 2000;

const _: () = {
    let mut n = 0;
    while n < COUNT {
        let index = PRIORS[n].variant.index();
        assert!(matches!(index, Some(index) if index == n), "the priors are not in the order of the variants");
        n += 1;
    }
};

fn prior_of(variant: Variant) -> Option<&'static Prior> {
    const { &PRIORS }.get(variant.index()?)
}

/// Returns how much rarer records of a variant are than those of International draughts.
pub(super) fn rarity(variant: Variant) -> i64 {
    prior_of(variant).map_or(0, |prior| prior.rarity)
}

/// Returns true if a variant is so common that a few moves are enough to infer it.
pub(super) fn is_common(variant: Variant) -> bool {
    rarity(variant) <= COMMON
}

/// Returns what can distinguish a variant from more common ones.
pub(super) fn known_by(variant: Variant) -> KnownBy {
    prior_of(variant).map_or(KnownBy::Moves, |prior| prior.known_by)
}

/// Returns the variants that words in a text point to, in any case.
pub(super) fn named_in(text: &str) -> VariantSet {
    type Word = (Variant, &'static str);
    static BY_FIRST_BYTE: LazyLock<[Vec<Word>; 256]> = LazyLock::new(|| {
        let mut words = [const { Vec::new() }; 256];
        for prior in const { &PRIORS } {
            for word in prior.words {
                words[usize::from(word.as_bytes()[0])].push((prior.variant, *word));
            }
        }
        words
    });

    // Most values are ASCII, and need no copy in lower case.
    let lower = (!text.is_ascii()).then(|| text.to_lowercase());
    let bytes = lower.as_deref().unwrap_or(text).as_bytes();
    let mut named = VariantSet::default();
    for (n, byte) in bytes.iter().enumerate() {
        for (variant, word) in &BY_FIRST_BYTE[usize::from(byte.to_ascii_lowercase())] {
            let part = bytes.get(n..n + word.len());
            if part.is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes())) {
                named.insert(*variant);
            }
        }
    }
    named
}

/// The parts of a variant's rules that matter to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    /// The rules of kings: one appeared, or could have appeared.
    pub(super) kings: bool,
    /// The starting position.
    pub(super) start: bool,
}

impl Scope {
    const ALL: [Self; 4] = [
        Self { kings: false, start: false },
        Self { kings: true, start: false },
        Self { kings: false, start: true },
        Self { kings: true, start: true },
    ];

    const fn index(self) -> usize {
        self.kings as usize + 2 * self.start as usize
    }
}

/// For each scope, the same number for all variants whose rules give a game the same legal moves and the same side without a
/// move at its end; who wins by that may differ.
pub(super) struct KindsOfPlay([[usize; COUNT]; 4]);

impl KindsOfPlay {
    pub(super) fn get() -> &'static Self {
        static KINDS: LazyLock<KindsOfPlay> = LazyLock::new(|| {
            let first = |n: usize, scope: Scope| {
                let is_alike = |other: &Variant| is_played_like(other.spec(), Variant::ALL[n].spec(), scope);
                Variant::ALL.iter().position(is_alike).unwrap_or(n)
            };
            KindsOfPlay(Scope::ALL.map(|scope| std::array::from_fn(|n| first(n, scope))))
        });
        &KINDS
    }

    pub(super) fn are_alike(&self, a: Variant, b: Variant, scope: Scope) -> bool {
        let kind = |variant: Variant| variant.index().map(|index| self.0[scope.index()][index]);
        kind(a) == kind(b)
    }
}

fn is_played_like(a: &RuleSpec<'_>, b: &RuleSpec<'_>, scope: Scope) -> bool {
    // Names all fields, so that a new one cannot be forgotten here.
    let key = |spec: &RuleSpec<'_>| {
        let RuleSpec {
            name: _,
            draws: _,
            shape,
            starts,
            start_rows,
            man_moves,
            man_captures,
            men_take_kings,
            king_range,
            king_landing,
            removal,
            may_turn_back,
            promotion,
            precedence,
            goal,
            king_move_limit,
        } = *spec;
        let men = (shape, starts, man_moves, man_captures, men_take_kings, king_range);
        let captures = (removal, may_turn_back, promotion, precedence);
        let kings = (king_landing, king_move_limit, goal == Goal::FirstKing);
        (men, captures, scope.kings.then_some(kings), scope.start.then_some(start_rows))
    };
    key(a) == key(b)
}

/// The square names that take part.
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
    pub(super) fn of(self, variant: Variant, letters: bool) -> impl Iterator<Item = Numbering> {
        let own = Numbering::for_variant(variant);
        let read_by_own = Self::read_by_own(own, letters);
        let from_bottom_left = read_by_own.with_corner(Corner::BottomLeft);
        let is_second_usual = !letters && own.is_algebraic() && own.shape() == Shape::dark(8, 8) && !own.is_mirrored();
        let usual = [Some(own), is_second_usual.then_some(from_bottom_left)];
        let corners = Corner::ALL.into_iter().map(move |corner| read_by_own.with_corner(corner));
        let unusual = corners
            .filter(move |&numbering| numbering != read_by_own && !(is_second_usual && numbering == from_bottom_left));
        let is_usual = self == Self::Usual;
        usual.into_iter().flatten().filter(move |_| is_usual).chain(unusual.filter(move |_| !is_usual))
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

/// A set of built-in variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct VariantSet(u32);

const _: () = assert!(COUNT <= u32::BITS as usize, "a set of variants has a bit for each");

impl VariantSet {
    pub(super) fn insert(&mut self, variant: Variant) {
        self.0 |= Self::bit(variant);
    }

    pub(super) const fn add_all(&mut self, others: Self) {
        self.0 |= others.0;
    }

    pub(super) fn contains(self, variant: Variant) -> bool {
        self.0 & Self::bit(variant) != 0
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the variants in the order of [`Variant::ALL`].
    pub(super) fn iter(self) -> impl Iterator<Item = Variant> {
        Variant::ALL.iter().copied().filter(move |&variant| self.contains(variant))
    }

    fn bit(variant: Variant) -> u32 {
        variant.index().map_or(0, |index| 1 << index)
    }
}

impl FromIterator<Variant> for VariantSet {
    fn from_iter<T: IntoIterator<Item = Variant>>(variants: T) -> Self {
        let mut set = Self::default();
        variants.into_iter().for_each(|variant| set.insert(variant));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<&'static str> {
        named_in(text).iter().map(Variant::name).collect()
    }

    #[test]
    fn words_are_found_in_any_case() {
        assert_eq!(named("KILLER Open"), ["killer"]);
        assert_eq!(named("Чемпионат РОССИИ"), ["russian"]);
        assert_eq!(named("Torneio das Brancas"), ["brazilian", "portuguese"]);
        assert_eq!(named("Frysk!"), ["frisian", "frysk"]);
        assert!(named("Las Vegas").is_empty() && named("").is_empty());
    }

    #[test]
    fn variants_with_the_same_legal_moves_are_played_alike() {
        let kinds = KindsOfPlay::get();
        let alike = |kings: bool, a: Variant, b: Variant| kinds.are_alike(a, b, Scope { kings, start: true });
        let international = Variant::INTERNATIONAL;
        assert!(alike(true, international, Variant::ANTIDRAUGHTS));
        assert!(alike(true, Variant::SPANISH, Variant::PORTUGUESE));
        for other in [Variant::KILLER, Variant::BREAKTHROUGH] {
            assert!(alike(false, international, other) && !alike(true, international, other), "{other}");
        }
        for other in [Variant::FRISIAN, Variant::CANADIAN, Variant::BRAZILIAN] {
            assert!(!alike(false, international, other), "{other}");
        }
    }
}
