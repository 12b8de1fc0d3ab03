//! Annotations of whole games.

mod batch;
mod journal;
mod marks;
mod twice;
mod words;

use std::fs;

use pdn::annotate::{AnnotateOptions, EnginePool, GameAnnotator};
use pdn::engine::{EngineOptions, Limit};
use pdn::records::{Annotation, Judgement};
use pdn::replay::{ReplayOptions, ReplayedGame, replay};
use pdn::{Evaluation, games};

fn read(text: &[u8]) -> Vec<ReplayedGame> {
    games(text).map(|parsed| replay(parsed.into_tree(), &ReplayOptions::default())).collect()
}

fn annotator(options: AnnotateOptions) -> GameAnnotator {
    GameAnnotator::new(EnginePool::built_in(EngineOptions::default().with_hash_mb(2)), options)
}

fn annotated(game: &ReplayedGame, limit: Limit) -> Vec<Annotation> {
    annotator(AnnotateOptions::new(limit)).annotations(game).expect("the built-in engine does not fail")
}

/// White loses a man with 2. 28-23.
const BLUNDER: &[u8] = b"[GameType \"20\"]\n1. 33-28 18-22 2. 28-23 19x28 *";

#[test]
fn all_moves_of_the_samples_are_annotated() {
    for file in ["international", "italian", "brazilian"] {
        let text = fs::read(format!("samples/games/{file}.pdn")).expect("the samples are in the repository");
        for game in read(&text).iter().take(2) {
            let annotations = annotated(game, Limit::nodes(300));
            assert_eq!(annotations.len(), game.written(), "{file}");
            for annotation in &annotations {
                let ply = game.ply(annotation.node).expect("a played move");
                let mut position = *ply.before().expect("a position");
                assert_eq!(annotation.judgement.is_some(), !annotation.best_line.is_empty());
                assert_ne!(annotation.best_line.first(), ply.played());
                for step in &annotation.best_line {
                    position = position.play(step).expect("a legal line");
                }
            }
        }
    }
}

/// Searches with higher limits solve classes of endings in memory; what lower ones find must not depend on it.
#[test]
fn annotations_do_not_depend_on_earlier_ones() {
    let text = fs::read("samples/games/italian.pdn").expect("the samples are in the repository");
    // The game ends with two kings on each side.
    let game = &read(&text)[6];
    let evaluations = |nodes| -> Vec<_> {
        annotated(game, Limit::nodes(nodes)).iter().map(|annotation| annotation.evaluation).collect()
    };
    let first = evaluations(200);
    evaluations(5000);
    assert_eq!(evaluations(200), first);
}

#[test]
fn a_lost_man_is_a_blunder_and_has_a_best_line() {
    let game = &read(BLUNDER)[0];
    assert!(game.is_legal(), "{:?}", game.diagnostics());
    let annotations = annotated(game, Limit::depth(7));
    let judgements: Vec<_> = annotations.iter().map(|annotation| annotation.judgement).collect();
    assert_eq!(judgements[2], Some(Judgement::Blunder), "{annotations:?}");
    assert_eq!(judgements[..2], [None, None]);
    assert!(annotations[1].evaluation > annotations[2].evaluation);
    assert!(annotations[2].evaluation < Evaluation::CentiMen(-60), "{}", annotations[2].evaluation);
    assert!(annotations[2].best_evaluation > Evaluation::CentiMen(-30));
}

#[test]
fn a_finished_game_ends_with_a_proven_score() {
    let game = &read(b"[GameType \"20\"]\n[FEN \"W:W28:B22\"]\n1. 28x17 2-0")[0];
    let annotations = annotated(game, Limit::depth(3));
    assert_eq!(annotations[0].evaluation, Evaluation::WhiteWins(0));
}
