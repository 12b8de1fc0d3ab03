//! The results of an analysis in rows of moves.

use compact_str::CompactString;
use serde::ser::{Serialize, Serializer};

use super::annotation::{Annotation, Judgement};
use super::expectation::{ExpectationCurve, Phase};
use super::performance::GamePerformance;
use super::rows::{GameRow, MoveRow};
use crate::board::Side;
use crate::pdn::Evaluation;
use crate::rules::Position;

// A slower way to win of a side that is ten men ahead would otherwise count as a loss of men.
/// Maximum advantage counted in losses, in centi-men.
const MAX_ADVANTAGE: i32 = 1000;

/// The expectation of the side that moves, in thousandths of a point, before its move and after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expectation {
    /// With the best move.
    pub before: u16,
    /// With the move played.
    pub after: u16,
}

impl Expectation {
    /// Returns the expectation before and after a move, in thousandths of a point.
    pub const fn new(before: u16, after: u16) -> Self {
        Self { before, after }
    }

    /// Returns the expectation that the move lost, in thousandths of a point.
    pub(crate) const fn loss(self) -> u16 {
        self.before.saturating_sub(self.after)
    }
}

/// A pair of numbers from 0 to 1.
impl Serialize for Expectation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.before, self.after].map(|thousandths| f64::from(thousandths) / 1000.0).serialize(serializer)
    }
}

/// One of the best lines from the position before a move.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(super) struct LineRow {
    /// The evaluation, White's point of view.
    pub(super) eval: Evaluation,
    /// The moves, in standard notation.
    pub(super) moves: Vec<String>,
}

/// The results of the analysis of a move.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Assessment {
    /// The judgement of the move, if it lost enough to be judged.
    pub judgement: Option<Judgement>,
    /// The best move, in standard notation, if the move is judged.
    #[serde(serialize_with = "super::rows::as_text")]
    pub best: Option<CompactString>,
    /// The expectation of the side that moves, before and after the move.
    pub expectation: Expectation,
    /// True if there was no other legal move.
    pub forced: bool,
    /// The best lines from the position before the move, the best first; absent unless several were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) lines: Vec<LineRow>,
    /// The phase of the position before the move; not in JSON.
    #[serde(skip)]
    pub phase: Phase,
    /// The loss of the move in centi-men; not in JSON.
    #[serde(skip)]
    pub loss_cm: u32,
}

impl Assessment {
    /// Returns the assessment of a move from its annotation, the position before it, the notation of the best move and
    /// the requested lines.
    pub(super) fn new(
        annotation: &Annotation,
        before: &Position,
        best: Option<CompactString>,
        lines: Vec<LineRow>,
    ) -> Self {
        let change = Change { before: annotation.best_evaluation, after: annotation.evaluation };
        Self {
            judgement: annotation.judgement,
            best: best.filter(|_| annotation.judgement.is_some()),
            expectation: annotation.expectation,
            forced: annotation.forced,
            lines,
            phase: Phase::of(before),
            loss_cm: change.loss_cm(before.turn()),
        }
    }
}

/// The evaluations of a position before and after a move.
#[derive(Clone, Copy)]
pub(super) struct Change {
    pub(super) before: Evaluation,
    pub(super) after: Evaluation,
}

impl Change {
    /// Returns the loss of a side in centi-men.
    pub(super) fn loss_cm(self, side: Side) -> u32 {
        let loss = limited(self.before) - limited(self.after);
        (if side == Side::White { loss } else { -loss }).max(0).unsigned_abs()
    }
}

fn limited(evaluation: Evaluation) -> i32 {
    match evaluation {
        Evaluation::WhiteWins(_) => MAX_ADVANTAGE,
        Evaluation::BlackWins(_) => -MAX_ADVANTAGE,
        Evaluation::CentiMen(value) => value.clamp(-MAX_ADVANTAGE, MAX_ADVANTAGE),
    }
}

impl GameRow<'_> {
    /// Assesses the moves of the main line that have evaluations, and rates the play of both sides.
    ///
    /// Moves already assessed by [`annotate_row`](super::annotate_row) are left unchanged. The others are assessed by the
    /// evaluations and NAGs of the record. The evaluation before a move is the one in `[%pdn before=…]`, or else the one after
    /// the previous move. Without either, it is that of the best variation that replaces the move if the move is judged, and
    /// otherwise the evaluation after the move. The best variation is the one with the best evaluation or, without evaluations,
    /// the last one.
    pub fn assess(&mut self) {
        // Most records have no evaluations, and reading the first position would take longer than this.
        if self.moves.iter().all(|row| row.eval.is_none()) {
            return;
        }
        let mut position = self.start_position();
        let mut evaluation = None;
        for row in &mut self.moves {
            // The position is unknown here, and the last evaluation does not apply to it.
            if !row.setups.is_empty() {
                (position, evaluation) = (None, None);
            }
            if row.assessment.is_none() {
                row.assessment = position.and_then(|before| assessment(row, &before, evaluation));
            }
            position = row.fen.as_ref().map(|after| *after.position());
            evaluation = row.eval;
        }
        if self.moves.iter().any(|row| row.assessment.is_some()) {
            self.performance = Some(GamePerformance::of(&self.moves));
        }
    }

    fn start_position(&self) -> Option<Position> {
        Position::from_fen(self.rules?, self.start_fen.as_deref()?).ok()
    }
}

/// Assesses a move by the evaluations and the NAGs of the record.
fn assessment(row: &MoveRow<'_>, before: &Position, evaluation: Option<Evaluation>) -> Option<Assessment> {
    let after = row.eval?;
    let judgement = row.nags.iter().find_map(|&nag| Judgement::of_nag(nag));
    let best = best_alternative(row, before.turn()).filter(|_| judgement.is_some());
    let known = row.eval_before.or(evaluation).or(best.and_then(|best| best.eval));
    let change = Change { before: known.unwrap_or(after), after };
    let (side, phase) = (before.turn(), Phase::of(before));
    let curve = ExpectationCurve::of(before.variant());
    let expectation = |evaluation| curve.of_side(side, phase, evaluation);
    Some(Assessment {
        judgement,
        best: best.and_then(|best| best.notation.clone()),
        expectation: Expectation::new(expectation(change.before), expectation(change.after)),
        forced: before.legal_moves().len() == 1,
        lines: Vec::new(),
        phase,
        loss_cm: change.loss_cm(side),
    })
}

/// Returns the first move of the variation with the best evaluation for a side, or else of the last one.
fn best_alternative<'a, 'b>(row: &'a MoveRow<'b>, side: Side) -> Option<&'a MoveRow<'b>> {
    let firsts = || row.variations.iter().filter_map(|line| line.first());
    let better = |best: &'a MoveRow<'b>, other: &'a MoveRow<'b>| {
        let is_better = if side == Side::White { other.eval > best.eval } else { other.eval < best.eval };
        if is_better { other } else { best }
    };
    firsts().filter(|first| first.eval.is_some()).reduce(better).or_else(|| firsts().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, reviews};
    use crate::records::{Origin, game_row};

    fn assessed(text: &str) -> GameRow<'static> {
        let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
        let review = Box::leak(Box::new(review));
        let mut row = game_row(review, Origin { file: "f", game: 1, offset: 0 }, Vec::new());
        row.assess();
        row
    }

    #[test]
    fn annotated_records_are_assessed() {
        let row = assessed(
            "[GameType \"20\"]\n1. 32-28 {[%eval 0.10]} 20-25 {[%eval 0.12]} 2. 28-23 $4 {[%eval -1.00]} (2. 34-29 {[%eval 0.12]}) \
             19x28 {[%eval -1.00]} *",
        );
        let of = |n: usize| row.moves[n].assessment.as_ref().expect("an evaluation");
        assert_eq!(of(0).expectation.loss(), 0);
        let blunder = of(2);
        assert_eq!((blunder.judgement, blunder.best.as_deref()), (Some(Judgement::Blunder), Some("34-29")));
        assert_eq!((blunder.loss_cm, blunder.expectation.before, blunder.forced), (112, 532, false));
        assert_eq!((of(1).best.as_deref(), of(3).expectation.loss()), (None, 0));
        let performance = row.performance.as_ref().expect("evaluations");
        let [white, black] = &performance.sides;
        assert_eq!((white.all.moves, white.all.blunders, white.all.average_loss_cm), (2, 1, Some(56.0)));
        assert_eq!((black.all.accuracy, &black.phases[0]), (Some(99.0), &black.all));
        assert_eq!(black.phases[2], Performance::default());
        let json = serde_json::to_value(&row).expect("JSON");
        assert_eq!(json["average_loss_cm"], serde_json::json!({"W": 56.0, "B": 1.0}));
        assert_eq!(json["moves"][2]["judgement"], "blunder");
        assert_eq!(json["moves"][2]["expectation"][0], 0.532);
    }

    #[test]
    fn records_without_evaluations_have_no_assessments() {
        let row = assessed("[GameType \"20\"]\n1. 32-28 20-25 $4 *");
        assert!(row.performance.is_none() && row.moves.iter().all(|row| row.assessment.is_none()));
    }

    use crate::records::Performance;
}
