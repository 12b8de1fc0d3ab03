//! Properties of the search in every variant.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use crate::support::board::{position, square};
use pdn::engine::{Analysis, Engine, EngineOptions, Limit, Score, ScoredLine, SearchFeatures};
use pdn::rules::{Position, Variant};

fn analyse(variant: Variant, fen: &str, limit: Limit) -> Analysis {
    new_engine(variant, 4).analyse(&position(variant, fen), limit)
}

fn new_engine(variant: Variant, hash_mb: usize) -> Engine {
    Engine::with_options(variant, EngineOptions::default().with_hash_mb(hash_mb))
}

#[test]
fn lines_are_legal_in_every_variant() {
    for &variant in Variant::ALL {
        let mut position = Position::start(variant);
        let found = new_engine(variant, 4).analyse(&position, Limit::nodes(20_000));
        assert!(found.depth() >= 4, "{variant}: depth {}", found.depth());
        assert!(!found.pv().is_empty(), "{variant}");
        for step in found.pv() {
            position = position.play(step).unwrap_or_else(|| panic!("{variant}: an illegal line {:?}", found.pv()));
        }
    }
}

#[test]
fn the_same_search_gives_the_same_result() {
    for variant in [Variant::INTERNATIONAL, Variant::ITALIAN, Variant::BRAZILIAN] {
        let mut engine = new_engine(variant, 4);
        let start = Position::start(variant);
        let first = engine.analyse(&start, Limit::nodes(30_000));
        engine.new_game();
        assert_eq!(engine.analyse(&start, Limit::nodes(30_000)), first);
        assert_eq!(new_engine(variant, 4).analyse(&start, Limit::nodes(30_000)), first);
    }
}

#[test]
fn several_lines_start_with_the_best_moves_in_order() {
    for variant in [Variant::INTERNATIONAL, Variant::ITALIAN] {
        let start = Position::start(variant);
        let count = start.legal_moves().len();
        let mut engine = new_engine(variant, 4);
        engine.set_multipv(count + 5);
        let found = engine.analyse(&start, Limit::depth(5));
        let lines: Vec<&ScoredLine> = found.lines().collect();
        assert!(lines.is_sorted_by(|a, b| a.score() >= b.score()), "{lines:?}");
        let firsts: HashSet<_> = lines.iter().map(|line| line.moves()[0]).collect();
        assert_eq!((lines.len(), firsts.len()), (count, count), "each move occurs once");
        for line in lines {
            line.moves().iter().try_fold(start, |position, step| position.play(step)).expect("a legal line");
        }
    }
}

#[test]
fn an_interrupted_search_has_all_lines() {
    let start = Position::start(Variant::INTERNATIONAL);
    for nodes in (1_000..12_000).step_by(250) {
        let mut engine = new_engine(Variant::INTERNATIONAL, 1);
        engine.set_multipv(3);
        let found = engine.analyse(&start, Limit::nodes(nodes));
        let firsts: HashSet<_> = found.lines().map(|line| line.moves()[0]).collect();
        assert_eq!((found.lines().count(), firsts.len()), (3, 3), "{nodes} nodes");
    }
}

#[test]
fn further_lines_start_with_other_moves() {
    let won = position(Variant::INTERNATIONAL, "W:W28,40:B22");
    let mut engine = new_engine(Variant::INTERNATIONAL, 1);
    engine.set_multipv(2);
    let found = engine.analyse(&won, Limit::depth(9));
    assert_eq!((found.score(), found.lines().count()), (Score::win_in(1), 1), "a capture is compulsory");
    let open = position(Variant::INTERNATIONAL, "W:WK28,40:B22,1");
    let found = engine.analyse(&open, Limit::depth(9));
    assert!(found.lines().skip(1).all(|line| line.score() <= found.score() && line.moves()[0] != found.pv()[0]));
}

#[test]
fn several_threads_find_what_one_finds() {
    let start = Position::start(Variant::BRAZILIAN);
    for threads in [2, 3] {
        let options = EngineOptions::default().with_hash_mb(4).with_threads(threads);
        let mut engine = Engine::with_options(Variant::BRAZILIAN, options);
        let found = engine.analyse(&start, Limit::depth(8));
        assert_eq!(found.depth(), 8);
        found.pv().iter().try_fold(start, |position, step| position.play(step)).expect("a legal line");
        let won = position(Variant::BRAZILIAN, "W:W22:B18");
        assert_eq!(engine.analyse(&won, Limit::depth(9)).score(), Score::win_in(1));
        let limited = engine.analyse(&start, Limit::nodes(50_000));
        assert!((50_000..50_000 + 4096 * threads as u64).contains(&limited.nodes()), "{}", limited.nodes());
    }
}

#[test]
fn every_feature_can_be_turned_off() {
    let shot = position(
        Variant::INTERNATIONAL,
        "W:W32,33,34,35,38,40,41,42,43,44,46,47,48,49,50:B1,2,3,4,5,6,7,9,10,11,12,16,19,20,23,24,25",
    );
    let nodes = |features| {
        let options = EngineOptions::default().with_hash_mb(4).with_features(features);
        let found = Engine::with_options(Variant::INTERNATIONAL, options).analyse(&shot, Limit::depth(9));
        found.pv().iter().try_fold(shot, |position, step| position.play(step)).expect("a legal line");
        found.nodes()
    };
    let all = nodes(SearchFeatures::all());
    // Endgame tables have few pieces.
    for feature in SearchFeatures::all().iter().filter(|feature| *feature != SearchFeatures::ENDGAMES) {
        assert_ne!(nodes(SearchFeatures::all() - feature), all, "{feature} changes nothing");
    }
}

/// White wins three men for two by 38-32 24x35 27-22 17x28 32x5: after the first reply, the second offer is at the horizon of
/// depth 1.
const SHOT: &str = "W:W27,30,31,37,38,45:B7,8,10,17,19,24";

#[test]
fn a_shot_at_the_horizon_is_found() {
    let variant = Variant::INTERNATIONAL;
    let shot = position(variant, SHOT);
    let found = |features| {
        let options = EngineOptions::default().with_hash_mb(1).with_features(features);
        Engine::with_options(variant, options).analyse(&shot, Limit::depth(1))
    };
    let with_shots = found(SearchFeatures::all());
    let line: Vec<_> = with_shots.pv().iter().map(|played| (played.from(), played.to())).collect();
    let expected = [(38, 32), (24, 35), (27, 22), (17, 28), (32, 5)];
    assert_eq!(line, expected.map(|(from, to)| (square(variant, from), square(variant, to))));
    assert!(with_shots.nodes() < 100, "{} nodes", with_shots.nodes());
    let without = found(SearchFeatures::all() - SearchFeatures::SHOTS);
    assert_ne!(without.best_move(), with_shots.best_move());
    assert!(without.score() < with_shots.score(), "{} and {}", without.score(), with_shots.score());
}

#[test]
fn a_search_may_stop_within_a_shot() {
    let shot = position(Variant::INTERNATIONAL, SHOT);
    for nodes in 1..200 {
        let found = analyse(Variant::INTERNATIONAL, SHOT, Limit::nodes(nodes));
        assert_eq!(found.nodes(), nodes);
        found.pv().iter().try_fold(shot, |position, step| position.play(step)).expect("a legal line");
    }
}

#[test]
fn searches_in_several_threads_do_not_influence_each_other() {
    let search = |variant| new_engine(variant, 1).analyse(&Position::start(variant), Limit::nodes(20_000));
    thread::scope(|scope| {
        let parallel: Vec<_> = Variant::ALL.iter().map(|&variant| scope.spawn(move || search(variant))).collect();
        for (&variant, found) in Variant::ALL.iter().zip(parallel) {
            assert_eq!(found.join().expect("a result"), search(variant), "{variant}");
        }
    });
}

#[test]
fn limits_are_exact() {
    let variant = Variant::BRAZILIAN;
    let start = Position::start(variant);
    for nodes in [1, 2, 10, 777, 12_345] {
        let found = new_engine(variant, 1).analyse(&start, Limit::nodes(nodes));
        assert_eq!(found.nodes(), nodes);
        assert!(found.best_move().is_some_and(|best| start.is_legal(&best)));
    }
    for depth in 1..7 {
        assert_eq!(new_engine(variant, 1).analyse(&start, Limit::depth(depth)).depth(), depth);
    }
}

#[test]
fn a_stopped_search_still_finds_a_move() {
    let mut engine = new_engine(Variant::INTERNATIONAL, 1);
    engine.set_stop_flag(Arc::new(AtomicBool::new(true)));
    assert!(engine.analyse(&Position::start(Variant::INTERNATIONAL), Limit::none()).best_move().is_some());
    let found = analyse(Variant::INTERNATIONAL, "W:WK50:BK1,K7", Limit::time(Duration::ZERO));
    assert!(found.best_move().is_some());
}

#[test]
fn wins_are_proven_with_their_distance() {
    let table = [
        // The last man is captured.
        (Variant::INTERNATIONAL, "W:W28:B22", Score::win_in(1)),
        // Both kings are on the long diagonal: the side to move must approach the other king.
        (Variant::INTERNATIONAL, "W:WK46:BK5", Score::loss_in(2)),
        (Variant::BRAZILIAN, "W:WK29:BK4", Score::loss_in(2)),
        // The side to move has no legal move.
        (Variant::ITALIAN, "W:W24:B20,15", Score::loss_in(0)),
        (Variant::ANTIDRAUGHTS, "W:W6:B1", Score::win_in(0)),
    ];
    for (variant, fen, score) in table {
        assert_eq!(analyse(variant, fen, Limit::depth(12)).score(), score, "{variant} {fen}");
    }
}

#[test]
fn a_position_without_moves_has_no_best_move() {
    let found = analyse(Variant::ITALIAN, "W:W24:B20,15", Limit::depth(3));
    assert_eq!((found.best_move(), found.score(), found.nodes()), (None, Score::loss_in(0), 0));
}

#[test]
fn a_lone_king_holds_a_draw_on_the_long_diagonal() {
    let found = analyse(Variant::INTERNATIONAL, "B:WK32,K33,K34:BK5", Limit::depth(9));
    assert!(found.score().plies_to_end().is_none(), "{}", found.score());
}
