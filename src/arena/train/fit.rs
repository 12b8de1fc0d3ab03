//! Fitting weights: logistic regression by minibatches.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::model::{Decay, Model};
use super::positions::{SCALE, SplitSamples};
use crate::arena::openings::Random;
use crate::engine::{Layout, STEPS, Weights, setters};
use crate::error::Error;
use crate::rules::Variant;

/// Positions in a minibatch.
const BATCH: usize = 1 << 14;
/// Step of a weight, in log-odds, for the first minibatch; it falls linearly to zero.
const FIRST_STEP: f32 = 0.004;

/// Options for fitting weights.
#[derive(Clone, Debug)]
pub struct FitOptions {
    epochs: u32,
    decay: Decay,
    result_share: f32,
    seed: u64,
    jobs: NonZeroUsize,
    prior: Option<Weights>,
}

impl FitOptions {
    setters! {
        /// Sets the number of threads, on which the weights do not depend.
        with_jobs(jobs: NonZeroUsize);
        /// Sets the share of the result of the game, from 0 to 1, in the value to predict; the rest is the score of the
        /// search.
        with_result_share(result_share: f32);
    }

    /// Sets the weights to start from, towards which each weight is pulled; without them, those that count material only.
    #[must_use]
    pub(crate) fn with_prior(self, prior: Weights) -> Self {
        Self { prior: Some(prior), ..self }
    }

    /// Sets the number of times each position is used, and the seed for the order of the positions.
    #[must_use]
    pub(crate) fn with_epochs(self, epochs: u32, seed: u64) -> Self {
        Self { epochs, seed, ..self }
    }

    /// Sets the strength of the pull of each weight towards the prior: the inverse of the expected variance of weights,
    /// in log-odds.
    #[must_use]
    pub(crate) fn with_decay(self, decay: f32) -> Self {
        Self { decay: Decay { patterns: decay, terms: decay }, ..self }
    }

    /// Sets another strength of the pull for the weights of patterns; must be called after
    /// [`with_decay`](Self::with_decay), which sets both. With a strong pull, a few games correct only the weights of
    /// the terms and of the squares of men.
    #[must_use]
    pub(crate) fn with_pattern_decay(self, patterns: f32) -> Self {
        Self { decay: Decay { patterns, ..self.decay }, ..self }
    }
}

impl Default for FitOptions {
    /// Returns twelve epochs, a decay of 120, a share of 0.7, the seed 1, one thread and no prior.
    fn default() -> Self {
        let decay = Decay { patterns: 120.0, terms: 120.0 };
        Self { epochs: 12, decay, result_share: 0.7, seed: 1, jobs: NonZeroUsize::MIN, prior: None }
    }
}

/// The mean loss of predictions, in nats for each position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    pub(super) opening: f64,
    pub(super) middle: f64,
    pub(super) ending: f64,
    pub(super) all: f64,
}

/// As text: the loss of all positions, then of those with more than two thirds of the men of a game, with a third to two
/// thirds, and with fewer.
impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { opening, middle, ending, all } = self;
        write!(f, "{all:.5} (opening {opening:.5}, middle {middle:.5}, ending {ending:.5})")
    }
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    weights: Weights,
    games: u64,
    positions: u64,
    held_out: u64,
    loss: Loss,
}

impl Fit {
    /// The weights.
    pub(crate) const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Number of games.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Number of positions used for learning.
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// Number of positions held out.
    pub(crate) const fn held_out(&self) -> u64 {
        self.held_out
    }

    /// Loss on the positions held out.
    pub const fn loss(&self) -> Loss {
        self.loss
    }

    /// Fits weights to the games in files; `report` receives the loss on the positions held out after each epoch.
    ///
    /// # Errors
    ///
    /// If a file cannot be used, the prior is for another variant, or threads cannot be started.
    pub fn of(
        files: &[PathBuf],
        variant: Variant,
        options: &FitOptions,
        report: impl FnMut(u32, Loss) + Send,
    ) -> Result<Self, Error> {
        on_threads(options.jobs, || Self::fitted(files, variant, options, report))?
    }

    fn fitted(
        files: &[PathBuf],
        variant: Variant,
        options: &FitOptions,
        mut report: impl FnMut(u32, Loss),
    ) -> Result<Self, Error> {
        let layout = Layout::of(variant.spec());
        if let Some(other) = options.prior.as_ref().filter(|prior| !prior.is_for(variant.spec())) {
            return Err(Error::unavailable(format!("the weights to start from are for {}", other.variant())));
        }
        let samples = SplitSamples::read(files, variant, &layout, options.result_share)?;
        let (learned, held_out) = (&samples.learned, &samples.held_out);
        if learned.len() == 0 {
            let games = samples.games;
            return Err(Error::unavailable(format!("nothing to learn from: no quiet position in {games} games")));
        }
        let mut model = Model::new(&layout, learned, options.prior.as_ref(), options.decay);
        let mut order: Vec<usize> = (0..learned.len()).collect();
        let steps = (order.len().div_ceil(BATCH) * options.epochs as usize) as f32;
        let mut rates = (0..).map(|step| FIRST_STEP * (1.0 - step as f32 / steps));
        for epoch in 1..=options.epochs {
            // A different order in each epoch, but the same in each run.
            shuffle(&mut order, options.seed.wrapping_add(u64::from(epoch)));
            for (batch, rate) in order.chunks(BATCH).zip(&mut rates) {
                model.learn(learned, batch, rate);
            }
            report(epoch, model.loss(held_out));
        }
        // The cast clamps what does not fit into 16 bits.
        let quantized = |weight: f32| (weight * SCALE * STEPS as f32).round() as i16;
        Ok(Self {
            weights: Weights::new(variant.name(), model.weights().map(|phases| phases.map(quantized)).collect()),
            games: samples.games,
            positions: learned.len() as u64,
            held_out: held_out.len() as u64,
            loss: model.loss(held_out),
        })
    }
}

/// Shuffles positions in an order determined by the seed.
fn shuffle(order: &mut [usize], seed: u64) {
    let mut random = Random::new(seed, 0);
    for n in (1..order.len()).rev() {
        order.swap(n, (random.next() % (n as u64 + 1)) as usize);
    }
}

/// Runs work on a number of threads.
#[cfg(feature = "parallel")]
fn on_threads<T: Send>(jobs: NonZeroUsize, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.get()).build();
    let pool = pool.map_err(|error| Error::unavailable(format!("cannot start threads: {error}")))?;
    Ok(pool.install(work))
}

/// Runs work on this thread.
#[cfg(not(feature = "parallel"))]
#[expect(clippy::unnecessary_wraps, reason = "as with threads")]
fn on_threads<T>(_: NonZeroUsize, work: impl FnOnce() -> T) -> Result<T, Error> {
    Ok(work())
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_on_the_requested_number_of_threads() {
        for jobs in [1, 3] {
            let jobs = NonZeroUsize::new(jobs).expect("not zero");
            assert_eq!(on_threads(jobs, rayon::current_num_threads).expect("threads"), jobs.get());
        }
    }
}
