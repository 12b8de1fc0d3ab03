//! Commands in the comments after moves: evaluations, clocks, coloured squares and arrows.

use std::collections::BTreeMap;

use super::Refusal;
use super::change::{Plan, Planned, Splice, Subject};
use super::tokens::{Item, Kind};
use crate::pdn::{
    Command, Evaluation, Time, clock_times, parse_command, with_command, without_commands, written_command,
    written_commands,
};

impl Subject<'_> {
    /// Sets commands after a move, or removes them. New ones go into the first comment that has commands.
    pub(super) fn commands(&self, at: &str, values: &BTreeMap<String, Option<String>>) -> Planned {
        let (items, after) = self.texts_at(at, false)?;
        let comments = items.iter().filter(|item| is_comment(item));
        let old: Vec<(&Item, String)> = comments.map(|item| (item, self.inner(item))).collect();
        let mut texts: Vec<String> = old.iter().map(|(_, text)| text.clone()).collect();
        let mut added = Vec::new();
        for (name, value) in values {
            let value = value.as_deref().map(str::trim);
            if !is_command(name, value) {
                return Err(Refusal::Value);
            }
            let has = |text: &String| written_commands(text).any(|(other, _)| other == name);
            let has_any = |text: &String| written_commands(text).next().is_some();
            let taker = texts.iter().position(has).or_else(|| texts.iter().position(has_any));
            for (n, text) in texts.iter_mut().enumerate() {
                match value {
                    Some(value) if taker == Some(n) => *text = with_command(text, name, value),
                    _ if has(text) => *text = without_commands(text, |other| other == name),
                    _ => {}
                }
            }
            added.extend(value.filter(|_| taker.is_none()).map(|value| written_command(name, value)));
        }
        let changed = old.iter().zip(&texts).filter(|((_, old), new)| old != *new);
        let mut splices = changed.map(|((item, _), new)| self.changed(item, new)).collect::<Result<Vec<_>, _>>()?;
        if !added.is_empty() {
            let comment = self.encoded(&format!("{{{}}}", added.join(" ")))?;
            splices.push(self.inserted(after, &comment, vec![(Kind::Comment, comment.clone())]));
            splices.sort_by_key(|splice| splice.bytes.start);
        }
        Ok(Plan { splices, focus: self.focus_at(at)?, ..Plan::default() })
    }

    /// Sets or removes the evaluation after a move.
    pub(super) fn evaluation(&self, at: &str, value: Option<&str>) -> Planned {
        let value = value.map(str::parse::<Evaluation>).transpose().map_err(|_| Refusal::Value)?;
        self.move_at(at)?;
        self.command(at, "eval", value.map(|value| value.to_string()))
    }

    /// Sets or removes the time left of the side that made a move. A command with the clocks of both sides keeps that of the other.
    pub(super) fn clock(&self, at: &str, value: Option<&str>) -> Planned {
        let value = value.map(|text| Time::parse(text).ok_or(Refusal::Value)).transpose()?;
        let value = value.map(|value| value.to_string());
        let place = self.move_at(at)?;
        let side = place.line[place.index].side;
        let is_own = |letter: char| letter.eq_ignore_ascii_case(&side);
        let (items, _) = self.texts_at(at, false)?;
        let both = items.iter().filter(|item| is_comment(item)).find_map(|item| {
            let text = self.inner(item);
            let found = written_commands(&text).find(|(name, _)| *name == "clock");
            found
                .map(|(_, value)| value.to_owned())
                .filter(|value| clock_times(value).any(|(letter, _)| is_own(letter)))
        });
        let Some(both) = both else { return self.command(at, "clk", value) };
        let times = clock_times(&both).filter_map(|(letter, time)| {
            let time = if is_own(letter) { value.as_deref() } else { Some(time) };
            time.map(|time| format!("{letter}{time}"))
        });
        let times = times.collect::<Vec<_>>().join(" ");
        self.command(at, "clock", Some(times).filter(|times| !times.is_empty()))
    }

    fn command(&self, at: &str, name: &str, value: Option<String>) -> Planned {
        self.commands(at, &BTreeMap::from([(name.to_owned(), value)]))
    }

    /// Replaces the text of a comment. One with bytes that cannot be read would not be written as it was.
    fn changed(&self, item: &Item, new: &str) -> Result<Splice, Refusal> {
        let bytes = self.tokens.text(item.tokens.start);
        let text = self.review.game().tree().encoding().decode(bytes).into_owned();
        if self.encoded(&text)? == bytes { self.with_inner(item, new) } else { Err(Refusal::Encoding) }
    }
}

fn is_comment(item: &Item) -> bool {
    matches!(item.kind, Kind::Comment | Kind::LineComment)
}

/// Returns true if a command with a value, or without one, can be written so that it is read again.
fn is_command(name: &str, value: Option<&str>) -> bool {
    let is_read = |value: &str| {
        !value.contains(|letter: char| letter.is_control() || "{}[]".contains(letter))
            && !matches!(parse_command(name, value), Command::Unknown { .. })
    };
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && value.is_none_or(is_read)
}
