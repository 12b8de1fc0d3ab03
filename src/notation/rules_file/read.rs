//! Reads the rules of a file.

use toml::Spanned;
use toml::de::DeTable;

use super::fields::{Fields, Reader, Value};
use super::words::list;
use super::{RulesError, RulesFault, draws};
use crate::diag::Span;
use crate::rules::{Conventions, RuleSpec, SpecIssues, Variant};

/// Rules and writing as far as they are read.
struct Draft {
    spec: RuleSpec,
    writing: Option<Conventions>,
    /// Fields that are needed and not there.
    missing: Vec<&'static str>,
    /// Whether what is left out is taken from other rules.
    based: bool,
}

/// Reads rules.
pub(super) fn read(text: &str) -> Result<Variant, RulesError> {
    let (table, faults) = DeTable::parse_recoverable(text);
    if !faults.is_empty() {
        let fault = |fault: toml::de::Error| RulesFault {
            span: fault.span().map_or_else(Span::default, super::fields::span),
            reason: fault.message().trim().replace('\n', ", "),
        };
        return Err(RulesError::new(faults.into_iter().map(fault).collect()));
    }
    let mut reader = Reader::default();
    let draft = draft(&mut reader, &table);
    let variant = draft.and_then(|draft| finish(&mut reader, draft));
    match variant.filter(|_| reader.faults.is_empty()) {
        Some(variant) => Ok(variant),
        None => Err(RulesError::new(reader.faults)),
    }
}

fn draft(reader: &mut Reader, table: &Spanned<DeTable<'_>>) -> Option<Draft> {
    let mut fields = Fields::new(table.get_ref(), None);
    let named = fields.get("name", reader).map(|value| reader.text(value));
    let based = fields.get("base", reader).map(|value| base(reader, value));
    let based_on = match based {
        Some(None) => None,
        Some(Some(variant)) => Some(variant),
        None => Some(Variant::INTERNATIONAL),
    };
    // Rules on a base that is not known are read for their own faults only.
    let start = based_on.unwrap_or(Variant::INTERNATIONAL);
    let writing = based.flatten().map(Variant::conventions);
    let mut draft = Draft { spec: start.spec().clone(), writing, missing: Vec::new(), based: based.is_some() };
    match named {
        Some(Some(name)) => draft.spec.name = name,
        Some(None) => reader.unsure.push("name"),
        None => {
            draft.missing.push("name");
            reader.unsure.push("name");
        }
    }
    draft.read_rules(reader, &mut fields);
    draft.read_tables(reader, &mut fields);
    fields.finish(reader);
    draft.refuse_missing(reader);
    based_on.map(|_| draft)
}

fn base(reader: &mut Reader, value: &Value<'_>) -> Option<Variant> {
    let name = reader.text(value)?;
    let found = Variant::by_name(name);
    if found.is_none() {
        let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        reader.refuse(value.span(), format!("`{name}` is none of {}", list(&names)));
    }
    found
}

impl Draft {
    /// Reads a field into its place; without a base it must be there.
    fn set<'t, 'i, T>(
        &mut self,
        (reader, fields): (&mut Reader, &mut Fields<'t, 'i>),
        name: &'static str,
        read: impl FnOnce(&mut Reader, &'t Value<'i>) -> Option<T>,
        place: impl FnOnce(&mut RuleSpec) -> &mut T,
    ) {
        match fields.get(name, reader) {
            Some(value) => match read(reader, value) {
                Some(value) => *place(&mut self.spec) = value,
                None => reader.unsure.push(name),
            },
            None if self.based => {}
            None => {
                self.missing.push(name);
                reader.unsure.push(name);
            }
        }
    }

    fn read_rules(&mut self, reader: &mut Reader, fields: &mut Fields<'_, '_>) {
        let r = reader;
        self.set((r, fields), "board", Reader::word, |spec| &mut spec.shape);
        self.set((r, fields), "starts", Reader::word, |spec| &mut spec.starts);
        self.set((r, fields), "start-rows", Reader::byte, |spec| &mut spec.start_rows.rows);
        self.set((r, fields), "skipped-rows", Reader::byte, |spec| &mut spec.start_rows.skipped);
        self.set((r, fields), "man-moves", Reader::word, |spec| &mut spec.man_moves);
        self.set((r, fields), "man-captures", Reader::word, |spec| &mut spec.man_captures);
        self.set((r, fields), "men-take-kings", Reader::flag, |spec| &mut spec.men_take_kings);
        self.set((r, fields), "king-range", Reader::word, |spec| &mut spec.king_range);
        self.set((r, fields), "king-landing", Reader::word, |spec| &mut spec.king_landing);
        self.set((r, fields), "removal", Reader::word, |spec| &mut spec.removal);
        self.set((r, fields), "may-turn-back", Reader::flag, |spec| &mut spec.may_turn_back);
        self.set((r, fields), "promotion", Reader::word, |spec| &mut spec.promotion);
        self.set((r, fields), "precedence", Reader::word, |spec| &mut spec.precedence);
        self.set((r, fields), "goal", Reader::word, |spec| &mut spec.goal);
        let limit = |reader: &mut Reader, value| reader.optional(value, Reader::byte).ok();
        self.set((r, fields), "king-move-limit", limit, |spec| &mut spec.king_move_limit);
    }

    fn read_tables(&mut self, reader: &mut Reader, fields: &mut Fields<'_, '_>) {
        if !self.based {
            self.spec.draws = Variant::BREAKTHROUGH.spec().draws.clone(); // none at all
        }
        if let Some(value) = fields.get("draws", reader) {
            draws::read(reader, value, &mut self.spec.draws);
        }
        if let Some(value) = fields.get("numbering", reader) {
            let start = self.writing.unwrap_or_else(|| Conventions::usual(self.spec.shape));
            self.writing = numbering(reader, value, start);
        }
        let writing = *self.writing.get_or_insert_with(|| Conventions::usual(self.spec.shape));
        if writing.mirrored && self.spec.shape.every_square() {
            let place = reader.place(None, &["mirrored", "board"]).range();
            reader.refuse(place, "a board of all squares is its own mirror image: `mirrored` must be `false`");
        }
    }

    fn refuse_missing(&self, reader: &mut Reader) {
        if self.missing.is_empty() {
            return;
        }
        let needed = if self.based { "" } else { "; without a `base` every rule must stand in the file" };
        reader.refuse(0..0, format!("missing: {}{needed}", list(&self.missing)));
    }
}

fn numbering(reader: &mut Reader, value: &Value<'_>, start: Conventions) -> Option<Conventions> {
    let mut fields = Fields::new(reader.table(value)?, None);
    let mut writing = start;
    if let Some(value) = fields.get("names", reader) {
        writing.names = reader.word(value).unwrap_or(writing.names);
    }
    if let Some(value) = fields.get("first", reader) {
        writing.corner = reader.word(value).unwrap_or(writing.corner);
    }
    if let Some(value) = fields.get("mirrored", reader) {
        writing.mirrored = reader.flag(value).unwrap_or(writing.mirrored);
    }
    if let Some(value) = fields.get("capture-sign", reader) {
        writing.capture_sign = reader.word(value).unwrap_or(writing.capture_sign);
    }
    if let Some(value) = fields.get("results", reader) {
        writing.results = reader.word(value).unwrap_or(writing.results);
    }
    fields.finish(reader);
    Some(writing)
}

/// Makes a variant of rules that could be read, unless they do not go together.
fn finish(reader: &mut Reader, draft: Draft) -> Option<Variant> {
    let Draft { spec, writing, .. } = draft;
    let writing = writing?;
    if let Some(other) = Variant::by_name(spec.name)
        && (*other.spec() != spec || other.conventions() != writing)
        && reader.unsure.is_empty()
    {
        let reason = format!("{other} is a built-in variant with other rules; choose another name");
        reader.faults.push(RulesFault { span: reader.place(None, &["name"]), reason });
    }
    refuse_all(reader, spec.issues());
    if !reader.faults.is_empty() {
        return None;
    }
    let variant = Variant::house(spec, writing);
    variant.map_err(|fault| reader.refuse(0..0, fault.to_string())).ok()
}

/// Notes what does not go together, unless one of the fields could not be read: it would only be told twice.
fn refuse_all(reader: &mut Reader, faults: SpecIssues) {
    for fault in faults {
        let unsure = |field: &&str| reader.unsure.contains(field);
        let limit_unsure = fault.limit().is_some() && reader.unsure.contains(&"limits");
        if !limit_unsure && !fault.fields().iter().any(unsure) {
            let span = reader.place(fault.limit(), fault.fields());
            reader.faults.push(RulesFault { span, reason: fault.reason().to_owned() });
        }
    }
}
