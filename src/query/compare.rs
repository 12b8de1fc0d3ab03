//! Comparison of two transcriptions of the same games.

use std::collections::HashMap;

use super::expression::folded;
use crate::check::CheckedGame;
use crate::notation::{Outcome, roster_text};
use crate::pdn::{MoveText, NodeId};
use crate::records::{DifferenceRow, PlaceRow, TagDifference};
use crate::rules::{Move, Position};

// Ten moves by each side, more than most openings.
/// Minimum number of equal first moves for games with different names to be paired.
const MIN_EQUAL: usize = 20;

/// A game in one of two transcriptions.
#[derive(Clone, Debug)]
pub(crate) struct TranscribedGame {
    file: String,
    number: u64,
    tags: Vec<(String, String)>,
    /// Folded names of the players.
    players: [String; 2],
    winner: Option<Outcome>,
    /// The main line as far as it could be played.
    start: Option<Position>,
    moves: Vec<Move>,
    /// The written moves of the main line from the first that could not be played.
    rest: Vec<MoveText>,
}

impl TranscribedGame {
    /// Returns a game with all that is compared.
    pub(crate) fn of(game: &CheckedGame<'_>) -> Self {
        let replayed = game.review().game();
        let (tree, nodes) = (replayed.tree(), replayed.tree().main_line().nodes());
        let is_unplayable = |&id: &NodeId| tree.node(id).move_text().is_some() && replayed.played(id).is_none();
        let (line, rest) = nodes.split_at(nodes.iter().position(is_unplayable).unwrap_or(nodes.len()));
        let player = |name| folded(game.known_tag(name).unwrap_or_default()).into_owned();
        Self {
            file: game.input().label().to_owned(),
            number: game.number(),
            tags: game.tags().map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect(),
            players: [player("White"), player("Black")],
            winner: game.winner(),
            start: replayed.start().copied(),
            moves: line.iter().filter_map(|&id| replayed.played(id)).collect(),
            rest: rest.iter().filter_map(|&id| tree.node(id).move_text().cloned()).collect(),
        }
    }

    fn tag(&self, name: &str) -> Option<&str> {
        roster_text(self.tags.iter(), name, |tag| (&tag.0, &tag.1)).map(|tag| tag.1.as_str())
    }

    fn place(&self) -> PlaceRow {
        let name = |tag| self.tag(tag).unwrap_or("?");
        let players = format!("{} – {}", name("White"), name("Black"));
        PlaceRow { file: self.file.clone(), game: self.number, players }
    }

    /// Returns the number of first moves that two games share; `None` if their starts differ.
    fn shared(&self, other: &Self) -> Option<usize> {
        let pairs = self.moves.iter().zip(&other.moves);
        (self.start? == other.start?).then(|| pairs.take_while(|(a, b)| a == b).count())
    }

    /// Returns the number of first moves that two games share, with those that could not be played after the same moves.
    fn shared_as_written(&self, other: &Self) -> usize {
        // From other starts, no move is the same.
        let same = self.shared(other).unwrap_or(0);
        if [self, other].iter().any(|game| game.moves.len() > same) {
            return same;
        }
        let meaning = |step: &MoveText| (step.captures(), step.squares().to_vec());
        let pairs = self.rest.iter().zip(&other.rest);
        same + pairs.take_while(|(a, b)| meaning(a) == meaning(b)).count()
    }

    /// Returns the text of a move, counted from 0, in the position before it: as written if it could not be played.
    fn text(&self, n: usize, at: Option<Position>) -> Option<String> {
        let written = |n: usize| self.rest.get(n).map(ToString::to_string);
        self.moves.get(n).map_or_else(|| written(n - self.moves.len()), |step| Some(at?.short(step)))
    }
}

/// Returns the differences between two transcriptions, in the order of the first one, then the games found only in the second
/// one.
///
/// Games are paired if they have the same players and as many first moves in common as possible, or else at least twenty first
/// moves in common.
pub(crate) fn differences(first: &[TranscribedGame], second: &[TranscribedGame]) -> Vec<DifferenceRow> {
    let partners = partners(first, second);
    let mut taken = vec![false; second.len()];
    let mut rows = Vec::new();
    for (game, partner) in first.iter().zip(&partners) {
        match partner {
            Some(other) => {
                taken[*other] = true;
                rows.extend(difference(game, &second[*other]));
            }
            None => rows.push(lone(Some(game.place()), None)),
        }
    }
    let others = second.iter().zip(&taken).filter(|(_, taken)| !**taken);
    rows.extend(others.map(|(game, _)| lone(None, Some(game.place()))));
    rows
}

/// Returns the number of games found in both transcriptions.
pub(crate) fn common_games(first: &[TranscribedGame], second: &[TranscribedGame]) -> usize {
    partners(first, second).iter().flatten().count()
}

const fn lone(a: Option<PlaceRow>, b: Option<PlaceRow>) -> DifferenceRow {
    DifferenceRow { a, b, ply: None, a_move: None, b_move: None, fen: None, tags: Vec::new() }
}

/// Returns the game of the second transcription for each of the first one.
fn partners(first: &[TranscribedGame], second: &[TranscribedGame]) -> Vec<Option<usize>> {
    let mut free = vec![true; second.len()];
    let named = second.iter().enumerate().filter(|(_, game)| game.players.iter().any(|name| !name.is_empty()));
    let by_players = grouped(named.map(|(n, game)| (&game.players, n)));
    let mut partners: Vec<_> = first
        .iter()
        .map(|game| {
            let best = best(game, second, by_players.get(&game.players).into_iter().flatten(), &free);
            best.inspect(|&(n, _)| free[n] = false).map(|(n, _)| n)
        })
        .collect();
    let opening = |game: &TranscribedGame| game.moves.get(..MIN_EQUAL).map(<[Move]>::to_vec);
    let by_moves = grouped(second.iter().enumerate().filter_map(|(n, game)| Some((opening(game)?, n))));
    for (game, partner) in first.iter().zip(&mut partners).filter(|(_, partner)| partner.is_none()) {
        let candidates = opening(game).and_then(|moves| by_moves.get(&moves));
        let best = best(game, second, candidates.into_iter().flatten(), &free);
        *partner = best.inspect(|&(n, _)| free[n] = false).map(|(n, _)| n);
    }
    partners
}

fn grouped<K: std::hash::Hash + Eq>(pairs: impl Iterator<Item = (K, usize)>) -> HashMap<K, Vec<usize>> {
    let mut groups: HashMap<K, Vec<usize>> = HashMap::new();
    for (key, n) in pairs {
        groups.entry(key).or_default().push(n);
    }
    groups
}

// Thousands of games may share players or first moves, and comparing all of them takes quadratic time.
/// Largest number of candidates that a game is compared with.
const MAX_CANDIDATES: usize = 200;

/// Returns the free candidate that shares most first moves with a game, and their number.
fn best<'a>(
    game: &TranscribedGame,
    second: &[TranscribedGame],
    candidates: impl Iterator<Item = &'a usize>,
    free: &[bool],
) -> Option<(usize, usize)> {
    let free = candidates.copied().filter(|&n| free[n]).take(MAX_CANDIDATES);
    let shared = free.map(|n| (n, game.shared(&second[n]).unwrap_or(0)));
    // Of equal candidates the first one, so that games are paired in their order.
    shared.max_by_key(|&(n, shared)| (shared, std::cmp::Reverse(n)))
}

fn difference(one: &TranscribedGame, other: &TranscribedGame) -> Option<DifferenceRow> {
    let tags = tag_differences(one, other);
    let same = one.shared_as_written(other);
    // After a move that could not be played, there is no position.
    let before = one.moves.get(..same);
    let position = |start| Some(before?.iter().fold(start, |at: Position, step| at.play_unchecked(step)));
    let [at, other_at] = [one, other].map(|game| game.start.and_then(position));
    let (one_move, other_move) = (one.text(same, at), other.text(same, other_at));
    let differs = one_move.is_some() || other_move.is_some();
    if !differs && one.winner == other.winner && tags.is_empty() {
        return None;
    }
    Some(DifferenceRow {
        a: Some(one.place()),
        b: Some(other.place()),
        ply: differs.then_some(same + 1),
        a_move: one_move,
        b_move: other_move,
        fen: at.or(other_at).filter(|_| differs).map(|position| position.fen()),
        tags,
    })
}

fn tag_differences(one: &TranscribedGame, other: &TranscribedGame) -> Vec<TagDifference> {
    let value = |game: &TranscribedGame, name: &str| {
        game.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).filter(|value| value != "?")
    };
    let more = other.tags.iter().filter(|(name, _)| one.tags.iter().all(|(known, _)| known != name));
    let names = one.tags.iter().chain(more).map(|(name, _)| name);
    let difference = |name: &String| TagDifference { name: name.clone(), a: value(one, name), b: value(other, name) };
    names.map(difference).filter(|tag| tag.a != tag.b).collect()
}
