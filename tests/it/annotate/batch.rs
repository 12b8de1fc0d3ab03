//! Reviews in, annotated games out.

use std::num::NonZeroUsize;
use std::path::Path;

use pdn::annotate::{AnnotateOptions, BatchRun, GameAnnotator};
use pdn::check::{CheckOptions, Review, file_reviews, reviews};
use pdn::engine::Limit;
use pdn::export::annotated_pdn;
use pdn::records::{AnnotatedGame, GameRow, NotAnnotated, Origin, annotate_row, game_row};

use super::annotator;

const GAME: &[u8] = b"[White \"A\"]\n[Black \"B. B.\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n";

fn of_player(name: &str) -> AnnotateOptions {
    AnnotateOptions { player: Some(name.to_owned()), ..options() }
}

fn options() -> AnnotateOptions {
    AnnotateOptions::new(Limit::nodes(50))
}

fn review() -> Review {
    reviews(GAME, CheckOptions::default()).next().expect("a game")
}

fn text(game: &AnnotatedGame) -> String {
    annotated_pdn(game.review.game(), &game.annotations, &game.annotator)
}

#[test]
fn games_are_the_same_and_in_order_with_any_number_of_jobs() {
    let texts = |jobs| -> Vec<String> {
        let jobs = NonZeroUsize::new(jobs).expect("not zero");
        let annotator = annotator(options());
        let mut run = BatchRun::new(jobs, move |review| annotator.annotate(review)).expect("threads");
        let games = file_reviews("samples/games/brazilian.pdn", CheckOptions::default()).expect("the samples");
        let mut done = Vec::new();
        for review in games.map(|review| review.expect("readable")) {
            while !run.has_room() {
                done.extend(run.wait());
            }
            run.add(review);
        }
        done.extend(std::iter::from_fn(|| run.wait()));
        done.iter().map(text).collect()
    };
    let once = texts(1);
    assert_eq!(once.len(), 8);
    assert!(once.iter().all(|text| text.contains("pdn ") && text.contains("[%eval ")), "{}", once[0]);
    assert_eq!(texts(3), once);
}

fn with_journal(path: &Path) -> GameAnnotator {
    annotator(options()).with_journal(path).expect("a journal")
}

#[test]
fn a_journal_restores_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let first = with_journal(&path);
    let made = text(&first.annotate(review()));
    assert_eq!((first.progress().saved(), first.progress().restored(), first.progress().analysed()), (1, 0, 4));
    let again = with_journal(&path);
    assert_eq!(text(&again.annotate(review())), made);
    assert_eq!((again.progress().saved(), again.progress().restored()), (1, 1));
    assert_eq!((again.progress().games(), again.progress().moves(), again.progress().analysed()), (1, 4, 0));
    let player = annotator(of_player("A")).with_journal(&path).expect("a journal");
    assert_eq!(player.annotate(review()).annotations.len(), 2);
    assert_eq!(player.progress().restored(), 1, "the same positions are searched");
}

#[test]
fn a_stopped_run_fails_and_saves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let annotator = with_journal(&folder.path().join("run.jsonl"));
    annotator.stop();
    let game = annotator.annotate(review());
    assert!(matches!(game.failure, Some(NotAnnotated::Failed(_))) && game.annotations.is_empty());
    assert_eq!(annotator.progress().saved(), 0);
}

#[test]
fn games_that_cannot_be_annotated_have_a_reason() {
    let annotator = annotator(options());
    for (text, reason) in [
        ("1. 3-1 2-9 *", Some("its variant is unknown")),
        ("[GameType \"20\"]\n1. 32-11 *", Some("none of its moves can be played")),
        ("[GameType \"20\"]\n[FEN \"W:W99:B1\"]\n1. 32-28 *", Some("its FEN cannot be used")),
        ("[FEN \"W:W99:B1\"]\n1. 32-28 *", Some("its FEN cannot be used")),
        ("[GameType \"0\"]\n1. e4 e5 2. Nf3 *", Some("none of its text can be read as moves")),
        ("[GameType \"20\"]\n1. zz-28 *", Some("none of its text can be read as moves")),
        ("[GameType \"0\"]\n1. 32-28 *", Some("its variant is unknown")),
        ("[GameType \"20\"]\nBlack did not appear 2-0", None),
        ("[White \"A\"]\n[Black \"vrij\"]\n[GameType \"20\"]\nRonde 3 vrij 2-0", None),
        ("[White \"A\"]\n[Black \"vrij\"]\n[GameType \"20\"]\nbord b3 vrij 2-0", None),
        ("[GameType \"20\"]\nGespeeld op 12-5-2020, 3e bord 2-0", None),
        ("[GameType \"20\"]\n*", None),
        ("[GameType \"20\"]\n1. 32-28 19-99 *", None),
    ] {
        let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
        let failure = annotator.annotate(review).failure.map(|why| why.to_string());
        assert_eq!(failure.as_deref(), reason, "{text}");
    }
}

#[test]
fn moves_are_selected_by_player() {
    let annotated = |player: &str| {
        let options = of_player(player);
        annotator(options).annotate(review()).annotations.len()
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
        moves(),
        AnnotateOptions { player: Some("thought".to_owned()), ..moves() },
        AnnotateOptions { from_ply: 10, to_ply: Some(31), ..moves() },
    ];
    let mut compared = 0;
    for annotator in options.map(annotator) {
        for review in file_reviews("samples/games/international.pdn", CheckOptions::default()).expect("the samples") {
            let game = annotator.annotate(review.expect("readable"));
            let mut made = row(&game.review);
            annotate_row(&mut made, game.review.game(), &game.annotations);
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
    let options = AnnotateOptions { thresholds: [20_000, 40_000, u16::MAX], ..options() };
    let game = annotator(options).annotate(review());
    assert!(game.failure.is_none() && game.annotations.len() == 4);
}
