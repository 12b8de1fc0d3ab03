//! Checks of the values of tags.

use std::cell::LazyCell;
use std::collections::HashSet;

use smallvec::SmallVec;

use super::CheckedGame;
use crate::diag::{Collector, Diagnostic, Span, messages};
use crate::notation::{
    DateOrder, NoDate, TimeControl, WrittenDate, english_tag, is_result, no_date, read_date_in, translation,
};
use crate::pdn::Tag;
use crate::replay::ReplayedGame;

/// Returns the diagnostics about the tags of a game, in the order of the tags. `order` decides what comes first in dates with
/// two readings.
pub(super) fn check_tags(game: &ReplayedGame, order: Option<DateOrder>) -> Vec<Diagnostic> {
    let (tags, written) = (game.tree().tags(), game.written());
    let mut diagnostics = Collector::default();
    let mut names = Names::default();
    let has_set_up = LazyCell::new(|| tags.iter().any(|tag| tag.name().eq_ignore_ascii_case("SetUp")));
    for tag in tags {
        diagnostics.extend(check_value(tag, written, order, &has_set_up));
        if let Some(english) = translation((tag.name(), tag.value())) {
            diagnostics.push(messages::translated_tag(tag.span(), tag.name(), english));
        }
        if !names.insert(tag.name()) {
            diagnostics.push(messages::duplicate_tag(tag.span(), tag.name()));
        }
    }
    diagnostics.into_vec()
}

/// Returns a diagnostic that names the required tags that a game lacks, if any. A tag whose value is empty or consists of
/// question marks, such as an unknown date, counts as missing.
pub(super) fn missing_tags(game: &CheckedGame<'_>, required: &[String]) -> Option<Diagnostic> {
    let value = |name: &str| game.tags().find(|(known, _)| *known == name).map(|(_, value)| value);
    let is_missing = |name: &&str| value(name).is_none_or(|value| value.chars().all(is_unknown));
    let names: Vec<_> = required.iter().map(String::as_str).filter(is_missing).collect();
    (!names.is_empty()).then(|| {
        let first = game.written_tags().next();
        let span = first.map_or(Span::new(0, game.bytes().len().min(1) as u32), |first| first.span);
        messages::missing_tags(span, names.join(", "))
    })
}

/// Returns true if a character carries no information about a value.
pub(super) fn is_unknown(character: char) -> bool {
    character.is_whitespace() || matches!(character, '?' | '.')
}

/// The names seen so far; most games have so few that comparing them is faster than hashing.
#[derive(Default)]
struct Names<'a> {
    first: SmallVec<[&'a str; 16]>,
    others: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    /// Adds a name; returns false if it is known.
    fn insert(&mut self, name: &'a str) -> bool {
        if self.first.contains(&name) {
            return false;
        }
        if self.first.len() < self.first.inline_size() {
            self.first.push(name);
            return true;
        }
        self.others.insert(name)
    }
}

fn check_value<F: FnOnce() -> bool>(
    tag: &Tag,
    written: usize,
    order: Option<DateOrder>,
    has_set_up: &LazyCell<bool, F>,
) -> Option<Diagnostic> {
    let (name, value) = (tag.name(), tag.value().trim());
    let span = if tag.value_span().is_empty() { tag.span() } else { tag.value_span() };
    if matches!(value, "" | "?" | "-") {
        return None;
    }
    match name {
        "Date" | "EventDate" | "UTCDate" | "PublicationDate" => check_date(tag, span, order),
        "Time" | "UTCTime" | "WhiteTime" | "BlackTime" => {
            (!is_time(value)).then(|| messages::time(span, name, tag.value()))
        }
        "TimeControl" | "TimeControlWhite" | "TimeControlBlack" => {
            value.parse::<TimeControl>().is_err().then(|| messages::time_control(span, name, tag.value()))
        }
        "WhiteRating" | "BlackRating" | "WhiteElo" | "BlackElo" | "WhiteFmjdId" | "BlackFmjdId" => {
            (!is_number(value)).then(|| messages::rating(span, name, tag.value()))
        }
        "WhiteTitle" | "BlackTitle" => is_number(value).then(|| messages::title(span, name, tag.value())),
        "PlyCount" => (value.parse() != Ok(written)).then(|| messages::ply_count(span, tag.value(), written)),
        // A position in a list of positions has no tag around it.
        "FEN" if (tag.span().end - tag.span().start) as usize <= tag.value().len() => None,
        "FEN" => (!**has_set_up).then(|| messages::fen_without_set_up(tag.span())),
        "Result" => (!is_result(value)).then(|| messages::result_format(span, tag.value())),
        // `[Uitslag "remise"]`, which is not taken for the result.
        _ => {
            let is_format_unknown = english_tag(name) == Some("Result") && !is_result(value);
            is_format_unknown.then(|| messages::result_format(span, tag.value()))
        }
    }
}

fn is_number(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit())
}

fn check_date(tag: &Tag, span: Span, order: Option<DateOrder>) -> Option<Diagnostic> {
    match read_date_in(tag.value(), order) {
        WrittenDate::Standard => None,
        WrittenDate::Means(date) => Some(messages::date_means(span, tag.name(), tag.value(), date)),
        WrittenDate::Unclear if has_two_orders(tag.value()) => {
            Some(messages::date_unclear(span, tag.name(), tag.value()))
        }
        WrittenDate::Unclear => Some(match no_date(tag.value()) {
            Some(NoDate::Days(month, days)) => messages::date_no_day(span, tag.name(), tag.value(), month, days),
            Some(NoDate::Month) => messages::date_no_month(span, tag.name(), tag.value()),
            None => messages::date(span, tag.name(), tag.value()),
        }),
    }
}

/// Returns true if only the order of day and month is unknown.
fn has_two_orders(value: &str) -> bool {
    let read = |order| read_date_in(value, Some(order));
    let [day, month] = [DateOrder::DayFirst, DateOrder::MonthFirst].map(read);
    matches!((&day, &month), (WrittenDate::Means(day), WrittenDate::Means(month)) if day != month)
}

/// Returns true if a value is a time: `H:MM` or `H:MM:SS`, possibly with dots.
pub(super) fn is_time(value: &str) -> bool {
    let sign = if value.contains(':') { ':' } else { '.' };
    let parts: Vec<&str> = value.split(sign).collect();
    let small = |part: &&str| part.len() == 2 && part.parse().is_ok_and(|number: u8| number < 60);
    (2..=3).contains(&parts.len()) && is_count(parts[0]) && parts[0].len() <= 3 && parts[1..].iter().all(small)
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};

    fn codes(tags: &str) -> Vec<&'static str> {
        let game = games(tags.as_bytes()).next().expect("a game");
        let game = replay(game.into_tree(), &ReplayOptions::default());
        check_tags(&game, None).iter().map(|found| found.code().name()).collect()
    }

    #[test]
    fn valid_tags_have_no_diagnostics() {
        let tags = "[Date \"2002.06.02\"]\n[Time \"12:30\"]\n[WhiteTime \"1.29.46\"]\n[TimeControl \"40/7200:20/2400:600+5\"]\n\
            [WhiteRating \"2400\"]\n[BlackRating \"?\"]\n[WhiteTitle \"GMI\"]\n[Result \"1+ - 1-\"]\n[SetUp \"1\"]\n[FEN \"W:W31:B20\"]\n\
            [PlyCount \"1\"]\n1. 31-27";
        assert!(codes(tags).is_empty(), "{:?}", codes(tags));
    }

    #[test]
    fn each_kind_of_invalid_tag_is_reported() {
        for (tag, code) in [
            ("[Date \"1841-??-??\"]", "tag/date"),
            ("[Time \"noon\"]", "tag/time"),
            ("[TimeControl \"2h\"]", "tag/time-control"),
            ("[PlyCount \"9\"]", "tag/ply-count"),
            ("[WhiteRating \"GMI\"]", "tag/rating"),
            ("[BlackTitle \"2400\"]", "tag/title"),
            ("[Nero \"x\"]", "tag/translated"),
            ("[FEN \"W:W31:B20\"]", "tag/set-up-missing"),
            ("[Result \"won\"]", "result/format"),
        ] {
            assert_eq!(codes(tag), [code], "{tag}");
        }
    }

    #[test]
    fn reads_times() {
        for time in ["0:00", "12:30", "1:29:46", "1.29.46"] {
            assert!(is_time(time), "{time}");
        }
        for time in ["", "12", "1:2", "12:60", "1:29:46:00", "a:30"] {
            assert!(!is_time(time), "{time}");
        }
    }
}
