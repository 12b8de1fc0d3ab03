//! Games with the same moves, over all inputs: copies, other games, and beginnings.

use std::collections::HashMap;

use super::dedupe::{MIN_BEGINNING, is_result_alone, prints, upper_half};
use super::identity::Identity;
use crate::check::CheckedGame;
use crate::diag::{Diagnostic, Span, messages};

/// Maximum number of games with the same moves that are searched for one between similar players; those between the same
/// players are always found.
const MAX_COMPARED: usize = 64;

/// A game, a hash of its moves and one of its players, in 56 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexedGame {
    /// Half of its fingerprint; among a million games, the probability of a collision is one in thirty million.
    hash: u64,
    identity: Identity,
    /// Number of the game in its input or, once it is in an index, over all inputs, from 1.
    game: u32,
    /// Its first line.
    line: u32,
}

impl IndexedGame {
    /// Returns the entry of a game, or `None` if it has no legal move and is no result of known players in a known round.
    pub fn new(game: &CheckedGame<'_>) -> Option<Self> {
        let identity = Identity::of(game);
        let &whole = prints(game, &identity).last()?;
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let (number, line) = (small(game.number()), small(game.location().line));
        Some(Self { hash: upper_half(whole), identity, game: number, line })
    }
}

/// An input.
#[derive(Clone, Debug)]
struct Source {
    label: String,
    /// Number of games in the inputs before it.
    before: u32,
}

/// The games of many inputs, found by their moves.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::{CheckOptions, CheckedGame, Checking, GameWork, Needs};
/// use pdn::query::{DuplicateIndex, IndexedGame};
/// use pdn::source::{ChunkOptions, Event, Pipeline, expand};
///
/// struct Collecting;
///
/// impl GameWork for Collecting {
///     type Done = Vec<IndexedGame>;
///
///     fn needs(&self) -> Needs {
///         Needs::Game
///     }
///
///     fn game(&self, game: CheckedGame<'_>, games: &mut Vec<IndexedGame>) {
///         games.extend(IndexedGame::new(&game));
///     }
/// }
///
/// let mut index = DuplicateIndex::default();
/// let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
/// let inputs = expand(["samples/diagnostics/replay-duplicate.pdn"]);
/// pipeline.run(inputs, &Checking::new(Collecting, CheckOptions::default()), |event| {
///     match event {
///         Event::Begin(input) => index.begin_input(input.label()),
///         Event::Done(games) => index.add(games),
///         Event::Error(error) => return Err(error),
///     }
///     Ok(())
/// })?;
/// index.sort();
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DuplicateIndex {
    sources: Vec<Source>,
    games: Vec<IndexedGame>,
    last: u32,
    /// Number of games before the first input with each name.
    first_games: HashMap<String, u32>,
}

impl DuplicateIndex {
    /// Begins an input; the games added next belong to it.
    pub fn begin_input(&mut self, label: &str) {
        self.first_games.entry(label.to_owned()).or_insert(self.last);
        self.sources.push(Source { label: label.to_owned(), before: self.last });
    }

    /// Adds games of the current input, in order.
    pub fn add(&mut self, games: impl IntoIterator<Item = IndexedGame>) {
        let before = self.sources.last().map_or(0, |source| source.before);
        for game in games {
            self.last = before.saturating_add(game.game);
            self.games.push(IndexedGame { game: self.last, ..game });
        }
    }

    /// Sorts the index after the last game has been added.
    pub fn sort(&mut self) {
        self.games.sort_unstable_by_key(|game| (game.hash, game.game));
    }

    /// Returns diagnostics that name an earlier copy of a game, or else an earlier game between other players with the same
    /// moves, and a game that is the beginning of this one. The index must be sorted.
    pub(crate) fn compare(&self, game: &CheckedGame<'_>) -> Vec<Diagnostic> {
        let replayed = game.review().game();
        let identity = Identity::of(game);
        let prints = prints(game, &identity);
        let Some((&whole, beginnings)) = prints.split_last() else { return Vec::new() };
        let tree = replayed.tree();
        let start = tree.main_line().nodes().first().map_or_else(Span::default, |&id| tree.node(id).span());
        let same = self.earlier(whole, game);
        let copy = same.iter().find(|other| identity.is_copy_of(&other.identity));
        let others = same.first().filter(|_| !is_result_alone(game));
        let found = copy.or(others).map(|other| {
            let (source, number) = self.source(other);
            let message = if copy.is_some() { messages::duplicate_game } else { messages::same_moves };
            message(start, number, source.label.as_str(), other.line)
        });
        let mut longest_first = beginnings.iter().enumerate().rev();
        let beginning = longest_first.find_map(|(n, &print)| {
            let games = self.with(print);
            let found = match n + 1 {
                MIN_BEGINNING.. => games.first(),
                _ => games.iter().take(MAX_COMPARED).find(|other| identity.is_cut_off_as(&other.identity)),
            };
            Some((n + 1, found?))
        });
        let continuation = beginning.map(|(moves, other)| {
            let (source, game) = self.source(other);
            messages::continuation(start, moves, game, &*source.label, other.line)
        });
        found.into_iter().chain(continuation).collect()
    }

    /// Returns the games with these moves.
    fn with(&self, print: u128) -> &[IndexedGame] {
        let hash = upper_half(print);
        let games = &self.games[self.games.partition_point(|game| game.hash < hash)..];
        &games[..games.partition_point(|game| game.hash == hash)]
    }

    /// Returns the first and the last games with these moves before a game.
    fn earlier(&self, print: u128, game: &CheckedGame<'_>) -> Vec<&IndexedGame> {
        let all = self.with(print);
        // Inputs with one name are one file, given twice.
        let before = self.first_games.get(game.input().label()).copied().unwrap_or_default();
        let own = u64::from(before) + game.number();
        let end = all.partition_point(|other| u64::from(other.game) < own);
        let (first, rest) = all[..end].split_at(end.min(MAX_COMPARED));
        first.iter().chain(&rest[rest.len().saturating_sub(MAX_COMPARED)..]).collect()
    }

    /// Returns the input of a game and its number in it.
    fn source(&self, game: &IndexedGame) -> (&Source, u32) {
        let index = self.sources.partition_point(|source| source.before < game.game).saturating_sub(1);
        let source = &self.sources[index];
        (source, game.game - source.before)
    }
}
