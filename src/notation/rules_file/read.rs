//! From the text of a rules file to a variant.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue, Deserializer};
use toml::{Spanned, de};

use super::table::{
    AgreementTable, Board, Bounds, CaptureSign, DrawsTable, EndingKind, LastPiecesTable, LimitTable, NumberingTable,
    RepetitionTable, RulesTable,
};
use super::{RulesIssue, RulesIssues};
use crate::diag::Span;
use crate::rules::{
    Agreement, Conventions, DrawLimit, DrawRules, Ending, Issues, LastPieces, Repetition, RuleSpec, Variant,
};

/// The article of a rule that cites none.
const HOUSE_ARTICLE: &str = "house rules";

/// Terms of serde and TOML in messages, and their equivalents for users.
const PLAIN_TERMS: [(&str, &str); 7] = [
    ("unknown variant", "unknown value"),
    ("wanted string or table", "invalid type, expected a string"),
    ("expected u8", "expected a number from 0 to 255"),
    ("expected u16", "expected a number from 0 to 65535"),
    ("integer `", "number `"),
    ("floating point `", "fraction `"),
    ("a sequence", "a list"),
];

/// A field: its name and, in a limit on moves without progress, the index of the limit.
type Field = (Option<usize>, String);

/// Reads a rules file.
pub(super) fn read(text: &str) -> Result<Variant, RulesIssues> {
    let (mut root, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader::default();
    for error in &errors {
        reader.refuse_error(error, 0..0);
    }
    if reader.issues.is_empty() {
        reader.sift_tables(root.get_mut());
        match deserialize::<RulesTable>(root) {
            Ok(table) => return reader.finish(&table),
            Err(error) => reader.refuse_error(&error, 0..0),
        }
    }
    Err(reader.into_issues())
}

fn deserialize<T: DeserializeOwned>(table: Spanned<DeTable<'_>>) -> Result<T, de::Error> {
    T::deserialize(Deserializer::from(table))
}

/// Information about a file besides its values.
#[derive(Default)]
struct Reader {
    issues: Vec<RulesIssue>,
    /// The location of each value.
    spans: BTreeMap<Field, Span>,
    /// Fields without a usable value.
    unknown: BTreeSet<Field>,
}

impl Reader {
    fn refuse(&mut self, span: Span, reason: impl Into<String>) {
        self.issues.push(RulesIssue { span, reason: reason.into() });
    }

    fn refuse_error(&mut self, error: &de::Error, default: Range<usize>) {
        // Errors of TOML have several lines; a diagnostic is one clause.
        let mut reason = error.message().trim().replace('\n', ", ");
        for (term, plain) in PLAIN_TERMS {
            reason = reason.replace(term, plain);
        }
        self.refuse(span(error.span().unwrap_or(default)), reason);
    }

    fn into_issues(mut self) -> RulesIssues {
        self.issues.sort_by_key(|issue| issue.span);
        self.issues.dedup();
        Issues::new(self.issues)
    }

    /// Removes the unreadable fields from all tables, the inner ones first.
    fn sift_tables(&mut self, root: &mut DeTable<'_>) {
        // Otherwise an error in an inner table would remove all of it.
        if let Some(numbering) = inner(root, "numbering") {
            self.sift::<NumberingTable>(numbering, None);
        }
        if let Some(draws) = inner(root, "draws") {
            self.sift_draws(draws);
        }
        self.sift::<RulesTable>(root, None);
    }

    fn sift_draws(&mut self, draws: &mut DeTable<'_>) {
        if let Some(rule) = inner(draws, "repetition") {
            self.sift::<RepetitionTable>(rule, None);
        }
        if let Some(rule) = inner(draws, "last-pieces") {
            self.sift::<LastPiecesTable>(rule, None);
        }
        if let Some(rule) = inner(draws, "agreement") {
            self.sift::<AgreementTable>(rule, None);
        }
        if let Some(DeValue::Array(limits)) = draws.get_mut("limits").map(Spanned::get_mut) {
            for (n, limit) in limits.iter_mut().enumerate() {
                // The limit as a whole, where a field is missing.
                self.spans.insert((Some(n), String::new()), span(limit.span()));
                if let DeValue::Table(limit) = limit.get_mut() {
                    self.sift::<LimitTable>(limit, Some(n));
                }
            }
        }
        self.sift::<DrawsTable>(draws, None);
    }

    /// Removes the unreadable fields from a table. Each field is read alone, because deserialization stops at the first
    /// error.
    fn sift<T: DeserializeOwned>(&mut self, table: &mut DeTable<'_>, limit: Option<usize>) {
        let keys: Vec<_> = table.keys().cloned().collect();
        for key in keys {
            let name = key.get_ref().to_string();
            let Some(value) = table.get(name.as_str()).cloned() else { continue };
            self.spans.insert((limit, name.clone()), span(value.span()));
            let (key_span, mut alone) = (key.span(), DeTable::new());
            alone.insert(key, value);
            if let Err(error) = deserialize::<T>(Spanned::new(key_span.clone(), alone)) {
                self.refuse_error(&error, key_span);
                table.remove(name.as_str());
                self.unknown.insert((limit, name));
            }
        }
    }

    /// Returns the location of the first of these fields that is in the file, else of the base that supplies them.
    fn span_of(&self, limit: Option<usize>, fields: &[&str]) -> Span {
        let own = fields.iter().map(|&field| (limit, field.to_owned()));
        let outer = fields.iter().copied().chain(["base"]).map(|field| (None, field.to_owned()));
        own.chain(outer).find_map(|field| self.spans.get(&field)).copied().unwrap_or_default()
    }

    /// Returns a required field of a draw rule; reports it if it is missing.
    fn required<T>(&mut self, limit: Option<usize>, (rule, name): (&str, &str), value: Option<T>) -> Option<T> {
        if value.is_none() && !self.unknown.contains(&(limit, name.to_owned())) {
            self.refuse(self.span_of(limit, &[rule]), format!("missing field `{name}`"));
        }
        value
    }

    /// Creates a variant from a table without invalid fields.
    fn finish(mut self, table: &RulesTable) -> Result<Variant, RulesIssues> {
        let base = self.base(table);
        let spec = self.spec(table, base);
        let conventions = self.conventions(table, base, &spec);
        self.check_name(&spec, conventions);
        self.check_spec(&spec);
        if self.issues.is_empty() {
            match Variant::house(spec, conventions) {
                Ok(variant) => return Ok(variant),
                Err(error) => self.refuse(Span::default(), error.to_string()),
            }
        }
        Err(self.into_issues())
    }

    fn base(&mut self, table: &RulesTable) -> Option<Variant> {
        let name = table.base.as_deref()?;
        let base = Variant::by_name(name);
        if base.is_none() {
            let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
            let reason = format!("unknown variant `{name}`, expected one of {}", list(&names));
            self.refuse(self.span_of(None, &["base"]), reason);
            self.unknown.insert((None, "base".to_owned()));
        }
        base
    }

    fn spec(&mut self, table: &RulesTable, base: Option<Variant>) -> RuleSpec {
        // Without a base each rule is replaced, or reported as missing.
        let mut spec = base.unwrap_or(Variant::INTERNATIONAL).spec().clone();
        let mut missing = fill(&mut spec, table);
        // A base whose name is wrong would have given the other fields, so they are not reported too.
        let has_base = table.base.is_some() || self.unknown.contains(&(None, "base".to_owned()));
        if has_base {
            missing.retain(|&name| name == "name");
        } else {
            spec.draws = Variant::BREAKTHROUGH.spec().draws.clone(); // no draws at all
        }
        self.refuse_missing(missing, has_base);
        self.draws(&table.draws, &mut spec.draws);
        spec
    }

    fn refuse_missing(&mut self, mut missing: Vec<&'static str>, has_base: bool) {
        missing.retain(|name| !self.unknown.contains(&(None, (*name).to_owned())));
        if !missing.is_empty() {
            let reason = if has_base { "" } else { "; without a `base` every rule is required" };
            self.refuse(Span::default(), format!("missing fields: {}{reason}", list(&missing)));
        }
        self.unknown.extend(missing.into_iter().map(|name| (None, name.to_owned())));
    }

    fn conventions(&mut self, table: &RulesTable, base: Option<Variant>, spec: &RuleSpec) -> Conventions {
        let mut conventions = base.map_or_else(|| Conventions::usual(spec.shape), Variant::conventions);
        let numbering = &table.numbering;
        conventions.names = numbering.names.unwrap_or(conventions.names);
        conventions.corner = numbering.first.unwrap_or(conventions.corner);
        conventions.mirrored = numbering.mirrored.unwrap_or(conventions.mirrored);
        conventions.capture_sign = numbering.capture_sign.map_or(conventions.capture_sign, CaptureSign::sign);
        conventions.results = numbering.results.unwrap_or(conventions.results);
        if conventions.mirrored && spec.shape.every_square() {
            let reason = "a board of all squares equals its mirror image; expected `false`";
            self.refuse(self.span_of(None, &["mirrored", "board"]), reason);
        }
        conventions
    }

    /// Refuses the name of a built-in variant for other rules.
    fn check_name(&mut self, spec: &RuleSpec, conventions: Conventions) {
        // The unchanged file of a built-in variant is accepted, so that what `write_rules` writes can be read.
        let Some(other) = Variant::by_name(spec.name) else { return };
        if self.unknown.is_empty() && (other.spec() != spec || other.conventions() != conventions) {
            let reason = format!("{other} is a built-in variant with other rules; choose another name");
            self.refuse(self.span_of(None, &["name"]), reason);
        }
    }

    /// Reports contradictions, except those of fields that are unknown and already reported.
    fn check_spec(&mut self, spec: &RuleSpec) {
        let in_limits = self.unknown.iter().any(|(limit, name)| limit.is_some() || name == "limits");
        for issue in &spec.issues() {
            let is_unknown = |name: &&str| {
                let is_field = |limit| self.unknown.contains(&(limit, (*name).to_owned()));
                is_field(issue.limit()) || is_field(None)
            };
            if !(issue.limit().is_some() && in_limits || issue.fields().iter().any(is_unknown)) {
                self.refuse(self.span_of(issue.limit(), issue.fields()), issue.to_string());
            }
        }
    }

    /// Replaces the draw rules that a table specifies.
    fn draws(&mut self, table: &DrawsTable, rules: &mut DrawRules) {
        if let Some(rule) = &table.repetition {
            rules.repetition = rule.as_option().and_then(|rule| {
                let occurrences = self.required(None, ("repetition", "occurrences"), rule.occurrences)?;
                let (standing, article) = (rule.standing.unwrap_or_default(), article(rule.article.as_ref()));
                Some(Repetition { occurrences, standing, article })
            });
        }
        if let Some(rule) = &table.last_pieces {
            rules.last_pieces = rule.as_option().and_then(|rule| {
                let kings_only = self.required(None, ("last-pieces", "kings-only"), rule.kings_only)?;
                Some(LastPieces { kings_only, article: article(rule.article.as_ref()) })
            });
        }
        if let Some(rule) = &table.agreement {
            rules.agreement = rule.as_option().and_then(|rule| {
                let after_moves = self.required(None, ("agreement", "after-moves"), rule.after_moves)?;
                Some(Agreement { after_moves, article: article(rule.article.as_ref()) })
            });
        }
        if let Some(limits) = &table.limits {
            let limits: Vec<_> = limits.iter().enumerate().map(|(n, limit)| self.limit(n, limit)).collect();
            match limits.into_iter().collect::<Option<Vec<_>>>() {
                Some(limits) => rules.limits = limits.leak(),
                None => _ = self.unknown.insert((None, "limits".to_owned())),
            }
        }
    }

    fn limit(&mut self, n: usize, table: &LimitTable) -> Option<DrawLimit> {
        let name = self.required(Some(n), ("", "name"), table.name.clone());
        let plies = self.required(Some(n), ("", "plies"), table.plies);
        let kind = self.required(Some(n), ("", "ending"), table.ending);
        let ending = kind.and_then(|kind| self.ending(n, table, kind));
        Some(DrawLimit {
            name: name?.leak(),
            plies: plies?,
            ending: ending?,
            standing: table.standing.unwrap_or_default(),
            article: article(table.article.as_ref()),
        })
    }

    fn ending(&mut self, n: usize, table: &LimitTable, kind: EndingKind) -> Option<Ending> {
        let fields = [
            ("except-both-kings", table.except_both_kings.is_some(), kind == EndingKind::NoProgress),
            ("pieces", table.pieces.is_some(), kind != EndingKind::NoProgress),
            ("kings", table.kings.is_some(), kind == EndingKind::LoneKing),
            ("diagonal", table.diagonal.is_some(), kind == EndingKind::LoneKing),
            ("outlasts-captures", table.outlasts_captures.is_some(), kind == EndingKind::LoneKing),
        ];
        for (name, _, _) in fields.into_iter().filter(|(_, is_set, is_allowed)| *is_set && !is_allowed) {
            self.refuse(self.span_of(Some(n), &[name]), format!("field `{name}` does not belong to this `ending`"));
        }
        if kind == EndingKind::NoProgress {
            return Some(Ending::NoProgress {
                except_both_kings: table.except_both_kings.map_or((0, 0), Bounds::pair),
            });
        }
        let pieces = self.required(Some(n), ("", "pieces"), table.pieces.map(Bounds::pair));
        if kind == EndingKind::BothKings {
            return pieces.map(|pieces| Ending::BothKings { pieces });
        }
        let kings = self.required(Some(n), ("", "kings"), table.kings);
        let outlasts_captures = table.outlasts_captures.unwrap_or_default();
        let diagonal = table.diagonal.unwrap_or_default();
        Some(Ending::LoneKing { pieces: pieces?, kings: kings?, diagonal, outlasts_captures })
    }
}

/// Replaces the rules that a table specifies; returns the names of those it lacks, except draw rules.
fn fill(spec: &mut RuleSpec, table: &RulesTable) -> Vec<&'static str> {
    let mut missing = Vec::new();
    macro_rules! set {
        ($($name:literal $value:expr => $field:expr;)*) => {
            $(match $value {
                Some(value) => $field = value,
                None => missing.push($name),
            })*
        };
    }
    // Texts are leaked, as rules are kept until the process ends.
    let limit = table.king_move_limit.as_ref();
    set! {
        "name" table.name.clone().map(|name| &*name.leak()) => spec.name;
        "board" table.board.map(Board::shape) => spec.shape;
        "starts" table.starts => spec.starts;
        "start-rows" table.start_rows => spec.start_rows.rows;
        "skipped-rows" table.skipped_rows => spec.start_rows.skipped;
        "man-moves" table.man_moves => spec.man_moves;
        "man-captures" table.man_captures => spec.man_captures;
        "men-take-kings" table.men_take_kings => spec.men_take_kings;
        "king-range" table.king_range => spec.king_range;
        "king-landing" table.king_landing => spec.king_landing;
        "removal" table.removal => spec.removal;
        "may-turn-back" table.may_turn_back => spec.may_turn_back;
        "promotion" table.promotion => spec.promotion;
        "precedence" table.precedence => spec.precedence;
        "goal" table.goal => spec.goal;
        "king-move-limit" limit.map(|limit| limit.as_option().copied()) => spec.king_move_limit;
    }
    missing
}

fn span(range: Range<usize>) -> Span {
    Span::new(range.start as u32, range.end as u32)
}

/// Returns a field of a table that is a table itself.
fn inner<'t, 'i>(table: &'t mut DeTable<'i>, name: &str) -> Option<&'t mut DeTable<'i>> {
    match table.get_mut(name).map(Spanned::get_mut) {
        Some(DeValue::Table(inner)) => Some(inner),
        _ => None,
    }
}

fn article(text: Option<&String>) -> &'static str {
    text.map_or(HOUSE_ARTICLE, |text| text.clone().leak())
}

fn list(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
