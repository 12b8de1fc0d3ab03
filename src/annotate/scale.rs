//! How moves are judged by what they lose.

use std::fmt;

use crate::engine::Score;
use crate::records::{Expectation, ExpectationCurve, Judgement, Phase};
use crate::rules::{Position, Variant};

use super::evaluation::evaluation;

/// The scale on which moves are judged: by the expectation that they lose, so that falling from a won to a less won position
/// hardly counts.
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
    /// The curve of all games, in place of those of their variants.
    curve: Option<ExpectationCurve>,
    /// The scale of that curve in centi-men.
    scale: Option<u32>,
    /// Least losses of an inaccuracy, a mistake and a blunder, in thousandths of a point.
    thresholds: [u16; 3],
}

impl Default for JudgementScale {
    /// Returns the scale on which a loss of 0.1 points is an inaccuracy, of 0.15 a mistake and of 0.2 a blunder.
    fn default() -> Self {
        Self { curve: None, scale: None, thresholds: [100, 150, 200] }
    }
}

impl JudgementScale {
    /// Sets the evaluation, in centi-men, at which the expectation is about 85 % in all games.
    #[must_use]
    pub const fn with_scale(self, scale: u32) -> Self {
        Self { curve: Some(ExpectationCurve::with_scale(scale)), scale: Some(scale), ..self }
    }

    /// Sets the least losses of an inaccuracy, a mistake and a blunder, in thousandths of a point.
    #[must_use]
    pub const fn with_thresholds(self, thresholds: [u16; 3]) -> Self {
        Self { thresholds, ..self }
    }

    /// Returns the least losses of an inaccuracy, a mistake and a blunder, in thousandths of a point.
    pub const fn thresholds(&self) -> [u16; 3] {
        self.thresholds
    }

    /// Returns the curve for the games of a variant.
    pub fn curve(&self, variant: Variant) -> ExpectationCurve {
        self.curve.unwrap_or_else(|| ExpectationCurve::of(variant))
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

    /// Judges a move by what it loses, in thousandths of a point.
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

/// What differs from the default, or `standard`.
impl fmt::Display for JudgementScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scale {
            Some(scale) => write!(f, "{scale}")?,
            None => f.write_str("standard")?,
        }
        let [inaccuracy, mistake, blunder] = self.thresholds;
        if self.thresholds == Self::default().thresholds {
            return Ok(());
        }
        write!(f, " thresholds {inaccuracy} {mistake} {blunder}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (cm(0), cm(-70), Some(Judgement::Blunder)),
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
