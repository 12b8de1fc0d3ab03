//! Tournaments as tables.

use super::csv::{CsvCell, CsvOptions};
use crate::board::Side;
use crate::notation::Outcome;
use crate::records::{EventRow, PairingRow, StandingRow};

/// The standings of a tournament as text cells: the names of the columns, and a row for each player. The columns are those of
/// the tie-breaks in use, in their order; those of points without play and of teams are there if they are in use.
pub(crate) struct StandingsTable {
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl StandingsTable {
    pub(crate) fn of(event: &EventRow) -> Self {
        let mut columns = vec!["rank", "name", "games", "wins", "draws", "losses", "points"];
        let used = event.players.first().map(|row| row.tie_breaks.as_slice()).unwrap_or_default();
        let shown =
            |name: &&str| !columns.contains(name) && !["rating", "performance", "classification"].contains(name);
        let tie_breaks: Vec<_> = used.iter().map(|tie_break| tie_break.name).filter(shown).collect();
        columns.extend(tie_breaks);
        columns.extend(["rating", "performance"]);
        let unplayed = ["byes", "forfeit_wins", "forfeit_losses", "team"];
        let is_used = |column: &&str| event.players.iter().any(|row| !["", "0"].contains(&cell(row, column).as_str()));
        columns.extend(unplayed.iter().filter(|column| is_used(column)));
        Self::with(event, columns)
    }

    /// Returns the table without empty columns, as people read it.
    pub(crate) fn for_readers(event: &EventRow) -> Self {
        let mut columns = Self::of(event).columns;
        columns.retain(|column| event.players.iter().any(|row| !cell(row, column).is_empty()));
        Self::with(event, columns)
    }

    /// Returns the table without empty columns, with names and points first, as in a publication.
    fn for_publication(event: &EventRow) -> Self {
        let mut columns = Self::for_readers(event).columns;
        let first = ["rank", "name", "team", "points"];
        columns.sort_by_key(|column| first.iter().position(|name| name == column).unwrap_or(first.len()));
        Self::with(event, columns)
    }

    fn with(event: &EventRow, columns: Vec<&'static str>) -> Self {
        let rows = event.players.iter().map(|row| columns.iter().map(|column| cell(row, column)).collect());
        Self { rows: rows.collect(), columns }
    }
}

/// Returns a cell of the standings.
fn cell(row: &StandingRow, column: &str) -> String {
    let optional = |number: Option<i64>| number.map_or_else(String::new, |number| number.to_string());
    match column {
        "rank" => row.rank.to_string(),
        "name" => row.name.clone(),
        "team" => row.team.clone().unwrap_or_default(),
        "games" => row.games.to_string(),
        "wins" => row.wins.to_string(),
        "draws" => row.draws.to_string(),
        "losses" => row.losses.to_string(),
        "points" => row.points.to_string(),
        "rating" => optional(row.rating.map(i64::from)),
        "performance" => optional(row.performance),
        "byes" => row.byes.to_string(),
        "forfeit_wins" => row.forfeit_wins.to_string(),
        "forfeit_losses" => row.forfeit_losses.to_string(),
        name => {
            let value = row.tie_breaks.iter().find(|tie_break| tie_break.name == name).and_then(|row| row.value);
            // Quotients, such as those of Sonneborn-Berger, with at most two decimals.
            value.map_or_else(String::new, |value| ((value * 100.0).round() / 100.0).to_string())
        }
    }
}

/// Returns the standings of tournaments as one table of CSV: of several, with the column `event` and the columns of all of them.
pub(crate) fn event_csv(events: &[EventRow], options: CsvOptions) -> Vec<u8> {
    let mut columns: Vec<&'static str> = if events.len() > 1 { vec!["event"] } else { Vec::new() };
    for column in events.iter().flat_map(|event| StandingsTable::of(event).columns) {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    let mut table = options.header(&columns);
    for event in events {
        for row in &event.players {
            let cells = columns.iter().map(|&column| match column {
                "event" => CsvCell::text(event.event.as_deref().unwrap_or_default()),
                "name" | "team" => CsvCell::text(cell(row, column)),
                _ => CsvCell::number(cell(row, column)),
            });
            table.extend(options.line(cells));
        }
    }
    table
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
        // A forfeit is `+` or `-`, as in TRF16, and a draw without play `=`.
        let text = |side: Side, points: [u32; 2]| match game.play {
            "forfeit" => sign(side, game).to_string(),
            _ => points[side as usize].to_string(),
        };
        let points = Side::ALL.map(|side| game.points.map_or_else(|| "*".to_owned(), |points| text(side, points)));
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

/// The games played: against each other player, or by rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Crossing {
    /// A cell for each other player, in the order of the standings: the points against that one.
    Opponents(Vec<Vec<String>>),
    /// The rounds, and a cell for each: the rank of the opponent, the colour, and the result (`+`, `=`, `-`), with an `F` for a
    /// forfeit; `bye` and the result for a round without an opponent.
    Rounds(Vec<String>, Vec<Vec<String>>),
    /// The reason why there is neither.
    Nothing(String),
}

impl Crossing {
    /// Returns the table that suits a tournament, with a word for a bye: a Swiss tournament is shown by rounds.
    pub(crate) fn of(event: &EventRow, max_players: usize, bye: &str) -> Self {
        let players = event.players.len();
        let is_dense = event.system != "swiss";
        let rounds = event.rounds.unwrap_or_default();
        let fits = players <= max_players.min(MAX_CROSS_TABLE);
        if players < 2 {
            Self::Nothing("no cross table: fewer than two players".to_owned())
        } else if fits && (is_dense || rounds == 0) {
            Self::Opponents(cross_table(event))
        } else if (1..=MAX_ROUNDS).contains(&rounds) {
            let (names, rows) = round_table(event, bye);
            Self::Rounds(names, rows)
        } else if rounds == 0 {
            Self::Nothing(format!("no cross table: {players} players, and the records have no rounds"))
        } else {
            Self::Nothing(format!("no cross table: {players} players and {rounds} rounds"))
        }
    }
}

/// Returns the rounds in their order, and for each player, in the order of the standings, the games in each.
fn round_table(event: &EventRow, bye: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut rounds: Vec<String> = event.pairings.iter().filter_map(|game| game.round.clone()).collect();
    // The games are in the order of their rounds.
    rounds.dedup();
    let columns: std::collections::HashMap<&str, usize> =
        rounds.iter().enumerate().map(|(column, round)| (round.as_str(), column)).collect();
    let places: std::collections::HashMap<&str, usize> =
        event.players.iter().enumerate().map(|(place, row)| (row.name.as_str(), place)).collect();
    let mut rows = vec![vec![String::new(); rounds.len()]; event.players.len()];
    for game in &event.pairings {
        let Some(&column) = game.round.as_deref().and_then(|round| columns.get(round)) else { continue };
        let places = [&game.white, &game.black].map(|name| places.get(name.as_str()).copied());
        for (side, colour) in Side::ALL.into_iter().zip(['w', 'b']) {
            let Some(own) = places[side as usize] else { continue };
            let sign = sign(side, game);
            let text = match (game.play, places[!side as usize]) {
                ("bye", _) => format!("{bye}{sign}"),
                (play, Some(other)) => {
                    format!("{}{colour}{sign}{}", other + 1, if play == "forfeit" { "F" } else { "" })
                }
                (_, None) => continue,
            };
            let cell = &mut rows[own][column];
            cell.push_str(if cell.is_empty() { "" } else { " " });
            cell.push_str(&text);
        }
    }
    (rounds, rows)
}

/// Returns the sign of a result for the player of a side. Points do not decide it: a draw may have as many as a loss.
fn sign(side: Side, game: &PairingRow) -> char {
    match game.outcome {
        _ if game.points.is_none() => '*',
        Some(Outcome::Draw) => '=',
        Some(Outcome::Win(winner)) if winner == side => '+',
        _ => '-',
    }
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

/// A source of texts in the language of a table, by their keys.
type TextOf<'a> = &'a dyn Fn(&str) -> String;

/// Makes a table of a tournament.
type Kind = fn(&EventRow, TextOf<'_>) -> TextTable;

/// The tables of a tournament.
const KINDS: [Kind; 6] = [standings, cross, teams, matches, games, diagnostics];

/// Returns the tables of a tournament that have rows: standings, cross table, teams, matches, games and diagnostics. Cells are in
/// the language of `text`, except for diagnostics; titles and the names of columns are keys.
pub(crate) fn sheets(event: &EventRow, text: TextOf<'_>) -> Vec<TextTable> {
    KINDS.iter().map(|kind| kind(event, text)).filter(|sheet| !sheet.rows.is_empty()).collect()
}

/// Returns the English tables of tournaments that have rows: of several tournaments, with the column `event` and the columns of
/// all of them.
pub(super) fn joined_sheets(events: &[EventRow]) -> Vec<TextTable> {
    let joined = |kind: &Kind| {
        let mut tables =
            events.iter().map(|event| (event, kind(event, &str::to_owned))).filter(|(_, table)| !table.rows.is_empty());
        let (event, first) = tables.next()?;
        let mut joined = TextTable::new(first.title, &["event"], std::iter::empty());
        for (event, table) in std::iter::once((event, first)).chain(tables) {
            let mut columns = Vec::new();
            for name in &table.header {
                // Rounds are named by records, perhaps like another column.
                let known = (1..joined.header.len()).find(|n| joined.header[*n] == *name && !columns.contains(n));
                columns.push(known.unwrap_or(joined.header.len()));
                joined.header.extend(known.is_none().then(|| name.clone()));
            }
            for row in table.rows {
                let mut cells = vec![String::new(); joined.header.len()];
                cells[0] = event.event.clone().unwrap_or_default();
                columns.iter().zip(row).for_each(|(&column, cell)| cells[column] = cell);
                joined.rows.push(cells);
            }
        }
        Some(joined)
    };
    if let [event] = events { sheets(event, &str::to_owned) } else { KINDS.iter().filter_map(joined).collect() }
}

fn standings(event: &EventRow, _: TextOf<'_>) -> TextTable {
    let table = StandingsTable::for_publication(event);
    let header: Vec<_> = table.columns.iter().map(|name| name.replace('_', " ")).collect();
    let header: Vec<_> = header.iter().map(String::as_str).collect();
    TextTable::new("Standings", &header, table.rows.into_iter())
}

fn teams(event: &EventRow, _: TextOf<'_>) -> TextTable {
    let rows = event.teams.iter().map(|row| {
        let numbers = [row.matches, row.wins, row.draws, row.losses, row.board_points];
        let mut cells = vec![row.rank.to_string(), row.name.clone(), row.match_points.to_string()];
        cells.extend(numbers.map(|number| number.to_string()));
        cells
    });
    let header = ["rank", "team", "match points", "matches", "wins", "draws", "losses", "board points"];
    TextTable::new("Teams", &header, rows)
}

fn cross(event: &EventRow, text: TextOf<'_>) -> TextTable {
    let (columns, rows) = match Crossing::of(event, MAX_CROSS_TABLE, &text("bye")) {
        Crossing::Opponents(rows) => ((1..=event.players.len()).map(|n| n.to_string()).collect(), rows),
        Crossing::Rounds(rounds, rows) => (rounds, rows),
        Crossing::Nothing(_) => (Vec::new(), Vec::new()),
    };
    let header: Vec<_> = ["", "name"].into_iter().chain(columns.iter().map(String::as_str)).collect();
    let players = (1..).zip(&event.players).map(|(n, row)| [n.to_string(), row.name.clone()]);
    let rows = players.zip(rows).map(|(player, cells)| player.into_iter().chain(cells).collect());
    TextTable::new("Cross table", &header, rows)
}

fn matches(event: &EventRow, _: TextOf<'_>) -> TextTable {
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

/// Returns a result, followed by the word for a bye, a forfeit or an unplayed game.
pub(crate) fn with_play(result: String, row: &PairingRow, text: TextOf<'_>) -> String {
    if row.play == "game" { result } else { format!("{result} ({})", text(row.play)) }
}

/// The name of the missing opponent of a bye in rows.
pub(crate) const NO_OPPONENT: &str = "-";

fn games(event: &EventRow, text: TextOf<'_>) -> TextTable {
    let name = |name: &str| if name == NO_OPPONENT { text("bye") } else { name.to_owned() };
    let rows = event.pairings.iter().map(|row| {
        let points = row.points.map_or_else(|| "*".to_owned(), |[one, other]| format!("{one}–{other}"));
        let players = format!("{} – {}", name(&row.white), name(&row.black));
        vec![row.round.clone().unwrap_or_default(), players, with_play(points, row, text)]
    });
    TextTable::new("Games", &["round", "players", "points"], rows)
}

fn diagnostics(event: &EventRow, _: TextOf<'_>) -> TextTable {
    let rows =
        event.diagnostics.iter().map(|row| vec![row.severity.to_string(), row.code.to_string(), row.message.clone()]);
    TextTable::new("Diagnostics", &["severity", "code", "message"], rows)
}
