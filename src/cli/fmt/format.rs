//! The canonical form of the games of a chunk.

use std::fmt::Write as _;

use super::super::file_settings::Checks;
use crate::canon::{
    Edit, EditKind, FormatOptions, canonical_tree, into_canonical_tree, mended, repair, write_canonical,
};
use crate::check::{CheckOptions, CheckedGame, ChunkOrigin, GameWork, InputOptions, Needs, Review};
use crate::diag::{Code, Diagnostic, Severity};
use crate::pdn::{GameTree, Outside, Parsed};
use crate::rules::ResultStyle;

/// How games are written, and whether they are repaired.
#[expect(clippy::struct_excessive_bools, reason = "independent options of the command")]
pub(super) struct Formatter {
    /// How they are written, apart from the style of results.
    pub(super) options: FormatOptions,
    /// The style of results by the options; without it, the settings of the input say it.
    pub(super) result_style: Option<ResultStyle>,
    /// Whether comments are kept.
    pub(super) comments: bool,
    pub(super) checks: Checks,
    pub(super) fix: bool,
    pub(super) strict: bool,
    /// Whether the original is kept, to be compared.
    pub(super) compare: bool,
}

/// The games of a chunk in canonical form.
#[derive(Default)]
pub(super) struct Formatted {
    /// How the games are written.
    options: FormatOptions,
    pub(super) text: Vec<u8>,
    /// The edits, a line each.
    pub(super) edits: String,
    /// Number of errors that are left.
    pub(super) errors: u64,
    /// Comments after the last game, which belong to the next one, or to none.
    waiting: Vec<String>,
    /// Whether the text ends with comments that belong to the next game.
    pub(super) leads: bool,
    /// The bytes that were read; empty if they are not compared.
    pub(super) original: Vec<u8>,
    /// Whether the input is not UTF-8 without a byte order mark, so that the output differs.
    pub(super) recoded: bool,
    /// Whether anything was too large to be read.
    pub(super) cut: bool,
}

impl GameWork for Formatter {
    type Done = Formatted;

    fn needs(&self) -> Needs {
        Needs::Tree
    }

    fn begin(&self, origin: &ChunkOrigin<'_>) -> Formatted {
        let (chunk, settings) = (origin.chunk(), self.checks.settings(origin.input()));
        let result_style = self.result_style.or(settings.settings.result_style);
        Formatted {
            options: self.options.result_style(result_style),
            cut: !chunk.diagnostics().is_empty(),
            // Only the first chunk can start with a byte order mark.
            recoded: !chunk.is_original() || chunk.line() == 1 && chunk.offset() > 0,
            original: if self.compare { chunk.bytes().to_vec() } else { Vec::new() },
            ..Formatted::default()
        }
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Formatted) {
        let (origin, start, options) = (game.origin(), game.range().start, &done.options);
        let review = game.into_review();
        let mut fixed = if self.fix { self.fixed(review, options, origin) } else { formatted(review, options) };
        fixed.tree.prepend_comments(done.waiting.drain(..), self.strict);
        append(&mut done.text, &write_canonical(&fixed.tree, options));
        done.errors += fixed.errors;
        for edit in fixed.edits {
            report(&mut done.edits, origin, start, &edit);
        }
    }

    fn outside(&self, outside: &Outside, origin: &ChunkOrigin<'_>, done: &mut Formatted) {
        let (span, code) = (outside.diagnostic().span(), outside.diagnostic().code());
        done.errors += errors([outside.diagnostic()]);
        let text = outside.text(origin.chunk().bytes(), origin.chunk().encoding());
        let is_kept = text.is_some() && self.comments;
        // A comment between games stays a comment.
        if self.fix && !(is_kept && code == Code::SYNTAX_STRAY_COMMENT) {
            let kind = if is_kept { EditKind::Commented } else { EditKind::Removed };
            report(&mut done.edits, origin, outside.offset(), &Edit::new(span, kind(outside.diagnostic().clone())));
        }
        if let Some(text) = text.filter(|_| self.comments) {
            done.waiting.push(text);
        }
    }

    fn end(&self, _: &ChunkOrigin<'_>, done: &mut Formatted) {
        done.leads = !done.waiting.is_empty();
        if done.leads {
            let mut tree = GameTree::default();
            tree.prepend_comments(done.waiting.drain(..), false);
            append(&mut done.text, &write_canonical(&tree, &self.options));
        }
    }
}

/// A game in canonical form.
struct Fixed {
    tree: GameTree,
    /// The edits, in the order of the text.
    edits: Vec<Edit>,
    errors: u64,
}

impl Formatter {
    /// Repairs a game and brings it into canonical form.
    fn fixed(&self, review: Review, options: &FormatOptions, origin: &ChunkOrigin<'_>) -> Fixed {
        let (number, before) = (review.number(), review.diagnostics().to_vec());
        let checks = CheckOptions { replay: review.game().options().clone(), ..self.checks.of(origin.input()) };
        let (repaired, mut edits) = repair(review.into_game().into_tree(), &checks.replay);
        let tree = canonical_tree(&repaired, options);
        let after = Review::new(Parsed::from(tree.clone()), number, &[], &checks);
        let after = after.diagnostics();
        let is_cut = before.iter().any(|diagnostic| diagnostic.code() == Code::REPLAY_TOO_LARGE);
        let mut mended = mended((repaired.tree(), &tree), options, &before, after);
        mended.retain(|edit| {
            let is_repaired = edits.iter().any(|repair| repair.span().holds(edit.span()));
            !(is_repaired || is_cut && is_left_open(edit))
        });
        let unread = before.iter().filter(|diagnostic| diagnostic.code() == Code::REPLAY_TOO_LARGE);
        // A move that became a comment is lost to the game.
        let lost = mended.iter().filter_map(|edit| match edit.kind() {
            EditKind::Commented(diagnostic) | EditKind::Removed(diagnostic) => Some(diagnostic),
            _ => None,
        });
        let errors = errors(after.iter().chain(unread).chain(lost));
        mended.append(&mut edits);
        mended.sort_by_key(|edit| edit.span().start);
        Fixed { tree, edits: mended, errors }
    }
}

/// Brings a game into canonical form without a repair.
fn formatted(review: Review, options: &FormatOptions) -> Fixed {
    let errors = errors(review.diagnostics());
    let tree = into_canonical_tree(review.into_game(), options);
    Fixed { tree, edits: Vec::new(), errors }
}

/// Returns true if an edit closes what is only open because its end was not read.
fn is_left_open(edit: &Edit) -> bool {
    let EditKind::Resolved(diagnostic) = edit.kind() else { return false };
    [
        Code::SYNTAX_UNCLOSED_COMMENT,
        Code::SYNTAX_UNCLOSED_SETUP,
        Code::SYNTAX_UNCLOSED_STRING,
        Code::SYNTAX_UNCLOSED_VARIATION,
    ]
    .contains(&diagnostic.code())
}

/// Appends a game, separated by an empty line from the one before it.
fn append(text: &mut Vec<u8>, game: &str) {
    if !text.is_empty() {
        text.push(b'\n');
    }
    text.extend_from_slice(game.as_bytes());
}

fn errors<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> u64 {
    let errors = diagnostics.into_iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
    errors.map(|diagnostic| u64::from(diagnostic.count())).sum()
}

fn report(lines: &mut String, origin: &ChunkOrigin<'_>, start: usize, edit: &Edit) {
    let found = origin.locate(start + edit.span().start as usize, edit.span().len() as usize);
    let _ = writeln!(lines, "{}:{}:{}: {edit}", origin.input().label(), found.line, found.column);
}
