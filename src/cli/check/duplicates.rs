//! Games with the same moves, over all inputs.
//!
//! All inputs are read twice: first for hashes of their games, 16 bytes a game, then to check them. Standard input is
//! copied to a temporary file in between.

use std::io;

use tempfile::NamedTempFile;

use crate::check::{Review, fingerprints};
use crate::cli::context::Context;
use crate::cli::games::{ChunkOrigin, Games, Reviewing};
use crate::cli::options::Files;
use crate::diag::{Diagnostic, Span, messages};
use crate::error::{Error, Result};
use crate::replay::ReplayedGame;
use crate::source::{Event, Input, Pipeline, expand};

/// Number of moves of a game from which on it is reported as the beginning of another: ten by each side, more than most
/// openings.
const MIN_BEGINNING: usize = 20;

/// A game and the hash of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// Half of its fingerprint: among a million games, the probability of a collision is one in thirty million.
    hash: [u32; 2],
    /// Number of the game in all inputs, from 1.
    game: u32,
    /// Its first line.
    line: u32,
}

/// An input.
struct Source {
    label: String,
    /// Number of games in the inputs before it.
    before: u32,
}

/// All games of all inputs by their moves.
#[derive(Default)]
pub(super) struct Index {
    sources: Vec<Source>,
    /// Sorted.
    entries: Vec<Entry>,
}

/// The inputs, each of which can be read twice, and the temporary files that some of them are copied to.
pub(super) struct Inputs {
    pub(super) inputs: Vec<Result<Input>>,
    _copies: Vec<NamedTempFile>,
}

impl Inputs {
    /// Finds the inputs and copies standard input to a temporary file.
    ///
    /// # Errors
    ///
    /// If standard input cannot be read or copied.
    pub(super) fn new(files: &Files) -> Result<Self> {
        let mut copies = Vec::new();
        let mut inputs = expand(&files.paths);
        for input in inputs.iter_mut().flatten().filter(|input| input.path().is_none()) {
            let error = |error| Error::read(input.label(), error);
            let mut file = NamedTempFile::new().map_err(error)?;
            io::copy(&mut io::stdin().lock(), &mut file).map_err(error)?;
            *input = Input::with_label(input.label(), file.path());
            copies.push(file);
        }
        Ok(Self { inputs, _copies: copies })
    }
}

impl Index {
    /// Reads all inputs for the first time. Errors are reported when they are read again.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    pub(super) fn new(inputs: &Inputs, files: &Files, context: &Context) -> Result<Self> {
        let pipeline = Pipeline::new(context.jobs, files.chunk_options());
        let found: Vec<_> = inputs.inputs.iter().flatten().cloned().map(Ok).collect();
        let work = Reviewing { games: &Collecting, options: context.check_options(files) };
        let mut index = Self::default();
        let mut last = 0;
        pipeline.run(found, &work, |event| {
            match event {
                Event::Begin(input) => {
                    index.sources.push(Source { label: input.label().to_owned(), before: last });
                }
                Event::Done(entries) => {
                    let before = index.sources.last().map_or(0, |source| source.before);
                    let numbered = |entry: Entry| Entry { game: before.saturating_add(entry.game), ..entry };
                    index.entries.extend(entries.into_iter().map(numbered));
                    last = index.entries.last().map_or(last, |entry| entry.game);
                }
                Event::Error(_) => {}
            }
            Ok(())
        })?;
        index.entries.sort_unstable();
        Ok(index)
    }

    /// Returns diagnostics that name an earlier game with the same moves, and a game that is a beginning of this one.
    pub(super) fn compare(&self, game: &ReplayedGame, label: &str, number: u64) -> Vec<Diagnostic> {
        let prints = fingerprints(game);
        let Some((&whole, beginnings)) = prints.split_last() else { return Vec::new() };
        let start = game.tree().main_line().nodes.first().map_or_else(Span::default, |&id| game.tree().node(id).span);
        let first = self.first(whole).filter(|first| !self.is(first, label, number));
        let duplicate = first.map(|first| {
            let (source, game) = self.source(first);
            messages::duplicate_game(start, game, &source.label, first.line)
        });
        let mut longest_first = beginnings.iter().enumerate().skip(MIN_BEGINNING - 1).rev();
        let beginning = longest_first.find_map(|(n, &print)| Some((n + 1, self.first(print)?)));
        let continuation = beginning.map(|(moves, other)| {
            let (source, game) = self.source(other);
            messages::continuation(start, moves, game, &source.label, other.line)
        });
        duplicate.into_iter().chain(continuation).collect()
    }

    /// The first game with these moves.
    fn first(&self, print: u128) -> Option<&Entry> {
        let hash = upper_half(print);
        let at = self.entries.partition_point(|entry| entry.hash < hash);
        self.entries.get(at).filter(|entry| entry.hash == hash)
    }

    fn is(&self, entry: &Entry, label: &str, number: u64) -> bool {
        let (source, game) = self.source(entry);
        u64::from(game) == number && source.label == label
    }

    /// The input of a game and its number in it.
    fn source(&self, entry: &Entry) -> (&Source, u32) {
        let place = self.sources.partition_point(|source| source.before < entry.game).saturating_sub(1);
        let source = &self.sources[place];
        (source, entry.game - source.before)
    }
}

/// The upper half, to which all bits of the lower one contribute.
fn upper_half(print: u128) -> [u32; 2] {
    [96, 64].map(|shift| (print >> shift) as u32)
}

struct Collecting;

impl Games for Collecting {
    type Done = Vec<Entry>;

    fn game(&self, review: Review, origin: &mut ChunkOrigin<'_>, entries: &mut Vec<Entry>) {
        if let Some(&print) = fingerprints(review.game()).last() {
            let line = origin.locator.locate(review.offset(), 0).line;
            let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
            entries.push(Entry { hash: upper_half(print), game: small(review.number()), line: small(line) });
        }
    }
}
