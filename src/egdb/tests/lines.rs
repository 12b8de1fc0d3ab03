//! Best lines without stored distances.

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::board::Board8x8;
use crate::egdb::EndgameTables;
use crate::rules::{Position, Variant};

/// Won positions of classes so large that several threads solve them.
const POSITIONS: [&str; 4] = ["W:Wa1,Kc1:Bh2,Kh8", "W:Wa1,c1,Ke1:Bh8", "W:Wa1,Kc1,Ke1:Bh8", "W:Wa1,c1,e1:BKh8"];

/// A worker that waits for its part of the work while it holds a lock may take another job of its pool, which waits for the
/// same lock.
#[test]
fn jobs_of_one_pool_do_not_wait_for_each_other() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads");
    let tables = EndgameTables::embedded(Variant::BRAZILIAN).typed::<Board8x8>().expect("tables of this board");
    let positions = POSITIONS.map(|fen| Position::from_fen(Variant::BRAZILIAN, fen).expect("a position"));
    let decided = pool.install(|| {
        let jobs = (0..16).into_par_iter().with_max_len(1);
        jobs.map(|n: usize| tables.best_line(&positions[n % positions.len()].state(), |_, _| true).is_some()).collect()
    });
    let decided: Vec<bool> = decided;
    assert!(decided.iter().any(|&is_decided| is_decided));
    assert!((0..16).all(|n| decided[n] == decided[n % positions.len()]));
}
