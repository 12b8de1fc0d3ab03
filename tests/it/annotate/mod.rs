//! Annotations of whole games.

mod batch;
mod marks;
mod twice;
mod words;

use std::fs;

use pdn::annotate::{AnalystPool, AnnotateOptions, AnnotationCheckpoint};
use pdn::engine::{EngineOptions, Limit};
use pdn::pdn::{Evaluation, games};
use pdn::records::{Annotation, Judgement};
use pdn::replay::{ReplayOptions, ReplayedGame, replay};

fn read(text: &[u8]) -> Vec<ReplayedGame> {
    games(text).map(|parsed| replay(parsed.into_tree(), &ReplayOptions::default())).collect()
}

fn annotated(game: &ReplayedGame, limit: Limit) -> Vec<Annotation> {
    let pool = AnalystPool::built_in(EngineOptions::default().with_hash_mb(2));
    pool.annotate(game, &AnnotateOptions::new(limit)).expect("the built-in engine does not fail")
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

#[test]
fn a_checkpoint_returns_the_annotations_added() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let text = fs::read("samples/games/brazilian.pdn").expect("the samples are in the repository");
    let all = read(&text);
    let made: Vec<_> = all.iter().map(|game| annotated(game, Limit::nodes(100))).collect();
    {
        let checkpoint = AnnotationCheckpoint::open(&path, "nodes 100").expect("a new file");
        assert!(checkpoint.is_empty() && checkpoint.find(&all[0]).is_none());
        for (game, annotations) in all.iter().zip(&made).take(5) {
            checkpoint.add(game, annotations).expect("a writable file");
        }
    }
    // An interruption in the middle of a line.
    let mut bytes = fs::read(&path).expect("the file");
    bytes.truncate(bytes.len() - 10);
    fs::write(&path, &bytes).expect("the file");
    let checkpoint = AnnotationCheckpoint::open(&path, "nodes 100").expect("our file");
    assert_eq!(checkpoint.len(), 4);
    for (n, (game, annotations)) in all.iter().zip(&made).enumerate() {
        assert_eq!(checkpoint.find(game).as_ref(), (n < 4).then_some(annotations), "game {n}");
    }
    checkpoint.add(&all[4], &made[4]).expect("a writable file");
    drop(checkpoint);
    assert_eq!(AnnotationCheckpoint::open(&path, "nodes 100").expect("our file").len(), 5);
}

#[test]
fn a_checkpoint_of_other_settings_or_another_file_is_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    drop(AnnotationCheckpoint::open(&path, "nodes 100").expect("a new file"));
    let error = AnnotationCheckpoint::open(&path, "nodes 200").expect_err("other settings").to_string();
    assert!(error.contains("nodes 100"), "{error}");
    for text in ["[Event \"x\"]\n", "no line end", "{}\n"] {
        fs::write(&path, text).expect("the file");
        assert!(AnnotationCheckpoint::open(&path, "nodes 100").is_err());
        assert_eq!(fs::read_to_string(&path).expect("the file"), text, "the file is unchanged");
    }
}
