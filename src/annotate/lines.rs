//! Lines of moves: those of a game, as runs of consecutive moves, and the best lines that annotations show.

use super::scale::evaluation;
use super::searches::{GameSearches, MAX_HISTORY};
use super::study::{Ply, Study};
use crate::engine::ScoredLine;
use crate::error::Error;
use crate::pdn::{Attachment, LineId, MAX_EXPORT_DEPTH, NodeId};
use crate::records::EvaluatedLine;
use crate::replay::ReplayedGame;
use crate::rules::{Move, Position};
use crate::shots::balance;

/// Maximum length of a best line, in plies.
pub(super) const MAX_PLIES: usize = 24;

/// Minimum length of a line that is cut, in plies: enough to see the idea, or the position after the gain.
const LEAST_PLIES: usize = 6;

/// A line of a game with the moves that lead to it.
pub(super) struct LineMoves {
    /// The moves that could be played: those before the line, then its own.
    plies: Vec<Ply>,
    /// The number of moves before the line; only those that matter for draws by repetition are kept.
    before: usize,
}

impl LineMoves {
    /// Returns the moves of the line.
    pub(super) fn own(&self) -> &[Ply] {
        &self.plies[self.before..]
    }

    /// Returns the runs of consecutive moves of the line, each with the number of moves in it that come before the line.
    pub(super) fn runs(&self) -> impl Iterator<Item = (&[Ply], usize)> {
        let mut end = 0;
        // A setup or a move that could not be played begins another run.
        self.plies.chunk_by(|a, b| a.after == b.before).filter_map(move |run| {
            let start = end;
            end += run.len();
            (end > self.before).then(|| (run, self.before.saturating_sub(start)))
        })
    }
}

/// Calls `visit` with the main line and, if wanted, with all variations that are not nested too deeply. A line comes before
/// its variations.
pub(super) fn each_line<E>(
    game: &ReplayedGame,
    variations: bool,
    mut visit: impl FnMut(&LineMoves) -> Result<(), E>,
) -> Result<(), E> {
    visit_line(game, &[], LineId::MAIN, if variations { MAX_EXPORT_DEPTH } else { 0 }, &mut visit)
}

fn visit_line<E>(
    game: &ReplayedGame,
    before: &[Ply],
    line: LineId,
    depth: u32,
    visit: &mut impl FnMut(&LineMoves) -> Result<(), E>,
) -> Result<(), E> {
    let own = game.tree().line(line).nodes().iter().filter_map(|&node| played(game, node));
    let moves = LineMoves { plies: before.iter().copied().chain(own).collect(), before: before.len() };
    visit(&moves)?;
    if depth == 0 {
        return Ok(());
    }
    let line = game.tree().line(line);
    let mut reached = before.len();
    for variation in line.intro().iter().filter_map(Attachment::variation) {
        visit_line(game, before, variation, depth - 1, visit)?;
    }
    for &node in line.nodes() {
        for variation in game.tree().node(node).attachments().iter().filter_map(Attachment::variation) {
            // No question needs older positions, and copying all of them for each variation would take quadratic space.
            let oldest = reached.saturating_sub(MAX_HISTORY);
            visit_line(game, &moves.plies[oldest..reached], variation, depth - 1, visit)?;
        }
        reached += usize::from(played(game, node).is_some());
    }
    Ok(())
}

fn played(game: &ReplayedGame, node: NodeId) -> Option<Ply> {
    let ply = game.ply(node)?;
    let (before, played, after) = (*ply.before()?, *ply.played()?, *ply.after()?);
    Some(Ply { node, number: ply.number(), before, played, after })
}

/// Returns the best lines from the position before the n-th move of a study, the best first.
///
/// They agree with what the study found: the best move and the move that was played have the values found there, and no
/// other line is better than the best one. A position with a single move has one line and is not searched.
pub(super) fn best_lines(
    study: &Study<'_>,
    n: usize,
    searches: &mut GameSearches<'_, '_>,
) -> Result<Vec<EvaluatedLine>, Error> {
    let best = ScoredLine::new(study.value(n).score(), study.value(n).pv().to_vec());
    let mut lines = vec![best];
    if !study.is_forced(n) {
        // Before the lines found below: of two lines with the same first move the earlier is kept, and the study
        // searched deeper than the search for several lines.
        lines.push(study.played_line(n));
        let found = study.search_lines(n, searches)?;
        // A shallower search may value another move above the best one.
        let limited = |line: &ScoredLine| ScoredLine::new(line.score().min(lines[0].score()), line.moves().to_vec());
        let found: Vec<_> = found.lines().map(limited).collect();
        lines.extend(found);
    }
    let before = &study.ply(n).before;
    let lines = distinct(lines).into_iter().take(study.options.lines as usize);
    let evaluated =
        |line: ScoredLine| EvaluatedLine::new(shortened(before, line.moves()), evaluation(line.score(), before.turn()));
    Ok(lines.map(evaluated).collect())
}

/// Keeps one line for each first move, the first of those given, and sorts the best line first.
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

/// Returns the part of a best line that shows why it is the best: to the first quiet position after six plies in which the side
/// that moves has gained material, or to the end of the game; a line that gains nothing ends at the first such position.
pub(super) fn shortened(before: &Position, line: &[Move]) -> Vec<Move> {
    let side = before.turn();
    let start = balance(before, side);
    let (mut position, mut quiet_end) = (*before, None);
    for (n, step) in line.iter().enumerate().take(MAX_PLIES) {
        position = position.play_unchecked(step);
        // In the middle of an exchange, the balance is meaningless.
        if n + 1 < LEAST_PLIES || position.can_capture() {
            continue;
        }
        if balance(&position, side) > start {
            return line[..=n].to_vec();
        }
        quiet_end.get_or_insert(n + 1);
    }
    let is_over = line.len() <= MAX_PLIES && position.winner().is_some();
    let end = if is_over { line.len() } else { quiet_end.unwrap_or(line.len().min(MAX_PLIES)) };
    line[..end].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Score;
    use crate::rules::{Variant, line_moves};

    #[test]
    fn each_move_has_one_line_and_the_best_is_first() {
        let moves = Position::start(Variant::INTERNATIONAL).legal_moves();
        let line = |score, n: usize| ScoredLine::new(Score::centi_men(score), vec![moves[n]]);
        let none = ScoredLine::new(Score::DRAW, Vec::new());
        let lines = vec![line(5, 0), line(-9, 1), line(5, 1), line(3, 2), none, line(5, 3)];
        assert_eq!(distinct(lines), [line(5, 0), line(5, 3), line(3, 2), line(-9, 1)]);
    }

    #[test]
    fn lines_end_after_the_gain() {
        let position = Position::from_fen(Variant::INTERNATIONAL, "W:W28,40,48:B22,3").expect("a position");
        let line = line_moves(position, &[0; 9]).expect("legal moves");
        assert_eq!(shortened(&position, &line), line[..6], "the capture gains a man");
        assert_eq!(shortened(&position, &line[..4]), line[..4], "nothing more is known");
    }

    #[test]
    fn lines_without_a_gain_are_short() {
        let start = Position::start(Variant::INTERNATIONAL);
        let line = line_moves(start, &[0; 12]).expect("legal moves");
        assert!(shortened(&start, &line).len() >= LEAST_PLIES);
        assert_eq!(shortened(&start, &line[..3]), line[..3]);
    }
}
