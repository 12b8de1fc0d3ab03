//! The learned evaluation.

use std::sync::Arc;

use super::layout::{EIGHT, Layout, Placement, TERMS, TWELVE};
use super::patterns::{FOUR, SIX, fours_in_sixes};
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
        let (mut sums, fours) = (of_twelves.to_vec(), fours_in_sixes());
        for (sums, tables) in sums.chunks_mut(TWELVE).zip(layout.eights_in_twelves()) {
            for (columns, table) in tables.into_iter().enumerate().filter_map(|(n, table)| Some((n, table?))) {
                // Two rows at a time: four divisions for each of 500,000 patterns took half the start of the program.
                for (upper, sums) in fours.iter().zip(sums.chunks_mut(SIX)) {
                    let eights = &of_eights[table * EIGHT + upper[columns] * FOUR..][..FOUR];
                    for (lower, sum) in fours.iter().zip(sums) {
                        let eight = eights[lower[columns]];
                        // Weights of the program are far from the bounds; those of a crafted file must not turn into
                        // their opposites.
                        *sum = std::array::from_fn(|phase| sum[phase].saturating_add(eight[phase]));
                    }
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
    pub(in crate::engine) fn new(spec: &RuleSpec<'_>, weights: &Weights) -> Option<Self> {
        let layout = weights.is_for(spec).then(|| Layout::of(spec))?;
        let mut terms: Vec<_> = weights.values[TERMS..].iter().take(layout.terms()).copied().collect();
        // The oldest weights lack the moves of kings.
        terms.resize(layout.terms(), [0; PHASES]);
        Some(Self { tables: weights.tables(&layout), layout, terms })
    }

    /// Returns the score for White in centi-men.
    fn total<W: Word>(&self, placement: &Placement<W>) -> i32 {
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
        (opening * men + ending * (self.layout.max_men - men)) / (self.layout.max_men * STEPS)
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
        let men = Side::ALL.map(|side| state.men(side));
        let kings = Side::ALL.map(|side| state.kings_of(side));
        let total = self.total(&Placement::new(men, kings, state.turn));
        if state.turn == Side::White { total } else { -total }
    }
}
