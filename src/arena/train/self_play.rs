//! Games of the engine against itself.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::arena::match_game::{EarlyEnd, GameLine};
use crate::arena::openings::EvenOpenings;
use crate::board::Side;
use crate::egdb::EndgameTables;
use crate::engine::{Engine, EngineOptions, Knowledge, Limit, Score, TableError};
use crate::error::Error;
use crate::journal::Journal;
#[cfg(feature = "cli")]
use crate::options::ADVANCED;
use crate::pdn::Evaluation;
use crate::pool::work_in_order;
use crate::rules::{Move, Position, Variant, line_indices, line_moves};

/// Size of the transposition table, in megabytes: small, because it is cleared for each game.
const HASH_MB: usize = 2;
/// Length in plies at which a game is a draw.
const MAX_PLIES: usize = 400;

/// How games are played.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct SelfPlayOptions {
    /// Total number of games
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))
    )]
    pub games: u64,
    /// Nodes for each move
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))
    )]
    pub nodes: u64,
    /// Random plies at the start of each game
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=40))
    )]
    pub random_plies: u16,
    /// Seed for the random plies
    #[cfg_attr(feature = "cli", arg(long, value_name = "S", default_value_t = 1, help_heading = ADVANCED))]
    pub seed: u64,
    /// Start games only from openings that a search scores within CM centi-men of even
    // If none is found after many attempts, any fair one is used. Games from uneven openings show how much a man counts without
    // compensation.
    #[cfg_attr(feature = "cli", arg(long, value_name = "CM", default_value_t = 80, help_heading = ADVANCED))]
    pub even: u32,
}

impl Default for SelfPlayOptions {
    fn default() -> Self {
        Self { games: 10_000, nodes: 1000, random_plies: 8, seed: 1, even: 80 }
    }
}

/// The settings of games. With the same settings, games are the same on every machine and with any number of threads.
///
/// Each game starts with random plies that lead to a nearly even score (see [`SelfPlayOptions::even`]), and ends when the
/// built-in endgame tables know the result.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::ops::ControlFlow;
///
/// use pdn::arena::{SelfPlay, SelfPlayOptions};
/// use pdn::rules::Variant;
///
/// let mut games = 0;
/// let options = SelfPlayOptions { nodes: 50, ..SelfPlayOptions::default() };
/// SelfPlay::new(Variant::BRAZILIAN, options).play(0..2, NonZeroUsize::MIN, |_| {
///     games += 1;
///     Ok(ControlFlow::Continue(()))
/// })?;
/// assert_eq!(games, 2);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SelfPlay {
    variant: Variant,
    end: EarlyEnd,
    engine: EngineOptions,
    options: SelfPlayOptions,
}

impl SelfPlay {
    /// Returns the settings, with the built-in evaluation.
    pub fn new(variant: Variant, options: SelfPlayOptions) -> Self {
        let engine = EngineOptions::default().with_hash_mb(HASH_MB);
        let end = EarlyEnd {
            max_plies: MAX_PLIES,
            tables: Some(EndgameTables::embedded(variant)),
            agreed: None,
            margin: Duration::ZERO,
        };
        Self { variant, end, engine, options }
    }

    /// Sets the evaluation of the engine that plays both sides.
    #[must_use]
    pub(crate) fn with_knowledge(self, knowledge: Knowledge) -> Self {
        Self { engine: self.engine.with_knowledge(knowledge), ..self }
    }

    /// Plays games from one number up to another and passes them on in their order, until that breaks.
    ///
    /// # Errors
    ///
    /// If the table of an engine does not fit into memory, or if `consume` fails.
    pub fn play(
        &self,
        games: Range<u64>,
        jobs: NonZeroUsize,
        consume: impl FnMut(SelfPlayGame) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        let engines = (0..jobs.get()).map(|_| Engine::try_with_options(self.variant, self.engine.clone()));
        let engines = engines.collect::<Result<Vec<_>, TableError>>()?;
        work_in_order(games, engines, |engine, number| Ok(self.game(number, engine)), consume)
    }

    fn game(&self, number: u64, engine: &mut Engine) -> SelfPlayGame {
        let SelfPlayOptions { nodes, random_plies, seed, even, .. } = self.options;
        let (variant, plies) = (self.variant, usize::from(random_plies));
        let openings = EvenOpenings { variant, plies, seed, nodes, centi_men: even };
        let opening = openings.opening(number, engine);
        let (mut game, mut scores) = (GameLine::after(&opening), Vec::new());
        // The searches for the opening have filled the table, and their number differs from game to game.
        engine.new_game();
        let points = loop {
            match self.end.of(&game) {
                Some((Some(Side::White), _)) => break 2,
                Some((Some(Side::Black), _)) => break 0,
                Some((None, _)) => break 1,
                None => {}
            }
            let analysis = engine.analyse_game(game.position(), game.history(), Limit::nodes(nodes));
            let Some(best) = analysis.best_move() else { break 1 };
            // No score is beyond ±30,000.
            scores.push(analysis.score().value() as i16);
            game.play(&best);
        };
        let moves = line_indices(game.start(), game.moves());
        SelfPlayGame { game: number, random: opening.moves().len() as u16, moves, scores, points }
    }

    fn settings(&self) -> String {
        format!(
            "{}, {} nodes, {} random plies within {} centi-men of even, seed {}, {}",
            self.variant,
            self.options.nodes,
            self.options.random_plies,
            self.options.even,
            self.options.seed,
            self.engine.knowledge
        )
    }
}

/// The kind of journal.
pub(super) const KIND: &str = "self-play run";

/// A game of the engine against itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfPlayGame {
    /// Index of the game in its run, from 0.
    pub(super) game: u64,
    /// Number of random plies at the start.
    pub(super) random: u16,
    /// The index of each move among the legal ones.
    pub(super) moves: Vec<u16>,
    /// The score of each searched position in centi-men, for the side to move; beyond ±29,000 for a proven win or loss.
    pub(super) scores: Vec<i16>,
    /// Points of White: 0, 1 (a draw) or 2.
    pub(super) points: u8,
}

impl SelfPlayGame {
    /// Returns the moves; `None` if one is not legal.
    fn line(&self, variant: Variant) -> Option<Vec<Move>> {
        let is_whole = usize::from(self.random) + self.scores.len() == self.moves.len();
        line_moves(Position::start(variant), &self.moves).filter(|_| is_whole && self.points <= 2)
    }

    /// Passes each searched position with its score for White; none if a move is not legal.
    pub(super) fn each_position(&self, variant: Variant, mut pass: impl FnMut(&Position, i32)) {
        let mut position = Position::start(variant);
        for (ply, step) in self.line(variant).unwrap_or_default().iter().enumerate() {
            if let Some(&score) = ply.checked_sub(self.random.into()).and_then(|searched| self.scores.get(searched)) {
                let sign = if position.turn() == Side::White { 1 } else { -1 };
                pass(&position, sign * i32::from(score));
            }
            position = position.play_unchecked(step);
        }
    }
}

/// Passes each searched position of a file of games to `pass`, with its evaluation and the half points of White. Returns the
/// number of games.
///
/// # Errors
///
/// If the file cannot be read, holds other data, or has games of another variant.
pub(crate) fn self_play_evaluations(
    path: &Path,
    variant: Variant,
    mut pass: impl FnMut(&Position, Evaluation, u8),
) -> Result<u64, Error> {
    let games = read(path, variant)?;
    for game in &games {
        game.each_position(variant, |position, score| {
            if score.abs() < Score::MAX_ESTIMATE {
                pass(position, Evaluation::CentiMen(score), game.points);
            }
        });
    }
    Ok(games.len() as u64)
}

/// Reads the games of a run of a variant.
///
/// # Errors
///
/// If the file cannot be read, holds other data, or has games of another variant.
pub(super) fn read(path: &Path, variant: Variant) -> Result<Vec<SelfPlayGame>, Error> {
    let mut games = Vec::new();
    let settings = Journal::read_all(path, KIND, |game| {
        games.push(game);
        true
    })?;
    if settings.split(", ").next() != Some(variant.name()) {
        return Err(Error::unavailable(format!("{}: not games of {variant}: {settings}", path.display())));
    }
    Ok(games)
}

/// A file of games that a run appends to.
#[derive(Debug)]
pub(crate) struct SelfPlayFile {
    journal: Journal,
    /// Number of games in the file.
    pub(crate) games: u64,
}

impl SelfPlayFile {
    /// Opens or creates the file of a run. A game that was cut off by an interruption is dropped.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or belongs to another run.
    pub(crate) fn open(path: &Path, settings: &SelfPlay) -> Result<Self, Error> {
        let mut games = 0;
        let journal = Journal::open(path, KIND, &settings.settings(), |game: SelfPlayGame| {
            games += 1;
            game.game + 1 == games
        })?;
        Ok(Self { journal, games })
    }

    /// Adds the next game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn add(&mut self, game: &SelfPlayGame) -> Result<(), Error> {
        self.journal.add(game)?;
        self.games += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(jobs: usize) -> Vec<SelfPlayGame> {
        played(
            &SelfPlay::new(Variant::INTERNATIONAL, SelfPlayOptions { nodes: 60, ..SelfPlayOptions::default() }),
            4,
            jobs,
        )
    }

    fn played(settings: &SelfPlay, count: u64, jobs: usize) -> Vec<SelfPlayGame> {
        let mut games = Vec::new();
        let jobs = NonZeroUsize::new(jobs).expect("a job");
        settings
            .play(0..count, jobs, |game| {
                games.push(game);
                Ok(ControlFlow::Continue(()))
            })
            .expect("games");
        games
    }

    #[test]
    fn games_do_not_depend_on_the_number_of_threads() {
        let once = games(1);
        assert_eq!(once, games(3));
        assert_eq!(once.iter().map(|game| game.game).collect::<Vec<_>>(), [0, 1, 2, 3]);
        for game in &once {
            let line = game.line(Variant::INTERNATIONAL).expect("legal moves");
            assert!(line.len() > 20 && game.random == 8, "{game:?}");
        }
    }

    #[test]
    fn uneven_openings_are_played_on_request() {
        let largest_score = |even| {
            let settings = SelfPlay::new(
                Variant::INTERNATIONAL,
                SelfPlayOptions { nodes: 60, even, ..SelfPlayOptions::default() },
            );
            played(&settings, 10, 2).iter().map(|game| game.scores[0].abs()).max().expect("games")
        };
        assert!((0..=20).contains(&largest_score(20)));
        assert!((81..=300).contains(&largest_score(300)));
    }
}
