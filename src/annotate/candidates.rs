//! The best moves of a position of a game, each with its line.

use super::analyst::Analyst;
use super::evaluation::evaluation;
use super::line::shortened;
use super::study::Study;
use crate::engine::ScoredLine;
use crate::error::Error;
use crate::records::EvaluatedLine;

/// Returns the best lines from the position before the n-th move of a study, the best first.
///
/// They agree with what the study found: the best move and the move that was played have its values, and no other line is better
/// than the best one. A position with a single move has one line and is not searched.
pub(super) fn candidates(study: &Study<'_>, n: usize, analyst: &mut dyn Analyst) -> Result<Vec<EvaluatedLine>, Error> {
    let best = ScoredLine::new(study.value(n).score(), study.value(n).pv().to_vec());
    let mut lines = vec![best];
    if !study.is_forced(n) {
        lines.push(study.played_line(n));
        let found = study.ask_for_lines(n, analyst)?;
        let limited = |line: &ScoredLine| ScoredLine::new(line.score().min(lines[0].score()), line.moves().to_vec());
        let found: Vec<_> = found.lines().map(limited).collect();
        lines.extend(found);
    }
    let before = &study.ply(n).before;
    let lines = distinct(lines).into_iter().take(study.options().lines());
    let evaluated =
        |line: ScoredLine| EvaluatedLine::new(shortened(before, line.moves()), evaluation(line.score(), before.turn()));
    Ok(lines.map(evaluated).collect())
}

/// Returns the lines that begin with different moves, of those with the same one the first, the best line first.
fn distinct(lines: Vec<ScoredLine>) -> Vec<ScoredLine> {
    let mut kept: Vec<ScoredLine> = Vec::with_capacity(lines.len());
    for line in lines {
        if !line.moves().is_empty() && kept.iter().all(|other| other.moves()[0] != line.moves()[0]) {
            kept.push(line);
        }
    }
    kept.sort_by_key(|line| std::cmp::Reverse(line.score()));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Score;
    use crate::rules::{Position, Variant};

    #[test]
    fn each_move_has_one_line_and_the_best_is_first() {
        let moves = Position::start(Variant::INTERNATIONAL).legal_moves();
        let line = |score, n: usize| ScoredLine::new(Score::centi_men(score), vec![moves[n]]);
        let none = ScoredLine::new(Score::DRAW, Vec::new());
        let lines = vec![line(5, 0), line(-9, 1), line(5, 1), line(3, 2), none, line(5, 3)];
        assert_eq!(distinct(lines), [line(5, 0), line(5, 3), line(3, 2), line(-9, 1)]);
    }
}
