//! Rounds of relays (`round.json`) and lists of games: pairings whose games are in other files, or the games themselves, as PDN text or
//! as in other JSON.

use super::RecordContents;
use super::draft::{Draft, outside, span_of};
use super::grammar::json::{Member, Value};
use super::json::{find, members, repeated, unescaped};
use super::lidraughts;
use crate::diag::{Span, messages};
use crate::pdn::{GameTree, Outside, Parsed, ReadAs, Tag, games_as};
use crate::text::object_ends;

/// The text that relays write before a game begins.
const NO_GAME: &[u8] = b"[Empty]";

/// Reads a round.
pub(super) fn read(record: &[u8], read_as: ReadAs) -> RecordContents {
    let (members, fault) = members(record);
    let mut round = Round { record, read_as, draft: Draft::new(record, read_as), found: RecordContents::default() };
    for item in find(&members, "pairings").map_or(&[][..], Value::list) {
        round.pairing(item);
    }
    for item in find(&members, "games").map_or(&[][..], Value::list) {
        round.game(item);
    }
    let mut found = round.found;
    if let Some(fault) = fault {
        found.outside.push(outside(fault));
    }
    found.outside.sort_by_key(Outside::offset);
    found
}

/// Reads the games of PDN text within a record; positions refer to the record.
pub(super) fn read_pdn(record: &[u8], text: &[u8], read_as: ReadAs) -> RecordContents {
    let start = span_of(record, text).start;
    let (pdn, origin) = unescaped(text);
    let mut reader = games_as(&pdn, read_as);
    let mut found = RecordContents::default();
    for mut game in reader.by_ref() {
        let offset = start + origin.place(&mut game);
        found.games.push(game.at(offset as usize));
    }
    for outside in reader.take_outside() {
        let offset = outside.offset() as u32;
        let span = outside.diagnostic().span();
        let place = origin.span(Span::new(offset + span.start, offset + span.end));
        let mut diagnostic = outside.into_diagnostic();
        diagnostic.set_span(Span::new(0, place.len()));
        found.outside.push(Outside::new((start + place.start) as usize, diagnostic));
    }
    found
}

struct Round<'a> {
    record: &'a [u8],
    read_as: ReadAs,
    draft: Draft<'a>,
    found: RecordContents,
}

impl<'a> Round<'a> {
    /// Adds a pairing as a game without moves.
    fn pairing(&mut self, item: &Value<'a>) {
        let Value::Object(pairing) = item else { return };
        let mut tags = Vec::new();
        for (colour, name) in [("White", "white"), ("Black", "black")] {
            if let Some(Value::Object(player)) = find(pairing, name) {
                self.player(colour, player, &mut tags);
            }
        }
        if let Some(text) = find(pairing, "result").and_then(Value::text) {
            let span = span_of(self.record, text);
            tags.push(Tag::new("Result", result(&self.draft.unescaped(text))).at(span, span));
        }
        let Some(start) = tags.iter().map(|tag| tag.span().start).min() else { return };
        let end = tags.iter().map(|tag| tag.span().end).max().unwrap_or(start);
        let mut tree = GameTree::default();
        tree.prepend_tags(tags);
        tree.map_spans(|span| Span::new(span.start.saturating_sub(start), span.end.saturating_sub(start)));
        tree.set_source(end - start, self.draft.encoding);
        let mut game = Parsed::from(tree);
        game.add_diagnostic(messages::log_missing_moves(Span::new(0, end - start)));
        self.found.games.push(game.at(start as usize));
    }

    /// Adds the name of a player, surname first, and the title.
    fn player(&self, colour: &str, player: &[Member<'a>], tags: &mut Vec<Tag>) {
        let part = |name| {
            let text = find(player, name).and_then(Value::text).filter(|text| !text.trim_ascii().is_empty())?;
            Some((self.draft.unescaped(text).trim().to_owned(), text))
        };
        let given: Vec<_> = [part("fname"), part("mname")].into_iter().flatten().collect();
        let first = given.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" ");
        let name = match part("lname") {
            Some((last, place)) if first.is_empty() => Some((last, place)),
            Some((last, place)) => Some((format!("{last}, {first}"), place)),
            None => given.first().map(|(_, place)| (first, *place)),
        };
        let named = [(colour.to_owned(), name), (format!("{colour}Title"), part("title"))];
        for (name, found) in named {
            if let Some((value, place)) = found {
                let span = span_of(self.record, place);
                tags.push(Tag::new(name, value).at(span, span));
            }
        }
    }

    /// Reports a member of a game at a position.
    fn report(&mut self, place: &[u8], name: &str, expected: &str) {
        let diagnostic = messages::log_value(span_of(self.record, place), name, expected);
        self.found.outside.push(outside(diagnostic));
    }

    /// Adds the games of a text of PDN, and the result beside it where they have none.
    fn game(&mut self, item: &Value<'a>) {
        if let Value::Text(text) = item {
            return self.found.append_at(0, read_pdn(self.record, text, self.read_as));
        }
        let Value::Object(members) = item else { return };
        if let Some(name) = repeated(members) {
            self.report(name, &self.draft.decoded(name), "unique");
        }
        let Some(text) = find(members, "pdn").and_then(Value::text) else {
            let first = members.first().map_or(&[][..], |(name, _)| name);
            if find(members, "moves").is_some() {
                return self.own_game(first);
            }
            return self.report(first, "pdn", "a member of the game");
        };
        if text.trim_ascii() == NO_GAME || text.trim_ascii().is_empty() {
            let span = span_of(self.record, text);
            return self.found.outside.push(outside(messages::log_missing_moves(span)));
        }
        let mut found = read_pdn(self.record, text, self.read_as);
        let given = find(members, "result").and_then(Value::text).map(|text| result(&self.draft.unescaped(text)));
        if let (Some(game), Some(value)) = (found.games.first_mut(), given)
            && game.tree().tag("Result").is_none()
        {
            game.tree_mut().add_tag("Result", &value);
        }
        self.found.games.append(&mut found.games);
        self.found.outside.append(&mut found.outside);
    }

    /// Adds a game with its moves, as Lidraughts and this program write it; `first` is the name of its first member.
    fn own_game(&mut self, first: &[u8]) {
        let name = span_of(self.record, first).start as usize;
        let start = self.record[..name].iter().rposition(|&byte| byte == b'{').unwrap_or(name);
        let end = object_ends(&self.record[start..]).next().unwrap_or(self.record.len() - start);
        let found = lidraughts::read(&self.record[start..start + end], self.read_as);
        self.found.append_at(start, found);
    }
}

/// Returns a result of a relay as written in records.
fn result(text: &str) -> String {
    let text = text.trim().replace('½', "1/2").replace(' ', "");
    if text.is_empty() { "*".to_owned() } else { text }
}
