//! The annotation of one game.

use std::collections::HashMap;

use super::lines::{LineMoves, best_lines, each_line, shortened};
use super::options::AnnotateOptions;
use super::scale::evaluation;
use super::searches::GameSearches;
use super::shots::shots_of;
use super::study::Study;
use super::words::{JudgedMove, OwnMove, drift, is_new, only_move};
use crate::board::Side;
use crate::egdb::{Databases, EndgameTables};
use crate::error::Error;
use crate::notation::Numbering;
use crate::records::{Annotation, EvaluatedLine, MoveNumbers, SentenceFacts};
use crate::replay::ReplayedGame;

/// Annotates the main line of a game, and its variations if the options request it.
///
/// The limit is a budget: the searches of a game cost at most as much as one of each position with this limit, though those of a
/// short game may cost up to 40. A quick search of each position comes first, from the last to the first; the rest is
/// spent where these values say that a move lost too much, and confirms marks. A forced move is not searched: its score follows
/// from that of the next position. The databases say in explanations which endgames are won or drawn.
///
/// # Errors
///
/// If the engine fails.
pub(super) fn annotate_lines(
    game: &ReplayedGame,
    options: &AnnotateOptions,
    databases: &Databases,
    searches: &mut GameSearches<'_, '_>,
) -> Result<Vec<Annotation>, Error> {
    let Some((variant, numbering)) = game.variant().zip(game.numbering()) else { return Ok(Vec::new()) };
    let tables = databases.tables(variant);
    let mut made =
        Annotating { options, tables: &tables, numbering, shots: options.finds_shots(), annotations: Vec::new() };
    let mut numbers = Some(MoveNumbers::of(game));
    each_line(game, options.variations, |line| {
        made.annotate(line, numbers.take().as_ref(), searches)?;
        // The main line comes first.
        (made.shots, searches.counts_moves) = (false, false);
        Ok::<(), Error>(())
    })?;
    Ok(made.annotations)
}

/// A game being annotated.
struct Annotating<'a> {
    options: &'a AnnotateOptions,
    tables: &'a EndgameTables,
    numbering: Numbering,
    /// True if shots are found in the next line.
    shots: bool,
    annotations: Vec<Annotation>,
}

impl Annotating<'_> {
    /// Annotates a line. With the numbers of moves, it also says where several of them together lost much.
    fn annotate(
        &mut self,
        line: &LineMoves,
        numbers: Option<&MoveNumbers>,
        searches: &mut GameSearches<'_, '_>,
    ) -> Result<(), Error> {
        let options = self.options;
        for (run, before) in line.runs() {
            // Only the selected part of a line is studied: each of its positions costs a search.
            let first = before + run[before..].iter().take_while(|ply| !options.includes_ply(ply.number)).count();
            let count = run[first..].iter().take_while(|ply| options.includes_ply(ply.number)).count();
            if count > 0 {
                let study = Study::of(&run[..first + count], first, searches, options)?;
                let start = self.annotations.len();
                self.add(&study, first + count == run.len(), searches)?;
                if let Some(numbers) = numbers {
                    self.add_drifts(&study, start, numbers);
                }
            }
        }
        Ok(())
    }

    /// Adds the annotations of the moves of a study; `is_end` is true if the record ends there.
    fn add(&mut self, study: &Study<'_>, is_end: bool, searches: &mut GameSearches<'_, '_>) -> Result<(), Error> {
        let shots = if self.shots { shots_of(study, is_end, (self.tables, self.numbering)) } else { Vec::new() };
        let mut shots = shots.into_iter().peekable();
        for n in study.range() {
            let ply = study.ply(n);
            let here: Vec<_> = std::iter::from_fn(|| shots.next_if(|shot| shot.at == n)).collect();
            // Their shots are taken out all the same, so that the next move gets its own.
            if !self.options.includes(ply.number, ply.before.turn()) {
                continue;
            }
            let lines = if self.options.lines > 1 { best_lines(study, n, searches)? } else { Vec::new() };
            let made = annotation(study, n, lines);
            let explained = made.judgement.map(|_| explain(study, n, self.tables, self.numbering));
            let earlier = || self.annotations.iter().map(Annotation::explanation);
            let is_new = |facts: &&SentenceFacts| is_new(facts, earlier());
            let of_shots = || here.iter().filter_map(|shot| shot.explanation.as_ref()).find(is_new).cloned();
            // In an ending that one side can only just hold, most of its moves are the only ones.
            let is_first = |facts: &SentenceFacts| earlier().rev().take(REPEATS).flatten().all(|last| last != facts);
            let of_tables = || only_move(&ply.before, &ply.played, self.tables).filter(is_first);
            // A move has one sentence: what it lost matters more than a shot.
            let explanation = explained.or_else(of_shots).or_else(of_tables);
            let shots = here.into_iter().map(|shot| shot.shot).collect();
            self.annotations.push(Annotation { shots, explanation, ..made });
        }
        Ok(())
    }

    /// Says where several moves of a side together lost as much as a mistake, after the last of them. The annotations from `start` on
    /// are those of the study.
    fn add_drifts(&mut self, study: &Study<'_>, start: usize, numbers: &MoveNumbers) {
        let plies: HashMap<_, _> = study.range().map(|n| (study.ply(n).node, study.ply(n))).collect();
        for side in Side::ALL {
            let mut own = Vec::new();
            for made in &mut self.annotations[start..] {
                let ply = plies[&made.node];
                if ply.before.turn() != side {
                    continue;
                }
                let (number, is_judged) = (numbers.number(made.node, side).value(), made.judgement.is_some());
                own.push(OwnMove { number, expectation: made.expectation, is_judged });
                if made.explanation.is_none()
                    && let Some(facts) = drift(&own, side)
                {
                    made.explanation = Some(facts);
                    own.clear();
                }
            }
        }
    }
}

/// Number of moves during which it is not said again that a move was the only one.
const REPEATS: usize = 8;

/// Returns what the n-th move of a study, a judged one, gave away.
fn explain(study: &Study<'_>, n: usize, tables: &EndgameTables, numbering: Numbering) -> SentenceFacts {
    let (ply, before, after, played) = (study.ply(n), study.value(n), study.value(n + 1), study.played_line(n));
    // In the middle of an exchange, the balance is meaningless.
    let base = (study.range().start..=n).rev().map(|n| &study.ply(n).before).find(|before| !before.can_capture());
    let judged = JudgedMove {
        base: base.unwrap_or(&ply.before),
        before: &ply.before,
        best: before.pv(),
        played: played.moves(),
        evaluations: [evaluation(before.score(), ply.before.turn()), evaluation(after.score(), ply.after.turn())],
        expectation: study.expectation(n),
        tables,
        numbering,
    };
    judged.explain()
}
/// Returns the annotation of the n-th move of a study.
fn annotation(study: &Study<'_>, n: usize, lines: Vec<EvaluatedLine>) -> Annotation {
    let (ply, before, after) = (study.ply(n), study.value(n), study.value(n + 1));
    let judgement = study.judgement(n);
    Annotation {
        judgement,
        // A move without a mark needs no better line.
        best_line: if judgement.is_some() { shortened(&ply.before, before.pv()) } else { Vec::new() },
        best_evaluation: evaluation(before.score(), ply.before.turn()),
        expectation: study.expectation(n),
        forced: study.is_forced(n),
        lines,
        ..Annotation::new(ply.node, evaluation(after.score(), ply.after.turn()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::progress::AnnotateStep;
    use crate::annotate::{EnginePool, GameAnnotator};
    use crate::board::Side;
    use crate::engine::{Analysis, EngineOptions, Limit, Score};
    use crate::link::{EngineError, EngineTurn, GameEngine};
    use crate::pdn::{Evaluation, LineId, games};
    use crate::records::{ExpectationCurve, Judgement, Phase};
    use crate::replay::{ReplayOptions, replay};
    use crate::rules::{Position, Variant};

    /// An engine that only analyses, with a function.
    struct Scripted<F>(F);

    impl<F: FnMut(&Position, Limit) -> Analysis + Send> GameEngine for Scripted<F> {
        fn analyse(
            &mut self,
            position: &Position,
            _: &[Position],
            limit: Limit,
            _: usize,
        ) -> Result<Analysis, EngineError> {
            Ok((self.0)(position, limit))
        }

        fn begin(&mut self, _: &Position, _: Side, _: Limit) -> Result<(), EngineError> {
            Err(EngineError::Exited)
        }

        fn play(&mut self, _: &Position, _: &[Position], _: Limit) -> Result<EngineTurn, EngineError> {
            Err(EngineError::Exited)
        }
    }

    /// Returns the judgement of the first move of a game by an engine that searches as this function says.
    fn judgement_by(
        game: &ReplayedGame,
        search: impl FnMut(&Position, Limit) -> Analysis + Send + 'static,
    ) -> Option<Judgement> {
        let pool = EnginePool::of_one(Variant::INTERNATIONAL, Scripted(search));
        let annotator = GameAnnotator::new(pool, AnnotateOptions::new(Limit::depth(1)));
        annotator.annotations(game).expect("scripted")[0].judgement
    }

    /// Returns the judgement of the first of two moves, with the scores of the positions after them for the sides to move.
    fn judged(after_first: i32, after_second: i32) -> Option<Judgement> {
        let tree = games(b"[GameType \"20\"]\n1. 32-28 19-23 *").next().expect("a game").into_tree();
        let game = replay(tree, &ReplayOptions::default());
        let ply = |n: usize| game.ply(game.tree().line(LineId::MAIN).nodes()[n]).expect("a played move");
        let after = |n| *ply(n).after().expect("a legal move");
        let known = [(after(0), after_first, ply(1).played().copied()), (after(1), after_second, None)];
        // All other positions are even.
        judgement_by(&game, move |position, _| {
            let known = known.iter().find(|(known, ..)| known == position);
            let (score, best) = known.map_or((0, None), |&(_, score, best)| (score, best));
            Analysis::new(Score::centi_men(score), vec![best.unwrap_or_else(|| position.legal_moves()[0])], 5, 100)
        })
    }

    #[test]
    fn a_mark_needs_a_search_of_the_position_after_the_move() {
        assert_eq!(judged(200, -200), Some(Judgement::Blunder));
        assert_eq!(judged(0, -200), None, "only the value of a later position is bad");
        assert_eq!(judged(200, 0), None, "the moves that followed lost nothing");
    }

    /// Returns the judgement of a move, with the scores of the position after it that the four limits give, and that of the
    /// position after the best move.
    fn judged_at(scores: [i32; 4], alternative: i32) -> Option<Judgement> {
        let tree = games(b"[GameType \"20\"]\n1. 32-28 *").next().expect("a game").into_tree();
        let game = replay(tree, &ReplayOptions::default());
        let played = game.ply(game.tree().line(LineId::MAIN).nodes()[0]).expect("a played move");
        let before = played.before().expect("a legal move");
        let after_best = before.play_unchecked(before.legal_moves().last().expect("a move"));
        let after_first = *played.after().expect("a legal move");
        judgement_by(&game, move |position, limit| {
            let depth = limit.depth.expect("a depth");
            let level = [1, 3, 4, 5].iter().position(|&of_level| of_level == depth).expect("a level");
            let score = match *position {
                position if position == after_first => scores[level],
                position if position == after_best => alternative,
                _ => 0,
            };
            let best = *position.legal_moves().last().expect("a move");
            Analysis::new(Score::centi_men(score), vec![best], depth, 100)
        })
    }

    #[test]
    fn better_searches_decide() {
        assert_eq!(judged_at([70, 70, 70, 70], 0), Some(Judgement::Inaccuracy));
        assert_eq!(judged_at([70, 70, 70, 70], 70), None, "the best move is as bad");
        assert_eq!(judged_at([70, 70, 70, 70], 10), Some(Judgement::Inaccuracy), "the mean of both losses");
        assert_eq!(judged_at([70, 70, 70, 0], 0), None, "the last search found no loss");
        assert_eq!(judged_at([70, 70, 0, 70], 0), None, "not looked at again");
        assert_eq!(judged_at([10, 70, 70, 70], 0), None, "not suspicious");
        assert_eq!(judged_at([120, 120, 0, 0], 0), None, "still in doubt");
        assert_eq!(judged_at([150, 150, 0, 0], 0), Some(Judgement::Blunder), "beyond doubt");
    }

    #[test]
    fn a_game_costs_at_most_its_limit() {
        let text = b"[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 33-28 23x32 4. 37x28 16-21 *";
        let moves = |text: &[u8]| replay(games(text).next().expect("a game").into_tree(), &ReplayOptions::default());
        let work = |game: &ReplayedGame| {
            let work = std::cell::Cell::new(0);
            let count = |step| {
                if let AnnotateStep::Search(cost) = step {
                    work.set(work.get() + cost);
                }
            };
            let (pool, options) =
                (EnginePool::built_in(EngineOptions::default()), AnnotateOptions::new(Limit::nodes(200)));
            let annotated = pool.lend(Variant::INTERNATIONAL, |lent| {
                let mut searches = GameSearches::new(lent, Vec::new(), false, &count);
                annotate_lines(game, &options, &Databases::embedded(), &mut searches)
            });
            assert!(annotated.is_ok());
            work.get()
        };
        assert!(work(&moves(text)) <= 200);
        let long =
            std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/games/international.pdn")).expect("a sample");
        for game in games(&long) {
            let game = replay(game.into_tree(), &ReplayOptions::default());
            let positions = game.main_moves().count() + 1;
            let budget = 5 * u32::try_from(positions.max(40)).expect("few moves");
            assert!(work(&game) <= budget, "{} of {budget}", work(&game));
        }
        let waits = "48-43 3-8 43-48 8-3 ".repeat(300);
        let game = moves(format!("[GameType \"20\"]\n[FEN \"W:WK48,31:BK3,16\"]\n{waits} *").as_bytes());
        assert_eq!(game.main_moves().count(), 1200);
        assert!((1201..=5 * 1201).contains(&work(&game)), "of all parts: {}", work(&game));
    }

    #[test]
    fn a_mark_needs_more_than_the_least_loss() {
        assert_eq!(AnnotateOptions::new(Limit::depth(1)).thresholds[0], 100);
        let least = (1..200).find(|&score| judged(score, -score).is_some()).expect("a mark");
        let curve = ExpectationCurve::of(Variant::INTERNATIONAL);
        let value = |score| curve.white(Phase::Opening, Evaluation::CentiMen(score));
        assert!(500 - value(-least) >= 150 && 500 - value(1 - least) < 150, "{least}");
    }
}
