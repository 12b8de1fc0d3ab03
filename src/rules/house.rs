//! Rules known only at run time: house rules, and built-in variants too rare to be compiled separately.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{PoisonError, RwLock};

use super::draws::{Agreement, DrawLimit, DrawRules, LastPieces, Repetition};
use super::issues::SpecIssue;
use super::spec::{Conventions, RuleSpec, Rules, Task};
use super::variants::Variant;
use crate::board::{Board8x8, Board8x8Full, Board10x8, Board10x10, Board12x12, Geometry, Shape};

/// House rules, each once, kept until the process ends: a [`Variant`] is then as small as an index, and a position with it
/// can be copied in a few instructions. One set takes about a kilobyte, and less than 4.
static HOUSES: RwLock<Houses> = RwLock::new(Houses { all: Vec::new(), indices: None });

/// Maximum number of different house rules, since programs that generate rules, and all clients of a server together, can make
/// new ones without end. They take about 100 MB.
const MAX_HOUSES: usize = 100_000;

#[derive(PartialEq, Eq, Hash)]
pub(super) struct Definition<'a> {
    pub(super) spec: RuleSpec<'a>,
    pub(super) conventions: Conventions,
}

struct Houses {
    all: Vec<&'static Definition<'static>>,
    /// The place of each in the list; made for the first of them.
    indices: Option<HashMap<&'static Definition<'static>, u32>>,
}

impl Houses {
    /// Finds consistent rules, or copies them into the table; `None` if it has as many as it may.
    fn find(&mut self, rules: &Definition<'_>, most: usize) -> Option<HouseId> {
        if let Some(&index) = self.indices.as_ref().and_then(|indices| indices.get(rules)) {
            return Some(HouseId(index));
        }
        if self.all.len() >= most {
            return None;
        }
        let (index, conventions) = (self.all.len() as u32, rules.conventions);
        let rules = Box::leak(Box::new(Definition { spec: kept(&rules.spec), conventions }));
        self.all.push(rules);
        self.indices.get_or_insert_default().insert(rules, index);
        Some(HouseId(index))
    }
}

/// An index into the table of house rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct HouseId(u32);

impl HouseId {
    pub(super) fn definition(self) -> &'static Definition<'static> {
        HOUSES.read().unwrap_or_else(PoisonError::into_inner).all[self.0 as usize]
    }
}

/// Copies rules with all texts, to be kept.
fn kept(spec: &RuleSpec<'_>) -> RuleSpec<'static> {
    fn text(text: &str) -> &'static str {
        text.to_owned().leak()
    }
    let draws = spec.draws;
    let limit = |&DrawLimit { name, plies, ending, standing, article }: &DrawLimit<'_>| DrawLimit {
        name: text(name),
        plies,
        ending,
        standing,
        article: text(article),
    };
    let repetition = |Repetition { occurrences, standing, article }: Repetition<'_>| Repetition {
        occurrences,
        standing,
        article: text(article),
    };
    let last_pieces =
        |LastPieces { kings_only, article }: LastPieces<'_>| LastPieces { kings_only, article: text(article) };
    let agreement =
        |Agreement { after_moves, article }: Agreement<'_>| Agreement { after_moves, article: text(article) };
    RuleSpec {
        name: text(spec.name),
        shape: spec.shape,
        starts: spec.starts,
        start_rows: spec.start_rows,
        man_moves: spec.man_moves,
        man_captures: spec.man_captures,
        men_take_kings: spec.men_take_kings,
        king_range: spec.king_range,
        king_landing: spec.king_landing,
        removal: spec.removal,
        may_turn_back: spec.may_turn_back,
        promotion: spec.promotion,
        precedence: spec.precedence,
        goal: spec.goal,
        king_move_limit: spec.king_move_limit,
        draws: DrawRules {
            repetition: draws.repetition.map(repetition),
            limits: draws.limits.iter().map(limit).collect::<Vec<_>>().leak(),
            last_pieces: draws.last_pieces.map(last_pieces),
            agreement: draws.agreement.map(agreement),
        },
    }
}

impl Variant {
    /// Returns a variant with house rules. Equal rules and conventions give equal variants; they are copied once, and kept
    /// until the process ends.
    ///
    /// # Errors
    ///
    /// The first reason, if the rules contradict each other or the conventions do not fit them; or if there are too many different
    /// rules already.
    pub(crate) fn house(spec: &RuleSpec<'_>, conventions: Conventions) -> Result<Self, SpecIssue> {
        spec.check()?;
        conventions.check(spec.shape)?;
        // A panic while the lock was held left the table complete: an entry is added in one step.
        let mut houses = HOUSES.write().unwrap_or_else(PoisonError::into_inner);
        let id = houses.find(&Definition { spec: spec.clone(), conventions }, MAX_HOUSES);
        let full = || SpecIssue::new(&["name"], "too many different house rules since the program started");
        id.map(Self::of_house).ok_or_else(full)
    }
}

/// Rules on a board known at compile time whose other fields are known only at run time.
#[derive(Clone, Copy)]
pub(super) struct House<G> {
    spec: &'static RuleSpec<'static>,
    board: PhantomData<G>,
}

impl<G: Geometry> House<G> {
    #[inline(always)]
    pub(super) const fn new(spec: &'static RuleSpec<'static>) -> Self {
        Self { spec, board: PhantomData }
    }
}

impl<G: Geometry> Rules for House<G> {
    type Board = G;

    #[inline(always)]
    fn spec(self) -> &'static RuleSpec<'static> {
        self.spec
    }
}

macro_rules! boards {
    ($($board:ident)*) => {
        /// The boards that rules can be played on.
        pub(super) const BOARDS: &[Shape] = &[$($board::SHAPE),*];

        /// Runs a task with rules on the board that they name.
        #[inline(never)]
        pub(super) fn dispatch<T: Task>(spec: &'static RuleSpec<'static>, task: T) -> T::Output {
            $(if spec.shape == $board::SHAPE {
                return task.run(House::<$board>::new(spec));
            })*
            unreachable!("`RuleSpec::check` refuses other boards")
        }
    };
}

boards!(Board8x8 Board10x10 Board12x12 Board10x8 Board8x8Full);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_keeps_answering_for_the_rules_in_it() {
        let mut houses = Houses { all: Vec::new(), indices: None };
        let mut find = |name| {
            let spec = RuleSpec { name, ..Variant::RUSSIAN.spec().clone() };
            houses.find(&Definition { spec, conventions: Variant::RUSSIAN.conventions() }, 2).map(|id| id.0)
        };
        assert_eq!(["a", "b", "c", "b", "a"].map(&mut find), [Some(0), Some(1), None, Some(1), Some(0)]);
    }
}
