//! Fitting weights: logistic regression by minibatches.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::model::{Decay, Model};
use super::positions::{SCALE, SplitSamples};
use crate::arena::openings::Random;
use crate::engine::{Layout, STEPS, Weights};
use crate::error::Error;
#[cfg(feature = "cli")]
use crate::options::ADVANCED;
use crate::rules::Variant;

/// Positions in a minibatch.
const BATCH: usize = 1 << 14;
/// Step of a weight, in log-odds, for the first minibatch; it falls linearly to zero.
const FIRST_STEP: f32 = 0.004;

/// How weights are fitted.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub(crate) struct FitOptions {
    /// Number of passes over the positions
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000))
    )]
    pub epochs: u32,
    /// How strongly weights are pulled towards zero, or towards those of `--from`
    // It is the inverse of the expected variance of weights, in log-odds.
    #[cfg_attr(feature = "cli", arg(long, value_name = "X", default_value_t = 120.0, help_heading = ADVANCED))]
    pub decay: f32,
    /// How strongly pattern weights are pulled [default: like the others]
    // With a strong pull, a few games correct only the weights of the terms and of the squares of men.
    #[cfg_attr(feature = "cli", arg(long, value_name = "X", help_heading = ADVANCED))]
    pub pattern_decay: Option<f32>,
    /// Start from the weights in FILE instead of material alone
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub from: Option<PathBuf>,
    /// Share of the game result in the value to predict; the rest is the search score
    #[cfg_attr(feature = "cli", arg(long, value_name = "SHARE", default_value_t = 0.7, help_heading = ADVANCED))]
    pub result_share: f32,
    /// Seed for the order of the positions
    #[cfg_attr(feature = "cli", arg(long, value_name = "S", default_value_t = 1, help_heading = ADVANCED))]
    pub seed: u64,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { epochs: 12, decay: 120.0, pattern_decay: None, from: None, result_share: 0.7, seed: 1 }
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
pub(crate) struct Fit {
    pub(crate) weights: Weights,
    /// Number of games.
    pub(crate) games: u64,
    /// Number of positions used for learning.
    pub(crate) positions: u64,
    /// Number of positions held out.
    pub(crate) held_out: u64,
}

impl Fit {
    /// Fits weights to the games in files, on a number of threads, on which the weights do not depend; `report` receives the loss on
    /// the positions held out after each epoch.
    ///
    /// # Errors
    ///
    /// If a file cannot be used, the weights to start from are for another variant, or threads cannot be started.
    pub(crate) fn of(
        files: &[PathBuf],
        variant: Variant,
        options: &FitOptions,
        jobs: NonZeroUsize,
        report: impl FnMut(u32, Loss) + Send,
    ) -> Result<Self, Error> {
        on_threads(jobs, || Self::fitted(files, variant, options, report))?
    }

    fn fitted(
        files: &[PathBuf],
        variant: Variant,
        options: &FitOptions,
        mut report: impl FnMut(u32, Loss),
    ) -> Result<Self, Error> {
        let layout = Layout::of(variant.spec());
        let prior = options.from.as_deref().map(Weights::open).transpose()?;
        prior.as_ref().map_or(Ok(()), |prior| prior.check(variant))?;
        let samples = SplitSamples::read(files, variant, &layout, options.result_share)?;
        let (learned, held_out) = (&samples.learned, &samples.held_out);
        if learned.len() == 0 {
            let games = samples.games;
            return Err(Error::unavailable(format!("nothing to learn from: no quiet position in {games} games")));
        }
        let decay = Decay { patterns: options.pattern_decay.unwrap_or(options.decay), terms: options.decay };
        let mut model = Model::new(&layout, learned, prior.as_ref(), decay);
        let mut order: Vec<usize> = (0..learned.len()).collect();
        let steps = (order.len().div_ceil(BATCH) * options.epochs as usize) as f32;
        let mut rates = (0..).map(|step| FIRST_STEP * (1.0 - step as f32 / steps));
        for epoch in 1..=options.epochs {
            // A different order in each epoch, but the same in each run.
            // Any seed may be given, the largest number too.
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
