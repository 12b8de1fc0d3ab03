//! Annotations of whole games.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pdn::annotate::{Annotation, Checkpoint, Judge, Judgement, Pool, annotate};
use pdn::engine::{Limit, Score};
use pdn::pdn::games;
use pdn::replay::{ReplayOptions, ReplayedGame, replay};

fn read(text: &[u8]) -> Vec<ReplayedGame> {
    games(text).map(|parsed| replay(parsed.tree, &ReplayOptions::default())).collect()
}

fn annotated(game: &ReplayedGame, limits: Limit) -> Vec<Annotation> {
    let pool = Pool::new(2, limits, Arc::new(AtomicBool::new(false)));
    let variant = game.variant().expect("a known variant");
    pool.with(variant, |engine| annotate(game, engine, &Judge::default())).expect("the engine is there")
}

/// White gives a man for nothing with 2. 28-23.
const BLUNDER: &[u8] = b"[GameType \"20\"]\n1. 32-28 20-25 2. 28-23 19x28 3. 33x22 18x27 4. 31x22 17x28 *";

#[test]
fn every_sample_game_is_annotated_whole() {
    for file in ["international", "italian", "brazilian"] {
        let text = fs::read(format!("samples/games/{file}.pdn")).expect("the samples lie in the repository");
        for game in read(&text).iter().take(2) {
            let annotations = annotated(game, Limit::nodes(300));
            assert_eq!(annotations.len(), game.written(), "{file}");
            for annotation in &annotations {
                let ply = game.ply(annotation.node).expect("a played move");
                let mut position = ply.before.expect("a position");
                assert_eq!(annotation.judgement.is_some(), !annotation.better.is_empty());
                assert_ne!(annotation.better.first().copied(), ply.played);
                for step in &annotation.better {
                    position = position.play(step).expect("a legal line");
                }
            }
        }
    }
}

#[test]
fn a_lost_man_is_a_blunder_and_the_better_move_is_told() {
    let game = &read(BLUNDER)[0];
    assert!(game.is_legal(), "{:?}", game.diagnostics());
    let annotations = annotated(game, Limit::depth(7));
    let judgements: Vec<_> = annotations.iter().map(|annotation| annotation.judgement).collect();
    assert_eq!(judgements[2], Some(Judgement::Blunder), "{annotations:?}");
    assert_eq!(judgements[..2], [None, None]);
    assert!(annotations[1].score > annotations[2].score);
    assert!(annotations[2].score < Score::centi_men(-60), "{}", annotations[2].score);
    assert!(annotations[2].better_score > Score::centi_men(-30));
}

#[test]
fn a_finished_game_ends_with_a_proven_score() {
    let game = &read(b"[GameType \"20\"]\n[FEN \"W:W28:B22\"]\n1. 28x17 2-0")[0];
    let annotations = annotated(game, Limit::depth(3));
    assert_eq!(annotations[0].score, Score::win_in(0));
}

#[test]
fn a_checkpoint_gives_back_what_was_put_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let text = fs::read("samples/games/brazilian.pdn").expect("the samples lie in the repository");
    let all = read(&text);
    let made: Vec<_> = all.iter().map(|game| annotated(game, Limit::nodes(100))).collect();
    {
        let checkpoint = Checkpoint::open(&path, "nodes 100").expect("a new file");
        assert!(checkpoint.is_empty() && checkpoint.find(&all[0]).is_none());
        for (game, annotations) in all.iter().zip(&made).take(5) {
            checkpoint.add(game, annotations).expect("a writable file");
        }
    }
    // An interruption in the middle of a line.
    let mut bytes = fs::read(&path).expect("the file");
    bytes.truncate(bytes.len() - 10);
    fs::write(&path, &bytes).expect("the file");
    let checkpoint = Checkpoint::open(&path, "nodes 100").expect("our file");
    assert_eq!(checkpoint.len(), 4);
    for (n, (game, annotations)) in all.iter().zip(&made).enumerate() {
        assert_eq!(checkpoint.find(game).as_ref(), (n < 4).then_some(annotations), "game {n}");
    }
    checkpoint.add(&all[4], &made[4]).expect("a writable file");
    drop(checkpoint);
    assert_eq!(Checkpoint::open(&path, "nodes 100").expect("our file").len(), 5);
}

#[test]
fn a_checkpoint_of_other_settings_or_no_checkpoint_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    drop(Checkpoint::open(&path, "nodes 100").expect("a new file"));
    let refused = Checkpoint::open(&path, "nodes 200").expect_err("other settings").to_string();
    assert!(refused.contains("nodes 100"), "{refused}");
    for text in ["[Event \"x\"]\n", "no line end", "{}\n"] {
        fs::write(&path, text).expect("the file");
        assert!(Checkpoint::open(&path, "nodes 100").is_err());
        assert_eq!(fs::read_to_string(&path).expect("the file"), text, "a foreign file stays as it is");
    }
}
