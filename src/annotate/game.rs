//! The annotation of one game.

use super::analyst::{Analyst, RememberingAnalyst};
use super::lines::{LineMoves, candidates, each_line, shortened};
use super::options::AnnotateOptions;
use super::progress::AnnotateStep;
use super::scale::evaluation;
use super::shots::shots_of;
use super::study::Study;
use super::words::Moment;
use crate::egdb::EndgameTables;
use crate::error::Error;
use crate::notation::Numbering;
use crate::records::{Annotation, EvaluatedLine, SentenceFacts};
use crate::replay::ReplayedGame;

/// Annotates the main line of a game, and its variations if the options request it.
///
/// Each position is analysed. Where its evaluation and that of the next position disagree so much that the move between
/// them may be bad, both are analysed again with a higher limit, and so is the position after the best move. A move
/// that may still lose something is searched again, and one that is about to be marked once more, with still higher
/// limits. A judgement always compares two such searches. A forced move is not searched: its score follows from that of
/// the next position. `progress` is called after each search, and after each move of the main line.
///
/// # Errors
///
/// If the analyst fails.
pub fn annotate(
    game: &ReplayedGame,
    analyst: &mut dyn Analyst,
    options: &AnnotateOptions,
    progress: &dyn Fn(AnnotateStep),
) -> Result<Vec<Annotation>, Error> {
    let Some(numbering) = game.numbering() else { return Ok(Vec::new()) };
    let mut work = Work { numbering, shots: options.shots, annotations: Vec::new() };
    if !options.has_variations() {
        each_line(game, false, |line| work.annotate(line, analyst, options, progress))?;
        return Ok(work.annotations);
    }
    // Variations begin with positions that were analysed before.
    let mut analyst = RememberingAnalyst::new(analyst);
    let of_variation = |step| {
        if step != AnnotateStep::Move {
            progress(step);
        }
    };
    let mut is_main = true;
    each_line(game, true, |line| {
        work.shots = options.shots && is_main;
        let progress = if std::mem::take(&mut is_main) { progress } else { &of_variation };
        work.annotate(line, &mut analyst, options, progress)
    })?;
    Ok(work.annotations)
}

/// A game being annotated.
struct Work {
    numbering: Numbering,
    /// True if shots are found in the next line.
    shots: bool,
    annotations: Vec<Annotation>,
}

impl Work {
    fn annotate(
        &mut self,
        line: &LineMoves,
        analyst: &mut dyn Analyst,
        options: &AnnotateOptions,
        progress: &dyn Fn(AnnotateStep),
    ) -> Result<(), Error> {
        for (run, before) in line.runs() {
            // Only the selected part of a line is studied: each of its positions costs a search.
            let first = before + run[before..].iter().take_while(|ply| !options.includes_ply(ply.number)).count();
            let count = run[first..].iter().take_while(|ply| options.includes_ply(ply.number)).count();
            if count == 0 {
                continue;
            }
            let study = Study::of(&run[..first + count], first, analyst, options, progress)?;
            let is_end = first + count == run.len();
            let range = if self.shots { first..first + count } else { first..first };
            let mut shots = shots_of(&study, range, is_end, self.numbering).into_iter().peekable();
            let tables = options.databases.tables(run[first].before.variant());
            for (n, ply) in run.iter().enumerate().take(first + count).skip(first) {
                let here: Vec<_> = std::iter::from_fn(|| shots.next_if(|shot| shot.at == n)).collect();
                if !options.includes(ply.number, ply.before.turn()) {
                    continue;
                }
                let lines = if options.lines() > 1 { candidates(&study, n, analyst)? } else { Vec::new() };
                let made = annotation(&study, n, lines);
                let explained = made.judgement.map(|_| explain(&study, n, &tables, self.numbering));
                let explanation = explained.or_else(|| here.iter().find_map(|shot| shot.explanation.clone()));
                self.annotations.push(Annotation {
                    explanation,
                    shots: here.into_iter().map(|shot| shot.shot).collect(),
                    ..made
                });
            }
        }
        Ok(())
    }
}

/// Returns what the n-th move of a study, a judged one, gave away.
fn explain(study: &Study<'_>, n: usize, tables: &EndgameTables, numbering: Numbering) -> SentenceFacts {
    let (ply, before, after, played) = (study.ply(n), study.value(n), study.value(n + 1), study.played_line(n));
    let base = (study.first()..=n).rev().map(|n| &study.ply(n).before).find(|before| !before.can_capture());
    let moment = Moment {
        base: base.unwrap_or(&ply.before),
        before: &ply.before,
        best: before.pv(),
        played: played.moves(),
        evaluations: [evaluation(before.score(), ply.before.turn()), evaluation(after.score(), ply.after.turn())],
        tables,
        numbering,
    };
    moment.explain()
}

/// Returns the annotation of the n-th move of a study.
fn annotation(study: &Study<'_>, n: usize, lines: Vec<EvaluatedLine>) -> Annotation {
    let (ply, before, after) = (study.ply(n), study.value(n), study.value(n + 1));
    let judgement = study.judgement(n);
    Annotation {
        node: ply.node,
        evaluation: evaluation(after.score(), ply.after.turn()),
        judgement,
        // A move without a mark needs no better line.
        best_line: if judgement.is_some() { shortened(&ply.before, before.pv()) } else { Vec::new() },
        best_evaluation: evaluation(before.score(), ply.before.turn()),
        expectation: study.expectation(n),
        forced: study.is_forced(n),
        lines,
        shots: Vec::new(),
        explanation: None,
        sentence: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::AnalystQuestion;
    use crate::engine::{Analysis, Limit, Score};
    use crate::pdn::{Evaluation, LineId, games};
    use crate::records::{ExpectationCurve, Judgement, Phase};
    use crate::replay::{ReplayOptions, replay};
    use crate::rules::{Move, Position, Variant};

    /// Knows the scores and best moves of positions of a game, and scores all others as even.
    struct Scripted {
        known: Vec<(Position, i32, Option<Move>)>,
    }

    impl Analyst for Scripted {
        fn analyse(&mut self, question: &AnalystQuestion<'_>) -> Result<Analysis, Error> {
            let known = self.known.iter().find(|(position, ..)| position == question.position());
            let (score, best) = known.map_or((0, None), |&(_, score, best)| (score, best));
            let best = best.unwrap_or_else(|| question.position().legal_moves()[0]);
            Ok(Analysis::new(Score::centi_men(score), vec![best], 5, 100))
        }
    }

    /// Returns the judgement of the first of two moves, with the scores of the positions after them for the sides to move.
    fn judged(after_first: i32, after_second: i32) -> Option<Judgement> {
        let tree = games(b"[GameType \"20\"]\n1. 32-28 19-23 *").next().expect("a game").into_tree();
        let game = replay(tree, &ReplayOptions::default());
        let ply = |n: usize| game.ply(game.tree().line(LineId::MAIN).nodes()[n]).expect("a played move");
        let after = |n| *ply(n).after().expect("a legal move");
        let known = vec![(after(0), after_first, ply(1).played().copied()), (after(1), after_second, None)];
        let mut analyst = Scripted { known };
        let options = AnnotateOptions::new(Limit::depth(1));
        annotate(&game, &mut analyst, &options, &|_| {}).expect("scripted")[0].judgement
    }

    #[test]
    fn a_mark_needs_a_search_of_the_position_after_the_move() {
        assert_eq!(judged(200, -200), Some(Judgement::Blunder));
        assert_eq!(judged(0, -200), None, "only the value of a later position is bad");
        assert_eq!(judged(200, 0), None, "the moves that followed lost nothing");
    }

    /// Finds a score in the position after the first move that depends on the depth, and scores all others as even.
    struct Deepening {
        after_first: Position,
        scores: [(u32, i32); 4],
    }

    impl Analyst for Deepening {
        fn analyse(&mut self, question: &AnalystQuestion<'_>) -> Result<Analysis, Error> {
            let depth = question.limit().depth.expect("a depth");
            let found = self.scores.iter().rfind(|&&(least, _)| least <= depth).map_or(0, |&(_, score)| score);
            let score = if *question.position() == self.after_first { found } else { 0 };
            let best = *question.position().legal_moves().last().expect("a move");
            Ok(Analysis::new(Score::centi_men(score), vec![best], depth, 100))
        }
    }

    /// Returns the judgement of a move, with the scores of the position after it that the four limits give.
    fn judged_at([first, second, third, fourth]: [i32; 4]) -> Option<Judgement> {
        let tree = games(b"[GameType \"20\"]\n1. 32-28 *").next().expect("a game").into_tree();
        let game = replay(tree, &ReplayOptions::default());
        let played = game.ply(game.tree().line(LineId::MAIN).nodes()[0]).expect("a played move");
        let options = AnnotateOptions::new(Limit::depth(1));
        let deepest = options.confirming_limit().depth.expect("a depth");
        let scores = [(1, first), (2, second), (deepest - 3, third), (deepest, fourth)];
        let mut analyst = Deepening { after_first: *played.after().expect("a legal move"), scores };
        annotate(&game, &mut analyst, &options, &|_| {}).expect("scripted")[0].judgement
    }

    #[test]
    fn the_last_searches_decide() {
        assert_eq!(judged_at([100, 100, 100, 100]), Some(Judgement::Blunder));
        assert_eq!(judged_at([30, 30, 200, 200]), Some(Judgement::Blunder), "a second search found less");
        assert_eq!(judged_at([100, 100, 100, 60]), Some(Judgement::Inaccuracy), "the last search found less");
        assert_eq!(judged_at([100, 100, 60, 100]), Some(Judgement::Inaccuracy), "the last search but one found less");
        assert_eq!(
            judged_at([100, 100, 100, 45]),
            Some(Judgement::Inaccuracy),
            "too little for a mark, but the mean is enough"
        );
        assert_eq!(judged_at([55, 55, 55, 40]), None, "the mean is not enough");
        assert_eq!(judged_at([100, 100, 100, 0]), None);
        assert_eq!(judged_at([100, 0, 100, 100]), None, "not looked at again");
        assert_eq!(judged_at([200, 200, 200, 0]), Some(Judgement::Blunder), "beyond doubt, without a last search");
        assert_eq!(judged_at([200, 100, 200, 60]), Some(Judgement::Inaccuracy), "the second search leaves a doubt");
    }

    #[test]
    fn a_mark_needs_more_than_the_least_loss() {
        assert_eq!(AnnotateOptions::new(Limit::depth(1)).scale().thresholds()[0], 100);
        let least = (1..200).find(|&score| judged(score, -score).is_some()).expect("a mark");
        let curve = ExpectationCurve::of(Variant::INTERNATIONAL);
        let value = |score| curve.white(Phase::Opening, Evaluation::CentiMen(score));
        assert!(500 - value(-least) >= 130 && 500 - value(1 - least) < 130, "{least}");
    }
}
