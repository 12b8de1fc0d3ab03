//! Checks records on all cores and prints errors and warnings with their source lines.
//!
//! ```console
//! $ cargo run --release --example diagnostics -- samples/diagnostics/move-illegal.pdn
//! ```

use std::error::Error;
use std::io::{Write, stdout};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use pdn::check::{CheckOptions, CheckedGame, Checking, GameWork, Needs};
use pdn::diag::{Severity, Snippet, render};
use pdn::source::{ChunkOptions, Event, Pipeline, expand};

fn main() -> Result<(), Box<dyn Error>> {
    run(std::env::args().skip(1), &mut stdout().lock())
}

// A test calls this.
pub(crate) fn run(files: impl Iterator<Item = String>, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let jobs = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let work = Checking::new(Problems, CheckOptions::default());
    let (mut games, mut text) = (0, String::new());
    // Results arrive in the order of the files.
    Pipeline::new(jobs, ChunkOptions::default()).run(expand(files), &work, |event| {
        match event {
            Event::Begin(_) => {}
            Event::Done(found) => {
                games += found.games;
                text += &found.text;
            }
            Event::Error(error) => return Err(error),
        }
        Ok(())
    })?;
    writeln!(out, "{text}{games} games with errors or warnings")?;
    Ok(())
}

/// Finds the errors and warnings of each game.
struct Problems;

/// Errors and warnings found in a group of games.
#[derive(Default)]
struct Found {
    games: u64,
    text: String,
}

impl GameWork for Problems {
    type Done = Found;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Found) {
        let snippet = Snippet::new(game.input().label(), game.bytes(), game.location().line)
            .game(game.number())
            .encoding(game.encoding());
        let wrong = || game.diagnostics().iter().filter(|found| found.severity() != Severity::Note);
        for diagnostic in wrong() {
            done.text += &render(diagnostic, &snippet);
            done.text.push('\n');
        }
        done.games += u64::from(wrong().next().is_some());
    }
}
