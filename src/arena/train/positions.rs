//! The positions from which weights are learned.

use std::collections::HashSet;
use std::path::PathBuf;

use super::self_play::read;
use crate::engine::{EIGHTS, Features, Layout};
use crate::error::Error;
use crate::rules::Variant;

/// Maximum score, in centi-men, of a position to learn from: nothing can be learned from decided games.
const MAX_SCORE: i32 = 1500;
/// One game in this many is held out.
const HELD_OUT: u64 = 20;

/// Positions with their parameters and the value to predict.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// The index of the pattern of eight squares of each table for White and for Black.
    eights: Vec<[[u16; 2]; EIGHTS]>,
    /// The same for the patterns of twelve squares, position after position.
    twelves: Vec<[u32; 2]>,
    terms: Vec<(u16, i8)>,
    /// The end of the terms of each position.
    ends: Vec<usize>,
    men: Vec<u8>,
    /// The share of the points that White is expected to get.
    wanted: Vec<f32>,
}

impl Samples {
    fn add(&mut self, features: &Features, terms: usize, wanted: f32) {
        self.eights.push(features.eights);
        self.twelves.extend(&features.twelves);
        let squares = features.squares.iter().map(|&(square, count)| (terms as u16 + square, count));
        self.terms.extend(features.terms.iter().copied().chain(squares));
        self.ends.push(self.terms.len());
        self.men.push(features.men);
        self.wanted.push(wanted);
    }

    pub(super) const fn len(&self) -> usize {
        self.wanted.len()
    }

    /// Returns the indices of the pattern of eight squares of a table for White and for Black.
    pub(super) fn eight(&self, n: usize, table: usize) -> [usize; 2] {
        self.eights[n][table].map(usize::from)
    }

    /// Returns the indices of the pattern of twelve squares of a table for White and for Black.
    pub(super) fn twelve(&self, n: usize, table: usize) -> [usize; 2] {
        let tables = self.twelves.len() / self.len();
        self.twelves[n * tables + table].map(|index| index as usize)
    }

    /// Returns the terms, then the squares of men, with their counts for White less those for Black.
    pub(super) fn terms(&self, n: usize) -> &[(u16, i8)] {
        let start = n.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.terms[start..self.ends[n]]
    }

    /// Returns the number of men on the board.
    pub(super) fn men(&self, n: usize) -> u8 {
        self.men[n]
    }

    /// Returns the share of the points that White is expected to get.
    pub(super) fn wanted(&self, n: usize) -> f32 {
        self.wanted[n]
    }
}

/// The samples of some games: those to learn from, and those held out.
#[derive(Debug, Default)]
pub(super) struct SplitSamples {
    pub(super) learned: Samples,
    pub(super) held_out: Samples,
    pub(super) games: u64,
}

impl SplitSamples {
    /// Reads the positions of files of games in which neither side can capture, each position once. `result_share` is the share of
    /// the result of the game in the value to predict; the rest is the score of the search.
    pub(super) fn read(files: &[PathBuf], variant: Variant, layout: &Layout, result_share: f32) -> Result<Self, Error> {
        let (mut samples, mut seen) = (Self::default(), HashSet::new());
        for file in files {
            for game in read(file, variant)? {
                samples.games += 1;
                let held_out = game.game % HELD_OUT == 0;
                let list = if held_out { &mut samples.held_out } else { &mut samples.learned };
                let result = f32::from(game.points) / 2.0;
                game.each_position(variant, |position, score| {
                    let is_quiet = || !position.can_capture() && !position.pass().can_capture();
                    // Over all games: a position that was learned from must not be held out too.
                    if score.abs() <= MAX_SCORE && is_quiet() && seen.insert(position.key()) {
                        let wanted = result_share * result + (1.0 - result_share) * sigmoid(score as f32 / SCALE);
                        list.add(&layout.features(position), layout.terms(), wanted);
                    }
                });
            }
        }
        Ok(samples)
    }
}

/// Centi-men for which the odds of winning grow by a factor of e.
pub(super) const SCALE: f32 = 125.0;

/// The logistic function, computed with basic operations, which give the same result on every machine.
pub(super) fn sigmoid(x: f32) -> f32 {
    // Beyond these the result is 0 or 1 in 32 bits anyway, and the exponent stays in range.
    let x = x.clamp(-30.0, 30.0);
    1.0 / (1.0 + exp(-x))
}

/// Returns e to the power of a number: two to an integer, times a polynomial of the rest.
fn exp(x: f32) -> f32 {
    let power = x * std::f32::consts::LOG2_E;
    let whole = power.floor();
    let rest = (power - whole) * std::f32::consts::LN_2;
    // The first term left out is less than 2⁻²³, the precision of a float.
    let series = (1..=8).rev().fold(1.0, |sum, n| 1.0 + sum * rest / n as f32);
    // The bits of a float have its power of two, plus 127, from bit 23 on.
    series * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logistic_function_is_exact_enough() {
        for n in -200..=200 {
            let x = n as f32 / 10.0;
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - exact).abs() < 2e-6, "{x}: {} {exact}", sigmoid(x));
        }
    }
}
