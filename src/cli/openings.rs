//! `pdn openings`: trees of moves with their scores.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::context::Context;
use super::options::{ADVANCED, Csv, Files, Format, formats};
use super::words::{Table, count};
use crate::error::{Error, Result};
use crate::export::{CsvCell, CsvOptions};
use crate::pdn::{WriteOptions, WrittenNumber, write_game};
use crate::query::{OpeningsOptions, OpeningsQuery};
use crate::records::{BranchRow, OpeningNames, ResultsRow, TreeRow};
use crate::rules::{Position, Variant};
use crate::text::printable;

/// What `pdn openings` can write.
const FORMATS: [(Format, &str); 4] = [
    (Format::Table, "A table"),
    (Format::Csv, "A row for each move"),
    (Format::Json, "One JSON object"),
    (Format::Pdn, "A game with variations"),
];

/// The columns of CSV.
const COLUMNS: [&str; 12] = [
    "ply",
    "line",
    "games",
    "white_wins",
    "draws",
    "black_wins",
    "unknown",
    "score",
    "average_rating",
    "last_year",
    "name",
    "fen",
];

/// Show the moves played from a position, and how they scored
///
/// Different move orders that reach the same position are merged: a position counts every game that reaches it within the tree,
/// and its moves are listed once. The score is that of the side that moves, in games with a known result.
///
/// The games of the most common variant are counted; with --variant, every game is read as that variant. Opening names are shown
/// if they are built in or in the file given by --names.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn openings games.pdn
  pdn openings --plies 8 --min-games 20 archive/
  pdn openings --fen W:W28,32-50:B1-18,20,23 games.pdn
  pdn openings --plies 6 --format pdn archive/ -o tree.pdn
  pdn openings --plies 6 --names openings.txt archive/

\
A file of opening names has a line `MOVES = NAME` for each opening, such as
`11-15 23-19 8-11 22-17 4-8 = Old Fourteenth`. A line such as `[english]` sets the variant of the
lines after it; lines that begin with `#` are comments.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    tree: OpeningsOptions,
    #[command(flatten)]
    names: Names,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = formats(FORMATS))]
    format: Format,
    #[command(flatten)]
    csv: Csv,
}

/// The option for a file of opening names.
#[derive(Debug, Args)]
pub(super) struct Names {
    /// File of opening names, which take precedence over the built-in ones
    #[arg(long, value_name = "FILE", help_heading = ADVANCED)]
    pub(super) names: Option<PathBuf>,
}

impl Names {
    /// Returns the built-in names and the names in the file, whose invalid lines are reported and skipped.
    pub(super) fn read(&self, context: &mut Context) -> Result<Arc<OpeningNames>> {
        let mut names = OpeningNames::built_in();
        let Some(path) = &self.names else { return Ok(Arc::new(names)) };
        let text = std::fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
        for problem in names.add(&text, context.rules()) {
            let line = problem.line();
            context.report(&Error::usage(format!("{}:{line}: {problem}", path.display())));
        }
        Ok(Arc::new(names))
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let read = |fen| Position::from_fen(context.rules(), fen).map_err(|error| Error::usage(format!("--fen: {error}")));
    let (root, plies) = (options.tree.fen.as_deref().map(read).transpose()?, usize::from(options.tree.plies));
    let names = options.names.read(context)?;
    let query = OpeningsQuery::new(root, plies);
    let openings = context.sum(&options.files, query)?;
    let variant = context.variant.or_else(|| openings.commonest()).unwrap_or(Variant::INTERNATIONAL);
    let others = openings.variants() as u64;
    if others > 1 {
        context.inform(&format!(
            "the tree contains only games of {variant}; games of {} are left out",
            count(others - 1, "other variant")
        ));
    }
    let root = root.unwrap_or_else(|| Position::start(variant));
    let tree = openings.tree(&root, plies, options.tree.min_games, &names);
    let csv = || csv(&tree, &root, options.csv.options());
    context.answer_or_csv(options.format, &tree, csv, || match options.format {
        Format::Pdn => write_game(&tree.game(&root), WriteOptions::default()),
        _ => table(&tree, &root),
    })
}

fn table(tree: &TreeRow, root: &Position) -> String {
    let mut table = Table::new(&["MOVE", "#GAMES", "#SCORE", "#WHITE", "#DRAWS", "#BLACK", "#RATING", "#YEAR", "NAME"]);
    let ply = usize::from(root.turn() != root.variant().starts());
    add_rows(&mut table, &tree.moves, ply, 0);
    let name = tree.name.as_ref().map_or_else(String::new, |name| format!(", {}", printable(name)));
    format!("{}, {}{name}\n\n{}", tree.fen, count(tree.games, "game"), table.text())
}

fn add_rows(table: &mut Table, moves: &[BranchRow], ply: usize, depth: usize) {
    for row in moves {
        let name = format!("{:indent$}{} {}", "", WrittenNumber::of_ply(ply), row.notation, indent = 2 * depth);
        let text = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        table.row([
            name,
            row.games.to_string(),
            row.score().map_or_else(|| "-".to_owned(), |score| format!("{:.1} %", score * 100.0)),
            row.results.white_wins.to_string(),
            row.results.draws.to_string(),
            row.results.black_wins.to_string(),
            text(row.average_rating),
            text(row.last_year.map(u64::from)),
            row.name.clone().unwrap_or_default(),
        ]);
        add_rows(table, &row.moves, ply + 1, depth + 1);
    }
}

fn csv(tree: &TreeRow, root: &Position, options: CsvOptions) -> Vec<u8> {
    let mut text = options.header(COLUMNS);
    let ply = usize::from(root.turn() != root.variant().starts());
    add_lines(&mut text, &tree.moves, (ply, 1), ("", options));
    text
}

/// Adds the rows of moves after a line, at a ply of the count of move numbers and at one of the tree.
fn add_lines(
    text: &mut Vec<u8>,
    moves: &[BranchRow],
    (ply, own): (usize, usize),
    (before, options): (&str, CsvOptions),
) {
    for row in moves {
        let number = WrittenNumber::in_line(ply, own == 1).map_or_else(String::new, |number| format!("{number} "));
        let line = format!("{before}{number}{}", row.notation);
        let optional = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
        let ResultsRow { white_wins, draws, black_wins, unknown } = row.results;
        let counts = [row.games, white_wins, draws, black_wins, unknown].map(CsvCell::number);
        let first = [CsvCell::number(own), CsvCell::text(&line)];
        let last = [
            CsvCell::number(row.score().map_or_else(String::new, |score| format!("{score:.3}"))),
            CsvCell::number(optional(row.average_rating)),
            CsvCell::number(optional(row.last_year.map(u64::from))),
            CsvCell::text(row.name.as_deref().unwrap_or_default()),
            CsvCell::text(&row.fen),
        ];
        text.extend(options.line(first.into_iter().chain(counts).chain(last)));
        add_lines(text, &row.moves, (ply + 1, own + 1), (&format!("{line} "), options));
    }
}
