//! JSON arrays of texts: each text is a record in PDN, or all of them are the moves of a game.

use super::RecordContents;
use super::draft::{Draft, outside, span_of};
use super::grammar::json::Value;
use super::json::values;
use super::round::read_pdn;
use crate::diag::{Span, messages};
use crate::pdn::{MoveText, Outside, ReadAs};

/// Returns true if a record is an array whose first value is a text, or such an array.
pub(super) fn is_list(record: &[u8]) -> bool {
    let inner = record.iter().position(|byte| !b"[ \t\r\n".contains(byte));
    record.trim_ascii_start().starts_with(b"[") && inner.is_some_and(|inner| record[inner] == b'"')
}

/// Reads an array.
pub(super) fn read(record: &[u8], read_as: ReadAs) -> RecordContents {
    let start = record.iter().position(|&byte| byte == b'[').map_or(record.len(), |open| open + 1);
    let (items, fault) = values(record, &record[start..]);
    let mut found = RecordContents::default();
    add(record, &items, read_as, &mut found);
    found.outside.extend(fault.map(outside));
    found.outside.sort_by_key(Outside::offset);
    found
}

/// Adds the games of a list of values.
fn add(record: &[u8], items: &[Value<'_>], read_as: ReadAs, found: &mut RecordContents) {
    let moves: Vec<_> = items.iter().filter_map(|item| Some((move_of(item.text()?)?, item.text()?))).collect();
    // A single text may be a whole record of one move.
    if let [(_, first), .., (_, last)] = moves[..]
        && moves.len() == items.len()
    {
        let (start, end) = (span_of(record, first).start as usize, span_of(record, last).end as usize);
        let mut draft = Draft::new(&record[start..end], read_as);
        for (played, text) in moves {
            draft.r#move(played, text);
        }
        return found.append_at(start, draft.finish());
    }
    for item in items {
        match item {
            Value::Text(text) => found.append_at(0, read_pdn(record, text, read_as)),
            Value::List(items) => add(record, items, read_as, found),
            _ => found.outside.push(outside(messages::log_value(Span::new(0, 1), "[", "a list of texts"))),
        }
    }
}

/// Returns the move that is all of a text.
fn move_of(text: &[u8]) -> Option<MoveText> {
    MoveText::parse(str::from_utf8(text).ok()?.trim())
}
