//! Roster tags in other languages.

use crate::pdn::{GameTree, Tag};

/// Roster names in other languages, as records have them, and what they mean.
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

/// Finds a tag of the roster, if not by its name then by one that means the same in another language, unless two of these
/// say different things.
pub fn roster_tag<'a>(tree: &'a GameTree, name: &str) -> Option<&'a Tag> {
    let mut translated = tree.tags.iter().filter(|tag| english_tag(&tag.name) == Some(name));
    tree.find_tag(name).or_else(|| {
        let first = translated.next()?;
        translated.all(|other| other.value == first.value).then_some(first)
    })
}

/// Returns the English name of a roster tag that is written in another language.
pub fn english_tag(name: &str) -> Option<&'static str> {
    TRANSLATED.iter().find(|(foreign, _)| foreign.eq_ignore_ascii_case(name)).map(|(_, english)| *english)
}
