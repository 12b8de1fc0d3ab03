//! The variant of a file without `GameType` tags, by the real binary: the same for any number of threads, from a file and
//! from standard input, and after `fmt`.

use std::ops::RangeInclusive;

use serde_json::Value;

use crate::support::binary::{Folder, Run, only, pdn_with};
use crate::support::library::{codes, game, games};

const OPENING: &str = "[Event \"a\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n";
/// A game that could not be played by the rules of Frisian draughts.
const INTERNATIONAL: &str = "[Event \"a\"]\n\n1. 32-28 17-21 2. 37-32 21-26 3. 41-37 19-23 4. 28x19 14x23 *\n\n";
const ENGLISH: &str = "[Event \"b\"]\n\n1. 11-15 23-19 2. 8-11 22-17 3. 4-8 17-13 4. 15-18 *\n\n";

fn variants(run: &Run) -> Vec<Value> {
    run.values().iter().map(|game| game["variant"].clone()).collect()
}

/// Games of two variants, more than a megabyte, with a comment in each.
fn long_file() -> String {
    let filler = format!("{{{}}} *\n\n", "filler ".repeat(300));
    let game = OPENING.replace("*\n\n", &filler);
    game.repeat(700) + ENGLISH + &game.repeat(50)
}

#[test]
fn jobs_and_inputs_do_not_matter() {
    let text = long_file();
    let folder = Folder::with("a.pdn", &text);
    let expected = variants(&folder.run(&["convert", "--to", "jsonl", "--jobs", "1", "a.pdn"]));
    assert_eq!(expected.iter().filter(|variant| *variant == "international").count(), 750);
    assert_eq!(expected[700], "english");
    for jobs in ["2", "7"] {
        assert!(variants(&folder.run(&["convert", "--to", "jsonl", "--jobs", jobs, "a.pdn"])) == expected, "{jobs}");
    }
    assert!(variants(&pdn_with(&text, &["convert", "--to", "jsonl", "-"])) == expected);
    let notes = pdn_with(&text, &["check", "--format", "json", "-"]).diagnostics();
    let of: Vec<_> =
        notes.iter().filter(|row| row["code"] == "replay/inferred-variant").map(|row| &row["game"]).collect();
    assert_eq!(of, [1, 701]);
}

#[test]
fn canonical_form_says_what_a_game_was_taken_as() {
    let formatted = pdn_with(INTERNATIONAL, &["fmt", "-"]).is(0);
    assert!(formatted.text().contains("[GameType \"20,W,10,10,N2,0\"]"), "{}", formatted.text());
    // English draughts and pool play the second game alike.
    let formatted = pdn_with([INTERNATIONAL, ENGLISH].concat(), &["fmt", "-"]).is(0);
    let text = formatted.text();
    assert_eq!(text.matches("GameType").count(), 1, "{text}");
    assert!(formatted.errors.contains("1 game keeps its squares and gets no GameType"), "{}", formatted.errors);
    assert_eq!(variants(&pdn_with(text, &["convert", "--to", "jsonl", "-"])), ["international", "english"]);
    assert_eq!(pdn_with(text, &["fmt", "-"]).text(), text);
    let bare = "1. 32-28 19-23 *\n";
    assert_eq!(pdn_with(bare, &["fmt", "-"]).text(), bare);
}

/// The moves are legal in several variants: the squares keep their names, and no GameType is added.
#[test]
fn canonical_form_writes_no_doubtful_variant() {
    for (tags, moves) in [
        ("[Event \"a\"]\n", "1. 22-17 11-15 2. 17-13 *\n"),
        ("[Event \"a\"]\n", "1. 32-28 19-23 2. 28x19 14x23 *\n"),
        ("[Event \"a\"]\n[FEN \"W:W21:B5\"]\n", "1. 21-17 5-9 *\n"),
        ("", "1. 22-17 11-15 2. 17-13 *\n"),
    ] {
        let text = format!("{tags}\n{moves}");
        let run = pdn_with(&text, &["fmt", "-"]).is(0);
        let formatted = run.text();
        assert!(formatted.ends_with(moves) && !formatted.contains("GameType"), "{formatted}");
        assert!(tags.lines().all(|tag| formatted.contains(tag)), "{formatted}");
        assert!(run.errors.contains(": squares keep their names, and no GameType is added"), "{}", run.errors);
        assert_eq!(pdn_with(formatted, &["fmt", "-"]).text(), formatted);
        assert_eq!(games(formatted)[0]["variant"], games(&text)[0]["variant"]);
    }
    let text = "[Event \"a\"]\n\n1. 22-17 11-15 2. 17-13 *\n";
    let asked = pdn_with(text, &["fmt", "--variant", "russian", "--game-type", "25,W,8,8,A0,0", "-"]).is(0);
    assert!(asked.text().contains("1. c3-b4 f6-e5"), "{}", asked.text());
}

/// A GameType that cannot be used is kept, so that the variant cannot be written into the record.
#[test]
fn files_with_unusable_game_types_are_stable() {
    for text in [
        "[Site \"Torneio\"]\n20-25\n\n[GameType \"0\"]\n1. ed4\n\n[GameType \"c\"]\n1. 12-18 *\n",
        "[GameType \"c\"]\nb6-a5\n\n[Event \"checkers\"]\n{x} 2320\n\n[s\n1. 7x2 *\n",
        "[GameType \"21\"]\nc3-d4 *\n\n[FEN \"B:W18,24:B1,K3\"]\n*\n\n1. c3-d4 d6-c5 1. 19-23 *\n",
        "1. 7x2 *\n\n[s\n[GameType \"c\"]\n1. 27-22 c3-d4 1-0\n",
        "[Event \"a\"]\n1. 32-28 17-21 2. 37-32 21-26 3. 41-37 19-23 4. 28x19 14x23 *\n\n[GameType \"c\"]\n5-9 *\n",
    ] {
        let once = pdn_with(text, &["fmt", "-"]).text().to_owned();
        assert_eq!(pdn_with(&once, &["fmt", "-"]).text(), once, "{text}");
    }
}

/// Repairs would change which variants can play the other games.
#[test]
fn games_without_a_game_type_are_repaired_only_if_that_makes_them_legal() {
    let text = "2319 1114\n[Bianco\n2319 1114 8-2\n[2\"]1116\n[B\n9-14[R\"\n1015";
    let once = pdn_with(text, &["fmt", "--fix", "-"]).text().to_owned();
    assert_eq!(pdn_with(&once, &["fmt", "--fix", "-"]).text(), once);
}

#[test]
fn an_undecided_file_has_one_warning() {
    let text = "[Event \"a\"]\n[FEN \"W:W31,27:B17,12\"]\n*\n\n".repeat(3);
    let found = pdn_with(&text, &["check", "--format", "json", "-"]).diagnostics();
    assert_eq!(only(&found, "replay/unknown-variant")["game"], 1);
    assert!(games(&text).iter().all(|game| game["variant"] == Value::Null));
}

#[test]
fn show_takes_the_variant_of_the_file() {
    let folder = Folder::with("a.pdn", [OPENING, "1. 31-27 *\n"].concat());
    assert!(folder.run(&["show", "a.pdn", "--game", "2"]).is(0).text().lines().count() >= 10);
}

#[test]
fn null_moves_are_written_as_the_standard_does() {
    let text = "[Event \"a\"]\n[GameType \"20\"]\n\n1. 32-28 - 2. 37-32 20-25 3. - 15-20 4. - - 5. 41-37 *\n";
    let strict = pdn_with(text, &["fmt", "--strict", "-"]).is(0);
    assert!(
        strict.text().contains("1. 32-28 /FEN \"W::\"/ 2. 37-32 20-25 /FEN \"B::\"/ 3... 15-20"),
        "{}",
        strict.text()
    );
    let moves = |text: &str| -> Vec<(Value, Value)> {
        let rows = game(text)["moves"].as_array().expect("a list").clone();
        let rows = rows.into_iter().filter(|row| row["notation"] != Value::Null && row["written"] != "-");
        rows.map(|row| (row["written"].clone(), row["fen"].clone())).collect()
    };
    assert_eq!(moves(strict.text()), moves(text));
    assert_eq!(pdn_with(strict.text(), &["fmt", "--strict", "-"]).text(), strict.text());
    pdn_with(strict.text(), &["check", "--strict", "-"]).is(0);
    let fixed = pdn_with(text, &["fmt", "--strict", "--fix", "-"]).is(0);
    assert_eq!(fixed.text(), strict.text());
    let text = "[Event \"a\"]\n[GameType \"20\"]\n\n1. 32-28 19-24 (1... - 2. 37-32) 2. 37-32 *\n";
    let strict = pdn_with(text, &["fmt", "--strict", "-"]).is(0);
    assert!(strict.text().contains("(/FEN \"W::\"/ 2. 37-32)"), "{}", strict.text());
    let last = |text: &str| game(text)["moves"][1]["variations"][0].as_array().and_then(|plies| plies.last().cloned());
    let fen = |text: &str| last(text).map(|ply| ply["fen"].clone());
    assert!(fen(text).is_some_and(|fen| fen.is_string()));
    assert_eq!(fen(strict.text()), fen(text));
}

#[test]
fn every_null_move_is_written_and_read_again() {
    let nulls = |numbers: RangeInclusive<u32>| numbers.map(|n| format!("{n}. - - ")).collect::<Vec<_>>().concat();
    for (moves, expected) in [
        (nulls(1..=18), 36),
        (format!("1. 32-28 19-23 2. 28x19 14x23 {}", nulls(3..=20)), 36),
        (format!("1. 32-28 - 2. 37-32 20-25 {}20. - 15-20 21. 41-37 -", nulls(3..=18)), 35),
    ] {
        for game_type in ["", GAME] {
            let text = format!("[Event \"a\"]\n[Result \"1-1\"]\n{game_type}\n{moves} 1-1\n");
            let once = pdn_with(&text, &["fmt", "-"]).text().to_owned();
            assert_eq!((null_moves(&text), null_moves(&once)), (expected, expected), "{once}");
            assert_eq!(game(&once)["written"], game(&text)["written"], "{once}");
            assert_eq!(pdn_with(&once, &["fmt", "-"]).text(), once);
        }
    }
}

fn null_moves(text: &str) -> usize {
    game(text)["moves"].as_array().expect("a list").iter().filter(|row| row["written"] == "-").count()
}

/// The left number of a result is that of the side that moves first, Black in English draughts, whether a tag names the
/// variant or the moves do.
#[test]
fn the_winner_is_that_of_the_inferred_variant() {
    for (moves, game_type, variant, winners) in
        [(OPENING, "20", "international", ["W", "B"]), (ENGLISH, "21", "english", ["B", "W"])]
    {
        let moves = moves.split_once("\n\n").expect("a tag").1.trim_end_matches(['*', ' ', '\n']);
        for (result, winner) in ["1-0", "0-1"].into_iter().zip(winners) {
            for game_type in [String::new(), format!("[GameType \"{game_type}\"]\n")] {
                let row = game(format!("[Result \"{result}\"]\n{game_type}\n{moves} {result}\n"));
                assert_eq!((&row["variant"], &row["result"]["winner"]), (&variant.into(), &winner.into()), "{row}");
            }
        }
    }
}

const GAME: &str = "[GameType \"20\"]\n";

#[test]
fn a_year_in_prose_is_no_move() {
    for prose in [
        "31-27 as in Las Vegas 2002 against Cake",
        "31-27 2002 against Cake",
        "2002 against Cake",
        "31-27 Las Vegas, 1998",
        "31-27 Moscow 1823: a classic",
    ] {
        let text = format!("{GAME}1. 32-28 ({prose}) 19-23 *");
        let found = codes(&text);
        assert!(found.iter().all(|code| !code.contains("move/") && !code.contains("separator")), "{prose}: {found:?}");
        assert_eq!(game(&text)["written"], 2, "{prose}");
    }
    let squeezed = game(format!("{GAME}1. 3228 (31-27 good 2621 1823) 1823 *"));
    assert_eq!(squeezed["moves"].as_array().map(Vec::len), Some(2));
    assert_eq!(squeezed["moves"][0]["variations"][0][1]["written"], "2621", "{squeezed}");
}

#[test]
fn commas_and_semicolons_separate_moves() {
    for (text, written) in [
        ("32-28,19-23;", 2),
        ("1. 32-28, 19-23; 2. 28x19 , 14x23; *", 4),
        ("1. 32-28,19-23;2. 28x19,14x23", 4),
        ("1. 32-28,19-23; (18-23), 28x19", 3),
    ] {
        let game = game(format!("{GAME}{text}\n"));
        assert_eq!((&game["written"], &game["legal"]), (&Value::from(written), &Value::from(true)), "{text}");
    }
    let found = codes(format!("{GAME}1. 32-28,19-23; a remark 28x19 *"));
    assert_eq!(found, ["warning syntax/stray-comma", "warning syntax/missing-blank"]);
}

#[test]
fn a_win_in_a_drawn_position_is_reported() {
    let ending = |result: &str, moves: &str| {
        codes(format!("{GAME}[Result \"{result}\"]\n[SetUp \"1\"]\n[FEN \"W:WK46:BK45\"]\n1. {moves} {result}"))
    };
    let draw = "note draw/last-pieces";
    assert_eq!(ending("2-0", "46-41"), [draw, "warning result/board"]);
    assert_eq!(ending("2-0", "46-41 45-50 2. 41-46 50-45"), [draw, "warning result/board"]);
    assert_eq!(ending("1-1", "46-41 45-50"), [draw]);
    // The side to move takes the king.
    assert_eq!(ending("2-0", "46-41 45-34 2. 41-5 34-1"), [draw, "warning result/board"]);
    assert!(!ending("2-0", "46-28 45-23").contains(&"warning result/board".to_owned()));
}

#[test]
fn a_path_with_stops_of_one_capture_is_that_capture() {
    let text = "[GameType \"20\"]\n[SetUp \"1\"]\n[FEN \"W:WK2:B8,34,33,40,17\"]\n1. 2x30x11 *";
    let found = codes(text);
    assert!(!found.iter().any(|code| code.contains("ambiguous")), "{found:?}");
}

#[test]
fn the_message_about_the_limit_of_king_moves_names_the_rule() {
    let text = "[GameType \"40\"]\n[SetUp \"1\"]\n[FEN \"W:WK46,36:B3,4,5\"]\n\
        1. 46-41 3-8 2. 41-46 8-12 3. 46-41 4-9 4. 41-46 *";
    let found = pdn_with(text, &["check", "--format", "json", "-"]).is(1).diagnostics();
    let message = only(&found, "move/illegal")["message"].as_str().expect("a message");
    assert!(
        message.contains("3 quiet moves in a row") && message.contains("Frisian rules 2011, article 11"),
        "{message}"
    );
}
