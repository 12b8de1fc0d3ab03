//! Games with the same moves, over all inputs.

use crate::diag::{Diagnostic, Span, messages};
use crate::pdn::NodeKind;
use crate::replay::ReplayedGame;
use crate::rules::{Move, Position};

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

/// Returns a hash of the main line up to each of its moves; the last one is that of the whole game.
///
/// Equal hashes mean the same starting position and the same moves, whatever the tags, comments and spelling. With 128
/// bits, the probability of a collision among 10¹² games is below 10⁻¹⁵.
///
/// # Examples
///
/// ```
/// use pdn::check::fingerprints;
/// use pdn::pdn::games;
/// use pdn::replay::{ReplayOptions, replay};
///
/// let of = |text: &str| {
///     let game = games(text.as_bytes()).next().unwrap();
///     fingerprints(&replay(game.into_tree(), &ReplayOptions::default()))
/// };
/// let (short, long) = (of("[GameType \"20\"] 1. 3228 18-23"), of("[GameType \"20\"] 1. 32-28 {!} 18-23 2. 38-32"));
/// assert_eq!((short.len(), long.len()), (2, 3));
/// assert_eq!(short, long[..2]);
/// ```
pub fn fingerprints(game: &ReplayedGame) -> Vec<u128> {
    let tree = game.tree();
    let mut state = game.start().map_or(0, start_fingerprint);
    let mut all = Vec::with_capacity(tree.main_line().nodes().len());
    for &id in tree.main_line().nodes() {
        match (tree.node(id).kind(), game.played(id)) {
            (NodeKind::Ellipsis, _) => continue,
            (NodeKind::Setup { fen }, _) => {
                state = text(state, fen);
                continue;
            }
            (NodeKind::Null, _) => state = mix(state, 1),
            (NodeKind::Move(_), Some(played)) => state = next_fingerprint(state, &played),
            (NodeKind::Move(written), None) => state = text(state, written.text()),
        }
        all.push(state);
    }
    all
}

/// Returns the fingerprint of a game that has no move yet.
pub(crate) fn start_fingerprint(start: &Position) -> u128 {
    mix(mix(0, u128::from(start.key())), u128::from(start.variant().shape().square_count()))
}

/// Returns the fingerprint after a move.
pub(crate) fn next_fingerprint(before: u128, played: &Move) -> u128 {
    let squares = u128::from(played.from().bit()) << 8 | u128::from(played.to().bit());
    mix(mix(before, squares | 2 << 64), played.captured().word())
}

fn text(state: u128, text: &str) -> u128 {
    text.bytes().fold(mix(state, 3), |state, byte| mix(state, u128::from(byte)))
}

/// Two rounds of multiplying and folding; the multiplier is the one of 128-bit linear congruential generators (Steele and
/// Vigna, 2020).
fn mix(state: u128, value: u128) -> u128 {
    const FACTOR: u128 = 0xDB36_3577_34E3_4ABB_0050_D076_1FCD_FC15;
    let round = |state: u128| {
        let product = state.wrapping_mul(FACTOR).rotate_left(64);
        product ^ product >> 61
    };
    round(round(state ^ value).wrapping_add(FACTOR))
}
