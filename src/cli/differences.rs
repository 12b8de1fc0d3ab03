//! `pdn diff`: two transcriptions of the same games.

use std::fmt::Write as _;
use std::path::Path;

use clap::Args;

use super::context::{Context, Status, Step};
use super::options::{Files, Format, PLAIN_OR_JSON, formats};
use super::words::count;
use crate::check::{Checking, Each};
use crate::error::{Error, Result};
use crate::query::{TranscribedGame, common_games, differences};
use crate::records::{DifferenceRow, PlaceRow};
use crate::text::printable;

/// Compare two transcriptions of the same games
///
/// Two games are paired if they have the same players, or else the same first twenty moves. For each pair, the first ply that
/// differs and all tags that differ are shown. The exit status is 1 if there are differences.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn diff games.pdn games.pdn
  pdn diff --format json games.pdn archive/")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Do not compare tags
    #[arg(long)]
    no_tags: bool,
    /// Output format: plain, or one JSON object per difference
    #[arg(long, value_name = "FORMAT", default_value = "plain", value_parser = formats(PLAIN_OR_JSON))]
    format: Format,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let [first, second] = &options.files.paths[..] else {
        return Err(Error::usage("expected two files or folders to compare"));
    };
    if [first, second].iter().all(|path| path.as_os_str() == "-") {
        return Err(Error::usage("only one of the two can be standard input"));
    }
    let [Some(first), Some(second)] = [games(first, options, context)?, games(second, options, context)?] else {
        context.out.discard();
        return Ok(Status::Failed);
    };
    let mut rows = differences(&first, &second);
    if options.no_tags {
        for row in &mut rows {
            row.tags.clear();
        }
        rows.retain(|row| row.ply.is_some() || row.a.is_none() || row.b.is_none());
    }
    for row in &rows {
        context.answer(options.format, row, || text(row))?;
    }
    if options.format == Format::Plain {
        let common = count(common_games(&first, &second) as u64, "game");
        context.out.text(&format!("{common} in both, {}\n", count(rows.len() as u64, "difference")))?;
    }
    Ok(Status::with_errors(!rows.is_empty()))
}

/// Reads the games of one of the two inputs; returns `None` if part of it cannot be read, because its games would seem missing.
fn games(path: &Path, options: &Options, context: &mut Context) -> Result<Option<Vec<TranscribedGame>>> {
    let files = Files { paths: vec![path.to_owned()], list: None, ..options.files.clone() };
    let work = Checking::by_input(Each(TranscribedGame::of), context.check_options(&files));
    let mut games = Vec::new();
    let read = context.read_inputs(context.inputs(&files)?, &files, &work, |_, step| {
        if let Step::Done(done) = step {
            games.extend(done);
        }
        Ok(())
    })?;
    Ok(read.complete.then_some(games))
}

fn text(row: &DifferenceRow) -> String {
    let place = |place: &PlaceRow| format!("{}, game {}: {}", place.file, place.game, place.players);
    let mut text = String::new();
    for (sign, game) in [('-', &row.a), ('+', &row.b)] {
        if let Some(game) = game {
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(text, "{sign} {}", printable(&place(game)));
        }
    }
    if let Some(ply) = row.ply {
        let step = |step: &Option<String>| step.clone().unwrap_or_else(|| "(the moves end)".to_owned());
        let _ = writeln!(text, "  ply {ply}: {} / {}", printable(&step(&row.a_move)), printable(&step(&row.b_move)));
    }
    for tag in &row.tags {
        let value =
            |value: &Option<String>| value.as_ref().map_or_else(|| "(none)".to_owned(), |value| format!("\"{value}\""));
        let line = format!("{}: {} / {}", tag.name, value(&tag.a), value(&tag.b));
        let _ = writeln!(text, "  {}", printable(&line));
    }
    text
}
