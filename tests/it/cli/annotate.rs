//! `pdn annotate`: reproducible output, complete records, White's point of view, interrupted runs.

use std::fs;
use std::time::Duration;

use crate::support::binary::{Folder, Run, pdn_with};
use crate::support::corpus::{corpus, records};
use crate::support::library::games;
use crate::support::samples::first_games;
use serde_json::{Value, json};

const DIFFICULT: &str = "{lead}\n[Event \"one \\\"q\\\"\"]\n[GameType \"20\"]\n[Result \"2-0\"]\n[Annotator \"Me\"]\n\n{intro} 1. 32-28!? $14 {good [%eval 0.50]} (1. 31-27 19-23 (1... 20-24 {deep})\n2. 34-30) 19-23 2. 28x19 14x23 3. 33-28 23x32\n4. 37x28 stray words 16-21 5. 31-26 2-0 {tail}\n\n[Event \"illegal\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 31-13 {x} (2. 28x19) 20-24 *\n\n[Event \"unknown\"]\n\n1. 3-1 2-9 {hm} *\n\n[Event \"no moves\"]\n[GameType \"25\"]\n*\n\n[Event \"setup\"]\n[GameType \"21\"]\n[FEN \"W:W32,31:B1,2\"]\n\n1. 32-27 /FEN \"W:WK31:B1,2\"/ 2. - - 3. 31-26 1-6 0-1\n";

fn annotate(text: &str, arguments: &[&str]) -> Run {
    pdn_with(text, &[&["annotate", "-"], arguments].concat())
}

fn without<'a>(game: &'a Value, name: &str) -> Vec<&'a Value> {
    game["moves"].as_array().expect("a list").iter().map(|row| &row[name]).collect()
}

#[test]
fn any_number_of_jobs_gives_the_same_bytes() {
    for limit in [["--nodes", "300"], ["--depth", "3"]] {
        for format in ["pdn", "json", "jsonl", "csv"] {
            let run = |jobs| annotate(DIFFICULT, &[&limit[..], &["--to", format, "--jobs", jobs]].concat()).is(1).bytes;
            assert!(run("1") == run("2"), "{limit:?} {format}");
        }
    }
}

#[test]
fn nothing_is_lost() {
    let output = annotate(DIFFICULT, &["--nodes", "200"]).is(1);
    let (before, after) = (games(DIFFICULT), games(output.text()));
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        for name in ["variant", "gametype", "start_fen", "final_fen", "written", "plies", "result", "legal"] {
            assert_eq!(before[name], after[name], "{name}");
        }
        for name in ["written", "notation", "number", "fen"] {
            assert_eq!(without(before, name), without(after, name), "{name}");
        }
    }
    for kept in [
        "{lead}",
        "{intro}",
        "32-28!?",
        "$14",
        "{good}",
        "deep}",
        "stray words",
        "{tail}",
        "{x}",
        "{hm}",
        "/FEN \"W:WK31:B1,2\"/",
        "- -",
    ] {
        assert!(output.text().replace('\n', " ").contains(kept), "no {kept} in {}", output.text());
    }
    assert!(output.text().contains("[Annotator \"Me; pdn "));
}

#[test]
fn clean_games_stay_clean() {
    for name in ["international", "italian", "brazilian"] {
        let text = first_games(name, 4);
        let output = annotate(&text, &["--nodes", "60"]).is(0);
        let check = pdn_with(output.text(), &["check", "--format", "json", "-"]).is(0);
        assert!(check.diagnostics().iter().all(|found| found["severity"] == "note"), "{:?}", check.diagnostics());
        for (before, after) in games(&text).iter().zip(&games(output.text())) {
            assert_eq!(without(before, "notation"), without(after, "notation"));
            assert!(without(after, "eval").iter().all(|eval| eval["cm"].is_i64() || eval["win"].is_u64()));
        }
    }
}

#[test]
fn annotating_again_replaces_former_annotations() {
    let samples = ["international", "italian", "brazilian"].map(|name| (first_games(name, 2), 0));
    let mut judged = 0;
    for (text, status) in samples.into_iter().chain([(DIFFICULT.to_owned(), 1)]) {
        let once = annotate(&text, &["--nodes", "60"]).is(status);
        judged += once.text().matches("[%pdn mark=").count();
        assert!(annotate(once.text(), &["--nodes", "60"]).is(status).bytes == once.bytes, "the same bytes");
        let direct = annotate(&text, &["--depth", "3"]).is(status);
        assert!(annotate(once.text(), &["--depth", "3"]).is(status).bytes == direct.bytes, "other limits");
        for format in ["jsonl", "csv"] {
            let rows = |text: &str| annotate(text, &["--depth", "3", "--to", format]).is(status).text().to_owned();
            let moves = |text: &str| rows(text).lines().map(without_place).collect::<Vec<_>>();
            assert_eq!(moves(once.text()), moves(&text), "{format}");
        }
    }
    assert!(judged > 5, "{judged} moves are judged");
}

/// Returns a row without what depends on the place of its game in the file and on tags.
fn without_place(row: &str) -> String {
    let Ok(mut game) = serde_json::from_str::<Value>(row) else { return row.to_owned() };
    for name in ["tags", "offset", "diagnostics"] {
        game[name].take();
    }
    game.to_string()
}

#[test]
fn annotations_are_recognised_after_formatting() {
    for name in ["italian", "brazilian"] {
        let once = annotate(&first_games(name, 4), &["--nodes", "60"]).is(0);
        for options in [&[][..], &["--strict"], &["--width", "40"]] {
            let formatted = pdn_with(once.text(), &[&["fmt", "-"], options].concat()).is(0);
            let again = annotate(formatted.text(), &["--nodes", "60"]).is(0);
            for command in ["[%eval", "[%pdn", " ("] {
                let count = |run: &Run| run.text().replace('\n', " ").matches(command).count();
                assert_eq!(count(&again), count(&once), "{command} in {name}, {options:?}");
            }
        }
    }
}

#[test]
fn evaluations_are_kept_on_request() {
    let text = "[GameType \"20\"]\n1. 33-28 {good [%eval 0.5]} 18-22 {[%eval #-3]} 2. 28-23 19x28 {[%clk 1:00]} *\n";
    let once = annotate(text, &["--depth", "7", "--keep-evals"]).is(0);
    let words = once.text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("1. 33-28 {good [%eval 0.5]} 18-22 {[%eval #-3]} 2. 28-23 $4 {[%eval -"), "{words}");
    assert!(words.contains("]} {[%clk 1:00]} *"), "{words}");
    assert_eq!(once.text().matches("[%eval").count(), 5, "four moves and a best line: {words}");
    assert_eq!(annotate(once.text(), &["--depth", "7", "--keep-evals"]).is(0).text(), once.text());
    let later = annotate(once.text(), &["--depth", "3", "--keep-evals"]).is(0);
    let evals = |text: &str| {
        games(text)[0]["moves"].as_array().expect("a list").iter().map(|row| row["eval"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(evals(later.text()), evals(once.text()));
    let rows = annotate(text, &["--depth", "7", "--keep-evals", "--to", "jsonl"]).is(0).values();
    let rows: Vec<_> = rows[0]["moves"].as_array().expect("a list").iter().map(|row| row["eval"].clone()).collect();
    assert_eq!(rows, evals(once.text()));
}

#[test]
fn records_of_the_corpus_are_annotated_again_with_the_same_bytes() {
    let Some(folder) = corpus() else { return };
    let starts = Folder::new();
    let mut count = 0;
    for record in records(&folder) {
        count += 1;
        starts.write(&format!("0/{count}.pdn"), &record.bytes[..record.bytes.len().min(6000)]);
    }
    for [from, to] in [["0", "1"], ["1", "2"]] {
        let run = starts.run(&["annotate", from, "--out-dir", to, "--depth", "1", "--hash", "1"]);
        assert!(matches!(run.status, Some(0 | 1)), "{}", run.errors);
    }
    for n in 1..=count {
        let bytes = |folder| fs::read(starts.path(&format!("{folder}/{n}.pdn"))).expect("annotated");
        assert!(bytes(1) == bytes(2), "record {n}");
    }
}

#[test]
fn evaluations_are_from_whites_point_of_view() {
    let value = |fen: &str, played: &str| {
        let text = format!("[GameType \"20\"]\n[FEN \"{fen}\"]\n1. {played} *\n");
        let mut run = annotate(&text, &["--depth", "6", "--to", "jsonl"]).is(0).values();
        run.remove(0)["moves"][0]["eval"].take()
    };
    let sign = |eval: &Value| match eval["winner"].as_str() {
        Some(winner) => {
            if winner == "W" {
                1
            } else {
                -1
            }
        }
        None => eval["cm"].as_i64().expect("a value").signum(),
    };
    assert_eq!(sign(&value("W:W40,41,42,43,44,45:B6", "40-35")), 1);
    assert_eq!(sign(&value("B:W40,41,42,43,44,45:B6", "6-11")), 1);
    assert_eq!(sign(&value("W:W45:B6,7,8,9,10,11", "45-40")), -1);
    assert_eq!(sign(&value("B:W45:B6,7,8,9,10,11", "11-16")), -1);
}

#[test]
fn proven_wins_are_counted_in_plies() {
    let text = "[GameType \"20\"]\n[FEN \"W:W28:B22\"]\n1. 28x17 2-0\n\n[GameType \"20\"]\n[FEN \"B:W28:B22\"]\n1... 22x33 0-2\n";
    let evals = annotate(text, &["--depth", "4", "--to", "jsonl"]).is(0).values();
    for (game, winner) in evals.iter().zip(["W", "B"]) {
        assert_eq!(game["moves"][0]["eval"], json!({"win": 0, "winner": winner}));
    }
    let pdn = annotate(text, &["--depth", "4"]).is(0);
    assert!(pdn.text().contains("28x17 {[%eval #0]}") && pdn.text().contains("22x33 {[%eval #-0]}"), "{}", pdn.text());
    let evals_of =
        |games: Vec<Value>| games.into_iter().map(|game| game["moves"][0]["eval"].clone()).collect::<Vec<_>>();
    assert_eq!(evals_of(games(pdn.text())), evals_of(evals), "evaluations are read as they were written");
    let table = annotate(text, &["--depth", "4", "--to", "csv"]).is(0);
    let lines = table.lines();
    let index = |name: &str| lines[0].split(',').position(|cell| cell == name).expect(name);
    for (line, winner) in lines[1..].iter().zip(["W", "B"]) {
        let cells: Vec<_> = line.split(',').collect();
        assert_eq!(["eval_cm", "win_in", "win_side"].map(|name| cells[index(name)]), ["", "0", winner], "{line}");
    }
    let text = "[GameType \"20\"]\n[FEN \"B:W28,45:B22,23\"]\n1... 22x33 2. 45-40 33-39 *\n";
    let output = annotate(text, &["--depth", "12"]).is(0);
    let marks: Vec<_> = output.text().split("[%eval #").skip(1).collect();
    assert!(!marks.is_empty() && marks.iter().all(|mark| mark.starts_with('-')), "{}", output.text());
}

#[test]
fn an_interrupted_run_is_continued() {
    let folder = Folder::with("games.pdn", first_games("brazilian", 6));
    let arguments = ["annotate", "--nodes", "200", "--jobs", "2", "games.pdn"];
    let whole = folder.run(&arguments).is(0);
    let resumed = [&arguments[..], &["--checkpoint", "run.jsonl", "-o", "out.pdn"]].concat();
    let mut child = folder.command(&resumed).spawn().expect("started");
    // Wait until some games are finished, then kill the run.
    let lines = || fs::read_to_string(folder.path("run.jsonl")).map_or(0, |text| text.lines().count());
    while lines() < 3 && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    let known = lines();
    assert!(known > 1);
    folder.run(&resumed).is(0);
    assert_eq!(folder.read("out.pdn"), whole.text());
    let again = folder.run(&resumed).is(0);
    assert_eq!(folder.read("out.pdn"), whole.text());
    assert!(again.errors.contains("checkpoint"), "{}", again.errors);
    let other = ["annotate", "--nodes", "201", "games.pdn"];
    let direct = folder.run(&other).is(0);
    let run = folder.run(&[&other[..], &["--checkpoint", "run.jsonl"]].concat()).is(0);
    assert!(run.bytes == direct.bytes && !run.errors.contains("restored"), "other limits are other searches");
}

#[test]
fn a_run_killed_twice_gives_the_same_bytes() {
    let folder = Folder::with("games.pdn", first_games("brazilian", 6));
    let arguments = ["annotate", "--nodes", "1000", "--words", "games.pdn"];
    let whole = folder.run(&arguments).is(0);
    let resumed = [&arguments[..], &["--checkpoint", "run.jsonl", "-o", "out.pdn"]].concat();
    let lines = || fs::read_to_string(folder.path("run.jsonl")).map_or(0, |text| text.lines().count());
    for games in [2, 4] {
        let mut child = folder.command(&resumed).spawn().expect("started");
        while lines() <= games && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    let last = folder.run(&resumed).is(0);
    assert_eq!(folder.read("out.pdn"), whole.text());
    assert!(last.errors.contains("restored from the checkpoint"), "{}", last.errors);
}

#[test]
fn games_that_cannot_be_annotated_are_named_and_counted() {
    let run = annotate(DIFFICULT, &["--nodes", "50", "--summary"]).is(1);
    assert!(run.errors.contains("pdn: -: game 3: not annotated: none of its moves can be played\n"), "{}", run.errors);
    assert!(run.errors.contains("\ngames not annotated: 1\n"), "{}", run.errors);
    assert_eq!(run.errors.matches(": not annotated:").count(), 1, "{}", run.errors);
}

#[test]
fn invalid_limits_and_formats_are_errors() {
    let folder = Folder::with("a.pdn", "[GameType \"20\"]\n1. 32-28 *\n");
    for arguments in [["--nodes", "x"], ["--depth", "0"], ["--time", "0"], ["--time", "x"], ["--to", "xml"]] {
        folder.run(&[&["annotate", "a.pdn"], &arguments[..]].concat()).is(2);
    }
    let run = folder.run(&["annotate", "a.pdn", "--time", "0.01"]).is(0);
    assert!(run.text().contains("1. 32-28 {[%eval "), "{}", run.text());
    let csv = folder.run(&["annotate", "a.pdn", "--nodes", "50", "--to", "csv"]).is(0);
    assert_eq!(csv.lines().len(), 2);
    let array: Value =
        serde_json::from_str(folder.run(&["annotate", "a.pdn", "--nodes", "50", "--to", "json"]).is(0).text())
            .expect("JSON");
    assert!(array[0]["moves"][0]["eval"]["cm"].is_i64());
}
