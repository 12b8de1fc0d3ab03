//! Repairs as edits of the places that are wrong.

use super::Refusal;
use super::change::{Plan, Splice, Subject};
use super::tokens::Kind;
use crate::canon::{Edit, EditKind, FormatOptions, canonical_tree, mended, repair, repair_comment};
use crate::check::{CheckOptions, Review};
use crate::diag::{Code, Diagnostic, Span};
use crate::pdn::{GameTree, NodeId, Parsed, games};
use crate::replay::ReplayedGame;

/// Signs that may follow a move in a text.
const MARKS: [u8; 5] = *b"!?*()";

/// A place that is repaired.
struct Repair {
    span: Span,
    edits: Vec<Edit>,
}

impl Subject<'_> {
    /// Plans the repairs of a game, or those with these numbers.
    pub(super) fn repair(&self, only: Option<&[usize]>) -> Result<Plan, Refusal> {
        let mut refused = None;
        let repairs = self.repairs(&mut refused);
        if let (true, Some(reason)) = (repairs.is_empty(), refused) {
            return Err(reason);
        }
        let wanted = repairs.into_iter().enumerate().filter(|(n, _)| only.is_none_or(|only| only.contains(n)));
        let splices = wanted.map(|(_, splice)| splice).collect();
        Ok(Plan { splices, is_partial: only.is_none() && refused.is_some(), ..Plan::default() })
    }

    /// Returns all repairs that can be made in the order of the text, each with what it says, and notes why the first of the
    /// others cannot.
    fn repairs(&self, refused: &mut Option<Refusal>) -> Vec<Splice> {
        let game = self.review.game();
        let (repaired, edits) = repair(game.tree().clone(), game.options(), || self.dates.orders());
        let mut places: Vec<Repair> = Vec::new();
        for edit in edits {
            // Two splices of one place would overlap.
            match places.iter_mut().find(|place| place.span == edit.span()) {
                Some(place) => place.edits.push(edit),
                None => places.push(Repair { span: edit.span(), edits: vec![edit] }),
            }
        }
        let mut all = Vec::new();
        for place in &places {
            if let Some(splice) = made(self.of_place(place, repaired.tree()), refused) {
                let said: Vec<String> = place.edits.iter().map(ToString::to_string).collect();
                all.push(Splice { message: said.join("; "), ..splice });
            }
        }
        all.extend(self.rewritten(&places, &repaired, refused));
        all.sort_by_key(|splice| splice.bytes.start);
        all
    }

    /// Returns what a repair does to its place.
    fn of_place(&self, place: &Repair, repaired: &GameTree) -> Result<Option<Splice>, Refusal> {
        if let Some(index) = self.review.game().tree().tags().iter().position(|tag| tag.span() == place.span) {
            let tag = &repaired.tags()[index];
            return self.retagged(index, tag.name(), tag.value()).map(Some);
        }
        let start = self.start + place.span.start as usize;
        let Some(token) = self.tokens.all.iter().position(|token| token.span.start == start) else { return Ok(None) };
        let written = self.tokens.text(token);
        let [edit, ..] = &place.edits[..] else { return Ok(None) };
        if let EditKind::MovesReread { to, .. } = edit.kind() {
            let (number, marks) = if self.tokens.all[token].kind == Kind::Stray { around(written) } else { (0, 0) };
            let moves = self.encoded(&to.join(" "))?;
            let text = [&written[..number], &moves, &written[written.len() - marks..]].concat();
            return Ok(Some(self.replaced(token..token + 1, text, None)));
        }
        let open = usize::from(matches!(self.tokens.all[token].kind, Kind::Comment | Kind::LineComment));
        let close = usize::from(self.tokens.all[token].kind == Kind::Comment && written.ends_with(b"}"));
        let inner = &written[open..written.len() - close];
        let (lead, tail) = (inner.len() - inner.trim_ascii_start().len(), inner.len() - inner.trim_ascii_end().len());
        let mut text = self.review.game().tree().encoding().decode(inner).into_owned();
        repair_comment(&mut text, place.span, &mut Vec::new());
        let text = self.encoded(text.trim())?;
        let text = [&written[..open + lead], &text, &written[written.len() - close - tail..]].concat();
        Ok(Some(self.replaced(token..token + 1, text, None)))
    }

    /// Returns the moves and the end of the game that the canonical form writes differently where something is reported.
    fn rewritten(&self, places: &[Repair], repaired: &ReplayedGame, refused: &mut Option<Refusal>) -> Vec<Splice> {
        let options = FormatOptions { results: true, ..FormatOptions::default() };
        let canonical = canonical_tree(repaired, &options);
        let checks = CheckOptions { replay: repaired.options().clone(), ..CheckOptions::default() };
        let after = Review::new(Parsed::from(canonical.clone()), 1, &[], &checks);
        let before = self.review.diagnostics();
        let mut all = Vec::new();
        for edit in mended((repaired.tree(), &canonical), &options, before, after.diagnostics()) {
            let EditKind::Resolved(found) = edit.kind() else { continue };
            let is_done = |span: Span| places.iter().any(|place| place.span.holds(span) || span.holds(place.span));
            if let Some(splice) = made(self.whole_tag(found.span(), places), refused) {
                all.push(Splice { message: edit.to_string(), ..splice });
                continue;
            }
            let alike = self.alike(found, &canonical);
            for (span, text) in self.canonical(found, &canonical).into_iter().chain(alike) {
                let start = self.start + span.start as usize;
                let token = self.tokens.all.iter().position(|token| token.span.start == start);
                let is_new = |token: &usize| self.tokens.text(*token) != text.as_bytes() && !is_done(span);
                let Some(token) = token.filter(is_new) else { continue };
                let Some(text) = made(self.encoded(&text).map(Some), refused) else { continue };
                let splice = self.replaced(token..token + 1, text, None);
                all.push(Splice { message: edit.to_string(), ..splice });
            }
        }
        all.sort_by_key(|splice| splice.bytes.start);
        // A move with several faults is written again only once.
        all.dedup_by_key(|splice| splice.bytes.start);
        all
    }

    /// Returns the splice that gives a tag its quotes and brackets, if it lacks any and nothing else of it is repaired.
    fn whole_tag(&self, found: Span, places: &[Repair]) -> Result<Option<Splice>, Refusal> {
        let mut tags = self.review.game().tree().tags().iter().enumerate();
        let Some((index, tag)) = tags.find(|(_, tag)| tag.span().holds(found)) else { return Ok(None) };
        let written = &self.tokens.bytes[self.start..][tag.span().range()];
        let is_whole = written.strip_suffix(b"\"]").is_some_and(|written| written.contains(&b'"'));
        if is_whole || places.iter().any(|place| place.span == tag.span()) {
            return Ok(None);
        }
        self.retagged(index, tag.name(), tag.value()).map(Some)
    }

    /// Returns the canonical texts of all moves with the fault of a diagnostic, if it stands for all of a game.
    fn alike(&self, found: &Diagnostic, canonical: &GameTree) -> Vec<(Span, String)> {
        const ONCE: [Code; 4] =
            [Code::SYNTAX_LOOK_ALIKE, Code::SYNTAX_ULTRA_SHORT, Code::SYNTAX_UNICODE_SPACE, Code::SYNTAX_UPPER_CASE];
        if !ONCE.contains(&found.code()) {
            return Vec::new();
        }
        let tree = self.review.game().tree();
        let has_fault = |id: NodeId| {
            // The game reports this fault once, so each move is read on its own.
            let text = &self.tokens.bytes[self.start..][tree.node(id).span().range()];
            let own = games(text).next();
            own.is_some_and(|game| game.diagnostics().iter().any(|own| own.code() == found.code()))
        };
        let moves = tree.node_ids().filter(|&id| tree.node(id).move_text().is_some() && has_fault(id));
        let text = |id: NodeId| Some((tree.node(id).span(), canonical.node(id).move_text()?.text().to_owned()));
        moves.filter_map(text).collect()
    }

    /// Returns the canonical text of the move or of the end of the game that has a diagnostic.
    fn canonical(&self, found: &Diagnostic, canonical: &GameTree) -> Option<(Span, String)> {
        let tree = self.review.game().tree();
        if tree.terminator_span() == Some(found.span()) {
            return Some((found.span(), canonical.terminator()?.to_owned()));
        }
        let is_there = |id: &NodeId| tree.node(*id).span().holds(found.span());
        let id = tree.node_ids().find(is_there)?;
        let text = canonical.node(id).move_text()?.text();
        tree.node(id).move_text()?;
        Some((tree.node(id).span(), text.to_owned()))
    }
}

/// Returns a repair that can be made. Otherwise, if it is the first that cannot, notes why.
fn made<T>(repair: Result<Option<T>, Refusal>, refused: &mut Option<Refusal>) -> Option<T> {
    repair.unwrap_or_else(|reason| {
        refused.get_or_insert(reason);
        None
    })
}

/// Returns how many bytes at the start of a text are a number of a move, and how many at its end are marks.
fn around(text: &[u8]) -> (usize, usize) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = text[digits..].iter().take_while(|&&byte| byte == b'.').count();
    let spaces = text[digits + dots..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let number = if digits > 0 && dots > 0 { digits + dots + spaces } else { 0 };
    let marks = text[number..].iter().rev().take_while(|byte| MARKS.contains(byte)).count();
    (number, marks)
}
