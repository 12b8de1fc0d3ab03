//! The draw rules of a file.

use super::fields::{Fields, Reader, Value};
use super::words::Kind;
use crate::rules::{Agreement, Diagonal, DrawLimit, DrawRules, Ending, LastPieces, Repetition, Standing};

/// What stands for the article of a rule of the house.
const HOUSE: &str = "house rules";

/// Replaces those draw rules that the table names.
pub(super) fn read(reader: &mut Reader, value: &Value<'_>, rules: &mut DrawRules) {
    let Some(table) = reader.table(value) else { return };
    let mut fields = Fields::new(table, None);
    if let Some(value) = fields.get("repetition", reader) {
        rules.repetition = reader.optional(value, repetition).unwrap_or(rules.repetition);
    }
    if let Some(value) = fields.get("last-pieces", reader) {
        rules.last_pieces = reader.optional(value, last_pieces).unwrap_or(rules.last_pieces);
    }
    if let Some(value) = fields.get("agreement", reader) {
        rules.agreement = reader.optional(value, agreement).unwrap_or(rules.agreement);
    }
    if let Some(value) = fields.get("limits", reader) {
        match limits(reader, value) {
            Some(limits) => rules.limits = limits,
            None => reader.unsure.push("limits"),
        }
    }
    fields.finish(reader);
}

/// Reads a field that must be there.
fn needed<'t, 'i, T>(
    reader: &mut Reader,
    fields: &mut Fields<'t, 'i>,
    (table, name): (&Value<'_>, &'static str),
    read: impl FnOnce(&mut Reader, &'t Value<'i>) -> Option<T>,
) -> Option<T> {
    match fields.get(name, reader) {
        Some(value) => read(reader, value),
        None => {
            reader.refuse(table.span(), format!("`{name}` is missing here"));
            None
        }
    }
}

/// Reads a field that may be left out; a faulty one counts as left out.
fn given<'t, 'i, T>(
    reader: &mut Reader,
    fields: &mut Fields<'t, 'i>,
    name: &'static str,
    read: impl FnOnce(&mut Reader, &'t Value<'i>) -> Option<T>,
) -> Option<T> {
    let value = fields.get(name, reader)?;
    read(reader, value)
}

fn article(reader: &mut Reader, fields: &mut Fields<'_, '_>) -> &'static str {
    given(reader, fields, "article", Reader::text).unwrap_or(HOUSE)
}

fn standing(reader: &mut Reader, fields: &mut Fields<'_, '_>) -> Standing {
    given(reader, fields, "standing", Reader::word).unwrap_or(Standing::Automatic)
}

fn repetition(reader: &mut Reader, value: &Value<'_>) -> Option<Repetition> {
    let mut fields = Fields::new(reader.table(value)?, None);
    let occurrences = needed(reader, &mut fields, (value, "occurrences"), Reader::byte);
    let (standing, article) = (standing(reader, &mut fields), article(reader, &mut fields));
    fields.finish(reader);
    Some(Repetition { occurrences: occurrences?, standing, article })
}

fn last_pieces(reader: &mut Reader, value: &Value<'_>) -> Option<LastPieces> {
    let mut fields = Fields::new(reader.table(value)?, None);
    let kings_only = needed(reader, &mut fields, (value, "kings-only"), Reader::flag);
    let article = article(reader, &mut fields);
    fields.finish(reader);
    Some(LastPieces { kings_only: kings_only?, article })
}

fn agreement(reader: &mut Reader, value: &Value<'_>) -> Option<Agreement> {
    let mut fields = Fields::new(reader.table(value)?, None);
    let after = needed(reader, &mut fields, (value, "after-moves"), |reader, value| reader.number(value, 0..=65_535));
    let article = article(reader, &mut fields);
    fields.finish(reader);
    Some(Agreement { after_moves: after? as u16, article })
}

fn limits(reader: &mut Reader, value: &Value<'_>) -> Option<&'static [DrawLimit]> {
    let Some(array) = value.get_ref().as_array() else {
        reader.refuse(value.span(), "a list of tables, `[[draws.limits]]` each, is wanted here, or `[]`");
        return None;
    };
    let mut limits = Vec::new();
    for (n, value) in array.iter().enumerate() {
        limits.push(limit(reader, value, n));
    }
    let limits: Vec<_> = limits.into_iter().collect::<Option<_>>()?;
    Some(limits.leak())
}

fn limit(reader: &mut Reader, value: &Value<'_>, n: usize) -> Option<DrawLimit> {
    let mut fields = Fields::new(reader.table(value)?, Some(n));
    let name = needed(reader, &mut fields, (value, "name"), Reader::text);
    let plies = needed(reader, &mut fields, (value, "plies"), |reader, value| reader.number(value, 0..=65_000));
    let kind = needed(reader, &mut fields, (value, "ending"), Reader::word);
    let ending = kind.and_then(|kind| ending(reader, &mut fields, value, kind));
    let (standing, article) = (standing(reader, &mut fields), article(reader, &mut fields));
    if kind.is_some() {
        fields.finish(reader);
    }
    let (name, plies, ending) = (name?, plies? as u16, ending?);
    Some(DrawLimit { name, plies, ending, standing, article })
}

fn ending(reader: &mut Reader, fields: &mut Fields<'_, '_>, value: &Value<'_>, kind: Kind) -> Option<Ending> {
    match kind {
        Kind::NoProgress => {
            let except = given(reader, fields, "except-both-kings", Reader::pair);
            Some(Ending::NoProgress { except_both_kings: except.unwrap_or((0, 0)) })
        }
        Kind::BothKings => {
            needed(reader, fields, (value, "pieces"), Reader::pair).map(|pieces| Ending::BothKings { pieces })
        }
        Kind::LoneKing => {
            let pieces = needed(reader, fields, (value, "pieces"), Reader::pair);
            let kings = needed(reader, fields, (value, "kings"), Reader::byte);
            let diagonal = given(reader, fields, "diagonal", Reader::word).unwrap_or(Diagonal::Any);
            let outlasts_captures = given(reader, fields, "outlasts-captures", Reader::flag).unwrap_or(false);
            Some(Ending::LoneKing { pieces: pieces?, kings: kings?, diagonal, outlasts_captures })
        }
    }
}
