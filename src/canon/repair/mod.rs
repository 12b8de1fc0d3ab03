//! Repairs: what is wrong in a game and can be read in exactly one way.
//!
//! A repair of a move has to prove itself: the line goes on behind it, or ends there, and no other repair of that place
//! leads as far. What the canonical form mends by itself (signs, zeros, numbers, what ends a game) is none.

mod moves;
mod tags;

use crate::diag::Span;
use crate::pdn::GameTree;
use crate::replay::{ReplayOptions, ReplayedGame, replay};

/// Something that was repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The bytes of the game as it was.
    pub span: Span,
    /// What was done, in one clause.
    pub what: String,
}

impl Repair {
    fn new(span: Span, what: impl Into<String>) -> Self {
        Self { span, what: what.into() }
    }
}

/// Repairs what has one reading in a game, and replays it. The repairs are in the order of the text.
///
/// # Examples
///
/// ```
/// use pdn::canon::repair;
/// use pdn::pdn::games;
/// use pdn::replay::ReplayOptions;
///
/// let game = games(b"[GameType \"20\"]\n1. 28-32 l9-23 2. 28x1914x23 *").next().unwrap();
/// let (game, repairs) = repair(game.tree, &ReplayOptions::default());
/// assert!(game.is_legal() && game.plies_played() == 4);
/// assert_eq!(repairs[0].what, "squares swapped: `28-32` read as 32-28");
/// ```
pub fn repair(mut tree: GameTree, options: &ReplayOptions) -> (ReplayedGame, Vec<Repair>) {
    let mut repairs = Vec::new();
    tags::repair(&mut tree, &mut repairs);
    let game = moves::repair(replay(tree, options), *options, &mut repairs);
    repairs.sort_by_key(|repair| repair.span.start);
    (game, repairs)
}
