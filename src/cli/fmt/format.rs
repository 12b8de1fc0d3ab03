//! What becomes of the games of a chunk.

use std::fmt::Write as _;

use super::super::games::{ChunkOrigin, Games, Reviewing};
use crate::canon::{FormatOptions, canonical_tree, repair, write_canonical};
use crate::check::{CheckOptions, ReadChunk, Review, reviews};
use crate::diag::{Code, Diagnostic, Severity, Span};
use crate::pdn::{Attachment, GameTree, Outside};
use crate::source::{Chunk, Input, Work};
use crate::text::{Encoding, decode_line};

/// How games are written, and whether they are repaired.
pub(super) struct Formatter {
    pub(super) options: FormatOptions,
    pub(super) checks: CheckOptions,
    pub(super) fix: bool,
}

/// The games of a chunk in canonical form.
#[derive(Default)]
pub(super) struct Formatted {
    pub(super) text: Vec<u8>,
    /// What was repaired, a line each.
    pub(super) repairs: String,
    /// Errors that are left.
    pub(super) errors: u64,
    /// What stands behind the last game and belongs to the next one, or to none.
    waiting: Vec<Attachment>,
    /// Whether the text ends with what belongs to the next game.
    pub(super) leads: bool,
    /// What was read; empty if nobody asks.
    pub(super) original: Vec<u8>,
    /// Whether what was read is not UTF-8 without a mark, so that the written text is another one.
    pub(super) recoded: bool,
    /// Whether something was too large and not read.
    pub(super) cut: bool,
}

/// Formats chunks, and keeps the original for comparison.
pub(super) struct Formatting<'a> {
    pub(super) reviewing: Reviewing<'a, Formatter>,
    pub(super) compare: bool,
}

impl Work for Formatting<'_> {
    type Read = ReadChunk;
    type Done = Formatted;

    fn read(&self, chunk: &Chunk) -> ReadChunk {
        self.reviewing.read(chunk)
    }

    fn games(&self, read: &ReadChunk) -> u64 {
        self.reviewing.games(read)
    }

    fn finish(&self, input: &Input, chunk: &Chunk, read: ReadChunk, first: u64) -> Formatted {
        let mut done = self.reviewing.finish(input, chunk, read, first);
        done.cut = !chunk.diagnostics().is_empty();
        // A byte order mark stands in front of the first chunk only.
        done.recoded = !chunk.is_original() || chunk.line() == 1 && chunk.offset() > 0;
        if self.compare {
            done.original.extend_from_slice(chunk.bytes());
        }
        done
    }
}

impl Games for Formatter {
    type Done = Formatted;

    fn game(&self, review: Review, origin: &mut ChunkOrigin<'_>, done: &mut Formatted) {
        let (start, diagnostics) = (review.offset(), review.diagnostics().to_vec());
        let game = review.into_game();
        let (replayed, repairs) =
            if self.fix { repair(game.into_tree(), &self.checks.replay) } else { (game, Vec::new()) };
        let mut tree = canonical_tree(&replayed, &self.options);
        lead(&mut tree, std::mem::take(&mut done.waiting), self.options.strict);
        let text = write_canonical(&tree, &self.options);
        if !done.text.is_empty() {
            done.text.push(b'\n');
        }
        done.text.extend_from_slice(text.as_bytes());
        if !self.fix {
            done.errors += errors(&diagnostics);
            return;
        }
        let unread = diagnostics.iter().find(|found| found.code() == Code::REPLAY_TOO_LARGE);
        // What was not read cannot be mended.
        let left: Vec<_> = self.diagnostics_of(&text).into_iter().chain(unread.cloned()).collect();
        done.errors += errors(&left);
        let mut lines: Vec<_> = Vec::new();
        for found in mended(&diagnostics, left) {
            // What is told as repaired, and what is open only because its end was not read.
            let cut = unread.is_some() && may_be_open(found.code());
            if cut || repairs.iter().any(|repair| repair.span.holds(found.span())) {
                continue;
            }
            let what = if is_text(found.code()) { self.done_to_text() } else { "mended" };
            // A move that became a comment is lost to the game all the same.
            done.errors += if is_text(found.code()) { errors(std::slice::from_ref(&found)) } else { 0 };
            lines.push((found.span(), format!("{what}: {found}")));
        }
        lines.extend(repairs.into_iter().map(|repair| (repair.span, repair.what)));
        lines.sort_by_key(|(span, _)| span.start);
        for (span, what) in lines {
            report(&mut done.repairs, origin, start, span, &what);
        }
    }

    fn outside(&self, outside: &Outside, origin: &mut ChunkOrigin<'_>, done: &mut Formatted) {
        let (span, code) = (outside.diagnostic.span(), outside.diagnostic.code());
        done.errors += errors(std::slice::from_ref(&outside.diagnostic));
        let bytes = &origin.chunk.bytes()[outside.offset..][span.range()];
        let text = comment_of(bytes, origin.chunk.encoding().unwrap_or(Encoding::Latin1), code);
        let kept = text.is_some() && self.options.comments;
        // A comment between games is one already.
        if self.fix && !(kept && code == Code::SYNTAX_STRAY_COMMENT) {
            let what = if text.is_some() { self.done_to_text() } else { "taken out" };
            report(&mut done.repairs, origin, outside.offset, span, &format!("{what}: {}", outside.diagnostic));
        }
        if let Some(text) = text.filter(|_| self.options.comments) {
            done.waiting.push(Attachment::Comment { text, span: Span::default() });
        }
    }

    fn end(&self, done: &mut Formatted) {
        done.leads = !done.waiting.is_empty();
        if done.leads {
            let tree = GameTree { lead: std::mem::take(&mut done.waiting), ..GameTree::default() };
            if !done.text.is_empty() {
                done.text.push(b'\n');
            }
            done.text.extend_from_slice(write_canonical(&tree, &self.options).as_bytes());
        }
    }
}

impl Formatter {
    /// What becomes of text that has no place among the moves.
    const fn done_to_text(&self) -> &'static str {
        if self.options.comments { "put into a comment" } else { "taken out" }
    }

    /// Returns the diagnostics of a game in canonical form.
    fn diagnostics_of(&self, text: &str) -> Vec<Diagnostic> {
        let options = CheckOptions { encoding: None, ..self.checks };
        reviews(text.as_bytes(), options).flat_map(|review| review.diagnostics().to_vec()).collect()
    }
}

/// Whether a fault is gone because its text is no longer among the moves.
fn is_text(code: Code) -> bool {
    [
        Code::SYNTAX_STRAY_TEXT,
        Code::SYNTAX_MISSING_BLANK,
        Code::SYNTAX_LETTER_FOR_DIGIT,
        Code::SYNTAX_PROSE_IN_PARENTHESES,
        Code::SYNTAX_RESULT_IN_VARIATION,
    ]
    .contains(&code)
}

/// Whether a fault says that something does not end in the text that was read.
fn may_be_open(code: Code) -> bool {
    [
        Code::SYNTAX_UNCLOSED_COMMENT,
        Code::SYNTAX_UNCLOSED_SETUP,
        Code::SYNTAX_UNCLOSED_STRING,
        Code::SYNTAX_UNCLOSED_VARIATION,
    ]
    .contains(&code)
}

/// Puts comments in front of a game, or where the grammar is strict in front of its moves.
fn lead(tree: &mut GameTree, comments: Vec<Attachment>, strict: bool) {
    let list = if tree.tags.is_empty() || strict { &mut tree.lines[0].intro } else { &mut tree.lead };
    list.splice(0..0, comments);
}

fn errors(found: &[Diagnostic]) -> u64 {
    let errors = found.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
    errors.map(|diagnostic| u64::from(diagnostic.count())).sum()
}

/// The findings that are gone: those that are not told in the same words any more, and of these of each code as many as
/// are fewer, the first ones.
fn mended(before: &[Diagnostic], mut after: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut gone: Vec<_> = before.iter().filter(|found| found.severity() > Severity::Note).cloned().collect();
    take_pairs(&mut gone, &mut after, Diagnostic::says_the_same);
    take_pairs(&mut gone, &mut after, |one, other| one.code() == other.code());
    gone
}

/// Takes out of both lists what is alike, one for one.
fn take_pairs(gone: &mut Vec<Diagnostic>, left: &mut Vec<Diagnostic>, alike: fn(&Diagnostic, &Diagnostic) -> bool) {
    gone.retain(|found| {
        let same = left.iter().position(|left| alike(found, left));
        same.map(|place| left.swap_remove(place)).is_none()
    });
}

fn report(lines: &mut String, origin: &mut ChunkOrigin<'_>, start: usize, span: Span, what: &str) {
    let found = origin.locator.locate(start + span.start as usize, span.len() as usize);
    let _ = writeln!(lines, "{}:{}:{}: {what}", origin.input.label(), found.line, found.column);
}

/// The comment that keeps what stands outside any game; `None` for what says nothing.
fn comment_of(bytes: &[u8], encoding: Encoding, code: Code) -> Option<String> {
    let noise = [
        Code::SYNTAX_STRAY_BRACE,
        Code::SYNTAX_STRAY_BRACKET,
        Code::SYNTAX_CONTROL_CHARACTER,
        Code::SYNTAX_TYPED_ESCAPE,
    ];
    let text = decode_line(bytes, encoding);
    let text = text.trim().trim_start_matches(['{', '%', ';']).trim_end_matches('}');
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let says = text.chars().any(char::is_alphanumeric);
    (says && !noise.contains(&code)).then_some(text)
}
