//! The strength of the engine: problems of the samples, and agreement with a stronger engine on positions of master games.

#![allow(clippy::print_stdout)] // the measurements are printed

use std::fs;
use std::path::Path;
use std::time::Duration;

use pdn::engine::{Engine, EngineOptions, Limit, Score};
use pdn::link::read_move;
use pdn::notation::{Numbering, parse_fen};
use pdn::pdn::games;
use pdn::replay::{ReplayOptions, replay};
use pdn::rules::{Position, Variant};
use serde_json::Value;

/// Nodes for each problem.
const NODES: u64 = 300_000;

#[test]
fn the_problems_of_the_samples_are_solved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/problems");
    for name in ["international", "italian", "brazilian"] {
        let bytes = fs::read(folder.join(name).with_extension("pdn")).expect("a sample");
        let (mut solved, mut all) = (0, 0);
        for parsed in games(&bytes) {
            let replayed = replay(parsed.tree, &ReplayOptions::default());
            assert!(replayed.is_clean(), "{name} {}", all + 1);
            let start = *replayed.start().expect("a position");
            let solution = replayed.main_moves().next().and_then(|id| replayed.played(id));
            let options = EngineOptions::default().with_hash_mb(4);
            let found = Engine::with_options(start.variant(), options).analyse(&start, Limit::nodes(NODES));
            all += 1;
            solved += usize::from(found.best_move() == solution);
        }
        println!("{name}: {solved} of {all}");
        assert!(all >= 5 && solved * 10 >= all * 9, "{name}: {solved} of {all}");
    }
}

fn international(fen: &str) -> Position {
    let setup = parse_fen(fen, Numbering::for_variant(Variant::INTERNATIONAL)).expect("a FEN");
    Position::from_setup(Variant::INTERNATIONAL, &setup).expect("playable").0
}

/// `SECONDS=1 cargo test --release --test it engine::strength -- --ignored --nocapture`
#[test]
#[ignore = "takes a second for each of 206 positions, and depends on the machine"]
fn agreement_with_a_strong_engine() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/engine/reference-analysis.jsonl");
    let Ok(lines) = fs::read_to_string(path) else {
        println!("skipped: there is no reference analysis beside the checkout");
        return;
    };
    let seconds = std::env::var("SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(1.0);
    let limit = Limit::time(Duration::from_secs_f64(seconds));
    let mut engine = Engine::new(Variant::INTERNATIONAL);
    let (mut same, mut differences) = (0, Vec::new());
    for line in lines.lines() {
        let known: Value = serde_json::from_str(line).expect("JSON");
        let position = international(known["fen"].as_str().expect("a FEN"));
        let best = read_move(&position, known["move"].as_str().expect("a move")).expect("a legal move");
        engine.new_game();
        let found = engine.analyse(&position, limit);
        same += usize::from(found.best_move() == Some(best));
        let score = Score::centi_men(known["score_centimen"].as_i64().expect("a score") as i32);
        differences.push((found.score().value() - score.value()).abs());
    }
    differences.sort_unstable();
    let (all, median) = (differences.len(), differences[differences.len() / 2]);
    let share = 100.0 * same as f64 / all as f64;
    println!("{seconds} s a move: the same move in {same} of {all} ({share:.0} %), median difference {median} cm");
}
