//! Tags under another name or in another form.

use std::collections::HashMap;

use super::Repair;
use crate::notation::{WrittenDate, english_tag, read_date};
use crate::pdn::{GameTree, ROSTER};

pub(super) fn repair(tree: &mut GameTree, repairs: &mut Vec<Repair>) {
    let mut known: HashMap<String, u32> = HashMap::new();
    for tag in &tree.tags {
        let name = best_name(&tag.name).unwrap_or_else(|| tag.name.clone());
        *known.entry(name).or_default() += 1;
    }
    for tag in &mut tree.tags {
        // Of two that would be one nobody knows which is meant.
        if let Some(name) = best_name(&tag.name).filter(|name| known[name] == 1) {
            repairs.push(Repair::new(tag.span, format!("tag `{}` renamed {name}", tag.name)));
            tag.name = name;
        }
        let is_date = matches!(tag.name.as_str(), "Date" | "EventDate" | "UTCDate" | "PublicationDate");
        if let (true, WrittenDate::Means(date)) = (is_date, read_date(&tag.value)) {
            repairs.push(Repair::new(tag.span, format!("date `{}` written {date}", tag.value)));
            tag.value = date;
        }
    }
}

/// The name that is left when nothing about it can be bettered.
fn best_name(name: &str) -> Option<String> {
    let mut best = better_name(name)?;
    while let Some(better) = better_name(&best) {
        best = better;
    }
    Some(best)
}

/// The name that a tag is to have: a roster name of another language in English, a known one in its usual capitals, and
/// any other as an identifier.
fn better_name(name: &str) -> Option<String> {
    const KNOWN: [&str; 5] = ["SetUp", "FEN", "GameType", "ECO", "PlyCount"];
    if let Some(english) = english_tag(name) {
        return Some(english.to_owned());
    }
    let usual = ROSTER.into_iter().chain(KNOWN).find(|known| known.eq_ignore_ascii_case(name) && *known != name);
    if let Some(usual) = usual {
        return Some(usual.to_owned());
    }
    let sound = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.starts_with(|letter: char| letter.is_ascii_uppercase()) && name.chars().all(sound) {
        return None;
    }
    let plain: String = name.chars().map(|letter| if sound(letter) { letter } else { '_' }).collect();
    let plain = plain.trim_matches('_');
    let first = plain.chars().next().filter(char::is_ascii_alphabetic)?.to_ascii_uppercase();
    Some(format!("{first}{}", &plain[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;

    #[test]
    fn names_and_dates() {
        let text =
            b"[Bianco \"a\"]\n[Setup \"1\"]\n[Type de jeu \"20\"]\n[Date \"1841-??-??\"]\n[Event \"e\"]\n[1x \"y\"]\n*";
        let mut tree = games(text).next().expect("a game").tree;
        let mut repairs = Vec::new();
        repair(&mut tree, &mut repairs);
        let tags: Vec<_> = tree.tags.iter().map(|tag| format!("{}={}", tag.name, tag.value)).collect();
        assert_eq!(tags[..5], ["White=a", "SetUp=1", "Type_de_jeu=20", "Date=1841.??.??", "Event=e"]);
        assert_eq!(repairs.len(), 4);
    }
}
