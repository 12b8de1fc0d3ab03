//! Games of the engine against itself.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use super::games::{KIND, SelfPlayGame};
use crate::arena::game::{End, Game};
use crate::arena::match_play::consume_in_order;
use crate::arena::openings::{EvenOpenings, Opening};
use crate::board::Side;
use crate::egdb::EndgameTables;
use crate::engine::{Engine, EngineOptions, Knowledge, Limit, TableError};
use crate::error::Error;
use crate::journal::Journal;
use crate::rules::{Variant, line_indices};

/// Size of the transposition table, in megabytes: small, because it is cleared for each game.
const HASH_MB: usize = 2;
/// Length in plies at which a game is a draw.
const MAX_PLIES: usize = 400;

/// How games are played. With the same settings they are the same on every machine and with any number of threads.
///
/// Each game starts with random plies that lead to a nearly even score (see [`SelfPlay::with_even`]), and ends when the
/// endgame tables in the program have the result.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::ops::ControlFlow;
///
/// use pdn::arena::SelfPlay;
/// use pdn::rules::Variant;
///
/// let mut plies = 0;
/// SelfPlay::new(Variant::BRAZILIAN).with_nodes(50).play(0..2, NonZeroUsize::MIN, |game| {
///     plies += game.plies();
///     Ok(ControlFlow::Continue(()))
/// })?;
/// assert!(plies > 20);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SelfPlay {
    variant: Variant,
    end: End,
    engine: EngineOptions,
    nodes: u64,
    random_plies: u16,
    seed: u64,
    /// Greatest absolute score, in centi-men, of an opening.
    even: u32,
}

impl SelfPlay {
    /// Returns the usual settings: 1,000 nodes a move, openings of eight random plies that are scored within 80 centi-men
    /// of even, and the built-in evaluation.
    pub fn new(variant: Variant) -> Self {
        let engine = EngineOptions::default().with_hash_mb(HASH_MB);
        let end = End { max_plies: MAX_PLIES, tables: Some(EndgameTables::embedded(variant)), agreed: None };
        Self { variant, end, engine, nodes: 1000, random_plies: 8, seed: 1, even: 80 }
    }

    /// Sets the evaluation of the engine that plays both sides.
    #[must_use]
    pub fn with_knowledge(self, knowledge: Knowledge) -> Self {
        Self { engine: self.engine.with_knowledge(knowledge), ..self }
    }

    /// Sets the number of nodes for each move.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes, ..self }
    }

    /// Sets the number of random plies at the start of each game and their seed.
    #[must_use]
    pub fn with_random_plies(self, random_plies: u16, seed: u64) -> Self {
        Self { random_plies, seed, ..self }
    }

    /// Sets how far from even an opening may be: a search scores the position after the random plies within this many
    /// centi-men of 0. If no such opening is found after many attempts, any fair one is used. Games from uneven openings
    /// show how much a man counts without compensation.
    #[must_use]
    pub fn with_even(self, even: u32) -> Self {
        Self { even, ..self }
    }

    /// Plays games from one number up to another and passes them on in their order, until that breaks.
    ///
    /// # Errors
    ///
    /// If the table of an engine does not fit into memory, or an error of `consume`.
    pub fn play(
        &self,
        games: std::ops::Range<u64>,
        jobs: NonZeroUsize,
        mut consume: impl FnMut(SelfPlayGame) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        let (next, stop) = (AtomicU64::new(games.start), AtomicBool::new(false));
        let engine = || Engine::try_with_options(self.variant, self.engine.clone());
        let engines: Result<Vec<_>, TableError> = (0..jobs.get()).map(|_| engine()).collect();
        let engines = engines.map_err(|error| Error::unavailable(error.to_string()))?;
        thread::scope(|scope| {
            let (sender, played) = channel();
            for mut engine in engines {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let ends = number >= games.end || stop.load(Ordering::Relaxed);
                        if ends || sender.send((number as usize, Ok(self.game(number, &mut engine)))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let consumed = consume_in_order(games.start as usize, &played, &mut consume);
            stop.store(true, Ordering::Relaxed);
            consumed
        })
    }

    fn game(&self, number: u64, engine: &mut Engine) -> SelfPlayGame {
        let opening = self.opening(number, engine);
        let mut game = Game::new(&opening);
        let (mut line, mut scores) = (opening.moves().to_vec(), Vec::new());
        engine.new_game();
        let points = loop {
            if let Some(points) = points(&game, &self.end) {
                break points;
            }
            let analysis = engine.analyse_game(game.position(), game.history(), Limit::nodes(self.nodes));
            let Some(best) = analysis.best_move() else { break 1 };
            scores.push(analysis.score().value() as i16);
            game.play(&best);
            line.push(best);
        };
        let moves = line_indices(*opening.start(), &line);
        SelfPlayGame { game: number, random: opening.moves().len() as u16, moves, scores, points }
    }

    /// Returns an opening within the limit, or a fair one if none is found.
    fn opening(&self, number: u64, engine: &mut Engine) -> Opening {
        let (variant, plies) = (self.variant, usize::from(self.random_plies));
        EvenOpenings { variant, plies, seed: self.seed, nodes: self.nodes, centi_men: self.even }
            .opening(number, engine)
    }

    fn settings(&self) -> String {
        format!(
            "{}, {} nodes, {} random plies within {} centi-men of even, seed {}, {}",
            self.variant,
            self.nodes,
            self.random_plies,
            self.even,
            self.seed,
            self.engine.knowledge()
        )
    }
}

/// Returns the points of White if the game is over.
fn points(game: &Game, end: &End) -> Option<u8> {
    let (winner, _) = game.end(end)?;
    Some(match winner {
        Some(Side::White) => 2,
        Some(Side::Black) => 0,
        None => 1,
    })
}

/// A file of games to which a run adds.
#[derive(Debug)]
pub struct SelfPlayFile {
    journal: Journal,
    games: u64,
}

impl SelfPlayFile {
    /// Opens or creates the file of a run. A game that was cut off by an interruption is dropped.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or belongs to another run.
    pub fn open(path: &Path, settings: &SelfPlay) -> Result<Self, Error> {
        let mut games = 0;
        let journal = Journal::open(path, KIND, &settings.settings(), |game: SelfPlayGame| {
            games += 1;
            game.game + 1 == games
        })?;
        Ok(Self { journal, games })
    }

    /// Number of games in the file.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Adds the next game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&mut self, game: &SelfPlayGame) -> Result<(), Error> {
        self.journal.add(game)?;
        self.games += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(jobs: usize) -> Vec<SelfPlayGame> {
        played(&SelfPlay::new(Variant::INTERNATIONAL).with_nodes(60), 4, jobs)
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
            let settings = SelfPlay::new(Variant::INTERNATIONAL).with_nodes(60).with_even(even);
            played(&settings, 10, 2).iter().map(|game| game.scores[0].abs()).max().expect("games")
        };
        assert!((0..=20).contains(&largest_score(20)));
        assert!((81..=300).contains(&largest_score(300)));
    }
}
