//! Fitting weights: logistic regression by minibatches.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::positions::{Sample, Samples};
use crate::engine::{Layout, STEPS, Weights};
use crate::error::Error;
use crate::rules::Variant;

/// Centi-men for which the odds of winning grow by a factor of e.
const SCALE: f32 = 125.0;
/// Positions in a minibatch.
const BATCH: usize = 1 << 14;
/// Parts of a minibatch, whose sums are added in order: the result does not depend on the number of threads.
const SHARDS: usize = 8;
/// Phases of a game.
const PHASES: usize = 2;

/// How weights are fitted.
#[derive(Clone, Debug)]
pub struct FitOptions {
    epochs: u32,
    decay: f32,
    result_share: f32,
    seed: u64,
    jobs: NonZeroUsize,
}

impl FitOptions {
    /// Sets the number of threads, on which the weights do not depend.
    #[must_use]
    pub const fn with_jobs(self, jobs: NonZeroUsize) -> Self {
        Self { jobs, ..self }
    }

    /// Sets how often each position is used, and the seed of the order of the positions.
    #[must_use]
    pub const fn with_epochs(self, epochs: u32, seed: u64) -> Self {
        Self { epochs, seed, ..self }
    }

    /// Sets the strength of the pull of each weight towards zero: the inverse of the variance that is expected of weights as
    /// logarithms of odds.
    #[must_use]
    pub const fn with_decay(self, decay: f32) -> Self {
        Self { decay, ..self }
    }

    /// Sets the share of the result of the game, from 0 to 1, in what is to be predicted; the rest is the score of the search.
    #[must_use]
    pub const fn with_result_share(self, result_share: f32) -> Self {
        Self { result_share, ..self }
    }
}

impl Default for FitOptions {
    /// Returns twelve epochs, a decay of 120, a share of 0.7, the seed 1 and one thread.
    fn default() -> Self {
        Self { epochs: 12, decay: 120.0, result_share: 0.7, seed: 1, jobs: NonZeroUsize::MIN }
    }
}

/// The mean loss of predictions, in nats for each position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    opening: f64,
    middle: f64,
    ending: f64,
    all: f64,
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
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Number of games.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Number of positions that were learned from.
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// Number of positions held out.
    pub const fn held_out(&self) -> u64 {
        self.held_out
    }

    /// Loss on the positions held out.
    pub const fn loss(&self) -> Loss {
        self.loss
    }

    /// Fits weights to the games of some files; `report` receives the loss on the positions held out after each epoch.
    ///
    /// # Errors
    ///
    /// If a file cannot be used, there is no learned evaluation for the board, or threads cannot be started.
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
        let layout = Layout::of(variant.shape(), variant.spec().start_rows.rows)
            .ok_or_else(|| Error::unavailable(format!("there is no learned evaluation for {variant}")))?;
        let mut samples = Samples::read(files, variant, &layout)?;
        let mut model = Model::new(&layout, options);
        let batches = samples.learned.len().div_ceil(BATCH);
        let steps = batches * options.epochs as usize;
        let mut step = 0;
        for epoch in 1..=options.epochs {
            shuffle(&mut samples.learned, options.seed.wrapping_add(u64::from(epoch)));
            for batch in samples.learned.chunks(BATCH) {
                let total = samples.learned.len() as f32;
                model.learn(batch, total, 1.0 - step as f32 / steps as f32);
                step += 1;
            }
            report(epoch, model.loss(&samples.held_out));
        }
        Ok(Self {
            weights: Weights::new(variant.name(), model.quantized()),
            games: samples.games,
            positions: samples.learned.len() as u64,
            held_out: samples.held_out.len() as u64,
            loss: model.loss(&samples.held_out),
        })
    }
}

/// Weights as logarithms of odds, with the state of the optimizer (Adam).
struct Model {
    weights: Vec<[f32; PHASES]>,
    mean: Vec<[f32; PHASES]>,
    square: Vec<[f32; PHASES]>,
    /// The values to which the weights are pulled.
    prior: Vec<f32>,
    steps: i32,
    max_men: f32,
    decay: f32,
    result_share: f32,
}

impl Model {
    fn new(layout: &Layout, options: &FitOptions) -> Self {
        let mut prior = vec![0.0; layout.parameters()];
        for (parameter, centi_men) in Layout::material() {
            prior[parameter] = centi_men / SCALE;
        }
        Self {
            weights: prior.iter().map(|&weight| [weight; PHASES]).collect(),
            mean: vec![[0.0; PHASES]; prior.len()],
            square: vec![[0.0; PHASES]; prior.len()],
            prior,
            steps: 0,
            max_men: layout.max_men() as f32,
            decay: options.decay,
            result_share: options.result_share,
        }
    }

    /// Returns the share of each phase in a position.
    fn phases(&self, sample: &Sample) -> [f32; PHASES] {
        let opening = f32::from(sample.features.men) / self.max_men;
        [opening, 1.0 - opening]
    }

    fn predicted(&self, sample: &Sample) -> f32 {
        let [opening, ending] = self.phases(sample);
        let value = |parameter: u32| {
            let [first, last] = self.weights[parameter as usize];
            first * opening + last * ending
        };
        let features = &sample.features;
        let white: f32 = features.white.iter().map(|&parameter| value(parameter)).sum();
        let black: f32 = features.black.iter().map(|&parameter| value(parameter)).sum();
        let terms: f32 = features.terms.iter().map(|&(parameter, count)| value(parameter) * f32::from(count)).sum();
        sigmoid(white - black + terms)
    }

    fn wanted(&self, sample: &Sample) -> f32 {
        self.result_share * sample.result + (1.0 - self.result_share) * sigmoid(sample.score / SCALE)
    }

    /// Moves the weights along the gradient of a minibatch. `total` is the number of all positions, `rate` the share of the
    /// first rate of learning.
    fn learn(&mut self, batch: &[Sample], total: f32, rate: f32) {
        let shard = batch.len().div_ceil(SHARDS);
        let shards = map_chunks(batch, shard.max(1), |shard| self.gradient(shard));
        self.steps += 1;
        let (first, second) = (0.9_f32, 0.999_f32);
        let (first_bias, second_bias) = (1.0 - powi(first, self.steps), 1.0 - powi(second, self.steps));
        let rate = 0.004 * rate;
        for parameter in 0..self.weights.len() {
            for phase in 0..PHASES {
                let sum: f32 = shards.iter().map(|shard| shard[parameter][phase]).sum();
                let weight = self.weights[parameter][phase];
                let pull = self.decay * (weight - self.prior[parameter]) / total;
                let gradient = sum / batch.len() as f32 + pull;
                let mean = &mut self.mean[parameter][phase];
                *mean = first * *mean + (1.0 - first) * gradient;
                let square = &mut self.square[parameter][phase];
                *square = second * *square + (1.0 - second) * gradient * gradient;
                let step = (*mean / first_bias) / ((*square / second_bias).sqrt() + 1e-8);
                self.weights[parameter][phase] = weight - rate * step;
            }
        }
    }

    /// Returns the sum of the gradients of the loss of some samples.
    fn gradient(&self, samples: &[Sample]) -> Vec<[f32; PHASES]> {
        let mut gradient = vec![[0.0; PHASES]; self.weights.len()];
        for sample in samples {
            let error = self.predicted(sample) - self.wanted(sample);
            let phases = self.phases(sample).map(|share| share * error);
            let mut add = |parameter: u32, count: f32| {
                for (sum, share) in gradient[parameter as usize].iter_mut().zip(phases) {
                    *sum += count * share;
                }
            };
            sample.features.white.iter().for_each(|&parameter| add(parameter, 1.0));
            sample.features.black.iter().for_each(|&parameter| add(parameter, -1.0));
            sample.features.terms.iter().for_each(|&(parameter, count)| add(parameter, f32::from(count)));
        }
        gradient
    }

    /// Returns the mean loss of some samples.
    fn loss(&self, samples: &[Sample]) -> Loss {
        let of_chunk = |chunk: &[Sample]| -> Vec<(f32, f64)> {
            chunk.iter().map(|sample| (self.phases(sample)[0], self.loss_of(sample))).collect()
        };
        let losses = map_chunks(samples, BATCH, of_chunk).concat();
        let mean = |from: f32, to: f32| {
            let of_phase = losses.iter().filter(|(phase, _)| *phase > from && *phase <= to);
            let (count, sum) = of_phase.fold((0, 0.0), |(count, sum), (_, loss)| (count + 1, sum + loss));
            sum / f64::from(count.max(1))
        };
        Loss {
            opening: mean(2.0 / 3.0, 1.0),
            middle: mean(1.0 / 3.0, 2.0 / 3.0),
            ending: mean(-1.0, 1.0 / 3.0),
            all: mean(-1.0, 1.0),
        }
    }

    fn loss_of(&self, sample: &Sample) -> f64 {
        let (predicted, wanted) = (f64::from(self.predicted(sample)), f64::from(self.wanted(sample)));
        let predicted = predicted.clamp(1e-6, 1.0 - 1e-6);
        -wanted * predicted.ln() - (1.0 - wanted) * (1.0 - predicted).ln()
    }

    /// Returns the weights in steps of a file of weights.
    fn quantized(&self) -> Vec<[i16; PHASES]> {
        let quantized = |weight: f32| (weight * SCALE * STEPS as f32).round() as i16;
        self.weights.iter().map(|phases| phases.map(quantized)).collect()
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

/// Maps parts of a list, in parallel, and returns the results in order.
#[cfg(feature = "parallel")]
fn map_chunks<T: Sync, U: Send>(items: &[T], size: usize, work: impl Fn(&[T]) -> U + Sync + Send) -> Vec<U> {
    use rayon::prelude::*;
    items.par_chunks(size).map(work).collect()
}

/// Maps parts of a list and returns the results in order.
#[cfg(not(feature = "parallel"))]
fn map_chunks<T, U>(items: &[T], size: usize, work: impl Fn(&[T]) -> U) -> Vec<U> {
    items.chunks(size).map(work).collect()
}

/// The logistic function by the basic operations, which give the same result on every machine.
fn sigmoid(x: f32) -> f32 {
    let x = x.clamp(-30.0, 30.0);
    1.0 / (1.0 + exp(-x))
}

/// Returns e to the power of a number: two to an integer, times a polynomial of the rest.
fn exp(x: f32) -> f32 {
    let power = x * std::f32::consts::LOG2_E;
    let whole = power.floor();
    let rest = (power - whole) * std::f32::consts::LN_2;
    let series = (1..=8).rev().fold(1.0, |sum, n| 1.0 + sum * rest / n as f32);
    series * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

fn powi(base: f32, exponent: i32) -> f32 {
    (0..exponent.min(100_000)).fold(1.0, |power, _| power * base)
}

/// Brings samples into a random order that the seed determines.
fn shuffle(samples: &mut [Sample], seed: u64) {
    let mut random = crate::arena::openings::Random::new(seed, 0);
    for n in (1..samples.len()).rev() {
        samples.swap(n, (random.next() % (n as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "parallel")]
    #[test]
    fn work_is_done_on_the_requested_number_of_threads() {
        for jobs in [1, 3] {
            let jobs = NonZeroUsize::new(jobs).expect("not zero");
            assert_eq!(on_threads(jobs, rayon::current_num_threads).expect("threads"), jobs.get());
        }
    }

    #[test]
    fn the_logistic_function_is_exact_enough() {
        for n in -200..=200 {
            let x = n as f32 / 10.0;
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - exact).abs() < 2e-6, "{x}: {} {exact}", sigmoid(x));
        }
    }
}
