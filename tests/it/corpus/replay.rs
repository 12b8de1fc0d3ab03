//! Real games: nearly all are legal to the last ply once read rightly, so each one here must be.

use std::fs;

use pdn::diag::Severity;
use pdn::games;
use pdn::replay::{ReplayOptions, replay};
use pdn::rules::Variant;

use crate::fuzz::targets::replay::check_heads;
use crate::support::corpus::{corpus, files, records};

#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    games: usize,
    clean: usize,
    plies: usize,
}

/// Replays all games and fails at the first that is not whole or is taken for another variant.
fn replay_each(name: &str, bytes: &[u8], variant: Variant) -> Tally {
    let mut tally = Tally::default();
    let options = ReplayOptions::default().for_file(bytes);
    for parsed in games(bytes) {
        let game = replay(parsed.into_tree(), &options);
        tally.games += 1;
        tally.clean += usize::from(game.is_clean());
        tally.plies += game.plies_played();
        let place = format!("{name}, game {}", tally.games);
        assert_eq!(game.variant(), Some(variant), "{place}: {:?}", game.diagnostics());
        assert!(
            game.is_legal() && !game.diagnostics().iter().any(|found| found.severity() == Severity::Error),
            "{place}: {:?}",
            game.diagnostics()
        );
    }
    assert_eq!(check_heads(bytes, None), tally.games, "{name}");
    tally
}

fn replay_folder(folder: &str, variant: Variant, expected: &Tally) {
    let Some(corpus) = corpus() else { return };
    let mut sum = Tally::default();
    for file in files(&corpus.join(folder), &["pdn"]) {
        let tally = replay_each(&file.display().to_string(), &fs::read(&file).unwrap(), variant);
        sum.games += tally.games;
        sum.clean += tally.clean;
        sum.plies += tally.plies;
    }
    assert_eq!(&sum, expected);
}

#[test]
fn international_games_are_legal() {
    replay_folder("international", Variant::INTERNATIONAL, &Tally { games: 1396, clean: 1396, plies: 107_447 });
}

#[test]
fn italian_games_are_legal() {
    replay_folder("italian", Variant::ITALIAN, &Tally { games: 521, clean: 521, plies: 23_456 });
}

#[test]
fn russian_games_are_legal() {
    replay_folder("russian", Variant::RUSSIAN, &Tally { games: 460, clean: 460, plies: 17_346 });
}

#[test]
fn english_games_are_legal() {
    let Some(corpus) = corpus() else { return };
    let records: Vec<_> = records(&corpus.join("english")).filter(|record| record.name == "oca_2.0.pdn.zst").collect();
    let [record] = &records[..] else { panic!("{} records", records.len()) };
    let tally = replay_each(&record.name, &record.bytes, Variant::ENGLISH);
    assert_eq!(tally, Tally { games: 22_621, clean: 22_621, plies: 1_158_096 });
}

#[test]
fn conformance_files_hold_few_games_that_do_not_replay() {
    let Some(corpus) = corpus() else { return };
    for (folder, expected) in [("conformance/accept", 1), ("conformance/reject", 1)] {
        let mut stopped = 0;
        for file in files(&corpus.join(folder), &["pdn"]) {
            let bytes = fs::read(&file).unwrap();
            let options = ReplayOptions::default().for_file(&bytes[..]);
            for parsed in games(&bytes) {
                let game = replay(parsed.into_tree(), &options);
                stopped += usize::from(game.variant().is_some() && !game.is_legal());
            }
        }
        assert_eq!(stopped, expected, "{folder}");
    }
}
