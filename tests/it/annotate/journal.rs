//! Journals: the searches of games are found again, whatever happened to the file.

use std::fs;
use std::path::Path;

use pdn::annotate::{AnnotateOptions, GameAnnotator};
use pdn::engine::Limit;
use pdn::records::Annotation;
use pdn::replay::ReplayedGame;

use super::{annotator, read};

fn sample() -> Vec<ReplayedGame> {
    read(&fs::read("samples/games/brazilian.pdn").expect("the samples are in the repository"))
}

fn options() -> AnnotateOptions {
    AnnotateOptions::new(Limit::nodes(100))
}

fn with_journal(options: AnnotateOptions, path: &Path) -> GameAnnotator {
    annotator(options).with_journal(path).expect("a journal")
}

/// Annotates games and returns the annotations with the number of games that were restored.
fn annotate(annotator: &GameAnnotator, games: &[ReplayedGame]) -> (Vec<Vec<Annotation>>, u64) {
    let made = games.iter().map(|game| annotator.annotations(game).expect("annotated")).collect();
    assert!(annotator.journal_errors().is_empty());
    (made, annotator.progress().restored())
}

#[test]
fn games_are_restored_after_a_kill_at_any_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, games) = (folder.path().join("run.jsonl"), &sample()[..3]);
    let (made, _) = annotate(&annotator(options()), games);
    let first = with_journal(options(), &path);
    assert_eq!(annotate(&first, games), (made.clone(), 0));
    assert_eq!(first.progress().saved(), 3);
    let whole = fs::read(&path).expect("the file");
    let ends: Vec<_> = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(n, _)| n + 1).collect();
    assert_eq!(ends.len(), 4, "a header and three games");
    let middle = usize::midpoint(ends[1], ends[2]);
    for length in [0, 1, ends[0] - 1, ends[0], ends[0] + 1, ends[1] - 1, ends[1], middle, ends[3] - 1, ends[3]] {
        fs::write(&path, &whole[..length]).expect("the file");
        let restored = ends[1..].iter().filter(|&&end| end <= length).count() as u64;
        assert_eq!(annotate(&with_journal(options(), &path), games), (made.clone(), restored), "{length} bytes");
        // What was cut off is skipped; the games after it are found.
        assert_eq!(annotate(&with_journal(options(), &path), games), (made.clone(), 3), "{length} bytes, again");
    }
}

#[test]
fn a_damaged_record_is_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, games) = (folder.path().join("run.jsonl"), &sample()[..2]);
    let (made, _) = annotate(&with_journal(options(), &path), games);
    let whole = fs::read(&path).expect("the file");
    let header = whole.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
    for (n, at) in (header..whole.len()).step_by(whole.len() / 30).enumerate() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (n % 8);
        fs::write(&path, damaged).expect("the file");
        let (again, restored) = annotate(&with_journal(options(), &path), games);
        assert!(again == made && restored < 2, "byte {at}: {restored}");
    }
}

#[test]
fn other_thresholds_use_the_searches_that_they_share() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, games) = (folder.path().join("run.jsonl"), &sample());
    let all = games.len() as u64;
    annotate(&with_journal(options(), &path), games);
    // The smallest loss decides which moves are searched again.
    for (thresholds, is_searched_alike) in [([100, 120, 200], true), ([20, 150, 200], false)] {
        let other = AnnotateOptions { thresholds, ..options() };
        let (made, _) = annotate(&annotator(other.clone()), games);
        let (first, restored) = annotate(&with_journal(other.clone(), &path), games);
        assert!(first == made && (restored == all) == is_searched_alike, "{thresholds:?}: {restored}");
        assert_eq!(annotate(&with_journal(other, &path), games), (made, all), "{thresholds:?}");
    }
}

#[test]
fn several_runs_share_a_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, games) = (folder.path().join("run.jsonl"), sample());
    let (made, _) = annotate(&annotator(options()), &games);
    std::thread::scope(|scope| {
        for part in games.chunks(2) {
            let run = with_journal(options(), &path);
            scope.spawn(move || annotate(&run, part));
        }
    });
    assert_eq!(annotate(&with_journal(options(), &path), &games), (made, games.len() as u64));
}

#[test]
fn other_files_are_named_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    for (text, expected) in [
        ("[Event \"x\"]\n", "not a journal of annotated games"),
        ("no line end", "not a journal of annotated games"),
        ("redb\u{1a}\n", "a cache of an older version"),
        ("{\"checkpoint\":2,\"of\":\"run\",\"settings\":\"x\"}\n", "a checkpoint of an older version"),
    ] {
        fs::write(&path, text).expect("the file");
        let error = annotator(options()).with_journal(&path).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("the file"), text, "the file is unchanged");
    }
}

#[test]
fn equal_games_of_one_run_are_not_restored() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, game) = (folder.path().join("run.jsonl"), sample().swap_remove(0));
    let twice = [game.clone(), game];
    assert_eq!(annotate(&with_journal(options(), &path), &twice).1, 0);
    assert_eq!(annotate(&with_journal(options(), &path), &twice).1, 2);
}
