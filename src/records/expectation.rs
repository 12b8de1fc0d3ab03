//! The result that a position lets its sides expect.

use serde::Serialize;

use crate::board::Side;
use crate::pdn::Evaluation;
use crate::rules::{Position, Variant};

/// A part of a game, by the pieces that are left.
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
        let (left, all) = (pieces(position), pieces(&Position::start(position.variant())));
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

fn pieces(position: &Position) -> usize {
    position.squares_of(Side::White).len() + position.squares_of(Side::Black).len()
}

/// The curve from evaluations to the expected result.
///
/// An evaluation of `x` centi-men is an expectation of `½ + ½·x / √(x² + s²)` points for the side that has it, where the scale
/// `s` depends on the variant and the phase: half a point for a draw, one point for a win.
///
/// # Examples
///
/// ```
/// use pdn::pdn::Evaluation;
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

/// The scales of variants with learned weights, in centi-men, for the opening, the middlegame and the endgame, fitted by
/// `pdn train curve` (`docs/training.md` has the games).
const SCALES: [(Variant, [u32; 3]); 6] = [
    (Variant::INTERNATIONAL, [185, 130, 150]),
    (Variant::FRISIAN, [90, 95, 125]),
    (Variant::BRAZILIAN, [120, 120, 215]),
    (Variant::RUSSIAN, [140, 115, 195]),
    (Variant::ENGLISH, [90, 95, 125]),
    (Variant::ITALIAN, [125, 145, 190]),
];

/// The scales of all other variants.
const OTHER_SCALES: [u32; 3] = [150, 150, 150];

impl ExpectationCurve {
    /// Returns the curve of a variant.
    pub fn of(variant: Variant) -> Self {
        let known = SCALES.iter().find(|(known, _)| *known == variant);
        Self { scales: known.map_or(OTHER_SCALES, |(_, scales)| *scales) }
    }

    /// Returns the curve on which the expectation of this many centi-men is about 85 % in each phase.
    pub const fn with_scale(centi_men: u32) -> Self {
        Self { scales: [centi_men; 3] }
    }

    /// Returns the scale of a phase, in centi-men.
    pub const fn scale(&self, phase: Phase) -> u32 {
        self.scales[phase as usize]
    }

    /// Returns the expectation of White in thousandths of a point.
    pub fn white(&self, phase: Phase, evaluation: Evaluation) -> u16 {
        let x = match evaluation {
            Evaluation::WhiteWins(_) => return 1000,
            Evaluation::BlackWins(_) => return 0,
            Evaluation::CentiMen(value) => f64::from(value),
        };
        let s = f64::from(self.scale(phase).max(1));
        // IEEE 754 defines these operations to the last bit, so that judgements are the same on all machines.
        (500.0 + 500.0 * (x / (x * x + s * s).sqrt())).round() as u16
    }

    /// Returns the expectation of a side in thousandths of a point.
    pub fn of_side(&self, side: Side, phase: Phase, evaluation: Evaluation) -> u16 {
        let white = self.white(phase, evaluation);
        if side == Side::White { white } else { 1000 - white }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
