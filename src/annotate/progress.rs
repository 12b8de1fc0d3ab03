//! How far a batch has progressed, and how much of its work is left.

use std::sync::Mutex;

use crate::shared::lock;

/// A step of the annotation of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnnotateStep {
    /// A search with this many fifths of the limit for each position has ended.
    Search(u32),
    /// A move of the main line has its first evaluation.
    Move,
}

/// Work expected for each move, in fifths of its limit, until a game has shown the actual amount: about a tenth of the moves
/// are forced.
const USUAL_WORK: f64 = 4.5;

/// Minimum share of its expected work that an unfinished game has left. A game with few forced moves takes more work than the
/// average, and otherwise none would be left for its last searches.
const LEAST_LEFT: f64 = 0.1;

/// A snapshot of a batch: the completed games and moves, and the remaining work.
///
/// Work is counted in fifths of the limit for each position, so a search with six times the limit counts as 30. Nothing here reads a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchProgress {
    games: u64,
    saved: u64,
    restored: u64,
    analysed: u64,
    skipped: u64,
    /// The number of all games and moves, once they are known.
    pub(crate) all: Option<(u64, u64)>,
    /// Moves and work of the games that are being analysed.
    begun: (u64, u64),
    /// Moves and work of the games already analysed.
    finished: (u64, u64),
    /// Moves of the games that needed no search.
    free: u64,
}

impl BatchProgress {
    /// Returns the number of games that are done.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of games whose searches are in a journal, from this run or an earlier one.
    pub const fn saved(&self) -> u64 {
        self.saved
    }

    /// Returns the number of games whose searches were all in a journal before the run.
    pub const fn restored(&self) -> u64 {
        self.restored
    }

    /// Returns the number of moves that the engine analysed at least once.
    pub const fn analysed(&self) -> u64 {
        self.analysed
    }

    /// Returns the number of moves that were analysed, or that needed no analysis.
    pub const fn moves(&self) -> u64 {
        self.analysed + self.skipped
    }

    /// Returns the work that is left as a multiple of the work done so far, once it can be estimated: at 0.5, the rest
    /// takes half as long as the run took so far.
    pub(crate) fn left(&self) -> Option<f64> {
        let (begun, finished) = (self.begun, self.finished);
        let waiting = self.all?.1.saturating_sub(self.free + begun.0 + finished.0);
        let per_move = if finished.0 == 0 { USUAL_WORK } else { finished.1 as f64 / finished.0 as f64 };
        let expected = begun.0 as f64 * per_move;
        let left = waiting as f64 * per_move + (expected - begun.1 as f64).max(LEAST_LEFT * expected);
        let done = (begun.1 + finished.1) as f64;
        if left == 0.0 { Some(0.0) } else { (done > 0.0).then(|| left / done) }
    }
}

/// The progress of a batch that several threads share.
#[derive(Debug, Default)]
pub(super) struct SharedProgress(Mutex<BatchProgress>);

impl SharedProgress {
    pub(super) fn get(&self) -> BatchProgress {
        *lock(&self.0)
    }

    /// Counts a game whose searches are in a journal, from before the run if they were restored.
    pub(super) fn add_saved(&self, restored: bool) {
        let mut all = lock(&self.0);
        all.saved += 1;
        all.restored += u64::from(restored);
    }

    /// Sets the number of all games and moves.
    pub(super) fn set_all(&self, games: u64, moves: u64) {
        lock(&self.0).all = Some((games, moves));
    }

    /// Begins a game with this number of written moves.
    pub(super) fn begin(&self, moves: u64) -> GameProgress<'_> {
        lock(&self.0).begun.0 += moves;
        GameProgress { progress: self, moves, analysed: 0, work: 0 }
    }
}

/// The progress of a game, which ends when it is dropped.
pub(super) struct GameProgress<'a> {
    progress: &'a SharedProgress,
    moves: u64,
    analysed: u64,
    work: u64,
}

impl GameProgress<'_> {
    pub(super) fn step(&mut self, step: AnnotateStep) {
        let mut all = lock(&self.progress.0);
        match step {
            AnnotateStep::Search(work) => {
                self.work += u64::from(work);
                all.begun.1 += u64::from(work);
            }
            AnnotateStep::Move => {
                self.analysed += 1;
                all.analysed += 1;
            }
        }
    }
}

impl Drop for GameProgress<'_> {
    fn drop(&mut self) {
        let mut all = lock(&self.progress.0);
        all.games += 1;
        all.skipped += self.moves.saturating_sub(self.analysed);
        all.begun.0 -= self.moves;
        all.begun.1 -= self.work;
        // A game whose searches are known took no time, and says nothing about the time of others.
        if self.work == 0 {
            all.free += self.moves;
        } else {
            all.finished.0 += self.moves;
            all.finished.1 += self.work;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Analyses games of 50 moves, every fifth of which is searched again with 8 and 24 times the limit after all first
    /// searches, and returns the work left after each search, according to the estimate.
    fn estimates(games: u64) -> Vec<(f64, u64)> {
        let progress = SharedProgress::default();
        progress.set_all(games, games * 50);
        let mut estimates = Vec::new();
        let mut work = 0;
        for _ in 0..games {
            let mut game = progress.begin(50);
            let confirming = [8, 24].into_iter().flat_map(|factor| std::iter::repeat_n(factor, 10));
            for factor in std::iter::repeat_n(1, 50).chain(confirming) {
                game.step(AnnotateStep::Search(factor));
                if factor == 1 {
                    game.step(AnnotateStep::Move);
                }
                work += u64::from(factor);
                estimates.push((progress.get().left().expect("work was done") * work as f64, work));
            }
        }
        estimates
    }

    #[test]
    fn confirming_searches_are_part_of_the_estimate() {
        let per_game = 50 + 80 + 240;
        for &(left, work) in estimates(10).iter().filter(|(_, work)| *work > per_game) {
            let expected = 10 * per_game - work;
            assert!(left >= expected as f64 - 1e-6, "{left} instead of {expected}");
            assert!(left <= (expected + per_game / 10) as f64 + 1e-6, "{left} instead of {expected}");
        }
    }

    #[test]
    fn games_and_moves_are_counted() {
        let progress = SharedProgress::default();
        drop(progress.begin(30));
        let mut game = progress.begin(70);
        game.step(AnnotateStep::Move);
        assert_eq!((progress.get().games(), progress.get().moves(), progress.get().all), (1, 31, None));
        assert_eq!(progress.get().left(), None, "not all games are known");
        progress.set_all(2, 100);
        assert_eq!(progress.get().left(), None, "nothing was searched");
        game.step(AnnotateStep::Search(1));
        drop(game);
        assert_eq!(
            (progress.get().moves(), progress.get().all, progress.get().left()),
            (100, Some((2, 100)), Some(0.0))
        );
    }
}
