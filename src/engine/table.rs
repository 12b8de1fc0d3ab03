//! The transposition table: results of earlier searches by position key, shared by threads without locks.

#[cfg(target_os = "linux")]
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::{Geometry, Word};
use crate::error::Error;
use crate::rules::Step;

/// The relation of the true score to the stored one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    Lower,
    Upper,
}

/// The first and last square of a move and a hash of its captures: enough to identify it among the legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveHint {
    from: u8,
    to: u8,
    captured: u8,
}

impl MoveHint {
    pub(super) fn new<G: Geometry>(step: &Step<G>) -> Self {
        let captured = if step.captured.is_zero() {
            0
        } else {
            let wide = step.captured.widen();
            // Captures with the same start and end differ in few bits: multiplied by 2^64 / φ, they spread over the highest
            // byte. The lowest bit distinguishes them from quiet moves.
            ((wide ^ wide >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes()[0] | 1
        };
        Self { from: step.from, to: step.to, captured }
    }

    /// The absence of a move: no move goes from square 0 to square 0 without a capture.
    pub(super) const NONE: Self = Self { from: 0, to: 0, captured: 0 };

    /// Returns true unless this is [`MoveHint::NONE`].
    pub(super) fn is_some(self) -> bool {
        self != Self::NONE
    }

    /// Returns true if this identifies the given move.
    pub(super) fn matches<G: Geometry>(self, step: &Step<G>) -> bool {
        (self.from, self.to) == (step.from, step.to) && self.is_some() && self == Self::new(step)
    }
}

/// The stored result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) score: i16,
    /// Depth in plies.
    pub(super) depth: i8,
    pub(super) bound: Bound,
    pub(super) best: MoveHint,
}

/// Number of ages. The packed entry has 16 bits of score, 8 each of depth, from, to and captures, 2 of bound, 6 of age and
/// 8 of game.
const AGES: u8 = 64;

impl Entry {
    pub(super) fn new(score: i32, depth: i32, bound: Bound, best: MoveHint) -> Self {
        // No score is beyond ±30,000, even after its distance to the end is counted from the position.
        Self { score: score as i16, depth: depth.clamp(-128, 127) as i8, bound, best }
    }

    fn pack(self, age: u8, game: u8) -> u64 {
        let bytes = self.score.to_le_bytes();
        let bound = self.bound as u8;
        u64::from_le_bytes([
            bytes[0],
            bytes[1],
            self.depth.cast_unsigned(),
            self.best.from,
            self.best.to,
            self.best.captured,
            bound | age << 2,
            game,
        ])
    }

    fn unpack(packed: u64) -> Self {
        let [low, high, depth, from, to, captured, bound, _] = packed.to_le_bytes();
        let bound = match bound & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        let best = MoveHint { from, to, captured };
        Self { score: i16::from_le_bytes([low, high]), depth: depth.cast_signed(), bound, best }
    }
}

/// An entry in memory. The key is combined with the data by exclusive or, so that two halves written by different threads
/// do not match any key.
#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// Returns the key and the data.
    fn read(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (self.check.load(Ordering::Relaxed) ^ data, data)
    }

    fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

/// Number of entries in a cluster, which fills a cache line.
const CLUSTER: usize = 4;

/// Bytes of a large page on x86-64 and most ARM machines.
#[cfg(target_os = "linux")]
const LARGE_PAGE: usize = 2 << 20;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Cluster([Slot; CLUSTER]);

/// The error for a transposition table that does not fit into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a transposition table of {megabytes} MB does not fit into memory")]
pub struct TableError {
    megabytes: usize,
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Self {
        Self::unavailable(error.to_string())
    }
}

/// A table of fixed size. Games are numbered from 1 to 255; entries of earlier games count as absent.
#[derive(Debug)]
pub(super) struct Table {
    clusters: Vec<Cluster>,
    game: u8,
    /// Number of the search within the game, modulo [`AGES`].
    age: u8,
}

impl Table {
    /// Returns a table of at most this many megabytes (2²⁰ bytes), at least one.
    ///
    /// # Errors
    ///
    /// If the memory is not available.
    pub(super) fn new(megabytes: usize) -> Result<Self, TableError> {
        let (mut clusters, count) = reserve(megabytes)?;
        // Before the first write, because the advice is for pages that have no memory yet. With large pages, 20
        // million nodes took 2.36 to 2.41 s instead of 2.61 to 2.70 s (64 MB).
        #[cfg(target_os = "linux")]
        prefer_large_pages(clusters.spare_capacity_mut());
        clusters.resize_with(count, Cluster::default);
        Ok(Self { clusters, game: 1, age: 0 })
    }

    /// Returns an error if the memory for a table of this size is not available.
    pub(super) fn check(megabytes: usize) -> Result<(), TableError> {
        reserve(megabytes).map(drop)
    }

    /// Clears the table. Memory is written only every 255th time: entries of other games count as absent.
    pub(super) fn clear(&mut self) {
        if self.game == u8::MAX {
            self.clusters.fill_with(Cluster::default);
            self.game = 0;
        }
        self.game += 1;
        self.age = 0;
    }

    /// Starts another search of the same game: older entries stay, but are replaced first.
    pub(super) fn next_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    fn cluster(&self, key: u64) -> &[Slot; CLUSTER] {
        // The number of clusters is a power of two, so the mask is a cheap remainder.
        &self.clusters[key as usize & (self.clusters.len() - 1)].0
    }

    fn is_current(&self, data: u64) -> bool {
        // Unused memory is 0, and no game has the number 0.
        data.to_le_bytes()[7] == self.game
    }

    /// True if [`prefetch`](Self::prefetch) does something on this kind of processor.
    pub(super) const PREFETCHES: bool = cfg!(target_arch = "x86_64");

    /// Asks the processor to load the cluster of a key that will be looked up soon.
    #[inline(always)]
    #[allow(unsafe_code, unused_variables, reason = "a prefetch reads nothing that the program sees, and cannot fail")]
    pub(super) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: any address may be prefetched, and this one is within the table.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.cluster(key).as_ptr().cast());
        }
    }

    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let slots = self.cluster(key).iter().map(Slot::read);
        let mut found = slots.filter(|&(other, data)| other == key && self.is_current(data));
        found.next().map(|(_, data)| Entry::unpack(data))
    }

    /// Stores a result, replacing the entry of the same position or else the least valuable one of the cluster. If the
    /// result has no best move, the known one is kept.
    pub(super) fn store(&self, key: u64, mut entry: Entry) {
        let slots = self.cluster(key);
        let (mut index, mut least) = (0, i32::MAX);
        for (n, slot) in slots.iter().enumerate() {
            let (other, data) = slot.read();
            if other == key && self.is_current(data) {
                if !entry.best.is_some() {
                    entry.best = Entry::unpack(data).best;
                }
                index = n;
                break;
            }
            let priority = self.priority(data);
            if priority < least {
                (index, least) = (n, priority);
            }
        }
        slots[index].write(key, entry.pack(self.age, self.game));
    }

    /// Returns the replacement priority: the depth, less 8 for each search since the entry was stored, since most of what
    /// earlier moves of the game needed will not be needed again.
    fn priority(&self, data: u64) -> i32 {
        if !self.is_current(data) {
            return i32::MIN;
        }
        let [_, _, depth, _, _, _, bound, _] = data.to_le_bytes();
        let searches_ago = (AGES + self.age - (bound >> 2)) % AGES;
        i32::from(depth.cast_signed()) - 8 * i32::from(searches_ago)
    }
}

/// Returns memory for the clusters of a table, and their number.
fn reserve(megabytes: usize) -> Result<(Vec<Cluster>, usize), TableError> {
    let error = TableError { megabytes };
    let bytes = megabytes.max(1).checked_mul(1 << 20).ok_or(error)?;
    // With a power of two, the index is a part of the key, without a division.
    let count = 1_usize << (bytes / size_of::<Cluster>()).ilog2();
    let mut clusters = Vec::new();
    // `with_capacity` would end the process instead of returning an error.
    clusters.try_reserve_exact(count).map_err(|_| error)?;
    Ok((clusters, count))
}

/// Asks the operating system for large pages: a table is read at random places, and with small pages the processor must
/// look up most of their addresses in memory too.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "the advice changes neither the content of the memory nor who owns it")]
fn prefer_large_pages(memory: &mut [MaybeUninit<Cluster>]) {
    use rustix::mm::{Advice, madvise};

    // May be `usize::MAX` where no alignment is found, hence the saturating arithmetic.
    let skipped = memory.as_ptr().align_offset(LARGE_PAGE);
    let bytes = size_of_val(memory).saturating_sub(skipped.saturating_mul(size_of::<Cluster>()));
    if bytes >= LARGE_PAGE {
        let start = memory[skipped..].as_mut_ptr();
        // SAFETY: the range lies within the slice. Without large pages (an error) the table works the same, but slower.
        let _ = unsafe { madvise(start.cast(), bytes, Advice::LinuxHugepage) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: i16, depth: i8) -> Entry {
        Entry { score, depth, bound: Bound::Upper, best: MoveHint { from: 3, to: 127, captured: 9 } }
    }

    #[test]
    fn an_entry_survives_packing() {
        for (score, depth) in [(0, 0), (-30_000, -128), (30_000, 127), (-1, -1)] {
            assert_eq!(Entry::unpack(entry(score, depth).pack(63, 255)), entry(score, depth));
        }
    }

    #[test]
    fn entries_are_found_until_the_game_ends() {
        let mut table = Table::new(1).expect("a megabyte");
        table.store(77, entry(5, 3));
        assert_eq!(table.find(77), Some(entry(5, 3)));
        assert_eq!(table.find(78), None);
        table.store(77, Entry { best: MoveHint::NONE, ..entry(6, 2) });
        assert_eq!(table.find(77), Some(entry(6, 2)), "the best move is kept");
        for _ in 0..600 {
            table.clear();
            assert_eq!(table.find(77), None);
        }
    }

    #[test]
    fn a_table_that_does_not_fit_is_an_error() {
        for megabytes in [usize::MAX, usize::MAX >> 21] {
            let error = Table::new(megabytes).expect_err("more than the address space");
            assert_eq!(error.to_string(), format!("a transposition table of {megabytes} MB does not fit into memory"));
        }
    }

    #[test]
    fn the_shallowest_entry_is_replaced() {
        let table = Table::new(1).expect("a megabyte");
        let key = |n: u64| n << 40;
        (0..4).for_each(|n| table.store(key(n), entry(0, 9 - n as i8)));
        table.store(key(4), entry(0, 1));
        assert_eq!(table.find(key(3)), None);
        assert!([0, 1, 2, 4].iter().all(|&n| table.find(key(n)).is_some()));
    }
}
