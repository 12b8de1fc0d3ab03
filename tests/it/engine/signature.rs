//! The search is the same search: positions visited over a fixed set, the same on every machine.

use pdn::arena::{BENCH_DEPTH, bench_search};

/// What `pdn bench search` prints. A change of the search or the evaluation changes it: put the new number here when that
/// was intended.
const SIGNATURE: u64 = 3_237_056;

#[test]
fn the_search_is_what_it_was() {
    assert_eq!(bench_search(BENCH_DEPTH), SIGNATURE);
}
