//! How moves are judged by their scores.

use crate::engine::Score;
use crate::records::Judgement;

/// The scale on which moves are judged.
///
/// A score of `x` centi-men is an expectation of `½ + ½·x / √(x² + s²)` points for the side that has it, where `s` is the
/// scale: half a point for a draw, one point for a proven win. A move is judged by its loss of expectation, so that
/// falling from a won to a less won position hardly counts.
///
/// # Examples
///
/// ```
/// use pdn::annotate::JudgementScale;
/// use pdn::engine::Score;
/// use pdn::records::Judgement;
///
/// let scale = JudgementScale::default();
/// assert_eq!(scale.expectation(Score::DRAW), 500);
/// assert_eq!(scale.judge(Score::DRAW, Score::centi_men(-60)), Some(Judgement::Mistake));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JudgementScale {
    /// The score, in centi-men, at which the expectation is about 85 %.
    pub scale: u32,
    /// Least loss of a dubious move, in thousandths of a point.
    pub dubious: u32,
    /// Least loss of a mistake, in thousandths of a point.
    pub mistake: u32,
    /// Least loss of a blunder, in thousandths of a point.
    pub blunder: u32,
}

impl Default for JudgementScale {
    /// Returns the scale on which, in an even position, a loss of about 30 centi-men is dubious, of 60 a mistake and of 90 a
    /// blunder.
    fn default() -> Self {
        Self { scale: 150, dubious: 100, mistake: 180, blunder: 250 }
    }
}

impl JudgementScale {
    /// Sets the score, in centi-men, at which the expectation is about 85 %.
    #[must_use]
    pub const fn with_scale(self, scale: u32) -> Self {
        Self { scale, ..self }
    }

    /// Returns the expectation of the side with the score, in thousandths of a point.
    pub fn expectation(&self, score: Score) -> u32 {
        if score.is_win() {
            return 1000;
        }
        if score.is_loss() {
            return 0;
        }
        let (x, s) = (f64::from(score.value()), f64::from(self.scale.max(1)));
        // IEEE 754 defines these operations to the last bit, so that judgements are the same on all machines.
        (500.0 + 500.0 * (x / (x * x + s * s).sqrt())).round() as u32
    }

    /// Judges a move by the score of the best move and its own score, both for the side that moved.
    pub fn judge(&self, best: Score, played: Score) -> Option<Judgement> {
        let loss = self.expectation(best).saturating_sub(self.expectation(played));
        let thresholds = [
            (self.blunder, Judgement::Blunder),
            (self.mistake, Judgement::Mistake),
            (self.dubious, Judgement::Dubious),
        ];
        thresholds.into_iter().find(|(least, _)| loss >= *least).map(|(_, judgement)| judgement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_follow_the_curve() {
        let scale = JudgementScale::default();
        let table = [(0, 500), (150, 854), (-150, 146), (30, 598), (100, 777), (300, 947), (100_000, 1000)];
        for (centi_men, expectation) in table {
            assert_eq!(scale.expectation(Score::centi_men(centi_men)), expectation, "{centi_men}");
        }
        assert_eq!(scale.expectation(Score::win_in(9)), 1000);
        assert_eq!(scale.expectation(Score::loss_in(9)), 0);
    }

    #[test]
    fn moves_are_judged_by_their_loss_of_expectation() {
        let scale = JudgementScale::default();
        let cm = Score::centi_men;
        let table = [
            (cm(0), cm(0), None),
            (cm(0), cm(20), None),
            (cm(0), cm(-20), None),
            (cm(0), cm(-35), Some(Judgement::Dubious)),
            (cm(0), cm(-60), Some(Judgement::Mistake)),
            (cm(0), cm(-100), Some(Judgement::Blunder)),
            (cm(0), Score::loss_in(6), Some(Judgement::Blunder)),
            (Score::win_in(5), cm(300), None),
            (Score::win_in(5), cm(0), Some(Judgement::Blunder)),
            (cm(-300), Score::loss_in(4), None),
            (cm(900), cm(400), None),
        ];
        for (best, played, judgement) in table {
            assert_eq!(scale.judge(best, played), judgement, "{best} {played}");
        }
    }
}
