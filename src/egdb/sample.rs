//! Comparing random positions of a table with those they lead to.

use super::code::Code;
use super::file::Defect;
use super::prober::{OpenTable, Prober};
use super::progress::Progress;
use super::threads;
use crate::board::Geometry;
use crate::rules::MoveList;

/// What was found in a table.
#[derive(Default)]
pub(super) struct Sampled {
    /// Number of positions that were recomputed.
    pub(super) positions: u64,
    /// What is wrong.
    pub(super) problem: Option<String>,
}

/// What was found in a block.
#[derive(Default)]
struct Found {
    positions: u64,
    wrong: u64,
    unknown: u64,
    is_damaged: bool,
}

/// Recomputes random positions of each block of a table. Those that are not stored are left out: their values follow from
/// others by definition.
pub(super) fn sample_table<G: Geometry>(prober: &Prober<G>, n: usize, sample: u32, progress: &dyn Progress) -> Sampled {
    let open = &prober.tables()[n];
    let blocks = 0..open.table.blocks() as u32;
    let found = threads::map(blocks.collect(), |block| {
        progress.advance(1);
        sample_block(prober, open, block, sample)
    });
    let sum = |part: fn(&Found) -> u64| found.iter().map(part).sum::<u64>();
    let (wrong, unknown) = (sum(|found| found.wrong), sum(|found| found.unknown));
    let problem = if found.iter().any(|found| found.is_damaged) {
        Some(Defect::Damaged.reason().to_owned())
    } else if wrong > 0 {
        Some(format!("{wrong} positions of {} have a wrong value", open.table.contents.material))
    } else {
        (unknown > 0).then(|| "tables that it depends on are missing".to_owned())
    };
    Sampled { positions: sum(|found| found.positions), problem }
}

fn sample_block<G: Geometry>(prober: &Prober<G>, open: &OpenTable, block: u32, sample: u32) -> Found {
    let Ok(codes) = open.table.block(&open.source, block) else {
        return Found { is_damaged: true, ..Found::default() };
    };
    let (game, range) = (prober.game(), open.table.range(block));
    let index = game.index(open.table.contents.material);
    let (mut found, mut list) = (Found::default(), MoveList::default());
    for n in 0..sample {
        let at = random(u64::from(block) << 32 | u64::from(n)) % (range.end - range.start);
        let state = index.unrank(range.start + at);
        if game.must_capture(&state) {
            continue;
        }
        found.positions += 1;
        match game.tally(&state, &mut list, prober) {
            None => found.unknown += 1,
            Some(tally) => {
                let code = prober.rounded(tally.code(game.blocked()));
                found.wrong += u64::from(code != Code(codes.get(at as u32)));
            }
        }
    }
    found
}

/// Returns a number that looks random (`SplitMix64`).
pub(super) const fn random(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
