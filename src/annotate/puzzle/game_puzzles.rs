//! The puzzles in games.

use std::collections::HashSet;

use serde::Deserialize;

use super::shot_puzzle::{shot, threat};
use super::{Puzzle, PuzzleFinder, Uniqueness};
use crate::annotate::engines::EnginePool;
use crate::annotate::problem::Aim;
use crate::annotate::prover::Prover;
use crate::board::Side;
use crate::check::{CheckedGame, ChunkOrigin, GameWork, Review, Summary};
use crate::egdb::Databases;
use crate::engine::{EngineOptions, Limit};
use crate::error::{Error, Result};
use crate::notation::rating;
#[cfg(feature = "cli")]
use crate::options::ADVANCED;
use crate::options::number;
use crate::pdn::Outside;
use crate::records::{Judgement, nags};
use crate::replay::ReplayedGame;
use crate::rules::{Move, Position};
use crate::shots::Definition;

/// The tags of the game that its puzzles keep.
const TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// Nodes for each search, unless others are given.
const NODES: u64 = 200_000;
/// Maximum number of positions in the proof of one move, unless another one is given.
const PROOF_NODES: u32 = 50_000;

/// How puzzles are found.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct FindingOptions {
    /// Nodes for each search
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = NODES, value_parser = clap::value_parser!(u64).range(1..))
    )]
    #[serde(deserialize_with = "number::<1, { u64::MAX }, _, _>")]
    nodes: u64,
    /// Maximum number of positions in the proof of one move
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = PROOF_NODES, value_parser = clap::value_parser!(u32).range(1..=100_000_000), help_heading = ADVANCED)
    )]
    #[serde(deserialize_with = "number::<1, 100_000_000, _, _>")]
    proof_nodes: u32,
    /// Write only puzzles in which all other moves are proven to fail
    #[cfg_attr(feature = "cli", arg(long))]
    proven: bool,
    /// Write only positions that occurred in a game, not those after a move that was not played
    #[cfg_attr(feature = "cli", arg(long))]
    played: bool,
    /// Skip games unless both players are known to have at least this rating
    #[cfg_attr(feature = "cli", arg(long, value_name = "RATING"))]
    from_elo: Option<u32>,
}

impl Default for FindingOptions {
    fn default() -> Self {
        Self { nodes: NODES, proof_nodes: PROOF_NODES, proven: false, played: false, from_elo: None }
    }
}

/// The order in which puzzles are written. Those that save a game come last, except in the order of the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub(crate) enum PuzzleOrder {
    /// Easy ones first, and those with one theme together among equals
    #[default]
    Difficulty,
    /// Those with one theme together, and easy ones first among them
    Theme,
    /// As in the games
    Game,
}

/// Finds the puzzles of each game: in the positions around its marked moves, in those in which a shot is possible, and after
/// moves that were not played because a shot would follow.
#[derive(Debug)]
pub(crate) struct PuzzleSearch {
    engines: EnginePool,
    databases: Databases,
    options: FindingOptions,
    theme: Option<&'static Definition>,
}

impl PuzzleSearch {
    /// Returns a search with an engine and databases, for all puzzles or for those with a theme.
    pub(crate) fn new(
        engine: EngineOptions,
        databases: Databases,
        options: &FindingOptions,
        theme: Option<&'static Definition>,
    ) -> Self {
        Self { engines: EnginePool::built_in(engine), databases, options: options.clone(), theme }
    }

    fn keeps(&self, puzzle: &GamePuzzle) -> bool {
        (!self.options.proven || puzzle.puzzle.unique() == Uniqueness::Proven)
            && self.theme.is_none_or(|theme| puzzle.has_theme(theme))
    }

    fn is_wanted(&self, review: &Review) -> bool {
        let rated = |side| rating(side, |name| review.game().tag(name));
        self.options.from_elo.is_none_or(|least| Side::ALL.into_iter().all(|side| rated(side) >= Some(least)))
    }

    /// Adds the puzzles of a game.
    ///
    /// # Errors
    ///
    /// If the engine failed.
    pub(crate) fn add(&self, review: &Review, file: &str, found: &mut FoundPuzzles) -> Result<()> {
        let mut spots = spots(review);
        let Some(first) = spots.first().filter(|_| self.is_wanted(review)) else { return Ok(()) };
        // The positions of a puzzle that did not occur in a game did not occur either.
        let made_up = Instead::of(review.game());
        if made_up.is_some() && self.options.played {
            return Ok(());
        }
        found.games += 1;
        let variant = first.position.variant();
        found.marked += spots.iter().filter(|spot| spot.is_marked).count() as u64;
        let with_threats = !self.options.played;
        // Each puzzle takes several searches and proofs, so positions that promise none are left out first.
        let has_shot = |at: &Position| shot(at).is_some() || with_threats && threat(at).is_some();
        spots.retain(|spot| spot.is_near_mark || has_shot(&spot.position));
        if spots.is_empty() {
            return Ok(());
        }
        let prover = Prover::new(self.databases.tables(variant), self.options.proof_nodes as usize);
        self.engines.lend(variant, |engine| {
            let mut finder = PuzzleFinder { engine, prover: &prover, limit: Limit::nodes(self.options.nodes) };
            for spot in &spots {
                for (instead, puzzle) in spot.puzzles(&mut finder, with_threats)? {
                    let ply = spot.ply + u32::from(instead.is_some());
                    let instead = instead.or_else(|| made_up.clone());
                    // Who played the game, where and when, is not shown with a position that did not occur in it.
                    let value = |name| review.game().tag(name).filter(|_| instead.is_none());
                    let tag = |name: &'static str| (name, value(name).unwrap_or("?").to_owned());
                    let (file, game, tags) = (file.to_owned(), review.number(), TAGS.map(tag).into());
                    let puzzle = GamePuzzle { puzzle, file, game, ply, instead, tags };
                    if self.keeps(&puzzle) {
                        found.puzzles.push(puzzle);
                    } else {
                        found.others += 1;
                    }
                }
            }
            Ok(())
        })
    }
}

impl GameWork for PuzzleSearch {
    type Done = FoundPuzzles;

    fn game(&self, game: CheckedGame<'_>, done: &mut FoundPuzzles) {
        done.summary.count_game(game.review());
        if done.error.is_none() {
            done.error = self.add(game.review(), game.input().label(), done).err();
        }
    }

    fn outside(&self, outside: &Outside, _: &ChunkOrigin<'_>, done: &mut FoundPuzzles) {
        done.summary.count(outside.diagnostic());
    }
}

/// The puzzles of some games.
#[derive(Debug, Default)]
pub(crate) struct FoundPuzzles {
    /// The number of games that were searched.
    pub(crate) games: u64,
    /// The number of moves that are marked as mistakes or blunders.
    pub(crate) marked: u64,
    /// The number of puzzles that were left out, because they have another theme or are not proven.
    pub(crate) others: u64,
    /// The diagnostics about the games.
    pub(crate) summary: Summary,
    puzzles: Vec<GamePuzzle>,
    error: Option<Error>,
}

impl FoundPuzzles {
    /// Returns the puzzles, in the order of the games and their moves.
    ///
    /// # Errors
    ///
    /// If the engine failed.
    pub(crate) fn into_puzzles(self) -> Result<Vec<GamePuzzle>> {
        self.error.map_or(Ok(self.puzzles), Err)
    }
}

/// A puzzle and its game.
#[derive(Clone, Debug)]
pub(crate) struct GamePuzzle {
    pub(super) puzzle: Puzzle,
    pub(super) file: String,
    pub(super) game: u64,
    pub(super) ply: u32,
    /// Why the position did not occur in the game.
    pub(super) instead: Option<Instead>,
    pub(super) tags: Vec<(&'static str, String)>,
}

/// A move that was not played.
#[derive(Clone, Debug)]
pub(super) struct Instead {
    pub(super) step: String,
    /// The move that the game went on with, unless it ended.
    pub(super) played: Option<String>,
    /// The place in that game, if another puzzle gives it.
    pub(super) source: Option<String>,
}

impl Instead {
    /// Returns what the tags of a puzzle say, if its position did not occur in a game.
    fn of(puzzle: &ReplayedGame) -> Option<Self> {
        let mut moves = puzzle.tag("Instead")?.split_whitespace().map(str::to_owned);
        let step = moves.next().filter(|step| step.contains(char::is_alphanumeric))?;
        Some(Self { step, played: moves.next(), source: puzzle.tag("Source").map(str::to_owned) })
    }
}

impl GamePuzzle {
    /// Returns true if the position occurred in the game.
    pub(crate) const fn occurred(&self) -> bool {
        self.instead.is_none()
    }

    /// Returns the key by which puzzles are sorted; equal ones are shown in the order of the games.
    pub(crate) fn order(&self, order: PuzzleOrder) -> impl Ord + use<> {
        let (is_draw, difficulty) = (self.puzzle.goal == Aim::Draw, self.puzzle.difficulty);
        match order {
            PuzzleOrder::Difficulty => Some((is_draw, difficulty.level, self.theme(), difficulty)),
            PuzzleOrder::Theme => Some((is_draw, 0, self.theme(), difficulty)),
            PuzzleOrder::Game => None,
        }
    }

    /// Returns the key of the theme: named shots come first, then those with only a mechanism, then all others.
    fn theme(&self) -> (u8, Option<&'static str>) {
        let shot = &self.puzzle.shot;
        let mechanism = || shot.as_ref().and_then(|shot| shot.tags().first().map(|tag| tag.definition().id()));
        match self.named() {
            Some(name) => (0, Some(name.id())),
            None => (if shot.is_some() { 1 } else { 2 }, mechanism()),
        }
    }
}

/// Recognises repetitions among the puzzles of many games: those from the same position, with the same final position, or with
/// the solution of an earlier one from the same game, in which a threat may last for some moves. It remembers two positions of
/// each puzzle.
#[derive(Debug, Default)]
pub(crate) struct DistinctPuzzles {
    starts: HashSet<Position>,
    ends: HashSet<Position>,
    /// The solutions of the last game.
    solutions: (String, u64, Vec<Vec<Move>>),
}

impl DistinctPuzzles {
    /// Returns true if a puzzle repeats none before it. The puzzles of a game come together.
    pub(crate) fn is_new(&mut self, puzzle: &GamePuzzle) -> bool {
        let (file, game, solutions) = &mut self.solutions;
        if (&*file, *game) != (&puzzle.file, puzzle.game) {
            (*file, *game) = (puzzle.file.clone(), puzzle.game);
            solutions.clear();
        }
        let Puzzle { position, solution, .. } = &puzzle.puzzle;
        if solutions.iter().any(|known| known == solution) || self.starts.contains(position) {
            return false;
        }
        solutions.push(solution.clone());
        self.ends.insert(puzzle.puzzle.final_position()) && self.starts.insert(*position)
    }
}

/// A position of a game.
struct Spot {
    /// Number of the move that follows.
    ply: u32,
    position: Position,
    played: Option<Move>,
    /// The move that follows is marked as a mistake or a blunder.
    is_marked: bool,
    /// That move or the last one is.
    is_near_mark: bool,
}

impl Spot {
    /// Returns the puzzles of the position and, with threats, of the one after an oversight, which the second comes with.
    fn puzzles(&self, finder: &mut PuzzleFinder<'_, '_>, with_threats: bool) -> Result<Vec<(Option<Instead>, Puzzle)>> {
        let mut all = Vec::new();
        let proven = if self.is_near_mark { finder.find(&self.position)? } else { None };
        let own = if proven.is_some() { proven } else { finder.find_shot(&self.position)? };
        all.extend(own.map(|puzzle| (None, puzzle)));
        let oversight = if with_threats { finder.find_oversight(&self.position)? } else { None };
        if let Some(oversight) = oversight.filter(|step| self.played != Some(*step)) {
            let puzzle = finder.find_shot(&self.position.play_unchecked(&oversight))?;
            let short = |step: &Move| self.position.short(step);
            let instead = || Instead { step: short(&oversight), played: self.played.as_ref().map(short), source: None };
            all.extend(puzzle.map(|puzzle| (Some(instead()), puzzle)));
        }
        Ok(all)
    }
}

/// Returns the positions of the main line.
fn spots(review: &Review) -> Vec<Spot> {
    let game = review.game();
    let mut all: Vec<Spot> = Vec::new();
    for id in game.main_moves() {
        let Some(ply) = game.ply(id) else { continue };
        let (Some(before), Some(played), Some(after)) = (ply.before(), ply.played(), ply.after()) else { continue };
        let is_bad = |nag: &u16| matches!(Judgement::of_nag(*nag), Some(Judgement::Mistake | Judgement::Blunder));
        let is_marked = nags(game.tree().node(id)).iter().any(is_bad);
        // The position after the last move is there already, unless one was set up.
        let last = all.pop_if(|last| last.position == *before);
        let is_near_mark = is_marked || last.is_some_and(|last| last.is_near_mark);
        all.push(Spot { ply: ply.number(), position: *before, played: Some(*played), is_marked, is_near_mark });
        all.push(Spot {
            ply: ply.number() + 1,
            position: *after,
            played: None,
            is_marked: false,
            is_near_mark: is_marked,
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::puzzle::{MAX_REST, is_clear_win};
    use crate::check::{CheckOptions, reviews};
    use crate::shots::{Bounds, balance, find, secured};

    #[test]
    fn each_position_is_looked_at_once() {
        let text = b"[GameType \"20\"]\n1. 32-28 19-23 $4 2. 28x19 14x23 /FEN \"W:W31:B1\"/ 3. 31-27 *";
        let review = reviews(text, CheckOptions::default()).next().expect("a game");
        let spots = spots(&review);
        let marks: Vec<_> = spots.iter().map(|spot| (spot.ply, spot.is_marked, spot.is_near_mark)).collect();
        assert_eq!(marks[..3], [(1, false, false), (2, true, true), (3, false, true)]);
        assert_eq!(
            (marks.len(), marks[4].0, spots[5].played),
            (7, 5, review.game().played(review.game().main_moves().nth(4).expect("a move")))
        );
    }

    /// Returns the puzzles of records.
    fn puzzles(text: &[u8]) -> Vec<GamePuzzle> {
        let options =
            FindingOptions { nodes: 5_000, proof_nodes: 20_000, proven: false, played: false, from_elo: None };
        let search = PuzzleSearch::new(EngineOptions::default(), Databases::default(), &options, None);
        let mut found = FoundPuzzles::default();
        for review in reviews(text, CheckOptions::default()) {
            search.add(&review, "a.pdn", &mut found).expect("an engine");
        }
        found.into_puzzles().expect("puzzles")
    }

    #[test]
    fn shots_end_when_all_that_they_win_is_won() {
        let all = puzzles(include_bytes!("../../../samples/games/international.pdn"));
        assert!(all.len() > 5, "{} puzzles", all.len());
        for puzzle in all {
            let (start, solution) = (&puzzle.puzzle.position, &puzzle.puzzle.solution);
            let wanted = balance(start, start.turn()) + find(start, &Bounds::default()).expect("a shot").gain();
            let mut position = *start;
            for (n, step) in solution.iter().enumerate() {
                position = position.play_unchecked(step);
                let is_won = !position.can_capture() && secured(&position, start.turn()) >= wanted;
                assert_eq!(is_won, n + 1 == solution.len(), "{} {:?}", start.fen(), start.short_line(solution));
            }
        }
    }

    #[test]
    fn proven_wins_end_when_they_are_clear() {
        let solution = |fen: &str| {
            let text = format!("[GameType \"20\"]\n[FEN \"{fen}\"]\n1. 12-8 $4 *");
            let first = puzzles(text.as_bytes()).into_iter().find(|puzzle| puzzle.ply == 1).expect("a puzzle");
            let end =
                first.puzzle.rest.iter().fold(first.puzzle.final_position(), |end, step| end.play_unchecked(step));
            assert!(is_clear_win(&first.puzzle.position, &end), "{}", end.fen());
            (first.puzzle.solution.len(), first.puzzle.rest.len())
        };
        // 12-7 is the only move that wins, and so is 7-1 after it. Then White has a choice.
        let (length, rest) = solution("W:W12,30:B19,24");
        assert!(length == 3 && (1..=MAX_REST).contains(&rest), "{length} {rest}");
    }
}
