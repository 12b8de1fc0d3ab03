//! The node count of a fixed set of positions identifies the search; it is the same on every machine.

use pdn::arena::{BENCH_DEPTH, bench_search};

/// The node count that `pdn bench search` prints. An intended change of the search or the evaluation changes it too.
const SIGNATURE: u64 = 1_150_189;

#[test]
fn the_search_is_unchanged() {
    assert_eq!(bench_search(BENCH_DEPTH), SIGNATURE);
}
