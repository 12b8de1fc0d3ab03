//! What `pdn convert` promises: fields, types, nulls, lines that stop at an illegal move.

use std::fs;

use crate::support::binary::{Folder, numbers, pdn_with};
use crate::support::corpus::files;
use crate::support::library::{diagnostics, game, games};
use crate::support::sources::root;
use serde_json::{Value, json};

#[track_caller]
fn convert(text: &str, arguments: &[&str]) -> String {
    pdn_with(text, &[&["convert", "-"], arguments].concat()).text().to_owned()
}

/// Returns each move as it was written, with `#` after those that are not legal.
fn written(moves: &Value) -> Vec<String> {
    let text = |row: &Value| {
        let mark = if row["legal"] == true { "" } else { "#" };
        format!("{}{mark}", row["written"].as_str().expect("a text"))
    };
    moves.as_array().expect("a list").iter().map(text).collect()
}

/// All other tests of diagnostics and games ask the library.
#[test]
fn the_commands_write_what_the_library_finds() {
    for folder in ["samples/accept", "samples/reject", "samples/diagnostics"] {
        for path in files(&root().join(folder), &["pdn"]) {
            let text = fs::read(&path).expect("a sample");
            let command = |arguments: &[&str]| pdn_with(&text, &[arguments, &["-"]].concat());
            assert_eq!(command(&["check", "--format", "json"]).diagnostics(), diagnostics(&text), "{}", path.display());
            assert_eq!(command(&["convert", "--to", "jsonl"]).values(), games(&text), "{}", path.display());
        }
    }
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn a_whole_game() {
    let text = "[Event \"e\"]\n[GameType \"20\"]\n[Result \"2-0\"]\n\n1. 32-28! {[%clk 1:00:01.5][%eval 0.32]} (1. 31-27 $5) 19-23 {[%eval #-7] why} 2. 28x19 14x23 2-0\n";
    let game = game(text);
    assert_eq!(
        (&game["schema"], &game["file"], &game["game"], &game["offset"]),
        (&json!(1), &json!("-"), &json!(1), &json!(0))
    );
    assert_eq!((&game["variant"], &game["gametype"]), (&json!("international"), &json!("20")));
    assert_eq!(game["tags"], json!({"Event": "e", "GameType": "20", "Result": "2-0"}));
    let start = game["start_fen"].as_str().expect("a FEN");
    assert!(
        start.starts_with("W:W31,32,33,") && start.ends_with(":B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20")
    );
    assert_eq!(numbers(&game, ["written", "plies"]), [4, 4]);
    assert_eq!(game["result"], json!({"tag": "2-0", "terminator": "2-0", "board": null, "winner": "W"}));
    assert_eq!((&game["legal"], &game["diagnostics"]), (&json!(true), &json!([])));
    assert_eq!(game["final_fen"], game["moves"][3]["fen"]);
    let mut first = game["moves"][0].clone();
    let variation = first["variations"].take();
    assert!(first["fen"].take().as_str().expect("a FEN").starts_with("B:W28,31,33,"));
    let wanted = json!({
        "ply": 1, "number": 1, "side": "W", "legal": true, "written": "32-28", "notation": "32-28", "from": 32, "to": 28,
        "captured": [], "fen": null, "clock": 3601.5, "eval": {"cm": 32}, "marks": "!", "nags": [1],
        "comment": "[%clk 1:00:01.5][%eval 0.32]", "variations": null, "expectation": [0.585, 0.585], "forced": false,
        "judgement": null, "best": null,
    });
    assert_eq!(first, wanted);
    assert_eq!(
        (&variation[0][0]["written"], &variation[0][0]["ply"], &variation[0][0]["nags"]),
        (&json!("31-27"), &json!(1), &json!([5]))
    );
    assert_eq!(
        (&game["moves"][1]["eval"], &game["moves"][1]["number"]),
        (&json!({"win": 7, "winner": "B"}), &Value::Null)
    );
    assert_eq!(game["moves"][2]["captured"], json!([23]));
    // The move of the variation has no marks and no evaluation.
    let more = ["best", "expectation", "forced", "judgement", "marks"];
    assert_eq!(keys(&variation[0][0]), keys(&first).into_iter().filter(|key| !more.contains(key)).collect::<Vec<_>>());
}

#[test]
fn moves_after_an_illegal_one_have_no_position() {
    let game = game("[GameType \"20\"]\n1. 32-28 19-23 2. 31-13 20-24 /FEN \"W:W31:B20\"/ 3. 31-27 20-25 *");
    assert_eq!(written(&game["moves"]), ["32-28", "19-23", "31-13#", "20-24#", "31-27", "20-25"]);
    assert_eq!(numbers(&game, ["written", "plies"]), [6, 4]);
    assert_eq!(game["legal"], false);
    for row in &game["moves"].as_array().expect("a list")[2..4] {
        assert!(["fen", "notation", "from", "to"].iter().all(|name| row[name].is_null()), "{row}");
        assert_eq!(row["captured"], json!([]));
    }
    assert_eq!(game["moves"][4]["fen"], "B:W27:B20");
    let plies: Vec<_> = game["moves"].as_array().expect("a list").iter().map(|row| row["ply"].as_u64()).collect();
    assert_eq!(plies, (1..=6).map(Some).collect::<Vec<_>>());
}

#[test]
fn an_unknown_variant_is_null_and_keeps_the_moves() {
    let game = game("[Event \"x\"]\n1. 3-1 {c} 2-9 1-0");
    assert!(["variant", "gametype", "start_fen", "final_fen"].iter().all(|name| game[name].is_null()), "{game}");
    assert_eq!(written(&game["moves"]), ["3-1#", "2-9#"]);
    assert_eq!(game["moves"][0]["comment"], "c");
    let sides: Vec<_> = game["moves"].as_array().expect("a list").iter().map(|row| &row["side"]).collect();
    assert_eq!(sides, ["W", "B"]);
    assert_eq!(game["diagnostics"][0]["code"], "replay/unknown-variant");
}

#[test]
fn a_game_without_moves_keeps_comment_and_variations() {
    let game = game("[GameType \"20\"]\n{a problem} (1. 32-28 {c} 19-23) (1. 31-27) *");
    assert_eq!((&game["written"], &game["moves"]), (&json!(0), &json!([])));
    assert_eq!(game["comment"], "a problem");
    let variations: Vec<_> = game["variations"].as_array().expect("a list").iter().map(written).collect();
    assert_eq!(variations, [vec!["32-28", "19-23"], vec!["31-27"]]);
    assert_eq!(game["variations"][0][0]["comment"], "c");
    // Where there are moves, variations are with them.
    let game = self::game("[GameType \"20\"]\n{a game} 1. 32-28 (1. 31-27) *");
    assert_eq!((&game["comment"], &game["variations"]), (&json!("a game"), &json!([])));
    assert_eq!(written(&game["moves"][0]["variations"][0]), ["31-27"]);
}

#[test]
fn the_start_is_always_given() {
    for (tags, start) in [
        ("[GameType \"21\"]", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ("[GameType \"25\"]", "W:Wa1,a3,b2,c1,c3,d2,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c7,d6,d8,e7,f6,f8,g7,h6,h8"),
        ("[GameType \"20\"] [FEN \"B:W31-33:BK1.\"]", "B:W31,32,33:BK1"),
        ("[GameType \"25\"] [FEN \"W:W29:B4\"]", "W:Wa1:Bh8"),
        ("[GameType \"20\"] [FEN \"?:W31:B1\"]", "?:W31:B1"),
    ] {
        assert_eq!(game(format!("{tags}\n*\n"))["start_fen"], start, "{tags}");
    }
}

#[test]
fn written_moves_are_counted_as_the_contract_says() {
    for (text, count) in [
        ("1. 32-28 19-23", 2),
        ("1. - - 2. - -", 4),
        ("1. ... 19-23 2. 32-28", 2),
        ("1. 32-28 -- 2. 31-27", 3),
        ("/FEN \"W:W31:B20\"/ 1. 31-27", 1),
        ("1. 32-28 ... 2. 31-27", 2),
        ("", 0),
    ] {
        let game = game(format!("[GameType \"20\"]\n{text} *\n"));
        assert_eq!((&game["written"], game["moves"].as_array().map(Vec::len)), (&json!(count), Some(count)), "{text}");
        assert_eq!(game["legal"], true, "{text}");
    }
    let split = game("[GameType \"21\"]\n[FEN \"B:W16,24,27:B12,1\"]\n1. 12x19 19x28 *");
    assert_eq!((&split["written"], &split["moves"][0]["notation"]), (&json!(1), &json!("12x28")));
}

#[test]
fn numbers_are_those_that_were_written() {
    let number = |text: &str| -> Vec<Value> {
        let game = game(format!("[GameType \"20\"]\n{text} *"));
        game["moves"].as_array().expect("a list").iter().map(|row| row["number"].clone()).collect()
    };
    assert_eq!(number("1. 32-28 19-23 2. 28x19"), [json!(1), Value::Null, json!(2)]);
    assert_eq!(number("1... 19-23 2. 32-28"), [json!(1), json!(2)]);
    assert_eq!(number("1. ... 19-23 2. 32-28"), [json!(1), json!(2)]);
    assert_eq!(number("32-28 19-23"), [Value::Null, Value::Null]);
    assert_eq!(number("1. 32-28 {x} 1... 19-23"), [json!(1), json!(1)]);
}

#[test]
fn results() {
    for (tags, end, wanted) in [
        (
            "[GameType \"20\"] [Result \"2-0\"]",
            "2-0",
            json!({"tag": "2-0", "terminator": "2-0", "board": null, "winner": "W"}),
        ),
        (
            "[GameType \"20\"] [Result \"1-1\"]",
            "*",
            json!({"tag": "1-1", "terminator": "*", "board": null, "winner": "draw"}),
        ),
        ("[GameType \"20\"]", "0-2", json!({"tag": null, "terminator": "0-2", "board": null, "winner": "B"})),
        ("[GameType \"20\"]", "", json!({"tag": null, "terminator": null, "board": null, "winner": null})),
        (
            "[GameType \"20\"] [Result \"0-0\"]",
            "0-0",
            json!({"tag": "0-0", "terminator": "0-0", "board": null, "winner": null}),
        ),
        (
            "[GameType \"21\"] [Result \"1-0\"]",
            "*",
            json!({"tag": "1-0", "terminator": "*", "board": null, "winner": "B"}),
        ),
        (
            "[GameType \"21\"] [Result \"0-1\"]",
            "*",
            json!({"tag": "0-1", "terminator": "*", "board": null, "winner": "W"}),
        ),
        (
            "[GameType \"25\"] [Result \"1-0\"]",
            "*",
            json!({"tag": "1-0", "terminator": "*", "board": null, "winner": "W"}),
        ),
        (
            "[GameType \"20\"] [Result \"?\"]",
            "*",
            json!({"tag": "?", "terminator": "*", "board": null, "winner": null}),
        ),
    ] {
        assert_eq!(game(format!("{tags}\n{end}\n"))["result"], wanted, "{tags} {end}");
    }
    let drawn = game("[GameType \"20\"] [FEN \"B:WK26:BK5\"]\n1... 5-10 *");
    assert_eq!(drawn["result"], json!({"tag": null, "terminator": "*", "board": "draw", "winner": null}));
    let won = game("[GameType \"20\"] [FEN \"W:W31:B27\"]\n1. 31x22 *");
    assert_eq!(won["result"], json!({"tag": null, "terminator": "*", "board": "W", "winner": null}));
}

#[test]
fn variations_are_kept_wherever_they_stand() {
    let variations = |text: &str, ply: usize| -> Vec<Vec<String>> {
        let game = game(format!("[GameType \"20\"]\n{text} *"));
        game["moves"][ply]["variations"].as_array().expect("a list").iter().map(written).collect()
    };
    assert_eq!(variations("1. 32-28 (1. 31-27 19-23) (1. 33-29) 19-23", 0), [vec!["31-27", "19-23"], vec!["33-29"]]);
    assert_eq!(variations("1. 32-28 ((1. 31-27)) 19-23", 0), [["31-27"]]);
    assert_eq!(variations("((1. 31-27)) 1. 32-28 19-23", 0), [["31-27"]]);
    assert_eq!(variations("1. 32-28 /FEN \"W:W31:B20\"/ (2. 31-26) 2. 31-27", 1), [["31-26"]]);
    assert_eq!(variations("1. 32-28 (1. 31-13 19-23) 19-23", 0), [["31-13#", "19-23#"]]);
}

#[test]
fn comments_after_setups_and_ellipses_are_kept() {
    let comment = |text: &str| game(format!("[GameType \"20\"]\n{text} *"))["moves"][0]["comment"].clone();
    assert_eq!(comment("1. 32-28 {a} {b} 19-23"), "a b");
    assert_eq!(comment("1. 32-28 {a} /FEN \"W:W31:B20\"/ {b} 2. 31-27"), "a b");
    assert_eq!(comment("1. 32-28 1. ... {b} 19-23"), "b");
    assert_eq!(comment("1. 32-28 19-23"), Value::Null);
}

#[test]
fn json_is_an_array_of_the_same_objects() {
    let text = "[GameType \"20\"] 1. 32-28 *\n\n[GameType \"25\"] 1. c3-d4 *\n";
    let array: Value = serde_json::from_str(&convert(text, &["--to", "json"])).expect("JSON");
    assert_eq!(array, Value::Array(games(text)));
    assert_eq!(serde_json::from_str::<Value>(&convert("", &["--to", "json"])).expect("JSON"), json!([]));
}

#[test]
fn objects_have_all_fields_in_every_game() {
    let text = format!("{}{}", TABLED.replace("31-13", "14x23"), TABLED);
    let games = games(&text);
    let fields = [
        "comment",
        "diagnostics",
        "file",
        "final_fen",
        "game",
        "gametype",
        "legal",
        "moves",
        "offset",
        "opening",
        "opening_ply",
        "plies",
        "result",
        "schema",
        "start_fen",
        "tags",
        "variant",
        "variations",
        "written",
    ];
    let of_moves = [
        "captured",
        "clock",
        "comment",
        "eval",
        "fen",
        "from",
        "legal",
        "marks",
        "nags",
        "notation",
        "number",
        "ply",
        "side",
        "to",
        "variations",
        "written",
    ];
    for game in &games {
        assert_eq!((keys(game), keys(&game["moves"][0])), (fields.to_vec(), of_moves.to_vec()));
    }
    assert_eq!(games[1]["offset"], TABLED.len());
    assert_eq!((numbers(&games[1], ["written", "plies"]), &games[1]["moves"][3]["legal"]), ([4, 3], &json!(false)));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let many = TABLED.repeat(8000);
    let run = |jobs| pdn_with(&many, &["convert", "--to", "csv", "-", "--jobs", jobs]);
    let one = run("1");
    assert_eq!(one.lines().len(), 8001);
    assert!(["2", "4"].iter().all(|jobs| one.bytes == run(jobs).bytes));
}

#[test]
fn an_output_without_any_input_is_not_touched() {
    let folder = Folder::with("a.pdn", TABLED);
    folder.write("out", "before");
    folder.run(&["convert", "--to", "csv", "missing.pdn", "-o", "out"]).is(2);
    assert_eq!(folder.read("out"), "before");
    folder.run(&["convert", "--to", "csv", "missing.pdn", "a.pdn", "-o", "out"]).is(2);
    assert_eq!(folder.read("out").lines().count(), 2);
}

fn table(text: &str, arguments: &[&str]) -> Vec<Vec<(String, String)>> {
    let table = convert(text, &[&["--to", "csv"], arguments].concat());
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let cells = |row: csv::StringRecord| header.iter().map(str::to_owned).zip(row.iter().map(str::to_owned)).collect();
    reader.records().map(|row| cells(row.expect("a row"))).collect()
}

#[track_caller]
fn cell<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
    &row.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("no {name} in {row:?}")).1
}

const TABLED: &str = "[Event \"a, \\\"b\\\"\"]\n[White \"w\"]\n[GameType \"20\"]\n[Result \"2-0\"]\n[ECO \"x\"]\n1. 32-28! {c, \"d\"} 19-23 2. 28x19 31-13 2-0\n";

#[test]
fn a_row_for_each_game() {
    let rows = table(TABLED, &[]);
    assert_eq!(rows.len(), 1);
    for (name, value) in [
        ("schema_version", "1"),
        ("file", "-"),
        ("game", "1"),
        ("byte_offset", "0"),
        ("variant", "international"),
        ("gametype", "20"),
        ("Event", "a, \"b\""),
        ("Site", ""),
        ("Date", ""),
        ("Round", ""),
        ("White", "w"),
        ("Black", ""),
        ("Result", "2-0"),
        ("written", "4"),
        ("plies", "3"),
        ("legal", "false"),
        ("result_tag", "2-0"),
        ("result_terminator", "2-0"),
        ("result_board", ""),
        ("winner", "W"),
        ("tags", "{\"GameType\":\"20\",\"ECO\":\"x\"}"),
    ] {
        assert_eq!(cell(&rows[0], name), value, "{name}");
    }
    assert!(cell(&rows[0], "start_fen").starts_with("W:W31,") && cell(&rows[0], "final_fen").starts_with("B:W19,31,"));
    assert_eq!(cell(&table("[Event \"x\"] 1. 32-28 *", &[])[0], "tags"), "{}");
    assert_eq!(convert("", &["--to", "csv"]).lines().count(), 1);
    let header = "schema_version,file,game,byte_offset,variant,gametype,Event,Site,Date,Round,White,Black,Result,";
    assert!(convert(TABLED, &["--to", "csv"]).starts_with(header));
    assert_eq!(table(TABLED, &["--table", "games"]), rows);
}

#[test]
fn a_row_for_each_move() {
    let rows = table(TABLED, &["--table", "moves"]);
    assert_eq!(rows.len(), 4);
    for (name, values) in [
        ("game", ["1", "1", "1", "1"]),
        ("ply", ["1", "2", "3", "4"]),
        ("move_no", ["1", "1", "2", "2"]),
        ("side", ["W", "B", "W", "B"]),
        ("legal", ["true", "true", "true", "false"]),
        ("written", ["32-28", "19-23", "28x19", "31-13"]),
        ("notation", ["32-28", "19-23", "28x19", ""]),
        ("from_sq", ["32", "19", "28", ""]),
        ("to_sq", ["28", "23", "19", ""]),
        ("captured", ["", "", "23", ""]),
        ("nags", ["1", "", "", ""]),
        ("comment", ["c, \"d\"", "", "", ""]),
    ] {
        assert_eq!(rows.iter().map(|row| cell(row, name)).collect::<Vec<_>>(), values, "{name}");
    }
}

#[test]
fn pdn_is_read_back_as_the_same_games() {
    let text = "{lead}\n[Event \"e\"]\n[GameType \"25\"]\n\n{intro} 1. cd4! {x} (1. ab4 {y} ba5) ba5 2. dc5 words 9-9 1-0 {tail}\n\n[FEN \"W:W31:B1\"]\n*\n";
    let once = convert(text, &["--to", "pdn"]);
    assert_eq!(convert(&once, &["--to", "pdn"]), once);
    for kept in [
        "{lead}",
        "{intro}",
        "c3-d4!",
        "{x}",
        "(1. a3-b4 {y}",
        "words",
        "9-9",
        "[Result \"1-0\"]",
        "{tail}",
        "[FEN \"W:W31:B1\"]",
    ] {
        assert!(once.contains(kept), "no {kept} in {once}");
    }
    assert_eq!(games(&once).len(), 2);
    assert_eq!(convert(text, &["--to", "fen"]).lines().count(), 2);
}

#[test]
fn statuses_and_output_files() {
    let folder = Folder::with("good.pdn", "[GameType \"20\"]\n1. 32-28 *\n");
    folder.write("bad.pdn", "[GameType \"20\"]\n1. 31-13 *\n");
    for format in ["csv", "json", "jsonl", "pdn", "fen"] {
        folder.run(&["convert", "--to", format, "good.pdn", "-o", "out"]).is(0);
        let good = folder.read("out");
        assert!(!good.is_empty());
        folder.run(&["convert", "--to", format, "bad.pdn", "good.pdn", "-o", "out"]).is(1);
        assert!(folder.read("out").len() > good.len(), "{format}");
        folder.run(&["convert", "--to", format, "bad.pdn", "missing.pdn", "-o", "out"]).is(2);
        folder.run(&["convert", "--to", format, "good.pdn", "-o", "no/such/folder"]).is(2);
    }
    assert_eq!(folder.names(), ["bad.pdn", "good.pdn", "out"]);
    folder.run(&["convert", "good.pdn"]).is(2);
    folder.run(&["convert", "--to", "xml", "good.pdn"]).is(2);
}

#[test]
fn roster_tags_in_other_languages_fill_their_columns() {
    let text = "[Bianco \"Rossi\"]\n[Nero \"Verdi\"]\n[Risultato \"0-1\"]\n[GameType \"22\"]\n1. 22-18 12-16 *\n";
    let game = game(text);
    assert_eq!((&game["result"]["tag"], &game["result"]["winner"]), (&json!("0-1"), &json!("B")));
    assert_eq!(game["tags"], json!({"Bianco": "Rossi", "Nero": "Verdi", "Risultato": "0-1", "GameType": "22"}));
    let table = convert(text, &["--to", "csv"]);
    let mut lines = table.lines().map(|line| line.split(',').take(13).collect::<Vec<_>>());
    let (header, row) = (lines.next().expect("a header"), lines.next().expect("a row"));
    let cell = |name: &str| row[header.iter().position(|own| *own == name).expect("a column")];
    assert_eq!((cell("White"), cell("Black"), cell("Result"), cell("Event")), ("Rossi", "Verdi", "0-1", ""));
    // A name that is there counts more than one that means the same.
    let both = format!("[White \"Neri\"]\n{text}");
    assert!(convert(&both, &["--to", "csv"]).contains(",Neri,"));
}

#[test]
fn variations_too_deep_for_json_are_reported() {
    let nested = |depth: usize| {
        format!("[GameType \"20\"]\n1. 32-28 {}{} 19-23 *", "(1. 31-27 ".repeat(depth), ")".repeat(depth))
    };
    for (depth, kept) in [(40, 40), (41, 40), (60, 40)] {
        let game = game(nested(depth));
        let mut row = &game["moves"][0];
        let mut found = 0;
        while let Some(inner) = row["variations"][0].get(0) {
            (row, found) = (inner, found + 1);
        }
        let reported = game["diagnostics"].as_array().expect("a list").iter();
        let reported = reported.filter(|row| row["code"] == "replay/deep-variation").count();
        assert_eq!((found, reported), (kept, usize::from(depth > kept)), "{depth}");
    }
    assert_eq!(convert(&nested(60), &["--to", "pdn"]).matches('(').count(), 60);
}

#[test]
fn a_table_that_has_no_effect_is_reported() {
    let run = pdn_with("1. 32-28 *", &["convert", "--to", "jsonl", "--table", "moves", "-"]).is(0);
    assert!(run.errors.contains("--table moves has no effect: jsonl has no tables"), "{}", run.errors);
    let run = pdn_with("1. 32-28 *", &["convert", "--to", "jsonl", "-"]).is(0);
    assert!(!run.errors.contains("--table"), "{}", run.errors);
}

#[test]
fn records_that_are_written_again_pass_the_check() {
    let folder = Folder::with("a.pdn", "");
    let checked = |path: &str| {
        let run = folder.run(&["check", "--format", "json", "--ignore", "draw", path]).is(0);
        run.lines().len()
    };
    for name in ["international", "italian", "brazilian"] {
        let input = format!("{}/samples/games/{name}.pdn", env!("CARGO_MANIFEST_DIR"));
        for command in [
            &["convert", "--to", "pdn"][..],
            &["fmt"],
            &["search"],
            &["merge"],
            &["edit", "--set", "Event=x"],
            &["annotate", "--nodes", "50"],
        ] {
            folder.run(&[command, &[&input, "-o", "out.pdn", "-q"]].concat()).is(0);
            assert_eq!(checked("out.pdn"), 1, "{command:?} {name}");
            if ["convert", "fmt"].contains(&command[0]) {
                folder.run(&["fmt", "--check", "-q", "out.pdn"]).is(0);
            }
        }
    }
}
