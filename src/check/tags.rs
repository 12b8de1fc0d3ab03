//! What can be said about the values of tags.

use std::collections::HashSet;

use super::time;
use crate::diag::{Code, Diagnostic, Findings, Span};
use crate::notation::{WrittenDate, english_tag, is_result, read_date};
use crate::pdn::Tag;
use crate::replay::ReplayedGame;

/// Returns what is odd about the tags of a game, in the order of the tags.
///
/// # Examples
///
/// ```
/// use pdn::check::check_tags;
/// use pdn::pdn::games;
/// use pdn::replay::{ReplayOptions, replay};
///
/// let game = games(b"[Date \"25/12/1999\"]\n[PlyCount \"3\"]\n1. 32-28 19-23 *").next().unwrap();
/// let game = replay(game.tree, &ReplayOptions::default());
/// let codes: Vec<_> = check_tags(&game).iter().map(|found| found.code.name()).collect();
/// assert_eq!(codes, ["tag/date", "tag/ply-count"]);
/// ```
pub fn check_tags(game: &ReplayedGame) -> Vec<Diagnostic> {
    let tags = &game.tree().tags;
    let (mut found, mut names) = (Findings::default(), HashSet::new());
    for tag in tags {
        found.extend(check_value(game, tag));
        if let Some(english) = english_tag(&tag.name) {
            let message = format!("`{}` stands for {english}", tag.name);
            found.push(Diagnostic::new(Code::TAG_TRANSLATED, tag.span, message).with_help(format!("write {english}")));
        }
        if !names.insert(&tag.name) {
            found.push(Diagnostic::new(Code::TAG_DUPLICATE, tag.span, format!("{} stands here once more", tag.name)));
        }
    }
    found.into_vec()
}

fn check_value(game: &ReplayedGame, tag: &Tag) -> Option<Diagnostic> {
    let value = tag.value.trim();
    let span = if tag.value_span.is_empty() { tag.span } else { tag.value_span };
    let unknown = matches!(value, "" | "?" | "-");
    let fault = |wrong: bool, code: Code| (wrong && !unknown).then(|| plain(code, span, tag));
    match tag.name.as_str() {
        "Date" | "EventDate" | "UTCDate" | "PublicationDate" if !unknown => check_date(tag, span),
        "Time" | "UTCTime" | "WhiteTime" | "BlackTime" => fault(!time::is_time(value), Code::TAG_TIME),
        "TimeControl" | "TimeControlWhite" | "TimeControlBlack" => {
            fault(!time::is_time_control(value), Code::TAG_TIME_CONTROL)
        }
        "WhiteRating" | "BlackRating" | "WhiteElo" | "BlackElo" | "WhiteFmjdId" | "BlackFmjdId" => {
            fault(!is_number(value), Code::TAG_RATING)
        }
        "WhiteTitle" | "BlackTitle" => fault(is_number(value), Code::TAG_TITLE),
        "PlyCount" => check_ply_count(game, tag, span).filter(|_| !unknown),
        "FEN" if !unknown => {
            let announced = game.tree().tags.iter().any(|tag| tag.name.eq_ignore_ascii_case("SetUp"));
            let message = "no SetUp tag announces the position";
            let help = "write [SetUp \"1\"]";
            (!announced).then(|| Diagnostic::new(Code::TAG_SET_UP_MISSING, tag.span, message).with_help(help))
        }
        "Result" => fault(!is_result(value), Code::RESULT_FORMAT),
        _ => None,
    }
}

fn plain(code: Code, span: Span, tag: &Tag) -> Diagnostic {
    Diagnostic::new(code, span, format!("{} is `{}`", tag.name, tag.value)).with_help(code.meaning())
}

fn is_number(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit())
}

fn check_date(tag: &Tag, span: Span) -> Option<Diagnostic> {
    match read_date(&tag.value) {
        WrittenDate::Standard => None,
        WrittenDate::Means(date) => Some(plain(Code::TAG_DATE, span, tag).with_help(format!("write {date}"))),
        WrittenDate::Unclear => Some(plain(Code::TAG_DATE, span, tag)),
    }
}

fn check_ply_count(game: &ReplayedGame, tag: &Tag, span: Span) -> Option<Diagnostic> {
    let written = game.written();
    if tag.value.trim().parse() == Ok(written) {
        return None;
    }
    let message = format!("PlyCount is `{}`, but the game has {written} moves", tag.value);
    Some(Diagnostic::new(Code::TAG_PLY_COUNT, span, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};

    fn codes(tags: &str) -> Vec<&'static str> {
        let game = games(tags.as_bytes()).next().expect("a game");
        let game = replay(game.tree, &ReplayOptions::default());
        check_tags(&game).iter().map(|found| found.code.name()).collect()
    }

    #[test]
    fn sound_tags_are_quiet() {
        let tags = "[Date \"2002.06.02\"]\n[Time \"12:30\"]\n[WhiteTime \"1.29.46\"]\n[TimeControl \"40/7200:20/2400:600+5\"]\n\
            [WhiteRating \"2400\"]\n[BlackRating \"?\"]\n[WhiteTitle \"GMI\"]\n[Result \"1+ - 1-\"]\n[SetUp \"1\"]\n[FEN \"W:W31:B20\"]\n\
            [PlyCount \"1\"]\n1. 31-27";
        assert!(codes(tags).is_empty(), "{:?}", codes(tags));
    }

    #[test]
    fn odd_tags_are_told() {
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
}
