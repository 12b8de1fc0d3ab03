//! The built-in variants. Each rule cites its article; `[U]` marks a rule whose official text was not available.

use std::fmt;

use super::draws;
use super::house::{HouseId, dispatch};
use super::spec::{
    Conventions, Goal, KingLanding, KingRange, ManCaptures, ManMoves, Precedence, Promotion, Removal, RuleSpec, Rules,
    StartRows, Task,
};
use crate::board::{Board8x8, Board10x10, Shape, Side};

/// A variant of draughts: a built-in one or one with the house rules of a rules file.
///
/// # Examples
///
/// ```
/// use pdn::rules::Variant;
///
/// let variant: Variant = "russian".parse()?;
/// assert_eq!((variant, variant.to_string().as_str()), (Variant::RUSSIAN, "russian"));
/// assert_eq!(variant.shape().square_count(), 32);
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variant(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kind {
    BuiltIn(Name),
    House(HouseId),
}

macro_rules! variants {
    ($($(#[$doc:meta])* $constant:ident $type:ident $path:ident $board:ident)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        enum Name { $($type),* }

        $(rules!($path $constant $type $board);)*

        impl Variant {
            $($(#[$doc])* pub const $constant: Self = Self(Kind::BuiltIn(Name::$type));)*

            /// All built-in variants.
            pub const ALL: &[Self] = &[$(Self::$constant),*];

            /// Runs a task with the rules of the variant, which the compiler knows for the most played variants.
            #[inline]
            pub(crate) fn dispatch<T: Task>(self, task: T) -> T::Output {
                match self.0 {
                    $(Kind::BuiltIn(Name::$type) => run!($path $constant $type task),)*
                    Kind::House(house) => dispatch(&house.definition().spec, task),
                }
            }

            /// Returns the rules.
            #[inline]
            pub(crate) fn spec(self) -> &'static RuleSpec<'static> {
                match self.0 {
                    $(Kind::BuiltIn(Name::$type) => const { &$constant },)*
                    Kind::House(house) => &house.definition().spec,
                }
            }
        }
    };
}

/// Defines the type of a variant whose rules are compiled separately.
macro_rules! rules {
    (compiled $constant:ident $type:ident $board:ident) => {
        #[derive(Clone, Copy)]
        struct $type;

        impl Rules for $type {
            type Board = $board;

            #[inline(always)]
            fn spec(self) -> &'static RuleSpec<'static> {
                const { &$constant }
            }
        }
    };
    (shared $constant:ident $type:ident $board:ident) => {};
}

/// Runs a task with the machine code of a variant, or with that of house rules.
macro_rules! run {
    (compiled $constant:ident $type:ident $task:ident) => {
        $task.run($type)
    };
    (shared $constant:ident $type:ident $task:ident) => {
        dispatch(const { &$constant }, $task)
    };
}

// A compiled variant costs about a second of build time and runs about 1.5 times as fast as a shared one.
variants! {
    /// International draughts, 10x10 (FMJD).
    INTERNATIONAL International compiled Board10x10
    /// English draughts, American checkers (WCDF).
    ENGLISH English compiled Board8x8
    /// Italian draughts (FID).
    ITALIAN Italian compiled Board8x8
    /// American pool checkers (APCA).
    POOL Pool compiled Board8x8
    /// Pool checkers by the unified rules, Zimbabwean draughts.
    POOL_UNIFIED PoolUnified shared Board8x8
    /// Jamaican draughts.
    JAMAICAN Jamaican shared Board8x8
    /// Spanish draughts.
    SPANISH Spanish compiled Board8x8
    /// Russian draughts (FMJD-64).
    RUSSIAN Russian compiled Board8x8
    /// Brazilian draughts (FMJD-64).
    BRAZILIAN Brazilian compiled Board8x8
    /// Canadian draughts, 12x12.
    CANADIAN Canadian shared Board12x12
    /// Portuguese draughts.
    PORTUGUESE Portuguese shared Board8x8
    /// Czech draughts.
    CZECH Czech shared Board8x8
    /// Turkish draughts, on all squares.
    TURKISH Turkish shared Board8x8Full
    /// Thai draughts, makhos.
    THAI Thai shared Board8x8
    /// Frisian draughts, 10x10.
    FRISIAN Frisian compiled Board10x10
    /// Spantsiretti: Russian draughts on a board 10 wide and 8 high.
    SPANTSIRETTI Spantsiretti shared Board10x8
    /// Killer draughts: International, but a king that captures a king last stops directly behind it.
    KILLER Killer shared Board10x10
    /// Breakthrough: the first king wins.
    BREAKTHROUGH Breakthrough shared Board10x10
    /// Antidraughts: the side that cannot move wins.
    ANTIDRAUGHTS Antidraughts shared Board10x10
    /// Frysk!: Frisian with five men each.
    FRYSK Frysk shared Board10x10
}

impl Variant {
    pub(super) const fn of_house(house: HouseId) -> Self {
        Self(Kind::House(house))
    }

    /// Returns the name, such as `international`.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Returns true for house rules.
    #[inline]
    pub const fn is_house(self) -> bool {
        matches!(self.0, Kind::House(_))
    }

    /// Returns the built-in variant with this name, in any case.
    ///
    /// User input, which may also be `american` or `20`, is read by [`FromStr`](std::str::FromStr).
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| variant.name().eq_ignore_ascii_case(name))
    }

    /// Returns the index of a built-in variant in [`Variant::ALL`].
    #[inline]
    pub(crate) const fn index(self) -> Option<usize> {
        match self.0 {
            Kind::BuiltIn(name) => Some(name as usize),
            Kind::House(_) => None,
        }
    }

    /// Returns how records under house rules are written.
    pub(crate) fn house_conventions(self) -> Option<Conventions> {
        match self.0 {
            Kind::BuiltIn(_) => None,
            Kind::House(house) => Some(house.definition().conventions),
        }
    }

    /// Returns the board.
    #[inline]
    pub fn shape(self) -> Shape {
        self.spec().shape
    }

    /// Returns the side that makes the first move.
    #[inline]
    pub fn starts(self) -> Side {
        self.spec().starts
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const INTERNATIONAL: RuleSpec<'static> = RuleSpec {
    name: "international",
    shape: Shape::dark(10, 10),                    // FMJD annex 1, 2.1
    starts: Side::White,                           // 2.8
    start_rows: StartRows { skipped: 0, rows: 4 }, // 2.7
    man_moves: ManMoves::DiagonallyForward,        // 3.4
    man_captures: ManCaptures::Diagonally,         // 4.1
    men_take_kings: true,                          // 4.1
    king_range: KingRange::Flying,                 // 3.9, 4.3
    king_landing: KingLanding::Anywhere,           // 4.3
    removal: Removal::AfterMove,                   // 4.11; no piece is jumped twice: 4.8
    may_turn_back: true,                           // no case arises: 4.8
    promotion: Promotion::AtEnd,                   // 3.5, 4.15
    precedence: Precedence::Most,                  // 4.13; free choice 4.14
    goal: Goal::Block,                             // 1.2
    king_move_limit: None,
    draws: draws::INTERNATIONAL,
};

const KILLER: RuleSpec<'static> = RuleSpec {
    name: "killer",
    king_landing: KingLanding::DirectlyBehindKing, // Killer rules: directly behind a king captured last
    draws: draws::KILLER,
    ..INTERNATIONAL
};

const BREAKTHROUGH: RuleSpec<'static> = RuleSpec {
    name: "breakthrough",
    goal: Goal::FirstKing, // Breakthrough rules: the first king wins
    draws: draws::NONE,
    ..INTERNATIONAL
};

const ANTIDRAUGHTS: RuleSpec<'static> = RuleSpec {
    name: "antidraughts",
    goal: Goal::Lose, // Antidraughts rules: no legal move wins
    draws: draws::ANTIDRAUGHTS,
    ..INTERNATIONAL
};

const CANADIAN: RuleSpec<'static> = RuleSpec {
    name: "canadian",
    shape: Shape::dark(12, 12),                    // Quebec federation
    start_rows: StartRows { skipped: 0, rows: 5 }, // Quebec federation
    ..INTERNATIONAL
};

const BRAZILIAN: RuleSpec<'static> = RuleSpec {
    name: "brazilian",
    shape: Shape::dark(8, 8),                      // FMJD-64, 1.1
    start_rows: StartRows { skipped: 0, rows: 3 }, // FMJD-64, 1.3
    draws: draws::FMJD_64,
    ..INTERNATIONAL
};

const RUSSIAN: RuleSpec<'static> = RuleSpec {
    name: "russian",
    promotion: Promotion::GoesOnAsKing, // FMJD-64, 1.5.15
    precedence: Precedence::Free,       // FMJD-64, 1.5.3
    ..BRAZILIAN
};

const SPANTSIRETTI: RuleSpec<'static> = RuleSpec {
    name: "spantsiretti",
    shape: Shape::dark(10, 8), // Spantsiretti: 10 wide, 8 high, 15 men each
    draws: draws::THREEFOLD_UNVERIFIED,
    ..RUSSIAN
};

const ITALIAN: RuleSpec<'static> = RuleSpec {
    name: "italian",
    shape: Shape::dark(8, 8),                      // FID 1
    starts: Side::White,                           // FID 3.4
    start_rows: StartRows { skipped: 0, rows: 3 }, // FID 3
    man_moves: ManMoves::DiagonallyForward,        // FID 4
    man_captures: ManCaptures::DiagonallyForward,  // FID 4.7
    men_take_kings: false,                         // FID 4.7
    king_range: KingRange::Short,                  // FID 5
    king_landing: KingLanding::Anywhere,           // FID 5: a short king has one landing square
    removal: Removal::AfterMove,                   // FID 6
    may_turn_back: true,                           // FID 6: a captured piece blocks until the move ends
    promotion: Promotion::EndsMove,                // FID 4
    precedence: Precedence::Italian,               // FID 6.6–6.9
    goal: Goal::Block,                             // FID 8
    king_move_limit: None,
    draws: draws::ITALIAN,
};

const ENGLISH: RuleSpec<'static> = RuleSpec {
    name: "english",
    starts: Side::Black,            // WCDF 1.11
    men_take_kings: true,           // WCDF 1.17
    precedence: Precedence::Free,   // WCDF 1.20
    promotion: Promotion::EndsMove, // WCDF 1.19
    draws: draws::ENGLISH,
    ..ITALIAN
};

const POOL: RuleSpec<'static> = RuleSpec {
    name: "pool",
    starts: Side::Black,          // APCA 3
    precedence: Precedence::Free, // APCA 14
    promotion: Promotion::AtEnd,  // APCA 23: it stays a man and must go on
    draws: draws::POOL,
    ..BRAZILIAN
};

const POOL_UNIFIED: RuleSpec<'static> = RuleSpec {
    name: "pool-unified",
    starts: Side::White, // PDN 3.0, GameType 23,W
    ..POOL
};

const JAMAICAN: RuleSpec<'static> = RuleSpec {
    name: "jamaican",
    starts: Side::Black, // PDN 3.0, GameType 23,B
    ..POOL
};

const SPANISH: RuleSpec<'static> = RuleSpec {
    name: "spanish",
    man_captures: ManCaptures::DiagonallyForward, // Spanish rules: men never capture backwards
    precedence: Precedence::MostThenKings,        // most pieces, then most kings ("quality")
    promotion: Promotion::EndsMove,               // Spanish rules
    draws: draws::SPANISH,
    ..BRAZILIAN
};

/// PDN 3.0, GameType 28: as Spanish \[U\].
const PORTUGUESE: RuleSpec<'static> = RuleSpec { name: "portuguese", ..SPANISH };

const CZECH: RuleSpec<'static> = RuleSpec {
    name: "czech",
    precedence: Precedence::WithKing, // Czech rules 4.14
    draws: draws::CZECH,
    ..SPANISH
};

const THAI: RuleSpec<'static> = RuleSpec {
    name: "thai",
    starts: Side::Black, // PDN 3.0 GameType 31 [U]: other sources let White start
    start_rows: StartRows { skipped: 0, rows: 2 }, // Thai rules [U]
    king_landing: KingLanding::DirectlyBehind, // Thai rules [U]
    removal: Removal::AtOnce, // Thai rules [U]
    precedence: Precedence::Free, // Thai rules [U]
    draws: draws::THREEFOLD_UNVERIFIED,
    ..SPANISH
};

const TURKISH: RuleSpec<'static> = RuleSpec {
    name: "turkish",
    shape: Shape::full_8x8(),                      // PDN 3.0, GameType 30
    start_rows: StartRows { skipped: 1, rows: 2 }, // Turkish rules [U]
    man_moves: ManMoves::ForwardAndSideways,       // Turkish rules [U]
    man_captures: ManCaptures::ForwardAndSideways, // Turkish rules [U]
    removal: Removal::AtOnce,                      // Turkish rules [U]
    may_turn_back: false,                          // Turkish rules [U]
    promotion: Promotion::GoesOnAsKing,            // [U]; in older texts a man unless the move ends there
    precedence: Precedence::Most,                  // Turkish rules [U]
    draws: draws::TURKISH,
    ..BRAZILIAN
};

const FRISIAN: RuleSpec<'static> = RuleSpec {
    name: "frisian",
    man_captures: ManCaptures::EightWays, // Frisian rules 2011, 5
    precedence: Precedence::HighestValue, // 6, 7
    promotion: Promotion::AtEnd,          // 8
    king_move_limit: Some(3),             // 11
    draws: draws::FRISIAN,
    ..INTERNATIONAL
};

const FRYSK: RuleSpec<'static> = RuleSpec {
    name: "frysk",
    start_rows: StartRows { skipped: 0, rows: 1 }, // Frysk! rules: five men each
    ..FRISIAN
};
