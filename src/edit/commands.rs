//! Commands in the comments after moves: evaluations and clocks.

use super::Refusal;
use super::change::{Plan, Planned, Splice, Subject};
use super::tokens::{Item, Kind};
use crate::pdn::{Evaluation, Time, clock_times, command_sources, written_commands};

/// Returns the text of a command with a new value, or without one; `None` if nothing of it is left.
type Rewrite<'f> = dyn Fn(&str, &str, Option<&str>) -> Option<String> + 'f;

impl Subject<'_> {
    /// Sets or removes the evaluation after a move.
    pub(super) fn evaluation(&self, at: &str, value: Option<&str>) -> Planned {
        let value = value.map(str::parse::<Evaluation>).transpose().map_err(|_| Refusal::Value)?;
        let value = value.map(|value| value.to_string());
        let rewrite = |_: &str, _: &str, new: Option<&str>| new.map(|new| format!("[%eval {new}]"));
        self.command(at, value.as_deref(), |name, _| name == "eval", &rewrite)
    }

    /// Sets or removes the time left of the side that made a move. A command with the clocks of both sides keeps that of the other.
    pub(super) fn clock(&self, at: &str, value: Option<&str>) -> Planned {
        let value = value.map(|text| Time::parse(text).ok_or(Refusal::Value)).transpose()?;
        let value = value.map(|value| value.to_string());
        let place = self.move_at(at)?;
        let side = place.line[place.index].side;
        let is_own = |letter: char| letter.eq_ignore_ascii_case(&side);
        let is_meant = |name: &str, value: &str| {
            name == "clk" || name == "clock" && clock_times(value).any(|(letter, _)| is_own(letter))
        };
        let rewrite = |name: &str, value: &str, new: Option<&str>| {
            if name != "clock" {
                return new.map(|new| format!("[%clk {new}]"));
            }
            let times = clock_times(value).filter_map(|(letter, time)| {
                let time = if is_own(letter) { new } else { Some(time) };
                time.map(|time| format!("{letter}{time}"))
            });
            let times = times.collect::<Vec<_>>().join(" ");
            (!times.is_empty()).then(|| format!("[%clock {times}]"))
        };
        self.command(at, value.as_deref(), is_meant, &rewrite)
    }

    /// Gives a new value to the first of the commands that are meant, and removes the others; without any, adds one.
    fn command(
        &self,
        at: &str,
        value: Option<&str>,
        is_meant: impl Fn(&str, &str) -> bool,
        rewrite: &Rewrite<'_>,
    ) -> Planned {
        self.move_at(at)?;
        let (items, after) = self.texts_at(at, false)?;
        let comments = items.iter().filter(|item| matches!(item.kind, Kind::Comment | Kind::LineComment));
        let mut splices = Vec::new();
        let mut new = value;
        let mut is_found = false;
        for item in comments.clone() {
            let old = self.written(item)?;
            let (mut text, mut from) = (String::with_capacity(old.len()), 0);
            for (source, (name, value)) in command_sources(&old).zip(written_commands(&old)) {
                if !is_meant(name, value) {
                    continue;
                }
                is_found = true;
                let start = from + old[from..].find(source).unwrap_or_default();
                text.push_str(&old[from..start]);
                from = start + source.len();
                match rewrite(name, value, new.take()) {
                    Some(command) => text.push_str(&command),
                    // One of the spaces around it goes too.
                    None if text.ends_with(' ') => drop(text.pop()),
                    None => from += usize::from(old[from..].starts_with(' ')),
                }
            }
            text.push_str(&old[from..]);
            if text != old {
                splices.push(self.rewritten_comment(item, &text)?);
            }
        }
        if let Some(command) = rewrite("", "", new).filter(|_| !is_found) {
            let only_commands = |item: &&Item| item.kind == Kind::Comment && self.text_of(item).1.is_empty();
            splices.push(match comments.clone().find(only_commands) {
                Some(item) => {
                    let old = self.written(item)?;
                    let inner = old.trim_end_matches('}').trim_end();
                    let gap = if inner.ends_with('{') { "" } else { " " };
                    self.rewritten_comment(item, &format!("{inner}{gap}{command}}}"))?
                }
                None => {
                    let comment = self.encoded(&format!("{{{command}}}"))?;
                    self.inserted(after, &comment, vec![(Kind::Comment, comment.clone())])
                }
            });
        }
        Ok(Plan { splices, focus: self.focus_at(at)?, ..Plan::default() })
    }

    /// Returns the text of a comment, with its signs. One with bytes that cannot be read would not be written as it was.
    fn written(&self, item: &Item) -> Result<String, Refusal> {
        let bytes = self.tokens.text(item.tokens.start);
        let text = self.review.game().tree().encoding().decode(bytes).into_owned();
        if self.encoded(&text)? == bytes { Ok(text) } else { Err(Refusal::Encoding) }
    }

    /// Replaces the text of a comment, or removes it if nothing is left.
    fn rewritten_comment(&self, item: &Item, text: &str) -> Result<Splice, Refusal> {
        if text.trim_matches(['{', '}', ' ', '%', ';']).is_empty() {
            return Ok(self.removed(item.tokens.clone()));
        }
        let comment = self.encoded(text)?;
        Ok(self.replaced(item.tokens.clone(), comment.clone(), Some(vec![(item.kind, comment)])))
    }
}
