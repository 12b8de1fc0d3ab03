//! Roster tags in other languages, and ratings.

use super::dates::date_parts;
use super::result::is_result;
use crate::board::Side;
use crate::pdn::{GameTree, ROSTER, Tag};

/// The roster tags, with the names in other languages that occur in records.
#[rustfmt::skip]
const TRANSLATED: [(&str, &[&str]); 7] = [
    ("Event", &[
        "Evento", "Torneo", "Evenement", "Événement", "Évènement", "Toernooi", "Turnier", "Veranstaltung", "Турнир", "Событие",
    ]),
    ("Site", &["Luogo", "Lugar", "Lieu", "Plaats", "Ort", "Место"]),
    ("Date", &["Data", "Fecha", "Datum", "Дата"]),
    ("Round", &["Turno", "Ronda", "Ronde", "Runde", "Тур"]),
    ("White", &["Bianco", "Bianchi", "Blanco", "Blancas", "Brancas", "Blanc", "Blancs", "Wit", "Weiss", "Weiß", "Белые"]),
    ("Black", &["Nero", "Neri", "Negro", "Negras", "Pretas", "Noir", "Noirs", "Zwart", "Schwarz", "Red", "Черные", "Чёрные"]),
    ("Result", &["Risultato", "Resultado", "Resultaat", "Uitslag", "Résultat", "Ergebnis", "Результат"]),
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
pub(crate) fn translated<T>(
    tags: impl Iterator<Item = T>,
    name: &str,
    parts: impl Fn(&T) -> (&str, &str),
) -> Option<T> {
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
    // Lower case outside ASCII takes an allocation, and hardly any name needs it.
    let lower = (!name.is_ascii()).then(|| name.to_lowercase());
    let is_name = |foreign: &&str| match &lower {
        Some(lower) => foreign.to_lowercase() == *lower,
        None => foreign.eq_ignore_ascii_case(name),
    };
    TRANSLATED.iter().find(|(_, names)| names.iter().any(is_name)).map(|(english, _)| *english)
}

#[cfg(test)]
mod tests {
    use super::*;

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
