//! `pdn annotate`: reproducible output, complete records, White's point of view, interrupted runs.

use std::fs;
use std::time::Duration;

use crate::support::binary::{Folder, Run, games, pdn_with};
use serde_json::Value;

const DIFFICULT: &str = "{lead}\n[Event \"one \\\"q\\\"\"]\n[GameType \"20\"]\n[Result \"2-0\"]\n[Annotator \"Me\"]\n\n{intro} 1. 32-28!? $14 {good [%eval 0.50]} (1. 31-27 19-23 (1... 20-24 {deep})\n2. 34-30) 19-23 2. 28x19 14x23 3. 33-28 23x32\n4. 37x28 stray words 16-21 5. 31-26 2-0 {tail}\n\n[Event \"illegal\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 31-13 {x} (2. 28x19) 20-24 *\n\n[Event \"unknown\"]\n\n1. 3-1 2-9 {hm} *\n\n[Event \"no moves\"]\n[GameType \"25\"]\n*\n\n[Event \"setup\"]\n[GameType \"21\"]\n[FEN \"W:W32,31:B1,2\"]\n\n1. 32-27 /FEN \"W:WK31:B1,2\"/ 2. - - 3. 31-26 1-6 0-1\n";

fn annotate(text: &str, arguments: &[&str]) -> Run {
    pdn_with(text, &[&["annotate", "-"], arguments].concat())
}

/// Returns the sample games of a variant.
fn sample(name: &str) -> String {
    fs::read_to_string(format!("samples/games/{name}.pdn")).expect("the samples are in the repository")
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
        "good [%eval 0.50]",
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
        let text = sample(name);
        let output = annotate(&text, &["--nodes", "60"]).is(0);
        let check = pdn_with(output.text(), &["check", "--format", "json", "-"]).is(0);
        assert!(check.diagnostics().iter().all(|found| found["severity"] == "note"), "{:?}", check.diagnostics());
        for (before, after) in games(&text).iter().zip(&games(output.text())) {
            assert_eq!(without(before, "notation"), without(after, "notation"));
            assert!(without(after, "eval").iter().all(|eval| eval["cm"].is_i64() || eval["win"].is_i64()));
        }
        let twice = annotate(output.text(), &["--nodes", "60"]).is(0);
        assert_eq!(twice.text().matches("[Annotator ").count(), output.text().matches("[Annotator ").count());
        assert!(!twice.text().contains("; pdn "), "the annotator is named once");
    }
}

#[test]
fn evaluations_are_from_whites_point_of_view() {
    let value = |fen: &str, played: &str| {
        let text = format!("[GameType \"20\"]\n[FEN \"{fen}\"]\n1. {played} *\n");
        let mut run = annotate(&text, &["--depth", "6", "--to", "jsonl"]).is(0).values();
        run.remove(0)["moves"][0]["eval"].take()
    };
    let sign = |eval: &Value| eval["cm"].as_i64().or(eval["win"].as_i64()).expect("a value").signum();
    assert_eq!(sign(&value("W:W40,41,42,43,44,45:B6", "40-35")), 1);
    assert_eq!(sign(&value("B:W40,41,42,43,44,45:B6", "6-11")), 1);
    assert_eq!(sign(&value("W:W45:B6,7,8,9,10,11", "45-40")), -1);
    assert_eq!(sign(&value("B:W45:B6,7,8,9,10,11", "11-16")), -1);
}

#[test]
fn proven_wins_are_counted_in_plies() {
    let text = "[GameType \"20\"]\n[FEN \"W:W28:B22\"]\n1. 28x17 2-0\n\n[GameType \"20\"]\n[FEN \"B:W28:B22\"]\n1... 22x33 0-2\n";
    let evals = annotate(text, &["--depth", "4", "--to", "jsonl"]).is(0).values();
    assert_eq!(evals[0]["moves"][0]["eval"]["win"], 0);
    assert!(annotate(text, &["--depth", "4"]).text().contains("28x17 {[%eval #0]}"));
    let text = "[GameType \"20\"]\n[FEN \"B:W28,45:B22,23\"]\n1... 22x33 2. 45-40 33-39 *\n";
    let output = annotate(text, &["--depth", "12"]).is(0);
    let marks: Vec<_> = output.text().split("[%eval #").skip(1).collect();
    assert!(!marks.is_empty() && marks.iter().all(|mark| mark.starts_with('-')), "{}", output.text());
}

#[test]
fn an_interrupted_run_is_continued() {
    let folder = Folder::with("games.pdn", sample("brazilian"));
    let arguments = ["annotate", "--nodes", "2000", "--jobs", "2", "games.pdn"];
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
    folder.run(&["annotate", "--nodes", "2001", "games.pdn", "--checkpoint", "run.jsonl"]).is(2);
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
