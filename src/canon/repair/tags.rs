//! Tags with another name or in another form.

use std::collections::HashMap;

use crate::canon::{Edit, EditKind};
use crate::notation::{WrittenDate, english_tag, read_date};
use crate::pdn::{GameTree, ROSTER};

pub(super) fn repair(tree: &mut GameTree, edits: &mut Vec<Edit>) {
    let mut known: HashMap<String, u32> = HashMap::new();
    for tag in tree.tags() {
        let name = best_name(tag.name()).unwrap_or_else(|| tag.name().to_owned());
        *known.entry(name).or_default() += 1;
    }
    for tag in tree.tags_mut() {
        // Two names for one tag are two readings.
        if let Some(name) = best_name(tag.name()).filter(|name| known[name] == 1) {
            let from = tag.name().to_owned();
            tag.set_name(name.clone());
            edits.push(Edit::new(tag.span(), EditKind::TagRenamed { from, to: name }));
        }
        let is_date = matches!(tag.name(), "Date" | "EventDate" | "UTCDate" | "PublicationDate");
        if let (true, WrittenDate::Means(date)) = (is_date, read_date(tag.value())) {
            let from = tag.value().to_owned();
            tag.set_value(date.clone());
            edits.push(Edit::new(tag.span(), EditKind::DateRewritten { from, to: date }));
        }
    }
}

/// Returns the name after all improvements; `None` if there is nothing to improve.
fn best_name(name: &str) -> Option<String> {
    let mut best = better_name(name)?;
    while let Some(better) = better_name(&best) {
        best = better;
    }
    Some(best)
}

/// Returns a better name for a tag: in English for a roster tag in another language, in the usual capitals for a known
/// tag, as an identifier for any other.
fn better_name(name: &str) -> Option<String> {
    const KNOWN: [&str; 5] = ["SetUp", "FEN", "GameType", "ECO", "PlyCount"];
    if let Some(english) = english_tag(name) {
        return Some(english.to_owned());
    }
    let usual = ROSTER.into_iter().chain(KNOWN).find(|known| known.eq_ignore_ascii_case(name) && *known != name);
    if let Some(usual) = usual {
        return Some(usual.to_owned());
    }
    if is_identifier(name) {
        return None;
    }
    let plain: String = name.chars().map(|letter| if is_name_part(letter) { letter } else { '_' }).collect();
    let plain = plain.trim_matches('_');
    let first = plain.chars().next().filter(char::is_ascii_alphabetic)?.to_ascii_uppercase();
    Some(format!("{first}{}", &plain[1..]))
}

/// Returns true for a name of tags as the writing grammar has it: a capital, then letters, digits and underscores.
pub(in crate::canon) fn is_identifier(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_uppercase()) && name.chars().all(is_name_part)
}

const fn is_name_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;

    #[test]
    fn names_and_dates() {
        let text =
            b"[Bianco \"a\"]\n[Setup \"1\"]\n[Type de jeu \"20\"]\n[Date \"1841-??-??\"]\n[Event \"e\"]\n[1x \"y\"]\n*";
        let mut tree = games(text).next().expect("a game").into_tree();
        let mut edits = Vec::new();
        repair(&mut tree, &mut edits);
        let tags: Vec<_> = tree.tags().iter().map(|tag| format!("{}={}", tag.name(), tag.value())).collect();
        assert_eq!(tags[..5], ["White=a", "SetUp=1", "Type_de_jeu=20", "Date=1841.??.??", "Event=e"]);
        assert_eq!(edits.len(), 4);
    }
}
