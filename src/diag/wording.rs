//! The wording of diagnostics in other languages than English.
//!
//! `texts.txt` has a block for each sentence: the English template, as the tables of codes and messages and the reasons have
//! it, then the other languages in the order of [`Language::ALL`]. A template has slots, such as `{square}`. A slot with a
//! slash is filled with a sentence or a name that is itself translated, and what follows the slash names the form that it
//! takes there: `{side/of}` is filled with `White/of`.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::Language;

const TEXTS: &str = include_str!("texts.txt");

/// The blocks by their English templates, each with the other languages in their order.
static BLOCKS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let blocks = TEXTS.split("\n\n").map(|block| {
        let mut lines = block.lines();
        (lines.next().unwrap_or_default(), lines.collect())
    });
    blocks.collect()
});

/// Returns a template in a language, if it is known.
fn known(english: &str, language: Language) -> Option<&'static str> {
    let (english, others) = BLOCKS.get_key_value(english)?;
    (language as usize).checked_sub(1).map_or(Some(*english), |place| others.get(place).copied())
}

/// Returns a template in a language with its slots filled.
pub(super) fn filled(english: &str, values: &[(&str, String)], language: Language) -> String {
    let template = if language == Language::English { english } else { known(english, language).unwrap_or(english) };
    let mut pieces = template.split('{');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for (slot, rest) in pieces.filter_map(|piece| piece.split_once('}')) {
        let (name, form) = slot.split_once('/').map_or((slot, None), |(name, form)| (name, Some(form)));
        let value = values.iter().find(|(own, _)| *own == name).map_or("", |(_, value)| value);
        match form {
            Some(form) => text.push_str(translated(value, form, language).as_deref().unwrap_or(value)),
            None => text.push_str(value),
        }
        text.push_str(rest);
    }
    text
}

/// Returns an English sentence or name in a language, or unchanged if it is unknown: names and moves are.
///
/// Reasons and the values that stand for words are known only by their English text. Of the templates that fit it, one that
/// begins like the text was meant, rather than one whose first slot would take more of it; then the one with the most text.
pub(crate) fn in_language(english: &str, language: Language) -> String {
    let translated = (language != Language::English).then(|| translated(english, "", language)).flatten();
    translated.unwrap_or_else(|| english.to_owned())
}

/// Returns a sentence or a name in a language, or a list of them; `None` if it is unknown.
fn translated(english: &str, form: &str, language: Language) -> Option<String> {
    let formed = known(&format!("{english}/{form}"), language).or_else(|| known(english, language));
    if let Some(text) = formed {
        return Some(text.to_owned());
    }
    // The items of a list with semicolons may have commas in them.
    let list = ["; ", ", "].into_iter().filter(|separator| english.contains(separator)).find_map(|separator| {
        let parts: Option<Vec<_>> = english.split(separator).map(|part| translated(part, "", language)).collect();
        Some(parts?.join(separator))
    });
    let rank = |template: &str, values: &[(&str, String)]| {
        let first = if template.starts_with('{') { values[0].1.len() } else { 0 };
        (first, Reverse(literal_length(template)))
    };
    list.or_else(|| {
        let fitting = BLOCKS.keys().filter_map(|template| Some((template, values_in(english, template)?)));
        // The order of the map changes from run to run, so the text of the template decides at last.
        let (template, values) = fitting.min_by_key(|(template, values)| (rank(template, values), **template))?;
        Some(filled(template, &values, language))
    })
}

/// Returns the values with which a template gives a text; `None` if none do, or if the template is nothing but a slot.
fn values_in<'a>(text: &str, template: &'a str) -> Option<Vec<(&'a str, String)>> {
    let mut pieces = template.split('{');
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let pieces: Vec<_> = pieces.filter_map(|piece| piece.split_once('}')).collect();
    let mut values = Vec::new();
    for (n, (slot, literal)) in pieces.iter().enumerate() {
        let end = if n + 1 == pieces.len() { rest.strip_suffix(literal)?.len() } else { rest.find(literal)? };
        values.push((*slot, rest[..end].to_owned()));
        rest = &rest[end + literal.len()..];
    }
    (rest.is_empty() && literal_length(template) > 0).then_some(values)
}

/// Returns the number of bytes of a template outside its slots.
fn literal_length(template: &str) -> usize {
    template.split('{').map(|piece| piece.split_once('}').map_or(piece, |(_, literal)| literal).len()).sum()
}

/// Returns the names of the slots of a template, in their order.
#[cfg(test)]
pub(super) fn slots(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|piece| piece.split_once('}')).map(|(slot, _)| slot)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::diag::messages::{self, ALL};
    use crate::diag::{Code, Span};
    use crate::notation::{Numbering, read_fen};
    use crate::rules::Variant;

    /// Returns the slots of a template, and those whose values are translated.
    fn names(template: &str) -> (BTreeSet<&str>, BTreeSet<&str>) {
        let all = slots(template).map(|slot| slot.split('/').next().unwrap_or(slot)).collect();
        (all, slots(template).filter_map(|slot| slot.split_once('/')).map(|(name, _)| name).collect())
    }

    #[test]
    fn every_code_and_message_is_in_every_language() {
        let titles = ["{title}", "{title}: `{text}`", "{title}, and {more} more", "{title}: `{text}`, and {more} more"];
        let of_codes = Code::all().flat_map(|code| [code.meaning(), code.title()]).filter(|text| text.contains(' '));
        let of_messages =
            ALL.iter().flat_map(|(_, sentence, advice)| [*sentence].into_iter().chain(advice.iter().copied()));
        for english in of_codes.chain(of_messages).chain(titles).chain(["and {count} more like it"]) {
            assert!(BLOCKS.contains_key(english), "texts.txt lacks: {english}");
        }
    }

    #[test]
    fn each_language_has_the_slots_of_the_english_text() {
        assert_eq!(BLOCKS.len(), TEXTS.split("\n\n").count(), "two blocks have the same English text");
        for (english, others) in &*BLOCKS {
            assert_eq!(others.len(), Language::ALL.len() - 1, "{english}");
            let translated = names(others[0]).1;
            for text in others {
                assert_eq!(text.trim(), *text, "{english}");
                assert!(!text.is_empty(), "{english}");
                assert_eq!(names(text), (names(english).0, translated.clone()), "{english}: {text}");
                let quoted =
                    |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
                assert_eq!(quoted(&text.replace('/', "")), quoted(&english.replace('/', "")), "{english}: {text}");
            }
        }
    }

    /// The sources of the reasons in messages.
    const REASONS: [&str; 3] = [
        include_str!("../notation/moves/explain.rs"),
        include_str!("../notation/game_type.rs"),
        include_str!("../rules/setup.rs"),
    ];

    #[test]
    fn every_reason_is_in_every_language() {
        let texts = REASONS.iter().flat_map(|source| source.split("#[error(").skip(1));
        // Several moves are a diagnostic with another message; only programs meet this text.
        let is_message = |text: &&str| !matches!(*text, "{reason}" | "several legal moves fit the text");
        let templates: Vec<_> = texts.filter_map(|text| text.split('"').nth(1)).filter(is_message).collect();
        assert!(templates.len() > 20, "{templates:?}");
        for template in templates {
            // What follows `goal` or has no name may be missing.
            let value = |slot: &str| if matches!(slot, "goal" | "") { "" } else { "White" };
            let values: Vec<_> = slots(template).map(|slot| (slot, value(slot).to_owned())).collect();
            assert_is_translated(&filled(template, &values, Language::English));
        }
    }

    #[test]
    fn every_fault_of_a_fen_is_in_every_language() {
        let numbering = Numbering::for_variant(Variant::INTERNATIONAL);
        let fens = [
            "X:W1:B50",
            "W W1:B50",
            "W:W1;:B50",
            "W:X1:B50",
            "W:W51:B50",
            "W:W1-99:B50",
            "W:W1:B1",
            "W:W1,1:B50",
            "W:W1",
            "W:W1:W2",
        ];
        let mut reasons = BTreeSet::new();
        for fen in fens {
            let read = read_fen(fen, numbering);
            let found: Vec<_> = match &read {
                Ok(fen) => fen.overlooked.iter().map(ToString::to_string).collect(),
                Err(error) => error.iter().map(ToString::to_string).collect(),
            };
            assert!(!found.is_empty(), "{fen}");
            reasons.extend(found);
        }
        assert_eq!(reasons.len(), fens.len(), "{reasons:#?}");
        for reason in &reasons {
            assert_is_translated(reason);
        }
    }

    #[track_caller]
    fn assert_is_translated(english: &str) {
        for language in Language::ALL.into_iter().skip(1) {
            assert_ne!(in_language(english, language), english, "{language}");
        }
    }

    #[test]
    fn values_that_are_words_are_translated() {
        let place = Span::default();
        let found = messages::fen_side(place, "White", "Black");
        assert_eq!(found.words(Language::Dutch).sentence, "wit is aan zet, maar de eerste zet is van zwart");
        assert_eq!(
            found.words(Language::French).sentence,
            "les Blancs ont le trait, mais le premier coup est celui des Noirs"
        );
        // A tag has its name, whatever that means.
        let found = messages::duplicate_tag(place, "White");
        assert_eq!(found.words(Language::Dutch).sentence, "dubbel label White; de eerste waarde geldt");
        let log = messages::log_board(place, "32-28", "a white man on 32, nothing on 28", "nothing on 32");
        assert_eq!(
            log.words(Language::Italian).sentence,
            "dopo 32-28, damiera del registro: una pedina bianca in 32, niente in 28; secondo le mosse: niente in 32"
        );
    }

    #[test]
    fn messages_within_messages_are_translated() {
        let message = "`33-29` is not legal: White must capture, but not with the piece on 33";
        let found = messages::event_illegal_game(Span::default(), "A – B, round 3", message, "W:W33:B28");
        assert_eq!(
            found.words(Language::Dutch).sentence,
            "A – B, ronde 3: `33-29` is niet toegestaan: wit moet slaan, maar niet met het stuk op 33; de laatste stand is W:W33:B28"
        );
    }

    #[test]
    fn sentences_are_known_by_their_english_text() {
        let reason = "White must capture; the piece on 33 cannot capture to 22 in this way";
        assert_eq!(
            in_language(&format!("`33-22` is not legal: {reason}"), Language::Russian),
            "`33-22` — неразрешённый ход: белые должны бить; шашка с 33 не может бить таким образом на 22"
        );
        let question = "did White mean 32-28, 31-27 or 33-29?; the game continues if the piece on 33 goes to 22";
        assert_eq!(
            in_language(question, Language::Dutch),
            "bedoelde wit 32-28, 31-27 of 33-29?; de partij loopt door als het stuk op 33 naar 22 gaat"
        );
        assert_eq!(in_language("Smith, John", Language::Dutch), "Smith, John");
        assert_eq!(in_language("White", Language::English), "White");
    }
}
