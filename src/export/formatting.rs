//! The canonical form of collections: the work on each chunk, and the joining of chunks.

use std::fmt;
use std::sync::Arc;

use crate::canon::{
    Edit, EditKind, FormatOptions, canonical_tree, into_canonical_tree, is_undecided, mended, repair, repair_comment,
    write_canonical,
};
use crate::check::{CheckOptions, CheckedGame, ChunkOrigin, GameWork, Review};
use crate::diag::{Code, Diagnostic, Severity, Span};
use crate::pdn::{GameTree, Outside, Parsed};
use crate::records::EditRow;
use crate::source::Input;
use crate::text::Encoding;

/// The options for writing the games of each input: the same [`FormatOptions`] for all inputs, or different ones.
pub trait InputFormat: Sync {
    /// Returns the options for writing the games of an input.
    fn of(&self, input: &Input) -> FormatOptions;
}

impl InputFormat for FormatOptions {
    fn of(&self, _: &Input) -> FormatOptions {
        self.clone()
    }
}

/// Brings games into canonical form and, on request, makes repairs that have exactly one reading.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::canon::FormatOptions;
/// use pdn::check::{CheckOptions, Checking};
/// use pdn::export::{FormattedOutput, Formatting};
/// use pdn::source::{ChunkOptions, Event, Input, Pipeline};
///
/// let work = Checking::new(Formatting::new(FormatOptions::default()).fixing(true), CheckOptions::default());
/// let (mut output, mut text, mut edits) = (FormattedOutput::default(), Vec::new(), Vec::new());
/// let inputs = vec![Ok(Input::stream("-", &b"[GameType \"20\"] [Date \"25/12/1999\"] 1.32-28 19-23 *"[..]))];
/// Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default()).run(inputs, &work, |event| {
///     if let Event::Done(chunk) = event {
///         text.extend_from_slice(output.gap(&chunk));
///         text.extend_from_slice(chunk.text());
///         edits.extend_from_slice(chunk.edits());
///     }
///     Ok(())
/// })?;
/// assert!(text.starts_with(b"[Event \"?\"]\n") && text.ends_with(b"\n1. 32-28 19-23 *\n"));
/// assert_eq!(edits[0].to_string(), "-:1:17: date `25/12/1999` rewritten as 1999.12.25");
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Formatting<F> {
    format: F,
    fix: bool,
    compare: bool,
}

impl<F: InputFormat> Formatting<F> {
    /// Returns work that writes games.
    pub const fn new(format: F) -> Self {
        Self { format, fix: false, compare: false }
    }

    /// Sets whether games are repaired.
    #[must_use]
    pub fn fixing(self, fix: bool) -> Self {
        Self { fix, ..self }
    }

    /// Sets whether the bytes read are kept for comparison.
    #[must_use]
    pub(crate) fn comparing(self, compare: bool) -> Self {
        Self { compare, ..self }
    }
}

/// The games of a chunk in canonical form.
#[derive(Debug, Default)]
pub struct Formatted {
    /// The options for writing the games.
    options: FormatOptions,
    text: Vec<u8>,
    edits: Vec<EditRow>,
    /// The number of remaining errors.
    pub(crate) errors: u64,
    /// Comments after the last game, which belong to the next one, or to none.
    waiting: Vec<String>,
    /// True if the text ends with comments that belong to the next game.
    leads: bool,
    /// The bytes read, if they are [compared](Formatting::comparing).
    pub(crate) original: Vec<u8>,
    /// The number of games that get no GameType and keep their squares, because no variant alone plays them to the end.
    pub(crate) undecided: u64,
    /// True if the input is not UTF-8 without a byte order mark, so that the output differs.
    pub(crate) is_recoded: bool,
}

impl Formatted {
    /// Returns the text.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the repairs, and notes about uncertain variants, in text order.
    pub fn edits(&self) -> &[EditRow] {
        &self.edits
    }
}

/// The joining of the canonical form of chunks.
#[derive(Clone, Copy, Debug, Default)]
pub struct FormattedOutput {
    /// True if there was any text.
    begun: bool,
    /// True if it ends with comments that belong to the next game.
    leads: bool,
}

impl FormattedOutput {
    /// Returns the separator between a chunk and the text before it.
    pub fn gap(&mut self, chunk: &Formatted) -> &'static [u8] {
        if chunk.text.is_empty() {
            return b"";
        }
        let gap: &[u8] = if self.begun && !self.leads { b"\n" } else { b"" };
        (self.begun, self.leads) = (true, chunk.leads);
        gap
    }
}

impl<F: InputFormat> GameWork for Formatting<F> {
    type Done = Formatted;

    /// Bytes that cannot be read are written as they were.
    fn options(&self, _: &Input, _: &Arc<[u8]>, options: CheckOptions) -> CheckOptions {
        CheckOptions { keeps_bytes: true, ..options }
    }

    fn begin(&self, origin: &ChunkOrigin<'_>) -> Formatted {
        let chunk = origin.chunk();
        Formatted {
            options: self.format.of(origin.input()),
            // Only the first chunk can start with a byte order mark.
            is_recoded: !chunk.is_original() || chunk.line() == 1 && chunk.offset() > 0,
            original: if self.compare { chunk.bytes().to_vec() } else { Vec::new() },
            ..Formatted::default()
        }
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Formatted) {
        let (origin, start, options) = (game.origin(), game.range().start, &done.options);
        let (number, checks) = (game.number(), game.options());
        let review = game.into_review();
        let row = |span: Span, what: &dyn fmt::Display| edit_row(origin, number, start, span, what);
        if is_undecided(review.game(), options) {
            done.undecided += 1;
            let of_variant = |found: &&Diagnostic| found.code() == Code::REPLAY_INFERRED_VARIANT;
            if let Some(doubt) = review.diagnostics().iter().find(of_variant) {
                done.edits.push(row(doubt.span(), &format_args!("{doubt}: {UNDECIDED}")));
            }
        }
        let mut fixed = if self.fix { fixed(review, options, checks) } else { formatted(review, options) };
        fixed.tree.prepend_comments(done.waiting.drain(..), options.strict);
        append(&mut done.text, &write_canonical(&fixed.tree, options));
        done.errors += fixed.errors;
        done.edits.extend(fixed.edits.iter().map(|edit| row(edit.span(), edit)));
    }

    fn outside(&self, outside: &Outside, origin: &ChunkOrigin<'_>, done: &mut Formatted) {
        let (span, code) = (outside.diagnostic().span(), outside.diagnostic().code());
        done.errors += errors([outside.diagnostic()]);
        let text = outside.text_keeping_bytes(origin.chunk().bytes(), origin.encoding());
        let text = text.and_then(|text| done.options.kept_comment(&text));
        let is_kept = text.is_some();
        // A comment between games stays a comment.
        if self.fix && !(is_kept && code == Code::SYNTAX_STRAY_COMMENT) {
            let kind = if is_kept { EditKind::Commented } else { EditKind::Removed };
            done.edits.push(edit_row(origin, 0, outside.offset(), span, &kind(outside.diagnostic().clone())));
        }
        done.waiting.extend(text.map(|text| self.repaired_comment(text, outside, origin, &mut done.edits)));
    }

    fn end(&self, _: &ChunkOrigin<'_>, done: &mut Formatted) {
        done.leads = !done.waiting.is_empty();
        if done.leads {
            let mut tree = GameTree::default();
            tree.prepend_comments(done.waiting.drain(..), false);
            append(&mut done.text, &write_canonical(&tree, &done.options));
        }
    }
}

/// What is said of a game whose variant is undecided.
const UNDECIDED: &str = "squares keep their names, and no GameType is added";

/// A game in canonical form.
struct Fixed {
    tree: GameTree,
    /// The edits, in the order of the text.
    edits: Vec<Edit>,
    errors: u64,
}

impl<F: InputFormat> Formatting<F> {
    /// Returns the text outside games that becomes a comment, repaired like the comments in games.
    fn repaired_comment(
        &self,
        mut text: String,
        outside: &Outside,
        origin: &ChunkOrigin<'_>,
        edits: &mut Vec<EditRow>,
    ) -> String {
        let mut found = Vec::new();
        if self.fix {
            repair_comment(&mut text, outside.diagnostic().span(), &mut found);
        }
        edits.extend(found.iter().map(|edit| edit_row(origin, 0, outside.offset(), edit.span(), edit)));
        text
    }
}

/// Repairs a game and brings it into canonical form.
fn fixed(review: Review, options: &FormatOptions, checks: &CheckOptions) -> Fixed {
    let (number, before) = (review.number(), review.diagnostics().to_vec());
    let checks = CheckOptions { replay: review.game().options().clone(), ..checks.clone() };
    let (repaired, mut edits) = repair(review.into_game().into_tree(), &checks.replay, || checks.dates.orders());
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

/// Brings a game into canonical form without a repair.
fn formatted(review: Review, options: &FormatOptions) -> Fixed {
    let errors = errors(review.diagnostics());
    let tree = into_canonical_tree(review.into_game(), options);
    Fixed { tree, edits: Vec::new(), errors }
}

/// Returns true if an edit closes something that is open only because its end was not read.
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
    // The characters for bytes that could not be read are written as those bytes; they begin with these two.
    match memchr::memmem::find(game.as_bytes(), b"\xF4\x8F") {
        Some(_) => text.extend_from_slice(&Encoding::restored(game)),
        None => text.extend_from_slice(game.as_bytes()),
    }
}

fn errors<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> u64 {
    let errors = diagnostics.into_iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
    errors.map(|diagnostic| u64::from(diagnostic.count())).sum()
}

fn edit_row(origin: &ChunkOrigin<'_>, game: u64, start: usize, span: Span, what: &dyn fmt::Display) -> EditRow {
    let location = origin.locate(start + span.start as usize, span.len() as usize);
    EditRow::new(origin.input().label(), game, location, what.to_string())
}
