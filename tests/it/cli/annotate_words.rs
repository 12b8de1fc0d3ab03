//! `pdn annotate --words` and `--shots`: sentences and shots in records, and where they go from there.

use serde_json::{Value, json};

use crate::support::binary::{Folder, Run, pdn_with};
use crate::support::library::games;

/// Black allows the royal shot with 1... 9-14, and White misses it.
const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[GameType \"20\"]\n[FEN \"B:W27,33,38,39,40,45,48:B3,9,12,13,19,23,24\"]\n\
                    1... 9-14 {too fast} 2. 48-42 *\n";

const LIMIT: [&str; 2] = ["--nodes", "5000"];

fn annotate(text: &str, arguments: &[&str]) -> Run {
    pdn_with(text, &[&["annotate", "-"], &LIMIT[..], arguments].concat()).is(0)
}

/// Returns a text on one line.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn sentences_are_replaced_and_comments_stay() {
    let english = annotate(GAME, &["--words"]);
    let text = on_one_line(english.text());
    let sentence = "{Allows the royal shot: 33-28 23x34 ";
    assert!(text.contains(sentence) && text.contains("{too fast}"), "{text}");
    assert_eq!(annotate(english.text(), &["--words"]).text(), english.text());
    let dutch = annotate(english.text(), &["--words", "--lang", "nl"]);
    assert!(
        dutch.text().contains("{Laat een slagzet toe") && !on_one_line(dutch.text()).contains(sentence),
        "{}",
        dutch.text()
    );
    assert!(on_one_line(dutch.text()).contains("{too fast}"));
    assert_eq!(annotate(dutch.text(), &["--words"]).text(), english.text());
    assert_eq!(annotate(dutch.text(), &[]).text(), annotate(GAME, &[]).text(), "without words, as from the record");
    let edited = on_one_line(english.text()).replace("Allows the", "Wow, allows the");
    let again = on_one_line(annotate(&edited, &["--words"]).text());
    assert!(again.contains(sentence) && again.contains("{Wow, allows the royal shot"), "{again}");
}

#[test]
fn sentences_are_comments_in_rows_too() {
    let row = |text: &str, arguments: &[&str]| annotate(text, arguments).values().remove(0)["moves"][0].clone();
    let direct = row(GAME, &["--words", "--to", "jsonl"]);
    let comment = direct["comment"].as_str().expect("a comment");
    assert!(comment.starts_with("Allows the royal shot: 33-28 ") && comment.ends_with(" too fast"), "{comment}");
    let converted = games(annotate(GAME, &["--words"]).text()).remove(0);
    let converted = converted["moves"][0]["comment"].as_str().expect("a comment").to_owned();
    assert!(converted.ends_with(comment), "{converted}");
}

#[test]
fn shots_are_in_records_and_rows() {
    let direct = annotate(GAME, &["--shots", "--to", "jsonl"]).values().remove(0);
    let fates = |game: &Value, n: usize| -> Vec<Value> {
        let shots = game["moves"][n]["shots"].as_array().cloned().unwrap_or_default();
        shots.iter().map(|shot| json!([shot["side"], shot["shot"], shot["fate"]])).collect()
    };
    assert_eq!(fates(&direct, 0), [json!(["W", "coup_royal", "allowed"])], "{direct}");
    assert_eq!(fates(&direct, 1), [json!(["W", "coup_royal", "missed"])]);
    let record = annotate(GAME, &["--shots"]);
    assert!(
        record.text().contains(" shot=missed:coup_royal:") && !record.text().contains("{Allows"),
        "{}",
        record.text()
    );
    let converted = games(record.text()).remove(0);
    assert_eq!(converted["moves"][1]["shots"], direct["moves"][1]["shots"]);
    let table = annotate(GAME, &["--shots", "--to", "csv"]);
    assert!(
        table
            .text()
            .lines()
            .next()
            .is_some_and(|header| header.ends_with(",forced,shots,shot_gains,shot_lines,captures"))
    );
    assert!(table.text().contains(",coup_royal:missed,"), "{}", table.text());
    let plain = annotate(GAME, &["--to", "jsonl"]);
    assert!(!plain.text().contains("\"shots\""));
}

#[test]
fn the_report_has_sentences_in_its_language() {
    let folder = Folder::with("words.pdn", annotate(GAME, &["--words", "--lang", "nl"]).text());
    folder.write("shots.pdn", annotate(GAME, &["--shots"]).text());
    let french = folder.run(&["report", "words.pdn", "--lang", "fr"]).is(0);
    assert!(french.text().contains("Permet le coup royal : 33-28 ") && !french.text().contains("\"Laat een slagzet"));
    let shots = folder.run(&["report", "shots.pdn"]).is(0);
    assert!(shots.text().contains("Misses the royal shot: 33-28 23x34 40x7, winning two men."));
    assert!(!folder.run(&["report", "shots.pdn", "--no-shots"]).is(0).text().contains("the royal shot"));
}

/// The move that allowed a shot has its sentence, in whatever words; then the shot itself has none.
#[test]
fn a_shot_is_explained_once() {
    let played = "The royal shot: 33-28 23x34 40x7, winning two men.";
    for (comment, has_sentence) in
        [("", true), ("[%pdn mark=4 text=0 words=allows-named|coup_royal|33-28,23x34,40x7|m2] Allows it.", false)]
    {
        let shot = "2. 33-28 {[%pdn shot=played:coup_royal:2:33-28,23x34,40x7]} 23x34 3. 40x7";
        let game = GAME.replace("2. 48-42", shot).replace("too fast", comment);
        let report = pdn_with(game, &["report", "-"]).is(0);
        assert_eq!(report.text().contains(played), has_sentence, "{comment}");
    }
}

#[test]
fn the_summary_has_the_worst_moments_of_annotated_players() {
    let run = annotate(GAME, &["--summary", "--lang", "nl", "--player", "B"]);
    let lines: Vec<_> = run.errors.lines().collect();
    let worst = lines.iter().position(|line| *line == "slechtste momenten: B").expect(&run.errors);
    assert!(
        lines[worst + 1].starts_with("  -:1 1... 9-14??") && lines[worst + 1].contains("Laat een slagzet toe"),
        "{}",
        run.errors
    );
    assert!(!run.errors.contains("  A\n") && !run.errors.contains(" - "), "{}", run.errors);
    let first = "[White \"X\"]\n[Black \"Y\"]\n[GameType \"20\"]\n\n1. 32-28 *\n\n";
    let second = annotate(&format!("{first}{GAME}"), &["--summary", "--player", "B"]);
    assert!(second.errors.contains("\n  -:7 1... 9-14??"), "the line of the game: {}", second.errors);
    assert!(run.errors.starts_with("partijen: 1, meetellende zetten: "), "{}", run.errors);
    for (language, header) in [
        ("en", "accuracy  loss  ?!  ?  ??  moves  games  player"),
        ("nl", "nauwkeurigheid  verlies  ?!  ?  ??  zetten  partijen  speler"),
        ("fr", "précision  perte  ?!  ?  ??  coups  parties  joueur"),
        ("it", "precisione  perdita  ?!  ?  ??  mosse  partite  giocatore"),
        ("pt", "precisão  perda  ?!  ?  ??  lances  partidas  jogador"),
        ("ru", "точность  потеря  ?!  ?  ??  ходы  партии  игрок"),
    ] {
        let run = annotate(GAME, &["--summary", "--lang", language]);
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(run.errors.lines().any(|line| words(line) == words(header)), "{}", run.errors);
    }
}

#[test]
fn a_checkpoint_keeps_shots_and_sentences() {
    let folder = Folder::with("a.pdn", GAME);
    let arguments = ["annotate", "a.pdn", "--nodes", "5000", "--words", "--checkpoint", "run.jsonl"];
    let first = folder.run(&arguments).is(0);
    let second = folder.run(&arguments).is(0);
    assert!(second.errors.contains("1 game restored"), "{}", second.errors);
    assert_eq!(first.text(), second.text());
}

#[test]
fn losing_draughts_have_no_shots() {
    let game = "[GameType \"98\"]\n[Goal \"material\"]\n[SetUp \"1\"]\n[FEN \"W:W32,37,41,50:B14,21,23,1\"]\n\
                1. 32-27 21x32 2. 37x10 *\n";
    let annotated = annotate(game, &["--words"]);
    assert!(!annotated.text().contains("shot=") && !annotated.text().contains("winning"), "{}", annotated.text());
    assert!(!pdn_with(game, &["sheet", "--words", "-"]).is(0).text().contains("winning"));
    let shots = pdn_with(game, &["shots", "--available", "--format", "json", "-"]).is(0);
    assert!(shots.values().iter().all(|row| row.get("fate").is_none()), "{}", shots.text());
    assert!(pdn_with(game, &["verify", "-"]).is(1).text().contains("game 1: refuted"), "no gain of material is a goal");
}
