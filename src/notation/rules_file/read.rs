//! From the text of a rules file to a variant.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error};

use super::table::RulesTable;
use super::write_rules;
use crate::error::ParseError;
use crate::rules::{SpecIssue, Variant};
use crate::text::in_plain_terms;

/// The limit on consecutive king moves, the one rule outside `[draws]` that may be `none`.
const KING_MOVE_LIMIT: &str = "king-move-limit";

/// Reads a rules file.
pub(super) fn read(text: &str) -> Result<Variant, ParseError> {
    let own = DeTable::parse(text).map_err(|error| issue(&error))?;
    let base = base(own.get_ref())?;
    let inherited = base.map(write_rules).unwrap_or_default();
    let mut rules = completed(own.clone(), &inherited);
    let missing = |reason: &str| match base {
        None => format!("{reason}; without a `base` every rule is required"),
        Some(_) => reason.to_owned(),
    };
    // Before `none` is left out, which is a rule too, unlike a missing one.
    let has_king_rule = rules.get_ref().contains_key(KING_MOVE_LIMIT);
    leave_out_none(rules.get_mut());
    let table = RulesTable::deserialize(Deserializer::from(rules)).map_err(|error| {
        let issue = issue(&error);
        let reason = issue.to_string();
        // The file itself lacks it, and not one of its tables.
        let is_of_file = reason.starts_with("missing field") && issue.range().start == 0;
        if is_of_file { ParseError::at(issue.range(), missing(&reason)) } else { issue }
    })?;
    if !has_king_rule {
        let reason = missing(&format!("missing field `{KING_MOVE_LIMIT}`"));
        return Err(ParseError::new(reason));
    }
    table.variant().map_err(|issue| ParseError::at(place(own.get_ref(), &issue), issue.to_string()))
}

/// Returns the variant whose rules a file changes.
fn base(own: &DeTable<'_>) -> Result<Option<Variant>, ParseError> {
    let Some(value) = own.get("base") else { return Ok(None) };
    // Anything but a text is refused when the table is read.
    let Some(name) = value.get_ref().as_str() else { return Ok(None) };
    Variant::by_name(name).map(Some).ok_or_else(|| {
        let names: Vec<_> = Variant::ALL.iter().map(|variant| format!("`{variant}`")).collect();
        let reason = format!("unknown variant `{name}`, expected one of {}", names.join(", "));
        ParseError::at(value.span(), reason)
    })
}

/// Adds the rules of the base to those of a file; values keep their places in the file.
fn completed<'i>(own: Spanned<DeTable<'i>>, inherited: &'i str) -> Spanned<DeTable<'i>> {
    let range = own.span();
    // What is written for a variant can be read; without a base it is empty.
    let mut rules = DeTable::parse(inherited).map(Spanned::into_inner).unwrap_or_default();
    rules.remove("name");
    overlay(&mut rules, own.into_inner());
    Spanned::new(range, rules)
}

/// Replaces the values that a file has. `[numbering]` and `[draws]` are replaced value by value, and draw rules as a whole.
fn overlay<'i>(rules: &mut DeTable<'i>, own: DeTable<'i>) {
    for (key, value) in own {
        let range = value.span();
        let is_group = matches!(&**key.get_ref(), "numbering" | "draws");
        match (rules.get_mut(&**key.get_ref()).map(Spanned::get_mut), value.into_inner()) {
            (Some(DeValue::Table(inner)), DeValue::Table(own)) if is_group => overlay(inner, own),
            (_, value) => {
                rules.remove(&**key.get_ref());
                rules.insert(key, Spanned::new(range, value));
            }
        }
    }
}

/// Removes the rules that are `none`.
fn leave_out_none(rules: &mut DeTable<'_>) {
    fn remove(table: &mut DeTable<'_>, names: &[&str]) {
        for &name in names {
            if table.get(name).is_some_and(|value| value.get_ref().as_str() == Some("none")) {
                table.remove(name);
            }
        }
    }
    remove(rules, &[KING_MOVE_LIMIT]);
    if let Some(DeValue::Table(draws)) = rules.get_mut("draws").map(Spanned::get_mut) {
        remove(draws, &["repetition", "last-pieces", "agreement"]);
    }
}

/// Returns the place of the first of the fields concerned that is in the file; otherwise the limit that lacks it, or the base
/// that supplies it.
fn place(own: &DeTable<'_>, issue: &SpecIssue) -> Range<usize> {
    let inner = |name: &str| own.get(name).and_then(|value| value.get_ref().as_table());
    let draws = inner("draws");
    let repetition = draws.and_then(|draws| draws.get("repetition")?.get_ref().as_table());
    let limits = draws.and_then(|draws| draws.get("limits")?.get_ref().as_array());
    let limit = issue.limit.zip(limits).and_then(|(n, limits)| limits.get(n));
    let of_limit = limit.and_then(|limit| limit.get_ref().as_table());
    let tables = [of_limit, Some(own), inner("numbering"), draws, repetition];
    let find = |field: &&str| tables.into_iter().flatten().find_map(|table| table.get(*field));
    issue.fields.iter().find_map(find).or(limit).or_else(|| own.get("base")).map(Spanned::span).unwrap_or_default()
}

fn issue(error: &Error) -> ParseError {
    // Errors of TOML have several lines; a message is one clause.
    let reason = error.message().trim().replace('\n', ", ");
    let reason = in_plain_terms(&reason);
    ParseError::at(error.span().unwrap_or_default(), reason)
}
