//! `pdn event`: the tables of a tournament.

mod text;

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::context::{Context, Status, Step};
use super::options::Files;
use crate::diag::Severity;
use crate::error::{Error, Result};
use crate::export::{event_csv, event_html};
use crate::query::{EventOptions, EventQuery, Scan, TieBreak, Tournament};
use crate::records::EventRow;

/// Show the standings of a tournament and report problems in its records
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
    #[arg(long, value_name = "W-D-L", default_value = "2-1-0", value_parser = parse_points)]
    points: Points,
    /// Tie-breaks between players with equal points, in this order
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "wins,mutual,sonneborn-berger,solkoff")]
    tie_breaks: Vec<Decision>,
    /// Read spellings of names from FILE
    #[arg(long, value_name = "FILE")]
    aliases: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug)]
struct Points([u32; 3]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Standings, cross table and diagnostics
    Text,
    /// Standings
    Csv,
    /// A page
    Html,
    /// One JSON object
    Json,
    /// A spreadsheet with a sheet for each table
    Xlsx,
}

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
    pub(super) fn wants_json(&self) -> bool {
        self.format == Format::Json
    }

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
    let work = Scan::new(&EventQuery, context.check_options(&options.files));
    context.read(&options.files, &work, |_, step| {
        if let Step::Done(done) = step {
            games.extend(done);
        }
        Ok(())
    })?;
    let event = Tournament::new(games, scoring).row();
    match options.format {
        Format::Text => context.out.text(&text::text(&event))?,
        Format::Csv => context.out.bytes(&event_csv(&event))?,
        Format::Html => context.out.text(&event_html(&event))?,
        Format::Json => context.json(&event)?,
        Format::Xlsx => write_xlsx(&event, context)?,
    }
    let has_errors = event.diagnostics.iter().any(|row| row.severity == Severity::Error);
    Ok(if has_errors { Status::Errors } else { Status::Clean })
}

/// Returns an error if this build or the destination does not take spreadsheets.
fn can_write_xlsx(context: &Context) -> Result<()> {
    if !cfg!(feature = "xlsx") {
        return Err(Error::usage("this build cannot write XLSX: it needs the feature `xlsx`"));
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
