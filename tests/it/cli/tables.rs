//! CSV tables load into typed columns, as a database reads them, and their documentation lists their columns.

use pdn::export::{Column, Table};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::support::binary::{Folder, pdn, pdn_with};
use crate::support::corpus::{corpus, files};

const TABLES: &str = include_str!("../../../docs/tables.md");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to check the types of the columns")]
#[expect(non_snake_case, reason = "names of tags")]
struct GameCells {
    schema_version: u32,
    file: String,
    game: u64,
    byte_offset: u64,
    variant: Option<String>,
    gametype: Option<String>,
    Event: Option<String>,
    Site: Option<String>,
    Date: Option<String>,
    Round: Option<String>,
    White: Option<String>,
    Black: Option<String>,
    Result: Option<String>,
    start_fen: Option<String>,
    final_fen: Option<String>,
    written: u64,
    plies: u64,
    legal: bool,
    result_tag: Option<String>,
    result_terminator: Option<String>,
    result_board: Option<Outcome>,
    winner: Option<Outcome>,
    comment: Option<String>,
    end_comment: Option<String>,
    tags: String,
    year: Option<u16>,
    month: Option<u8>,
    day: Option<u8>,
    played_on: Option<String>,
    white_rating: Option<u16>,
    black_rating: Option<u16>,
    white_points: Option<u8>,
    black_points: Option<u8>,
    white_accuracy: Option<f64>,
    white_average_loss_cm: Option<f64>,
    white_inaccuracies: Option<u32>,
    white_mistakes: Option<u32>,
    white_blunders: Option<u32>,
    black_accuracy: Option<f64>,
    black_average_loss_cm: Option<f64>,
    black_inaccuracies: Option<u32>,
    black_mistakes: Option<u32>,
    black_blunders: Option<u32>,
    white_team: Option<String>,
    black_team: Option<String>,
    played: String,
    opening: Option<String>,
    opening_ply: Option<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to check the types of the columns")]
struct MoveCells {
    schema_version: u32,
    file: String,
    game: u64,
    ply: u32,
    move_no: u32,
    side: Side,
    legal: bool,
    written: String,
    notation: Option<String>,
    from_sq: Option<u8>,
    to_sq: Option<u8>,
    captured: String,
    fen: Option<String>,
    position_key: Option<String>,
    clock: Option<f64>,
    elapsed: Option<f64>,
    eval_cm: Option<i32>,
    win_in: Option<u32>,
    win_side: Option<Side>,
    nags: String,
    comment: Option<String>,
    judgement: Option<String>,
    best: Option<String>,
    expectation_before: Option<f64>,
    expectation_after: Option<f64>,
    forced: Option<bool>,
    shots: Option<String>,
    shot_gains: Option<String>,
    shot_lines: Option<String>,
    captures: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Side {
    W,
    B,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Outcome {
    W,
    B,
    #[serde(rename = "draw")]
    Draw,
}

/// Reads a table strictly: each cell has its type, and none has whitespace at its ends.
#[track_caller]
fn load<T: DeserializeOwned>(table: &str) -> Vec<T> {
    let mut cells = csv::Reader::from_reader(table.as_bytes());
    for row in cells.records() {
        let row = row.expect("a row of the header's length");
        assert!(row.iter().all(|cell| cell.trim() == cell), "{row:?}");
    }
    csv::Reader::from_reader(table.as_bytes()).into_deserialize().map(|row| row.expect("typed cells")).collect()
}

const GAME: &str = "{lead} [GameType \"20\"] [Event \" e \"] [Result \"2-0\"] [ECO \" =x\"]\n\
    { [%clk 1:00] intro } 1. 32-28! { [%clk 0:59:58.5] good  [%eval -0.05] move } 19-23 {[%eval #-7]} 2. 28x19 (no words) -- \
    3. - 31-13 2-0 {end}\n";

#[test]
fn every_table_has_typed_columns() {
    let table = |name: &str| pdn_with(GAME, &["convert", "--to", "csv", "--table", name, "-"]).text().to_owned();
    let games: Vec<GameCells> = load(&table("games"));
    let game = &games[0];
    assert_eq!((game.schema_version, game.game, game.Event.as_deref()), (1, 1, Some("e")));
    assert_eq!((game.comment.as_deref(), game.end_comment.as_deref()), (Some("lead intro"), Some("end")));
    assert_eq!((game.winner, game.tags.as_str()), (Some(Outcome::W), "{\"GameType\":\"20\",\"ECO\":\"=x\"}"));
    let moves: Vec<MoveCells> = load(&table("moves"));
    assert_eq!(moves.iter().map(|row| row.move_no).collect::<Vec<_>>(), [1, 1, 2, 2, 3, 3]);
    let (first, second) = (&moves[0], &moves[1]);
    assert_eq!((first.from_sq, first.to_sq, first.clock, first.eval_cm), (Some(32), Some(28), Some(3598.5), Some(-5)));
    assert_eq!((second.eval_cm, second.win_in, second.win_side), (None, Some(7), Some(Side::B)));
    let comments: Vec<_> = moves.iter().map(|row| row.comment.as_deref()).collect();
    assert_eq!(comments, [Some("good move"), None, Some("(no words)"), None, None, None]);
}

#[test]
fn games_have_the_name_of_their_opening() {
    // The variation would have another name.
    let text = "[GameType \"21\"]\n1. 11-15 22-17 2. 8-11 23-19 3. 9-13 {here} 27-23 (3... 25-22) *\n\n\
        [GameType \"20\"]\n1. 32-28 *\n\n[GameType \"21\"]\n1. 11-15 1-2 8-11 *\n";
    let names = |games: &[GameCells]| -> Vec<_> {
        games.iter().map(|game| (game.opening.clone().unwrap_or_default(), game.opening_ply)).collect()
    };
    let wanted = [("Laird and Lady".to_owned(), Some(5)), (String::new(), None), ("Old Faithful".to_owned(), Some(1))];
    let table = pdn_with(text, &["convert", "--to", "csv", "-"]);
    assert_eq!(names(&load(table.text())), wanted);
    let lines = pdn_with(text, &["convert", "--to", "jsonl", "-"]);
    let rows = lines.text().lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let found: Vec<_> = rows.map(|row| (row.get("opening").cloned(), row.get("opening_ply").cloned())).collect();
    assert_eq!(found[0], (Some("Laird and Lady".into()), Some(5.into())));
    assert_eq!(found[1], (None, None));
}

#[test]
fn position_keys_never_change() {
    for (variant, text, key) in [
        ("international", "1. 32-28 *", "bdc4960692bed7f0"),
        ("frisian", "1. 32-28 *", "8cb289fe85f3cddc"),
        ("english", "1. 11-15 *", "3c6fc142dfba1ca3"),
        ("turkish", "1. a3-a4 *", "e1e10019cc29a1b4"),
    ] {
        let run = pdn_with(text, &["convert", "--to", "csv", "--table", "moves", "--variant", variant, "-"]);
        assert_eq!(load::<MoveCells>(run.text())[0].position_key.as_deref(), Some(key), "{variant}");
    }
    let order = "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n[GameType \"20\"]\n1. 31-27 20-25 2. 32-28 19-23 3. 28x19 14x23 *\n\n\
        [GameType \"20\"]\n1. 32-28 20-25 2. 31-27 19-23 3. 28x19 14x23 *\n";
    let moves: Vec<MoveCells> = load(pdn_with(order, &["convert", "--to", "csv", "--table", "moves", "-"]).text());
    let last = |game: u64| moves.iter().rfind(|row| row.game == game).and_then(|row| row.position_key.clone());
    assert!(last(1) != last(2) && last(2) == last(3) && last(2).is_some_and(|key| key.len() == 16));
}

#[test]
fn formulas_are_escaped_on_request() {
    let text = "[Event \"=1+1\"]\n[White \"@w\"]\n[GameType \"20\"]\n1. 32-28 {[%eval -1.00] -x} -- *\n";
    let table =
        |arguments: &[&str]| pdn_with(text, &[&["convert", "--to", "csv", "-"], arguments].concat()).text().to_owned();
    assert_eq!(load::<GameCells>(&table(&[]))[0].Event.as_deref(), Some("=1+1"));
    assert_eq!(load::<GameCells>(&table(&["--escape-formulas"]))[0].Event.as_deref(), Some("'=1+1"));
    assert_eq!(load::<GameCells>(&table(&["--escape-formulas"]))[0].White.as_deref(), Some("'@w"));
    let moves: Vec<MoveCells> = load(&table(&["--escape-formulas", "--table", "moves"]));
    assert_eq!((moves[0].comment.as_deref(), moves[0].eval_cm), (Some("'-x"), Some(-100)));
}

#[test]
fn annotated_moves_are_the_same_table() {
    let run = pdn_with("[GameType \"20\"]\n1. 32-28 19-23 *\n", &["annotate", "--nodes", "100", "--to", "csv", "-"]);
    let moves: Vec<MoveCells> = load(run.text());
    assert!(moves.len() == 2 && moves.iter().all(|row| row.eval_cm.is_some()));
}

#[test]
fn the_corpus_loads() {
    let Some(folder) = corpus() else { return };
    for file in files(&folder, &["pdn"]).iter().step_by(7) {
        let path = file.to_str().expect("a path");
        load::<GameCells>(pdn(&["convert", "--to", "csv", "-q", path]).text());
        load::<MoveCells>(pdn(&["convert", "--to", "csv", "--table", "moves", "-q", path]).text());
    }
}

/// Returns the names in the first column of the table after a heading.
fn documented(heading: &str) -> Vec<&'static str> {
    let (_, section) = TABLES.split_once(heading).expect("the heading");
    let rows = section.lines().skip_while(|line| !line.starts_with("| `")).take_while(|line| line.starts_with("| `"));
    rows.filter_map(|row| row.split('`').nth(1)).collect()
}

#[test]
fn the_documentation_has_all_columns() {
    let header = |table: &str| {
        let run = pdn_with("", &["convert", "--to", "csv", "--table", table, "-"]);
        run.text().trim_end().split(',').map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(documented("### Games"), header("games"));
    assert_eq!(documented("### Moves"), header("moves"));
    assert_eq!(documented("### Positions"), header("positions"));
    assert_eq!(documented("### Diagnostics"), header("diagnostics"));
    assert_eq!(documented("### Players"), header("players"));
    let names = |table: Table| table.columns().iter().map(Column::name).collect::<Vec<_>>();
    let all = [documented("### Games"), documented("### Further columns of games")].concat();
    assert_eq!(all, names(Table::Games));
    assert_eq!([documented("### Moves"), vec!["canonical_key"]].concat(), names(Table::Moves));
}

/// Columns of the documented queries that only Parquet has: lists, which CSV cannot hold.
const LISTS: [&str; 2] = ["moves", "eval_cm"];

#[test]
fn documented_queries_use_columns_that_csv_has() {
    let document = include_str!("../../../docs/data.md");
    let queries: Vec<&str> = document.split("```sql\n").skip(1).filter_map(|part| part.split("```").next()).collect();
    assert!(queries.len() > 8);
    let header = |table: &str| {
        let run = pdn_with("", &["convert", "--to", "csv", "--table", table, "-"]);
        run.text().trim_end().split(',').map(str::to_owned).collect::<Vec<_>>()
    };
    for query in queries {
        let tables = Table::ALL.iter().filter(|table| query.contains(&format!("'{}.parquet'", table.name())));
        let (mut known, mut all) = (Vec::new(), Vec::new());
        for table in tables {
            known.extend(header(table.name()));
            all.extend(table.columns().iter().map(|column| column.name().to_owned()));
        }
        let words = query.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let used: Vec<_> = words.filter(|word| all.iter().any(|name| name == word) && !LISTS.contains(word)).collect();
        assert!(!used.is_empty(), "{query}");
        assert!(used.iter().all(|word| known.iter().any(|name| name == word)), "{used:?} of {query}");
    }
}

#[test]
fn annotated_records_have_assessments_dates_and_points() {
    let text = "[Date \"2001.05.06\"]\n[WhiteRating \"0\"]\n[WhiteElo \"2034\"]\n[GameType \"20\"]\n[Result \"1-1\"]\n\
        1. 32-28 {[%eval 0.10]} 20-25 {[%eval 0.12]} 2. 28-23 $4 {[%eval -1.00]} (2. 34-29 {[%eval 0.12]}) 1-1\n";
    let table = |name: &str| pdn_with(text, &["convert", "--to", "csv", "--table", name, "-"]).text().to_owned();
    let games: Vec<GameCells> = load(&table("games"));
    let game = &games[0];
    assert_eq!(
        (game.year, game.month, game.day, game.played_on.as_deref()),
        (Some(2001), Some(5), Some(6), Some("2001-05-06"))
    );
    assert_eq!((game.white_rating, game.black_rating), (Some(2034), None));
    assert_eq!((game.white_points, game.black_points), (Some(1), Some(1)));
    assert_eq!((game.white_blunders, game.black_blunders, &*game.played), (Some(1), Some(0), "game"));
    assert!(game.white_average_loss_cm == Some(56.0) && game.white_accuracy < game.black_accuracy);
    let moves: Vec<MoveCells> = load(&table("moves"));
    assert_eq!(moves.iter().map(|row| row.captures).collect::<Vec<_>>(), [Some(0); 3]);
    assert_eq!((moves[2].judgement.as_deref(), moves[2].best.as_deref()), (Some("blunder"), Some("34-29")));
    assert!(moves[2].expectation_before > moves[2].expectation_after);
    assert_eq!((moves[2].forced, moves[1].best.as_deref()), (Some(false), None));
    let plain: Vec<MoveCells> =
        load(pdn_with("1. 32-28 *", &["convert", "--to", "csv", "--table", "moves", "-"]).text());
    assert_eq!((plain[0].expectation_before, plain[0].forced), (None, None));
}

#[test]
fn the_name_of_the_output_is_the_format() {
    let folder = Folder::with("a.pdn", "[GameType \"20\"]\n1. 32-28 *\n");
    for (name, start) in [
        ("x.csv", "schema_version,"),
        ("x.CSV", "schema_version,"),
        ("x.json", "[\n{"),
        ("x.jsonl", "{\"schema\":"),
        ("x.pdn", "[Event "),
        ("x.fen", "B:W28,"),
    ] {
        folder.run(&["convert", "a.pdn", "-o", name]).is(0);
        assert!(folder.read(name).starts_with(start), "{name}");
    }
    folder.run(&["convert", "a.pdn", "--to", "csv", "-o", "y.json"]).is(0);
    assert!(folder.read("y.json").starts_with("schema_version,"));
    for arguments in [&["convert", "a.pdn"][..], &["convert", "a.pdn", "-o", "x.txt"]] {
        let run = folder.run(arguments).is(2);
        assert!(run.errors.contains("--to"), "{}", run.errors);
    }
    assert!(!folder.names().contains(&"x.txt".to_owned()));
}
