//! The learned evaluation.

use super::layout::{Layout, PATTERN, Placement, TABLES, TERMS};
use super::weights::{PHASES, STEPS, Weights};
use super::{Evaluate, Sum};
use crate::board::{Geometry, Side, Word};
use crate::rules::{RuleSpec, State, Step};

/// Bits of an index in a table.
const TABLE_BITS: u32 = 13;

/// The evaluation of one variant by weights.
pub(in crate::engine) struct Learned {
    layout: Layout,
    /// The weights of the patterns. Each table has room for a power of two, so that no index is out of bounds.
    patterns: Box<[[i16; PHASES]; TABLES << TABLE_BITS]>,
    terms: Vec<[i16; PHASES]>,
}

impl Learned {
    /// Returns the evaluation; `None` if the weights do not fit the variant.
    pub(in crate::engine) fn new(spec: &RuleSpec, weights: &Weights) -> Option<Self> {
        let layout = Layout::of(spec).filter(|_| weights.is_for(spec))?;
        let (patterns, terms) = weights.values().split_at(TERMS);
        let mut padded = vec![[0; PHASES]; TABLES << TABLE_BITS];
        for (table, values) in patterns.chunks(PATTERN).enumerate() {
            padded[table << TABLE_BITS..][..PATTERN].copy_from_slice(values);
        }
        let patterns = padded.into_boxed_slice().try_into().ok()?;
        let mut terms = terms.to_vec();
        terms.resize(layout.terms(), [0; PHASES]);
        Some(Self { layout, patterns, terms })
    }

    /// Returns the score for White in centi-men.
    fn total(&self, placement: &Placement) -> i32 {
        let (mut opening, mut ending) = (0, 0);
        let mut add = |[first, last]: [i16; PHASES], count: i32| {
            opening += count * i32::from(first);
            ending += count * i32::from(last);
        };
        self.layout.each_pattern(placement.men, |table, index, is_white| {
            let weights = self.patterns[usize::from(table << TABLE_BITS | index)];
            add(weights, if is_white { 1 } else { -1 });
        });
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
