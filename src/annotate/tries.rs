//! The moves of a position that a pupil may try, and what answers them.

use super::engines::EnginePool;
use super::puzzle::expectation;
use crate::engine::{EngineOptions, Limit, ScoredLine};
use crate::rules::{Move, Position};

/// Nodes of the search for each move. A shot of four moves takes fewer.
const NODES: u64 = 3_000;

/// Maximum length of an answer, in plies.
const MAX_PLIES: usize = 9;

/// Searches the moves of positions with the built-in engine.
#[derive(Debug)]
pub(crate) struct Tries(EnginePool);

impl Tries {
    /// Returns a search with engines that have these options.
    pub(crate) fn new(engine: EngineOptions) -> Self {
        Self(EnginePool::built_in(engine))
    }

    /// Returns a line for each move of a position: the move, the best answer, and the captures that follow it; and the points that the
    /// side to move can then expect, in thousandths.
    pub(crate) fn lines(&self, position: &Position) -> Vec<(Vec<Move>, u16)> {
        let moves = position.legal_moves().len();
        let found = self.0.lend(position.variant(), |engine| {
            let engine = engine.get()?;
            engine.forget();
            let analysis = engine.analyse(position, &[], Limit::nodes(NODES * moves as u64), moves)?;
            let mut found = Vec::new();
            for line in analysis.lines() {
                let mut tried = line.moves().to_vec();
                let after =
                    tried.first().map(|step| position.play_unchecked(step)).filter(|after| after.winner().is_none());
                // A line of a worse move may end at once, with what an earlier search found behind it.
                if let (Some(after), 1) = (after, tried.len()) {
                    let answer = engine.analyse(&after, &[], Limit::nodes(NODES), 1)?;
                    tried.extend(answer.lines().flat_map(ScoredLine::moves));
                }
                found.push((until_quiet(position, &tried), expectation(position, line.score())));
            }
            Ok(found)
        });
        // The built-in engine fails only if there is no memory for its table. Then no move has an answer.
        found.unwrap_or_default()
    }
}

/// Returns the first two moves of a line and the captures after them.
fn until_quiet(position: &Position, line: &[Move]) -> Vec<Move> {
    let mut position = *position;
    let mut kept = Vec::new();
    for step in line.iter().take(MAX_PLIES) {
        if kept.len() > 1 && !position.can_capture() {
            break;
        }
        kept.push(*step);
        position = position.play_unchecked(step);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn every_move_has_an_answer_that_shows_what_it_loses() {
        let position = Position::from_fen(Variant::INTERNATIONAL, "W:W32,37,41:B14,21,23").expect("a position");
        let lines = Tries::new(EngineOptions::default()).lines(&position);
        assert_eq!(lines.len(), position.legal_moves().len());
        let texts: Vec<_> = lines.iter().map(|(line, points)| (position.short_line(line).join(" "), *points)).collect();
        let best = texts.iter().max_by_key(|(_, points)| *points).expect("a move");
        assert!(best.0.starts_with("32-27 21x32 37x10"), "{texts:?}");
        let loses = texts.iter().find(|(line, _)| line.starts_with("32-28")).expect("a legal move");
        assert!(loses.0.starts_with("32-28 23x32 37x28") && loses.1 < best.1, "{texts:?}");
    }
}
