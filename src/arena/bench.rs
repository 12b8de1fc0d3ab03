//! A fixed set of positions that measures the speed of the search and identifies it by its node count.

use crate::engine::{Engine, EngineOptions, Limit};
use crate::rules::{Position, Variant};

/// The usual depth of [`bench_search`], in plies.
pub const BENCH_DEPTH: u32 = 12;
/// Size of the transposition table, in megabytes.
const HASH_MB: usize = 16;

/// Positions from the sample games, early and late ones; the start position of each variant is added.
const POSITIONS: [(Variant, &[&str]); 3] = [
    (
        Variant::INTERNATIONAL,
        &[
            "W:W32,33,34,35,38,40,41,42,43,44,46,47,48,49,50:B1,2,3,4,5,6,7,9,10,11,12,16,19,20,23,24,25",
            "B:W28,32,33,34,35,40,41,42,43,47,48,49,50:B1,2,3,4,5,7,11,16,18,19,20,21,23,24,25",
            "W:W28,31,35,38,39,40,41,43,44,45,46,47,48,49,50:B1,2,3,4,5,7,8,9,10,11,12,15,16,20,24,29",
            "B:W27,28,30,32,33,35,37,39,46,47,48,49,50:B1,2,3,4,5,9,12,13,15,16,17,19,20,24",
        ],
    ),
    (
        Variant::ITALIAN,
        &[
            "W:W18,19,22,23,24,27,31,32:B2,3,4,5,6,9,11,16",
            "B:W14,18,20,23,27:B6,9,11,12,16",
            "W:W18,22,23,24,29,30,31,32:B2,3,4,9,11,13,15,16",
            "B:W10,14,20,27,28,31:B2,12,16,18",
        ],
    ),
    (
        Variant::BRAZILIAN,
        &[
            "W:Wa1,a5,b2,d4,e1,e3,f2,f4:Bb6,b8,c7,d8,e5,f6,f8,h8",
            "B:Wa3,e1,f6:Bd8,e3,h8",
            "W:Wa1,c1,c3,e3,f4,g1,h4:Bb8,c7,d6,d8,f6,f8,h6",
            "B:Wa3,c3,d2,e3:Ba5,c5,d8,f4,h6,h8",
        ],
    ),
];

/// Returns the fixed set of positions: International, Italian and Brazilian draughts.
fn bench_positions() -> Vec<Position> {
    let of = |(variant, fens): &(Variant, &[&str])| {
        let later: Vec<_> = fens.iter().filter_map(|fen| Position::from_fen(*variant, fen).ok()).collect();
        std::iter::once(Position::start(*variant)).chain(later)
    };
    POSITIONS.iter().flat_map(of).collect()
}

/// Searches each position of the fixed set to a depth in plies, with a new engine, and returns the total number of nodes.
pub fn bench_search(depth: u32) -> u64 {
    let search = |position: Position| {
        // A new engine for each position, so that a count does not depend on the positions before.
        let options = EngineOptions::default().with_hash_mb(HASH_MB);
        Engine::with_options(position.variant(), options).analyse(&position, Limit::depth(depth)).nodes()
    };
    bench_positions().into_iter().map(search).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_can_be_read() {
        let count: usize = POSITIONS.iter().map(|(_, fens)| fens.len() + 1).sum();
        assert_eq!(bench_positions().len(), count);
    }
}
