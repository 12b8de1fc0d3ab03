//! Changes to one game of a file, and repairs of all games.

use std::ops::Range;

use serde::Deserialize;

use super::change::{Change, Focus, Plan, Splice, Subject};
use super::tokens::{GameTokens, Games, Kind, Token};
use super::{EditedChunk, Refusal, applied, line_end, replace, suggests_another};
use crate::check::{CheckOptions, CheckedGame, ChunkOrigin, FileDates, GameWork, Needs, Review};
use crate::diag::{Severity, Span};
use crate::pdn::{NodeId, ReadAs, games_as};
use crate::records::{EditRow, MoveRow, Origin, game_row};
use crate::text::whitespace::is_line_end;
use crate::text::{Encoding, Format};

/// The game that is edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum GameSelection {
    /// The game with this number in its file, from 1.
    Number(u64),
    /// The game that begins at this byte of its file.
    Offset(u64),
}

/// Changes to one game: each replaces the bytes of its place, and all others stay. If one of them is refused, or if what is
/// written would not be read as it is meant, nothing changes.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::{CheckOptions, Checking};
/// use pdn::edit::{Change, GameEdits, GameSelection};
/// use pdn::source::{ChunkOptions, Event, Input, Pipeline};
///
/// let change = Change::comment("2", "natural");
/// let edits = Checking::new(GameEdits::new(GameSelection::Number(1), vec![change]), CheckOptions::default());
/// let inputs = vec![Ok(Input::stream("-", &b"1.32-28   19-23 2.28x19\r\n*"[..]))];
/// Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default()).run(inputs, &edits, |event| {
///     if let Event::Done(chunk) = event {
///         assert_eq!(chunk.text(), b"1.32-28   19-23 {natural} 2.28x19\r\n*");
///         assert_eq!(chunk.address(), Some("2"));
///     }
///     Ok(())
/// })?;
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameEdits {
    game: GameSelection,
    changes: Vec<Change>,
}

impl GameEdits {
    /// Returns changes to a game.
    pub const fn new(game: GameSelection, changes: Vec<Change>) -> Self {
        Self { game, changes }
    }
}

impl GameWork for GameEdits {
    type Done = EditedChunk;

    fn needs(&self) -> Needs {
        Needs::Tags
    }

    fn begin(&self, origin: &ChunkOrigin<'_>) -> EditedChunk {
        EditedChunk::of(origin.chunk())
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut EditedChunk) {
        let is_chosen = match self.game {
            GameSelection::Number(number) => game.number() == number,
            GameSelection::Offset(offset) => game.offset() == offset,
        };
        if is_chosen {
            done.is_found = true;
            edit(&game, &self.changes, done);
        } else {
            done.pass(&game);
        }
    }

    fn end(&self, origin: &ChunkOrigin<'_>, done: &mut EditedChunk) {
        done.copy_rest(origin.chunk());
    }
}

/// Repairs of all games that have exactly one reading: the places that are wrong change, and games without faults keep every byte.
#[derive(Clone, Copy, Debug, Default)]
pub struct Repairs;

impl GameWork for Repairs {
    type Done = EditedChunk;

    fn begin(&self, origin: &ChunkOrigin<'_>) -> EditedChunk {
        EditedChunk::of(origin.chunk())
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut EditedChunk) {
        if game.review().diagnostics().is_empty() {
            done.pass(&game);
        } else {
            edit(&game, &[Change::Repair { only: None }], done);
            done.errors += errors(done.repaired.take().as_ref().unwrap_or_else(|| game.review()));
        }
    }

    fn end(&self, origin: &ChunkOrigin<'_>, done: &mut EditedChunk) {
        done.copy_rest(origin.chunk());
    }
}

/// Changes a game, or notes why it is left unchanged.
fn edit(game: &CheckedGame<'_>, changes: &[Change], done: &mut EditedChunk) {
    match edited(game, changes, done) {
        Ok(differs) => done.changed += u64::from(differs),
        Err(reason) => done.refused.push((game.number(), reason)),
    }
}

fn edited(game: &CheckedGame<'_>, changes: &[Change], done: &mut EditedChunk) -> Result<bool, Refusal> {
    let chunk = game.chunk();
    if chunk.format() != Format::Pdn || !chunk.is_original() {
        return Err(Refusal::Format);
    }
    let (review, offset) = (game.review(), game.range().start);
    // The game between the ones before and after it, whose reading may depend on it.
    let before = done.edited(done.last_game, chunk.bytes(), offset);
    let (start, rest) = (before.len(), &chunk.bytes()[offset..]);
    done.pass(game);
    let bytes = &[&before, &rest[..Games::end_of_second(rest)]].concat()[..];
    let (dates, encoding) = (&game.options().dates, done.encoding(game));
    let ground = Ground { review, bytes, own: start..start + game.range().len(), dates, encoding };
    let Applied { plan, text } = ground.apply(changes)?;
    if plan.is_partial {
        done.refused.push((game.number(), Refusal::RepairLeftOut));
    }
    if plan.splices.is_empty() {
        return Ok(false);
    }
    let focus = plan.focus.map(|focus| plan.focused(focus));
    let replay = review.game().options().clone();
    let after = reviewed(start, &text, encoding, 1, &CheckOptions { replay, ..CheckOptions::default() });
    done.address = focus.zip(after.as_ref()).and_then(|(at, review)| {
        let place = at.checked_sub(start)?;
        address(review, |id| review.game().tree().node(id).span().start as usize == place)
    });
    done.repaired = after;
    done.rows.extend(plan.splices.iter().map(|splice| shown(game, start, splice)));
    let edits = edits_of(&plan.splices).into_iter();
    let in_game = edits.map(|(range, text)| (range.start - start..range.end - start, text));
    done.copied = replace(chunk.bytes(), done.copied, offset, &in_game.collect::<Vec<_>>(), &mut done.text);
    Ok(true)
}

/// A game in the bytes that its reading depends on.
pub(super) struct Ground<'a> {
    pub(super) review: &'a Review,
    pub(super) bytes: &'a [u8],
    /// The bytes of the game itself.
    pub(super) own: Range<usize>,
    pub(super) dates: &'a FileDates,
    /// The encoding of new text.
    pub(super) encoding: Encoding,
}

/// Changes that are read as they are meant.
pub(super) struct Applied {
    pub(super) plan: Plan,
    /// The bytes of the ground after the changes.
    pub(super) text: Vec<u8>,
}

impl Ground<'_> {
    /// Plans changes to the game, and reads what they would write.
    pub(super) fn apply(&self, changes: &[Change]) -> Result<Applied, Refusal> {
        let Self { review, bytes, dates, encoding, .. } = *self;
        let row = game_row(review, Origin::default(), Vec::new());
        let games = Games::of(bytes);
        let own = games.game(&self.own);
        let tokens = GameTokens { bytes, all: &games.tokens[own.clone()] };
        let line_end = line_end(&bytes[self.own.clone()]);
        let subject = Subject { review, row: &row, tokens, start: self.own.start, line_end, dates, encoding };
        let mut plan = plan(&subject, changes)?;
        plan.drop_unchanged(bytes);
        let checked = |splices: &[Splice]| {
            let text = applied(bytes, &edits_of(splices));
            if suggests_another(bytes, &text) {
                Err(Refusal::OtherEncoding)
            } else if is_read(&games, own.start, bytes, splices, &text) {
                Ok(text)
            } else {
                Err(Refusal::OtherReading)
            }
        };
        let reason = match checked(&plan.splices) {
            Ok(text) => return Ok(Applied { plan, text }),
            Err(reason) => reason,
        };
        if !matches!(changes, [Change::Repair { .. }]) {
            return Err(reason);
        }
        // Of several repairs, those are made that are read as they are meant.
        plan.is_partial = true;
        plan.keep(|splices| checked(splices).is_ok());
        if plan.splices.is_empty() {
            return Err(reason);
        }
        let text = applied(bytes, &edits_of(&plan.splices));
        Ok(Applied { plan, text })
    }
}

/// Plans all changes to a game together; two that change the same place are refused.
fn plan(subject: &Subject<'_>, changes: &[Change]) -> Result<Plan, Refusal> {
    let mut all = Plan::default();
    for change in changes {
        let Plan { splices, focus: own, moved, is_partial } = subject.plan(change)?;
        // Only a change alone has its focus in new text.
        all.focus = own.filter(|own| matches!(own, Focus::Old(_)) || changes.len() == 1).or(all.focus);
        all.moved.extend(moved.into_iter().filter(|_| changes.len() == 1));
        all.splices.extend(splices);
        all.is_partial |= is_partial;
    }
    all.splices.sort_by_key(|splice| (splice.bytes.start, splice.bytes.end, splice.tokens.start));
    let overlap =
        |pair: &[Splice]| pair[0].bytes.end > pair[1].bytes.start || pair[0].tokens.end > pair[1].tokens.start;
    if all.splices.windows(2).any(overlap) {
        return Err(Refusal::OtherReading);
    }
    Ok(all)
}

impl Plan {
    /// Drops splices that write what is there.
    fn drop_unchanged(&mut self, bytes: &[u8]) {
        // The place of a move in new text names its splice by its number.
        if !matches!(self.focus, Some(Focus::New(..))) {
            self.splices.retain(|splice| bytes[splice.bytes.clone()] != splice.text);
        }
    }

    /// Keeps each splice with which, and with those before it that are kept, a condition holds.
    fn keep(&mut self, holds: impl Fn(&[Splice]) -> bool) {
        for splice in std::mem::take(&mut self.splices) {
            self.splices.push(splice);
            if !holds(&self.splices) {
                self.splices.pop();
            }
        }
    }

    /// Returns the byte at which a move is after all splices; `None` if it is removed.
    pub(super) fn place_of(&self, at: usize) -> Option<usize> {
        if let Some((_, focus)) = self.moved.iter().find(|(from, _)| *from == at) {
            return Some(self.focused(*focus));
        }
        let is_replaced = self.splices.iter().any(|splice| splice.bytes.contains(&at));
        (!is_replaced).then(|| self.focused(Focus::Old(at)))
    }

    /// Returns the byte of a place after all splices.
    pub(super) fn focused(&self, focus: Focus) -> usize {
        let shifted = |at: usize, splices: &[Splice]| {
            splices.iter().fold(at, |at, splice| at + splice.text.len() - splice.bytes.len())
        };
        match focus {
            Focus::Old(at) => {
                let before = self.splices.partition_point(|splice| splice.bytes.end <= at);
                shifted(at, &self.splices[..before])
            }
            Focus::New(splice, at) => shifted(self.splices[splice].bytes.start + at, &self.splices[..splice]),
        }
    }
}

/// Returns true if a new text is read as the tokens that are meant: those of the old text, with the splices of the game whose
/// tokens begin at an index.
fn is_read(old: &Games, first: usize, bytes: &[u8], splices: &[Splice], text: &[u8]) -> bool {
    let new = Games::of(text);
    let mut found = new.tokens.iter();
    let is_next = |next: Option<&Token>, kind: Kind, expected: &[u8]| {
        next.is_some_and(|next| next.kind == kind && text[next.span.clone()].trim_ascii() == expected.trim_ascii())
    };
    let is_same = |next: Option<&Token>, token: &Token| is_next(next, token.kind, &bytes[token.span.clone()]);
    let (mut at, mut shift) = (0, 0_isize);
    for splice in splices {
        let (from, to) = (first + splice.tokens.start, first + splice.tokens.end);
        if !old.tokens[at..from].iter().all(|token| is_same(found.next(), token)) {
            return false;
        }
        shift += splice.text.len() as isize - splice.bytes.len() as isize;
        match &splice.new {
            Some(tokens) => {
                if !tokens.iter().all(|(kind, expected)| is_next(found.next(), *kind, expected)) {
                    return false;
                }
            }
            None => {
                // Any tokens may be read in this text, but none may reach beyond it.
                let end = splice.bytes.end.saturating_add_signed(shift);
                while found.as_slice().first().is_some_and(|next| next.span.end <= end) {
                    found.next();
                }
            }
        }
        at = to;
    }
    let rest = &old.tokens[at..];
    // A whole game may be replaced by several.
    let rewrites = matches!(splices, [splice] if splice.tokens.start == 0 && splice.new.is_none());
    // The rules decide the number of games, too.
    let count = |text: &[u8]| crate::import::games(text).count();
    rest.len() == found.len()
        && rest.iter().zip(found).all(|(token, next)| is_same(Some(next), token))
        && (rewrites || are_same_games(old, &new, first) && count(bytes) == count(text))
}

/// Returns true if the same games begin before the same tokens, those after the game whose tokens begin at an index from the end.
fn are_same_games(old: &Games, new: &Games, first: usize) -> bool {
    let (old_len, new_len) = (old.tokens.len(), new.tokens.len());
    let mut pairs = old.boundaries().zip(new.boundaries());
    old.boundaries().count() == new.boundaries().count()
        && pairs.all(|(old, new)| if old <= first { old == new } else { old_len - old == new_len - new })
}

/// Returns the game that begins at an offset of a text, checked with options.
pub(super) fn reviewed(
    start: usize,
    text: &[u8],
    encoding: Encoding,
    number: u64,
    options: &CheckOptions,
) -> Option<Review> {
    let read_as = ReadAs { always: Some(encoding), ..ReadAs::default() };
    let parsed = games_as(&text[start..], read_as).next()?;
    Some(Review::new(parsed, number, &text[start..], options))
}

/// Returns the number of errors of a game.
fn errors(review: &Review) -> u64 {
    review.diagnostics().iter().filter(|found| found.severity() == Severity::Error).count() as u64
}

/// Returns splices as edits of bytes.
fn edits_of(splices: &[Splice]) -> Vec<(Range<usize>, Vec<u8>)> {
    splices.iter().map(|splice| (splice.bytes.clone(), splice.text.clone())).collect()
}

/// Returns the address of a move of a game.
pub(super) fn address(review: &Review, is_meant: impl Fn(NodeId) -> bool) -> Option<String> {
    let game = game_row(review, Origin::default(), Vec::new());
    let is_there = &|row: &MoveRow<'_>| row.node.is_some_and(&is_meant);
    let found = find_in(&game.moves, "", is_there);
    found.or_else(|| find_in_lines(&game.variations, "0", is_there))
}

fn find_in(line: &[MoveRow<'_>], prefix: &str, is_there: &impl Fn(&MoveRow<'_>) -> bool) -> Option<String> {
    line.iter().enumerate().find_map(|(n, row)| {
        let address = format!("{prefix}{}", n + 1);
        if is_there(row) { Some(address) } else { find_in_lines(&row.variations, &address, is_there) }
    })
}

fn find_in_lines(
    lines: &[Vec<MoveRow<'_>>],
    address: &str,
    is_there: &impl Fn(&MoveRow<'_>) -> bool,
) -> Option<String> {
    let mut lines = lines.iter().enumerate();
    lines.find_map(|(n, line)| find_in(line, &format!("{address}.{}.", n + 1), is_there))
}

/// Maximum number of bytes shown of a line, before and after an edit: some records have no line ends.
const MAX_LINE: usize = 200;

/// Returns an edit of a game that starts at an index as a row, with the lines of its place before and after it.
fn shown(game: &CheckedGame<'_>, start: usize, splice: &Splice) -> EditRow {
    let own = splice.bytes.start - start..splice.bytes.end - start;
    let span = Span::new(own.start as u32, own.end as u32);
    let (bytes, offset) = (game.chunk().bytes(), game.range().start);
    let own = own.start + offset..own.end + offset;
    let before = &bytes[own.start.saturating_sub(MAX_LINE)..own.start];
    let before = &before[before.iter().rposition(|&byte| is_line_end(byte)).map_or(0, |at| at + 1)..];
    let after = &bytes[own.end..(own.end + MAX_LINE).min(bytes.len())];
    let after = &after[..after.iter().position(|&byte| is_line_end(byte)).unwrap_or(after.len())];
    let line = |text: &[u8]| {
        let text = [before, &text[..text.len().min(MAX_LINE)], after].concat();
        game.encoding().decode(&text).trim_end_matches(['\r', '\n']).to_owned()
    };
    let (old, new) = (line(&bytes[own]), line(&splice.text));
    let row = EditRow::new(game.input().label(), game.number(), game.locate(span), splice.message.clone());
    row.with_lines(old, new)
}
