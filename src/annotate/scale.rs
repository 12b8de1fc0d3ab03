//! Scores of the engine as evaluations of records, and how moves are judged by what they lose.

use std::fmt;

use crate::board::Side;
use crate::engine::Score;
use crate::pdn::Evaluation;
use crate::records::{Expectation, ExpectationCurve, Judgement, Phase};
use crate::rules::{Position, Variant};

/// Converts the score of a side to an evaluation from White's point of view.
///
/// # Examples
///
/// ```
/// use pdn::annotate::evaluation;
/// use pdn::board::Side;
/// use pdn::engine::Score;
/// use pdn::Evaluation;
///
/// assert_eq!(evaluation(Score::centi_men(30), Side::Black), Evaluation::CentiMen(-30));
/// ```
pub fn evaluation(score: Score, side: Side) -> Evaluation {
    let white = if side == Side::White { score } else { -score };
    match white.plies_to_end() {
        Some(plies) if white.is_loss() => Evaluation::BlackWins(plies),
        Some(plies) => Evaluation::WhiteWins(plies),
        None => Evaluation::CentiMen(white.value()),
    }
}

/// The scale on which moves are judged: by the expectation that they lose, so that a step from a won to a less clearly
/// won position hardly counts.
///
/// # Examples
///
/// ```
/// use pdn::annotate::JudgementScale;
/// use pdn::records::{Expectation, Judgement};
///
/// let scale = JudgementScale::default();
/// assert_eq!(scale.judge(Expectation::new(500, 330)), Some(Judgement::Mistake));
/// assert_eq!(scale.judge(Expectation::new(990, 940)), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgementScale {
    /// The scale in centi-men of one curve for all games, in place of the curves of the variants.
    scale: Option<u32>,
    /// Smallest losses of an inaccuracy, a mistake and a blunder, in thousandths of a point.
    pub(crate) thresholds: [u16; 3],
}

impl Default for JudgementScale {
    /// Returns the scale on which a loss of 0.1 points is an inaccuracy, of 0.15 a mistake and of 0.25 a blunder.
    fn default() -> Self {
        Self { scale: None, thresholds: Self::THRESHOLDS }
    }
}

impl JudgementScale {
    /// Smallest losses of an inaccuracy, a mistake and a blunder, unless others are set, in thousandths of a point.
    pub(super) const THRESHOLDS: [u16; 3] = [100, 150, 250];

    /// Loss above a threshold that most moves need to be marked with most limits, in thousandths of a point: better searches often
    /// find a smaller loss.
    pub(crate) const MARGIN: u16 = 50;

    /// Sets the evaluation, in centi-men, at which the expectation is about 85 % in all games.
    #[must_use]
    pub(crate) const fn with_scale(self, scale: u32) -> Self {
        Self { scale: Some(scale), ..self }
    }

    /// Sets the smallest losses of an inaccuracy, a mistake and a blunder, in thousandths of a point.
    #[must_use]
    pub(crate) const fn with_thresholds(self, thresholds: [u16; 3]) -> Self {
        Self { thresholds, ..self }
    }

    /// Returns the curve for the games of a variant.
    pub(crate) fn curve(&self, variant: Variant) -> ExpectationCurve {
        self.scale.map_or_else(|| ExpectationCurve::of(variant), ExpectationCurve::with_scale)
    }

    /// Returns the expectation of the side that moves from the scores before and after its move, both for that side.
    pub(super) fn expectation(&self, before: &Position, best: Score, played: Score) -> Expectation {
        let (side, phase, curve) = (before.turn(), Phase::of(before), self.curve(before.variant()));
        let [best, played] = [best, played].map(|score| curve.of_side(side, phase, evaluation(score, side)));
        Expectation::new(best, played)
    }

    /// Judges a move by the expectation before and after it.
    pub fn judge(&self, expectation: Expectation) -> Option<Judgement> {
        self.judge_loss(expectation.loss())
    }

    /// Judges a move by its loss, in thousandths of a point.
    pub(super) fn judge_loss(&self, loss: u16) -> Option<Judgement> {
        let [inaccuracy, mistake, blunder] = self.thresholds;
        match loss {
            loss if loss >= blunder => Some(Judgement::Blunder),
            loss if loss >= mistake => Some(Judgement::Mistake),
            loss if loss >= inaccuracy => Some(Judgement::Inaccuracy),
            _ => None,
        }
    }
}

/// The settings that differ from the default, or `standard`.
impl fmt::Display for JudgementScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scale {
            Some(scale) => write!(f, "{scale}")?,
            None => f.write_str("standard")?,
        }
        match self.thresholds {
            Self::THRESHOLDS => Ok(()),
            [inaccuracy, mistake, blunder] => write!(f, " thresholds {inaccuracy} {mistake} {blunder}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_those_of_white() {
        for (score, white, black) in [
            (Score::DRAW, Evaluation::CentiMen(0), Evaluation::CentiMen(0)),
            (Score::centi_men(-132), Evaluation::CentiMen(-132), Evaluation::CentiMen(132)),
            (Score::win_in(0), Evaluation::WhiteWins(0), Evaluation::BlackWins(0)),
            (Score::loss_in(999), Evaluation::BlackWins(999), Evaluation::WhiteWins(999)),
        ] {
            assert_eq!((evaluation(score, Side::White), evaluation(score, Side::Black)), (white, black));
        }
    }

    #[test]
    fn moves_are_judged_by_their_loss_of_expectation() {
        let scale = JudgementScale::default().with_scale(150);
        let position = Position::start(Variant::INTERNATIONAL);
        let cm = Score::centi_men;
        let table = [
            (cm(0), cm(0), None),
            (cm(0), cm(20), None),
            (cm(0), cm(-20), None),
            (cm(0), cm(-35), Some(Judgement::Inaccuracy)),
            (cm(0), cm(-50), Some(Judgement::Mistake)),
            (cm(0), cm(-80), Some(Judgement::Mistake)),
            (cm(0), cm(-100), Some(Judgement::Blunder)),
            (cm(0), Score::loss_in(6), Some(Judgement::Blunder)),
            (Score::win_in(5), cm(300), None),
            (Score::win_in(5), cm(0), Some(Judgement::Blunder)),
            (cm(-300), Score::loss_in(4), None),
            (cm(900), cm(400), None),
        ];
        for (best, played, judgement) in table {
            for position in [position, position.pass()] {
                assert_eq!(scale.judge(scale.expectation(&position, best, played)), judgement, "{best} {played}");
            }
        }
    }

    #[test]
    fn scales_in_words() {
        let scale = JudgementScale::default();
        assert_eq!(scale.to_string(), "standard");
        assert_eq!(scale.with_scale(90).with_thresholds([50, 100, 200]).to_string(), "90 thresholds 50 100 200");
    }
}
