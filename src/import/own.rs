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

/// Returns true for the members of a game in JSON as this program writes it: with the number of the schema, or at least with a list
/// of moves that are not all texts.
pub(super) fn is_own(members: &[Member<'_>]) -> bool {
    let Some(Value::List(moves)) = find(members, "moves") else { return false };
    has_schema(members) || moves.iter().any(|row| row.text().is_none())
}

/// Returns true if there is a number of a schema.
pub(super) fn has_schema(members: &[Member<'_>]) -> bool {
    find(members, "schema").and_then(Value::number).is_some()
}

/// The number of the schema.
const SCHEMA: i64 = 1;

/// A game being read.
struct Game<'a> {
    draft: Draft<'a>,
    /// The letter of the side that starts games of the variant.
    starts: char,
}

/// Reads a game from its members.
pub(super) fn read<'a>(draft: Draft<'a>, members: &[Member<'a>]) -> RecordContents {
    let mut game = Game { draft, starts: Side::White.letter() };
    let name = game.member(members, "variant", "a text", Value::text).and_then(|name| str::from_utf8(name).ok());
    let variant: Option<Variant> = name.and_then(|name| name.parse().ok());
    game.starts = variant.map_or(Side::White, Variant::starts).letter();
    let is_known = |schema: &Value<'_>| schema.number().is_some_and(|(number, _)| number == SCHEMA);
    game.member(members, "schema", &SCHEMA.to_string(), |schema| is_known(schema).then_some(()));
    let moves = find(members, "moves").map_or(&[][..], Value::list);
    game.lead(members);
    game.tags(members);
    let variations = moves.first().and_then(|first| first.get("variations")).map_or(&[][..], Value::list);
    match (game.list(members, "intro"), find(members, "before")) {
        (Some(notes), _) => game.notes(notes, variations),
        (None, None) => game.comment(members, "comment"),
        // What is written before the tags is in `comment` too, and was added with `before`.
        (None, Some(_)) => {}
    }
    game.line(moves, true);
    let result =
        game.member(members, "result", "an object", |value| matches!(value, Value::Object(_)).then_some(value));
    if let Some(text) = result.and_then(|result| result.get("terminator")).and_then(Value::text) {
        let value = game.draft.unescaped(text);
        game.draft.game.at(game.draft.span(text)).terminator(&value);
        game.draft.game.begin_tail();
    }
    match game.list(members, "tail") {
        Some(notes) => game.notes(notes, &[]),
        None => game.comment(members, "end_comment"),
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

/// Returns the number of an annotation glyph.
fn glyph(value: &Value<'_>) -> Option<u16> {
    u16::try_from(value.number()?.0).ok()
}

impl<'a> Game<'a> {
    /// Returns what `read` finds in a member; a value in which it finds nothing is reported, unless it is null.
    fn member<'v, T>(
        &mut self,
        members: &'v [Member<'a>],
        name: &str,
        expected: &str,
        read: impl FnOnce(&'v Value<'a>) -> Option<T>,
    ) -> Option<T> {
        let (key, value) = members.iter().find(|(known, _)| *known == name.as_bytes())?;
        let found = read(value);
        if found.is_none() && !matches!(value, Value::Null) {
            self.draft.report(messages::log_value(self.draft.span(key), name, expected));
        }
        found
    }

    fn list<'v>(&mut self, members: &'v [Member<'a>], name: &str) -> Option<&'v [Value<'a>]> {
        self.member(members, name, "a list", |value| if let Value::List(list) = value { Some(&list[..]) } else { None })
    }

    /// Adds what is written before the tags.
    fn lead(&mut self, members: &[Member<'a>]) {
        if let Some(notes) = self.list(members, "before") {
            self.notes(notes, &[]);
            self.draft.game.begin_tags();
        }
    }

    /// Adds the tags: all in order where a name is repeated, or else the members of an object.
    fn tags<'v>(&mut self, members: &'v [Member<'a>]) {
        // An object has each name once, and programs that read JSON may change the order of its members.
        if let Some(Value::List(all)) = find(members, "all_tags") {
            for pair in all {
                if let [Value::Text(name), Value::Text(value)] = pair.list() {
                    self.tag(name, value);
                }
            }
            return;
        }
        let object = |value: &'v Value<'a>| if let Value::Object(tags) = value { Some(&tags[..]) } else { None };
        for (name, value) in self.member(members, "tags", "an object", object).unwrap_or_default() {
            match value {
                Value::Text(value) => self.tag(name, value),
                _ => self.draft.report(messages::log_value(self.draft.span(name), self.draft.decoded(name), "a text")),
            }
        }
    }

    fn tag(&mut self, name: &'a [u8], value: &'a [u8]) {
        let (name, text) = (self.draft.unescaped(name), self.draft.unescaped(value));
        self.draft.tag(&name, &text, value);
    }

    fn comment(&mut self, members: &[Member<'a>], name: &str) {
        if let Some(text) = self.member(members, name, "a text", Value::text) {
            let comment = self.draft.unescaped(text);
            self.draft.comment(&comment, text);
        }
    }

    /// Adds the moves of a line.
    fn line(&mut self, moves: &[Value<'a>], is_main: bool) {
        for (n, entry) in moves.iter().enumerate() {
            let (written, row) = match entry {
                Value::Object(row) => {
                    (["written", "notation"].iter().find_map(|name| find(row, name)?.text()), &row[..])
                }
                // A move with nothing else.
                other => (other.text(), &[][..]),
            };
            let Some(written) = written else {
                self.no_move(entry);
                continue;
            };
            let variations = self.list(row, "variations").unwrap_or_default();
            match self.list(row, "before") {
                Some(notes) => self.notes(notes, variations),
                None if n == 0 && !is_main => self.comment(row, "intro"),
                None => {}
            }
            if !self.r#move(written, row) {
                break;
            }
            self.after(row, variations);
        }
    }

    /// Reports an entry without a move.
    fn no_move(&mut self, entry: &Value<'a>) {
        let place = match entry {
            Value::Object(row) => row.first().map(|(key, _)| *key),
            Value::Number(place) | Value::Text(place) => Some(*place),
            _ => None,
        };
        self.draft.report(messages::log_no_move(self.draft.span(place.unwrap_or_default())));
    }

    /// Adds a move or a null move; returns false for anything else.
    fn r#move(&mut self, place: &'a [u8], row: &[Member<'a>]) -> bool {
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
        let marks = self.member(row, "marks", "a text", Value::text).map(|marks| self.draft.unescaped(marks));
        if let Some(marks) = &marks {
            self.draft.game.strength(marks);
        }
        if let Some(notes) = self.list(row, "after") {
            self.notes(notes, variations);
            return self.values(row);
        }
        // The first NAG is that of the marks, which would be written twice.
        let of_marks = usize::from(marks.as_deref().and_then(strength_nag).is_some());
        let are_glyphs = |value: &Value<'_>| match value {
            Value::List(nags) => nags.iter().all(|nag| glyph(nag).is_some()).then_some(()),
            _ => None,
        };
        self.member(row, "nags", "a list of numbers", are_glyphs);
        let nags = find(row, "nags").map_or(&[][..], Value::list).iter().skip(of_marks);
        for nag in nags.filter_map(glyph) {
            self.draft.game.nag(nag);
        }
        self.comment(row, "comment");
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
        let eval = self.member(row, "eval", "an evaluation", evaluation);
        let eval = eval.filter(|_| !has(&["eval"]) && !may_hold_score(&comment));
        let time = |value: &Value<'_>| match value {
            Value::Number(digits) => Time::parse(str::from_utf8(digits).ok()?),
            _ => None,
        };
        let mut seconds = |name| self.member(row, name, "a number of seconds", time);
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
        let Value::List(moves) = line else { return self.no_move(line) };
        self.draft.game.open_variation();
        self.line(moves, false);
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
                (b"comment", _) => self.comment(members, "comment"),
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
                    if let Some(nag) = glyph(value) {
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
