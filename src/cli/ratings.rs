//! `pdn ratings`: ratings of players from their results.

use clap::Args;

use super::context::Context;
use super::options::{Csv, Files, Format, formats};
use super::words::{Table, count, counted};
use crate::error::Result;
use crate::export::{CsvCell, CsvOptions};
use crate::query::{RatingsOptions, ResultsQuery};
use crate::records::{RatingRow, RatingsRow};

/// What `pdn ratings` can write.
const FORMATS: [(Format, &str); 3] =
    [(Format::Table, "A table"), (Format::Csv, "A row for each player"), (Format::Json, "One JSON object")];

/// The columns of CSV.
const COLUMNS: [&str; 10] =
    ["rank", "name", "rating", "error", "games", "wins", "draws", "losses", "points", "opponents"];

/// Rate players by the results of their games
///
/// The ratings are the strengths in Elo under which the results are likeliest, a draw being half a win; their mean is 2000, or a
/// player's rating is given with --anchor. Every game counts that was played and has two names and a result, whatever its
/// date. The error is half the width of the 95 % confidence interval, with the ratings of the opponents taken as exact.
///
/// A player who won or lost everything has no rating, and neither have players who are not tied to the others by results: the largest
/// group is rated in which points went from each player to each other, directly or by way of others.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn ratings games.pdn
  pdn ratings games.pdn --anchor 'builtin=2000' --min-games 20
  pdn ratings archive/ --aliases aliases.txt -o ratings.csv")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    what: RatingsOptions,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = formats(FORMATS))]
    format: Format,
    #[command(flatten)]
    csv: Csv,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let results = context.sum(&options.files, ResultsQuery)?;
    if results.same() > 0 {
        let games = counted(
            results.same(),
            "game with the same name for both players is",
            "games with the same name for both players are",
        );
        context.inform(&format!("{games} not counted"));
    }
    let row = results.ratings(&options.what)?;
    context.answer_or_csv(options.format, &row, || csv(&row, options.csv.options()), || table(&row))
}

fn decimal(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.1}"))
}

fn cells(row: &RatingRow) -> [String; 10] {
    let rank = row.rank.map_or_else(String::new, |rank| rank.to_string());
    let [games, wins, draws, losses] = [row.games, row.wins, row.draws, row.losses].map(|number| number.to_string());
    let points = format!("{:.1}", row.points);
    let (name, opponents) = (row.name.clone(), decimal(row.opponents));
    [rank, name, decimal(row.rating), decimal(row.error), games, wins, draws, losses, points, opponents]
}

fn csv(row: &RatingsRow, options: CsvOptions) -> Vec<u8> {
    let line = |row| {
        let cells = COLUMNS.into_iter().zip(cells(row));
        options.line(
            cells.map(|(column, cell)| if column == "name" { CsvCell::text(cell) } else { CsvCell::number(cell) }),
        )
    };
    options.header(COLUMNS).into_iter().chain(row.players.iter().flat_map(line)).collect()
}

fn table(row: &RatingsRow) -> String {
    let header = ["#RANK", "PLAYER", "#RATING", "#±", "#GAMES", "#WINS", "#DRAWS", "#LOSSES", "#POINTS", "#OPPONENTS"];
    let mut table = Table::new(&header);
    for player in &row.players {
        table.row(cells(player).map(|cell| if cell.is_empty() { "-".to_owned() } else { cell }));
    }
    let (games, players) = (count(row.games, "game"), count(row.rated, "rated player"));
    // Without games, the share is 0 %, not NaN.
    let share = 100.0 * row.draws as f64 / row.games.max(1) as f64;
    format!("{games}, {share:.1} % drawn, {players}\n\n{}", table.text())
}
