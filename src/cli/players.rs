//! `pdn players`: spellings of the same person or event.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::context::Context;
use super::options::{Files, Format, formats};
use super::output::Output;
use super::words::count;
use crate::error::{Error, Result};
use crate::notation::alias_line;
use crate::query::{NameKind, NameQuery};
use crate::records::SpellingRow;
use crate::text::printable;

/// What `pdn players` can write.
const FORMATS: [(Format, &str); 2] =
    [(Format::Text, "A line for each spelling"), (Format::Json, "One JSON object for each spelling")];

/// Suggest which spellings belong to the same person
///
/// Names are compared by surname, given names or initials in any order, transcription (Cyrillic too), accents, titles and
/// typing slips. Two people who played each other, or in the same round of an event, are never joined, and a name that could
/// belong to two people is joined to neither. Each line is `alias = name`, where the name is the fullest and most frequent
/// spelling, with the reason, the number of games under both, and the events and years of the alias.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn players archive/
  pdn players --write-aliases names.txt games.pdn
  pdn event --aliases names.txt games.pdn
  pdn players --events --write-aliases events.txt archive/
  pdn players --format json games.pdn

The file of --write-aliases has a line `alias = name` for each spelling, and its evidence as a comment
before it. Remove the lines that are wrong; every command reads the file with --aliases.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Compare the names of events instead; the round in a name such as `Club - ronde 7` is ignored
    #[arg(long)]
    events: bool,
    /// Write the suggestions to FILE, for --aliases
    #[arg(long, value_name = "FILE")]
    pub(super) write_aliases: Option<PathBuf>,
    /// Replace a file of aliases that exists
    #[arg(long, requires = "write_aliases")]
    yes: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = formats(FORMATS))]
    format: Format,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    // The lines of an existing file were perhaps corrected by hand.
    if let Some(path) = options.write_aliases.as_deref().filter(|path| path.is_file() && !options.yes) {
        return Err(Error::usage(format!("{} exists: use --yes to replace it, or another name", path.display())));
    }
    let query = NameQuery::new(if options.events { NameKind::Events } else { NameKind::Players });
    let mut names = query.collection();
    context.each(&options.files, query, |_, found| {
        names.add(&found);
        Ok(())
    })?;
    let spellings = names.spellings() as u64;
    let rows = names.proposals();
    for row in &rows {
        context.answer(options.format, row, || {
            format!("{}  ({})\n", printable(&alias_line(&row.alias, &row.name)), printable(&evidence(row)))
        })?;
    }
    if let Some(path) = &options.write_aliases {
        let mut out = Output::new(Some(path))?;
        for row in &rows {
            out.text(&format!("# {}\n{}\n", printable(&evidence(row)), alias_line(&row.alias, &row.name)))?;
        }
        if context.has_failed() {
            out.discard();
        } else {
            out.finish()?;
        }
    }
    let names = count(spellings - rows.len() as u64, if options.events { "event" } else { "player" });
    context.inform(&format!("{}: {names}", count(spellings, "spelling")));
    Ok(())
}

/// Returns why two spellings are taken for the same name.
fn evidence(row: &SpellingRow) -> String {
    let [one, other] = row.games;
    let mut text = format!("{}; {one} and {other} games", row.reason);
    if let Some(event) = &row.event {
        text.push_str("; ");
        text.push_str(event);
        if row.events > 1 {
            // Writing to a string cannot fail, here and below.
            let _ = write!(text, " and {} more", row.events - 1);
        }
    }
    if let Some([first, last]) = row.years {
        let _ = write!(text, "; {first}");
        if last != first {
            let _ = write!(text, "–{last}");
        }
    }
    text
}
