//! Repairs that have exactly one reading.
//!
//! The repair of a move must be confirmed: the line continues after it, or ends there, and no other repair at that place
//! leads as far. What the canonical form itself corrects (separators, zeros, numbers, the end of a game) needs no repair.

mod moves;
mod reading;
mod texts;

use std::borrow::Borrow;
use std::cell::LazyCell;
use std::collections::HashMap;

pub(crate) use texts::repair_comment;

use super::{Edit, EditKind};
use crate::notation::{
    DATE_TAGS, DateOrder, DateOrders, WrittenDate, is_tag_name, is_tag_name_part, read_date_in, translation,
};
use crate::pdn::{GameTree, ROSTER, Tag};
use crate::replay::{ReplayOptions, ReplayedGame, replay};

/// Repairs a game by itself, without the dates of its file, and replays it.
///
/// # Examples
///
/// ```
/// use pdn::canon::repaired;
/// use pdn::games;
/// use pdn::replay::ReplayOptions;
///
/// let game = games(b"[GameType \"20\"]\n1. 28-32 l9-23 2. 28x1914x23 *").next().unwrap();
/// let game = repaired(game.into_tree(), &ReplayOptions::default());
/// assert!(game.is_legal() && game.plies_played() == 4);
/// ```
pub fn repaired(tree: GameTree, options: &ReplayOptions) -> ReplayedGame {
    repair(tree, options, DateOrders::default).0
}

/// Repairs a game and replays it. Returns the edits in text order. `orders` returns the order of the other dates in the file, and
/// is called only for a date that has two readings without it.
pub(crate) fn repair<O: Borrow<DateOrders>>(
    mut tree: GameTree,
    options: &ReplayOptions,
    orders: impl FnOnce() -> O,
) -> (ReplayedGame, Vec<Edit>) {
    let mut edits = Vec::new();
    repair_tags(&mut tree, &mut edits);
    let orders = LazyCell::new(orders);
    repair_dates(&mut tree, |event, date| (*orders).borrow().in_date(event, date), &mut edits);
    texts::repair_comments(&mut tree, &mut edits);
    let game = moves::repair(replay(tree, options), options, &mut edits);
    edits.sort_by_key(|edit| edit.span().start);
    (game, edits)
}

/// Repairs tags with a nonstandard name or form.
fn repair_tags(tree: &mut GameTree, edits: &mut Vec<Edit>) {
    let mut known: HashMap<String, u32> = HashMap::new();
    for tag in tree.tags() {
        let name = best_name(tag).unwrap_or_else(|| tag.name().to_owned());
        *known.entry(name).or_default() += 1;
    }
    for tag in tree.tags_mut() {
        // Two names for one tag are two readings.
        if let Some(name) = best_name(tag).filter(|name| known[name] == 1) {
            let from = tag.name().to_owned();
            tag.set_name(name.clone());
            edits.push(Edit::new(tag.span(), EditKind::TagRenamed { from, to: name }));
        }
        texts::repair_value(tag, edits);
    }
}

/// Repairs dates. `order` returns the order of the parts in a date of an event.
fn repair_dates(tree: &mut GameTree, order: impl Fn(Option<&str>, &str) -> Option<DateOrder>, edits: &mut Vec<Edit>) {
    let event = tree.tag("Event").map(str::to_owned);
    for tag in tree.tags_mut().iter_mut().filter(|tag| DATE_TAGS.contains(&tag.name())) {
        let read = match read_date_in(tag.value(), None) {
            WrittenDate::Unclear => read_date_in(tag.value(), order(event.as_deref(), tag.value())),
            read => read,
        };
        if let WrittenDate::Means(date) = read {
            let from = tag.value().to_owned();
            tag.set_value(date.clone());
            edits.push(Edit::new(tag.span(), EditKind::DateRewritten { from, to: date }));
        }
    }
}

/// Returns the corrected name; `None` if there is nothing to correct.
fn best_name(tag: &Tag) -> Option<String> {
    let (name, value) = (tag.name(), tag.value());
    let decoded = texts::decoded(name);
    let mut best = better_name(&decoded, value).or_else(|| (decoded != name).then(|| decoded.clone().into_owned()))?;
    while let Some(better) = better_name(&best, value) {
        best = better;
    }
    Some(best)
}

/// Returns a better name for a tag: in English for a roster tag in another language, in the usual capitals for a known
/// tag, as an identifier for any other.
fn better_name(name: &str, value: &str) -> Option<String> {
    const KNOWN: [&str; 5] = ["SetUp", "FEN", "GameType", "ECO", "PlyCount"];
    if let Some(english) = translation((name, value)) {
        return Some(english.to_owned());
    }
    let usual = ROSTER.into_iter().chain(KNOWN).find(|known| known.eq_ignore_ascii_case(name) && *known != name);
    if let Some(usual) = usual {
        return Some(usual.to_owned());
    }
    if is_tag_name(name) {
        return None;
    }
    // `Résultat` would lose its letters.
    if name.chars().any(|letter| letter.is_alphabetic() && !letter.is_ascii()) {
        return None;
    }
    let plain: String = name.chars().map(|letter| if is_tag_name_part(letter) { letter } else { '_' }).collect();
    // `[/FEN "B::"/White "a"]` is a setup inside a tag by mistake, not the position of the game.
    let plain = Some(plain.trim_matches('_')).filter(|plain| !plain.eq_ignore_ascii_case("FEN"))?;
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
        let mut tree = games(text).next().expect("a game").into_tree();
        let mut edits = Vec::new();
        repair_tags(&mut tree, &mut edits);
        let best = |name: &str, value: &str| best_name(&Tag::new(name, value));
        assert_eq!((best("/FEN", ""), best("/Fen x", "")), (None, Some("Fen_x".to_owned())));
        assert_eq!((best("Data", "2002.05.01"), best("Data", "archive 7")), (Some("Date".to_owned()), None));
        assert_eq!(best("Red", "a"), Some("Black".to_owned()));
        repair_dates(&mut tree, |_, _| None, &mut edits);
        let tags: Vec<_> = tree.tags().iter().map(|tag| format!("{}={}", tag.name(), tag.value())).collect();
        assert_eq!(tags[..5], ["White=a", "SetUp=1", "Type_de_jeu=20", "Date=1841.??.??", "Event=e"]);
        assert_eq!(edits.len(), 4);
    }
}
