//! The progress of a run on a terminal.

use std::fmt::{self, Write};
use std::io::{IsTerminal, stderr};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::annotate::{BatchProgress, GameAnnotator};
use crate::cli::words::count;
use crate::import::games;
use crate::source::{ChunkOptions, Input};

/// How often the progress is drawn.
const INTERVAL: Duration = Duration::from_millis(250);

/// Width of the bar.
const WIDTH: u64 = 20;

/// Returns a line that shows the progress from now on; hidden too if standard error is not a terminal. The games of the inputs are
/// counted at the same time.
pub(super) fn meter(
    annotator: &Arc<GameAnnotator>,
    inputs: Vec<Input>,
    options: ChunkOptions,
    hidden: bool,
) -> ProgressBar {
    if hidden || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    // Standard input and pipes can be read only once.
    if inputs.iter().all(|input| input.stored_size().is_some()) {
        // Counting a large collection may outlast a short run; it does not keep the annotator and its journal alive.
        let annotator = Arc::downgrade(annotator);
        thread::spawn(move || {
            let (games, moves) = all_games_and_moves(&inputs, &options);
            if let Some(annotator) = Weak::upgrade(&annotator) {
                annotator.expect(games, moves);
            }
        });
    }
    let (started, annotator) = (Instant::now(), Arc::downgrade(annotator));
    let state = move |_: &ProgressState, out: &mut dyn Write| {
        let Some(annotator) = Weak::upgrade(&annotator) else { return };
        let state = State::new(&annotator.progress(), started.elapsed());
        let full = (state.thousandths() * WIDTH / 1000) as usize;
        // Writing to memory cannot fail.
        let _ = write!(out, "{}{} {state}", "█".repeat(full), "░".repeat(WIDTH as usize - full));
    };
    let bar = ProgressBar::no_length();
    if let Ok(style) = ProgressStyle::with_template("{state}") {
        bar.set_style(style.with_key("state", state));
    }
    bar.enable_steady_tick(INTERVAL);
    bar
}

/// Returns the number of games and moves in the inputs; unreadable inputs count as empty.
pub(super) fn all_games_and_moves<'a>(
    inputs: impl IntoIterator<Item = &'a Input>,
    options: &ChunkOptions,
) -> (u64, u64) {
    let chunks = inputs.into_iter().filter_map(|input| input.chunks(options).ok()).flatten().flatten();
    chunks.fold((0, 0), |counted, chunk| {
        games(chunk.bytes())
            .fold(counted, |(games, moves), game| (games + 1, moves + game.tree().written_moves() as u64))
    })
}

/// The progress in words.
#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    games: u64,
    moves: u64,
    /// All games and moves, once they are counted.
    all: Option<(u64, u64)>,
    /// Annotated moves a second.
    speed: f64,
    elapsed: Duration,
    /// The remaining work as a multiple of the work done.
    left: Option<f64>,
}

impl State {
    fn new(progress: &BatchProgress, elapsed: Duration) -> Self {
        Self {
            games: progress.games(),
            moves: progress.moves(),
            all: progress.all,
            // The first line may be drawn before any time has passed.
            speed: progress.analysed() as f64 / elapsed.as_secs_f64().max(0.001),
            elapsed,
            left: progress.left(),
        }
    }

    /// Returns the completed share of the work, in thousandths.
    fn thousandths(&self) -> u64 {
        // `left` is a multiple of the time that has passed, so that 1 / (1 + left) of all time has passed.
        self.left.map_or(0, |left| (1000.0 / (1.0 + left)) as u64)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, moves, speed, .. } = *self;
        match self.all {
            Some((all_games, all_moves)) => write!(f, "{games}/{all_games} games, {moves}/{all_moves} moves")?,
            None => write!(f, "{}, {}", count(games, "game"), count(moves, "move"))?,
        }
        // Deep searches take seconds a move, and 0.4 moves a second would be shown as 0.
        let decimals = usize::from(speed < 10.0);
        write!(f, ", {speed:.decimals$} moves/s")?;
        let left = self.left.and_then(|left| Duration::try_from_secs_f64(self.elapsed.as_secs_f64() * left).ok());
        left.map_or(Ok(()), |left| write!(f, ", {} left", HumanDuration(left)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_in_words() {
        let elapsed = Duration::from_secs(12);
        let state = State { games: 1, moves: 150, all: None, speed: 0.0, elapsed, left: None };
        assert_eq!((state.to_string(), state.thousandths()), ("1 game, 150 moves, 0.0 moves/s".to_owned(), 0));
        let state = State { all: Some((10, 750)), speed: 12.5, left: Some(4.0), ..state };
        assert_eq!(state.to_string(), "1/10 games, 150/750 moves, 12 moves/s, 48 seconds left");
        assert_eq!(state.thousandths(), 200);
        assert_eq!(State { left: Some(0.0), ..state }.thousandths(), 1000);
    }
}
