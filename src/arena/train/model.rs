//! The parameters of an evaluation while they are fitted: logistic regression with Adam.
//!
//! The weight of a pattern of eight squares is the sum of its parameter and the parameters of its halves and its men's
//! squares, so that rare patterns have sensible weights too. In the resulting weights, the parameter of each pattern
//! contains the others. A pattern of twelve squares has only one parameter, which adds to the two patterns of eight
//! squares in it.
//!
//! The tables of patterns share no parameters, so that each has a thread to itself. Each thread sums in the order of
//! the positions, so the result does not depend on the number of threads.

use super::fit::Loss;
use super::positions::{SCALE, Samples, sigmoid};
use crate::engine::{EIGHT, EIGHTS, Layout, PHASES, STEPS, TWELVE, Weights};
use crate::pool::map;

/// Adam's decay rates for the mean and the mean square of gradients.
const FORGET: [f32; 2] = [0.9, 0.999];
/// Number of indices of half a pattern of eight squares.
const HALF: usize = 81;
/// The group of the terms and the squares of men, after one group for each table of patterns of eight squares.
const TERM_GROUP: usize = EIGHTS;
/// Positions whose predictions one thread makes at a time.
const CHUNK: usize = 1024;

/// A weight in log-odds, by phase, with the state of its optimizer.
#[derive(Clone, Copy, Debug, Default)]
struct Parameter {
    weight: [f32; PHASES],
    /// The value towards which the weight is pulled.
    prior: [f32; PHASES],
    /// The pull towards the prior for each occurrence in a position.
    pull: [f32; PHASES],
    /// The sum of the gradients in a minibatch.
    gradient: [f32; PHASES],
    mean: [f32; PHASES],
    square: [f32; PHASES],
    /// Number of steps.
    steps: i32,
    /// True if it occurs in the minibatch.
    is_met: bool,
}

impl Parameter {
    fn with_prior(prior: [f32; PHASES]) -> Self {
        Self { weight: prior, prior, ..Self::default() }
    }

    /// Adds the gradient of a position in which the parameter occurs `count` times.
    fn add(&mut self, error: f32, shares: [f32; PHASES], count: f32) {
        for (phase, share) in shares.into_iter().enumerate() {
            let pull = self.pull[phase] * (self.weight[phase] - self.prior[phase]) * count.abs();
            self.gradient[phase] += share * (error * count + pull);
        }
    }

    /// Moves the weight along the gradient of a minibatch.
    fn step(&mut self, batch: usize, rate: f32) {
        self.steps += 1;
        self.is_met = false;
        let [mean_bias, square_bias] = FORGET.map(|rate| 1.0 - power(rate, self.steps));
        for phase in 0..PHASES {
            let gradient = std::mem::take(&mut self.gradient[phase]) / batch as f32;
            let (mean, square) = (&mut self.mean[phase], &mut self.square[phase]);
            *mean += (1.0 - FORGET[0]) * (gradient - *mean);
            *square += (1.0 - FORGET[1]) * (gradient * gradient - *square);
            // The small number keeps the quotient finite where all gradients were 0.
            self.weight[phase] -= rate * (*mean / mean_bias) / ((*square / square_bias).sqrt() + 1e-8);
        }
    }
}

/// The parameters of one table of patterns, for eight squares with their halves; or of the terms and the squares of men.
struct Group {
    parameters: Vec<Parameter>,
    /// The parameters that occur in the minibatch.
    met: Vec<usize>,
}

impl Group {
    fn new(size: usize) -> Self {
        Self { parameters: vec![Parameter::default(); size], met: Vec::new() }
    }

    fn meet(&mut self, n: usize) -> &mut Parameter {
        let parameter = &mut self.parameters[n];
        if !parameter.is_met {
            parameter.is_met = true;
            self.met.push(n);
        }
        parameter
    }

    fn step(&mut self, batch: usize, rate: f32) {
        for n in self.met.drain(..) {
            self.parameters[n].step(batch, rate);
        }
    }
}

/// The strength with which weights are pulled towards the prior: the inverse of their expected variance, in log-odds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decay {
    /// For patterns and their halves.
    pub(super) patterns: f32,
    /// For terms and the squares of men.
    pub(super) terms: f32,
}

/// The parameters of an evaluation.
pub(super) struct Model {
    /// One group for each table of patterns of eight squares, one for the terms, and one for each table of twelve squares.
    groups: Vec<Group>,
    layout: Layout,
}

impl Model {
    /// Returns a model with the weights of the prior, or one that counts material only.
    pub(super) fn new(layout: &Layout, samples: &Samples, prior: Option<&Weights>, decay: Decay) -> Self {
        let sizes = [EIGHT + 2 * HALF; EIGHTS].into_iter().chain([layout.terms() + layout.squares()]);
        let sizes = sizes.chain(layout.eights_in_twelves().into_iter().map(|_| TWELVE));
        let mut model = Self { groups: sizes.map(Group::new).collect(), layout: layout.clone() };
        match prior {
            Some(weights) => model.start_from(weights),
            None => {
                for (term, centi_men) in Layout::material() {
                    model.groups[TERM_GROUP].parameters[term] = Parameter::with_prior([centi_men / SCALE; PHASES]);
                }
            }
        }
        model.set_pulls(samples, decay);
        model
    }

    fn start_from(&mut self, weights: &Weights) {
        let as_odds = |phases: &[i16; PHASES]| phases.map(|weight| f32::from(weight) / (SCALE * STEPS as f32));
        let (eights, rest) = weights.values.split_at(EIGHTS * EIGHT);
        // The oldest weights end within the terms.
        let (terms, twelves) = rest.split_at(self.layout.terms().min(rest.len()));
        let values = eights.chunks(EIGHT).chain([terms]).chain(twelves.chunks(TWELVE));
        for (group, values) in self.groups.iter_mut().zip(values) {
            for (parameter, value) in group.parameters.iter_mut().zip(values) {
                *parameter = Parameter::with_prior(as_odds(value));
            }
        }
    }

    /// Divides the pull of each parameter among the positions in which it occurs.
    fn set_pulls(&mut self, samples: &Samples, decay: Decay) {
        let shares: Vec<_> = (0..samples.len()).map(|n| self.phases(samples, n)).collect();
        each_group(&mut self.groups, |table, group| {
            let decay = if table == TERM_GROUP { decay.terms } else { decay.patterns };
            let mut total = vec![[0.0; PHASES]; group.parameters.len()];
            for (n, shares) in shares.iter().enumerate() {
                each_count(samples, n, table, |parameter, count: f32| {
                    (0..PHASES).for_each(|phase| total[parameter][phase] += shares[phase] * count.abs());
                });
            }
            for (parameter, total) in group.parameters.iter_mut().zip(total) {
                // A parameter that does not occur is never changed, and needs no pull.
                parameter.pull = total.map(|total| if total > 0.0 { decay / total } else { 0.0 });
            }
        });
    }

    /// Returns the share of each phase in a position.
    fn phases(&self, samples: &Samples, n: usize) -> [f32; PHASES] {
        let opening = f32::from(samples.men(n)) / self.layout.max_men as f32;
        [opening, 1.0 - opening]
    }

    fn predicted(&self, samples: &Samples, n: usize) -> f32 {
        let mut sums = [0.0; PHASES];
        for (table, group) in self.groups.iter().enumerate() {
            each_count(samples, n, table, |parameter, count| {
                let weight = &group.parameters[parameter].weight;
                (0..PHASES).for_each(|phase| sums[phase] += weight[phase] * count);
            });
        }
        sigmoid(self.phases(samples, n).iter().zip(sums).map(|(share, sum)| share * sum).sum())
    }

    /// Moves the weights along the gradient of a minibatch.
    pub(super) fn learn(&mut self, samples: &Samples, batch: &[usize], rate: f32) {
        let error = |&n: &usize| (n, self.predicted(samples, n) - samples.wanted(n), self.phases(samples, n));
        let errors = map_items(batch, error);
        each_group(&mut self.groups, |table, group| {
            for &(n, error, shares) in &errors {
                each_count(samples, n, table, |parameter, count| group.meet(parameter).add(error, shares, count));
            }
            group.step(batch.len(), rate);
        });
    }

    /// Returns the mean loss of some samples.
    pub(super) fn loss(&self, samples: &Samples) -> Loss {
        let all: Vec<usize> = (0..samples.len()).collect();
        let loss = |&n: &usize| (self.phases(samples, n)[0], self.loss_of(samples, n));
        let losses = map_items(&all, loss);
        let mean = |from: f32, to: f32| {
            let of_phase = losses.iter().filter(|(phase, _)| *phase > from && *phase <= to);
            let (count, sum) = of_phase.fold((0, 0.0), |(count, sum), (_, loss)| (count + 1, sum + loss));
            sum / f64::from(count.max(1))
        };
        Loss {
            opening: mean(2.0 / 3.0, 1.0),
            middle: mean(1.0 / 3.0, 2.0 / 3.0),
            // From below 0, so that positions without men count too.
            ending: mean(-1.0, 1.0 / 3.0),
            all: mean(-1.0, 1.0),
        }
    }

    fn loss_of(&self, samples: &Samples, n: usize) -> f64 {
        let (predicted, wanted) = (f64::from(self.predicted(samples, n)), f64::from(samples.wanted(n)));
        // The logarithm of 0 would make the mean infinite.
        let predicted = predicted.clamp(1e-6, 1.0 - 1e-6);
        -wanted * predicted.ln() - (1.0 - wanted) * (1.0 - predicted).ln()
    }

    /// Returns the weights of each parameter of an evaluation, in log-odds.
    pub(super) fn weights(&self) -> impl Iterator<Item = [f32; PHASES]> {
        let squares = self.squares_in_patterns();
        let eights = (0..EIGHTS).flat_map(move |table| {
            let squares = squares[table].clone();
            (0..EIGHT).map(move |index| self.folded(table, index, &squares))
        });
        let terms = (0..self.layout.terms()).map(|term| self.weight(TERM_GROUP, term));
        let twelves = self.groups[TERM_GROUP + 1..].iter().flat_map(|group| &group.parameters);
        eights.chain(terms).chain(twelves.map(|parameter| parameter.weight))
    }

    fn weight(&self, group: usize, parameter: usize) -> [f32; PHASES] {
        self.groups[group].parameters[parameter].weight
    }

    /// Returns the weight of a pattern of eight squares with its halves and squares.
    fn folded(&self, table: usize, index: usize, squares: &[SquareInPattern]) -> [f32; PHASES] {
        let parts = parts(index).map(|part| self.weight(table, part));
        let of_squares = squares.iter().filter(|cell| index / cell.power % 3 == cell.digit).map(|cell| cell.weight);
        parts
            .into_iter()
            .chain(of_squares)
            .fold([0.0; PHASES], |sum, weight| std::array::from_fn(|phase| sum[phase] + weight[phase]))
    }

    /// Returns the squares of each table's patterns. The weight of a square is divided evenly among the patterns over it.
    fn squares_in_patterns(&self) -> Vec<Vec<SquareInPattern>> {
        let mut tables = vec![Vec::new(); EIGHTS];
        for square in 0..self.layout.squares() {
            let (weight, cells) = (self.weight(TERM_GROUP, self.layout.terms() + square), self.layout.cells(square));
            for &(table, power, is_white) in &cells {
                let (digit, sign) = if is_white { (1, 1.0) } else { (2, -1.0) };
                let weight = weight.map(|weight| sign * weight / cells.len() as f32);
                tables[table].push(SquareInPattern { power, digit, weight });
            }
        }
        tables
    }
}

/// A square in the patterns of a table.
#[derive(Clone, Copy, Debug)]
struct SquareInPattern {
    /// The power of three of its digit in the index.
    power: usize,
    /// The digit for which the weight counts.
    digit: usize,
    weight: [f32; PHASES],
}

/// Returns the parameters of a pattern of eight squares in its group: its own, and one for each half.
const fn parts(index: usize) -> [usize; 3] {
    [index, EIGHT + index / HALF, EIGHT + HALF + index % HALF]
}

/// Passes the parameters of a group that occur in a position to a function, with their counts for White less those for Black.
fn each_count(samples: &Samples, n: usize, group: usize, mut pass: impl FnMut(usize, f32)) {
    if group < EIGHTS {
        let [white, black] = samples.eight(n, group);
        for (white, black) in parts(white).into_iter().zip(parts(black)) {
            pass(white, 1.0);
            pass(black, -1.0);
        }
    } else if group == TERM_GROUP {
        samples.terms(n).iter().for_each(|&(term, count)| pass(usize::from(term), f32::from(count)));
    } else {
        let [white, black] = samples.twelve(n, group - TERM_GROUP - 1);
        pass(white, 1.0);
        pass(black, -1.0);
    }
}

/// Works on all groups.
fn each_group(groups: &mut [Group], work: impl Fn(usize, &mut Group) + Send + Sync) {
    map(groups.iter_mut().enumerate().collect(), |(table, group): (usize, &mut Group)| work(table, group));
}

/// Maps the items of a list, a chunk of them at a time, and returns the results in order.
fn map_items<U: Send>(items: &[usize], work: impl Fn(&usize) -> U + Send + Sync) -> Vec<U> {
    let chunks: Vec<Vec<U>> = map(items.chunks(CHUNK).collect(), |chunk: &[usize]| chunk.iter().map(&work).collect());
    chunks.into_iter().flatten().collect()
}

/// Returns a power, computed the same way on every machine.
fn power(base: f32, exponent: i32) -> f32 {
    let (mut power, mut square, mut rest) = (1.0, base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            power *= square;
        }
        square *= square;
        rest >>= 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_exact_enough() {
        for exponent in [0, 1, 2, 7, 64, 1000] {
            let exact = 0.999_f64.powi(exponent);
            assert!((f64::from(power(0.999, exponent)) - exact).abs() < 1e-5, "{exponent}");
        }
    }
}
