//! The play of players, rated by the expectation lost by their moves.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::annotation::Judgement;
use super::assessment::Assessment;
use super::expectation::Phase;
use super::rows::MoveRow;
use crate::board::Side;

/// The factor by which each lost thousandth of a point reduces the accuracy of a move.
const KEPT: f64 = 0.996;

/// Minimum and maximum weight of a move: the standard deviation, in thousandths of a point, of the expectations around
/// it.
const WEIGHTS: (f64, f64) = (10.0, 150.0);

/// The play of a side, over its unforced moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Performance {
    /// Number of moves that count.
    pub moves: u32,
    /// Accuracy from 0 to 100, with one decimal; null without moves that count.
    pub accuracy: Option<f64>,
    /// Average loss of a move in centi-men, with one decimal; null without moves that count.
    pub average_loss_cm: Option<f64>,
    /// Number of inaccuracies.
    pub inaccuracies: u32,
    /// Number of mistakes.
    pub mistakes: u32,
    /// Number of blunders.
    pub blunders: u32,
}

/// The play of a side in a game, overall and in each phase.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SidePerformance {
    /// All moves.
    pub all: Performance,
    /// The moves of each phase, in the order of [`Phase::ALL`].
    pub phases: [Performance; 3],
}

/// The play of both sides in a game.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GamePerformance {
    /// White and Black, by [`Side::index`].
    pub sides: [SidePerformance; 2],
}

/// A move that counts.
struct Counted<'a> {
    assessment: &'a Assessment,
    side: char,
    weight: f64,
}

impl GamePerformance {
    /// Rates the moves of a main line by their assessments.
    pub(super) fn of(moves: &[MoveRow<'_>]) -> Self {
        let counted = counted(moves);
        let sides = [Side::White, Side::Black].map(|side| {
            let own = || counted.iter().filter(move |counted| counted.side == side.letter());
            let of_phase = |phase| own().filter(move |counted| counted.assessment.phase == phase);
            SidePerformance {
                all: Performance::of(&own()),
                phases: Phase::ALL.map(|phase| Performance::of(&of_phase(phase))),
            }
        });
        Self { sides }
    }

    /// Returns the performance of a side.
    pub(crate) const fn side(&self, side: Side) -> &SidePerformance {
        &self.sides[side.index()]
    }
}

/// Returns the moves that count, each with its weight.
fn counted<'a>(moves: &'a [MoveRow<'_>]) -> Vec<Counted<'a>> {
    let assessed: Vec<_> = moves.iter().filter_map(|row| Some((row.assessment.as_ref()?, row.side))).collect();
    let white = |(assessment, side): &(&Assessment, char)| {
        let own = f64::from(assessment.expectation.after);
        if *side == 'W' { own } else { 1000.0 - own }
    };
    let expectations: Vec<f64> = assessed.iter().map(white).collect();
    // A tenth of the game, but at least the move itself and the one before it.
    let window = (assessed.len() / 10).clamp(2, 8);
    let weight = |n: usize| deviation(&expectations[(n + 1).saturating_sub(window)..=n]).clamp(WEIGHTS.0, WEIGHTS.1);
    let counted = assessed.iter().enumerate().filter(|(_, (assessment, _))| !assessment.forced);
    counted.map(|(n, &(assessment, side))| Counted { assessment, side, weight: weight(n) }).collect()
}

/// Returns the standard deviation of values.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count).sqrt()
}

impl Performance {
    fn of<'a>(counted: &(impl Iterator<Item = &'a Counted<'a>> + Clone)) -> Self {
        let marks = |judgement| {
            counted.clone().filter(|counted| counted.assessment.judgement == Some(judgement)).count() as u32
        };
        let moves = counted.clone().count() as u32;
        let loss: u32 = counted.clone().map(|counted| counted.assessment.loss_cm).sum();
        Self {
            moves,
            accuracy: (moves > 0).then(|| rounded(accuracy(counted.clone()))),
            average_loss_cm: (moves > 0).then(|| rounded(f64::from(loss) / f64::from(moves))),
            inaccuracies: marks(Judgement::Inaccuracy),
            mistakes: marks(Judgement::Mistake),
            blunders: marks(Judgement::Blunder),
        }
    }
}

/// Returns the mean of two means of the moves' accuracies: one weighted by how much the expectation changed around each
/// move, and the harmonic mean, which bad moves pull down.
fn accuracy<'a>(counted: impl Iterator<Item = &'a Counted<'a>> + Clone) -> f64 {
    let rated = counted.map(|counted| (move_accuracy(counted.assessment.expectation.loss()), counted.weight));
    let (mut weights, mut weighted, mut inverse, mut count) = (0.0, 0.0, 0.0, 0.0);
    for (accuracy, weight) in rated {
        weights += weight;
        weighted += weight * accuracy;
        inverse += 1.0 / accuracy;
        count += 1.0;
    }
    // Neither sum is 0: a weight is at least 10, and the loss of a whole point leaves an accuracy of 1.8.
    f64::midpoint(weighted / weights, count / inverse)
}

/// Returns the accuracy of a move that lost this many thousandths of a point.
fn move_accuracy(loss: u16) -> f64 {
    // Products are the same to the last bit on all machines; powers need not be.
    let (mut accuracy, mut power, mut rest) = (100.0, KEPT, loss);
    while rest > 0 {
        if rest % 2 == 1 {
            accuracy *= power;
        }
        power *= power;
        rest /= 2;
    }
    accuracy
}

/// Rounds to one decimal.
pub(super) fn rounded(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

/// Serializes the value of each side under its letter.
struct BySide<T>([T; 2]);

impl<T: Serialize> Serialize for BySide<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(["W", "B"].into_iter().zip(&self.0))
    }
}

struct ByPhase<'a>(&'a [Performance; 3]);

impl Serialize for ByPhase<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Phase::ALL.iter().map(|phase| phase.name()).zip(self.0))
    }
}

/// The members `accuracy`, `average_loss_cm`, `marks` and `phases` of a game, each an object with `W` and `B`.
impl Serialize for GamePerformance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [white, black] = &self.sides;
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("accuracy", &BySide([white.all.accuracy, black.all.accuracy]))?;
        map.serialize_entry("average_loss_cm", &BySide([white.all.average_loss_cm, black.all.average_loss_cm]))?;
        map.serialize_entry("marks", &BySide([Marks::of(&white.all), Marks::of(&black.all)]))?;
        map.serialize_entry("phases", &BySide([ByPhase(&white.phases), ByPhase(&black.phases)]))?;
        map.end()
    }
}

#[derive(Serialize)]
struct Marks {
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

impl Marks {
    const fn of(performance: &Performance) -> Self {
        let Performance { inaccuracies, mistakes, blunders, .. } = *performance;
        Self { inaccuracies, mistakes, blunders }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_with_the_loss() {
        for (loss, accuracy) in [(0, "100.0"), (100, "67.0"), (250, "36.7"), (1000, "1.8")] {
            assert_eq!(format!("{:.1}", move_accuracy(loss)), accuracy, "{loss}");
        }
    }

    #[test]
    fn deviations() {
        assert_eq!(format!("{:.1}", deviation(&[500.0, 500.0])), "0.0");
        assert_eq!(format!("{:.1}", deviation(&[400.0, 600.0])), "100.0");
    }
}
