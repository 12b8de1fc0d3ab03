//! The learned evaluation.

use std::sync::Arc;

use super::layout::{EIGHT, Layout, Placement, TERMS, TWELVE};
use super::patterns::eights;
use super::weights::{PHASES, STEPS, Weights};
use super::{Evaluate, Sum};
use crate::board::{Geometry, Side, Word};
use crate::rules::{RuleSpec, State, Step};

/// The weights of the patterns, table after table.
#[derive(Clone, Debug)]
pub(super) enum Tables {
    /// Patterns of eight squares.
    Eights(Arc<[[i16; PHASES]]>),
    /// Patterns of twelve squares, with the weights of the patterns of eight squares in them.
    Twelves(Arc<[[i16; PHASES]]>),
}

impl Tables {
    /// Returns the tables for the patterns of eight squares and those of twelve; without the latter, of eight squares only.
    pub(super) fn new(layout: &Layout, of_eights: &[[i16; PHASES]], of_twelves: &[[i16; PHASES]]) -> Self {
        if of_twelves.is_empty() {
            return Self::Eights(of_eights.into());
        }
        let mut sums = of_twelves.to_vec();
        for (sums, tables) in sums.chunks_mut(TWELVE).zip(layout.eights_in_twelves()) {
            for (index, sum) in sums.iter_mut().enumerate() {
                for (table, part) in tables.into_iter().zip(eights(index)) {
                    let eight = table.map_or([0; PHASES], |table| of_eights[table * EIGHT + part]);
                    *sum = std::array::from_fn(|phase| sum[phase].saturating_add(eight[phase]));
                }
            }
        }
        Self::Twelves(sums.into())
    }
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
        // The oldest weights lack the moves of kings.
        terms.resize(layout.terms(), [0; PHASES]);
        Some(Self { tables: weights.tables(&layout), layout, terms })
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
                add(tables[table * EIGHT + index], sign(is_white));
            }),
            Tables::Twelves(tables) => self.layout.each_twelve(placement.men, |table, index, is_white| {
                add(tables[table * TWELVE + index], sign(is_white));
            }),
        }
        // The phases are interpolated once, after both sums are complete.
        self.layout.each_term(placement, |term, count| add(self.terms[term], count));
        let men: i32 = placement.counts.iter().sum();
        (opening * men + ending * (self.layout.max_men() - men)) / (self.layout.max_men() * STEPS)
    }
}

impl<G: Geometry> Evaluate<G> for Learned {
    // Nothing is kept from move to move: patterns are read afresh, a whole row of the board in one lookup.
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
