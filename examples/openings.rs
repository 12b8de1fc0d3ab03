//! Counts game results by the first two moves, using a visitor, without building trees or playing moves.
//!
//! ```console
//! $ cargo run --release --example openings -- samples/games/international.pdn
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Write, stdout};

use pdn::diag::Span;
use pdn::source::{ChunkOptions, expand};
use pdn::{Flow, MoveText, Visitor, WrittenNumber, read};

fn main() -> Result<(), Box<dyn Error>> {
    run(std::env::args().skip(1), &mut stdout().lock())
}

// A test calls this.
pub(crate) fn run(files: impl Iterator<Item = String>, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut openings = Openings::default();
    for input in expand(files) {
        // Works for files of any size: chunks contain only whole games.
        for chunk in input?.chunks(&ChunkOptions::default())? {
            let _ = read(chunk?.bytes(), &mut openings);
        }
    }
    for (line, results) in &openings.results {
        let counts: Vec<_> = results.iter().map(|(result, count)| format!("{count} × {result}")).collect();
        writeln!(out, "{line:<16} {}", counts.join(", "))?;
    }
    Ok(())
}

/// Results by first moves, and the state of the current game.
#[derive(Default)]
struct Openings {
    results: BTreeMap<String, BTreeMap<String, u64>>,
    line: Vec<String>,
    variations: usize,
    result: String,
}

impl Visitor for Openings {
    fn begin_game(&mut self, _: usize) -> Flow {
        self.line.clear();
        self.variations = 0;
        "*".clone_into(&mut self.result);
        Flow::Continue(())
    }

    fn game_move(&mut self, _: Option<(WrittenNumber, Span)>, text: MoveText, _: Span) -> Flow {
        if self.variations == 0 && self.line.len() < 2 {
            self.line.push(text.to_string());
        }
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: Span) -> Flow {
        self.variations += 1;
        Flow::Continue(())
    }

    fn end_variation(&mut self, _: Span) -> Flow {
        self.variations -= 1;
        Flow::Continue(())
    }

    fn terminator(&mut self, text: &[u8], _: Span) -> Flow {
        self.result = String::from_utf8_lossy(text).into_owned();
        Flow::Continue(())
    }

    fn end_game(&mut self, _: u32) -> Flow {
        if let [first, second] = &self.line[..] {
            let results = self.results.entry(format!("{first} {second}")).or_default();
            *results.entry(self.result.clone()).or_default() += 1;
        }
        Flow::Continue(())
    }
}
