//! `pdn puzzles` and `pdn verify`, with positions whose values the endgame tables have.

use serde_json::{Value, json};

use crate::support::binary::{Folder, Run, pdn, pdn_with};
use crate::support::library::games;

/// 12-7 wins, all other moves draw; 21-17 draws, all others lose.
const GAMES: &str = "[White \"A\"]\n[GameType \"20\"]\n[FEN \"W:W30,12:B24,19\"]\n1. 12-8 $2 *\n\n\
    [White \"B\"]\n[GameType \"20\"]\n[FEN \"W:W21,32:B44,26\"]\n1. 32-27 $4 *\n\n\
    [GameType \"20\"]\n[FEN \"W:W22,43:B25\"]\n1. 43-38 $4 *\n";

fn problem(fen: &str, solution: &str, result: &str) -> String {
    format!("[GameType \"20\"]\n[FEN \"{fen}\"]\n[Result \"{result}\"]\n\n{solution} {result}\n\n")
}

fn verify(text: &str, arguments: &[&str]) -> Run {
    pdn_with(text, &[&["verify", "-"], arguments].concat())
}

#[test]
fn verdicts_are_those_of_the_tables() {
    let table = [
        (problem("W:W30,12:B24,19", "1. 12-7", "2-0"), "sound", 0),
        (problem("W:W30,12:B24,19", "1. 12-8", "2-0"), "refuted", 1),
        (problem("W:W30,12:B24,19", "", "2-0"), "sound", 0),
        (problem("W:W22,43:B25", "1. 22-17", "2-0"), "cook", 1),
        (problem("W:W17,22:B16,13", "1. 17-12", "1-1"), "sound", 0),
        (problem("W:W17,22:B16,13", "1. 17-11", "1-1"), "refuted", 1),
    ];
    for (text, verdict, status) in &table {
        let run = verify(text, &["--format", "json"]).is(*status);
        let rows = run.values();
        assert_eq!(rows[0]["verdict"], *verdict, "{text}{}", run.text());
        assert_eq!((&rows[1]["summary"]["problems"], &rows[1]["summary"][*verdict]), (&json!(1), &json!(1)));
    }
    let all: String = table.iter().map(|(text, ..)| text.as_str()).collect();
    let run = verify(&all, &[]).is(1);
    assert!(
        run.text().ends_with("6 problems: 3 sound, 1 cooked, 0 with duals, 2 refuted, 0 unsolved\n"),
        "{}",
        run.text()
    );
    assert!(run.text().contains("game 4: cook, ply 1: 22-18 43-39"), "{}", run.text());
}

#[test]
fn nothing_is_sound_without_proof() {
    let start = "W:W31-50:B1-20";
    let run = verify(&problem(start, "1. 32-28", "2-0"), &["--nodes", "100", "--format", "json"]).is(1);
    let row = &run.values()[0];
    assert_eq!((&row["verdict"], &row["moves"][0]["reaches"]), (&json!("unsolved"), &Value::Null));
    assert_eq!(row["moves"][0]["unknown"], 8);
}

#[test]
fn games_from_the_start_are_no_problems() {
    let run = verify("[GameType \"20\"]\n1. 32-28 *\n", &[]).is(0);
    assert!(run.text().starts_with("0 problems: "), "{}", run.text());
}

/// 32-27 is the only move that wins.
const SOUND: &str = "W:W32,37,41:B14,21,23";

#[test]
fn solutions_with_an_illegal_move_are_refuted() {
    for (solution, played, reason) in [
        ("1. 32-27 21x32 2. 40x17", 2, "`40x17` is not legal: there is no piece on 40"),
        ("1. 50-49", 0, "`50-49` is not legal: there is no piece on 50"),
        ("1. 32-27 (1. 99-98) 21x32 2. 37-38", 2, "`37-38` is not legal: "),
        ("1. - - 21-27", 0, "a move is missing here"),
        ("1. -- 21-26 2. 32-27", 0, "the solution has a null move"),
        ("1. 32-27 21x32 2. --", 2, "the solution has a null move"),
    ] {
        let text = problem(SOUND, solution, "2-0");
        let run = verify(&text, &[]).is(1);
        assert!(run.text().starts_with(&format!("-: game 1: refuted, {reason}")), "{}", run.text());
        let row = &verify(&text, &["--format", "json"]).is(1).values()[0];
        assert_eq!((&row["verdict"], &row["moves"]), (&json!("refuted"), &json!([])), "{row}");
        assert_eq!(row["solution"].as_array().map(Vec::len), Some(played));
    }
}

#[test]
fn positions_that_cannot_be_used_are_errors() {
    let text = problem("W:W99:Bx", "1. 32-27", "2-0") + &problem(SOUND, "1. 32-27", "2-0");
    let run = verify(&text, &[]).is(1);
    assert!(run.errors.starts_with("pdn: -: game 1: the FEN cannot be read: `99` is not a square"), "{}", run.errors);
    assert!(run.text().ends_with("1 problem: 1 sound, 0 cooked, 0 with duals, 0 refuted, 0 unsolved\n"));
    let json = verify(&text, &["--format", "json"]).is(1);
    assert!(json.values().len() == 2 && json.errors.starts_with('{'), "{}", json.errors);
}

/// The tag may be written in any case, and its value must be known.
#[test]
fn problems_have_a_position_in_their_fen_tag() {
    let sound = problem(SOUND, "1. 32-27 21x32 2. 37x10", "*").replace("[FEN", "[goal \"material\"]\n[Fen");
    let row = &verify(&sound, &["--format", "json"]).is(0).values()[0];
    assert_eq!((&row["goal"], &row["verdict"]), (&json!("material"), &json!("sound")), "{row}");
    let games = ["", "?"].map(|fen| problem(fen, "1. 32-28", "*")).concat();
    assert!(verify(&games, &[]).is(0).text().starts_with("0 problems: "));
    let solved = pdn_with(games + &sound, &["bench", "problems", "--nodes", "10000", "-"]).is(0);
    assert!(solved.text().contains("1 of 1 problems solved"), "{}", solved.text());
}

#[test]
fn unknown_goals_are_reported() {
    let goal = |goal| problem(SOUND, "1. 32-27", "*").replace("[Result", &format!("[Goal \"{goal}\"]\n[Result"));
    let run = verify(&goal("wins material"), &[]).is(0);
    let warning = "-: game 1: the tag Goal has an unknown value: `wins material`; known are win, draw, material\n";
    assert_eq!(run.errors, warning);
    for known in ["Win ", "?"] {
        assert_eq!(verify(&goal(known), &[]).is(0).errors, "");
    }
}

#[test]
fn puzzles_have_one_right_move() {
    let run = pdn_with(GAMES, &["puzzles", "-", "--nodes", "2000", "--proven", "--to", "jsonl"]).is(0);
    let rows = run.values();
    let first = |row: &Value| (row["goal"].clone(), row["solution"][0].clone(), row["tags"]["White"].clone());
    assert_eq!(first(&rows[0]), (json!("win"), json!("12-7"), json!("A")), "{}", run.text());
    assert!(rows.iter().any(|row| first(row) == (json!("draw"), json!("21-17"), json!("B"))), "{}", run.text());
    assert!(rows.iter().all(|row| row["unique"] == "proven" && row["fen"] != "W:W22,43:B25"), "{}", run.text());
    assert!(run.errors.contains("in 3 marked moves"), "{}", run.errors);
}

#[test]
fn puzzles_are_sound_problems() {
    let records = pdn_with(GAMES, &["puzzles", "-", "--nodes", "2000", "--proven"]).is(0);
    for game in games(records.text()) {
        assert!(game["legal"] == true && game["plies"].as_u64() > Some(0), "{game}");
    }
    assert!(
        records.text().contains("[Result \"1-1\"]") && records.text().contains("[Goal \"draw\"]"),
        "{}",
        records.text()
    );
    let verified = verify(records.text(), &["--format", "json"]).is(0);
    let rows = verified.values();
    let goals: Vec<_> = rows.iter().filter_map(|row| row["goal"].as_str()).collect();
    assert!(goals.contains(&"win") && goals.contains(&"draw"), "{}", verified.text());
    assert!(rows.iter().all(|row| row["verdict"] == "sound" || row["summary"].is_object()), "{}", verified.text());
}

#[test]
fn the_goal_of_a_shot_is_material() {
    let puzzles = pdn_with(SHOT, &["puzzles", "-", "--nodes", "20000"]).is(0);
    assert!(puzzles.text().contains("[Result \"*\"]") && puzzles.text().contains("[Goal \"material\"]"));
    assert!(verify(puzzles.text(), &[]).is(0).text().ends_with(" 0 unsolved\n"));
    let royal = "W:W27,33,38,39,40,45,48:B3,12,13,14,19,23,24";
    let table = [
        (royal, "1. 33-28 23x34 2. 40x7", "sound"),
        (royal, "1. 48-42", "refuted"),
        (royal, "", "sound"),
        ("W:W32,37,41:B14,21,23", "1. 32-27 21x32 2. 37x10", "sound"),
        ("W:W32,37,41:B14,21,23", "1. 32-28 23x32 2. 37x28", "refuted"),
    ];
    for (fen, solution, verdict) in table {
        let text = problem(fen, solution, "*").replace("[Result", "[Goal \"Material\"]\n[Result");
        let row = &verify(&text, &["--format", "json"]).values()[0];
        assert_eq!((&row["goal"], &row["verdict"]), (&json!("material"), &json!(verdict)), "{row}");
    }
}

#[test]
fn games_without_marks_have_no_puzzles() {
    let run = pdn_with("[GameType \"20\"]\n1. 32-28 *\n", &["puzzles", "-"]).is(0);
    assert!(run.text().is_empty() && run.errors.contains("`pdn annotate` marks them"), "{}", run.errors);
}

#[test]
fn puzzles_pass_the_check() {
    let puzzles = pdn_with(GAMES, &["puzzles", "-"]).is(0);
    assert!(puzzles.text().contains("[SetUp \"1\"]\n[FEN "), "{}", puzzles.text());
    let check = pdn_with(puzzles.text(), &["check", "--format", "json", "-"]).is(0);
    assert_eq!(check.lines().len(), 1, "{}", check.text());
}

/// Black overlooks the royal shot, and then White does.
const SHOT: &str = "[White \"A\"]\n[WhiteElo \"2300\"]\n[Black \"B\"]\n[BlackElo \"2200\"]\n[GameType \"20\"]\n\
                    [SetUp \"1\"]\n[FEN \"B:W27,33,38,39,40,45,48:B3,9,12,13,19,23,24\"]\n1... 9-14 2. 48-42 *\n";

#[test]
fn shots_are_puzzles_without_marks() {
    let run = pdn_with(SHOT, &["puzzles", "-", "--nodes", "20000", "--to", "jsonl"]).is(0);
    let rows = run.values();
    let row = rows.iter().find(|row| row["ply"] == 2).unwrap_or_else(|| panic!("{}", run.text()));
    assert_eq!(
        (&row["theme"], &row["instead"], &row["solution"][0]),
        (&json!("coup_royal"), &Value::Null, &json!("33-28"))
    );
    assert!(row["goal"] == "material" || row["goal"] == "win", "{row}");
    assert!(row["gain"].as_i64() >= Some(1) && row["difficulty"]["quiet"].as_u64() >= Some(1), "{row}");
    let levels: Vec<_> = rows.iter().map(|row| row["difficulty"]["level"].as_u64()).collect();
    assert!(levels.is_sorted() && levels.iter().all(|level| *level >= Some(2)), "{levels:?}");
    let records = pdn_with(SHOT, &["puzzles", "-", "--nodes", "20000"]).is(0);
    assert!(records.text().contains("[Theme \"coup_royal\"]"), "{}", records.text());
    assert_eq!(pdn_with(records.text(), &["check", "--strict", "--format", "json", "-"]).is(0).lines().len(), 1);
    assert!(games(records.text()).iter().all(|game| game["legal"] == true && game["plies"].as_u64() > Some(2)));
}

/// Threads keep their engines, but nothing that those know.
#[test]
fn puzzles_do_not_depend_on_the_games_before() {
    let rows = |text: &str, jobs| {
        let run = pdn_with(text, &["puzzles", "-", "--nodes", "20000", "--to", "jsonl", "--jobs", jobs]).is(0);
        let is_of_shot = |row: &Value| row["tags"]["Black"] == "B";
        let mut rows: Vec<_> = run.values().into_iter().filter(is_of_shot).collect();
        for row in &mut rows {
            row["game"] = Value::Null;
        }
        rows
    };
    let alone = rows(SHOT, "1");
    assert!(!alone.is_empty());
    let later = format!("{GAMES}\n{}\n{SHOT}", GAMES.replace("\"20\"", "\"23\""));
    assert!(rows(&later, "1") == alone && rows(&later, "2") == alone);
}

#[test]
fn puzzles_are_selected_by_theme_and_rating() {
    let count = |arguments: &[&str]| {
        let all = [&["puzzles", "-", "--nodes", "20000", "--to", "jsonl"], arguments].concat();
        pdn_with(SHOT, &all).is(0).values().len()
    };
    assert!(count(&["--theme", "royal"]) > 0 && count(&["--theme", "philippe"]) == 0);
    assert!(count(&["--from-elo", "2200"]) == count(&[]) && count(&["--from-elo", "2250"]) == 0);
    let unknown = pdn_with(SHOT, &["puzzles", "-", "--theme", "philippine"]);
    assert!(unknown.status == Some(2) && unknown.errors.contains("no shot has the name"), "{}", unknown.errors);
}

/// Names and ratings are those of tables and searches.
#[test]
fn players_are_found_by_tags_in_other_languages() {
    let mut dutch = "[Toernooi \"Cup\"]\n[Datum \"1999.05.01\"]\n".to_owned() + SHOT;
    let names = [("White ", "Wit "), ("Black ", "Zwart "), ("WhiteElo", "Whiteelo"), ("BlackElo", "blackElo")];
    for (name, other) in names {
        dutch = dutch.replace(&format!("[{name}"), &format!("[{other}"));
    }
    let run = |arguments: &[&str]| pdn_with(&dutch, arguments).is(0);
    let rows = run(&["puzzles", "-", "--nodes", "20000", "--played", "--from-elo", "2200", "--to", "jsonl"]).values();
    let tags = &rows[0]["tags"];
    assert_eq!([&tags["White"], &tags["Black"], &tags["Event"], &tags["Date"]], ["A", "B", "Cup", "1999.05.01"]);
    for (arguments, text) in [
        (&["sheet", "-"][..], "A – B, Cup, 1999"),
        (&["report", "--solve", "-"], "\"source\":\"A – B, Cup, 1999\""),
        (&["report", "-"], "\"white\":\"A\",\"black\":\"B\",\"event\":\"Cup\""),
        (&["convert", "--to", "lidraughts", "-"], "\"name\":\"A\""),
    ] {
        assert!(run(arguments).text().contains(text), "{text}: {}", run(arguments).text());
    }
    let annotated = run(&["annotate", "--nodes", "500", "--player", "a", "--summary", "-"]).errors;
    assert!(annotated.lines().any(|line| line.split_whitespace().last() == Some("A")), "{annotated}");
}

#[test]
fn errors_in_the_games_are_counted() {
    let folder = Folder::with("a.pdn", SHOT.replace("48-42", "48-12"));
    // An error outside any game.
    folder.write("cut.json", "[{\"id\":\"x\",\"variant\":\"standard\",\"moves\":\"32-28\"},{");
    for arguments in [
        &["puzzles", "--nodes", "20000", "a.pdn"][..],
        &["lesson", "--nodes", "20000", "royal", "a.pdn", "-o", "a.html"],
        &["shots", "a.pdn"],
        &["report", "a.pdn", "-o", "b.html"],
        &["report", "a.pdn", "-o", "site/"],
        &["report", "--solve", "a.pdn", "-o", "c.html"],
        &["report", "--solve", "a.pdn", "-o", "lessons/"],
        &["report", "cut.json", "-o", "b.html"],
        &["report", "cut.json", "-o", "other/"],
        &["report", "--solve", "cut.json", "-o", "c.html"],
    ] {
        let run = folder.run(arguments).is(0);
        assert!(run.errors.contains("1 error is in the records; `pdn check` shows them"), "{}", run.errors);
    }
}

const SAMPLES: &str = "samples/games/international.pdn";

fn puzzles(arguments: &[&str]) -> Run {
    pdn(&[&["puzzles", SAMPLES, "--nodes", "20000"], arguments].concat()).is(0)
}

/// A search alone finds a puzzle in these games in which `verify` finds another first move.
#[test]
fn all_puzzles_are_sound_problems() {
    for text in [puzzles(&[]), pdn_with(SHOT, &["puzzles", "-"]), pdn_with(GAMES, &["puzzles", "-", "--nodes", "2000"])]
    {
        assert!(text.text().contains("[Goal "), "{}", text.errors);
        verify(text.text(), &[]).is(0);
    }
    // With fewer positions in the proofs, nothing that is not proven is written.
    verify(puzzles(&["--proof-nodes", "50"]).text(), &[]).is(0);
}

#[test]
fn positions_that_were_not_played_have_no_players() {
    let rows = puzzles(&["--to", "jsonl"]).values();
    let (instead, played): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row["instead"].is_string());
    assert!(!instead.is_empty() && !played.is_empty(), "{} {}", instead.len(), played.len());
    for row in &instead {
        let tags = row["tags"].as_object().expect("tags");
        assert!(tags.values().all(|value| value == "?") && row["played"] != row["instead"], "{row}");
    }
    assert!(played.iter().all(|row| row["tags"]["White"] != "?" && row["played"].is_null()), "{played:?}");

    let records = puzzles(&[]);
    let records: Vec<_> = records.text().split("[Event ").skip(1).collect();
    let (mut not_played, mut in_games) = (0, 0);
    for record in &records {
        if record.contains("[Instead ") {
            not_played += 1;
            let hidden = [
                "[White \"?\"]",
                "[Black \"?\"]",
                "[Date \"?\"]",
                "[Result \"*\"]",
                "[Source \"international.pdn, game ",
            ];
            assert!(record.starts_with("\"?\"]") && hidden.iter().all(|tag| record.contains(tag)), "{record}");
        } else {
            in_games += 1;
            assert!(!record.contains("[Source ") && !record.contains("[White \"?\"]"), "{record}");
        }
    }
    assert_eq!((not_played, in_games), (instead.len(), played.len()));

    let only = puzzles(&["--to", "jsonl", "--played"]).values();
    assert_eq!(only.iter().collect::<Vec<_>>(), played, "--played writes the others");
    let sheet = pdn_with(puzzles(&[]).text(), &["sheet", "-"]).is(0);
    assert_eq!(sheet.text().matches("<figure class=\"exercise\">").count(), played.len(), "{}", sheet.errors);
}

/// A file of puzzles may be read again.
#[test]
fn positions_that_were_not_played_are_never_played_puzzles() {
    let tags = "[Instead \"34-29 48-42\"]\n[Source \"club.pdn, game 12, ply 41\"]\n";
    let royal = problem("W:W27,33,38,39,40,45,48:B3,12,13,14,19,23,24", "1. 33-28 23x34 2. 40x7", "*");
    let find = |text: &str, arguments: &[&str]| {
        pdn_with(text, &[&["puzzles", "-", "--nodes", "20000"], arguments].concat()).is(0)
    };
    assert!(find(&royal, &["--played"]).text().contains("[FEN "), "a puzzle");
    let made_up = format!("[White \"Ada\"]\n{tags}{royal}");
    assert_eq!(find(&made_up, &["--played"]).text(), "");
    let again = find(&made_up, &["--theme", "royal"]);
    assert!(again.text().contains(tags) && !again.text().contains("Ada"), "{}", again.text());
    let rows = find(&made_up, &["--theme", "royal", "--to", "jsonl"]).values();
    assert_eq!((&rows[0]["instead"], &rows[0]["played"]), (&json!("34-29"), &json!("48-42")), "{rows:?}");
    assert_eq!(rows[0]["source"], "club.pdn, game 12, ply 41");
}

/// What was not played is the move before the position, and what was played is in the game.
#[test]
fn moves_that_were_not_played_lead_to_their_positions() {
    let rows = puzzles(&["--to", "jsonl"]).values();
    let converted = pdn(&["convert", "--to", "jsonl", SAMPLES]).is(0);
    let all = converted.values();
    for row in rows.iter().filter(|row| row["instead"].is_string()) {
        let (game, ply) = (row["game"].as_u64().expect("a game"), row["ply"].as_u64().expect("a ply") as usize);
        let game = all.iter().find(|found| found["game"] == game).expect("the game");
        assert_eq!(row["played"], game["moves"][ply - 2]["notation"], "{row}");
        let before = if ply > 2 { &game["moves"][ply - 3]["fen"] } else { &game["start_fen"] };
        let (before, step) = (before.as_str().expect("a FEN"), row["instead"].as_str().expect("a move"));
        let dots = if before.starts_with('B') { "..." } else { "." };
        let record = format!("[GameType \"20\"]\n[FEN \"{before}\"]\n1{dots} {step} *\n");
        assert_eq!(games(&record)[0]["final_fen"], row["fen"], "{row}");
    }
}

#[test]
fn puzzles_are_ordered_by_difficulty_theme_or_game() {
    let rows = |arguments: &[&str]| {
        pdn(&[&["puzzles", SAMPLES, "--nodes", "8000", "--to", "jsonl"], arguments].concat()).is(0).values()
    };
    let level = |row: &Value| row["difficulty"]["level"].as_u64().expect("a level");
    let theme = |row: &Value| (row["theme"].is_null(), row["theme"].as_str().map(str::to_owned));
    let key = |row: &Value| (level(row), theme(row));
    let easy = rows(&["--order", "difficulty"]);
    assert!(easy.is_sorted_by_key(key) && easy == rows(&[]), "the default");
    let themes = rows(&["--order", "theme"]);
    assert!(themes.is_sorted_by_key(|row| (theme(row), level(row))) && themes != easy, "{themes:?}");
    let played = rows(&["--order", "game"]);
    assert!(played.is_sorted_by_key(|row| (row["game"].as_u64(), row["ply"].as_u64())) && played != easy);
    assert_eq!((easy.len(), easy.len()), (themes.len(), played.len()));
}

#[test]
fn a_first_move_without_alternatives_is_proven() {
    let table = [
        ("W:W31,48:B27", "1. 31x22", "sound", 1),
        ("W:W31:B27,K5,K4", "1. 31x22", "refuted", 1),
        // The second move of the solver is the first one that has alternatives.
        ("W:W31,48:B27,1", "1. 31x22 1-6 2. 22-17", "dual", 3),
    ];
    for (fen, solution, verdict, ply) in table {
        let row = &verify(&problem(fen, solution, "2-0"), &["--format", "json"]).values()[0];
        assert_eq!((&row["verdict"], &row["moves"][0]["ply"]), (&json!(verdict), &json!(ply)), "{row}");
    }
}
