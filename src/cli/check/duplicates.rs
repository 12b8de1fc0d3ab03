//! Games with the same moves, over all inputs.
//!
//! All inputs are read twice: first for the numbers that stand for their games, 16 bytes a game, then to check them.
//! Standard input is kept in a file between the two.

use std::io;

use tempfile::NamedTempFile;

use crate::check::fingerprints;
use crate::cli::context::Context;
use crate::cli::games::{Game, Games, Place, Replaying};
use crate::cli::options::Files;
use crate::diag::{Code, Diagnostic, Span};
use crate::error::{Error, Result};
use crate::replay::{ReplayOptions, ReplayedGame};
use crate::source::{Event, Input, Pipeline, expand};

/// Moves that another game has to begin with for that to mean anything: ten of each side, which is behind most openings.
const SENSIBLE: usize = 20;

/// A game and the number that stands for its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// Half of its fingerprint: among a million games two that differ meet with a chance of one in thirty millions.
    print: [u32; 2],
    /// Number of the game in all inputs.
    game: u32,
    /// Its first line.
    line: u32,
}

/// An input by the name that the user gave it.
struct Source {
    label: String,
    /// Games in front of its first one.
    before: u32,
}

/// All games of all inputs by their moves.
#[derive(Default)]
pub(super) struct Index {
    sources: Vec<Source>,
    /// Sorted.
    entries: Vec<Entry>,
}

/// The inputs, each of which can be read twice, and the files that keep what cannot.
pub(super) struct Inputs {
    pub(super) inputs: Vec<Result<Input>>,
    _kept: Vec<NamedTempFile>,
}

impl Inputs {
    /// Finds the inputs and keeps standard input in a file.
    ///
    /// # Errors
    ///
    /// If it cannot be kept.
    pub(super) fn new(files: &Files) -> Result<Self> {
        let mut kept = Vec::new();
        let mut inputs = expand(&files.paths);
        for input in inputs.iter_mut().flatten().filter(|input| input.path().is_none()) {
            let fault = |fault| Error::read(input.label(), fault);
            let mut file = NamedTempFile::new().map_err(fault)?;
            io::copy(&mut io::stdin().lock(), &mut file).map_err(fault)?;
            *input = Input::with_label(input.label(), file.path());
            kept.push(file);
        }
        Ok(Self { inputs, _kept: kept })
    }
}

impl Index {
    /// Reads all inputs for the first time. What cannot be read is told when they are read again.
    ///
    /// # Errors
    ///
    /// If there are no threads to be had.
    pub(super) fn of(inputs: &Inputs, files: &Files, options: ReplayOptions, context: &Context) -> Result<Self> {
        let pipeline = Pipeline::new(context.jobs, files.chunk_options());
        let found: Vec<_> = inputs.inputs.iter().flatten().cloned().map(Ok).collect();
        let work = Replaying { games: &Collector, options, strict: false, encoding: files.encoding() };
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

    /// Says which game has the same moves as this one, and which is a beginning of it.
    pub(super) fn findings(&self, game: &ReplayedGame, label: &str, number: u64) -> Vec<Diagnostic> {
        let prints = fingerprints(game);
        let Some((&whole, beginnings)) = prints.split_last() else { return Vec::new() };
        let start = game.tree().main_line().nodes.first().map_or_else(Span::default, |&id| game.tree().node(id).span);
        let mut found = Vec::new();
        let first = self.first(whole).filter(|first| !self.is(first, label, number));
        if let Some(first) = first {
            let message = format!("the same moves as {}", self.place(first));
            found.push(Diagnostic::new(Code::REPLAY_DUPLICATE, start, message).with_help("leave one of them out"));
        }
        let mut longest_first = beginnings.iter().enumerate().skip(SENSIBLE - 1).rev();
        let beginning = longest_first.find_map(|(n, &print)| Some((n + 1, self.first(print)?)));
        if let Some((moves, other)) = beginning {
            let message = format!("the first {moves} moves are all of {}", self.place(other));
            found.push(Diagnostic::new(Code::REPLAY_CONTINUATION, start, message));
        }
        found
    }

    /// The first game with these moves.
    fn first(&self, print: u128) -> Option<&Entry> {
        let print = words(print);
        let at = self.entries.partition_point(|entry| entry.print < print);
        self.entries.get(at).filter(|entry| entry.print == print)
    }

    fn is(&self, entry: &Entry, label: &str, number: u64) -> bool {
        let (source, game) = self.source(entry);
        u64::from(game) == number && source.label == label
    }

    /// The input of a game and its number in that.
    fn source(&self, entry: &Entry) -> (&Source, u32) {
        let place = self.sources.partition_point(|source| source.before < entry.game).saturating_sub(1);
        let source = &self.sources[place];
        (source, entry.game - source.before)
    }

    fn place(&self, entry: &Entry) -> String {
        let (source, game) = self.source(entry);
        format!("game {game} of {}, line {}", source.label, entry.line)
    }
}

/// The upper half, in which all bits of the lower one have a part.
fn words(print: u128) -> [u32; 2] {
    [96, 64].map(|shift| (print >> shift) as u32)
}

struct Collector;

impl Games for Collector {
    type Done = Vec<Entry>;

    fn game(&self, game: Game, place: &mut Place<'_>, done: &mut Vec<Entry>) {
        if let Some(&print) = fingerprints(&game.replayed).last() {
            let line = place.locator.locate(game.start, 0).line;
            let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
            done.push(Entry { print: words(print), game: small(game.number), line: small(line) });
        }
    }
}
