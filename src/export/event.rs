//! Tournaments as CSV and HTML.

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
pub fn standings_cells(event: &EventRow) -> Vec<[String; 12]> {
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

/// Returns the standings of a tournament as CSV. Names that a spreadsheet would take for a formula get an apostrophe.
pub fn event_csv(event: &EventRow) -> Vec<u8> {
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
pub fn cross_table(event: &EventRow) -> Vec<Vec<String>> {
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
            if one != other {
                let cell = &mut cells[one][other];
                cell.push_str(if cell.is_empty() { "" } else { " " });
                cell.push_str(&text);
            }
        }
    }
    cells
}

/// Largest number of players for whom there is a cross table.
const MAX_CROSS_TABLE: usize = 60;

const STYLE: &str = "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}\
    th,td{border:1px solid #bbb;padding:.2em .5em;text-align:right}th:nth-child(2),td:nth-child(2),.text td{text-align:left}";

/// A table of a tournament.
pub(super) struct Sheet {
    pub(super) title: &'static str,
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Sheet {
    fn new(title: &'static str, header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Self {
        Self { title, header: header.iter().map(|&name| name.to_owned()).collect(), rows: rows.collect() }
    }
}

/// Returns the tables of a tournament that have rows: standings, cross table, matches, games and diagnostics.
pub(super) fn sheets(event: &EventRow) -> Vec<Sheet> {
    let mut all = vec![standings(event)];
    if event.players.len() <= MAX_CROSS_TABLE {
        all.push(cross(event));
    }
    all.extend([matches(event), games(event), diagnostics(event)]);
    all.retain(|sheet| !sheet.rows.is_empty());
    all
}

/// Returns a tournament as a page: standings, cross table, matches, games and diagnostics.
pub fn event_html(event: &EventRow) -> String {
    let title = escaped(event.event.as_deref().unwrap_or("Tournament"));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n"
    );
    for sheet in sheets(event) {
        table(&mut page, &sheet);
    }
    page.push_str("</body>\n</html>\n");
    page
}

fn standings(event: &EventRow) -> Sheet {
    let header = COLUMNS.map(|name| name.replace('_', " "));
    Sheet::new("Standings", &header.each_ref().map(String::as_str), standings_cells(event).into_iter().map(Vec::from))
}

fn cross(event: &EventRow) -> Sheet {
    let numbers: Vec<_> = (1..=event.players.len()).map(|n| n.to_string()).collect();
    let header: Vec<_> = ["", "name"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let players = numbers.iter().zip(&event.players).map(|(n, row)| [n.clone(), row.name.clone()]);
    let rows = players.zip(cross_table(event)).map(|(player, cells)| player.into_iter().chain(cells).collect());
    Sheet::new("Cross table", &header, rows)
}

fn matches(event: &EventRow) -> Sheet {
    let rows = event.matches.iter().map(|row| {
        let [one, other] = row.points;
        vec![
            row.round.clone().unwrap_or_default(),
            row.teams.join(" – "),
            format!("{one}–{other}"),
            row.games.to_string(),
        ]
    });
    Sheet::new("Matches", &["round", "teams", "points", "games"], rows)
}

fn games(event: &EventRow) -> Sheet {
    let rows = event.pairings.iter().map(|row| {
        let points = row.points.map_or_else(|| "*".to_owned(), |[one, other]| format!("{one}–{other}"));
        vec![row.round.clone().unwrap_or_default(), format!("{} – {}", row.white, row.black), points]
    });
    Sheet::new("Games", &["round", "players", "points"], rows)
}

fn diagnostics(event: &EventRow) -> Sheet {
    let rows =
        event.diagnostics.iter().map(|row| vec![row.severity.to_string(), row.code.to_string(), row.message.clone()]);
    Sheet::new("Diagnostics", &["severity", "code", "message"], rows)
}

/// Appends a table.
fn table(page: &mut String, sheet: &Sheet) {
    let line = |tag: &str, cells: &[String]| {
        let cells: Vec<_> = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{}</tr>\n", cells.concat())
    };
    let (title, class) = (sheet.title, if sheet.title == "Diagnostics" { "text" } else { "" });
    // Writing to a string cannot fail.
    let _ = write!(page, "<h2>{title}</h2>\n<table class=\"{class}\">\n{}", line("th", &sheet.header));
    sheet.rows.iter().for_each(|cells| page.push_str(&line("td", cells)));
    page.push_str("</table>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
