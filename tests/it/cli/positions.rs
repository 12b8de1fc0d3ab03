//! What `pdn moves`, `perft` and `show` promise.

use std::fs;
use std::path::Path;

use crate::support::binary::{Folder, Run, pdn, pdn_with};
use serde_json::{Value, json};

const VARIANTS: [&str; 20] = [
    "international",
    "english",
    "italian",
    "pool",
    "pool-unified",
    "jamaican",
    "spanish",
    "russian",
    "brazilian",
    "canadian",
    "portuguese",
    "czech",
    "turkish",
    "thai",
    "frisian",
    "spantsiretti",
    "killer",
    "breakthrough",
    "antidraughts",
    "frysk",
];

fn last_line(run: &Run) -> u64 {
    run.lines().last().expect("a line").parse().expect("a number")
}

/// All positions of a file with every legal move, each in the order that the contract asks for.
fn expected(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn key(played: &Value) -> (u64, u64, Vec<u64>) {
    let number = |name: &str| played[name].as_u64().expect("a number");
    let captured = played["captured"].as_array().expect("a list");
    (number("from"), number("to"), captured.iter().map(|square| square.as_u64().expect("a number")).collect())
}

#[test]
fn every_known_position_has_its_moves() {
    for entry in fs::read_dir("tests/data/rules/legal").expect("the data") {
        let path = entry.expect("a file").path();
        let variant = path.file_stem().expect("a name").to_str().expect("a variant");
        let positions = expected(&path);
        for field in ["fen", "fen_alg"] {
            let fens: Vec<_> = positions.iter().filter_map(|position| position[field].as_str()).collect();
            let folder = Folder::with("fens", fens.join("\n"));
            let run = folder.run(&["moves", "--variant", variant, "--fens", "fens", "--format", "json"]).is(0);
            let answers = run.values();
            assert_eq!(answers.len(), fens.len());
            for ((answer, fen), position) in answers.iter().zip(&fens).zip(&positions) {
                assert_eq!((&answer["variant"], &answer["fen"]), (&json!(variant), &json!(fen)));
                assert_moves(answer, position);
            }
        }
    }
}

fn assert_moves(answer: &Value, position: &Value) {
    let moves = answer["moves"].as_array().expect("a list");
    let mut wanted: Vec<_> = position["moves"].as_array().expect("a list").iter().map(key).collect();
    wanted.sort();
    assert_eq!(moves.iter().map(key).collect::<Vec<_>>(), wanted, "{answer}");
    for played in moves {
        let (from, to, _) = key(played);
        let path = played["path"].as_array().expect("a list");
        assert_eq!((path.first(), path.last()), (Some(&json!(from)), Some(&json!(to))), "{answer}");
        let same = wanted.iter().filter(|other| (other.0, other.1) == (from, to)).count();
        let notation = played["notation"].as_str().expect("a text");
        let squares = notation.split(['-', 'x', ':']).count();
        assert_eq!(squares, if same > 1 { path.len() } else { 2 }, "{notation} in {answer}");
    }
}

#[test]
fn a_move_has_these_fields() {
    let run = pdn(&["moves", "--fen", "W:WK47:B42,29,14,31,19", "--format", "json"]).is(0);
    assert!(
        run.text()
            .starts_with("{\"variant\":\"international\",\"fen\":\"W:WK47:B42,29,14,31,19\",\"moves\":[{\"notation\":")
    );
    let moves = &run.values()[0]["moves"];
    assert_eq!(
        *moves,
        json!([
            {"notation": "47x38x20x9x36", "from": 47, "to": 36, "captured": [14, 29, 31, 42], "path": [47, 38, 20, 9, 36]},
            {"notation": "47x38x24x13x36", "from": 47, "to": 36, "captured": [19, 29, 31, 42], "path": [47, 38, 24, 13, 36]},
        ])
    );
    let quiet = pdn(&["moves", "--fen", "W:W31:B1", "--format", "json"]).values();
    let first = json!({"notation": "31-26", "from": 31, "to": 26, "captured": [], "path": [31, 26]});
    assert_eq!(quiet[0]["moves"][0], first);
}

#[test]
fn numbers_are_internal_and_names_are_the_variants_own() {
    for (variant, fen, notation, from, to) in [
        ("russian", "W:Wa1:Bh8", "a1-b2", 29, 25),
        ("russian", "W:W29:B4", "a1-b2", 29, 25),
        ("jamaican", "B:Wh8:Ba1", "a1-b2", 1, 5),
        ("spanish", "W:W1:B32", "1-5", 1, 5),
        ("italian", "W:W29:B1", "29-25", 29, 25),
        ("canadian", "W:W67:B1", "67-61", 67, 61),
        ("turkish", "W:Wa2:Bh8", "a2-a3", 49, 41),
        ("spantsiretti", "W:Wa1:Bj8", "a1-b2", 36, 31),
        ("thai", "B:W1:B32", "32-28", 1, 5),
    ] {
        let answer = &pdn(&["moves", "--variant", variant, "--fen", fen, "--format", "json"]).is(0).values()[0];
        assert_eq!(answer["fen"], fen);
        let played = answer["moves"].as_array().expect("a list").iter().find(|played| played["notation"] == notation);
        let played = played.unwrap_or_else(|| panic!("no {notation} in {answer}"));
        assert_eq!((&played["from"], &played["to"]), (&json!(from), &json!(to)), "{variant}");
    }
}

#[test]
fn invalid_positions_keep_their_place_in_the_output() {
    let input = "\n  W:W31:B1  \n\nW:W99:B1\nB:W31:B1.\nW:W1:B50\n?:W31:B1\n";
    let run = pdn_with(input, &["moves", "--fens", "-", "--format", "json"]).is(1);
    let answers = run.values();
    let bad: Vec<_> = answers.iter().map(|answer| answer.get("error").is_some()).collect();
    assert_eq!(bad, [false, true, false, true, true]);
    assert_eq!(answers[0]["fen"], "  W:W31:B1  ");
    let names: Vec<_> = answers[1].as_object().expect("an object").keys().collect();
    assert_eq!(names, ["error", "fen"]);
    assert_eq!(pdn_with("", &["moves", "--fens", "-"]).is(0).text(), "");
    for fen in ["", "W", "xyz", "W:W1:B7", "W:W31,K31:B1"] {
        let run = pdn(&["moves", "--fen", fen]).is(1);
        assert!(run.text().is_empty() && run.errors.contains("FEN"), "{fen}: {}", run.errors);
    }
}

#[test]
fn invalid_positions_are_reported_with_position_and_reason() {
    for (variant, fen, reported) in [
        ("international", "", "column 1: expected the side to move"),
        ("international", "W", "column 2: expected `:` and a list of pieces"),
        ("international", "31:B1", "column 1: expected the side to move"),
        ("international", "W:W31,51:B1", "column 7: `51` is not a square of this board"),
        ("international", "W:W31-a5:B1", "column 4: `31-a5` is not a range of squares of this board"),
        ("international", "W:W31;32:B1", "column 6: expected a square, found `;32`"),
        ("international", "W:W31:B1:G9", "column 10: a list of pieces begins with `W` or `B`"),
        ("international", "W:W31,é:B1,K31", "column 7: expected a square, found `é`; column 12: two pieces on 31"),
        ("international", "W:W2,31:B1,50", "2: a White man is on its promotion row; 50: a Black man is on"),
        ("international", "?:W31:B1", "the side to move is unknown"),
        ("international", "B::", "the board is empty"),
        ("italian", "W:W40:B1", "column 4: `40` is not a square of this board"),
        ("russian", "W:Wa1,b1:Bh8", "column 7: `b1` is not a square of this board"),
        ("brazilian", "W:Wa1,b8:Bh8", "b8: a White man is on its promotion row"),
    ] {
        for command in [&["moves"][..], &["perft", "--depth", "1"], &["show"]] {
            let run = pdn(&[command, &["--variant", variant, "--fen", fen]].concat()).is(1);
            let expected = format!("pdn: invalid FEN: {reported}");
            assert!(run.text().is_empty() && run.errors.starts_with(&expected), "{command:?} {fen}: {}", run.errors);
        }
    }
}

#[test]
fn a_side_that_cannot_move_has_an_empty_list() {
    let run = pdn(&["moves", "--fen", "B:W28:B", "--format", "json"]).is(0);
    assert_eq!(run.values()[0]["moves"], json!([]));
    assert_eq!(pdn(&["moves", "--fen", "B:W28:B"]).is(0).text(), "");
}

#[test]
fn every_variant_is_known_by_name() {
    for variant in VARIANTS {
        let leaves = last_line(&pdn(&["perft", "--depth", "2", "--variant", variant]).is(0));
        assert!(leaves > 0, "{variant}");
        let first = pdn(&["perft", "--depth", "2", "--variant", variant, "--format", "json"]).is(0);
        assert_eq!((&first.values()[0]["variant"], &first.values()[0]["leaves"]), (&json!(variant), &json!(leaves)));
        assert!(pdn(&["variants"]).text().lines().any(|line| line.split_whitespace().next() == Some(variant)));
    }
}

#[test]
fn variants_by_number_and_value() {
    let fen = ["moves", "--format", "json", "--fen"];
    for (asked, name) in [
        ("20", "international"),
        ("21", "english"),
        ("22", "italian"),
        ("23", "pool"),
        ("23,B,8,8,N1,0", "pool"),
        ("23,W,8,8,A0,0", "pool-unified"),
        ("23,B,8,8,A1,1", "jamaican"),
        ("24", "spanish"),
        ("25", "russian"),
        ("26", "brazilian"),
        ("27", "canadian"),
        ("28", "portuguese"),
        ("29", "czech"),
        ("30", "turkish"),
        ("31", "thai"),
        ("40", "frisian"),
        ("41", "spantsiretti"),
        ("96", "breakthrough"),
        ("97", "frysk"),
        ("98", "antidraughts"),
        ("25,W,8,8,A0,0", "russian"),
        ("Killer", "killer"),
        ("Pool-Unified", "pool-unified"),
    ] {
        let run = pdn(&[&fen[..], &["W:W19:B10", "--variant", asked]].concat()).is(0);
        assert_eq!(run.values()[0]["variant"], name, "{asked}");
    }
    for asked in ["", "0", "1", "50", "99", "777", "ludo", "23x"] {
        pdn(&["perft", "--depth", "1", "--variant", asked]).is(2);
    }
}

#[test]
fn perft_ends_with_the_leaf_count() {
    for (arguments, leaves) in [
        (&["--depth", "0"][..], 1),
        (&["--depth", "6"], 167_140),
        (&["--depth", "6", "--jobs", "1"], 167_140),
        (&["--depth", "6", "--jobs", "2", "--divide"], 167_140),
        (&["--depth", "6", "--paths"], 167_140),
        (&["--depth", "6", "--paths", "--divide"], 167_140),
        (&["--depth", "5", "--variant", "english"], 7_361),
        (&["--depth", "1", "--fen", "W:W31:B1"], 2),
        (&["--depth", "2", "--variant", "russian", "--fen", "W:Wa1:Bh8"], 1),
    ] {
        let run = pdn(&[&["perft"], arguments].concat()).is(0);
        assert_eq!(last_line(&run), leaves, "{arguments:?}");
        if !arguments.contains(&"--divide") {
            assert_eq!(run.lines().len(), 1);
        }
        let json = pdn(&[&["perft", "--format", "json"], arguments].concat()).is(0).values();
        let answer = json.last().expect("a line");
        assert_eq!(answer["leaves"], leaves);
        assert!(answer["seconds"].is_number() && answer["leaves_per_second"].is_number(), "{answer}");
    }
    pdn(&["perft"]).is(2);
    pdn(&["perft", "--depth", "1", "--fen", "nonsense"]).is(1);
    assert_eq!(last_line(&pdn(&["perft", "--depth", "1000", "--fen", "B:W46:B"]).is(0)), 0);
    assert!(pdn(&["perft", "--depth", "4294967295"]).is(2).errors.contains("--depth"));
}

#[test]
fn paths_are_counted_below_each_move() {
    // One move with several paths: the divided counts are those of paths and sum up to all of them.
    let positions = expected(Path::new("tests/data/rules/legal/international.jsonl"));
    let mut more = 0;
    for position in positions.iter().filter(|position| position["tag"] == "dup").take(5) {
        let fen = position["fen"].as_str().expect("a FEN");
        let count = |options: &[&str]| pdn(&[&["perft", "--depth", "2", "--fen", fen], options].concat()).is(0);
        let divided = count(&["--paths", "--divide"]);
        let shares = divided.lines().into_iter().filter_map(|line| line.split_once(": "));
        let sum: u64 = shares.map(|(_, leaves)| leaves.parse::<u64>().expect("a number")).sum();
        assert_eq!(sum, last_line(&count(&["--paths"])));
        assert_eq!(sum, last_line(&divided));
        more += u64::from(sum > last_line(&count(&[])));
    }
    assert!(more > 0);
}

#[test]
fn boards_are_shown() {
    for variant in VARIANTS {
        let run = pdn(&["show", "--variant", variant, "--fen", "W:W19:B10"]).is(0);
        assert!(run.text().ends_with("White to move\n"), "{variant}: {}", run.text());
        assert!(
            pdn(&["show", "--variant", variant, "--fen", "W:W19:B10", "--format", "svg"])
                .is(0)
                .text()
                .starts_with("<svg")
        );
    }
    let folder = Folder::with("a.pdn", "[GameType \"20\"]\n1. 32-28 19-23 *\n");
    assert!(folder.run(&["show", "a.pdn", "--ply", "0"]).is(0).text().ends_with("White to move\n"));
    assert!(folder.run(&["show", "a.pdn", "--ply", "1"]).is(0).text().ends_with("Black to move\n"));
    folder.run(&["show", "a.pdn", "--ply", "3"]).is(2);
    folder.run(&["show", "a.pdn", "--game", "2"]).is(2);
    folder.run(&["show", "missing.pdn"]).is(2);
    pdn(&["show", "--fen", "nonsense"]).is(1);
    pdn(&["show"]).is(2);
}

#[test]
fn games_are_shown_up_to_an_illegal_move() {
    let folder = Folder::with("a.pdn", "[GameType \"20\"]\n1. 32-28 (1. 1-2) 19-23 2. 28x19 1-40 3. 31-27 *\n");
    let blocked =
        "game 1 cannot be played beyond ply 3: `1-40` is not legal: Black must capture, but not with the piece on 1\n";
    let last = folder.run(&["show", "a.pdn"]).is(0);
    assert!(last.text().contains("Last move: White 28x19, ply 3\n"), "{}", last.text());
    assert_eq!(last.errors, blocked);
    assert_eq!(folder.run(&["show", "a.pdn", "--ply", "3"]).is(0).errors, "");
    for ply in ["4", "5", "99"] {
        let run = folder.run(&["show", "a.pdn", "--ply", ply]).is(2);
        assert!(run.text().is_empty() && run.errors == format!("pdn: {blocked}"), "{}", run.errors);
    }
    // After a position that is set up, the game goes on.
    folder.write("b.pdn", "[GameType \"20\"]\n1. 32-28 1-40 /FEN \"W:W32:B19\"/ 2. 32-28 *\n");
    let run = folder.run(&["show", "b.pdn"]).is(0);
    assert!(run.text().contains("FEN: B:W28:B19\n") && run.errors.is_empty(), "{} {}", run.text(), run.errors);
}

const SHOWN: &str = "[White \"Anna\\u{1b}[31m\"]\n[Black \"Bram\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 \
    {[%csl Y28,R19][%cal G28-19,B14-23]} 2. 28x19 14x23 *\n";

#[test]
fn a_game_is_shown_with_its_players_and_its_last_move() {
    let folder = Folder::with("a.pdn", SHOWN.replace("\\u{1b}", "\u{1b}"));
    let shown = folder.run(&["show", "a.pdn", "--ply", "3"]).is(0);
    let lines = shown.lines();
    assert!(lines[0].starts_with("White: Anna") && !shown.text().contains('\u{1b}'), "{}", shown.text());
    assert_eq!(&lines[1..3], ["Black: Bram", "Last move: White 28x19, ply 3"]);
    assert!(lines[3].starts_with("FEN: B:W19,31,33,") && shown.text().ends_with("Black to move\n"));
    assert!(!folder.run(&["show", "a.pdn", "--ply", "0"]).is(0).text().contains("Last move"));
    let numbers = folder.run(&["show", "a.pdn", "--ply", "0", "--flip", "--numbers"]).is(0);
    assert!(numbers.text().contains("\n50     w     w     w     w     w\n"), "{}", numbers.text());
    assert!(numbers.text().contains("\n30    30    29    28    27    26\n"), "{}", numbers.text());
    let colored = folder.run(&["show", "a.pdn", "--ply", "1", "--color", "always"]).is(0);
    assert_eq!(colored.text().matches(";42m").count(), 2);
}

#[test]
fn a_picture_has_names_the_last_move_and_arrows() {
    let folder = Folder::with("a.pdn", SHOWN);
    let picture = folder.run(&["show", "a.pdn", "--ply", "2", "--format", "svg"]).is(0);
    let count = |text: &str| picture.text().matches(text).count();
    // Of the marked squares one is empty, and the last move ends on another.
    assert_eq!([count("<text"), count("<polygon"), count("#d0a000"), count("#d8b13c")], [50, 2, 1, 1]);
    let plain = folder.run(&["show", "a.pdn", "--ply", "1", "--format", "svg"]).is(0);
    assert_eq!((plain.text().matches("<polygon").count(), plain.text().matches("#d8b13c").count()), (0, 2));
    let flipped = folder.run(&["show", "a.pdn", "--ply", "1", "--format", "svg", "--flip"]).is(0);
    assert!(flipped.text() != plain.text() && flipped.text().len().abs_diff(plain.text().len()) < 40);
}
