//! How far a run is, and how long the rest takes.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::HumanDuration;

use crate::cli::words::count;

/// Counters that all threads share.
#[derive(Debug)]
pub(super) struct Counters {
    started: Instant,
    games: AtomicU64,
    saved: AtomicU64,
    /// Moves that the engine annotated.
    analysed: AtomicU64,
    /// Moves that it did not have to annotate: from a checkpoint, or not legal.
    skipped: AtomicU64,
    all_games: AtomicU64,
    all_moves: AtomicU64,
    /// True once all games are counted.
    counted: AtomicBool,
}

/// A snapshot of the counters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct State {
    pub(super) games: u64,
    pub(super) moves: u64,
    /// All games and moves, once they are counted.
    pub(super) all: Option<(u64, u64)>,
    /// Annotated moves a second.
    pub(super) speed: f64,
}

impl Counters {
    pub(super) fn new() -> Self {
        Self {
            started: Instant::now(),
            games: AtomicU64::new(0),
            saved: AtomicU64::new(0),
            analysed: AtomicU64::new(0),
            skipped: AtomicU64::new(0),
            all_games: AtomicU64::new(0),
            all_moves: AtomicU64::new(0),
            counted: AtomicBool::new(false),
        }
    }

    pub(super) fn add_analysed_move(&self) {
        self.analysed.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn add_skipped_moves(&self, moves: u64) {
        self.skipped.fetch_add(moves, Ordering::Relaxed);
    }

    /// Counts a game as written.
    pub(super) fn add_game(&self) {
        self.games.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of games written.
    pub(super) fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    /// Counts games in the checkpoint.
    pub(super) fn add_saved(&self, games: u64) {
        self.saved.fetch_add(games, Ordering::Relaxed);
    }

    /// Returns the number of games in the checkpoint.
    pub(super) fn saved(&self) -> u64 {
        self.saved.load(Ordering::Relaxed)
    }

    /// Adds a game to those that are to be annotated.
    pub(super) fn expect_game(&self, moves: u64) {
        self.all_games.fetch_add(1, Ordering::Relaxed);
        self.all_moves.fetch_add(moves, Ordering::Relaxed);
    }

    /// Sets that all games are known.
    pub(super) fn expect_no_more(&self) {
        self.counted.store(true, Ordering::Release);
    }

    pub(super) fn state(&self) -> State {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let counted = self.counted.load(Ordering::Acquire);
        let analysed = load(&self.analysed);
        State {
            games: load(&self.games),
            moves: analysed + load(&self.skipped),
            all: counted.then(|| (load(&self.all_games), load(&self.all_moves))),
            speed: analysed as f64 / self.started.elapsed().as_secs_f64().max(0.001),
        }
    }
}

impl State {
    /// Returns the share of the moves that is done, in thousandths.
    pub(super) fn thousandths(&self) -> u64 {
        self.all.map_or(0, |(_, moves)| (1000 * self.moves).checked_div(moves).unwrap_or(1000).min(1000))
    }

    /// Returns the time for the rest, once it can be estimated.
    fn time_left(&self) -> Option<Duration> {
        let (_, all) = self.all.filter(|_| self.speed > 0.0)?;
        Duration::try_from_secs_f64(all.saturating_sub(self.moves) as f64 / self.speed).ok()
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, moves, speed, .. } = *self;
        match self.all {
            Some((all_games, all_moves)) => write!(f, "{games}/{all_games} games, {moves}/{all_moves} moves")?,
            None => write!(f, "{}, {}", count(games, "game"), count(moves, "move"))?,
        }
        let decimals = usize::from(speed < 10.0);
        write!(f, ", {speed:.decimals$} moves/s")?;
        match self.time_left() {
            Some(left) => write!(f, ", {} left", HumanDuration(left)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_in_words() {
        let state = State { games: 1, moves: 150, all: None, speed: 0.0 };
        assert_eq!(state.to_string(), "1 game, 150 moves, 0.0 moves/s");
        let state = State { all: Some((10, 750)), speed: 12.5, ..state };
        assert_eq!(state.to_string(), "1/10 games, 150/750 moves, 12 moves/s, 48 seconds left");
        assert_eq!(state.thousandths(), 200);
        assert_eq!(State { all: Some((0, 0)), moves: 0, ..state }.thousandths(), 1000);
    }

    #[test]
    fn games_and_moves_are_counted() {
        let counters = Counters::new();
        counters.expect_game(70);
        counters.expect_game(30);
        assert_eq!(counters.state().all, None, "not all games are known");
        counters.expect_no_more();
        counters.add_analysed_move();
        counters.add_skipped_moves(69);
        counters.add_game();
        let state = counters.state();
        assert_eq!((state.games, state.moves, state.all), (1, 70, Some((2, 100))));
    }
}
