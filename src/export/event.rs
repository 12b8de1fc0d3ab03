//! Tournaments as tables.

use std::fmt::Write as _;

use ::csv::{Terminator, WriterBuilder};

use super::csv::CsvOptions;
use crate::records::{EventRow, StandingRow};

/// Names of the columns of standings.
const COLUMNS: [&str; 12] = [
    "rank",
    "name",
    "games",
    "wins",
    "draws",
    "losses",
    "points",
    "mutual",
    "sonneborn_berger",
    "solkoff",
    "rating",
    "performance",
];

/// Returns the standings of a tournament as text cells, a row for each player.
pub(crate) fn standings_cells(event: &EventRow) -> Vec<[String; 12]> {
    let optional = |number: Option<i64>| number.map_or_else(String::new, |number| number.to_string());
    let row = |row: &StandingRow| {
        [
            row.rank.to_string(),
            row.name.clone(),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.points.to_string(),
            row.mutual.to_string(),
            row.sonneborn_berger.to_string(),
            row.solkoff.to_string(),
            optional(row.rating.map(i64::from)),
            optional(row.performance),
        ]
    };
    event.players.iter().map(row).collect()
}

/// Returns the standings of a tournament as CSV. Names that a spreadsheet would treat as a formula get an apostrophe.
pub(crate) fn event_csv(event: &EventRow) -> Vec<u8> {
    let options = CsvOptions::default().escape_formulas(true);
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(COLUMNS);
    for mut cells in standings_cells(event) {
        cells[1] = options.text(&cells[1]).into_owned();
        let _ = writer.write_record(&cells);
    }
    writer.into_inner().unwrap_or_default()
}

/// Returns the cells of the cross table: for each player, in the order of the standings, the points against each other.
pub(super) fn cross_table(event: &EventRow) -> Vec<Vec<String>> {
    let places: std::collections::HashMap<&str, usize> =
        event.players.iter().enumerate().map(|(place, row)| (row.name.as_str(), place)).collect();
    let mut cells = vec![vec![String::new(); event.players.len()]; event.players.len()];
    for game in &event.pairings {
        let (Some(&white), Some(&black)) = (places.get(game.white.as_str()), places.get(game.black.as_str())) else {
            continue;
        };
        let points =
            game.points.map_or(["*".to_owned(), "*".to_owned()], |points| points.map(|points| points.to_string()));
        for ((one, other), text) in [(white, black), (black, white)].into_iter().zip(points) {
            // Names come from records: a player may be paired with himself (`event/same-player`).
            if one != other {
                let cell = &mut cells[one][other];
                // In a match, or a round robin with two rounds, opponents meet more than once.
                cell.push_str(if cell.is_empty() { "" } else { " " });
                cell.push_str(&text);
            }
        }
    }
    cells
}

/// Maximum number of players for a cross table.
const MAX_CROSS_TABLE: usize = 60;

/// Largest number of rounds of a table by rounds.
const MAX_ROUNDS: usize = 40;

/// A table in which fewer of the possible pairs met, in percent, is shown by rounds.
const MET_SHARE: usize = 75;

/// The games played: against each other player, or by rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Crossing {
    /// A cell for each other player, in the order of the standings: the points against that one.
    Opponents(Vec<Vec<String>>),
    /// The rounds, and a cell for each: the rank of the opponent, the colour, and the result (`+`, `=`, `-`).
    Rounds(Vec<String>, Vec<Vec<String>>),
    /// The reason why there is neither.
    Nothing(String),
}

impl Crossing {
    /// Returns the table that suits a tournament: a Swiss tournament is shown by rounds.
    pub(crate) fn of(event: &EventRow, max_players: usize) -> Self {
        let players = event.players.len();
        let met: std::collections::HashSet<_> = event
            .pairings
            .iter()
            .filter(|game| game.white != game.black)
            .map(|game| if game.white < game.black { [&game.white, &game.black] } else { [&game.black, &game.white] })
            .collect();
        let is_dense = met.len() * 100 >= players * players.saturating_sub(1) / 2 * MET_SHARE;
        let rounds = event.rounds.unwrap_or_default();
        let fits = players <= max_players.min(MAX_CROSS_TABLE);
        if players < 2 {
            Self::Nothing("no cross table: fewer than two players".to_owned())
        } else if fits && (is_dense || rounds == 0) {
            Self::Opponents(cross_table(event))
        } else if (1..=MAX_ROUNDS).contains(&rounds) {
            let (names, rows) = round_table(event);
            Self::Rounds(names, rows)
        } else if rounds == 0 {
            Self::Nothing(format!("no cross table: {players} players, and the records have no rounds"))
        } else {
            Self::Nothing(format!("no cross table: {players} players and {rounds} rounds"))
        }
    }
}

/// Returns the rounds in their order, and for each player, in the order of the standings, the games in each.
fn round_table(event: &EventRow) -> (Vec<String>, Vec<Vec<String>>) {
    let mut rounds: Vec<String> = event.pairings.iter().filter_map(|game| game.round.clone()).collect();
    rounds.dedup();
    let columns: std::collections::HashMap<&str, usize> =
        rounds.iter().enumerate().map(|(column, round)| (round.as_str(), column)).collect();
    let places: std::collections::HashMap<&str, usize> =
        event.players.iter().enumerate().map(|(place, row)| (row.name.as_str(), place)).collect();
    let mut rows = vec![vec![String::new(); rounds.len()]; event.players.len()];
    for game in &event.pairings {
        let column = game.round.as_deref().and_then(|round| columns.get(round));
        let (Some(&column), Some(&white), Some(&black)) =
            (column, places.get(game.white.as_str()), places.get(game.black.as_str()))
        else {
            continue;
        };
        for (own, other, colour, side) in [(white, black, 'w', 0), (black, white, 'b', 1)] {
            let sign = game.points.map_or('*', |points| match points[side].cmp(&points[1 - side]) {
                std::cmp::Ordering::Greater => '+',
                std::cmp::Ordering::Equal => '=',
                std::cmp::Ordering::Less => '-',
            });
            let cell = &mut rows[own][column];
            cell.push_str(if cell.is_empty() { "" } else { " " });
            // Writing to a string cannot fail.
            let _ = write!(cell, "{}{colour}{sign}", other + 1);
        }
    }
    (rounds, rows)
}

/// A table as text: its title and the names of its columns are keys of the texts of pages.
pub(crate) struct TextTable {
    pub(crate) title: &'static str,
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl TextTable {
    pub(super) fn new(title: &'static str, header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Self {
        Self { title, header: header.iter().map(|&name| name.to_owned()).collect(), rows: rows.collect() }
    }

    /// Returns true if a column, counted from 0, has numbers, shares of them, or dashes for what is unknown.
    pub(crate) fn is_number(&self, column: usize) -> bool {
        let is_number =
            |cell: &str| !cell.is_empty() && cell.chars().all(|c| c.is_ascii_digit() || " %-./".contains(c));
        column > 0 && self.rows.iter().all(|row| row.get(column).is_some_and(|cell| is_number(cell)))
    }
}

/// Returns the tables of a tournament that have rows: standings, cross table, matches, games and diagnostics.
pub(crate) fn sheets(event: &EventRow) -> Vec<TextTable> {
    let mut all = vec![standings(event)];
    all.push(cross(event));
    all.extend([matches(event), games(event), diagnostics(event)]);
    all.retain(|sheet| !sheet.rows.is_empty());
    all
}

fn standings(event: &EventRow) -> TextTable {
    let header = COLUMNS.map(|name| name.replace('_', " "));
    TextTable::new(
        "Standings",
        &header.each_ref().map(String::as_str),
        standings_cells(event).into_iter().map(Vec::from),
    )
}

fn cross(event: &EventRow) -> TextTable {
    let (columns, rows) = match Crossing::of(event, MAX_CROSS_TABLE) {
        Crossing::Opponents(rows) => ((1..=event.players.len()).map(|n| n.to_string()).collect(), rows),
        Crossing::Rounds(rounds, rows) => (rounds, rows),
        Crossing::Nothing(_) => (Vec::new(), Vec::new()),
    };
    let header: Vec<_> = ["", "name"].into_iter().chain(columns.iter().map(String::as_str)).collect();
    let players = (1..).zip(&event.players).map(|(n, row)| [n.to_string(), row.name.clone()]);
    let rows = players.zip(rows).map(|(player, cells)| player.into_iter().chain(cells).collect());
    TextTable::new("Cross table", &header, rows)
}

fn matches(event: &EventRow) -> TextTable {
    let rows = event.matches.iter().map(|row| {
        let [one, other] = row.points;
        vec![
            row.round.clone().unwrap_or_default(),
            row.teams.join(" – "),
            format!("{one}–{other}"),
            row.games.to_string(),
        ]
    });
    TextTable::new("Matches", &["round", "teams", "points", "games"], rows)
}

fn games(event: &EventRow) -> TextTable {
    let rows = event.pairings.iter().map(|row| {
        let points = row.points.map_or_else(|| "*".to_owned(), |[one, other]| format!("{one}–{other}"));
        vec![row.round.clone().unwrap_or_default(), format!("{} – {}", row.white, row.black), points]
    });
    TextTable::new("Games", &["round", "players", "points"], rows)
}

fn diagnostics(event: &EventRow) -> TextTable {
    let rows =
        event.diagnostics.iter().map(|row| vec![row.severity.to_string(), row.code.to_string(), row.message.clone()]);
    TextTable::new("Diagnostics", &["severity", "code", "message"], rows)
}
