//! `pdn stats`: statistics of a collection.

use clap::Args;

use super::context::Context;
use super::openings::Names;
use super::options::{Csv, Files, Format, formats};
use super::words::Table;
use crate::error::Result;
use crate::export::{CsvCell, CsvOptions};
use crate::query::{StatsOptions, StatsQuery};
use crate::records::{CountRow, ResultsRow, ShotsRow, StatsRow};

/// Default number of rows in each table.
const DEFAULT_ROWS: usize = 10;

/// What `pdn stats` can write.
const FORMATS: [(Format, &str); 3] =
    [(Format::Table, "Tables"), (Format::Csv, "A row for each line of the tables"), (Format::Json, "One JSON object")];

/// Show statistics of a collection
///
/// Counts games by variant, year, event, player, result, length, first moves and opening name, and counts captures, king moves
/// and diagnostics. The table shows the largest groups; the JSON object has all of them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn stats archive/
  pdn stats --top 25 games.pdn
  pdn stats --format json archive/ -o stats.json
  pdn stats --names openings.txt archive/

`pdn openings --help` describes files of names.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = formats(FORMATS))]
    format: Format,
    #[command(flatten)]
    csv: Csv,
    #[command(flatten)]
    what: StatsOptions,
    #[command(flatten)]
    names: Names,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let query = StatsQuery::new(options.names.read(context)?).shots(options.what.shots);
    let stats = context.sum(&options.files, query)?;
    let rows = if options.format == Format::Table { DEFAULT_ROWS } else { usize::MAX };
    let row = stats.row(options.what.top.unwrap_or(rows));
    context.answer_or_csv(options.format, &row, || csv(&row, options.csv.options()), || tables(&row))
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}

fn tables(row: &StatsRow) -> String {
    let mut texts = vec![summary(row).text()];
    let lists = [("VARIANT", &row.variants), ("YEAR", &row.years), ("EVENT", &row.events)];
    texts.extend(
        lists.into_iter().filter(|(_, rows)| !rows.is_empty()).map(|(name, rows)| counts(name, rows, row.games)),
    );
    let first_moves = row.openings.iter().map(|row| (&*row.moves, row.variant, row.games, row.results));
    let named = row.named_openings.iter().map(|row| (&*row.name, row.variant, row.games, row.results));
    let openings = [openings("OPENING", first_moves), openings("NAMED OPENING", named)];
    texts.push(players(row));
    texts.extend(openings);
    if let Some(shots) = &row.shots {
        let total = shots.names.iter().map(|row| row.games).sum();
        // The table is made like those of games, but counts shots.
        let table = |(name, rows): (&str, &Vec<CountRow>)| {
            counts(&name.to_uppercase(), rows, total).replacen("GAMES", "SHOTS", 1)
        };
        texts.extend(shot_counts(shots).map(table));
    }
    texts.push(diagnostics(row));
    // One line is the header of a table without rows.
    texts.retain(|text| text.lines().count() > 1);
    texts.join("\n")
}

/// The tables of shots, with their names.
fn shot_counts(shots: &ShotsRow) -> [(&'static str, &Vec<CountRow>); 4] {
    let ShotsRow { names, players, openings, years, .. } = shots;
    [("shot", names), ("shot by player", players), ("shot by opening", openings), ("shot by year", years)]
}

/// The numbers of the summary, with their names.
fn totals(row: &StatsRow) -> [(&'static str, u64); 14] {
    [
        ("games", row.games),
        ("replayed to the end", row.replayed_games),
        ("White wins", row.results.white_wins),
        ("draws", row.results.draws),
        ("Black wins", row.results.black_wins),
        ("other results", row.results.unknown),
        ("moves", row.plies),
        ("captures", row.captures),
        ("moves by kings", row.king_moves),
        ("promotions", row.promotions),
        ("games with kings", row.games_with_kings),
        ("shortest game", row.length.least),
        ("median length", row.length.median),
        ("longest game", row.length.most),
    ]
}

fn summary(row: &StatsRow) -> Table {
    let mut table = Table::new(&["WHAT", "#NUMBER", "#SHARE"]);
    for (name, number) in totals(row) {
        let share = match name {
            "games" | "moves" | "promotions" | "shortest game" | "median length" | "longest game" => String::new(),
            "captures" | "moves by kings" => percent(number, row.plies),
            _ => percent(number, row.games),
        };
        table.row([name.to_owned(), number.to_string(), share]);
    }
    table
}

fn counts(name: &str, rows: &[CountRow], games: u64) -> String {
    let mut table = Table::new(&[name, "#GAMES", "#SHARE"]);
    for row in rows {
        let name = row.name.clone().unwrap_or_else(|| "(unknown)".to_owned());
        table.row([name, row.games.to_string(), percent(row.games, games)]);
    }
    table.text()
}

fn players(row: &StatsRow) -> String {
    let mut table = Table::new(&["PLAYER", "#GAMES", "#WINS", "#DRAWS", "#LOSSES"]);
    for player in &row.players {
        let numbers = [player.games, player.wins, player.draws, player.losses].map(|number| number.to_string());
        table.row(std::iter::once(player.name.clone()).chain(numbers));
    }
    table.text()
}

/// Returns a table of openings, each with its name, its variant, its games and their results.
fn openings<'a>(head: &str, rows: impl Iterator<Item = (&'a str, &'a str, u64, ResultsRow)>) -> String {
    let mut table = Table::new(&[head, "VARIANT", "#GAMES", "#WHITE WINS", "#DRAWS", "#BLACK WINS"]);
    for (name, variant, games, results) in rows {
        let numbers = [games, results.white_wins, results.draws, results.black_wins];
        let names = [name, variant].map(str::to_owned);
        table.row(names.into_iter().chain(numbers.map(|number| number.to_string())));
    }
    table.text()
}

fn diagnostics(row: &StatsRow) -> String {
    let mut table = Table::new(&["DIAGNOSTIC", "SEVERITY", "#COUNT"]);
    for code in &row.diagnostics.codes {
        table.row([code.code.to_string(), code.code.severity().to_string(), code.count.to_string()]);
    }
    table.text()
}

/// Returns all tables as one: the name of each, of its line, and its numbers. Wins and losses are those of a player, or of White.
fn csv(row: &StatsRow, options: CsvOptions) -> Vec<u8> {
    let mut text = options.header(["table", "name", "variant", "number", "wins", "draws", "losses"]);
    let mut add = |table: &str, name: &str, variant: &str, number: u64, points: Option<[u64; 3]>| {
        let points = points.map_or_else(Default::default, |points| points.map(|number| number.to_string()));
        let names = [table, name, variant].map(CsvCell::text).into_iter();
        text.extend(options.line(names.chain([CsvCell::number(number)]).chain(points.map(CsvCell::number))));
    };
    for (name, number) in totals(row) {
        add("summary", name, "", number, None);
    }
    let mut lists = vec![("variant", &row.variants), ("year", &row.years), ("event", &row.events)];
    lists.extend(row.shots.iter().flat_map(shot_counts));
    for (table, rows) in lists {
        for row in rows {
            add(table, row.name.as_deref().unwrap_or_default(), "", row.games, None);
        }
    }
    for player in &row.players {
        add("player", &player.name, "", player.games, Some([player.wins, player.draws, player.losses]));
    }
    let points = |results: ResultsRow| Some([results.white_wins, results.draws, results.black_wins]);
    for row in &row.openings {
        add("opening", &row.moves, row.variant, row.games, points(row.results));
    }
    for row in &row.named_openings {
        add("named opening", &row.name, row.variant, row.games, points(row.results));
    }
    for code in &row.diagnostics.codes {
        add("diagnostic", code.code.name(), "", code.count, None);
    }
    text
}
