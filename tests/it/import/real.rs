//! Real files of organisers: logs beside the PDN of the same games, an export, and logs of engine matches.

use std::fs;
use std::io::Read as _;

use pdn::check::{CheckOptions, Review, file_reviews, reviews};
use pdn::diag::Code;
use pdn::records::{Origin, game_row};
use pdn::source::Input;

use crate::support::corpus::corpus;

/// The squares of the moves that were played.
fn played(review: &Review) -> Vec<(Option<u8>, Option<u8>)> {
    let row = game_row(review, Origin { file: "-", game: 1, offset: 0 }, Vec::new());
    row.moves.iter().filter(|row| row.legal).map(|row| (row.from, row.to)).collect()
}

#[test]
fn logs_have_the_moves_of_their_twins() {
    let Some(folder) = corpus().map(|corpus| corpus.join("organisers/ldf")).filter(|folder| folder.exists()) else {
        return;
    };
    let mut twins = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let Some(twin) = name.strip_suffix(".LDF.gz").map(|stem| path.with_file_name(format!("{stem}.pdn"))) else {
            continue;
        };
        let Ok(twin) = fs::read(twin) else { continue };
        let log =
            file_reviews(&path, CheckOptions::default()).expect("a log").next().expect("a game").expect("readable");
        let twin = reviews(&twin, CheckOptions::default()).next().expect("a game");
        let (log, twin) = (played(&log), played(&twin));
        // The logs go on for longer than the twins, whose last moves were typed in later.
        let common = log.len().min(twin.len());
        assert!(common > 20, "{name}: {} and {} moves", log.len(), twin.len());
        assert_eq!(log[..common], twin[..common], "{name}");
        twins += 1;
    }
    assert!(twins >= 6, "{twins}");
}

#[test]
fn a_damaged_log_gives_all_moves_before_the_damage() {
    let Some(path) = corpus().map(|corpus| corpus.join("organisers/ldf/damaged.LDF.gz")).filter(|path| path.exists())
    else {
        return;
    };
    let mut text = Vec::new();
    // The file is cut off, too: what comes before is read all the same.
    let _ = Input::file(&path).open().expect("a file").read_to_end(&mut text);
    let review = reviews(&text, CheckOptions::default()).next().expect("a game");
    assert_eq!((review.game().plies_played(), review.game().written()), (68, 68));
    let found = |code| review.diagnostics().iter().filter(|found| found.code() == code).count();
    assert!(found(Code::LOG_DAMAGED_LINE) > 20 && found(Code::LOG_CUT_OFF) == 1);
}

#[test]
fn an_export_of_turbo_dambase_is_replayed_to_the_end() {
    let Some(path) =
        corpus().map(|corpus| corpus.join("organisers/turbo/turbo-dambase-export.txt")).filter(|path| path.exists())
    else {
        return;
    };
    let mut count = 0;
    for review in file_reviews(path, CheckOptions::default()).expect("an export") {
        let review = review.expect("readable");
        let tree = review.game().tree();
        count += 1;
        assert!(tree.tag("White").is_some() && tree.tag("Black").is_some() && tree.tag("Date").is_some());
        let is_whole = review.game().is_clean() && tree.tag("Result").is_some();
        assert!(is_whole || review.game().written() == 0 || !review.diagnostics().is_empty(), "game {count}");
    }
    assert_eq!(count, 74);
}

#[test]
fn scores_of_engine_matches_are_evaluations() {
    let Some(folder) = corpus().map(|corpus| corpus.join("organisers/engines")).filter(|folder| folder.exists()) else {
        return;
    };
    for name in ["0913.pdn", "roel20081212.pdn", "test.pdn"] {
        let review = file_reviews(folder.join(name), CheckOptions::default())
            .expect("a file")
            .next()
            .expect("a game")
            .expect("readable");
        let row = game_row(&review, Origin { file: "-", game: 1, offset: 0 }, Vec::new());
        let scored = row.moves.iter().filter(|row| row.eval.is_some()).count();
        assert!(3 * scored > row.moves.len(), "{name}: {scored} of {}", row.moves.len());
    }
}
