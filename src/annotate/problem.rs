//! Problems: positions with one right move, and the soundness of their solutions.

use serde::Serialize;

use super::prover::{Proof, Prover};
use crate::board::Side;
use crate::rules::{Move, Position};

/// The goal of the side to move in a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Aim {
    /// A win.
    Win,
    /// At least a draw.
    Draw,
}

/// The soundness of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is proven that the solution reaches the goal, and that no other move of the solver does.
    Sound,
    /// Something could not be proven within the limit.
    Unsolved,
    /// Another move after the first one reaches the goal too.
    Dual,
    /// Another first move reaches the goal too.
    Cook,
    /// It is proven that the solution does not reach the goal.
    Refuted,
}

/// A move of the solver and what is proven about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverMove {
    position: Position,
    ply: usize,
    reaches: Option<bool>,
    others: Vec<Move>,
    unknown: usize,
}

impl SolverMove {
    /// Returns the position before the move.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the number of the move in the solution, from 1, both sides' moves.
    pub const fn ply(&self) -> usize {
        self.ply
    }

    /// Returns true if it is proven that the move reaches the goal, false if it is proven that it does not.
    pub(crate) const fn reaches(&self) -> Option<bool> {
        self.reaches
    }

    /// Returns the other moves that reach the goal.
    pub fn others(&self) -> &[Move] {
        &self.others
    }

    /// Returns the number of other moves about which nothing is proven.
    pub(crate) const fn unknown(&self) -> usize {
        self.unknown
    }
}

impl Aim {
    /// Returns true if it is proven that a move of a position reaches the goal, false if it is proven that it does not.
    pub(crate) fn is_reached(self, position: &Position, played: &Move, prover: &Prover) -> Option<bool> {
        let (side, after) = (position.turn(), position.play_unchecked(played));
        // A draw is reached if the other side does not win.
        let winner = if self == Self::Win { side } else { !side };
        match prover.wins(&after, winner) {
            Proof::Win => Some(self == Self::Win),
            Proof::NoWin => Some(self == Self::Draw),
            Proof::Unknown => None,
        }
    }
}

/// Examines each move of the solver in the solution of a problem that has alternatives. Without a solution, the first
/// move that reaches the goal is used instead.
///
/// # Examples
///
/// ```
/// use pdn::annotate::{Aim, Prover, Verdict, examine, verdict};
/// use pdn::egdb::EndgameTables;
/// use pdn::rules::{Position, Variant};
///
/// let prover = Prover::new(EndgameTables::embedded(Variant::INTERNATIONAL), 1000);
/// let start = Position::from_fen(Variant::INTERNATIONAL, "W:W31,48:B27")?;
/// let moves = examine(&start, &[], Aim::Win, &prover);
/// // The capture is the only legal move, so no other one can reach the goal.
/// assert_eq!(verdict(&moves), Verdict::Sound);
/// # Ok::<(), pdn::notation::PositionError>(())
/// ```
pub fn examine(start: &Position, solution: &[Move], goal: Aim, prover: &Prover) -> Vec<SolverMove> {
    if solution.is_empty() {
        let moves = start.legal_moves();
        let found = moves.iter().find(|played| goal.is_reached(start, played, prover) == Some(true));
        return found.or(moves.first()).map(|first| examined(start, 1, first, goal, prover)).into_iter().collect();
    }
    let (mut position, mut all) = (*start, Vec::new());
    for (ply, played) in (1..).zip(solution) {
        if position.turn() == start.turn() && position.legal_moves().len() > 1 {
            all.push(examined(&position, ply, played, goal, prover));
        }
        position = position.play_unchecked(played);
    }
    all
}

fn examined(position: &Position, ply: usize, played: &Move, goal: Aim, prover: &Prover) -> SolverMove {
    let mut found = SolverMove {
        position: *position,
        ply,
        reaches: goal.is_reached(position, played, prover),
        others: Vec::new(),
        unknown: 0,
    };
    for other in position.legal_moves().into_iter().filter(|other| other != played) {
        match goal.is_reached(position, &other, prover) {
            Some(true) => found.others.push(other),
            Some(false) => {}
            None => found.unknown += 1,
        }
    }
    found
}

/// Returns the verdict on a problem, given the moves of its solver.
pub fn verdict(moves: &[SolverMove]) -> Verdict {
    let of_move = |(n, found): (usize, &SolverMove)| match found {
        SolverMove { reaches: Some(false), .. } => Verdict::Refuted,
        SolverMove { others, .. } if !others.is_empty() && n == 0 => Verdict::Cook,
        SolverMove { others, .. } if !others.is_empty() => Verdict::Dual,
        SolverMove { reaches: None, .. } => Verdict::Unsolved,
        SolverMove { unknown, .. } if *unknown > 0 => Verdict::Unsolved,
        _ => Verdict::Sound,
    };
    // The verdicts are in order from the best to the worst.
    moves.iter().enumerate().map(of_move).max().unwrap_or(Verdict::Unsolved)
}

/// Returns the goal of a problem according to its record: a draw if the game is drawn and the side to move does not
/// win, else a win.
pub fn goal(turn: Side, winner: Option<Side>, is_drawn: bool) -> Aim {
    if is_drawn && winner != Some(turn) { Aim::Draw } else { Aim::Win }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egdb::{EndgameTables, Value};
    use crate::rules::Variant;

    #[test]
    fn verdicts_agree_with_the_tables() {
        let tables = EndgameTables::embedded(Variant::INTERNATIONAL);
        let prover = Prover::new(tables.clone(), 1000);
        let mut seen = Vec::new();
        for (a, b) in (6..30).zip((11..50).rev()) {
            let fen = format!("W:WK{a},{}:B{b}", a + 15);
            let Ok(position) = Position::from_fen(Variant::INTERNATIONAL, &fen) else { continue };
            let values = tables.probe_moves(&position);
            let wins =
                |value: &Option<crate::egdb::Probe>| value.as_ref().is_some_and(|probe| probe.value() == Value::Win);
            let winning = values.iter().filter(|(_, value)| wins(value)).count();
            for (played, value) in values.iter().filter(|_| values.len() > 1) {
                let expected = match (wins(value), winning) {
                    (false, _) => Verdict::Refuted,
                    (true, 1) => Verdict::Sound,
                    (true, _) => Verdict::Cook,
                };
                let found = verdict(&examine(&position, &[*played], Aim::Win, &prover));
                assert_eq!(found, expected, "{fen} {}", position.short(played));
                seen.push(found);
            }
        }
        assert!(
            [Verdict::Refuted, Verdict::Sound, Verdict::Cook].iter().all(|verdict| seen.contains(verdict)),
            "{seen:?}"
        );
    }
}
