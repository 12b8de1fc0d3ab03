//! Annotations replace those of an earlier run, and nothing else.

use std::fmt::Write as _;

use pdn::annotate::FormerAnnotations;
use pdn::board::Side;
use pdn::export::annotated_pdn;
use pdn::records::{Annotation, EvaluatedLine, Judgement, MoveShot, SentenceFacts};
use pdn::replay::{Ply, ReplayOptions, ReplayedGame, replay};
use pdn::rules::{Move, Position, Variant};
use pdn::{Evaluation, LineId, WriteOptions, games, write_game};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::read;
use crate::support::random::Dice;

/// What people and other programs write after a move.
#[rustfmt::skip]
const EXTRAS: &[&str] = &[
    "", "", "", "!?", "?!", " $6", " $2", " $14", " {good}", " {[%eval 0.50]}", " {good [%eval 0.50] move}", " {}",
    " {[%clk 0:01:30][%eval #-3]}", " {[%eval #0] [%eval x]}", " (1. 31-27 {deep} 19-23)", " (1. 31-27 {[%eval 0.10]})",
    " {[%pdn mark=6 line=0123abcd]}", " $6 {[%eval 0.10] [%pdn mark=6] and text}", " {[%pdn x]}", " stray",
    "\n% line [%eval 0.20]\n", "\n% line\n", " {[%eval", " {a} $4 {b [%pdn mark=4]} (prose)",
];

const ANNOTATORS: &[&str] =
    &["", "[Annotator \"Me\"]\n", "[Annotator \"Me; pdn 0.0.1 x; You\"]\n", "[Annotator \"?\"]\n"];

const VARIANTS: &[Variant] = &[Variant::INTERNATIONAL, Variant::RUSSIAN, Variant::ITALIAN, Variant::ENGLISH];

/// Returns a record of random moves, each with extras.
fn record(variant: Variant, annotator: &str, plies: &[(u16, usize, usize)]) -> String {
    let game_type = variant.game_type().expect("a numbered variant");
    let mut text = format!("{annotator}[GameType \"{game_type}\"]\n{{intro [%eval 0.10]}} ");
    let mut position = Position::start(variant);
    for (n, &(choice, first, second)) in plies.iter().enumerate() {
        let moves = position.legal_moves();
        let Some(played) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        let number = if n % 2 == 0 { format!("{}. ", n / 2 + 1) } else { String::new() };
        write!(text, "{number}{}{}{} ", position.short(played), EXTRAS[first], EXTRAS[second]).expect("memory");
        position = position.play_unchecked(played);
    }
    text + "* {tail [%eval 0.10]}"
}

/// Returns annotations of every move, in variations too, that depend only on the moves and a seed.
fn annotations(game: &ReplayedGame, seed: u64) -> Vec<Annotation> {
    let mut dice = Dice(seed | 1);
    let game = FormerAnnotations::lines(game).removed_from(game.clone());
    let mut made = Vec::new();
    let mut lines = vec![LineId::MAIN];
    while let Some(line) = lines.pop() {
        for &id in game.tree().line(line).nodes() {
            lines.extend(game.tree().variations(id));
            if let Some(before) = game.ply(id).filter(|ply| ply.played().is_some()).and_then(Ply::before) {
                made.push(annotation(Annotation::new(id, evaluation(&mut dice)), *before, &mut dice));
            }
        }
    }
    made
}

fn annotation(mut annotation: Annotation, before: Position, dice: &mut Dice) -> Annotation {
    let judgement = [None, None, Some(Judgement::Inaccuracy), Some(Judgement::Mistake), Some(Judgement::Blunder)];
    annotation.judgement = judgement[dice.below(5)];
    if annotation.judgement.is_some() {
        annotation.best_line = random_line(before, dice);
        annotation.best_evaluation = evaluation(dice);
    }
    if dice.below(3) == 0 {
        let best = EvaluatedLine::new(annotation.best_line.clone(), annotation.best_evaluation);
        let others = before.legal_moves().into_iter().take(dice.below(4)).map(|first| vec![first]);
        let others: Vec<_> = others.map(|line| EvaluatedLine::new(line, evaluation(dice))).collect();
        let best = Some(best).filter(|best| !best.moves().is_empty());
        annotation = annotation.with_lines(best.into_iter().chain(others).collect());
    }
    if dice.below(3) == 0 {
        let sentences = ["Loses a man: 18-22 27x18.", "Позволяет сопернику получить дамку.", "good", "x"];
        let sentence = sentences[dice.below(sentences.len())];
        annotation = annotation.with_sentence(SentenceFacts::read("loses|m1|18-22,27x18"), sentence.to_owned());
    }
    if dice.below(4) == 0 {
        let line = vec!["18-22".to_owned(), "27x18".to_owned()];
        annotation = annotation.with_shots(vec![MoveShot::new(Side::White, None, "missed".into(), line, 1)]);
    }
    annotation
}

fn evaluation(dice: &mut Dice) -> Evaluation {
    match dice.below(8) {
        0 => Evaluation::WhiteWins(dice.below(9) as u32),
        1 => Evaluation::BlackWins(dice.below(9) as u32),
        _ => Evaluation::CentiMen(dice.below(400) as i32 - 200),
    }
}

fn random_line(mut position: Position, dice: &mut Dice) -> Vec<Move> {
    let mut line = Vec::new();
    for _ in 0..=dice.below(14) {
        let moves = position.legal_moves();
        let Some(&step) = moves.get(dice.below(moves.len())) else { break };
        line.push(step);
        position = position.play_unchecked(&step);
    }
    line
}

fn only(text: &str) -> ReplayedGame {
    let mut found = games(text.as_bytes());
    let game = found.next().expect("a game");
    assert!(found.next().is_none(), "one game: {text}");
    replay(game.into_tree(), &ReplayOptions::default())
}

/// Annotates a record as the command does.
fn annotated(text: &str, seed: u64, keeps: bool) -> String {
    let game = only(text);
    let mut made = annotations(&game, seed);
    let game = FormerAnnotations::of_moves(&game, &mut made, keeps).removed_from(game);
    annotated_pdn(&game, &made, &format!("pdn 0.1.0 seed {seed} variations"))
}

/// Returns what is not ours in a record, as text without the tag of annotators.
fn others(text: &str) -> String {
    let game = only(text);
    let mut made = annotations(&game, 1);
    flat(&FormerAnnotations::of_moves(&game, &mut made, false).removed_from(game))
}

/// Returns what is left of a record without what runs added, as text without the tag of annotators.
fn cleaned(text: &str) -> String {
    let game = only(text);
    flat(&FormerAnnotations::all(&game).removed_from(game))
}

/// Returns what is neither ours nor replaced by a run, as text without the tag of annotators.
fn bare(text: &str) -> String {
    let game = only(text);
    let game = FormerAnnotations::all(&game).removed_from(game);
    let mut made = annotations(&game, 1);
    flat(&FormerAnnotations::of_moves(&game, &mut made, false).removed_from(game))
}

fn flat(game: &ReplayedGame) -> String {
    let written = write_game(game.tree(), WriteOptions::default());
    // Line breaks may change, also within stray text.
    let lines = written.lines().filter(|line| !line.starts_with("[Annotator"));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, rng_seed: RngSeed::Fixed(11), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn annotations_replace_earlier_ones_and_nothing_else(
        variant in prop::sample::select(VARIANTS),
        annotator in prop::sample::select(ANNOTATORS),
        plies in prop::collection::vec((any::<u16>(), 0..EXTRAS.len(), 0..EXTRAS.len()), 0..40),
        seeds in (any::<u64>(), any::<u64>()),
    ) {
        let text = record(variant, annotator, &plies);
        for keeps in [false, true] {
            let once = annotated(&text, seeds.0, keeps);
            prop_assert_eq!(&annotated(&once, seeds.0, keeps), &once, "twice, kept: {}\n{}", keeps, text);
            prop_assert_eq!(others(&once), others(&text));
        }
        let once = annotated(&text, seeds.0, false);
        let direct = annotated(&text, seeds.1, false);
        // Stray words on both sides of a comment that is removed are one afterwards, and lines are broken elsewhere.
        let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let again = annotated(&once, seeds.1, false);
        prop_assert_eq!(words(again), words(direct), "other limits\n{}", text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, rng_seed: RngSeed::Fixed(12), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cleaning_removes_what_was_added_and_nothing_else(
        variant in prop::sample::select(VARIANTS),
        annotator in prop::sample::select(&["", "[Annotator \"Me; You\"]\n"][..]),
        plies in prop::collection::vec((any::<u16>(), 0..EXTRAS.len(), 0..EXTRAS.len()), 0..40),
        seeds in (any::<u64>(), any::<u64>()),
    ) {
        let text = record(variant, annotator, &plies);
        let kept = annotated(&text, seeds.0, true);
        prop_assert_eq!(cleaned(&kept), cleaned(&text), "{}\n{}", text, kept);
        let again = annotated(&kept, seeds.1, true);
        prop_assert_eq!(cleaned(&again), cleaned(&text), "{}\n{}\n{}", text, kept, again);
        // Evaluations of the record are replaced.
        let once = annotated(&text, seeds.0, false);
        prop_assert_eq!(cleaned(&once), bare(&text), "{}\n{}", text, once);
    }
}

/// Annotates a game of two moves, the second one judged with a best line.
fn judged(text: &str, judgement: Judgement, evaluation: i32) -> String {
    let game = only(text);
    let ids: Vec<_> = game.main_moves().collect();
    let mut made: Vec<_> = ids.iter().map(|&id| Annotation::new(id, Evaluation::CentiMen(evaluation))).collect();
    let before = *game.ply(ids[1]).and_then(Ply::before).expect("a position");
    made[1].judgement = Some(judgement);
    made[1].best_line = vec![before.legal_moves()[0]];
    let game = FormerAnnotations::of_moves(&game, &mut made, false).removed_from(game);
    let text = annotated_pdn(&game, &made, "pdn 0.1.0 x");
    text.lines().skip_while(|line| line.starts_with('[') || line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[test]
fn marks_evaluations_and_lines_are_replaced_in_place() {
    let text = "[GameType \"20\"]\n1. 32-28 {a} 20-25 $14 {b [%eval 0.50] c} (1... 19-23) *";
    let once = judged(text, Judgement::Mistake, 3);
    assert_eq!(
        once,
        "1. 32-28 {[%eval 0.03]} {a} 20-25 $2 {[%eval 0.03] [%pdn mark=2 line=e2b8136a]} $14 {b c} \
         (1... 19-23) (1... 16-21 {[%eval 0.03]}) *"
    );
    let again = judged(&format!("[GameType \"20\"]\n{once}"), Judgement::Blunder, 9);
    assert!(again.starts_with("1. 32-28 {[%eval 0.09]} {a} 20-25 $4 {[%eval 0.09] [%pdn mark=4 line="), "{again}");
    assert!(again.ends_with("]} $14 {b c} (1... 19-23) (1... 16-21 {[%eval 0.09]}) *"), "{again}");
}

#[test]
fn what_a_person_edited_stays() {
    let once = judged("[GameType \"20\"]\n1. 32-28 20-25 *", Judgement::Mistake, 3);
    let edited = |from: &str, to: &str| {
        let text = format!("[GameType \"20\"]\n{}", once.replace(from, to));
        assert!(once.contains(from), "{once}");
        judged(&text, Judgement::Inaccuracy, 3)
    };
    let line = "(1... 16-21 {[%eval 0.03]})";
    for changed in [
        "(1... 16-21 {[%eval 0.03] better})",
        "(1... 16-21 $1 {[%eval 0.03]})",
        "(1... 16-21! {[%eval 0.03]})",
        "(1... 16-21 {[%eval 0.03]} 2. 31-26)",
        "(1... 16-21 {[%eval 0.04]})",
        "(1... 17-21 {[%eval 0.03]})",
        "(1... 16-21 {[%eval 0.03]} (1... 17-21))",
    ] {
        let again = edited(line, changed);
        assert!(again.contains(&format!("{changed} {line}")), "{again}");
    }
    assert!(edited("$2 {", "$3 {").contains("20-25 $6 {[%eval 0.03] [%pdn mark=6 line="));
    assert!(edited("$2 {", "$3 {").contains("]} $3 (1..."), "another mark is someone else's");
    assert!(edited(" [%pdn mark=2", " so so [%pdn mark=2").contains("]} {so so} (1... 16-21 {[%eval 0.03]}) *"));
    assert!(edited(line, "").ends_with(&format!("{line} *")), "a deleted line is written again");
}

#[test]
fn a_mark_that_the_move_has_is_not_repeated() {
    for mark in ["?", " $2"] {
        let text = format!("[GameType \"20\"]\n1. 32-28 20-25{mark} *");
        let once = judged(&text, Judgement::Mistake, 3);
        assert!(
            once.contains("[%pdn line=") && once.replace(' ', "").matches("$2").count() == usize::from(mark != "?")
        );
        assert_eq!(judged(&format!("[GameType \"20\"]\n{once}"), Judgement::Mistake, 3), once);
        let other = judged(&format!("[GameType \"20\"]\n{once}"), Judgement::Blunder, 3);
        assert!(other.contains("$4 {[%eval 0.03] [%pdn mark=4 line="), "{other}");
    }
}

#[test]
fn games_without_annotations_are_unchanged() {
    let text = "[Annotator \"Me; pdn 0.1.0 x\"]\n[GameType \"20\"]\n\n1. 32-28 $2 {[%eval 0.03] [%pdn mark=2]} *\n";
    let game = read(text.as_bytes()).remove(0);
    let game = FormerAnnotations::of_moves(&game, &mut [], false).removed_from(game);
    assert_eq!(annotated_pdn(&game, &[], "pdn 0.1.0 y"), text);
}

#[test]
fn many_signatures_and_variations_take_linear_time() {
    let lines = " line=0123abcd".repeat(60_000);
    let extras = " $6 {[%pdn mark=6 line=0123abcd]} (1. 31-27 {[%eval 0.10]})".repeat(9_000);
    let text = format!("[GameType \"20\"]\n1. 32-28 {{[%pdn{lines}]}}{extras} *");
    let game = only(&text);
    let mut made: Vec<_> = game.main_moves().map(|id| Annotation::new(id, Evaluation::CentiMen(3))).collect();
    let game = FormerAnnotations::of_moves(&game, &mut made, false).removed_from(game);
    let once = annotated_pdn(&game, &made, "pdn 0.1.0 x");
    assert_eq!(once.matches("(1. 31-27").count(), 9_000);
}
