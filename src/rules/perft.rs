//! Leaf counts of the game tree, the measure by which move generators are compared.

use super::generate::{MoveList, count_moves, each_move};
use super::position::Position;
use super::spec::{Rules, with_rules};
use super::state::State;

/// The definition of a distinct move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Moves with the same first square, last square and captured pieces are one.
    Distinct,
    /// Every path of a capture counts.
    Paths,
}

/// Maximum depth of a leaf count in plies: each ply takes memory, and no tree of this depth can be counted in a lifetime.
pub const MAX_PERFT_DEPTH: u32 = 1000;

/// Counts the leaves of the game tree after `depth` plies (0 gives 1); `None` if the count does not fit into 64 bits, or the
/// depth is more than [`MAX_PERFT_DEPTH`]. Draws and the limit on consecutive king moves are ignored. Memory grows by one list
/// of moves per ply.
///
/// # Examples
///
/// ```
/// use pdn::rules::{Counting, Position, Variant, perft};
///
/// assert_eq!(perft(&Position::start(Variant::INTERNATIONAL), 5, Counting::Distinct), Some(27_117));
/// ```
pub fn perft(position: &Position, depth: u32, counting: Counting) -> Option<u64> {
    if depth > MAX_PERFT_DEPTH {
        return None;
    }
    let paths = counting == Counting::Paths;
    with_rules!(
        position.variant(),
        <'a, R>(rules, position: &'a Position = position, depth: u32 = depth, paths: bool = paths) -> Option<u64> {
            let mut lists = vec![MoveList::default(); depth.max(1) as usize];
            leaves(rules, &position.without_king_runs().state(), paths, depth, &mut lists)
        }
    )
}

/// Adds two counts; `None` if one of them or the sum does not fit into 64 bits.
#[inline(always)]
const fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => a.checked_add(b),
        _ => None,
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

/// Minimum number of subtrees per thread, so that differences in size even out.
#[cfg(feature = "parallel")]
const ROOTS_PER_THREAD: usize = 64;

/// Plies below which a position is not split further.
#[cfg(feature = "parallel")]
const MIN_SPLIT_PLIES: u32 = 5;

/// Counts like [`perft`] on all threads of the current rayon pool.
#[cfg(feature = "parallel")]
pub fn perft_parallel(position: &Position, mut depth: u32, counting: Counting) -> Option<u64> {
    use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

    if depth > MAX_PERFT_DEPTH {
        return None;
    }
    // Positions near the root, each with the number of paths that lead to it.
    let (mut roots, enough) = (vec![(*position, 1)], ROOTS_PER_THREAD * rayon::current_num_threads());
    // There are no roots left if every line ends within these plies.
    while (1..enough).contains(&roots.len()) && depth > MIN_SPLIT_PLIES {
        roots = roots.iter().flat_map(|root| replies(root, counting)).collect();
        depth -= 1;
    }
    let leaves = |(root, paths): &(Position, u64)| perft(root, depth, counting)?.checked_mul(*paths);
    roots.par_iter().map(leaves).try_reduce(|| 0, u64::checked_add)
}

#[cfg(feature = "parallel")]
fn replies((position, paths): &(Position, u64), counting: Counting) -> Vec<(Position, u64)> {
    let position = position.without_king_runs();
    let reply = |played| {
        let own_paths = if counting == Counting::Paths { position.paths(&played).len() as u64 } else { 1 };
        (position.play_unchecked(&played), paths * own_paths)
    };
    position.legal_moves().into_iter().map(reply).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // No tree that overflows can be counted in a lifetime, so the operations on counts are tested alone.
    #[test]
    fn overflow_is_an_error() {
        assert_eq!(sum(Some(u64::MAX - 1), Some(1)), Some(u64::MAX));
        assert_eq!(sum(Some(u64::MAX), Some(1)), None);
        assert_eq!(sum(Some(1 << 63), Some(1 << 63)), None);
        assert_eq!((sum(None, Some(0)), sum(Some(0), None)), (None, None));
    }
}
