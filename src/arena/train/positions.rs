//! The positions from which weights are learned.

use std::collections::HashSet;
use std::path::PathBuf;

use super::games::{SelfPlayGame, read};
use crate::board::Side;
use crate::engine::{Features, Layout};
use crate::error::Error;
use crate::rules::{Position, Variant};

/// Largest score, in centi-men, of a position that is learned from: what is decided teaches nothing.
const MAX_SCORE: i16 = 1500;
/// One game in so many is held out.
const HELD_OUT: u64 = 20;

/// A position with what it has of each parameter, and what became of it.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) features: Features,
    /// Points of White, 0, 0.5 or 1.
    pub(super) result: f32,
    /// Score for White, in centi-men.
    pub(super) score: f32,
}

/// The samples of some games: those to learn from, and those held out.
#[derive(Debug, Default)]
pub(super) struct Samples {
    pub(super) learned: Vec<Sample>,
    pub(super) held_out: Vec<Sample>,
    pub(super) games: u64,
}

impl Samples {
    /// Reads the quiet positions of files of games, each position once.
    pub(super) fn read(files: &[PathBuf], variant: Variant, layout: &Layout) -> Result<Self, Error> {
        let (mut samples, mut seen) = (Self::default(), HashSet::new());
        for file in files {
            for game in read(file, variant)? {
                samples.games += 1;
                let held_out = game.game % HELD_OUT == 0;
                let list = if held_out { &mut samples.held_out } else { &mut samples.learned };
                quiet_positions(&game, variant, |position, score| {
                    if seen.insert(position.key()) {
                        let (result, features) = (f32::from(game.points) / 2.0, layout.features(position));
                        list.push(Sample { features, result, score });
                    }
                });
            }
        }
        Ok(samples)
    }
}

/// Passes each position after the random plies in which neither side can capture, with its score for White.
fn quiet_positions(game: &SelfPlayGame, variant: Variant, mut pass: impl FnMut(&Position, f32)) {
    let Some(line) = game.line(variant) else { return };
    let mut position = Position::start(variant);
    for (ply, step) in line.iter().enumerate() {
        if let Some(&score) = ply.checked_sub(usize::from(game.random)).and_then(|searched| game.scores.get(searched))
            && score.abs() <= MAX_SCORE
            && !position.can_capture()
            && !position.pass().can_capture()
        {
            let sign = if position.turn() == Side::White { 1.0 } else { -1.0 };
            pass(&position, sign * f32::from(score));
        }
        position = position.play_unchecked(step);
    }
}
