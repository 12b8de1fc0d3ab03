//! Records that are searched for.

use std::sync::Arc;

use crate::check::{CheckedGame, GameWork, Needs};
use crate::error::{Error, Result};
use crate::export::RecordWriter;
use crate::query::{BoardFinder, Question, SearchFormat, SearchOptions, position_keys};
use crate::rules::Variant;
use crate::source::Input;
use serde_json::json;

use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Gathered, Known, Session, Walk};

pub(super) fn search(reading: Reading, options: CallOptions) -> Result<Box<dyn Session>> {
    let options: SearchOptions = options.rest()?;
    options.csv().check(options.to.name())?;
    let question = options.question(reading.variant).map_err(|error| Error::usage(error.to_string()))?;
    let known = known_positions(&options, &reading);
    let writer = options.writer();
    if let Some(writer) = &writer {
        reading.out.output(&writer.header())?;
    }
    let work = Searching { question, is_pdn: options.to == SearchFormat::Pdn, writer };
    let add = |count: &mut usize, done: Matches, out: &Out| {
        *count += done.found.len();
        out.send_array("found", &done.found)?;
        out.output(&done.text)
    };
    let found = Gathered::new(0, add, |count, out: &Out| out.result(&json!({ "count": count, "errors": 0 })));
    Walk::knowing(reading, work, found, known)
}

/// Returns a look-up of the games that match, if only their numbers are wanted and only a position is given.
fn known_positions(options: &SearchOptions, reading: &Reading) -> Option<Known<Matches>> {
    let (fen, mirror) = (options.fen.clone()?, options.mirror);
    let only = SearchOptions { fen: Some(fen.clone()), mirror, to: SearchFormat::None, ..SearchOptions::default() };
    // A FEN with a side to move and its pieces names one position of a variant, and that has a key.
    let is_usual = ["W:", "B:", "?:"].iter().any(|start| fen.starts_with(start));
    let variants = reading.variant.map_or_else(|| Variant::ALL.to_vec(), |variant| vec![variant]);
    let keys: Vec<_> = variants.into_iter().flat_map(|variant| position_keys(&fen, mirror, variant)).collect();
    if keys.is_empty() || !is_usual || *options != only {
        return None;
    }
    let (host, variant) = (reading.knowing()?, reading.variant);
    Some(Box::new(move |input| {
        let games = host.games(input, variant, &keys)?;
        let found = games.into_iter().map(|game| found_row(input, u64::from(game))).collect();
        Some(Matches { found, ..Matches::default() })
    }))
}

fn found_row(input: &Input, game: u64) -> String {
    json!({ "file": input.label(), "game": game }).to_string()
}

struct Searching {
    question: Question,
    /// True if the bytes of the games are copied.
    is_pdn: bool,
    writer: Option<Arc<dyn RecordWriter>>,
}

#[derive(Default)]
struct Matches {
    finder: Option<BoardFinder>,
    text: Vec<u8>,
    found: Vec<String>,
}

impl GameWork for Searching {
    type Done = Matches;

    fn needs(&self) -> Needs {
        self.question.needs()
    }

    fn game(&self, game: CheckedGame<'_>, matches: &mut Matches) {
        if !self.question.fits(&game, &mut matches.finder) {
            return;
        }
        match &self.writer {
            Some(writer) => writer.game(&game, &mut matches.text),
            None if self.is_pdn => game.copy_to(&mut matches.text),
            None => {}
        }
        matches.found.push(found_row(game.input(), game.number()));
    }
}
