//! `pdn prepare`: the report on a player.

use serde_json::{Value, json};

use crate::support::binary::{Folder, pdn, pdn_with};

const GAMES: &str = "samples/games/international.pdn";

/// Returns a game of Ada against another player.
fn game(white: &str, black: &str, result: &str, date: &str, moves: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[Date \"{date}\"]\n[Event \"Cup\"]\n[GameType \"20\"]\n\n{moves} *\n\n"
    )
}

/// Ada opens 32-28 before 2020 and 33-28 since then.
fn collection() -> String {
    let old = (0..4).map(|n| game("Ada", &format!("Old {n}"), "2-0", "2015.01.01", "1. 32-28 19-23 2. 28x19 14x23"));
    let late = (0..4).map(|n| game("Ada", &format!("New {n}"), "1-1", "2024.05.01", "1. 33-28 18-22 2. 38-33 12-18"));
    let black =
        [game("Bo", "ADA", "2-0", "2024.06.01", "1. 32-28 20-24"), game("Bo", "Cy", "2-0", "2024.06.01", "1. 32-28 *")];
    old.chain(late).chain(black).collect()
}

fn report(input: &str, arguments: &[&str]) -> Value {
    let run = pdn_with(input, &[&["prepare", "--format", "json", "--player"], arguments, &["-"]].concat()).is(0);
    run.values().remove(0)
}

#[test]
fn the_repertoire_has_scores_years_and_changes() {
    let row = report(&collection(), &["ada"]);
    assert_eq!(
        (&row["games"], &row["wins"], &row["draws"], &row["losses"]),
        (&9.into(), &4.into(), &4.into(), &1.into())
    );
    assert_eq!((&row["score"], &row["years"], &row["late_since"]), (&0.667.into(), &json!([2015, 2024]), &2023.into()));
    let [white, black] = [0, 1].map(|n| row["sides"][n].clone());
    assert_eq!((&white["score"], &black["score"]), (&0.75.into(), &0.0.into()));
    let moves = white["tree"]["moves"].as_array().expect("moves");
    assert_eq!(
        moves.iter().map(|row| row["notation"].as_str().expect("a move")).collect::<Vec<_>>(),
        ["32-28", "33-28"]
    );
    assert_eq!((&moves[0]["white_wins"], &moves[0]["last_year"]), (&4.into(), &2015.into()));
    assert!(black["tree"]["moves"].as_array().is_some_and(Vec::is_empty), "a single game is no repertoire");
    let all = report(&collection(), &["ada", "--min-games", "1"]);
    assert_eq!(all["sides"][1]["tree"]["moves"][0]["moves"][0]["notation"], "20-24");
    let change = |n: usize| {
        let change = &white["changes"][n];
        (change["notation"].clone(), change["before"].clone(), change["late"].clone())
    };
    assert_eq!(change(0), ("1. 32-28".into(), json!([4, 4]), json!([0, 4])));
    assert_eq!(change(1), ("1. 33-28".into(), json!([0, 4]), json!([4, 4])));
    let openings = [0, 1].map(|n| white["openings"][n]["name"].clone());
    assert_eq!(openings, ["1. 33-28 18-22 2. 38-33 12-18", "Symmetrical"]);
}

#[test]
fn an_exact_name_is_one_player_and_a_part_of_it_all_that_have_it() {
    let text = collection() + &game("Adam", "Cy", "2-0", "2001.01.01", "1. 32-28 *");
    assert_eq!(report(&text, &["ADA"])["names"].as_array().map(Vec::len), Some(2), "Ada and ADA");
    let run = pdn_with(&text, &["prepare", "--player", "ad", "-"]).is(0);
    assert!(run.errors.contains("3 players fit the name: Ada; ADA; Adam"), "{}", run.errors);
    let folder = Folder::with("a.pdn", &text);
    folder.write("names.txt", "ADA = Ada\nAdam = Ada\n");
    let row = folder
        .run(&["prepare", "--player", "ada", "--aliases", "names.txt", "--format", "json", "a.pdn"])
        .is(0)
        .values();
    assert_eq!(row[0]["names"], json!([{"name": "Ada", "games": 10}]));
    let none = pdn_with(&text, &["prepare", "--player", "zz", "-"]).is(2);
    assert!(none.errors.contains("no game of a player") && none.bytes.is_empty(), "{}", none.errors);
}

#[test]
fn the_missing_opponent_of_a_bye_is_not_a_player() {
    let text = collection() + &game("Ada", "bye", "2-0", "2024.07.01", "");
    let none = pdn_with(&text, &["prepare", "--player", "bye", "-"]).is(2);
    assert!(none.errors.contains("no game of a player whose name contains `bye`"), "{}", none.errors);
    // A bye is no game of the report.
    let own = pdn_with(&text, &["prepare", "--player", "ada", "--format", "json", "-"]).is(0);
    assert_eq!(own.values()[0]["games"], 9);
    assert!(own.errors.contains("left out: 1 game (other name or variant, too old, or not played)"), "{}", own.errors);
    let abye = text + &game("Abye", "Cy", "2-0", "2024.07.01", "1. 32-28 *");
    assert_eq!(report(&abye, &["bye"])["names"], json!([{"name": "Abye", "games": 1}]));
}

#[test]
fn clocks_and_evaluations_are_used_where_they_are() {
    let timed = "1. 32-28 {[%clk 1:00:00][%eval 0.1]} 19-23 {[%eval 0.1]} 2. 28x19 {[%clk 0:30:00][%eval 0.1]} 14x23 {[%eval 0.1]} \
                 3. 37-32 {[%clk 0:05:00][%eval 0.1]} 10-14 {[%eval 0.1]} 4. 41-37 $4 {[%clk 0:01:00][%eval -2.0]}";
    let row = report(&game("Ada", "Bo", "0-2", "2024.01.01", timed), &["ada"]);
    assert_eq!((&row["clock"]["in_trouble"]["losses"], &row["clock"]["otherwise"]["games"]), (&1.into(), &0.into()));
    assert_eq!((&row["clock"]["trouble_moves"], &row["clock"]["other_moves"]), (&json!([2, 1]), &json!([2, 0])));
    assert_eq!((&row["accuracy"][0]["phase"], &row["accuracy"][1]["phase"]), (&Value::Null, &"opening".into()));
    assert_eq!((&row["accuracy"][0]["mistakes"], &row["accuracy"][0]["moves"]), (&1.into(), &3.into()));
    assert_eq!((&row["look_at"][0]["reason"], &row["look_at"][0]["ply"]), (&"blunder".into(), &7.into()));
    let plain = report(&collection(), &["ada"]);
    assert_eq!((&plain["clock"], &plain["accuracy"]), (&Value::Null, &json!([])));
}

#[test]
fn shots_and_endgames_come_from_searches_and_databases() {
    // White wins with 32-27 and is a man up; instead, the record has another move.
    let missed = "[White \"Ada\"]\n[Black \"Bo\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n[FEN \"W:W32,37,41:B14,21,23\"]\n\n1. 41-36 23-28 *\n\n";
    let row = report(missed, &["ada"]);
    assert_eq!((&row["shots"][0]["shot"], &row["shots"][0]["missed"]), (&"coup_direct".into(), &1.into()));
    assert_eq!(row["look_at"][0]["reason"], "missed-shot");
    let place = json!([{"fate": "missed", "file": "-", "line": 1, "game": 1, "ply": 1}]);
    assert_eq!(row["shots"][0]["examples"], place);
    let second = report(&(game("X", "Y", "*", "?", "1. 32-28") + missed), &["ada"]);
    assert_eq!((&second["shots"][0]["examples"][0]["game"], &second["look_at"][0]["line"]), (&2.into(), &10.into()));
    assert_eq!(report(missed, &["bo"])["shots"][0]["allowed"], 1);
    assert_eq!(report(missed, &["ada", "--no-shots"])["shots"], json!([]));
    let record = |fen: &str, moves: &str| {
        let game = format!("[White \"Ada\"]\n[Black \"Bo\"]\n[GameType \"20\"]\n[FEN \"{fen}\"]\n\n{moves} *\n\n");
        report(&game, &["ada"])["shots"].clone()
    };
    let twice = record("W:W32,37,41,47:B3,14,21,23", "1. 47-42 3-8 2. 42-38 8-12");
    assert_eq!((&twice[0]["missed"], &twice[0]["examples"][0]["ply"]), (&1.into(), &3.into()), "{twice}");
    let evaluated =
        |value: &str| record("B:W32,37,41:B9,21,23", &format!("1... 9-14 {{[%eval {value}]}} 2. 41-36 23-28"));
    assert_eq!(evaluated("2.00")[0]["missed"], 1);
    assert_eq!(evaluated("0.00"), json!([]), "the evaluation says that it wins nothing");
    // Two kings win against a man.
    let thrown = "[White \"Ada\"]\n[Black \"Bo\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n[FEN \"W:WK49,K50:B1\"]\n\n1. 49-43 1-7 *\n\n";
    let row = report(thrown, &["ada"]);
    assert_eq!(row["endgames"], json!([{"value": "win", "games": 1, "wins": 0, "draws": 1, "losses": 0}]));
    assert_eq!(row["look_at"][0]["reason"], "won-endgame");
}

#[test]
fn the_report_is_a_page_in_six_languages_and_a_text() {
    for (lang, title) in [("en", "Games to look at"), ("nl", "Partijen om te bekijken"), ("ru", "Партии для просмотра")]
    {
        let page = pdn(&["prepare", "--player", "Quick Glance", "--lang", lang, "--format", "html", GAMES]).is(0);
        assert!(
            page.text().starts_with(&format!("<!DOCTYPE html>\n<html lang=\"{lang}\">")) && page.text().contains(title)
        );
        let text = pdn(&["prepare", "--player", "Quick Glance", "--lang", lang, GAMES]).is(0);
        assert!(text.text().starts_with("Quick Glance\n") && text.text().contains(title), "{}", text.text());
    }
    let hostile = game("<script>x</script>", "B", "2-0", "2024.01.01", "1. 32-28");
    let page = pdn_with(hostile, &["prepare", "--player", "<script>", "--format", "html", "-"]).is(0);
    assert!(!page.text().contains("<script>") && page.text().contains("&lt;script&gt;"));
}

#[test]
fn the_same_report_with_any_number_of_threads() {
    let text = collection().repeat(300);
    let report = |jobs| pdn_with(&text, &["prepare", "--player", "ada", "--no-shots", "--jobs", jobs, "-"]).is(0).bytes;
    assert!(report("1") == report("3"));
}

#[test]
fn the_page_shows_the_boards_of_moments() {
    // Ada overlooks 32-27 21x32 37x10.
    let overlooked = "[White \"Ada\"]\n[Black \"Bo\"]\n[Result \"0-2\"]\n[GameType \"20\"]\n\
                      [FEN \"W:W32,37,41:B14,21,23\"]\n\n1. 41-36 21-26 *\n";
    let row = report(overlooked, &["ada"]);
    assert_eq!(row["look_at"][0]["fen"], "W:W32,37,41:B14,21,23", "{row}");
    let page = pdn_with(overlooked, &["prepare", "--player", "Ada", "--format", "html", "-"]).is(0);
    assert_eq!(page.text().matches("<figure id=\"game-0\"><svg").count(), 1, "{}", page.text());
    assert!(page.text().contains("<figcaption>Shot missed, at move 1<br>Bo"), "{}", page.text());
    assert!(page.text().contains("<a href=\"#game-0\">Shot missed, at move 1</a>"), "{}", page.text());
    assert_eq!(row["look_at"][0]["moves"], json!(["32-27", "21x32", "37x10"]));
    assert!(page.text().contains("32-27 21x32 37x10<br>"), "{}", page.text());
}
