//! Leaf counts of the game tree, the measure by which move generators are compared.

use std::fmt;

#[cfg(feature = "parallel")]
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::generate::{MoveList, count_moves, each_move, each_path};
use super::position::Position;
use super::spec::{Rules, Task};
use super::state::{State, Step};

/// What counts as one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Moves with the same start, end and captured pieces are one.
    Distinct,
    /// Every capture path counts.
    Paths,
}

/// A leaf count does not fit 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftOverflow;

impl fmt::Display for PerftOverflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the leaf count does not fit 64 bits")
    }
}

impl std::error::Error for PerftOverflow {}

/// Counts the positions reached after `depth` plies (0 gives 1). Draws and the limit on
/// repeated king moves play no part. A list of moves is kept for each ply.
///
/// # Errors
///
/// If the count does not fit 64 bits.
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

/// Counts like [`perft`], on all threads of the rayon pool it is called in.
///
/// # Errors
///
/// If the count does not fit 64 bits.
#[cfg(feature = "parallel")]
pub fn perft_parallel(position: &Position, depth: u32, counting: Counting) -> Result<u64, PerftOverflow> {
    let (roots, depth) = spread(position, depth, counting, ROOTS_A_THREAD * rayon::current_num_threads());
    let count = |root: &Root| root.leaves(perft(&root.position, depth, counting)?);
    roots.par_iter().map(count).try_reduce(|| 0, |a, b| sum(Some(a), Some(b)).ok_or(PerftOverflow))
}

/// A position near the start, with the number of ways it counts for.
#[cfg(feature = "parallel")]
struct Root {
    position: Position,
    times: u64,
}

#[cfg(feature = "parallel")]
impl Root {
    /// Returns the leaves below it, given those of its position.
    fn leaves(&self, below: u64) -> Result<u64, PerftOverflow> {
        below.checked_mul(self.times).ok_or(PerftOverflow)
    }
}

/// Adds two counts; `None` if one of them or the sum does not fit.
#[inline(always)]
fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.zip(b).and_then(|(a, b)| a.checked_add(b))
}

/// Subtrees for each thread, so that those of very different sizes even out.
#[cfg(feature = "parallel")]
const ROOTS_A_THREAD: usize = 64;

/// Plies below which a position is not split further.
#[cfg(feature = "parallel")]
const LEAST_PLIES: u32 = 5;

/// Plays out plies until there are enough positions to share out; returns them and the plies left.
#[cfg(feature = "parallel")]
fn spread(position: &Position, mut depth: u32, counting: Counting, enough: usize) -> (Vec<Root>, u32) {
    let mut roots = vec![Root { position: *position, times: 1 }];
    while (1..enough).contains(&roots.len()) && depth > LEAST_PLIES {
        roots = roots.iter().flat_map(|root| replies(root, counting)).collect();
        depth -= 1;
    }
    (roots, depth)
}

#[cfg(feature = "parallel")]
fn replies(root: &Root, counting: Counting) -> Vec<Root> {
    let position = root.position.without_king_runs();
    let reply = |played| {
        let ways = if counting == Counting::Paths { position.paths(&played).len() as u64 } else { 1 };
        Root { position: position.play_unchecked(&played), times: root.times * ways }
    };
    position.legal_moves().into_iter().map(reply).collect()
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

/// Counts leaves; one list a ply is kept from call to call. With `PATHS` a move counts once for each of its paths.
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
    let visit = |step: &Step<R::Board>| {
        let next = State { runs: Default::default(), ..state.play(rules, step) };
        let below = match rest {
            // Saves a call for each position a ply above the leaves, most of all there are.
            [single] => Some(count_moves(rules, &next, PATHS, single)),
            _ => leaves::<R, PATHS>(rules, &next, depth - 1, rest),
        };
        total = sum(total, below);
    };
    if PATHS {
        each_path(rules, state, list, visit);
    } else {
        each_move(rules, state, list, visit);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "parallel")]
    use crate::rules::Variant;

    // No game tree that overflows can be counted in a lifetime; every place where counts meet is tested by itself.
    #[test]
    fn counts_that_do_not_fit_are_errors() {
        assert_eq!(sum(Some(u64::MAX - 1), Some(1)), Some(u64::MAX));
        assert_eq!(sum(Some(u64::MAX), Some(1)), None);
        assert_eq!(sum(Some(1 << 63), Some(1 << 63)), None);
        assert_eq!((sum(None, Some(0)), sum(Some(0), None)), (None, None));
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn leaf_counts_of_a_subtree_that_do_not_fit_are_errors() {
        let root = |times| Root { position: Position::start(Variant::THAI), times };
        assert_eq!(root(1).leaves(u64::MAX), Ok(u64::MAX));
        assert_eq!(root(2).leaves(u64::MAX), Err(PerftOverflow));
        assert_eq!(root(1 << 32).leaves(1 << 32), Err(PerftOverflow));
    }
}
