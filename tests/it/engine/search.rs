//! The engine keeps its promises in every variant.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::support::board::position;
use pdn::engine::{Analysis, Engine, EngineSettings, Limits, Part, Parts, Score};
use pdn::rules::{Position, Variant};

fn analyse(variant: Variant, fen: &str, limits: &Limits) -> Analysis {
    Engine::new(variant, 4).analyse(&position(variant, fen), &[], limits)
}

#[test]
fn lines_are_legal_in_every_variant() {
    for &variant in Variant::ALL {
        let mut position = Position::start(variant);
        let found = Engine::new(variant, 4).analyse(&position, &[], &Limits::nodes(20_000));
        assert!(found.depth >= 4, "{variant}: depth {}", found.depth);
        assert!(!found.line.is_empty(), "{variant}");
        for step in &found.line {
            position = position.play(step).unwrap_or_else(|_| panic!("{variant}: an illegal line {:?}", found.line));
        }
    }
}

#[test]
fn same_search_same_answer() {
    for variant in [Variant::INTERNATIONAL, Variant::ITALIAN, Variant::BRAZILIAN] {
        let mut engine = Engine::new(variant, 4);
        let start = Position::start(variant);
        let first = engine.analyse(&start, &[], &Limits::nodes(30_000));
        engine.new_game();
        assert_eq!(engine.analyse(&start, &[], &Limits::nodes(30_000)), first);
        assert_eq!(Engine::new(variant, 4).analyse(&start, &[], &Limits::nodes(30_000)), first);
    }
}

#[test]
fn several_lines_are_the_best_moves_in_their_order() {
    for variant in [Variant::INTERNATIONAL, Variant::ITALIAN] {
        let start = Position::start(variant);
        let count = start.legal_moves().len();
        let mut engine = Engine::new(variant, 4);
        engine.set_lines(count + 5);
        let found = engine.analyse(&start, &[], &Limits::depth(5));
        let lines: Vec<_> = std::iter::once((found.score, &found.line))
            .chain(found.others.iter().map(|line| (line.score, &line.moves)))
            .collect();
        assert!(lines.is_sorted_by(|a, b| a.0 >= b.0), "{lines:?}");
        let firsts: HashSet<_> = lines.iter().map(|(_, line)| line[0]).collect();
        assert_eq!((lines.len(), firsts.len()), (count, count), "each move once");
        for (_, line) in lines {
            line.iter().try_fold(start, |position, step| position.play(step)).expect("a legal line");
        }
    }
}

#[test]
fn the_second_line_is_what_would_be_played_without_the_best_move() {
    let won = position(Variant::INTERNATIONAL, "W:W28,40:B22");
    let mut engine = Engine::new(Variant::INTERNATIONAL, 1);
    engine.set_lines(2);
    let found = engine.analyse(&won, &[], &Limits::depth(9));
    assert_eq!((found.score, found.others.len()), (Score::win_in(1), 0), "a capture is compulsory");
    let open = position(Variant::INTERNATIONAL, "W:WK28,40:B22,1");
    let found = engine.analyse(&open, &[], &Limits::depth(9));
    assert!(found.others.iter().all(|line| line.score <= found.score && line.moves[0] != found.line[0]));
}

#[test]
fn threads_find_what_one_finds() {
    let start = Position::start(Variant::BRAZILIAN);
    for threads in [2, 3] {
        let settings = EngineSettings { megabytes: 4, threads, ..EngineSettings::default() };
        let mut engine = Engine::with_settings(Variant::BRAZILIAN, &settings);
        let found = engine.analyse(&start, &[], &Limits::depth(8));
        assert_eq!(found.depth, 8);
        found.line.iter().try_fold(start, |position, step| position.play(step)).expect("a legal line");
        let won = position(Variant::BRAZILIAN, "W:W22:B18");
        assert_eq!(engine.analyse(&won, &[], &Limits::depth(9)).score, Score::win_in(1));
        let limited = engine.analyse(&start, &[], &Limits::nodes(50_000));
        assert!((50_000..50_000 + 4096 * threads as u64).contains(&limited.nodes), "{}", limited.nodes);
    }
}

#[test]
fn every_part_can_be_left_out() {
    let shot = position(
        Variant::INTERNATIONAL,
        "W:W32,33,34,35,38,40,41,42,43,44,46,47,48,49,50:B1,2,3,4,5,6,7,9,10,11,12,16,19,20,23,24,25",
    );
    let nodes = |parts| {
        let settings = EngineSettings { megabytes: 4, parts, ..EngineSettings::default() };
        let found = Engine::with_settings(Variant::INTERNATIONAL, &settings).analyse(&shot, &[], &Limits::depth(9));
        found.line.iter().try_fold(shot, |position, step| position.play(step)).expect("a legal line");
        found.nodes
    };
    let whole = nodes(Parts::ALL);
    for part in Part::ALL {
        assert_ne!(nodes(Parts::ALL.without(part)), whole, "{part} changes nothing");
    }
}

#[test]
fn limits_are_exact() {
    let variant = Variant::BRAZILIAN;
    let start = Position::start(variant);
    for nodes in [1, 2, 10, 777, 12_345] {
        let found = Engine::new(variant, 1).analyse(&start, &[], &Limits::nodes(nodes));
        assert_eq!(found.nodes, nodes);
        assert!(found.best().is_some_and(|best| start.is_legal(&best)));
    }
    for depth in 1..7 {
        assert_eq!(Engine::new(variant, 1).analyse(&start, &[], &Limits::depth(depth)).depth, depth);
    }
}

#[test]
fn a_stopped_search_still_answers() {
    let mut engine = Engine::new(Variant::INTERNATIONAL, 1);
    engine.stop_with(Arc::new(AtomicBool::new(true)));
    assert!(engine.analyse(&Position::start(Variant::INTERNATIONAL), &[], &Limits::default()).best().is_some());
    let found = analyse(Variant::INTERNATIONAL, "W:WK50:BK1,K7", &Limits::time(Duration::ZERO));
    assert!(found.best().is_some());
}

#[test]
fn wins_are_proven_with_their_distance() {
    let table = [
        // The last man is taken.
        (Variant::INTERNATIONAL, "W:W28:B22", Score::win_in(1)),
        // Both kings on the long diagonal: the side to move must step towards the other.
        (Variant::INTERNATIONAL, "W:WK46:BK5", Score::loss_in(2)),
        (Variant::BRAZILIAN, "W:WK29:BK4", Score::loss_in(2)),
        // The side to move has no move at all.
        (Variant::ITALIAN, "W:W24:B20,15", Score::loss_in(0)),
        (Variant::ANTIDRAUGHTS, "W:W6:B1", Score::win_in(0)),
    ];
    for (variant, fen, score) in table {
        assert_eq!(analyse(variant, fen, &Limits::depth(12)).score, score, "{variant} {fen}");
    }
}

#[test]
fn a_position_without_moves_has_no_best_move() {
    let found = analyse(Variant::ITALIAN, "W:W24:B20,15", &Limits::depth(3));
    assert_eq!((found.best(), found.score, found.nodes), (None, Score::loss_in(0), 0));
}

#[test]
fn a_lone_king_holds_a_draw_on_the_long_diagonal() {
    let found = analyse(Variant::INTERNATIONAL, "B:WK32,K33,K34:BK5", &Limits::depth(9));
    assert!(found.score.plies_to_end().is_none(), "{}", found.score);
}
