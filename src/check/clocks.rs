//! Clocks in comments: how a time of two parts is read, and what cannot be right.

use crate::board::Side;
use crate::diag::{Collector, Diagnostic, Severity, Span, messages};
use crate::notation::{Stage, TimeControl};
use crate::pdn::{Attachment, Command, Node, Time, TwoParts, clock_times, parse_command, written_commands};
use crate::replay::{Ply, ReplayedGame};

/// A time left, as the comment after a move shows it.
#[derive(Clone, Copy, Debug)]
struct Reading<'a> {
    side: Side,
    value: &'a str,
    span: Span,
}

/// The most hours that a game over the board gives a player: more of them are minutes.
const MAX_HOURS: u64 = 6;

/// Tolerance of a clock, in milliseconds: boards occasionally show a second more.
const JITTER: u64 = 2_000;
/// The largest usual increment for a move, in milliseconds, if the time control is unknown.
const LARGEST_INCREMENT: u64 = 60_000;

/// Returns how clocks of two parts are read in a game: as hours and minutes, as electronic boards and the tag `WhiteTime` have
/// them, unless the time control or another clock of the game shows that they are minutes and seconds.
pub(crate) fn two_parts(game: &ReplayedGame) -> TwoParts {
    decide(game, &readings(game)).0
}

/// Returns the diagnostics of the clocks and other commands of a game.
pub(super) fn check_clocks(game: &ReplayedGame) -> Vec<Diagnostic> {
    let mut diagnostics = Collector::default();
    let mut has_commands = false;
    // Most nodes have nothing attached, and looking for commands in all of them took 3 % of a check.
    for node in game.tree().nodes().iter().filter(|node| !node.attachments().is_empty()) {
        for (value, name, span) in commands(node) {
            has_commands = true;
            if let Some(diagnostic) = check_value(name, value, span) {
                diagnostics.push(diagnostic);
            }
        }
    }
    if !has_commands {
        return Vec::new();
    }
    let readings = readings(game);
    let (read_as, first) = decide(game, &readings);
    if let Some(first) = first {
        let parts = if read_as == TwoParts::Hours { "hours and minutes" } else { "minutes and seconds" };
        diagnostics.push(messages::clock_parts(first.span, first.value, parts));
    }
    let control = control(game);
    for side in [Side::White, Side::Black] {
        let times = readings.iter().filter(|reading| reading.side == side && !is_over_59(reading.value));
        let times: Vec<_> = times.filter_map(|reading| Some((reading, Time::clock(reading.value, read_as)?))).collect();
        for pair in times.windows(2) {
            diagnostics.extend(check_gain(pair[0].1, pair[1].1, pair[1].0.span, control.as_ref()));
        }
    }
    diagnostics.into_vec()
}

/// Returns the values, names and comments of the commands after a move.
fn commands(node: &Node) -> impl Iterator<Item = (&str, &str, Span)> {
    let comments = node.attachments().iter().filter_map(|attachment| match attachment {
        Attachment::Comment { text, span } | Attachment::LineComment { text, span } => Some((text.as_str(), *span)),
        _ => None,
    });
    comments.flat_map(|(text, span)| written_commands(text).map(move |(name, value)| (value, name, span)))
}

/// Returns the clocks of the sides that moved in the main line.
fn readings(game: &ReplayedGame) -> Vec<Reading<'_>> {
    let mut all = Vec::new();
    for &id in game.tree().main_line().nodes() {
        let node = game.tree().node(id);
        if node.attachments().is_empty() {
            continue;
        }
        let Some(side) = game.ply(id).map(Ply::side) else { continue };
        for (value, name, span) in commands(node) {
            let letter = if side == Side::White { 'w' } else { 'b' };
            let value = match name {
                "clk" => Some(value),
                "clock" => clock_times(value).find(|(of, _)| of.eq_ignore_ascii_case(&letter)).map(|(_, time)| time),
                _ => None,
            };
            all.extend(value.map(|value| Reading { side, value, span }));
        }
    }
    all
}

fn control(game: &ReplayedGame) -> Option<Vec<Stage>> {
    let tags = ["TimeControl", "TimeControlWhite", "TimeControlBlack"];
    let stages = tags.iter().filter_map(|name| match game.tag(name)?.parse() {
        Ok(TimeControl::Stages(stages)) => Some(stages),
        _ => None,
    });
    stages.max_by_key(|stages| seconds(stages))
}

/// Returns all the time of a control, in seconds, without increments.
fn seconds(stages: &[Stage]) -> u64 {
    let seconds = stages.iter().map(|stage| match stage {
        Stage::Clock { seconds, .. } | Stage::HourGlass { seconds } => *seconds,
    });
    seconds.fold(0, u64::saturating_add)
}

/// Returns how clocks of two parts are read, and the first of them, if there are any.
fn decide<'a>(game: &ReplayedGame, readings: &[Reading<'a>]) -> (TwoParts, Option<Reading<'a>>) {
    let parts = |reading: &Reading<'_>| reading.value.matches(':').count() + 1;
    let mut two = readings.iter().filter(|reading| parts(reading) == 2).peekable();
    let Some(&&first) = two.peek() else { return (TwoParts::Hours, None) };
    let longest = two.clone().filter_map(|reading| Time::clock(reading.value, TwoParts::Hours)).max();
    let has_decimals = two.any(|reading| reading.value.contains('.'));
    // Where a program omits the hours only once they are zero, the clocks with hours show more than the others.
    let three = readings.iter().filter(|reading| parts(reading) == 3);
    let most = three.filter_map(|reading| Time::clock(reading.value, TwoParts::Hours)).max();
    let given = control(game).map(|stages| {
        let increment = stages.iter().filter_map(increment_of).max().unwrap_or_default();
        let increments = increment.saturating_mul(game.written() as u64 / 2);
        Time(seconds(&stages).saturating_add(increments).saturating_mul(1000))
    });
    // Six hours and any minutes.
    let limit = [Some(Time((MAX_HOURS + 1) * 3_600_000 - 1)), most, given].into_iter().flatten().min();
    let is_minutes = has_decimals || longest > limit;
    (if is_minutes { TwoParts::Minutes } else { TwoParts::Hours }, Some(first))
}

const fn increment_of(stage: &Stage) -> Option<u64> {
    match stage {
        Stage::Clock { increment, .. } => *increment,
        Stage::HourGlass { .. } => None,
    }
}

/// Reports a known command whose value cannot be read, or is no time of a clock.
fn check_value(name: &str, value: &str, span: Span) -> Option<Diagnostic> {
    let is_known = matches!(name, "clk" | "mct" | "egt" | "emt" | "clock" | "eval" | "csl" | "cal");
    // Programs write these for an unknown time.
    if !is_known || matches!(value, "" | "-" | "?") {
        return None;
    }
    if matches!(parse_command(name, value), Command::Unknown { .. }) {
        return Some(messages::command_value(span, format!("%{name}"), value));
    }
    let times: Vec<_> = match name {
        "clock" => clock_times(value).map(|(_, time)| time).collect(),
        "clk" | "mct" | "egt" | "emt" => vec![value],
        _ => Vec::new(),
    };
    if times.iter().any(|time| is_over_59(time)) {
        return Some(messages::clock_over_59(span, format!("%{name}"), value));
    }
    // `4.50` on a clock is four and a half seconds by the standard, and four minutes and fifty seconds to many people.
    let is_unclear = matches!(name, "clk" | "clock") && times.iter().any(|time| Time::is_dotted(time));
    is_unclear.then(|| messages::clock_dots(span, format!("%{name}"), value))
}

/// Returns true if minutes after hours, or seconds after minutes, are 60 or more.
fn is_over_59(time: &str) -> bool {
    time.split(':')
        .skip(1)
        .any(|part| part.split('.').next().is_some_and(|part| part.parse::<u64>().is_ok_and(|number| number >= 60)))
}

/// Reports a clock that shows more than before, by more than the time control allows.
fn check_gain(before: Time, after: Time, span: Span, control: Option<&Vec<Stage>>) -> Option<Diagnostic> {
    let gain = after.0.checked_sub(before.0)?;
    let millis = |seconds: u64| seconds.saturating_mul(1000);
    let most = match control.map(Vec::as_slice) {
        None => LARGEST_INCREMENT,
        Some([Stage::HourGlass { .. }, ..]) => return None,
        Some(stages) => {
            let increment = stages.iter().filter_map(increment_of).max().unwrap_or_default();
            // A stage for some moves is followed by another one, or given again.
            let is_given_again = stages.len() > 1 || matches!(stages, [Stage::Clock { moves: Some(_), .. }]);
            millis(increment) + if is_given_again { millis(seconds(stages)) } else { 0 }
        }
    };
    (gain > most.saturating_add(JITTER)).then(|| {
        let mut diagnostic = messages::clock_gains(span, before.to_string(), after.to_string());
        // Without a time control, the players may have been given the time.
        if control.is_none() {
            diagnostic.set_severity(Severity::Note);
        }
        diagnostic
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};

    fn replayed(text: &str) -> ReplayedGame {
        replay(games(text.as_bytes()).next().expect("a game").into_tree(), &ReplayOptions::default())
    }

    fn codes(text: &str) -> Vec<String> {
        check_clocks(&replayed(text)).iter().map(|found| format!("{}: {}", found.code(), found.message())).collect()
    }

    #[test]
    fn two_parts_are_hours_unless_the_game_shows_otherwise() {
        let text = |tags: &str, [a, b, c]: [&str; 3]| {
            format!("[GameType \"20\"]\n{tags}\n1. 32-28 {{[%clk {a}]}} 19-23 {{[%clk {b}]}} 2. 28x19 {{[%clk {c}]}} *")
        };
        for (tags, clocks, expected) in [
            ("", ["1:20", "1:19", "1:18"], TwoParts::Hours),
            ("[TimeControl \"4800\"]", ["1:20", "1:19", "1:18"], TwoParts::Hours),
            ("[TimeControl \"80\"]", ["1:20", "1:19", "1:18"], TwoParts::Minutes),
            ("[TimeControl \"300+3\"]", ["5:02", "4:59", "4:58"], TwoParts::Minutes),
            ("", ["59:50", "59:40", "58:10"], TwoParts::Minutes),
            ("", ["1:00:02", "1:00:02", "59:58"], TwoParts::Minutes),
            ("", ["0:05:00", "0:05:00", "4:58"], TwoParts::Minutes),
            ("", ["1:59:00", "1:59:00", "1:58"], TwoParts::Hours),
            ("", ["4:50.3", "4:48.1", "4:47.0"], TwoParts::Minutes),
        ] {
            let game = replayed(&text(tags, clocks));
            assert_eq!(two_parts(&game), expected, "{tags} {clocks:?}");
            let codes = codes(&text(tags, clocks));
            assert!(codes.len() == 1 && codes[0].starts_with("move/clock-parts"), "{codes:?}");
        }
    }

    #[test]
    fn impossible_clocks_and_unreadable_values_are_reported() {
        let clocks = |control: &str, before: &str, after: &str| {
            codes(&format!(
                "[GameType \"20\"]\n{control}\n1. 32-28 {{[%clk {before}]}} 19-23 2. 28x19 {{[%clk {after}]}} *"
            ))
        };
        let control = "[TimeControl \"300\"]";
        assert_eq!(
            clocks(control, "0:04:50", "0:44:40"),
            ["move/clock: the clock gains time, from 0:04:50 to 0:44:40"]
        );
        assert!(clocks("[TimeControl \"300+5\"]", "0:04:50", "0:04:55").is_empty());
        assert!(clocks("[TimeControl \"40/7200\"]", "0:00:50", "2:00:40").is_empty());
        assert!(clocks("", "0:04:50", "0:05:10").is_empty());
        assert!(clocks("", "0:04:50", "0:44:40")[0].starts_with("move/clock"));
        for (value, said) in [
            ("0:99:99", "60 or more"),
            ("0:04:0x", "cannot be read"),
            ("4.50", "two readings"),
            ("1:75", "60 or more"),
            ("noon", "cannot be read"),
        ] {
            let codes = clocks(control, value, "0:04:30");
            assert!(codes.iter().any(|code| code.contains(said)), "{value}: {codes:?}");
        }
        for command in ["%eval x", "%emt 0:00:0x", "%clock w1:00:00 b", "%cal 32-28"] {
            let codes = codes(&format!("[GameType \"20\"]\n1. 32-28 {{[{command}]}} *"));
            assert!(codes.len() == 1 && codes[0].starts_with("move/command"), "{command}: {codes:?}");
        }
        for command in ["%drgnode 17 18", "%eval 0.32,20", "%clk ?", "%clock w1:00:00 B0:59:00", "%emt 0.520"] {
            let codes = codes(&format!("[GameType \"20\"]\n1. 32-28 {{[{command}]}} *"));
            assert!(codes.is_empty(), "{command}: {codes:?}");
        }
    }
}
