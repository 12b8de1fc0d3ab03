//! Games with the same moves, over all inputs.

use super::fingerprints;
use crate::diag::{Diagnostic, Span, messages};
use crate::replay::ReplayedGame;

/// Number of moves of a game from which on it is reported as the beginning of another: ten by each side, more than most
/// openings.
const MIN_BEGINNING: usize = 20;

/// A game and a hash of its moves, in 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexedGame {
    /// Half of its fingerprint: among a million games, the probability of a collision is one in thirty million.
    hash: [u32; 2],
    /// Number of the game in its input and, once it is in an index, in all inputs, from 1.
    game: u32,
    /// Its first line.
    line: u32,
}

impl IndexedGame {
    /// Returns the entry of a game, or `None` if it has no legal move. `number` is the number of the game in its input and
    /// `line` its first line, both from 1.
    pub fn new(game: &ReplayedGame, number: u64, line: u64) -> Option<Self> {
        let &whole = fingerprints(game).last()?;
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        Some(Self { hash: upper_half(whole), game: small(number), line: small(line) })
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
/// use pdn::check::{CheckOptions, DuplicateIndex, IndexedGame, reviews};
///
/// let text = b"[Event \"a\"]\n1. 32-28 19-23 *\n\n[Event \"b\"]\n1. 32-28 19-23 *\n";
/// let reviews: Vec<_> = reviews(text, CheckOptions::default()).collect();
/// let mut index = DuplicateIndex::default();
/// index.begin_input("a.pdn");
/// index.add(reviews.iter().filter_map(|review| IndexedGame::new(review.game(), review.number(), 1)));
/// index.sort();
/// assert!(index.compare(reviews[0].game(), "a.pdn", 1).is_empty());
/// assert_eq!(index.compare(reviews[1].game(), "a.pdn", 2)[0].code().name(), "replay/duplicate");
/// ```
#[derive(Clone, Debug, Default)]
pub struct DuplicateIndex {
    sources: Vec<Source>,
    games: Vec<IndexedGame>,
    last: u32,
}

impl DuplicateIndex {
    /// Begins an input; the games added next belong to it.
    pub fn begin_input(&mut self, label: &str) {
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

    /// Sorts the index after the last game was added.
    pub fn sort(&mut self) {
        self.games.sort_unstable();
    }

    /// Returns diagnostics that name an earlier game with the same moves, and a game that is a beginning of this one.
    /// `number` is the number of the game in the input `label`, from 1. The index must be sorted.
    pub fn compare(&self, game: &ReplayedGame, label: &str, number: u64) -> Vec<Diagnostic> {
        let prints = fingerprints(game);
        let Some((&whole, beginnings)) = prints.split_last() else { return Vec::new() };
        let start =
            game.tree().main_line().nodes().first().map_or_else(Span::default, |&id| game.tree().node(id).span());
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

    /// Returns the first game with these moves.
    fn first(&self, print: u128) -> Option<&IndexedGame> {
        let hash = upper_half(print);
        let at = self.games.partition_point(|game| game.hash < hash);
        self.games.get(at).filter(|game| game.hash == hash)
    }

    fn is(&self, game: &IndexedGame, label: &str, number: u64) -> bool {
        let (source, game) = self.source(game);
        u64::from(game) == number && source.label == label
    }

    /// Returns the input of a game and its number in it.
    fn source(&self, game: &IndexedGame) -> (&Source, u32) {
        let index = self.sources.partition_point(|source| source.before < game.game).saturating_sub(1);
        let source = &self.sources[index];
        (source, game.game - source.before)
    }
}

/// Returns the upper half of a fingerprint, to which all bits of the lower one contribute.
fn upper_half(print: u128) -> [u32; 2] {
    [96, 64].map(|shift| (print >> shift) as u32)
}
