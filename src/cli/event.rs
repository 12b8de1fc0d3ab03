//! `pdn event`: the tables of a tournament.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::context::{Context, Status, Step};
use super::failure::lacks_feature;
use super::options::{ADVANCED, Files, Format, formats};
use super::words::{Table, count, counted};
use crate::check::Checking;
use crate::diag::Severity;
use crate::error::{Error, Result};
use crate::export::{cross_table, event_csv, event_html, standings_cells};
use crate::query::{EventOptions, EventQuery, TieBreak, Tournament};
use crate::records::EventRow;
use crate::text::printable;

/// What `pdn event` can write.
const FORMATS: [(Format, &str); 5] = [
    (Format::Text, "Standings, cross table and diagnostics"),
    (Format::Csv, "Standings"),
    (Format::Html, "A page"),
    (Format::Json, "One JSON object"),
    (Format::Xlsx, "A spreadsheet with a sheet for each table"),
];

/// Show the standings of a tournament, and problems in its records
///
/// All games of the inputs are one tournament. Players are ranked by points, then by the tie-breaks in turn. Names
/// that look like spellings of one person are reported, but merged only by --aliases.
#[derive(Debug, Args)]
#[command(after_help = "\
A file of aliases has a line `SPELLING = NAME` for each spelling; lines that begin with `#` are comments.

Examples:
  pdn event archive/
  pdn event --aliases names.txt --format html games.pdn -o games.html
  pdn event --points 3-1-0 --tie-breaks mutual,wins games.pdn
  pdn event --format xlsx games.pdn -o games.xlsx
  pdn event --format json games.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Points of a win, a draw and a loss
    #[arg(long, value_name = "W-D-L", default_value = "2-1-0", value_parser = parse_points, help_heading = ADVANCED)]
    points: Points,
    /// Tie-breaks between players with equal points, in this order
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "wins,mutual,sonneborn-berger,solkoff", help_heading = ADVANCED)]
    tie_breaks: Vec<Decision>,
    /// Read spellings of names from FILE
    #[arg(long, value_name = "FILE")]
    aliases: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = formats(FORMATS))]
    format: Format,
}

#[derive(Clone, Copy, Debug)]
struct Points([u32; 3]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Decision {
    /// Number of wins
    Wins,
    /// Points in games against players with the same points
    Mutual,
    /// Points of the opponents times points scored against them (Sonneborn-Berger)
    SonnebornBerger,
    /// Sum of the points of the opponents (Buchholz, Solkoff)
    #[value(alias = "buchholz")]
    Solkoff,
}

impl From<Decision> for TieBreak {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Wins => Self::Wins,
            Decision::Mutual => Self::Mutual,
            Decision::SonnebornBerger => Self::SonnebornBerger,
            Decision::Solkoff => Self::Solkoff,
        }
    }
}

fn parse_points(text: &str) -> Result<Points, String> {
    let numbers: Option<Vec<u32>> = text.split('-').map(|number| number.parse().ok().filter(|&n| n <= 1000)).collect();
    match numbers.as_deref() {
        Some(&[win, draw, loss]) if win > 0 => Ok(Points([win, draw, loss])),
        _ => Err("expected three numbers, such as 2-1-0".to_owned()),
    }
}

impl Options {
    fn scoring(&self) -> Result<EventOptions> {
        let tie_breaks = self.tie_breaks.iter().map(|&decision| decision.into()).collect();
        let aliases = self.aliases.as_deref().map_or_else(|| Ok(BTreeMap::new()), read_aliases)?;
        Ok(EventOptions::new(self.points.0, tie_breaks, aliases))
    }
}

/// Reads lines `SPELLING = NAME`.
pub(super) fn read_aliases(path: &Path) -> Result<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
    let mut aliases = BTreeMap::new();
    for (n, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (spelling, name) = line.split_once('=').map(|(spelling, name)| (words(spelling), words(name))).unzip();
        match (spelling, name) {
            (Some(spelling), Some(name)) if !spelling.is_empty() && !name.is_empty() => aliases.insert(spelling, name),
            _ => return Err(Error::usage(format!("{}:{}: expected `SPELLING = NAME`", path.display(), n + 1))),
        };
    }
    Ok(aliases)
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if options.format == Format::Xlsx {
        can_write_xlsx(context)?;
    }
    let scoring = options.scoring()?;
    let mut games = Vec::new();
    let work = Checking::new(EventQuery, context.check_options(&options.files));
    context.read(&options.files, &work, |_, step| {
        if let Step::Done(done) = step {
            games.extend(done);
        }
        Ok(())
    })?;
    let event = Tournament::new(games, scoring).row();
    match options.format {
        Format::Csv => context.out.bytes(&event_csv(&event))?,
        Format::Html => context.out.text(&event_html(&event))?,
        Format::Xlsx => write_xlsx(&event, context)?,
        format => context.answer(format, &event, || tables(&event))?,
    }
    let has_errors = event.diagnostics.iter().any(|row| row.severity == Severity::Error);
    Ok(if has_errors { Status::Errors } else { Status::Clean })
}

/// Returns an error if this build or the destination does not take spreadsheets.
fn can_write_xlsx(context: &Context) -> Result<()> {
    if !cfg!(feature = "xlsx") {
        return Err(lacks_feature("write XLSX", "xlsx"));
    }
    if !context.out.is_file() && stdout().is_terminal() {
        return Err(Error::usage("a spreadsheet is not text: use -o FILE, or send the output to a file or a program"));
    }
    Ok(())
}

#[cfg(feature = "xlsx")]
fn write_xlsx(event: &EventRow, context: &mut Context) -> Result<()> {
    context.out.bytes(&crate::export::event_xlsx(event))
}

#[cfg(not(feature = "xlsx"))]
fn write_xlsx(_: &EventRow, context: &mut Context) -> Result<()> {
    can_write_xlsx(context)
}

/// Largest number of players for whom the cross table fits on a terminal.
const MAX_PLAYERS: usize = 30;

fn tables(event: &EventRow) -> String {
    let mut text = title(event);
    let parts = [standings(event), cross(event), matches(event), diagnostics(event)];
    for part in parts.iter().filter(|part| !part.is_empty()) {
        text.push('\n');
        text.push_str(part);
    }
    text
}

fn title(event: &EventRow) -> String {
    let name = printable(event.event.as_deref().unwrap_or("Tournament")).into_owned();
    let games = count(event.pairings.len() as u64, "game");
    let rounds = event.rounds.map_or_else(String::new, |rounds| format!(", {}", count(rounds as u64, "round")));
    format!("{name}: {}, {games}{rounds}\n", count(event.players.len() as u64, "player"))
}

/// Returns the standings, without the columns of ratings if there are none.
fn standings(event: &EventRow) -> String {
    let header = [
        "#RANK",
        "PLAYER",
        "#GAMES",
        "#WINS",
        "#DRAWS",
        "#LOSSES",
        "#POINTS",
        "#MUTUAL",
        "#S-B",
        "#SOLKOFF",
        "#RATING",
        "#PERFORMANCE",
    ];
    let rated = event.players.iter().any(|row| row.rating.is_some() || row.performance.is_some());
    let shown = if rated { header.len() } else { header.len() - 2 };
    let mut table = Table::new(&header[..shown]);
    for cells in standings_cells(event) {
        table.row(cells.into_iter().take(shown));
    }
    if event.players.is_empty() { String::new() } else { table.text() }
}

fn cross(event: &EventRow) -> String {
    if !(2..=MAX_PLAYERS).contains(&event.players.len()) {
        return String::new();
    }
    let numbers: Vec<_> = (1..=event.players.len()).map(|n| format!("#{n}")).collect();
    let header: Vec<_> = ["#", "PLAYER"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let mut table = Table::new(&header);
    for (n, (row, cells)) in event.players.iter().zip(cross_table(event)).enumerate() {
        let cells = cells.into_iter().enumerate().map(|(other, cell)| match cell {
            _ if other == n => "x".to_owned(),
            cell if cell.is_empty() => ".".to_owned(),
            cell => cell,
        });
        table.row([(n + 1).to_string(), row.name.clone()].into_iter().chain(cells));
    }
    table.text()
}

fn matches(event: &EventRow) -> String {
    let mut table = Table::new(&["ROUND", "TEAMS", "#POINTS", "#GAMES"]);
    for row in &event.matches {
        let [one, other] = row.points;
        let round = row.round.clone().unwrap_or_default();
        table.row([round, row.teams.join(" – "), format!("{one}–{other}"), row.games.to_string()]);
    }
    if event.matches.is_empty() { String::new() } else { table.text() }
}

fn diagnostics(event: &EventRow) -> String {
    let mut text = String::new();
    for row in &event.diagnostics {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}[{}]: {}", row.severity, row.code, printable(&row.message));
        if row.game > 0 {
            let _ = writeln!(text, "  --> {}:{} (game {})", printable(&row.file), row.line, row.game);
        }
        if let Some(help) = &row.help {
            let _ = writeln!(text, "  = help: {}", printable(help));
        }
    }
    if !text.is_empty() {
        let _ = writeln!(text, "\n{}", counted(event.diagnostics.len() as u64, "diagnostic", "diagnostics"));
    }
    text
}
