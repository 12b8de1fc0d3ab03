//! Problems: positions with one right move, and the soundness of their solutions.

use serde::Serialize;

use super::material::MaterialGoal;
use super::prover::{Proof, Prover};
use crate::board::Side;
use crate::notation::Outcome;
use crate::rules::{Move, Position};

/// The goal of the side to move in a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Aim {
    /// A win.
    Win,
    /// At least a draw.
    Draw,
    /// To win material by a forced sequence of captures.
    Material,
}

impl Aim {
    /// All goals.
    pub(crate) const ALL: [Self; 3] = [Self::Win, Self::Draw, Self::Material];

    /// Returns the name in records.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Material => "material",
        }
    }

    /// Returns the goal with a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|goal| goal.name().eq_ignore_ascii_case(name.trim()))
    }

    /// Returns the result of a game in which a side reaches the goal, if that decides it.
    pub(crate) const fn outcome(self, side: Side) -> Option<Outcome> {
        match self {
            Self::Win => Some(Outcome::Win(side)),
            Self::Draw => Some(Outcome::Draw),
            Self::Material => None,
        }
    }
}

/// The soundness of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
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
pub(crate) struct SolverMove {
    /// The position before the move.
    pub(crate) position: Position,
    /// The number of the move in the solution, from 1, both sides' moves.
    pub(crate) ply: usize,
    /// True if it is proven that the move reaches the goal, false if it is proven that it does not.
    pub(crate) reaches: Option<bool>,
    /// The other moves that reach the goal.
    pub(crate) others: Vec<Move>,
    /// The number of other moves about which nothing is proven.
    pub(crate) unknown: usize,
}

impl Aim {
    /// Returns true if it is proven that a move of a position reaches the goal, false if it is proven that it does not.
    pub(crate) fn is_reached(self, position: &Position, played: &Move, prover: &Prover) -> Option<bool> {
        if self == Self::Material {
            return MaterialGoal::new(position, &[], prover).is_reached(position, played);
        }
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

/// Examines each move of the solver in the solution of a problem that has alternatives; if none has, the first one. Without a
/// solution, the first move that reaches the goal is used instead.
///
/// To win material means to force, whatever the other side captures, at least the gain that the first move of the solution forces.
/// Only sequences in which each reply is a capture are searched, and captures of the same pieces count as one move.
pub(crate) fn examine(start: &Position, solution: &[Move], goal: Aim, prover: &Prover) -> Vec<SolverMove> {
    let is_gain = goal == Aim::Material && !solution.is_empty();
    let material = is_gain.then(|| MaterialGoal::new(start, solution, prover));
    let reaches = |position: &Position, played: &Move| match &material {
        Some(material) => material.is_reached(position, played),
        None => goal.is_reached(position, played, prover),
    };
    let is_same = |one: &Move, other: &Move| one == other || material.is_some() && is_equivalent(one, other);
    let examined = |position: &Position, ply: usize, played: &Move| {
        let (mut others, mut unknown) = (Vec::new(), 0);
        for other in position.legal_moves().into_iter().filter(|other| !is_same(played, other)) {
            match reaches(position, &other) {
                Some(true) => others.push(other),
                Some(false) => {}
                None => unknown += 1,
            }
        }
        SolverMove { position: *position, ply, reaches: reaches(position, played), others, unknown }
    };
    if solution.is_empty() {
        let moves = start.legal_moves();
        let found = moves.iter().find(|played| reaches(start, played) == Some(true)).or(moves.first());
        return found.map(|first| examined(start, 1, first)).into_iter().collect();
    }
    let (mut position, mut all) = (*start, Vec::new());
    for (ply, played) in (1..).zip(solution) {
        if position.turn() == start.turn() && position.legal_moves().len() > 1 {
            all.push(examined(&position, ply, played));
        }
        position = position.play_unchecked(played);
    }
    if all.is_empty() {
        all.push(examined(start, 1, &solution[0]));
    }
    all
}

/// Returns true for the same move, or captures of the same pieces.
pub(super) fn is_equivalent(one: &Move, other: &Move) -> bool {
    one == other || (one.is_capture() && one.captured() == other.captured())
}

/// Returns the verdict on a problem, given the moves of its solver.
pub(crate) fn verdict(moves: &[SolverMove]) -> Verdict {
    let of_move = |found: &SolverMove| match found {
        SolverMove { reaches: Some(false), .. } => Verdict::Refuted,
        SolverMove { others, ply: 1, .. } if !others.is_empty() => Verdict::Cook,
        SolverMove { others, .. } if !others.is_empty() => Verdict::Dual,
        SolverMove { reaches: None, .. } => Verdict::Unsolved,
        SolverMove { unknown, .. } if *unknown > 0 => Verdict::Unsolved,
        _ => Verdict::Sound,
    };
    // The verdicts are in order from the best to the worst.
    moves.iter().map(of_move).max().unwrap_or(Verdict::Unsolved)
}

/// Returns true if it is proven that each move of the solver reaches a goal, and that no other move does.
pub(super) fn is_sound(start: &Position, solution: &[Move], goal: Aim, prover: &Prover) -> bool {
    verdict(&examine(start, solution, goal, prover)) == Verdict::Sound
}

/// Returns the goal of a problem according to its record: that of its tag `Goal`, or else a draw if the game is drawn, else a win.
pub(crate) fn goal(tag: Option<&str>, result: Option<Outcome>) -> Aim {
    tag.and_then(Aim::named).unwrap_or(if result == Some(Outcome::Draw) { Aim::Draw } else { Aim::Win })
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
