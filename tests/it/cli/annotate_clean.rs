//! `pdn annotate --plain` and `--clean`: annotations without commands, and records without annotations.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::binary::{Run, pdn, pdn_with};
use crate::support::corpus::{corpus, records};
use crate::support::samples::first_games;

/// White loses a man with 2. 28-23, and people have written a little of everything.
const GAME: &str = "[White \"A\"]\n[GameType \"20\"]\n[Annotator \"Me\"]\n\n{intro} 1. 32-28!? $14 {good [%clk 1:00]} 20-25 \
                    2. 28-23 {hm} (2. 33-29 {[%eval 0.10]} 14-20) 19x28 3. 33x22 $2 {[%eval 0.50]} 17x28 *\n";

fn annotate(text: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
    pdn_with(text, &[&["annotate", "-"], arguments].concat())
}

fn clean(text: impl AsRef<[u8]>) -> Run {
    annotate(text, &["--clean"])
}

/// Returns the canonical form of records without the tag of annotators.
fn canonical(text: impl AsRef<[u8]>) -> String {
    let run = pdn_with(text, &["fmt", "--quiet", "-"]);
    let lines = run.text().lines().filter(|line| !line.starts_with("[Annotator "));
    lines.collect::<Vec<_>>().join("\n")
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn cleaning_restores_what_was_annotated() {
    let mut judged = 0;
    for name in ["international", "italian", "brazilian"] {
        let text = first_games(name, 3);
        for options in [
            &[][..],
            &["--words", "--shots"],
            &["--multipv", "2", "--variations"],
            &["--side", "W", "--from-ply", "9"],
            &["--keep-evals"],
        ] {
            let once = annotate(&text, &[&["--nodes", "100"], options].concat()).is(0);
            judged += once.text().matches("[%pdn mark=").count();
            let cleaned = clean(&once.bytes).is(0);
            assert!(!cleaned.text().contains("[%") && !cleaned.text().contains("[Annotator"), "{name} {options:?}");
            assert_eq!(canonical(&cleaned.bytes), canonical(&text), "{name} {options:?}");
            assert_eq!(cleaned.errors, "", "{name} {options:?}");
            assert_eq!(clean(&cleaned.bytes).bytes, cleaned.bytes, "{name} {options:?}");
        }
    }
    assert!(judged > 10, "{judged} moves are judged");
}

#[test]
fn cleaning_leaves_what_people_wrote() {
    for options in [&["--keep-evals"][..], &["--keep-evals", "--variations", "--words", "--multipv", "2"]] {
        let once = annotate(GAME, &[&["--nodes", "200"], options].concat()).is(0);
        assert!(once.text().contains("(other evaluations kept)\"]"), "{}", once.text());
        let flat = on_one_line(once.text());
        let after = flat.rsplit_once(" 19x28 ").expect("the move").1.split_once('}').expect("a comment").0;
        assert!(after.starts_with("{[%eval ") && after.contains("] [%pdn"), "each new one is signed: {flat}");
        let cleaned = clean(once.text()).is(0);
        assert_eq!(canonical(cleaned.text()), canonical(GAME), "{options:?}");
        assert!(cleaned.text().contains("[Annotator \"Me\"]"));
        assert_eq!(annotate(once.text(), &[&["--nodes", "200"], options].concat()).is(0).text(), once.text());
    }
    // Without --keep-evals, the evaluation of the main line was replaced; that of the variation stays.
    let once = annotate(GAME, &["--nodes", "200"]).is(0);
    let cleaned = clean(once.text()).is(0);
    assert_eq!(canonical(cleaned.text()), canonical(GAME.replace(" {[%eval 0.50]}", "")));
}

#[test]
fn cleaning_leaves_edited_lines_and_comments() {
    let text = "[GameType \"20\"]\n\n1. 32-28 20-25 2. 28-23 19x28 *\n";
    let once = annotate(text, &["--nodes", "200", "--words"]).is(0);
    let flat = on_one_line(once.text());
    let (_, line) = flat.split_once(" (2. ").expect("a best line");
    let line = line.split_once(')').expect("its end").0;
    let sentence = flat.split_once("]} {").expect("a sentence").1.split_once('}').expect("its end").0;
    let edited = flat.replace(line, &format!("{line} {{sic}}")).replace(sentence, "I would say so");
    let cleaned = on_one_line(clean(edited.replacen("\"] ", "\"]\n", 2)).is(0).text());
    assert!(cleaned.contains("2. 28-23 {I would say so} (2. ") && cleaned.contains("{sic})"), "{cleaned}");
    assert!(!cleaned.contains('$') && !cleaned.contains("[%pdn"), "{cleaned}");
}

#[test]
fn records_without_annotations_stay_as_they_are() {
    for text in [GAME, "[Event \"e\"]\n\n1. 32-28 {[%eval 0.10]} 19-23? (1... 18-23) *\n"] {
        let cleaned = clean(text).is(0);
        assert_eq!(on_one_line(cleaned.text()), on_one_line(text));
        assert_eq!(cleaned.errors, "");
    }
    let illegal = "[Event \"x\"]\n[GameType \"20\"]\n\n1. 32-28 31-1 *\n";
    let cleaned = clean(illegal).is(1);
    assert_eq!(on_one_line(cleaned.text()), on_one_line(illegal));
    assert_eq!(cleaned.errors, "1 error is in the records; `pdn check` shows them\n");
}

#[test]
fn evaluations_that_no_tag_claims_are_reported() {
    let once = annotate(GAME, &["--nodes", "200"]).is(0).text().to_owned();
    let untagged: Vec<_> = once.lines().filter(|line| !line.starts_with("[Annotator")).collect();
    let cleaned = clean(untagged.join("\n")).is(0);
    assert!(!cleaned.text().contains("[%pdn") && cleaned.text().contains("[%eval"), "{}", cleaned.text());
    assert!(
        cleaned.errors.starts_with("-: game 1: kept, because a person may have written them: "),
        "{}",
        cleaned.errors
    );
    assert!(cleaned.errors.trim_end().ends_with(" evaluations"), "{}", cleaned.errors);
}

#[test]
fn plain_annotations_have_signs_and_no_commands() {
    let run = annotate(GAME, &["--nodes", "200", "--plain", "--words"]).is(0);
    let flat = on_one_line(run.text());
    assert!(!flat.contains("[%pdn") && flat.matches("[%eval").count() == 1 && flat.contains("[%clk 1:00]"), "{flat}");
    assert!(flat.contains("1. 32-28!? $14 {good [%clk 1:00]}"), "the sign of the record stays: {flat}");
    assert!(flat.contains("33x22? 17x28"), "a NAG becomes a sign: {flat}");
    assert!(
        flat.contains("2. 28-23? {Loses a man: 19x28 ") && flat.contains("} {hm} (2. 33-29 {[%eval 0.10]} 14-20) (2. "),
        "{flat}"
    );
    assert!(flat.contains(" (plain)\"]"));
    assert_eq!(annotate(run.text(), &["--nodes", "200", "--plain", "--words"]).is(0).text(), run.text(), "twice");
    let from_usual = annotate(GAME, &["--nodes", "200"]).is(0);
    let plain = annotate(from_usual.text(), &["--nodes", "200", "--plain", "--words"]).is(0);
    assert_eq!(plain.text(), run.text(), "commands of an earlier run are replaced");
    pdn_with(run.text(), &["check", "-"]).is(0);
}

#[test]
fn of_a_plain_record_only_the_name_goes() {
    let plain = annotate(GAME, &["--nodes", "200", "--plain", "--words"]).is(0);
    let cleaned = clean(plain.text()).is(0);
    assert_eq!(canonical(cleaned.text()), canonical(plain.text()));
    assert!(cleaned.text().contains("[Annotator \"Me\"]"), "{}", cleaned.text());
    assert!(
        cleaned.errors.starts_with("-: game 1: kept, because a person may have written them: 2 marks, 2 variations, "),
        "{}",
        cleaned.errors
    );
    assert_eq!(annotate(plain.text(), &["--clean", "--quiet"]).is(0).errors, "");
}

#[test]
fn options_that_contradict_are_refused() {
    for options in [
        &["--plain", "--to", "csv"][..],
        &["--clean", "--to", "jsonl"],
        &["--clean", "--nodes", "9"],
        &["--clean", "--plain"],
        &["--clean", "--words"],
        &["--clean", "--engine", "x hub"],
        &["--clean", "--cache", "x"],
    ] {
        annotate(GAME, options).is(2);
    }
    assert!(pdn(&["annotate", "--help"]).is(0).text().contains("--clean"));
}

/// Most files of a collection have the same habits, so a game of each is enough.
#[test]
fn cleaning_restores_real_records() {
    let Some(folder) = corpus() else { return };
    let mut seen = BTreeSet::new();
    let mut compared = 0;
    let is_pdn = |name: &str| Path::new(name).extension().is_some_and(|extension| extension == "pdn");
    for record in records(&folder).filter(|record| is_pdn(&record.name)) {
        let place = record.name.rsplit_once('/').map_or("", |(place, _)| place).to_owned();
        if !seen.insert(place) && compared >= 40 {
            continue;
        }
        let head = &record.bytes[..record.bytes.len().min(40_000)];
        let Some(game) = pdn::games(head).nth(1) else { continue };
        let text = &head[game.offset()..][..game.tree().byte_len() as usize];
        let once = annotate(text, &["--nodes", "100", "--keep-evals", "--quiet"]);
        let cleaned = clean(&once.bytes);
        assert_eq!(canonical(&cleaned.bytes), canonical(text), "{}", record.name);
        compared += usize::from(once.text().contains("[%eval"));
    }
    assert!(compared > 10, "{compared} annotated games");
}
