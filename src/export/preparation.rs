//! The report on a player as tables.

use super::event::TextTable;
use crate::pdn::WrittenNumber;
use crate::records::{
    BranchRow, ChangeRow, ClockRow, EndgameResultsRow, GroupRow, NotedGameRow, PhaseAccuracyRow, PreparationRow,
    ScoreRow, SideRow, ThemeRow,
};
use crate::shots::Definition;

/// The columns of results.
const SCORE: [&str; 5] = ["games", "wins", "draws", "losses", "score"];

/// Returns the tables of a report that have rows. Cells with words are translated by `text`, names of shots are in the
/// language with the code `language`.
pub(crate) fn preparation_tables(
    row: &PreparationRow,
    language: &str,
    text: &dyn Fn(&str) -> String,
) -> Vec<TextTable> {
    let mut tables = vec![results(row, text)];
    for (side, titles) in row.sides.iter().zip(SIDE_TITLES) {
        tables.extend(side_tables(side, titles));
    }
    tables.push(groups("Length of games", "moves", &row.lengths, &|name| name.to_owned()));
    tables.push(groups("Phase at the end", "phase", &row.phases, text));
    tables.extend(row.clock.as_ref().map(|clock| clock_table(clock, text)));
    tables.push(accuracy(&row.accuracy, text));
    tables.push(shots(&row.shots, language, text));
    tables.push(endgames(&row.endgames, text));
    tables.push(look_at(&row.look_at, text));
    tables.retain(|table| !table.rows.is_empty());
    tables
}

/// The titles of the tables of each side: the tree, the changes and the openings.
const SIDE_TITLES: [[&str; 3]; 2] = [
    ["Repertoire with White", "Changes with White", "Openings with White"],
    ["Repertoire with Black", "Changes with Black", "Openings with Black"],
];

/// Returns a share as whole percent.
fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.0} %", share * 100.0))
}

fn year(year: Option<u16>) -> String {
    year.map_or_else(|| "-".to_owned(), |year| year.to_string())
}

fn score_cells(score: &ScoreRow) -> [String; 5] {
    let ScoreRow { games, wins, draws, losses, .. } = *score;
    [games.to_string(), wins.to_string(), draws.to_string(), losses.to_string(), percent(score.score)]
}

fn scored(name: String, score: &ScoreRow) -> Vec<String> {
    std::iter::once(name).chain(score_cells(score)).collect()
}

fn header(first: &'static str, last: &[&'static str]) -> Vec<&'static str> {
    [&[first][..], &SCORE, last].concat()
}

fn results(row: &PreparationRow, text: &dyn Fn(&str) -> String) -> TextTable {
    let sides = row.sides.iter().map(|side| (if side.side == "W" { "White" } else { "Black" }, &side.score));
    let rows = std::iter::once(("all", &row.score)).chain(sides);
    TextTable::new("Results", &header("colour", &[]), rows.map(|(name, score)| scored(text(name), score)))
}

fn side_tables(side: &SideRow, [tree, changes, openings]: [&'static str; 3]) -> [TextTable; 3] {
    let mut rows = Vec::new();
    if let Some(tree) = &side.tree {
        add_branches(&mut rows, &tree.moves, side.side, (0, 0));
    }
    let change = |row: &ChangeRow| {
        let [before, late] = [row.before, row.late].map(|[part, all]| format!("{part}/{all}"));
        vec![format!("{} {}", row.line, row.notation).trim_start().to_owned(), before, late]
    };
    [
        TextTable::new(tree, &header("move", &["year", "opening"]), rows.into_iter()),
        TextTable::new(changes, &["line", "before", "lately"], side.changes.iter().map(change)),
        groups(openings, "opening", &side.openings, &|name| name.to_owned()),
    ]
}

/// Adds the moves of a tree, those that follow a move indented by two no-break spaces.
fn add_branches(rows: &mut Vec<Vec<String>>, moves: &[BranchRow], side: &str, (depth, ply): (usize, usize)) {
    for row in moves {
        let name = format!("{}{} {}", "\u{a0}".repeat(2 * depth), WrittenNumber::of_ply(ply), row.notation);
        let last = [year(row.last_year), row.name.clone().unwrap_or_default()];
        rows.push(scored(name, &row.results.score_of(side)).into_iter().chain(last).collect());
        add_branches(rows, &row.moves, side, (depth + 1, ply + 1));
    }
}

fn groups(title: &'static str, name: &'static str, rows: &[GroupRow], text: &dyn Fn(&str) -> String) -> TextTable {
    let row = |row: &GroupRow| scored(text(&row.name), &row.score).into_iter().chain([year(row.last_year)]).collect();
    TextTable::new(title, &header(name, &["year"]), rows.iter().map(row))
}

fn clock_table(clock: &ClockRow, text: &dyn Fn(&str) -> String) -> TextTable {
    let rows = [
        ("in time trouble", &clock.in_trouble, clock.trouble_moves),
        ("otherwise", &clock.otherwise, clock.other_moves),
    ];
    let row = |(name, score, [moves, mistakes]): (&str, &ScoreRow, [u64; 2])| {
        scored(text(name), score).into_iter().chain([moves, mistakes].map(|number| number.to_string())).collect()
    };
    TextTable::new("Time trouble", &header("clock", &["moves", "mistakes"]), rows.into_iter().map(row))
}

fn accuracy(rows: &[PhaseAccuracyRow], text: &dyn Fn(&str) -> String) -> TextTable {
    let row = |row: &PhaseAccuracyRow| {
        vec![
            text(row.phase.map_or("all", |phase| phase.name())),
            row.games.to_string(),
            row.moves.to_string(),
            row.accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.1}")),
            row.average_loss_cm.map_or_else(|| "-".to_owned(), |loss| format!("{:.2}", loss / 100.0)),
            row.mistakes.to_string(),
        ]
    };
    TextTable::new(
        "Accuracy",
        &["phase", "games", "moves", "accuracy", "average loss", "mistakes"],
        rows.iter().map(row),
    )
}

fn shots(rows: &[ThemeRow], language: &str, text: &dyn Fn(&str) -> String) -> TextTable {
    let row = |row: &ThemeRow| {
        let name = row.shot.and_then(Definition::by_id).map(|definition| definition.name(language).to_owned());
        let numbers = [row.played, row.missed, row.suffered, row.allowed].map(|number| number.to_string());
        let places = row.examples.iter().map(|example| {
            let at = text("at move {}").replace("{}", &example.ply.div_ceil(2).to_string());
            format!("{}:{} {at}", example.file, example.line)
        });
        let places = places.collect::<Vec<_>>().join(", ");
        std::iter::once(name.unwrap_or_else(|| text("other shots"))).chain(numbers).chain([places]).collect()
    };
    TextTable::new("Shots", &["shot", "played", "missed", "suffered", "allowed", "examples"], rows.iter().map(row))
}

fn endgames(rows: &[EndgameResultsRow], text: &dyn Fn(&str) -> String) -> TextTable {
    let row = |row: &EndgameResultsRow| {
        let numbers = [row.games, row.wins, row.draws, row.losses].map(|number| number.to_string());
        std::iter::once(text(row.value)).chain(numbers).collect()
    };
    TextTable::new("Endgames", &["value", "games", "wins", "draws", "losses"], rows.iter().map(row))
}

/// Returns why a game is worth a look, and at which move.
pub(crate) fn noted_reason(row: &NotedGameRow, text: &dyn Fn(&str) -> String) -> String {
    let at = row.ply.map(|ply| text("at move {}").replace("{}", &ply.div_ceil(2).to_string()));
    [Some(text(row.reason.text())), at].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn look_at(rows: &[NotedGameRow], text: &dyn Fn(&str) -> String) -> TextTable {
    let row = |row: &NotedGameRow| {
        let colour = text(if row.side == "W" { "White" } else { "Black" });
        let result = row.result.map_or_else(|| "-".to_owned(), text);
        vec![
            noted_reason(row, text),
            row.opponent.clone(),
            colour,
            result,
            row.event.clone(),
            year(row.year),
            format!("{}:{}", row.file, row.line),
        ]
    };
    let header = ["reason", "opponent", "colour", "result", "event", "year", "game"];
    TextTable::new("Games to look at", &header, rows.iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{GameReason, ResultsRow};

    #[test]
    fn trees_are_from_the_view_of_the_player_and_indented() {
        let branch = |notation: &str, moves| BranchRow {
            notation: notation.to_owned(),
            name: None,
            games: 4,
            results: ResultsRow { white_wins: 3, draws: 1, ..ResultsRow::default() },
            average_rating: None,
            last_year: Some(2024),
            fen: String::new(),
            moves,
            side: crate::board::Side::White,
        };
        let mut rows = Vec::new();
        add_branches(&mut rows, &[branch("32-28", vec![branch("19-23", Vec::new())])], "B", (0, 0));
        assert_eq!(rows[0], ["1. 32-28", "4", "0", "1", "3", "12 %", "2024", ""]);
        assert_eq!(rows[1][0], "\u{a0}\u{a0}1... 19-23");
    }

    #[test]
    fn tables_without_rows_are_left_out_and_columns_with_numbers_known() {
        let english = |text: &str| text.to_owned();
        let note = NotedGameRow {
            file: "a.pdn".to_owned(),
            line: 61,
            game: 7,
            side: "B",
            opponent: "Bo".to_owned(),
            event: String::new(),
            year: None,
            result: Some("loss"),
            reason: GameReason::MissedShot,
            ply: Some(40),
            fen: None,
            moves: Vec::new(),
        };
        let row = PreparationRow { look_at: vec![note], ..PreparationRow::default() };
        let tables = preparation_tables(&row, "en", &english);
        let titles: Vec<_> = tables.iter().map(|table| table.title).collect();
        assert_eq!(titles, ["Results", "Games to look at"]);
        assert!(tables[0].is_number(1) && !tables[0].is_number(0) && !tables[1].is_number(1));
        assert_eq!(
            tables[1].rows[0],
            [
                "shot missed, at move {}".replace("{}", "20"),
                "Bo".to_owned(),
                "Black".to_owned(),
                "loss".to_owned(),
                String::new(),
                "-".to_owned(),
                "a.pdn:61".to_owned()
            ]
        );
    }
}
