//! The JSON of the commands fits the schemas in `docs/schema`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::binary::{Folder, Run};
use crate::support::schema::validate;

const GAMES: &str = "[Event \"Club\"]\n[Event \"Twice\"]\n[White \"Ada\"]\n[Black \"Ben\"]\n[WhiteTeam \"X\"]\n[BlackTeam \"Y\"]\n\
    [WhiteRating \"2000\"]\n[Round \"1\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n\
    {lead} 1. 32-28! {[%clk 1:00][%eval 0.12] good} 19-23 (1... 20-25 {inner}) 2. 28x19 14x23 /FEN \"W:W31:B20\"/ 3. 31-27 2-0 {end}\n\n\
    [Date \"1999.??.??\"]\n[GameType \"20\"]\n1. 31-27 19-23 2. 1-2 {[%eval #-3]} x *\n\n[White \"no variant\"]\n1. zz *\n";
const PROBLEM: &str = "[GameType \"20\"]\n[FEN \"W:W31,48:B27\"]\n[Result \"2-0\"]\n1. 31x22 2-0\n";

/// Each schema, and commands whose output has values of it, a line each.
const OUTPUTS: [(&str, &[&str]); 18] = [
    (
        "annotate",
        &[
            "annotate --nodes 20 --to jsonl games.pdn problem.pdn",
            "annotate --nodes 20 --multipv 2 --variations --to jsonl games.pdn",
        ],
    ),
    ("cache-export", &["cache export known.cache"]),
    ("cache-stats", &["cache stats --format json known.cache"]),
    ("check", &["check --format json --strict games.pdn"]),
    ("convert", &["convert --to jsonl games.pdn problem.pdn"]),
    ("diff", &["diff --format json games.pdn other.pdn"]),
    (
        "egdb-probe",
        &[
            "egdb probe --format json --variant italian --fen W:WK32:BK1",
            "egdb probe --format json --variant english --fen W:WK32,K31,K30,K29:BK1,K2,K3",
        ],
    ),
    ("egdb-stats", &["egdb stats --format json --variant italian --pieces 2"]),
    ("event", &["event --format json games.pdn"]),
    (
        "moves",
        &[
            "moves --format json --fens fens.txt",
            "moves --format json --egdb tables --fen W:WK32:BK1 --variant italian",
        ],
    ),
    ("openings", &["openings --format json games.pdn"]),
    ("perft", &["perft --format json --depth 1", "perft --format json --depth 1 --divide"]),
    ("players", &["players --format json games.pdn other.pdn spelled.pdn"]),
    (
        "prepare",
        &["prepare --format json --player Ada games.pdn", "prepare --format json --player J spelled.pdn annotated.pdn"],
    ),
    ("puzzles", &["puzzles --to jsonl annotated.pdn"]),
    ("ratings", &["ratings --format json games.pdn other.pdn spelled.pdn"]),
    ("stats", &["stats --format json games.pdn problem.pdn", "stats --shots --format json games.pdn problem.pdn"]),
    ("verify", &["verify --format json --nodes 1000 problem.pdn"]),
];

/// The schema of `pdn.toml`, which describes an input.
const SETTINGS: &str = "pdn-toml";

fn folder() -> Folder {
    let folder = Folder::with("games.pdn", GAMES);
    folder.write("other.pdn", GAMES.replace("20-25", "20-24").replace("Ben", "Bob"));
    folder.write(
        "spelled.pdn",
        "[Date \"2003.01.01\"]\n[White \"Jansen, G.\"]\n[Black \"Bos\"]\n*\n\n[White \"Gerard Jansen\"]\n*\n",
    );
    folder.write("problem.pdn", PROBLEM);
    folder.write("fens.txt", "nonsense\nW:W31,32:B27\n");
    folder.write(
        "annotated.pdn",
        "[GameType \"20\"]\n[FEN \"W:W31,48:B27\"]\n1. 48-42 $4 {[%eval -1.00]} (1. 31x22 {[%eval 9.00]}) *\n",
    );
    run(&folder, "annotate --nodes 20 --cache known.cache games.pdn -o a.pdn");
    run(&folder, "egdb build --egdb tables --variant italian --pieces 2");
    folder
}

fn run(folder: &Folder, line: &str) -> Run {
    let run = folder.run(&line.split_whitespace().collect::<Vec<_>>());
    // Status 2 of a position that no table has; without output, the caller fails.
    assert!(matches!(run.status, Some(0..=2)), "{line}: {:?} {}", run.status, run.errors);
    run
}

fn schemas() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/schema")
}

fn schema(name: &str) -> Value {
    let text = fs::read_to_string(schemas().join(format!("{name}.json"))).expect(name);
    serde_json::from_str(&text).expect(name)
}

#[test]
fn outputs_fit_their_schemas() {
    let folder = folder();
    for (name, lines) in OUTPUTS {
        for line in lines {
            let values = run(&folder, line).values();
            assert!(!values.is_empty() || name == "puzzles", "{line}: no output");
            for value in values {
                validate(&schema(name), &value).unwrap_or_else(|error| panic!("{line}: {error}"));
            }
        }
    }
}

#[test]
fn every_schema_is_tested() {
    let entries = fs::read_dir(schemas()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let files: BTreeSet<_> = entries.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    let outputs = OUTPUTS.iter().map(|(name, _)| (*name).to_owned());
    assert_eq!(files, outputs.chain([SETTINGS.to_owned()]).collect());
}

#[test]
fn the_settings_of_the_page_fit_their_schema() {
    let page = include_str!("../../../docs/configuration.md");
    let blocks: Vec<_> = page.split("```toml\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0)).collect();
    // Settings that are commented out are examples too, except `rules`, which excludes `variant`.
    for text in [blocks[0].to_owned(), blocks[0].replace("# baseline", "baseline").replace("# select", "select")] {
        let settings: Value = toml::from_str(&text).expect("TOML");
        validate(&schema(SETTINGS), &settings).unwrap_or_else(|error| panic!("{error}"));
    }
    for wrong in
        ["varient = 'x'", "variant = 20", "strict = 'yes'", "ignore = ['tag/dat']", "[profiles.a]\nprofile = 'b'"]
    {
        let settings: Value = toml::from_str(wrong).expect("TOML");
        assert!(validate(&schema(SETTINGS), &settings).is_err(), "{wrong}");
    }
}

#[test]
fn values_that_do_not_fit_are_found() {
    let line = json!({"engine": "e", "games": 1, "positions": 1, "bytes": 2});
    let schema = schema("cache-stats");
    assert_eq!(validate(&schema, &line), Ok(()));
    let with = |name: &str, value: Value| {
        let mut line = line.clone();
        line[name] = value;
        validate(&schema, &line)
    };
    for (name, value) in [("bytes", json!(-1)), ("bytes", json!(null)), ("engine", json!([])), ("more", json!(1))] {
        assert!(with(name, value.clone()).is_err(), "{name}: {value}");
    }
    assert!(validate(&schema, &json!({"engine": "e"})).is_err());
}
