//! `pdn shots`: the combinations in games.

use clap::Args;

use super::context::{Context, Status};
use super::options::{Files, Format, formats};
use super::words::{Table, count, csv_line};
use crate::error::{Error, Result};
use crate::query::{ShotQuery, ShotRow, ShotsOptions};
use crate::report::Language;
use crate::shots::Definition;

/// What `pdn shots` can write.
const FORMATS: [(Format, &str); 3] =
    [(Format::Table, "A line per shot"), (Format::Csv, "A row per shot"), (Format::Json, "One JSON object per shot")];

/// List the shots in games: combinations that win material or a king
///
/// Lists the shots that were played, including those in variations. With --available, each position of the main line is also
/// searched for shots that were not played: missed, allowed by the last move of a record, or prevented. docs/shots.md explains
/// names and tags.
#[derive(Debug, Args)]
#[command(mut_arg("paths", |paths| paths.required_unless_present("names")))]
#[command(after_help = "\
Examples:
  pdn shots games.pdn
  pdn shots --shot royal --lang nl archive/
  pdn shots --available --shot any:missed --format json games.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    shots: ShotsOptions,
    /// Language of the names
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Language,
    /// List the known names and mechanisms
    #[arg(long, conflicts_with_all = ["paths", "list", "available", "shot"])]
    names: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = formats(FORMATS))]
    format: Format,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let language = options.lang.code();
    if options.names {
        context.out.text(&names(language))?;
        return Ok(Status::Clean);
    }
    let query = ShotQuery::new(&options.shots).map_err(|error| Error::usage(format!("--shot: {error}")))?;
    if options.format == Format::Csv {
        let columns = ["file", "game", "ply", "side", "fate", "shot", "name", "line", "gain"];
        context.out.text(&csv_line(columns))?;
    }
    let mut found = 0;
    context.each(&options.files, query, |context, rows| {
        found += rows.len() as u64;
        let text = if options.format == Format::Csv { csv } else { text };
        rows.iter().try_for_each(|row| context.answer(options.format, row, || text(row, language)))
    })?;
    context.inform(&count(found, "shot"));
    Ok(Status::Clean)
}

/// Returns a shot as a line: its location, fate, name, moves and gain.
fn text(row: &ShotRow, language: &str) -> String {
    let name = row.shot.and_then(Definition::by_id).map_or("-", |definition| definition.name(language));
    let line = row.line.join(" ");
    format!("{}:{}:{} {} {} {name}: {line} ({:+})\n", row.file, row.game, row.ply, row.side, row.fate, row.gain)
}

fn csv(row: &ShotRow, language: &str) -> String {
    let name = row.shot.and_then(Definition::by_id).map_or("", |definition| definition.name(language));
    let (game, ply, gain) = (row.game.to_string(), row.ply.to_string(), row.gain.to_string());
    let line = row.line.join(" ");
    csv_line([&row.file, &game, &ply, row.side, row.fate, row.shot.unwrap_or_default(), name, &line, &gain])
}

fn names(language: &str) -> String {
    let mut table = Table::new(&["SHOT", "NAME", "KIND", "EXPLANATION"]);
    for definition in Definition::all() {
        let kind = if definition.is_name() { "name" } else { "mechanism" };
        table.row([definition.id(), definition.name(language), kind, definition.explanation()].map(str::to_owned));
    }
    table.text()
}
