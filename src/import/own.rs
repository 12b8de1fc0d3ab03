//! Games as this program writes them in JSON: an object a game, with `schema` and a list of moves.

use super::RecordContents;
use super::draft::Draft;
use super::grammar::json::{Member, Value};
use super::json::find;
use crate::board::Side;
use crate::diag::messages;
use crate::pdn::{Evaluation, MoveText, NodeKind, Time, WrittenNumber, may_hold_score, strength_nag, written_commands};
use crate::rules::Variant;
use crate::text::quoted;

/// Returns true for the members of a game in JSON as this program writes it.
pub(super) fn is_own(members: &[Member<'_>]) -> bool {
    find(members, "schema").and_then(Value::number).is_some() && matches!(find(members, "moves"), Some(Value::List(_)))
}

/// A game being read.
struct Game<'a> {
    draft: Draft<'a>,
    /// The letter of the side that starts games of the variant.
    starts: char,
}

/// Reads a game from its members.
pub(super) fn read<'a>(draft: Draft<'a>, members: &[Member<'a>]) -> RecordContents {
    let variant = find(members, "variant").and_then(Value::text).and_then(|name| str::from_utf8(name).ok());
    let variant: Option<Variant> = variant.and_then(|name| name.parse().ok());
    let moves = find(members, "moves").map_or(&[][..], Value::list);
    let mut game = Game { draft, starts: variant.map_or(Side::White, Variant::starts).letter() };
    game.lead(members);
    game.tags(members);
    let intro = find(members, "intro").map(Value::list);
    let variations = moves.first().and_then(|first| first.get("variations")).map_or(&[][..], Value::list);
    match (intro, find(members, "before")) {
        (Some(notes), _) => game.notes(notes, variations),
        (None, None) => game.comment(find(members, "comment")),
        // What is written before the tags is in `comment` too, and was added with `before`.
        (None, Some(_)) => {}
    }
    game.line(moves, true);
    if let Some(text) = find(members, "result").and_then(|result| result.get("terminator")).and_then(Value::text) {
        let value = game.draft.unescaped(text);
        game.draft.game.at(game.draft.span(text)).terminator(&value);
        game.draft.game.begin_tail();
    }
    match find(members, "tail") {
        Some(notes) => game.notes(notes.list(), &[]),
        None => game.comment(find(members, "end_comment")),
    }
    let mut contents = game.draft.finish();
    // It may be that of an option, or of all games of a file.
    contents.games.iter_mut().for_each(|game| game.tree_mut().set_recorded_variant(variant.map(Variant::name)));
    contents
}

/// Returns an evaluation: `{"cm":32}`, or `{"win":7,"winner":"W"}`.
fn evaluation(value: &Value<'_>) -> Option<Evaluation> {
    let number = |name| value.get(name).and_then(Value::number).map(|(number, _)| number);
    if let Some(centi_men) = number("cm") {
        return Some(Evaluation::CentiMen(i32::try_from(centi_men).ok()?));
    }
    let plies = u32::try_from(number("win")?).ok()?;
    Some(match value.get("winner").and_then(Value::text)? {
        b"W" => Evaluation::WhiteWins(plies),
        _ => Evaluation::BlackWins(plies),
    })
}

impl<'a> Game<'a> {
    /// Adds what is written before the tags.
    fn lead(&mut self, members: &[Member<'a>]) {
        if let Some(notes) = find(members, "before") {
            self.notes(notes.list(), &[]);
            self.draft.game.begin_tags();
        }
    }

    /// Adds the tags: all in order where a name is repeated, or else the members of an object.
    fn tags(&mut self, members: &[Member<'a>]) {
        // An object has each name once, and programs that read JSON may change the order of its members.
        if let Some(Value::List(all)) = find(members, "all_tags") {
            for pair in all {
                if let [Value::Text(name), Value::Text(value)] = pair.list() {
                    self.tag(name, value);
                }
            }
        } else if let Some(Value::Object(tags)) = find(members, "tags") {
            for (name, value) in tags {
                match value {
                    Value::Text(value) => self.tag(name, value),
                    _ => self.draft.report(messages::log_value(
                        self.draft.span(name),
                        self.draft.decoded(name),
                        "a text",
                    )),
                }
            }
        }
    }

    fn tag(&mut self, name: &'a [u8], value: &'a [u8]) {
        let (name, text) = (self.draft.unescaped(name), self.draft.unescaped(value));
        self.draft.tag(&name, &text, value);
    }

    fn comment(&mut self, value: Option<&Value<'a>>) {
        if let Some(text) = value.and_then(Value::text) {
            let comment = self.draft.unescaped(text);
            self.draft.comment(&comment, text);
        }
    }

    /// Adds the moves of a line.
    fn line(&mut self, moves: &[Value<'a>], is_main: bool) {
        for (n, row) in moves.iter().enumerate() {
            let Value::Object(row) = row else { continue };
            let variations = find(row, "variations").map_or(&[][..], Value::list);
            match find(row, "before") {
                Some(notes) => self.notes(notes.list(), variations),
                None if n == 0 && !is_main => self.comment(find(row, "intro")),
                None => {}
            }
            if !self.r#move(row) {
                break;
            }
            self.after(row, variations);
        }
    }

    /// Adds a move or a null move; returns false for anything else.
    fn r#move(&mut self, row: &[Member<'a>]) -> bool {
        let Some(place) = find(row, "written").and_then(Value::text) else {
            let key = row.first().map_or(&[][..], |(key, _)| key);
            self.draft.report(messages::log_value(self.draft.span(key), "written", "a member of the move"));
            return false;
        };
        let written = self.draft.unescaped(place);
        let kind = match MoveText::parse(&written) {
            _ if written == "-" => NodeKind::Null,
            Some(text) => NodeKind::Move(text),
            None => {
                self.draft.report(messages::log_move(self.draft.span(place), quoted(written.as_bytes())));
                return false;
            }
        };
        let count = |name| find(row, name).and_then(Value::number).map(|(value, _)| value);
        let starts = find(row, "side").and_then(Value::text).is_none_or(|side| side == [self.starts as u8]);
        let number = count("number").and_then(|value| u32::try_from(value).ok()).map(|value| {
            match count("dots").and_then(|dots| u8::try_from(dots).ok()) {
                Some(dots) => WrittenNumber::new(value, dots),
                None => WrittenNumber::new(value, 1).usual(starts),
            }
        });
        self.draft.numbered(number, kind, place);
        true
    }

    /// Adds what is written after a move.
    fn after(&mut self, row: &[Member<'a>], variations: &[Value<'a>]) {
        let marks = find(row, "marks").and_then(Value::text).map(|marks| self.draft.unescaped(marks));
        if let Some(marks) = &marks {
            self.draft.game.strength(marks);
        }
        if let Some(notes) = find(row, "after") {
            self.notes(notes.list(), variations);
            return self.values(row);
        }
        // The first NAG is that of the marks, which would be written twice.
        let of_marks = usize::from(marks.as_deref().and_then(strength_nag).is_some());
        let nags = find(row, "nags").map_or(&[][..], Value::list).iter().skip(of_marks);
        for nag in nags.filter_map(|nag| u16::try_from(nag.number()?.0).ok()) {
            self.draft.game.nag(nag);
        }
        self.comment(find(row, "comment"));
        self.values(row);
        for line in variations {
            self.variation(line);
        }
    }

    /// Adds the evaluation and the times of a move as commands, if its comments do not have them, as after an analysis.
    fn values(&mut self, row: &[Member<'a>]) {
        let comment = find(row, "comment").and_then(Value::text).map(|text| self.draft.unescaped(text));
        let comment = comment.unwrap_or_default();
        let has = |names: &[&str]| written_commands(&comment).any(|(name, _)| names.contains(&name));
        let eval = find(row, "eval").filter(|_| !has(&["eval"]) && !may_hold_score(&comment)).and_then(evaluation);
        let seconds = |name| match find(row, name) {
            Some(Value::Number(digits)) => Time::parse(str::from_utf8(digits).ok()?),
            _ => None,
        };
        let clock = seconds("clock").filter(|_| !has(&["clk", "clock"]));
        let elapsed = seconds("elapsed").filter(|_| !has(&["emt", "egt", "mct"]) && !may_hold_score(&comment));
        let commands = [
            clock.map(|time| format!("[%clk {time}]")),
            elapsed.map(|time| format!("[%emt {time}]")),
            eval.map(|evaluation| format!("[%eval {evaluation}]")),
        ];
        for command in commands.iter().flatten() {
            self.draft.game.comment(command);
        }
    }

    fn variation(&mut self, line: &Value<'a>) {
        self.draft.game.open_variation();
        self.line(line.list(), false);
        self.draft.game.close_variation();
    }

    /// Adds comments, annotations, positions and variations, each at its place.
    fn notes(&mut self, notes: &[Value<'a>], variations: &[Value<'a>]) {
        for note in notes {
            let Value::Object(members) = note else {
                if note.text() == Some(b"ellipsis") {
                    self.draft.numbered(None, NodeKind::Ellipsis, note.text().unwrap_or_default());
                }
                continue;
            };
            let [(kind, value)] = &members[..] else { continue };
            match (*kind, value) {
                (b"comment", Value::Text(_)) => self.comment(Some(value)),
                (b"line_comment", Value::Text(text)) => {
                    let comment = self.draft.unescaped(text);
                    self.draft.game.line_comment(&comment);
                }
                (b"text", Value::Text(text)) => {
                    let stray = self.draft.unescaped(text);
                    self.draft.game.stray(&stray);
                }
                (b"setup", Value::Text(text)) => {
                    let fen = Box::new(self.draft.unescaped(text));
                    self.draft.numbered(None, NodeKind::Setup { fen }, text);
                }
                (b"nag", _) => {
                    if let Some(nag) = value.number().and_then(|(nag, _)| u16::try_from(nag).ok()) {
                        self.draft.game.nag(nag);
                    }
                }
                (b"variation", _) => {
                    let at = value.number().and_then(|(at, _)| usize::try_from(at).ok());
                    if let Some(line) = at.and_then(|at| variations.get(at)) {
                        self.variation(line);
                    }
                }
                _ => {}
            }
        }
    }
}
