//! The learned evaluation.

use std::sync::Arc;

use super::layout::{EIGHT, EIGHTS, Layout, Placement, TERMS, TWELVE, TWELVES};
use super::patterns::eights;
use super::weights::{PHASES, STEPS, Weights};
use super::{Evaluate, Sum};
use crate::board::{Geometry, Side, Word};
use crate::rules::{RuleSpec, State, Step};

/// Bits of an index in a table of patterns of eight squares.
const EIGHT_BITS: u32 = 13;
/// Bits of an index in a table of patterns of twelve squares.
const TWELVE_BITS: u32 = 20;

/// The weights of the patterns. Each table has room for a power of two, so that no index is out of bounds.
#[derive(Clone, Debug)]
pub(super) enum Tables {
    /// Patterns of eight squares.
    Eights(Arc<[[i16; PHASES]; EIGHTS << EIGHT_BITS]>),
    /// Patterns of twelve squares, with the weights of the patterns of eight squares in them.
    Twelves(Arc<[[i16; PHASES]; TWELVES << TWELVE_BITS]>),
}

impl Tables {
    /// Returns the tables for the patterns of eight squares and those of twelve; without the latter, of eight squares only.
    pub(super) fn new(of_eights: &[[i16; PHASES]], of_twelves: &[[i16; PHASES]]) -> Option<Self> {
        let eight = |table: usize, index: usize| of_eights[table * EIGHT + index];
        if of_twelves.is_empty() {
            return padded(EIGHT, EIGHT_BITS, eight).map(Self::Eights);
        }
        let twelve = |table: usize, index: usize| {
            let [left, right] = eights(index);
            let parts = [eight(2 * table, left), eight(2 * table + 1, right), of_twelves[table * TWELVE + index]];
            std::array::from_fn(|phase| parts.iter().fold(0, |sum: i16, part| sum.saturating_add(part[phase])))
        };
        padded(TWELVE, TWELVE_BITS, twelve).map(Self::Twelves)
    }
}

/// Returns tables of weights, each of them continued with zeros up to a power of two.
fn padded<const N: usize>(
    size: usize,
    bits: u32,
    weights: impl Fn(usize, usize) -> [i16; PHASES],
) -> Option<Arc<[[i16; PHASES]; N]>> {
    let value = |n: usize| match (n >> bits, n & ((1 << bits) - 1)) {
        (table, index) if index < size => weights(table, index),
        _ => [0; PHASES],
    };
    Arc::<[_]>::from((0..N).map(value).collect::<Vec<_>>()).try_into().ok()
}

/// The evaluation of one variant by weights.
pub(in crate::engine) struct Learned {
    layout: Layout,
    tables: Tables,
    terms: Vec<[i16; PHASES]>,
}

impl Learned {
    /// Returns the evaluation; `None` if the weights do not fit the variant.
    pub(in crate::engine) fn new(spec: &RuleSpec, weights: &Weights) -> Option<Self> {
        let layout = Layout::of(spec).filter(|_| weights.is_for(spec))?;
        let mut terms: Vec<_> = weights.values()[TERMS..].iter().take(layout.terms()).copied().collect();
        terms.resize(layout.terms(), [0; PHASES]);
        Some(Self { tables: weights.tables(&layout)?, layout, terms })
    }

    /// Returns the score for White in centi-men.
    fn total(&self, placement: &Placement) -> i32 {
        let (mut opening, mut ending) = (0, 0);
        let mut add = |[first, last]: [i16; PHASES], count: i32| {
            opening += count * i32::from(first);
            ending += count * i32::from(last);
        };
        let sign = |is_white| if is_white { 1 } else { -1 };
        match &self.tables {
            Tables::Eights(tables) => self.layout.each_eight(placement.men, |table, index, is_white| {
                add(tables[table << EIGHT_BITS | index], sign(is_white));
            }),
            Tables::Twelves(tables) => self.layout.each_twelve(placement.men, |table, index, is_white| {
                add(tables[table << TWELVE_BITS | index], sign(is_white));
            }),
        }
        self.layout.each_term(placement, |term, count| add(self.terms[term], count));
        let men: i32 = placement.counts.iter().sum();
        (opening * men + ending * (self.layout.max_men() - men)) / (self.layout.max_men() * STEPS)
    }
}

impl<G: Geometry> Evaluate<G> for Learned {
    fn sum(&self, _: &State<G>) -> Sum {
        Sum::default()
    }

    fn after(&self, sum: Sum, _: &State<G>, _: &Step<G>) -> Sum {
        sum
    }

    fn score(&self, state: &State<G>, _: Sum) -> i32 {
        let of = |set: G::Word| set.widen() as u64;
        let men = Side::ALL.map(|side| of(state.men(side)));
        let kings = Side::ALL.map(|side| of(state.kings_of(side)));
        let total = self.total(&Placement::new(men, kings, state.turn));
        if state.turn == Side::White { total } else { -total }
    }
}
