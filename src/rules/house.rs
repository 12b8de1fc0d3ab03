//! Rules that are known only at run time: house rules, and built-in variants that are played too rarely to be compiled.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::faults::SpecFaults;
use super::spec::{RuleSpec, Rules, Task};
use super::variants::Variant;
use crate::board::{Board8x8, Board8x8Full, Board10x8, Board10x10, Board12x12, Geometry, Shape};

/// Most different house rules that one process can use.
const MOST: usize = 1024;

/// House rules, kept until the process ends. A table that only grows is read without a lock and keeps a [`Variant`] as
/// small as a number.
static KEPT: [OnceLock<&'static Kept>; MOST] = [const { OnceLock::new() }; MOST];

/// Whoever adds to the table holds this.
static ADDING: Mutex<()> = Mutex::new(());

#[derive(PartialEq, Eq)]
struct Kept {
    spec: RuleSpec,
    writing: u32,
}

/// A place in the table of house rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct HouseId(u16);

impl HouseId {
    /// Finds rules in the table or adds them; `None` if it is full.
    pub(super) fn of(spec: RuleSpec, writing: u32) -> Option<Self> {
        let wanted = Kept { spec, writing };
        let _adding = ADDING.lock().unwrap_or_else(PoisonError::into_inner);
        let place = KEPT.iter().position(|kept| kept.get().is_none_or(|kept| **kept == wanted))?;
        KEPT[place].get_or_init(|| Box::leak(Box::new(wanted)));
        Some(Self(place as u16))
    }

    fn kept(self) -> &'static Kept {
        KEPT[usize::from(self.0)].get().expect("only `of` makes one, for a place that is filled")
    }

    pub(super) fn spec(self) -> &'static RuleSpec {
        &self.kept().spec
    }

    pub(super) fn writing(self) -> u32 {
        self.kept().writing
    }
}

/// Why house rules cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HouseError {
    /// The rules do not go together.
    Faults(SpecFaults),
    /// The process has used 1024 different house rules.
    TooMany,
}

impl fmt::Display for HouseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Faults(faults) => faults.fmt(f),
            Self::TooMany => write!(f, "more than {MOST} different house rules"),
        }
    }
}

impl std::error::Error for HouseError {}

impl Variant {
    /// Returns a variant with house rules. The same rules give an equal variant; they are kept until the process ends.
    ///
    /// `writing` tells apart variants with the same rules whose records are written differently; the rules only keep it
    /// ([`Variant::writing`]), what it means is settled where text is read and written.
    ///
    /// # Errors
    ///
    /// If the rules do not go together, with every reason.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::{Position, Precedence, RuleSpec, Variant};
    ///
    /// let free = RuleSpec { name: "free-choice", precedence: Precedence::Free, ..Variant::BRAZILIAN.spec().clone() };
    /// let variant = Variant::house(free.clone(), 0)?;
    /// assert_eq!(Position::start(variant).legal_moves().len(), 7);
    /// assert_eq!(Variant::house(free, 0)?, variant);
    /// # Ok::<(), pdn::rules::HouseError>(())
    /// ```
    pub fn house(spec: RuleSpec, writing: u32) -> Result<Self, HouseError> {
        let faults = spec.faults();
        if !faults.0.is_empty() {
            return Err(HouseError::Faults(faults));
        }
        HouseId::of(spec, writing).map(Self::of_house).ok_or(HouseError::TooMany)
    }
}

/// Rules on a board known at compile time, with fields that are not.
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

        /// Does work with rules on the board that they name.
        #[inline(never)]
        pub(super) fn dispatch<T: Task>(spec: &'static RuleSpec, task: T) -> T::Output {
            $(if spec.shape == $board::SHAPE {
                return task.run(House::<$board>::new(spec));
            })*
            unreachable!("rules for another board are not taken");
        }
    };
}

boards!(Board8x8 Board10x10 Board12x12 Board10x8 Board8x8Full);
