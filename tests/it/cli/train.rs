//! `pdn train`: self-play, fitting weights, testing them.

use std::fs;
use std::io::Read;

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
fn a_fit_starts_from_weights() {
    let folder = Folder::new();
    self_play(&folder, "games.jsonl", &["--games", "20"]);
    let fit = |output: &str, more: &[&str]| {
        let options = ["fit", "games.jsonl", "--variant", "brazilian", "--epochs", "40", "-o", output];
        train(&folder, &[&options[..], more].concat()).is(0);
        bytes(&folder, output)
    };
    let first = fit("first.pdnw", &[]);
    let from_first = ["--from", "first.pdnw"];
    let distance = |other: &[u8]| -> i64 {
        let weights = |bytes: &[u8]| -> Vec<i64> {
            let compressed = &bytes["pdnw".len() + 3 + "brazilian".len() + 4..];
            let mut weights = Vec::new();
            flate2::read::ZlibDecoder::new(compressed).read_to_end(&mut weights).expect("weights");
            weights.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]).into()).collect()
        };
        weights(&first).iter().zip(weights(other)).map(|(a, b)| (a - b).abs()).sum()
    };
    let near = distance(&fit("near.pdnw", &[&from_first[..], &["--decay", "1000"]].concat()));
    let far = distance(&fit("far.pdnw", &[&from_first[..], &["--decay", "1"]].concat()));
    let terms = distance(&fit("terms.pdnw", &[&from_first[..], &["--decay", "1", "--pattern-decay", "1e9"]].concat()));
    assert!(0 < terms && terms < far, "{terms}, {far}");
    let zero = distance(&fit("other.pdnw", &["--decay", "100000"]));
    assert!(0 < near && near < far && near < zero, "{near}, {far}, {zero}");
    let other = train(&folder, &["fit", "games.jsonl", "--variant", "italian", "--from", "first.pdnw"]).is(2);
    assert!(other.errors.contains("first.pdnw: weights for brazilian, not italian"), "{}", other.errors);
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
}

#[test]
fn weights_of_another_variant_are_refused_where_no_other_is_played() {
    let folder = Folder::new();
    self_play(&folder, "games.jsonl", &["--games", "20"]);
    train(&folder, &["fit", "games.jsonl", "--variant", "brazilian", "-o", "w.pdnw"]).is(0);
    for command in [
        "match builtin:weights=w.pdnw builtin --games 2 --nodes 50",
        "match builtin builtin:weights=w.pdnw --games 2 --nodes 50 --checkpoint run.jsonl",
        "train gate w.pdnw hand-made --games 2",
        "train selfplay more.jsonl --games 2 --weights w.pdnw",
        "play --weights w.pdnw",
        "hub --weights w.pdnw --variant international",
    ] {
        let run = folder.run(&command.split(' ').collect::<Vec<_>>()).is(2);
        assert!(
            run.errors.ends_with("w.pdnw: weights for brazilian, not international\n"),
            "{command}: {}",
            run.errors
        );
        assert!(!folder.path("more.jsonl").exists() && !folder.path("run.jsonl").exists(), "{command}");
    }
    folder.write("game.pdn", "[GameType \"20\"]\n1. 32-28 *\n\n[GameType \"26\"]\n1. c3-d4 *\n");
    folder.run(&["annotate", "game.pdn", "--nodes", "200", "--weights", "w.pdnw"]).is(0);
}

#[test]
fn weights_of_players_are_not_replaced_and_belong_to_the_checkpoint() {
    let folder = Folder::new();
    self_play(&folder, "games.jsonl", &["--games", "20"]);
    let fit = |output, share| {
        let options = ["fit", "games.jsonl", "--variant", "brazilian", "--result-share", share, "-o", output];
        train(&folder, &options).is(0);
        bytes(&folder, output)
    };
    let (first, second) = (fit("w.pdnw", "0.2"), fit("other.pdnw", "0.9"));
    assert_ne!(first, second);
    folder.write("p.pdn", "[GameType \"20\"]\n[FEN \"W:W31,48:B27\"]\n1. 31x22 *\n");
    for command in [
        "match builtin:weights=w.pdnw builtin --variant brazilian -o w.pdnw",
        "bench problems --engine builtin:weights=w.pdnw p.pdn -o ./w.pdnw",
    ] {
        let run = folder.run(&command.split(' ').collect::<Vec<_>>()).is(2);
        assert!(run.errors.contains("the file of weights and the output are the same file"), "{}", run.errors);
        assert_eq!(bytes(&folder, "w.pdnw"), first);
    }
    let play = "match builtin:weights=w.pdnw builtin --variant brazilian --games 2 --nodes 50 --checkpoint run.jsonl";
    let play = || folder.run(&play.split(' ').collect::<Vec<_>>());
    play().is(0);
    play().is(0);
    folder.write("w.pdnw", second);
    let changed = play().is(2);
    assert!(changed.errors.contains("belongs to another match"), "{}", changed.errors);
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
        (&["gate", "text.pdnw"][..], "not a weights file"),
        (&["fit", "text.pdnw"][..], "not the file of a self-play run"),
        (&["fit", "none.jsonl"][..], "none.jsonl"),
    ] {
        let run = train(&folder, arguments).is(2);
        assert!(run.errors.contains(message), "{arguments:?}: {}", run.errors);
    }
    self_play(&folder, "games.jsonl", &["--games", "2"]);
    let run = train(&folder, &["fit", "games.jsonl"]).is(2);
    assert!(run.errors.contains("not games of international"), "{}", run.errors);
    let header = folder.read("games.jsonl").lines().next().expect("a header").to_owned();
    folder.write("none.jsonl", header + "\n");
    let run = train(&folder, &["fit", "none.jsonl", "--variant", "brazilian", "-o", "none.pdnw"]).is(2);
    assert_eq!(run.errors, "pdn: nothing to learn from: no quiet position in 0 games\n");
    assert!(!folder.names().contains(&"none.pdnw".to_owned()));
}

/// Half points of the first player in a match of fixed openings, of this many games.
fn half_points(folder: &Folder, players: [&str; 2], games: u32) -> f64 {
    let arguments =
        ["match", players[0], players[1], "--variant", "brazilian", "--nodes", "100", "--random-plies", "6"];
    let run = folder.run(&[&arguments[..], &["--quiet", "--games", &games.to_string()]].concat()).is(0);
    let line = run.lines().into_iter().find(|line| line.contains(" games: ")).expect("a score").to_owned();
    let percent = line.rsplit(", ").next().and_then(|share| share.strip_suffix(" %")).expect("a share");
    percent.parse::<f64>().expect("a number") / 50.0 * f64::from(games)
}

#[test]
fn a_hundredth_of_the_recipe_beats_material_alone() {
    let folder = Folder::new();
    let games = ["selfplay", "games.jsonl", "--nodes", "100", "--games", "2000", "--weights", "hand-made"];
    train(&folder, &[&games[..], &["--variant", "brazilian", "--quiet"]].concat()).is(0);
    let fit = |output: &str, options: &[&str]| {
        let common = ["fit", "games.jsonl", "--variant", "brazilian", "--quiet", "-o", output];
        train(&folder, &[&common, options].concat()).is(0);
    };
    fit("learned.pdnw", &["--epochs", "20"]);
    // So strong a pull leaves only the values of men and kings.
    fit("material.pdnw", &["--epochs", "1", "--decay", "1e12"]);
    let players = ["builtin:weights=learned.pdnw,hash=1", "builtin:weights=material.pdnw,hash=1"];
    let points = half_points(&folder, players, 400);
    // 58 % is usual; five standard deviations below it are still more than a half.
    assert!(points > 400.0, "{points} half points of 800");
}

#[test]
fn the_curve_is_fitted_to_self_play_and_to_annotated_records() {
    let folder = Folder::new();
    self_play(&folder, "games.jsonl", &["--games", "40"]);
    let run = train(&folder, &["curve", "games.jsonl", "--variant", "brazilian"]).is(0);
    assert_eq!(run.errors, "40 games, brazilian\n");
    let phases: Vec<_> = run.lines().iter().map(|line| line.split_whitespace().next().expect("a phase")).collect();
    assert_eq!(phases, ["opening", "middlegame", "endgame"]);
    for line in run.lines() {
        let [loss, used] = [", loss ", "; in use "].map(|name| line.split(name).nth(1).expect(name));
        let number =
            |text: &str| text.split([';', ' ']).next().and_then(|text| text.parse::<f64>().ok()).expect("a number");
        let loss_in_use = number(used.split("loss ").nth(1).expect("a loss"));
        assert!(number(loss) <= loss_in_use && loss_in_use < 0.3, "{line}");
    }
    let won = "[Result \"2-0\"]\n\n1. 32-28 {[%eval 0.80]} 19-23 {[%eval 1.50]} 2. 28x19 14x23 {[%eval #3]} *\n";
    let drawn = "[Result \"1-1\"]\n\n1. 32-28 {[%eval 0.80]} *\n";
    let unknown = "[Result \"*\"]\n\n1. 32-28 {[%eval -5.00]} *\n";
    folder.write("annotated.pdn", format!("{won}\n{drawn}\n{unknown}\n{won}"));
    let run = train(&folder, &["curve", "annotated.pdn"]).is(0);
    assert_eq!(run.errors, "3 games, international\n");
    assert!(run.text().contains("5 positions") && run.text().contains("endgame     no positions"), "{}", run.text());
    let other = train(&folder, &["curve", "games.jsonl"]).is(2);
    assert!(other.errors.contains("not games of international"), "{}", other.errors);
}
