//! What readers see of the kinds of shots: explanations in six languages, a model of each, and how they call them.

use super::names::{Definition, LANGUAGES};
use crate::text::signs::unaccented;

/// The tables of explanations, in the order of [`LANGUAGES`]: a line for each identifier, and one for its mechanism, whose key ends
/// in [`MECHANISM`].
const TABLES: [&str; 6] = [
    include_str!("texts/en.txt"),
    include_str!("texts/nl.txt"),
    include_str!("texts/fr.txt"),
    include_str!("texts/it.txt"),
    include_str!("texts/pt.txt"),
    include_str!("texts/ru.txt"),
];

const MECHANISM: &str = ".how";

/// A position and the moves of a shot for each identifier.
const MODELS: &str = include_str!("texts/models.txt");

/// Words that many names have, in six languages.
const FILLERS: [&str; 24] = [
    "shot", "stroke", "strike", "the", "coup", "de", "du", "la", "le", "l", "zet", "zetje", "van", "colpo", "tiro",
    "di", "del", "della", "golpe", "do", "da", "o", "a", "удар",
];

/// Kinds with the same name in some language, on different boards.
const NAMESAKES: [[&str; 2]; 1] = [["coup_turc", "rus_turkish_strike"]];

impl Definition {
    /// Returns the kind that has a name in one of the languages, with or without accents and words such as *shot* or *coup*, or
    /// that has an identifier.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::shots::Definition;
    ///
    /// for name in ["express", "Weiss", "Weiss shot", "zet van Weiss", "удар Вейсса", "coup_express"] {
    ///     assert_eq!(Definition::named(name).map(Definition::id), Some("coup_express"), "{name}");
    /// }
    /// assert_eq!(Definition::named("shot"), None);
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        let wanted = key(name);
        let is_called = |kind: &&Self| kind.spellings().any(|spelling| spelling == wanted);
        Self::by_id(name).or_else(|| Self::all().iter().filter(|_| !wanted.is_empty()).find(is_called))
    }

    /// Returns the kind of shot with a name, or what is said if there is none.
    pub(crate) fn wanted(name: &str) -> Result<&'static Self, String> {
        Self::named(name).ok_or_else(|| format!("no shot has the name `{name}`"))
    }

    /// Returns the keys of its names: of each as a whole, of alternatives, and of these with and without what is in parentheses.
    fn spellings(&self) -> impl Iterator<Item = String> {
        LANGUAGES.iter().flat_map(|language| {
            let name = self.name(language);
            name.split(" / ").chain([name]).flat_map(|name| {
                let (start, rest) = name.split_once('(').unwrap_or((name, ""));
                let (inside, end) = rest.split_once(')').unwrap_or_default();
                [key(name), key(inside), key(&format!("{start} {end}"))].into_iter().filter(|key| !key.is_empty())
            })
        })
    }

    /// Returns true if a shot with this name is of the kind that is asked for: the kind itself, or its namesake on another board.
    pub(crate) fn is_also(&self, asked: &Self) -> bool {
        self == asked || NAMESAKES.iter().any(|pair| [self, asked].iter().all(|kind| pair.contains(&kind.id())))
    }

    /// Returns true if another kind has the same name on another board.
    pub(crate) fn has_namesake(&self) -> bool {
        NAMESAKES.iter().flatten().any(|id| *id == self.id())
    }

    /// Returns what it is, in one sentence of a language, or else in English. Squares are White's.
    pub(crate) fn explanation(&self, language: &str) -> &'static str {
        self.text(language, "")
    }

    /// Returns how it works, in a sentence of a language, or else in English.
    pub(crate) fn mechanism(&self, language: &str) -> &'static str {
        self.text(language, MECHANISM)
    }

    fn text(&self, language: &str, end: &str) -> &'static str {
        let wanted = LANGUAGES.iter().position(|&known| known == language).unwrap_or_default();
        value(TABLES[wanted], self.id(), end).unwrap_or_default()
    }

    /// Returns a model of it, as a FEN and moves, if there is one.
    pub fn model(&self) -> Option<(&'static str, impl Iterator<Item = &'static str> + use<>)> {
        let (fen, moves) = value(MODELS, self.id(), "")?.split_once(' ')?;
        Some((fen, moves.split(' ')))
    }
}

/// Returns the value of a key in a table.
fn value(table: &'static str, id: &str, end: &str) -> Option<&'static str> {
    table.lines().find_map(|line| line.strip_prefix(id)?.strip_prefix(end)?.strip_prefix(" = "))
}

/// Returns the part of a name by which it is recognised: letters and digits in lower case and without accents, without the words
/// that many names have.
fn key(name: &str) -> String {
    let name = unaccented(name);
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !FILLERS.contains(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_texts_in_every_language() {
        let keys = |table: &'static str| table.lines().filter_map(|line| line.split_once(" = ").map(|(key, _)| key));
        let ids = || Definition::all().iter().flat_map(|kind| ["", MECHANISM].map(|end| format!("{}{end}", kind.id())));
        for (language, table) in LANGUAGES.into_iter().zip(TABLES) {
            assert!(keys(table).eq(ids()), "{language}: the keys are those of the kinds, in their order");
            for kind in Definition::all() {
                for text in [kind.explanation(language), kind.mechanism(language)] {
                    let has_end = text.ends_with('.') && text.len() > 10 && text.trim() == text;
                    assert!(has_end, "{language}: {}: {text}", kind.id());
                    let is_its_own =
                        language == "en" || ![kind.explanation("en"), kind.mechanism("en")].contains(&text);
                    assert!(is_its_own, "{language}: {} is in English", kind.id());
                }
            }
        }
    }

    /// Returns the moves that a text shows, and the squares and numbers outside them.
    fn numbers(text: &str) -> Vec<&str> {
        let mut found: Vec<_> =
            text.split(|letter: char| !letter.is_ascii_digit()).filter(|number| number.len() == 2).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn translations_name_the_squares_of_the_english_text() {
        for language in LANGUAGES {
            for kind in Definition::all() {
                assert_eq!(
                    numbers(kind.explanation(language)),
                    numbers(kind.explanation("en")),
                    "{language} {}",
                    kind.id()
                );
                assert_eq!(
                    numbers(kind.mechanism(language)),
                    numbers(kind.mechanism("en")),
                    "{language} {}",
                    kind.id()
                );
            }
        }
    }

    #[test]
    fn a_name_means_one_kind() {
        for kind in Definition::all() {
            for spelling in kind.spellings() {
                let others = Definition::all().iter().filter(|other| other.spellings().any(|name| name == spelling));
                assert!(others.into_iter().all(|other| other.is_also(kind)), "{spelling} has several meanings");
            }
            assert_eq!(Definition::named(kind.id()), Some(kind));
        }
        let turc = Definition::named("Turkse slag").expect("a kind");
        assert!(turc.has_namesake() && Definition::named("rus_turkish_strike").expect("a kind").is_also(turc));
    }
}
