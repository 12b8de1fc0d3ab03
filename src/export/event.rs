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

/// Returns a tournament as a page: standings, cross table, matches, rounds and diagnostics.
pub fn event_html(event: &EventRow) -> String {
    let title = escaped(event.event.as_deref().unwrap_or("Tournament"));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n"
    );
    let rows = standings_cells(event).into_iter().map(Vec::from);
    table(&mut page, "Standings", "", &COLUMNS.map(|name| name.replace('_', " ")), rows);
    if event.players.len() <= MAX_CROSS_TABLE {
        cross(&mut page, event);
    }
    matches(&mut page, event);
    games(&mut page, event);
    let rows =
        event.diagnostics.iter().map(|row| vec![row.severity.to_string(), row.code.to_string(), row.message.clone()]);
    table(&mut page, "Diagnostics", "text", &["severity", "code", "message"].map(str::to_owned), rows);
    page.push_str("</body>\n</html>\n");
    page
}

fn cross(page: &mut String, event: &EventRow) {
    let header: Vec<_> = [String::new(), "name".to_owned()]
        .into_iter()
        .chain((1..=event.players.len()).map(|n| n.to_string()))
        .collect();
    let rows = cross_table(event)
        .into_iter()
        .zip(&event.players)
        .enumerate()
        .map(|(n, (cells, row))| [(n + 1).to_string(), row.name.clone()].into_iter().chain(cells).collect());
    table(page, "Cross table", "", &header, rows);
}

fn matches(page: &mut String, event: &EventRow) {
    let rows = event.matches.iter().map(|row| {
        let [one, other] = row.points;
        vec![
            row.round.clone().unwrap_or_default(),
            row.teams.join(" – "),
            format!("{one}–{other}"),
            row.games.to_string(),
        ]
    });
    table(page, "Matches", "", &["round", "teams", "points", "games"].map(str::to_owned), rows);
}

fn games(page: &mut String, event: &EventRow) {
    let rows = event.pairings.iter().map(|row| {
        let points = row.points.map_or_else(|| "*".to_owned(), |[one, other]| format!("{one}–{other}"));
        vec![row.round.clone().unwrap_or_default(), format!("{} – {}", row.white, row.black), points]
    });
    table(page, "Games", "", &["round", "players", "points"].map(str::to_owned), rows);
}

/// Appends a table, unless it has no rows.
fn table(page: &mut String, title: &str, class: &str, header: &[String], rows: impl Iterator<Item = Vec<String>>) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    let line = |tag: &str, cells: &[String]| {
        let cells: Vec<_> = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{}</tr>\n", cells.concat())
    };
    // Writing to a string cannot fail.
    let _ = write!(page, "<h2>{title}</h2>\n<table class=\"{class}\">\n{}", line("th", header));
    rows.for_each(|cells| page.push_str(&line("td", &cells)));
    page.push_str("</table>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
