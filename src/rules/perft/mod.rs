//! Leaf counts of the game tree, the measure by which move generators are compared.

#[cfg(feature = "parallel")]
mod parallel;

use std::fmt;

use super::generate::{MoveList, count_moves, each_move, each_path};
use super::position::Position;
use super::spec::{Rules, Task};
use super::state::{State, Step};

#[cfg(feature = "parallel")]
pub use parallel::perft_parallel;

/// What counts as one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Moves with the same first square, last square and captured pieces are one.
    Distinct,
    /// Every path of a capture counts.
    Paths,
}

/// The error of a leaf count that does not fit into 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftOverflow;

impl fmt::Display for PerftOverflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the leaf count does not fit into 64 bits")
    }
}

impl std::error::Error for PerftOverflow {}

/// Counts the leaves of the game tree after `depth` plies (0 gives 1). Draws and the limit on consecutive king moves are
/// ignored. Memory grows by one list of moves per ply.
///
/// # Errors
///
/// If the count does not fit into 64 bits.
///
/// # Examples
///
/// ```
/// use pdn::rules::{Counting, Position, Variant, perft};
///
/// assert_eq!(perft(&Position::start(Variant::INTERNATIONAL), 5, Counting::Distinct), Ok(27_117));
/// ```
pub fn perft(position: &Position, depth: u32, counting: Counting) -> Result<u64, PerftOverflow> {
    position.variant().dispatch(Perft { position, depth, counting })
}

/// Adds two counts; `None` if one of them or the sum does not fit into 64 bits.
#[inline(always)]
const fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => a.checked_add(b),
        _ => None,
    }
}

struct Perft<'a> {
    position: &'a Position,
    depth: u32,
    counting: Counting,
}

impl Task for Perft<'_> {
    type Output = Result<u64, PerftOverflow>;

    fn run<R: Rules>(self, rules: R) -> Self::Output {
        let state = self.position.without_king_runs().state::<R::Board>();
        let mut lists = vec![MoveList::default(); self.depth.max(1) as usize];
        match self.counting {
            Counting::Distinct => leaves::<R, false>(rules, &state, self.depth, &mut lists),
            Counting::Paths => leaves::<R, true>(rules, &state, self.depth, &mut lists),
        }
        .ok_or(PerftOverflow)
    }
}

/// Counts leaves with one reused list per ply. With `PATHS` a move counts once for each of its paths.
fn leaves<R: Rules, const PATHS: bool>(
    rules: R,
    state: &State<R::Board>,
    depth: u32,
    lists: &mut [MoveList<R::Board>],
) -> Option<u64> {
    let Some((list, rest)) = lists.split_first_mut().filter(|_| depth > 0) else { return Some(1) };
    if depth == 1 {
        return Some(count_moves(rules, state, PATHS, list));
    }
    let mut total = Some(0_u64);
    each::<R, PATHS>(
        rules,
        state,
        list,
        #[inline(always)]
        |step| {
            let next = state.play(rules, step).without_king_runs();
            let below = match rest {
                // Saves a call for each position one ply above the leaves, which are most of the tree.
                [single] => Some(count_moves(rules, &next, PATHS, single)),
                _ => leaves::<R, PATHS>(rules, &next, depth - 1, rest),
            };
            total = sum(total, below);
        },
    );
    total
}

/// Visits each move or, with `PATHS`, each path.
#[inline(always)]
fn each<R: Rules, const PATHS: bool>(
    rules: R,
    state: &State<R::Board>,
    list: &mut MoveList<R::Board>,
    visit: impl FnMut(&Step<R::Board>),
) {
    if PATHS { each_path(rules, state, list, visit) } else { each_move(rules, state, list, visit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_is_an_error() {
        assert_eq!(sum(Some(u64::MAX - 1), Some(1)), Some(u64::MAX));
        assert_eq!(sum(Some(u64::MAX), Some(1)), None);
        assert_eq!(sum(Some(1 << 63), Some(1 << 63)), None);
        assert_eq!((sum(None, Some(0)), sum(Some(0), None)), (None, None));
    }
}
