//! Records that are searched for.

use std::sync::Arc;

use crate::check::{CheckedGame, FollowingWork, Needs};
use crate::error::{Error, Result};
use crate::export::{CsvOptions, RecordWriter, Table};
use crate::query::{BoardFinder, BoardQuestion, Expression, Question, QuestionError, position_keys};
use crate::rules::Variant;
use crate::source::Input;
use serde::Deserialize;
use serde_json::json;

use super::options::Reading;
use super::outlet::Out;
use super::session::{Known, PartlyKnown, Session, Sink, Walk};
use super::text::writer;

#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SearchOptions {
    r#where: Option<String>,
    fen: Option<String>,
    pattern: Option<String>,
    material: Option<String>,
    sequence: Option<String>,
    mirror: bool,
    variations: bool,
    invert: bool,
    to: String,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            r#where: None,
            fen: None,
            pattern: None,
            material: None,
            sequence: None,
            mirror: false,
            variations: true,
            invert: false,
            to: "pdn".to_owned(),
        }
    }
}

pub(super) fn search(reading: Reading, options: SearchOptions) -> Result<Box<dyn Session>> {
    let known = options.known_positions(&reading);
    let usage = |error: QuestionError| Error::usage(error.to_string());
    let filter = options.r#where.as_deref().map(Expression::parse).transpose();
    let board = BoardQuestion::default()
        .fen(options.fen)
        .pattern(options.pattern)
        .material(options.material)
        .sequence(options.sequence)
        .mirror(options.mirror)
        .main_line_only(!options.variations);
    let question = Question::new(filter.map_err(usage)?, board, reading.variant);
    let question = question.map_err(|error| Error::usage(error.to_string()))?;
    let csv = CsvOptions::default().escape_formulas(true);
    let writer = if options.to == "none" { None } else { Some(writer(&options.to, None, csv, Table::Games)?) };
    if let Some(writer) = &writer {
        reading.out.output(&writer.header())?;
    }
    let work = Searching { question, inverted: options.invert, is_pdn: options.to == "pdn", writer };
    match known {
        Some(known) => PartlyKnown::new(reading, work, Found(0), known),
        None => Walk::new(reading, work, Found(0)),
    }
}

impl SearchOptions {
    /// Returns a look-up of the games that match, if only their numbers are wanted and only a position is given.
    fn known_positions(&self, reading: &Reading) -> Option<Known<Matches>> {
        let others = [&self.r#where, &self.pattern, &self.material, &self.sequence];
        let is_simple = others.into_iter().all(Option::is_none) && self.variations && !self.invert && self.to == "none";
        let (Some(fen), true) = (&self.fen, is_simple) else { return None };
        // A FEN with a side to move and its pieces names one position of a variant, and that has a key.
        let is_usual = ["W:", "B:", "?:"].iter().any(|start| fen.starts_with(start));
        let variants = reading.variant.map_or_else(|| Variant::ALL.to_vec(), |variant| vec![variant]);
        let keys =
            variants.into_iter().flat_map(|variant| position_keys(fen, self.mirror, variant)).collect::<Vec<_>>();
        if keys.is_empty() || !is_usual {
            return None;
        }
        let (host, variant) = (reading.knowing()?, reading.variant);
        Some(Box::new(move |input| {
            let games = host.games(input, variant, &keys)?;
            let found = games.into_iter().map(|game| found_row(input, u64::from(game))).collect();
            Some(Matches { text: Vec::new(), found })
        }))
    }
}

fn found_row(input: &Input, game: u64) -> String {
    json!({ "file": input.label(), "game": game }).to_string()
}

struct Searching {
    question: Question,
    inverted: bool,
    /// True if the bytes of the games are copied.
    is_pdn: bool,
    writer: Option<Arc<dyn RecordWriter>>,
}

#[derive(Default)]
struct Matches {
    text: Vec<u8>,
    found: Vec<String>,
}

impl FollowingWork for Searching {
    type Follower = BoardFinder;
    type Done = Matches;

    fn needs(&self) -> Needs {
        self.question.needs()
    }

    fn follower(&self) -> Option<BoardFinder> {
        self.question.finder()
    }

    fn game(&self, game: CheckedGame<'_>, found: Option<bool>, matches: &mut Matches) {
        if self.question.fits(&game, found) == self.inverted {
            return;
        }
        match &self.writer {
            Some(_) if self.is_pdn => game.copy_to(&mut matches.text),
            Some(writer) => writer.game(&game, &mut matches.text),
            None => {}
        }
        matches.found.push(found_row(game.input(), game.number()));
    }
}

struct Found(u64);

impl Sink<Matches> for Found {
    fn take(&mut self, done: Matches, out: &Out) -> Result<()> {
        self.0 += done.found.len() as u64;
        out.send_array("found", &done.found)?;
        out.output(&done.text)
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        out.result(&json!({ "count": self.0, "errors": 0 }))
    }
}
