//! The strength of the engine: problems of the samples, and agreement with a stronger engine on positions of master games.

#![allow(clippy::print_stdout)] // the measurements are printed

use std::fs;
use std::path::Path;
use std::time::Duration;

use pdn::engine::{Engine, EngineOptions, Knowledge, Limit, Score};
use pdn::games;
use pdn::link::read_move;
use pdn::notation::{Numbering, parse_fen};
use pdn::replay::{ReplayOptions, replay};
use pdn::rules::{Position, Variant};
use serde_json::Value;

use crate::support::corpus::{long_tests, reference_analysis};

/// Returns the numbers of solved and of all sample problems of a variant, with at most a number of nodes for each.
fn solved(name: &str, nodes: u64, knowledge: &Knowledge) -> (usize, usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/problems");
    let bytes = fs::read(folder.join(name).with_extension("pdn")).expect("a sample");
    let (mut solved, mut all) = (0, 0);
    for parsed in games(&bytes) {
        let replayed = replay(parsed.into_tree(), &ReplayOptions::default());
        all += 1;
        assert!(replayed.is_clean(), "{name} {all}");
        let start = *replayed.start().expect("a position");
        let solution = replayed.main_moves().next().and_then(|id| replayed.played(id));
        let options = EngineOptions::default().with_hash_mb(4).with_knowledge(knowledge.clone());
        let mut engine = Engine::with_options(start.variant(), options);
        // Most problems take few nodes.
        let is_solved = [nodes / 30, nodes].into_iter().any(|nodes| {
            engine.new_game();
            engine.analyse(&start, Limit::nodes(nodes)).best_move() == solution
        });
        solved += usize::from(is_solved);
    }
    (solved, all)
}

#[test]
fn all_sample_problems_are_solved() {
    for (name, all) in [("international", 15), ("italian", 6), ("brazilian", 15)] {
        assert_eq!(solved(name, 300_000, &Knowledge::HandMade), (all, all), "{name}");
    }
}

/// With the learned weights some combinations of International draughts take millions of nodes.
#[test]
fn nearly_all_sample_problems_are_solved_with_learned_weights() {
    for (name, nodes, least) in [("international", 3_000_000, 14), ("italian", 300_000, 6), ("brazilian", 300_000, 15)]
    {
        assert!(solved(name, nodes, &Knowledge::BuiltIn).0 >= least, "{name}");
    }
}

/// A search whose shallow probe took a sacrificed man for a gain overlooked these combinations, even with millions of nodes.
#[test]
fn sacrifices_of_several_men_are_seen() {
    for (fen, blunder) in [
        ("W:W27,28,34,35,37,38,39,40,41,42,43,45,48:B2,4,7,8,9,10,14,16,18,19,21,24,26", "38-32"),
        ("W:W27,28,32,35,37,38,39,40,41,43,47,48,49,50:B2,3,4,7,8,9,10,14,16,18,19,21,24,26", "40-34"),
        ("W:W26,32,34,35,39,40,45,47,49:B3,12,13,15,16,17,19,24,25", "49-43"),
        ("W:W25,33,34,35,36,37,38,39,40,41,42,43,47,48,50:B2,3,5,8,9,10,11,12,13,14,15,20,22,23,27", "37-32"),
    ] {
        let before = international(fen);
        let after = before.play(&read_move(&before, blunder).expect("a legal move")).expect("legal");
        let found = Engine::new(Variant::INTERNATIONAL).analyse(&after, Limit::nodes(400_000));
        assert!(found.score() >= Score::centi_men(90), "{fen} {blunder}: {}", found.score());
    }
}

fn international(fen: &str) -> Position {
    let setup = parse_fen(fen, Numbering::for_variant(Variant::INTERNATIONAL)).expect("a FEN");
    Position::from_setup(Variant::INTERNATIONAL, &setup).expect("playable").0
}

/// Compares the engine with the reference analysis. At least `least` of its 206 moves must be the same, and the median
/// difference between the scores must be at most 20 centi-men.
fn agrees(path: &Path, limit: Limit, least: usize) {
    let mut engine = Engine::new(Variant::INTERNATIONAL);
    let (mut same, mut differences) = (0, Vec::new());
    for line in fs::read_to_string(path).expect("UTF-8").lines() {
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
    println!("the same move in {same} of {all}, median difference {median} cm");
    assert!(all == 206 && same >= least && median <= 20, "{same} of {all}, {median} cm");
}

#[test]
fn a_short_search_agrees_with_a_stronger_engine() {
    if let Some(path) = reference_analysis() {
        agrees(&path, Limit::nodes(1000), 80);
    }
}

/// `SECONDS` sets the time for each of the 206 positions, one second by default.
#[test]
fn a_long_search_agrees_with_a_stronger_engine() {
    let seconds = std::env::var("SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(1.0);
    if long_tests()
        && let Some(path) = reference_analysis()
    {
        agrees(&path, Limit::time(Duration::try_from_secs_f64(seconds).expect("seconds")), 80);
    }
}
