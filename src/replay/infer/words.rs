//! How common variants are, and which words in tags point to them.

use crate::notation::english_tag;
use crate::pdn::{GameTree, Tag};
use crate::rules::Variant;

/// The built-in variants, the most common in records first.
const BY_FREQUENCY: [Variant; Variant::ALL.len()] = [
    Variant::INTERNATIONAL,
    Variant::ENGLISH,
    Variant::RUSSIAN,
    Variant::BRAZILIAN,
    Variant::ITALIAN,
    Variant::SPANISH,
    Variant::POOL,
    Variant::FRISIAN,
    Variant::PORTUGUESE,
    Variant::CZECH,
    Variant::CANADIAN,
    Variant::TURKISH,
    Variant::THAI,
    Variant::POOL_UNIFIED,
    Variant::KILLER,
    Variant::JAMAICAN,
    Variant::SPANTSIRETTI,
    Variant::BREAKTHROUGH,
    Variant::ANTIDRAUGHTS,
    Variant::FRYSK,
];

/// A variant after so many others is not inferred from fewer than four moves, which may fit it by chance, unless a tag names it.
const COMMON: usize = 6;

/// A variant after so many others counts as an unusual one: unified pool and Czech draughts play most Russian games alike.
const RARE: usize = 9;

/// Returns the number of variants that are more common.
pub(super) fn rarity(variant: Variant) -> usize {
    BY_FREQUENCY.iter().position(|&other| other == variant).unwrap_or(BY_FREQUENCY.len())
}

/// Returns true if a variant is so common that a few moves are enough to infer it.
pub(super) fn is_common(variant: Variant) -> bool {
    rarity(variant) < COMMON
}

/// Returns true if a variant is so rare that a record is more likely to be an unusual one of another variant.
pub(super) fn is_rare(variant: Variant) -> bool {
    rarity(variant) >= RARE
}

/// Returns true for a variant whose moves are those of International draughts until kings appear, or to the end: only a tag
/// distinguishes its games.
pub(super) fn needs_name(variant: Variant) -> bool {
    [Variant::KILLER, Variant::BREAKTHROUGH, Variant::ANTIDRAUGHTS].contains(&variant)
}

/// Returns the variants that a whole word points to; it is in lower case.
fn named_by(word: &str) -> &'static [Variant] {
    match word {
        "checkers" | "english" | "england" | "gayp" | "3-move" => &[Variant::ENGLISH],
        "italia" | "italy" | "italian" | "italiana" | "italiano" | "dama" | "campionato" | "bianco" | "luogo" => {
            &[Variant::ITALIAN]
        }
        "pool" | "apca" => &[Variant::POOL],
        "unified" | "zimbabwe" | "zimbabwean" => &[Variant::POOL_UNIFIED],
        "jamaica" | "jamaican" => &[Variant::JAMAICAN],
        "españa" | "española" | "español" | "espana" | "espanola" | "espanol" | "spain" | "spanish" | "blancas" => {
            &[Variant::SPANISH]
        }
        "russia" | "russian" | "россия" | "россии" | "русские" | "русских" | "ссср" | "шашки" | "шашек" | "шашкам"
        | "москва" | "москвы" | "draughts-64" => &[Variant::RUSSIAN],
        "brasil" | "brazil" | "brazilian" | "brasileiro" | "brasileira" | "torneio" => &[Variant::BRAZILIAN],
        "brancas" => &[Variant::BRAZILIAN, Variant::PORTUGUESE],
        "canada" | "canadian" | "canadien" | "québec" | "quebec" | "montréal" | "montreal" => &[Variant::CANADIAN],
        "portugal" | "portuguese" | "português" | "portuguesa" | "lisboa" => &[Variant::PORTUGUESE],
        "czech" | "česká" | "české" | "český" | "ceska" | "cesky" | "praha" | "prague" | "brno" => {
            &[Variant::CZECH]
        }
        "turkish" | "turkey" | "türk" | "türkiye" | "turkiye" | "ankara" => &[Variant::TURKISH],
        "thai" | "thailand" | "makhos" | "bangkok" => &[Variant::THAI],
        "frisian" | "fries" | "friese" | "frysk" | "fryske" => &[Variant::FRISIAN],
        "frysk!" => &[Variant::FRISIAN, Variant::FRYSK],
        "killer" => &[Variant::KILLER],
        "breakthrough" => &[Variant::BREAKTHROUGH],
        "antidraughts" | "giveaway" | "поддавки" | "poddavki" => &[Variant::ANTIDRAUGHTS],
        _ => &[],
    }
}

/// Returns the variants that whole words in a text point to. A part of a word points to none: `Liverpool`, `Turku`.
fn named_in(text: &str) -> impl Iterator<Item = Variant> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '!');
    text.split(move |letter| !is_part(letter)).flat_map(|word| named_by(&word.to_lowercase())).copied()
}

/// Returns the variants that words in the tags of a game point to, except in those with names of people.
pub(super) fn named_in_tags(tree: &GameTree) -> impl Iterator<Item = Variant> {
    tree.tags().iter().flat_map(|tag| {
        // The tag `Variant` is asked for first, game by game.
        let is_other = tag.name().eq_ignore_ascii_case("Variant") || is_about_people(tag);
        named_in(tag.name()).chain(named_in(if is_other { "" } else { tag.value() }))
    })
}

fn is_about_people(tag: &Tag) -> bool {
    let name = english_tag(tag.name()).unwrap_or(tag.name());
    ["White", "Black", "Annotator", "Author"].iter().any(|known| name.starts_with(known))
}

/// Returns the variant that the tag `Variant` of a game names.
pub(super) fn variant_tag(tree: &GameTree) -> Option<Variant> {
    let tag = tree.tags().iter().find(|tag| tag.name().eq_ignore_ascii_case("Variant"))?;
    tag.value().parse().ok()
}

/// Returns the variant that the tag `Variant` of a game names, or else the one that its record gives beside the tags.
pub(in crate::replay) fn asked_variant(tree: &GameTree) -> Option<Variant> {
    variant_tag(tree).or_else(|| tree.recorded_variant()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<&'static str> {
        named_in(text).map(Variant::name).collect()
    }

    #[test]
    fn whole_words_are_found_in_any_case() {
        assert_eq!(named("KILLER Open"), ["killer"]);
        assert_eq!(named("Чемпионат РОССИИ"), ["russian"]);
        assert_eq!(named("Torneio das Brancas"), ["brazilian", "brazilian", "portuguese"]);
        assert_eq!(named("Frysk!"), ["frisian", "frysk"]);
        for text in ["Blackpool", "Liverpool Open", "Turku", "Adama", "Las Vegas", ""] {
            assert!(named(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn every_variant_has_a_frequency() {
        assert!(Variant::ALL.iter().all(|&variant| rarity(variant) < BY_FREQUENCY.len()));
    }
}
