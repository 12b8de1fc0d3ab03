//! `pdn shots`: the combinations in games.

use clap::Args;

use super::context::{Context, Status};
use super::options::{ADVANCED, Files, Format, formats};
use super::words::{Table, count};
use crate::error::{Error, Result};
use crate::query::{ShotQuery, ShotQuestion, ShotRow};
use crate::report::Language;
use crate::shots::{Bounds, Definition};

/// What `pdn shots` can write.
const FORMATS: [(Format, &str); 2] = [(Format::Table, "A line per shot"), (Format::Json, "One JSON object per shot")];

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
    /// Also find shots that were not played
    #[arg(long)]
    available: bool,
    /// List only shots with a name or mechanism and, optionally, a fate: `philippe`, `royal:missed`, `any:prevented`
    #[arg(long, value_name = "SHOT")]
    shot: Option<String>,
    /// Language of the names
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Language,
    /// Maximum number of positions to examine in each search
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "available", help_heading = ADVANCED)]
    nodes: usize,
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
    let asked = options.shot.as_deref().unwrap_or("any");
    let all = if options.available && !asked.contains(':') { ":*" } else { "" };
    let question = ShotQuestion::read(&format!("{asked}{all}"));
    let question = question.map_err(|error| Error::usage(format!("--shot: {error}")))?;
    let searches = options.available || question.needs_search();
    let query = ShotQuery::new(question, searches.then(|| Bounds::default().nodes(options.nodes)));
    let mut found = 0;
    context.each(&options.files, query, |context, rows| {
        found += rows.len() as u64;
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

fn names(language: &str) -> String {
    let mut table = Table::new(&["SHOT", "NAME", "KIND", "EXPLANATION"]);
    for definition in Definition::all() {
        let kind = if definition.is_name() { "name" } else { "mechanism" };
        table.row([definition.id(), definition.name(language), kind, definition.explanation()].map(str::to_owned));
    }
    table.text()
}
