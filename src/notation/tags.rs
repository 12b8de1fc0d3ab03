//! Roster tags in other languages, and ratings.

use super::dates::date_parts;
use super::result::is_result;
use crate::board::Side;
use crate::pdn::{GameTree, ROSTER, Tag};
use crate::text::signs::unaccented;

/// The roster tags, with the names in other languages that occur in records, as [`unaccented`] leaves them but for their case.
#[rustfmt::skip]
const TRANSLATED: [(&str, &[&str]); 7] = [
    ("Event", &[
        "Evento", "Torneo", "Torneio", "Evenement", "Toernooi", "Turnier", "Veranstaltung", "Turniej", "Turnyras", "Турнир", "Событие",
    ]),
    ("Site", &["Luogo", "Lugar", "Local", "Lieu", "Plaats", "Ort", "Miejsce", "Vieta", "Место"]),
    ("Date", &["Data", "Fecha", "Datum", "Дата"]),
    ("Round", &["Turno", "Ronda", "Rodada", "Ronde", "Runde", "Runda", "Ratas", "Тур"]),
    ("White", &[
        "Bianco", "Bianchi", "Blanco", "Blancas", "Brancas", "Blanc", "Blancs", "Wit", "Weiss", "Weiß", "Biale", "Baltieji", "Белые",
    ]),
    ("Black", &[
        "Nero", "Neri", "Negro", "Negras", "Pretas", "Noir", "Noirs", "Zwart", "Schwarz", "Red", "Czarne", "Juodieji", "Черные",
    ]),
    ("Result", &["Risultato", "Resultado", "Resultaat", "Uitslag", "Resultat", "Ergebnis", "Wynik", "Rezultatas", "Результат"]),
];

/// Finds a tag of the roster by its name, or else by a name in another language, unless two such tags have different
/// values.
pub(crate) fn roster_tag<'a>(tree: &'a GameTree, name: &str) -> Option<&'a Tag> {
    roster_text(tree.tags().iter(), name, |tag| (tag.name(), tag.value()))
}

/// Finds a tag of the roster as [`roster_tag`] does; `parts` returns the name and the value of a tag.
pub(crate) fn roster_text<T>(
    tags: impl Iterator<Item = T> + Clone,
    name: &str,
    parts: impl Fn(&T) -> (&str, &str),
) -> Option<T> {
    tags.clone().find(|tag| parts(tag).0 == name).or_else(|| translated(tags, name, parts))
}

/// Finds the tag whose name is that of a roster tag in another language, unless two such tags have different values.
/// `parts` returns the name and the value of a tag.
fn translated<T>(tags: impl Iterator<Item = T>, name: &str, parts: impl Fn(&T) -> (&str, &str)) -> Option<T> {
    let mut found = tags.filter(|tag| translation(parts(tag)) == Some(name));
    let first = found.next()?;
    found.all(|other| parts(&other).1 == parts(&first).1).then_some(first)
}

/// Returns the value of a tag, without whitespace at its ends: a roster tag by its name or a name in another language,
/// any other tag by its name in any case.
pub(crate) fn tag_text<'a>(tags: impl Iterator<Item = (&'a str, &'a str)> + Clone, name: &str) -> Option<&'a str> {
    let found = if ROSTER.contains(&name) {
        roster_text(tags, name, |tag| *tag)
    } else {
        tags.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name))
    };
    found.map(|(_, value)| value.trim())
}

/// How a tag is recognised as the one with a name, the most certain way first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TagMatch {
    /// It has this name.
    Name,
    /// It has this name in another case.
    OtherCase,
    /// It is the roster tag with this name in another language.
    OtherLanguage,
}

impl TagMatch {
    /// Returns how a tag, given by its name and value, is recognised as the one with a name, if it is.
    pub(crate) fn of((known, value): (&str, &str), name: &str) -> Option<Self> {
        if known == name {
            Some(Self::Name)
        } else if known.eq_ignore_ascii_case(name) {
            Some(Self::OtherCase)
        } else {
            (translation((known, value)) == Some(name)).then_some(Self::OtherLanguage)
        }
    }
}

/// Returns the name under which a tag with another value is still read as the one with a name: its own one if possible.
pub(crate) fn lasting_name<'a>(known: &'a str, value: &str, name: &'a str) -> &'a str {
    let is_read = !ROSTER.contains(&name) || translation((known, value)) == Some(name);
    if is_read { known } else { name }
}

/// No player has a lower rating; some records have 0 or 1 for an unknown rating.
const MIN_RATING: u32 = 100;

/// Returns the rating of a player, if it is at least 100; `tag` returns the values of tags.
pub(crate) fn rating<'a>(side: Side, tag: impl Fn(&str) -> Option<&'a str>) -> Option<u32> {
    let names = match side {
        Side::White => ["WhiteRating", "WhiteElo"],
        Side::Black => ["BlackRating", "BlackElo"],
    };
    names.iter().find_map(|name| tag(name)?.parse().ok().filter(|&rating| rating >= MIN_RATING))
}

/// Returns the English name of a roster tag with a name in another language, if its value fits: `Data` may be somebody's own tag.
pub(crate) fn translation((name, value): (&str, &str)) -> Option<&'static str> {
    let fits = |english: &&str| match *english {
        "Date" => is_unknown(value) || date_parts(value)[0].is_some() || value.trim().starts_with("??"),
        "Result" => is_unknown(value) || is_result(value.trim()),
        _ => true,
    };
    english_tag(name).filter(fits)
}

/// Returns true for a tag name of the writing grammar: a capital letter, then letters, digits and underscores.
pub(crate) fn is_tag_name(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_uppercase()) && name.chars().all(is_tag_name_part)
}

pub(crate) const fn is_tag_name_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn is_unknown(value: &str) -> bool {
    matches!(value.trim(), "" | "?" | "-" | "*")
}

/// Returns the English name of a roster tag with a name in another language. American checkers calls Black Red.
pub(crate) fn english_tag(name: &str) -> Option<&'static str> {
    if ROSTER.contains(&name) {
        return None;
    }
    // Hardly any name needs the allocation.
    let plain = (!name.is_ascii()).then(|| unaccented(name));
    let name = plain.as_deref().unwrap_or(name);
    let is_name = |foreign: &&str| {
        if name.is_ascii() { foreign.eq_ignore_ascii_case(name) } else { unaccented(foreign) == name }
    };
    TRANSLATED.iter().find(|(_, names)| names.iter().any(is_name)).map(|(english, _)| *english)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_other_languages_are_found_without_their_accents() {
        for (name, english) in [
            ("Événement", "Event"),
            ("Evénement", "Event"),
            ("EVÈNEMENT", "Event"),
            ("Evenement", "Event"),
            ("E\u{301}ve\u{301}nement", "Event"),
            ("Résultat", "Result"),
            ("Turniej", "Event"),
            ("Białe", "White"),
            ("Biale", "White"),
            ("Czarne", "Black"),
            ("Чёрные", "Black"),
            ("черные", "Black"),
            ("Weiß", "White"),
            ("Turnyras", "Event"),
            ("Rezultatas", "Result"),
            ("Rodada", "Round"),
        ] {
            assert_eq!(english_tag(name), Some(english), "{name}");
        }
        for name in ["Event", "Évent", "Annotator", "é"] {
            assert_eq!(english_tag(name), None, "{name}");
        }
        let is_plain = |name: &&str| unaccented(name) == name.to_lowercase();
        assert!(TRANSLATED.iter().flat_map(|(_, names)| *names).all(is_plain));
    }

    #[test]
    fn an_unknown_rating_does_not_hide_another() {
        let tags = |name: &str| match name {
            "WhiteRating" => Some("0"),
            "WhiteElo" | "BlackRating" => Some("2034"),
            "BlackElo" => Some("1999"),
            _ => None,
        };
        assert_eq!([Side::White, Side::Black].map(|side| rating(side, tags)), [Some(2034); 2]);
        assert_eq!(rating(Side::White, |name| (name == "WhiteElo").then_some("1")), None);
    }
}
