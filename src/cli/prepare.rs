//! `pdn prepare`: the report on a player.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Args;

use super::context::Context;
use super::openings::Names;
use super::options::{Endgames, Files, Format, formats};
use super::words::{Table, count};
use crate::error::{Error, Result};
use crate::export::preparation_tables;
use crate::query::{PreparationOptions, PreparationQuery};
use crate::records::PreparationRow;
use crate::report::{PreparationPage, prepare_texts};
use crate::text::{Language, printable};

/// What `pdn prepare` can write.
const FORMATS: [(Format, &str); 3] =
    [(Format::Text, "Tables"), (Format::Json, "One JSON object"), (Format::Html, "A page")];

/// Report on a player: repertoire, results, accuracy, shots, endgames
///
/// For each colour: the openings and the moves as a tree, with scores and years, and what changed in the last two years. Then
/// results by the length of games, the phase in which they ended, and time trouble, if the records have clocks; accuracy by
/// phase, if they have evaluations; shots that were played, missed, suffered and allowed; endgames that were won, held and
/// lost, by the endgame databases; and five games to look at. All scores are the player's.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn prepare --player Glance archive/
  pdn prepare --player glance --plies 12 games.pdn -o glance.html
  pdn prepare --player glance --aliases names.txt --format json archive/

If a name in the records is exactly NAME, apart from case and accents, the report is about the games under this name. Otherwise it is \
about all names that contain NAME. `pdn players --write-aliases` proposes a file for --aliases.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    #[command(flatten)]
    report: PreparationOptions,
    #[command(flatten)]
    names: Names,
    /// Language of the report
    #[arg(long, value_name = "LANG", default_value_t)]
    lang: Language,
    /// Output format, if the name of the output file does not determine it
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = formats(FORMATS))]
    format: Format,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let report = &options.report;
    if report.player.trim().is_empty() {
        return Err(Error::usage("--player: expected a name"));
    }
    let names = options.names.read(context)?;
    let query = PreparationQuery::new(report, Arc::clone(&names), context.databases(context.variant));
    let mut found = context.sum(&options.files, query)?;
    let row = found.row(context.variant, report, &names);
    if row.score.games == 0 {
        context.out.discard();
        return Err(Error::unavailable(format!("no game of a player whose name contains `{}`", report.player)));
    }
    inform(&row, found.left_out(&row), context);
    match options.format {
        Format::Html => context.out.text(&PreparationPage::new(options.lang).html(&row)),
        format => context.answer(format, &row, || text(&row, options.lang)),
    }
}

/// Prints which games the report is about, if that is not obvious.
fn inform(row: &PreparationRow, left_out: u64, context: &Context) {
    if row.names.len() > 1 {
        let names: Vec<_> = row.names.iter().filter_map(|name| name.name.as_deref()).take(5).collect();
        let more = if row.names.len() > names.len() { ", …" } else { "" };
        let players = count(row.names.len() as u64, "player");
        context.inform(&format!("{players} fit the name: {}{more}", names.join("; ")));
    }
    if left_out > 0 {
        context
            .inform(&format!("left out: {} (other name or variant, too old, or not played)", count(left_out, "game")));
    }
}

fn text(row: &PreparationRow, language: Language) -> String {
    let texts = prepare_texts(language);
    let word = |name: &str| texts.of(name).to_owned();
    let names: Vec<_> = row.names.iter().filter_map(|name| name.name.as_deref()).collect();
    let mut all = format!("{}\n", printable(names.first().copied().unwrap_or(&row.player)));
    for table in preparation_tables(row, language.code(), &word) {
        let name = |(n, name): (usize, &String)| {
            let numeric = if table.is_number(n) { "#" } else { "" };
            format!("{numeric}{}", word(name).to_uppercase())
        };
        let mut shown = Table::new(&table.header.iter().enumerate().map(name).collect::<Vec<_>>());
        table.rows.into_iter().for_each(|row| shown.row(row));
        // Writing to a string cannot fail.
        let _ = write!(all, "\n{}\n\n{}", word(table.title), shown.text());
    }
    all
}
