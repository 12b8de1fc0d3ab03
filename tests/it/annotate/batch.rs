//! Batches: reviews in, annotated games out.

use std::num::NonZeroUsize;
use std::sync::Arc;

use pdn::annotate::{AnalystPool, AnnotateOptions, AnnotatedGame, Batch, BatchOptions, BatchRun, JudgementScale};
use pdn::check::{CheckOptions, Review, file_reviews, reviews};
use pdn::engine::{EngineOptions, Limit};
use pdn::export::annotated_pdn;
use pdn::records::{GameRow, Origin, annotate_row, game_row};

const GAME: &[u8] = b"[White \"A\"]\n[Black \"B. B.\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n";

fn options() -> BatchOptions {
    BatchOptions::new(AnnotateOptions::new(Limit::nodes(50)))
}

fn batch(options: BatchOptions) -> Batch {
    Batch::new(AnalystPool::built_in(EngineOptions::default().with_hash_mb(2)), options)
}

fn review() -> Review {
    reviews(GAME, CheckOptions::default()).next().expect("a game")
}

fn text(game: &AnnotatedGame) -> String {
    annotated_pdn(game.review().game(), game.annotations(), game.annotator())
}

#[test]
fn games_are_the_same_and_in_order_with_any_number_of_jobs() {
    let texts = |jobs| -> Vec<String> {
        let jobs = NonZeroUsize::new(jobs).expect("not zero");
        let mut run = BatchRun::new(Arc::new(batch(options())), jobs, Batch::annotate).expect("threads");
        let games = file_reviews("samples/games/brazilian.pdn", CheckOptions::default()).expect("the samples");
        let mut done = Vec::new();
        for review in games.map(|review| review.expect("readable")) {
            while !run.has_room() {
                done.extend(run.wait());
            }
            run.add(review);
        }
        done.extend(std::iter::from_fn(|| run.wait()));
        done.into_iter().map(|game| text(&game.expect("no checkpoint"))).collect()
    };
    let once = texts(1);
    assert_eq!(once.len(), 8);
    assert!(once.iter().all(|text| text.contains("pdn ") && text.contains("[%eval ")), "{}", once[0]);
    assert_eq!(texts(3), once);
}

#[test]
fn a_checkpoint_restores_games_and_knows_its_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let first = batch(options()).with_checkpoint(&path).expect("a new file");
    let made = text(&first.annotate(review()).expect("written"));
    assert_eq!((first.progress().saved(), first.progress().analysed()), (1, 4));
    let again = batch(options()).with_checkpoint(&path).expect("a checkpoint");
    assert_eq!(again.progress().saved(), 1);
    assert_eq!(text(&again.annotate(review()).expect("written")), made);
    assert_eq!((again.progress().games(), again.progress().moves(), again.progress().analysed()), (1, 4, 0));
    let other = batch(options().with_player(Some("A".to_owned()))).with_checkpoint(&path);
    assert!(other.is_err_and(|error| error.to_string().contains("belongs to another run")));
}

#[test]
fn a_stopped_batch_fails_and_saves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let batch = batch(options()).with_checkpoint(&path).expect("a new file");
    batch.stop();
    let game = batch.annotate(review()).expect("nothing is written");
    assert!(game.error().is_some() && game.annotations().is_empty());
    assert_eq!(batch.progress().saved(), 0);
    assert!(game.into_result().is_err());
}

#[test]
fn moves_are_selected_by_player() {
    let annotated = |player: &str| {
        let options = options().with_player(Some(player.to_owned()));
        batch(options).annotate(review()).expect("no checkpoint").annotations().len()
    };
    assert_eq!(["b. b", "a", "zz"].map(annotated), [2, 2, 0]);
}

fn row(review: &Review) -> GameRow<'_> {
    game_row(review, Origin { file: "f", game: 1, offset: 0 }, Vec::new())
}

/// Players of the samples have moves that lose, so that each move left out changes the accuracy.
#[test]
fn accuracy_is_the_same_when_the_record_is_read_again() {
    let moves = || AnnotateOptions::new(Limit::nodes(300));
    let options = [
        BatchOptions::new(moves()),
        BatchOptions::new(moves()).with_player(Some("thought".to_owned())),
        BatchOptions::new(moves().with_plies(10..=31)),
    ];
    let mut compared = 0;
    for batch in options.map(batch) {
        for review in file_reviews("samples/games/international.pdn", CheckOptions::default()).expect("the samples") {
            let game = batch.annotate(review.expect("readable")).expect("no checkpoint");
            let mut made = row(game.review());
            annotate_row(&mut made, game.review().game(), game.annotations());
            let written = text(&game);
            let again = reviews(written.as_bytes(), CheckOptions::default()).next().expect("the game");
            let mut read = row(&again);
            read.assess();
            assert_eq!(read.performance, made.performance, "{written}");
            compared += usize::from(made.performance.is_some());
        }
    }
    assert!(compared > 8, "{compared}");
}

#[test]
fn no_threshold_is_too_large() {
    let scale = JudgementScale::default().with_thresholds([20_000, 40_000, u16::MAX]);
    let game = batch(BatchOptions::new(AnnotateOptions::new(Limit::nodes(50)).with_scale(scale))).annotate(review());
    let game = game.expect("no checkpoint");
    assert!(game.error().is_none() && game.annotations().len() == 4);
}
