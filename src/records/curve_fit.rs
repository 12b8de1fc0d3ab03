//! Fitting the curve of expectations to games.

use super::expectation::{ExpectationCurve, Phase};
use crate::pdn::Evaluation;
use crate::rules::Position;

/// Greatest evaluation that is counted, in centi-men: what is decided says nothing about the scale.
const MAX: i32 = 1500;
/// The scales that are tried, in centi-men.
const SCALES: std::ops::RangeInclusive<u32> = 20..=2000;

/// Evaluations of positions and the results of their games, and the curve that predicts these best.
///
/// # Examples
///
/// ```
/// use pdn::pdn::Evaluation;
/// use pdn::records::{CurveFit, Phase};
/// use pdn::rules::{Position, Variant};
///
/// let start = Position::start(Variant::INTERNATIONAL);
/// let mut fit = CurveFit::default();
/// for half_points in [2, 2, 2, 2, 2, 2, 2, 2, 2, 0] {
///     fit.add(&start, Evaluation::CentiMen(100), half_points);
/// }
/// // 100 / √(100² + 75²) is 0.8: nine games of ten are won.
/// assert_eq!(fit.scale(Phase::Opening), Some(75));
/// assert_eq!(fit.scale(Phase::Endgame), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct CurveFit {
    phases: [Counts; 3],
}

/// The positions of a phase by their evaluation for the side that is ahead.
#[derive(Clone, Debug, Default)]
struct Counts {
    /// Lost, drawn and won games for each evaluation from 0.
    results: Vec<[u64; 3]>,
}

impl CurveFit {
    /// Adds a position with its evaluation and the half points that White got in the end, 0 to 2. Decided positions are left
    /// out.
    pub fn add(&mut self, position: &Position, evaluation: Evaluation, half_points: u8) {
        let Some(centi_men) = evaluation.centi_men().filter(|value| value.abs() <= MAX) else { return };
        let result = usize::from(half_points.min(2));
        self.phases[Phase::of(position) as usize]
            .add(centi_men.unsigned_abs() as usize, if centi_men < 0 { 2 - result } else { result });
    }

    /// Returns the number of positions of a phase.
    pub fn positions(&self, phase: Phase) -> u64 {
        self.phases[phase as usize].results.iter().flatten().sum()
    }

    /// Returns the scale with the least loss, in centi-men; `None` without positions of the phase.
    pub fn scale(&self, phase: Phase) -> Option<u32> {
        if self.positions(phase) == 0 {
            return None;
        }
        let loss = |scale: u32| self.loss(phase, ExpectationCurve::with_scale(scale));
        SCALES.min_by(|a, b| loss(*a).total_cmp(&loss(*b)))
    }

    /// Returns the mean squared difference between the expectation on a curve and the result, in points; 0 without positions.
    pub fn loss(&self, phase: Phase, curve: ExpectationCurve) -> f64 {
        let mut sum = 0.0;
        for (centi_men, results) in (0..).zip(&self.phases[phase as usize].results) {
            let expected = f64::from(curve.white(phase, Evaluation::CentiMen(centi_men))) / 1000.0;
            for (result, count) in [0.0, 0.5, 1.0].into_iter().zip(results) {
                sum += *count as f64 * (expected - result) * (expected - result);
            }
        }
        sum / self.positions(phase).max(1) as f64
    }
}

impl Counts {
    fn add(&mut self, centi_men: usize, result: usize) {
        if self.results.len() <= centi_men {
            self.results.resize(centi_men + 1, [0; 3]);
        }
        self.results[centi_men][result] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn a_curve_is_found_in_its_own_games() {
        let position = Position::from_fen(Variant::INTERNATIONAL, "W:W31-45:B1").expect("an endgame");
        let (curve, mut fit) = (ExpectationCurve::with_scale(240), CurveFit::default());
        for centi_men in -1600..=1600 {
            let expected = curve.white(Phase::Endgame, Evaluation::CentiMen(centi_men));
            for n in 0..20 {
                let half_points = if n * 50 < expected { 2 } else { 0 };
                fit.add(&position, Evaluation::CentiMen(centi_men), half_points);
            }
        }
        let scale = fit.scale(Phase::Endgame).expect("positions");
        assert!((225..=255).contains(&scale), "{scale}");
        assert_eq!(fit.positions(Phase::Endgame), 20 * 3001, "decided positions are left out");
        assert!(fit.loss(Phase::Endgame, curve) < fit.loss(Phase::Endgame, ExpectationCurve::with_scale(100)));
        assert_eq!((fit.positions(Phase::Opening), fit.scale(Phase::Opening)), (0, None));
        fit.add(&position, Evaluation::WhiteWins(3), 2);
        assert_eq!(fit.positions(Phase::Endgame), 20 * 3001);
    }
}
