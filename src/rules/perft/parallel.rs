//! Leaf counts on several threads.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::{Counting, PerftOverflow, perft, sum};
use crate::rules::Position;

/// Minimum number of subtrees per thread, so that differences in size even out.
const ROOTS_PER_THREAD: usize = 64;

/// Plies below which a position is not split further.
const MIN_SPLIT_PLIES: u32 = 5;

/// Counts like [`perft`] on all threads of the current rayon pool.
///
/// # Errors
///
/// If the count does not fit into 64 bits.
pub fn perft_parallel(position: &Position, depth: u32, counting: Counting) -> Result<u64, PerftOverflow> {
    let (roots, depth) = split(position, depth, counting, ROOTS_PER_THREAD * rayon::current_num_threads());
    let count = |root: &Root| root.leaves(perft(&root.position, depth, counting)?);
    roots.par_iter().map(count).try_reduce(|| 0, |a, b| sum(Some(a), Some(b)).ok_or(PerftOverflow))
}

/// A position near the root, with the number of paths that lead to it.
struct Root {
    position: Position,
    paths: u64,
}

impl Root {
    /// Returns the number of leaves below all paths, given that of the position.
    fn leaves(&self, below: u64) -> Result<u64, PerftOverflow> {
        below.checked_mul(self.paths).ok_or(PerftOverflow)
    }
}

/// Plays plies until there are enough positions for all threads; returns them and the remaining plies.
fn split(position: &Position, mut depth: u32, counting: Counting, enough: usize) -> (Vec<Root>, u32) {
    let mut roots = vec![Root { position: *position, paths: 1 }];
    while (1..enough).contains(&roots.len()) && depth > MIN_SPLIT_PLIES {
        roots = roots.iter().flat_map(|root| replies(root, counting)).collect();
        depth -= 1;
    }
    (roots, depth)
}

fn replies(root: &Root, counting: Counting) -> Vec<Root> {
    let position = root.position.without_king_runs();
    let reply = |played| {
        let paths = if counting == Counting::Paths { position.paths(&played).len() as u64 } else { 1 };
        Root { position: position.play_unchecked(&played), paths: root.paths * paths }
    };
    position.legal_moves().into_iter().map(reply).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    // No tree that overflows can be counted in a lifetime, so the operation on counts is tested alone.
    #[test]
    fn overflow_is_an_error() {
        let root = |paths| Root { position: Position::start(Variant::THAI), paths };
        assert_eq!(root(1).leaves(u64::MAX), Ok(u64::MAX));
        assert_eq!(root(2).leaves(u64::MAX), Err(PerftOverflow));
        assert_eq!(root(1 << 32).leaves(1 << 32), Err(PerftOverflow));
    }
}
