//! Rules known only at run time: house rules, and built-in variants too rare to be compiled separately.

use std::marker::PhantomData;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::issues::SpecIssues;
use super::spec::{Conventions, RuleSpec, Rules, Task};
use super::variants::Variant;
use crate::board::{Board8x8, Board8x8Full, Board10x8, Board10x10, Board12x12, Geometry, Shape};

/// Maximum number of different house rules in one process.
const MAX_HOUSES: usize = 1024;

/// House rules, kept until the process ends. Because the table only grows, it is read without a lock, and a [`Variant`]
/// can be as small as an index.
static HOUSES: [OnceLock<&'static Definition>; MAX_HOUSES] = [const { OnceLock::new() }; MAX_HOUSES];

/// Held while an entry is added to [`HOUSES`].
static ADDING: Mutex<()> = Mutex::new(());

#[derive(PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) spec: RuleSpec,
    pub(super) conventions: Conventions,
}

/// An index into the table of house rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct HouseId(u16);

impl HouseId {
    /// Finds a definition in the table or adds it; `None` if the table is full.
    fn of(definition: Definition) -> Option<Self> {
        // A panic while the lock was held left the table complete: an entry is set in one step.
        let _adding = ADDING.lock().unwrap_or_else(PoisonError::into_inner);
        // There are no gaps, so the first empty entry ends the search.
        let index = HOUSES.iter().position(|entry| entry.get().is_none_or(|known| **known == definition))?;
        HOUSES[index].get_or_init(|| Box::leak(Box::new(definition)));
        Some(Self(index as u16))
    }

    pub(super) fn definition(self) -> &'static Definition {
        HOUSES[usize::from(self.0)].get().expect("`of` returns only indices of entries that are set")
    }
}

/// Why house rules cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HouseError {
    /// The rules contradict each other.
    #[error("{0}")]
    Invalid(SpecIssues),
    /// The process already uses 1024 different house rules.
    #[error("more than {MAX_HOUSES} different house rules")]
    TooMany,
}

impl Variant {
    /// Returns a variant with house rules. Equal rules and conventions give equal variants; they are kept until the process
    /// ends.
    ///
    /// # Errors
    ///
    /// [`HouseError::Invalid`] with every reason if the rules contradict each other, [`HouseError::TooMany`] after 1024
    /// different house rules.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::{Position, Precedence, Variant};
    ///
    /// let mut spec = Variant::BRAZILIAN.spec().clone();
    /// spec.name = "free-choice";
    /// spec.precedence = Precedence::Free;
    /// let conventions = Variant::BRAZILIAN.conventions();
    /// let variant = Variant::house(spec.clone(), conventions)?;
    /// assert_eq!(Position::start(variant).legal_moves().len(), 7);
    /// assert_eq!(Variant::house(spec, conventions)?, variant);
    /// # Ok::<(), pdn::rules::HouseError>(())
    /// ```
    pub fn house(spec: RuleSpec, conventions: Conventions) -> Result<Self, HouseError> {
        let issues = spec.issues();
        if !issues.is_empty() {
            return Err(HouseError::Invalid(issues));
        }
        HouseId::of(Definition { spec, conventions }).map(Self::of_house).ok_or(HouseError::TooMany)
    }
}

/// Rules on a board known at compile time whose other fields are known only at run time.
#[derive(Clone, Copy)]
pub(super) struct House<G> {
    spec: &'static RuleSpec,
    board: PhantomData<G>,
}

impl<G: Geometry> House<G> {
    #[inline(always)]
    pub(super) const fn new(spec: &'static RuleSpec) -> Self {
        Self { spec, board: PhantomData }
    }
}

impl<G: Geometry> Rules for House<G> {
    type Board = G;

    #[inline(always)]
    fn spec(self) -> &'static RuleSpec {
        self.spec
    }
}

macro_rules! boards {
    ($($board:ident)*) => {
        /// The boards that rules can be played on.
        pub(super) const BOARDS: &[Shape] = &[$($board::SHAPE),*];

        /// Runs a task with rules on the board that they name.
        #[inline(never)]
        pub(super) fn dispatch<T: Task>(spec: &'static RuleSpec, task: T) -> T::Output {
            $(if spec.shape == $board::SHAPE {
                return task.run(House::<$board>::new(spec));
            })*
            unreachable!("`RuleSpec::issues` refuses other boards")
        }
    };
}

boards!(Board8x8 Board10x10 Board12x12 Board10x8 Board8x8Full);
