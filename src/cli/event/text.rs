//! A tournament as tables for people.

use std::fmt::Write as _;

use crate::cli::table::Table;
use crate::cli::words::{count, counted};
use crate::export::{cross_table, standings_cells};
use crate::records::EventRow;
use crate::text::printable;

/// Largest number of players for whom the cross table fits on a terminal.
const MAX_PLAYERS: usize = 30;

pub(super) fn text(event: &EventRow) -> String {
    let mut text = title(event);
    let parts = [standings(event), cross(event), matches(event), diagnostics(event)];
    for part in parts.iter().filter(|part| !part.is_empty()) {
        text.push('\n');
        text.push_str(part);
    }
    text
}

fn title(event: &EventRow) -> String {
    let name = printable(event.event.as_deref().unwrap_or("Tournament")).into_owned();
    let games = count(event.pairings.len() as u64, "game");
    let rounds = event.rounds.map_or_else(String::new, |rounds| format!(", {}", count(rounds as u64, "round")));
    format!("{name}: {}, {games}{rounds}\n", count(event.players.len() as u64, "player"))
}

/// Returns the standings, without the columns of ratings if there are none.
fn standings(event: &EventRow) -> String {
    let header = [
        "#RANK",
        "PLAYER",
        "#GAMES",
        "#WINS",
        "#DRAWS",
        "#LOSSES",
        "#POINTS",
        "#MUTUAL",
        "#S-B",
        "#SOLKOFF",
        "#RATING",
        "#PERFORMANCE",
    ];
    let rated = event.players.iter().any(|row| row.rating.is_some() || row.performance.is_some());
    let shown = if rated { header.len() } else { header.len() - 2 };
    let mut table = Table::new(&header[..shown]);
    for cells in standings_cells(event) {
        table.row(cells.into_iter().take(shown));
    }
    if event.players.is_empty() { String::new() } else { table.text() }
}

fn cross(event: &EventRow) -> String {
    if !(2..=MAX_PLAYERS).contains(&event.players.len()) {
        return String::new();
    }
    let numbers: Vec<_> = (1..=event.players.len()).map(|n| format!("#{n}")).collect();
    let header: Vec<_> = ["#", "PLAYER"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let mut table = Table::new(&header);
    for (n, (row, cells)) in event.players.iter().zip(cross_table(event)).enumerate() {
        let cells = cells.into_iter().enumerate().map(|(other, cell)| match cell {
            _ if other == n => "x".to_owned(),
            cell if cell.is_empty() => ".".to_owned(),
            cell => cell,
        });
        table.row([(n + 1).to_string(), row.name.clone()].into_iter().chain(cells));
    }
    table.text()
}

fn matches(event: &EventRow) -> String {
    let mut table = Table::new(&["ROUND", "TEAMS", "#POINTS", "#GAMES"]);
    for row in &event.matches {
        let [one, other] = row.points;
        let round = row.round.clone().unwrap_or_default();
        table.row([round, row.teams.join(" – "), format!("{one}–{other}"), row.games.to_string()]);
    }
    if event.matches.is_empty() { String::new() } else { table.text() }
}

fn diagnostics(event: &EventRow) -> String {
    let mut text = String::new();
    for row in &event.diagnostics {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}[{}]: {}", row.severity, row.code, printable(&row.message));
        if row.game > 0 {
            let _ = writeln!(text, "  --> {}:{} (game {})", printable(&row.file), row.line, row.game);
        }
        if let Some(help) = &row.help {
            let _ = writeln!(text, "  = help: {}", printable(help));
        }
    }
    if !text.is_empty() {
        let _ = writeln!(text, "\n{}", counted(event.diagnostics.len() as u64, "diagnostic", "diagnostics"));
    }
    text
}
