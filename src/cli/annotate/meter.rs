//! The progress of a run on a terminal.

use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::counters::Counters;
use crate::pdn::games;
use crate::source::{ChunkOptions, Input};

/// How often the progress is drawn.
const INTERVAL: Duration = Duration::from_millis(250);

/// Width of the bar.
const WIDTH: u64 = 20;

/// Returns a line that shows the counters from now on; hidden if standard error is not a terminal. The games of the inputs
/// are counted at the same time.
pub(super) fn meter(counters: &Arc<Counters>, inputs: Vec<Input>, options: ChunkOptions, quiet: bool) -> ProgressBar {
    if quiet || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    // Standard input and pipes can be read only once.
    if inputs.iter().all(|input| input.stored_size().is_some()) {
        let counters = Arc::clone(counters);
        thread::spawn(move || count(&counters, &inputs, &options));
    }
    let shown = Arc::clone(counters);
    let state = move |_: &ProgressState, out: &mut dyn Write| {
        let state = shown.state();
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

/// Returns the number of games in the inputs; inputs that cannot be read have none.
pub(super) fn all_games(inputs: &[&Input], options: &ChunkOptions) -> u64 {
    let chunks = inputs.iter().filter_map(|input| input.chunks(options).ok()).flatten().flatten();
    chunks.map(|chunk| games(chunk.bytes()).count() as u64).sum()
}

/// Counts the games and moves of the inputs; inputs that cannot be read have none.
fn count(counters: &Counters, inputs: &[Input], options: &ChunkOptions) {
    for chunk in inputs.iter().filter_map(|input| input.chunks(options).ok()).flatten().flatten() {
        for game in games(chunk.bytes()) {
            counters.expect_game(game.tree().written_moves() as u64);
        }
    }
    counters.expect_no_more();
}
