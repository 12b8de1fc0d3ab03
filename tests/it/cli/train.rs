//! `pdn train`: self-play, fitting weights, testing them.

use std::fs;

use crate::support::binary::{Folder, Run};

fn train(folder: &Folder, arguments: &[&str]) -> Run {
    folder.run(&[&["train"], arguments].concat())
}

fn self_play(folder: &Folder, file: &str, more: &[&str]) {
    let common = ["selfplay", file, "--nodes", "40", "--variant", "brazilian", "--quiet"];
    train(folder, &[&common, more].concat()).is(0);
}

fn bytes(folder: &Folder, file: &str) -> Vec<u8> {
    fs::read(folder.path(file)).expect("a file")
}

#[test]
fn games_are_the_same_with_any_number_of_jobs_and_after_an_interruption() {
    let folder = Folder::new();
    self_play(&folder, "one.jsonl", &["--games", "12", "--jobs", "1"]);
    self_play(&folder, "three.jsonl", &["--games", "12", "--jobs", "3"]);
    let whole = bytes(&folder, "one.jsonl");
    assert_eq!(whole, bytes(&folder, "three.jsonl"));
    assert_eq!(folder.read("one.jsonl").lines().count(), 13);
    for length in [whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        fs::write(folder.path("cut.jsonl"), &whole[..length]).expect("a file");
        self_play(&folder, "cut.jsonl", &["--games", "12"]);
        assert_eq!(whole, bytes(&folder, "cut.jsonl"), "cut at {length}");
    }
    let other = train(&folder, &["selfplay", "one.jsonl", "--nodes", "41", "--variant", "brazilian"]).is(2);
    assert!(other.errors.contains("belongs to another self-play run"), "{}", other.errors);
}

#[test]
fn weights_do_not_depend_on_the_number_of_jobs() {
    let folder = Folder::new();
    self_play(&folder, "games.jsonl", &["--games", "30"]);
    let fit = |output: &str, jobs: &str| {
        let options = ["--epochs", "2", "--variant", "brazilian", "--jobs", jobs, "-o", output];
        train(&folder, &[&["fit", "games.jsonl"], &options[..]].concat()).is(0)
    };
    let report = fit("one.pdnw", "1");
    assert!(report.errors.contains("epoch 2: loss 0."), "{}", report.errors);
    assert!(report.errors.contains("30 games"), "{}", report.errors);
    fit("two.pdnw", "2");
    assert_eq!(bytes(&folder, "one.pdnw"), bytes(&folder, "two.pdnw"));
}

#[test]
fn weights_are_used_where_an_engine_is_built() {
    let folder = Folder::with("game.pdn", "[GameType \"26\"]\n1. c3-d4 d6-c5 *\n");
    self_play(&folder, "games.jsonl", &["--games", "20"]);
    train(&folder, &["fit", "games.jsonl", "--variant", "brazilian", "-o", "w.pdnw"]).is(0);
    let annotated = |weights: &[&str]| {
        let options = ["annotate", "game.pdn", "--nodes", "200", "--quiet"];
        folder.run(&[&options, weights].concat()).is(0).text().to_owned()
    };
    let learned = annotated(&["--weights", "w.pdnw"]);
    assert!(learned.contains("weights "), "{learned}");
    assert_ne!(learned, annotated(&["--weights", "hand-made"]));
    let contest = ["match", "builtin:weights=w.pdnw", "builtin:weights=hand-made", "--variant", "brazilian"];
    folder.run(&[&contest[..], &["--games", "2", "--nodes", "50"]].concat()).is(0);
    // Weights of another variant are not used.
    let other = ["match", "builtin:weights=w.pdnw", "builtin:weights=hand-made", "--games", "2", "--nodes", "50"];
    folder.run(&other).is(0);
}

#[test]
fn a_test_of_weights_says_if_they_are_better() {
    let folder = Folder::new();
    self_play(&folder, "games.jsonl", &["--games", "20"]);
    train(&folder, &["fit", "games.jsonl", "--variant", "brazilian", "-o", "w.pdnw"]).is(0);
    let same = ["gate", "w.pdnw", "w.pdnw", "--variant", "brazilian", "--nodes", "30", "--games", "4"];
    let run = train(&folder, &same).is(1);
    assert!(run.text().starts_with("undecided: +2 =0 -2") || run.text().starts_with("undecided: +"), "{}", run.text());
}

#[test]
fn files_that_cannot_be_used_are_errors() {
    let folder = Folder::with("text.pdnw", "not weights");
    for (arguments, message) in [
        (&["gate", "none.pdnw"][..], "none.pdnw"),
        (&["gate", "text.pdnw"][..], "not a file of weights"),
        (&["fit", "text.pdnw"][..], "not the file of a self-play run"),
        (&["fit", "none.jsonl"][..], "none.jsonl"),
        (&["fit", "text.pdnw", "--variant", "turkish"][..], "no learned evaluation for turkish"),
    ] {
        let run = train(&folder, arguments).is(2);
        assert!(run.errors.contains(message), "{arguments:?}: {}", run.errors);
    }
    self_play(&folder, "games.jsonl", &["--games", "2"]);
    let run = train(&folder, &["fit", "games.jsonl"]).is(2);
    assert!(run.errors.contains("not games of international"), "{}", run.errors);
}
