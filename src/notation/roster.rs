//! Roster tags in other languages.

use crate::board::Side;
use crate::pdn::{GameTree, ROSTER, Tag};

/// Names of roster tags in other languages that occur in records, with the English names.
const TRANSLATED: [(&str, &str); 48] = [
    ("Evento", "Event"),
    ("Torneo", "Event"),
    ("Evenement", "Event"),
    ("Événement", "Event"),
    ("Évènement", "Event"),
    ("Toernooi", "Event"),
    ("Turnier", "Event"),
    ("Veranstaltung", "Event"),
    ("Турнир", "Event"),
    ("Событие", "Event"),
    ("Luogo", "Site"),
    ("Lugar", "Site"),
    ("Lieu", "Site"),
    ("Plaats", "Site"),
    ("Ort", "Site"),
    ("Место", "Site"),
    ("Data", "Date"),
    ("Fecha", "Date"),
    ("Datum", "Date"),
    ("Дата", "Date"),
    ("Turno", "Round"),
    ("Ronda", "Round"),
    ("Ronde", "Round"),
    ("Runde", "Round"),
    ("Тур", "Round"),
    ("Bianco", "White"),
    ("Bianchi", "White"),
    ("Blanco", "White"),
    ("Blancas", "White"),
    ("Brancas", "White"),
    ("Blanc", "White"),
    ("Blancs", "White"),
    ("Wit", "White"),
    ("Weiss", "White"),
    ("Weiß", "White"),
    ("Белые", "White"),
    ("Nero", "Black"),
    ("Neri", "Black"),
    ("Negro", "Black"),
    ("Negras", "Black"),
    ("Pretas", "Black"),
    ("Noir", "Black"),
    ("Noirs", "Black"),
    ("Zwart", "Black"),
    ("Schwarz", "Black"),
    ("Черные", "Black"),
    ("Risultato", "Result"),
    ("Resultado", "Result"),
];

/// Finds a tag of the roster by its name, or else by a name in another language, unless two such tags have different
/// values.
pub fn roster_tag<'a>(tree: &'a GameTree, name: &str) -> Option<&'a Tag> {
    roster_text(tree.tags().iter(), name, |tag| (tag.name(), tag.value()))
}

/// Finds a tag of the roster as [`roster_tag`] does; `parts` returns the name and the value of a tag.
pub fn roster_text<T>(
    tags: impl Iterator<Item = T> + Clone,
    name: &str,
    parts: impl Fn(&T) -> (&str, &str),
) -> Option<T> {
    tags.clone().find(|tag| parts(tag).0 == name).or_else(|| translated(tags, name, parts))
}

/// Finds the tag whose name is that of a roster tag in another language, unless two such tags have different values.
/// `parts` returns the name and the value of a tag.
pub fn translated<T>(tags: impl Iterator<Item = T>, name: &str, parts: impl Fn(&T) -> (&str, &str)) -> Option<T> {
    let mut found = tags.filter(|tag| english_tag(parts(tag).0) == Some(name));
    let first = found.next()?;
    found.all(|other| parts(&other).1 == parts(&first).1).then_some(first)
}

/// Returns the value of a tag, without whitespace at its ends: one of the roster by its name or a name in another language,
/// any other by its name in upper or lower case.
pub fn tag_text<'a>(tags: impl Iterator<Item = (&'a str, &'a str)> + Clone, name: &str) -> Option<&'a str> {
    let found = if ROSTER.contains(&name) {
        roster_text(tags, name, |tag| *tag)
    } else {
        tags.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name))
    };
    found.map(|(_, value)| value.trim())
}

/// No player has a lower rating: some records have 0 or 1 for an unknown one.
const MIN_RATING: u32 = 100;

/// Returns the rating of a player, if it is at least 100; `tag` returns the values of tags.
pub fn rating<'a>(side: Side, tag: impl Fn(&str) -> Option<&'a str>) -> Option<u32> {
    let names = match side {
        Side::White => ["WhiteRating", "WhiteElo"],
        Side::Black => ["BlackRating", "BlackElo"],
    };
    names.iter().find_map(|name| tag(name)?.parse().ok()).filter(|&rating| rating >= MIN_RATING)
}

/// Returns the English name of a roster tag with a name in another language.
pub fn english_tag(name: &str) -> Option<&'static str> {
    if ROSTER.contains(&name) {
        return None;
    }
    TRANSLATED.iter().find(|(foreign, _)| foreign.eq_ignore_ascii_case(name)).map(|(_, english)| *english)
}
