//! `pdn openings`: trees of moves with their scores.

use clap::{Args, ValueEnum};

use super::context::{Context, Status, Step};
use super::opening_names::Names;
use super::options::Files;
use super::table::Table;
use super::words::count;
use crate::error::{Error, Result};
use crate::pdn::{AsWritten, WriteOptions, write_game};
use crate::query::{Openings, OpeningsQuery, Scan};
use crate::records::{BranchRow, TreeRow};
use crate::rules::{Position, Variant};
use crate::text::printable;

/// Show which moves were played from the start or from a position, and how they scored
///
/// Sequences of moves that lead to the same position are joined: a position counts every game that reaches it within the
/// tree, and its moves are listed once. The score is that of the side that moves, in games with a known result.
///
/// Games of other variants than --variant are left out; without it, those of other variants than
/// the commonest one. The names of openings are shown where the program or --names has them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn openings games.pdn
  pdn openings --plies 8 --min-games 20 archive/
  pdn openings --fen W:W28,32-50:B1-18,20,23 games.pdn
  pdn openings --plies 6 --format pdn archive/ -o tree.pdn
  pdn openings --plies 6 --names openings.txt archive/

\
A file of names has a line `MOVES = NAME` for each opening, such as
`11-15 23-19 8-11 22-17 4-8 = Old Fourteenth`. A line such as `[english]` names the variant of the
lines after it; lines that begin with `#` are comments.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Begin at this position, wherever games reach it
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Depth of the tree
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=60))]
    plies: u8,
    /// Leave out moves played in fewer games
    #[arg(long, value_name = "N", default_value_t = 1, alias = "least")]
    min_games: u64,
    #[command(flatten)]
    names: Names,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table
    Table,
    /// One JSON object
    Json,
    /// A game with variations
    Pdn,
}

impl Options {
    pub(super) fn wants_json(&self) -> bool {
        self.format == Format::Json
    }

    fn root(&self, context: &Context) -> Result<Option<Position>> {
        let variant = context.variant.unwrap_or(Variant::INTERNATIONAL);
        let read =
            |fen: &String| Position::from_fen(variant, fen).map_err(|error| Error::usage(format!("--fen: {error}")));
        self.fen.as_ref().map(read).transpose()
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let (root, plies) = (options.root(context)?, usize::from(options.plies));
    let names = options.names.read(context)?;
    let query = OpeningsQuery::new(root, plies);
    let mut openings = Openings::default();
    let work = Scan::new(&query, context.check_options(&options.files));
    context.read(&options.files, &work, |_, step| {
        if let Step::Done(done) = step {
            openings += done;
        }
        Ok(())
    })?;
    let variant = context.variant.or_else(|| openings.commonest()).unwrap_or(Variant::INTERNATIONAL);
    let others = openings.variants() as u64;
    if others > 1 {
        context.inform(&format!(
            "the tree is that of {variant}; games of {} are left out",
            count(others - 1, "other variant")
        ));
    }
    let root = root.unwrap_or_else(|| Position::start(variant));
    let tree = openings.tree(&root, plies, options.min_games, &names);
    match options.format {
        Format::Json => context.json(&tree)?,
        Format::Table => context.out.text(&table(&tree, &root))?,
        Format::Pdn => {
            let text = write_game(&tree.game(&root), WriteOptions::default(), &AsWritten);
            context.out.text(&text)?;
        }
    }
    Ok(Status::Clean)
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
        let dots = if ply.is_multiple_of(2) { "." } else { "..." };
        let name = format!("{:indent$}{}{dots} {}", "", ply / 2 + 1, row.notation, indent = 2 * depth);
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
