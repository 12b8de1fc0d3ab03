//! Leaf counts of the game tree, the measure by which move generators are compared.

mod horizon;
#[cfg(feature = "parallel")]
mod parallel;

use std::fmt;

use super::generate::{MoveList, count_moves, each_move};
use super::position::Position;
use super::spec::{Rules, Task};
use super::state::State;
use horizon::count_two_plies;

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
        let paths = self.counting == Counting::Paths;
        leaves(rules, &state, paths, self.depth, &mut lists).ok_or(PerftOverflow)
    }
}

/// Counts leaves with one reused list per ply; with `paths` a capture counts once for each of its paths.
fn leaves<R: Rules>(
    rules: R,
    state: &State<R::Board>,
    paths: bool,
    depth: u32,
    lists: &mut [MoveList<R::Board>],
) -> Option<u64> {
    match (depth, lists) {
        (0, _) | (_, []) => Some(1),
        (1, [list, ..]) => Some(count_moves(rules, state, paths, list)),
        (2, [list, replies, ..]) => Some(count_two_plies(rules, state, paths, list, replies)),
        (_, [list, rest @ ..]) => {
            let mut total = Some(0);
            each_move(rules, state, paths, list, |step| {
                let next = state.play(rules, step).without_king_runs();
                total = sum(total, leaves(rules, &next, paths, depth - 1, rest));
            });
            total
        }
    }
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
