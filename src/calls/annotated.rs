//! Annotated games.

use std::sync::Arc;

use serde_json::json;

use super::host::Host;
use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Gathered, Progress, Session, Walk};
use super::turns::{Turn, Turns};
use crate::annotate::{AnnotateOptions, BatchProgress, EnginePool, GameAnnotator};
use crate::check::{CheckedGame, GameWork};
use crate::engine::{Asker, EngineOptions};
use crate::error::{Error, Result};
use crate::export::{ConvertOptions, PlacedReview, RecordWriter, Table, TextOutput};
use crate::records::PlayerTable;

/// Counts games and their moves.
pub(super) fn count(reading: Reading, options: CallOptions) -> Result<Box<dyn Session>> {
    options.end()?;
    let add = |all: &mut [u64; 2], [games, moves]: [u64; 2], _: &Out| {
        *all = [all[0] + games, all[1] + moves];
        Ok(())
    };
    let end = |[games, moves]: [u64; 2], out: &Out| out.result(&json!({ "games": games, "moves": moves }));
    Walk::new(reading, Counting, Gathered::new([0; 2], add, end))
}

struct Counting;

impl GameWork for Counting {
    type Done = [u64; 2];

    fn game(&self, game: CheckedGame<'_>, [games, moves]: &mut [u64; 2]) {
        *games += 1;
        *moves += game.plies() as u64;
    }
}

/// Which games are annotated, and how they are written.
struct Batch {
    to: String,
    table: Option<Table>,
    /// Size of the transposition table, in megabytes.
    hash: usize,
    /// The games to annotate, the second index excluded.
    range: Option<[u64; 2]>,
    /// Numbers of all games, and of their moves.
    all: [u64; 2],
}

impl Batch {
    fn take(options: &mut CallOptions) -> Result<Self> {
        Ok(Self {
            to: options.take("to")?.unwrap_or_else(|| "pdn".to_owned()),
            table: options.take("table")?,
            hash: options.take("hash")?.unwrap_or(16),
            range: options.take("range")?,
            all: options.take("all")?.unwrap_or_default(),
        })
    }

    fn annotator(&self, options: AnnotateOptions, host: Option<&dyn Host>, out: &Out) -> Result<GameAnnotator> {
        options.check()?;
        let engine = EngineOptions::checked(self.hash, 1, host.map_or(Asker::Page, Host::asker))?;
        let out = out.clone();
        let engines = match host {
            Some(host) => host.engines(engine)?,
            None => Arc::new(EnginePool::built_in(engine)),
        };
        let annotator = GameAnnotator::new(engines, options).with_observer(move |progress| {
            // An outlet that is gone ends the work after the game.
            let _ = report_progress(&out, progress);
        });
        let [first, end] = self.range.unwrap_or([0, self.all[0]]);
        let moves = self.all[1].checked_div(self.all[0]).unwrap_or_default();
        match self.range {
            // What share of the moves the range has is not known.
            Some(_) => annotator.expect(end.min(self.all[0]).saturating_sub(first), moves * end.saturating_sub(first)),
            None => annotator.expect(self.all[0], self.all[1]),
        }
        Ok(annotator)
    }
}

fn report_progress(out: &Out, progress: BatchProgress) -> Result<()> {
    let (games, moves) = progress.all.unwrap_or_default();
    out.send(
        "progress",
        &json!({
            "games": progress.games(),
            "moves": progress.moves(),
            "allGames": games,
            "allMoves": moves,
            "left": progress.left(),
        }),
    )
}

pub(super) fn annotate(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let batch = Batch::take(&mut options)?;
    if batch.to == "fen" {
        return Err(Error::usage("annotated games cannot be FENs"));
    }
    let moves = ConvertOptions::has_tables(&batch.to).then_some(Table::Moves);
    let (to, table) = (Some(batch.to.clone()), batch.table.or(moves));
    let writer = ConvertOptions { to, table, ..ConvertOptions::default() }.known_writer()?;
    let reading = reading.with_aliases(options.take::<String>("aliases")?.as_deref())?;
    let annotator = batch.annotator(options.rest()?, reading.host.as_deref(), &reading.out)?;
    let games = batch.range.map_or(0..u64::MAX, |[first, end]| first..end);
    let mut output = TextOutput::new(Arc::clone(&writer));
    if games.start > 0 {
        output = output.continued();
    } else {
        reading.out.output(&output.header())?;
    }
    let is_last = games.end >= batch.all[0];
    let (turns, out) = Turns::new(reading, games);
    Ok(Box::new(Annotating { turns, is_last, annotator, writer, output: Some(output), annotated: 0, out }))
}

/// Annotates games in turn, one per step.
struct Annotating {
    turns: Turns,
    is_last: bool,
    annotator: GameAnnotator,
    writer: Arc<dyn RecordWriter>,
    output: Option<TextOutput>,
    annotated: u64,
    out: Out,
}

impl Session for Annotating {
    fn step(&mut self) -> Result<Progress> {
        match self.turns.next(&self.out)? {
            Turn::Game(index, game) => self.annotate(index, *game),
            Turn::None(progress) => Ok(progress),
            Turn::End => {
                let footer = self.output.take().map(TextOutput::finish).unwrap_or_default();
                if self.is_last {
                    self.out.output(&footer)?;
                }
                self.out.result(&json!({ "games": self.annotated, "errors": self.turns.errors() }))?;
                Ok(Progress::Done)
            }
        }
    }
}

impl Annotating {
    fn annotate(&mut self, index: u64, PlacedReview { review, place }: PlacedReview) -> Result<Progress> {
        let game = self.annotator.annotate(review);
        if let Some(why) = &game.failure {
            let message = format!("game {}: not annotated: {why}", game.review.number());
            self.out.send("failure", &json!({ "file": place.file, "message": message }))?;
        }
        let text = place.write(&*self.writer, &game);
        let players = if self.writer.has_players() { place.players(&game) } else { PlayerTable::default() };
        if let Some(output) = &mut self.output {
            output.add_game(&text, players, |bytes| self.out.output(bytes))?;
        }
        self.annotated += 1;
        self.out.send("game", &index)?;
        report_progress(&self.out, self.annotator.progress())?;
        Ok(Progress::More)
    }
}
