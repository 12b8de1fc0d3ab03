//! The expected result of a position.

use std::path::Path;

use serde::Serialize;

use super::{Origin, game_row};
use crate::board::Side;
use crate::check::{CheckOptions, Review, file_reviews};
use crate::error::Result;
use crate::notation::Outcome;
use crate::pdn::Evaluation;
use crate::rules::{Position, Variant};

/// A phase of a game, by the number of pieces left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// More than three quarters of the pieces are on the board.
    Opening,
    /// More than two fifths of the pieces are on the board.
    Middlegame,
    /// All other positions.
    Endgame,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// Returns the phase of a position.
    pub fn of(position: &Position) -> Self {
        let (left, all) = (position.piece_count(), Position::start(position.variant()).piece_count());
        // In International: more than 30 of 40 pieces, then more than 16.
        if 4 * left > 3 * all {
            Self::Opening
        } else if 5 * left > 2 * all {
            Self::Middlegame
        } else {
            Self::Endgame
        }
    }

    /// Returns the name in English: `opening`, `middlegame` or `endgame`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}

/// The curve from evaluations to the expected result.
///
/// An advantage of `x` centi-men corresponds to an expectation of `½ + ½·x / √(x² + s²)` points for the side that has it, where
/// the scale `s` depends on the variant and the phase, a draw is half a point and a win one point.
///
/// # Examples
///
/// ```
/// use pdn::Evaluation;
/// use pdn::records::{ExpectationCurve, Phase};
/// use pdn::rules::Variant;
///
/// let curve = ExpectationCurve::of(Variant::INTERNATIONAL);
/// assert_eq!(curve.white(Phase::Opening, Evaluation::CentiMen(0)), 500);
/// assert_eq!(curve.white(Phase::Endgame, Evaluation::BlackWins(9)), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectationCurve {
    /// The scale of each phase, in centi-men.
    scales: [u32; 3],
}

/// Returns the evaluation for a side in centi-men; a win is outside the range of estimates.
pub(crate) fn lead(evaluation: Evaluation, side: Side) -> i32 {
    let white = match evaluation {
        Evaluation::WhiteWins(_) => i32::MAX,
        Evaluation::BlackWins(_) => -i32::MAX,
        Evaluation::CentiMen(white) => white,
    };
    if side == Side::White { white } else { -white }
}

/// The scales of variants with learned weights, in centi-men, for the opening, the middlegame and the endgame, fitted
/// by `pdn train curve` (`docs/training.md` describes the games).
const SCALES: [(&[Variant], [u32; 3]); 17] = [
    (&[Variant::INTERNATIONAL], [185, 130, 150]),
    (&[Variant::FRISIAN], [150, 155, 195]),
    (&[Variant::BRAZILIAN], [135, 135, 210]),
    (&[Variant::RUSSIAN], [115, 120, 210]),
    (&[Variant::ENGLISH], [150, 175, 220]),
    (&[Variant::ITALIAN], [155, 180, 245]),
    (&[Variant::POOL, Variant::POOL_UNIFIED, Variant::JAMAICAN], [155, 140, 205]),
    (&[Variant::SPANISH, Variant::PORTUGUESE], [235, 235, 340]),
    (&[Variant::CZECH], [245, 255, 385]),
    (&[Variant::KILLER], [160, 150, 105]),
    (&[Variant::THAI], [90, 95, 115]),
    (&[Variant::BREAKTHROUGH], [170, 120, 130]),
    (&[Variant::FRYSK], [170, 175, 280]),
    (&[Variant::ANTIDRAUGHTS], [2000, 2000, 395]),
    (&[Variant::TURKISH], [220, 190, 175]),
    (&[Variant::SPANTSIRETTI], [150, 160, 255]),
    (&[Variant::CANADIAN], [205, 210, 245]),
];

/// The scales of all other variants.
const OTHER_SCALES: [u32; 3] = [150, 150, 150];

impl ExpectationCurve {
    /// Returns the curve of a variant.
    pub fn of(variant: Variant) -> Self {
        let known = SCALES.iter().find(|(known, _)| known.contains(&variant));
        Self { scales: known.map_or(OTHER_SCALES, |(_, scales)| *scales) }
    }

    /// Returns the curve on which an advantage of this many centi-men gives an expectation of about 85 % in each phase.
    pub(crate) const fn with_scale(centi_men: u32) -> Self {
        Self { scales: [centi_men; 3] }
    }

    /// Returns the scale of a phase, in centi-men.
    pub(crate) const fn scale(&self, phase: Phase) -> u32 {
        self.scales[phase as usize]
    }

    /// Returns the expectation of White in thousandths of a point.
    pub fn white(&self, phase: Phase, evaluation: Evaluation) -> u16 {
        let x = match evaluation {
            Evaluation::WhiteWins(_) => return 1000,
            Evaluation::BlackWins(_) => return 0,
            Evaluation::CentiMen(value) => f64::from(value),
        };
        // A scale of 0 would be 0 / 0 in an even position.
        let s = f64::from(self.scale(phase).max(1));
        // IEEE 754 defines these operations to the last bit, so that judgements are the same on all machines.
        (500.0 + 500.0 * (x / (x * x + s * s).sqrt())).round() as u16
    }

    /// Returns the expectation of a side in thousandths of a point.
    pub(crate) fn of_side(&self, side: Side, phase: Phase, evaluation: Evaluation) -> u16 {
        let white = self.white(phase, evaluation);
        if side == Side::White { white } else { 1000 - white }
    }
}

/// Maximum evaluation counted, in centi-men: a decided position has no information about the scale.
const MAX_FITTED: i32 = 1500;
/// The scales tried, in centi-men.
const TRIED_SCALES: std::ops::RangeInclusive<u32> = 20..=2000;

/// Evaluations of positions and the results of their games, and the curve that best predicts the results.
#[derive(Clone, Debug, Default)]
pub(crate) struct CurveFit {
    phases: [Counts; 3],
}

/// The positions of a phase by their evaluation for the side that is ahead.
#[derive(Clone, Debug, Default)]
struct Counts {
    /// Lost, drawn and won games for each evaluation from 0.
    results: Vec<[u64; 3]>,
}

impl CurveFit {
    /// Adds the games of a variant in a file of records that have evaluations and a result, and returns their number.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn add_records(&mut self, path: &Path, variant: Variant) -> Result<u64> {
        let mut games = 0;
        for review in file_reviews(path, CheckOptions::default())? {
            let review = review?;
            if review.game().variant() == Some(variant) {
                games += u64::from(self.add_record(&review));
            }
        }
        Ok(games)
    }

    /// Adds a game. Returns false if it has no evaluation or no result.
    fn add_record(&mut self, review: &Review) -> bool {
        let half_points = match review.winner() {
            Some(Outcome::Win(Side::White)) => 2,
            Some(Outcome::Win(Side::Black)) => 0,
            Some(Outcome::Draw) => 1,
            None => return false,
        };
        let row = game_row(review, Origin::default(), Vec::new());
        let evaluated = row.moves.iter().filter_map(|step| Some((step.fen?, step.eval?)));
        let mut any = false;
        for (position, evaluation) in evaluated {
            self.add(position.position(), evaluation, half_points);
            any = true;
        }
        any
    }

    /// Adds a position with its evaluation and White's final score in half points, 0 to 2. Decided positions are excluded.
    pub(crate) fn add(&mut self, position: &Position, evaluation: Evaluation, half_points: u8) {
        let Some(centi_men) = evaluation.centi_men().filter(|value| value.abs() <= MAX_FITTED) else { return };
        let result = usize::from(half_points.min(2));
        self.phases[Phase::of(position) as usize]
            .add(centi_men.unsigned_abs() as usize, if centi_men < 0 { 2 - result } else { result });
    }

    /// Returns the number of positions of a phase.
    pub(crate) fn positions(&self, phase: Phase) -> u64 {
        self.phases[phase as usize].results.iter().flatten().sum()
    }

    /// Returns the scale with the least loss, in centi-men; `None` without positions of the phase.
    pub(crate) fn scale(&self, phase: Phase) -> Option<u32> {
        if self.positions(phase) == 0 {
            return None;
        }
        let loss = |scale: u32| self.loss(phase, ExpectationCurve::with_scale(scale));
        TRIED_SCALES.min_by(|a, b| loss(*a).total_cmp(&loss(*b)))
    }

    /// Returns the mean squared difference between the expectation on a curve and the result, in points; 0 without positions.
    pub(crate) fn loss(&self, phase: Phase, curve: ExpectationCurve) -> f64 {
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
    fn variants_that_play_alike_have_the_same_scale() {
        let rules = |variant: Variant| (variant.spec().play_key(), variant.spec().start_rows);
        for &variant in Variant::ALL {
            for &other in Variant::ALL.iter().filter(|&&other| rules(other) == rules(variant)) {
                assert_eq!(ExpectationCurve::of(variant), ExpectationCurve::of(other), "{variant} and {other}");
            }
        }
    }

    #[test]
    fn expectations_follow_the_curve() {
        let curve = ExpectationCurve::with_scale(150);
        let table = [(0, 500), (150, 854), (-150, 146), (30, 598), (100, 777), (300, 947), (100_000, 1000)];
        for (centi_men, expectation) in table {
            let evaluation = Evaluation::CentiMen(centi_men);
            assert_eq!(curve.white(Phase::Opening, evaluation), expectation, "{centi_men}");
            assert_eq!(curve.of_side(Side::Black, Phase::Opening, evaluation), 1000 - expectation, "{centi_men}");
        }
        assert_eq!(curve.white(Phase::Endgame, Evaluation::WhiteWins(9)), 1000);
        assert_eq!(curve.of_side(Side::Black, Phase::Endgame, Evaluation::BlackWins(9)), 1000);
    }

    #[test]
    fn phases_follow_the_pieces() {
        let phase = |variant, fen| Phase::of(&Position::from_fen(variant, fen).expect(fen));
        assert_eq!(Phase::of(&Position::start(Variant::INTERNATIONAL)), Phase::Opening);
        assert_eq!(phase(Variant::INTERNATIONAL, "W:W31-47:B1"), Phase::Middlegame);
        assert_eq!(phase(Variant::INTERNATIONAL, "W:W31-45:B1"), Phase::Endgame);
        assert_eq!(phase(Variant::ENGLISH, "W:W21-29:B1"), Phase::Middlegame);
    }

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
