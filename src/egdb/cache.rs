//! Caches of blocks that were read.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::coder::Block;

/// The block of a table.
type Key = (u32, u32);

/// Holds the block read last of those that belong to it.
type Slot = Mutex<Option<(Key, Block)>>;

/// Memory for blocks that stay, in bytes. Tables of 5 pieces take about 60 MB when all of their blocks are read.
const MAX_LASTING: usize = 256 << 20;

/// Number of blocks that are kept besides those that stay. A block takes about a kilobyte.
const SLOTS: usize = 1 << 15;

/// The blocks of some tables. The first ones that are read stay and are found without a lock; when they fill their memory,
/// the others share slots that are locked separately, and in each the block read last is kept.
pub(super) struct Cache {
    /// By table, then by block.
    lasting: Vec<Box<[OnceLock<Block>]>>,
    used: AtomicUsize,
    slots: OnceLock<Box<[Slot]>>,
}

impl Cache {
    /// Returns a cache for tables with these numbers of blocks.
    pub(super) fn new(blocks: impl Iterator<Item = usize>) -> Self {
        let lasting: Vec<_> = blocks.map(|count| (0..count).map(|_| OnceLock::new()).collect()).collect();
        Self { lasting, used: AtomicUsize::new(0), slots: OnceLock::new() }
    }

    /// Returns the code at an index of a block, which is read if necessary; `None` if it cannot be read.
    #[inline]
    pub(super) fn get(&self, table: u32, block: u32, index: u32, read: impl FnOnce() -> Option<Block>) -> Option<u8> {
        let lasting = &self.lasting[table as usize][block as usize];
        match lasting.get() {
            Some(block) => Some(block.get(index)),
            None if self.used.load(Ordering::Relaxed) < MAX_LASTING => {
                let read = read()?;
                let size = read.size();
                if lasting.set(read).is_ok() {
                    self.used.fetch_add(size, Ordering::Relaxed);
                }
                lasting.get().map(|block| block.get(index))
            }
            None => self.get_from_slot((table, block), index, read),
        }
    }

    fn get_from_slot(&self, key: Key, index: u32, read: impl FnOnce() -> Option<Block>) -> Option<u8> {
        let slots = self.slots.get_or_init(|| (0..SLOTS).map(|_| Mutex::default()).collect());
        let hash = (u64::from(key.0) << 32 | u64::from(key.1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut slot = slots[(hash >> 32) as usize % SLOTS].lock().unwrap_or_else(PoisonError::into_inner);
        if slot.as_ref().is_none_or(|(known, _)| *known != key) {
            *slot = Some((key, read()?));
        }
        slot.as_ref().map(|(_, block)| block.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egdb::coder::encode;

    fn block(code: u8) -> Block {
        let (coder, blocks) = encode([vec![code; 8]].into_iter(), false);
        coder.decode(&blocks[0], 8).expect("a block")
    }

    #[test]
    fn blocks_are_read_once_while_there_is_memory() {
        let cache = Cache::new([1, 2].into_iter());
        assert_eq!(cache.get(1, 1, 3, || Some(block(2))), Some(2));
        assert_eq!(cache.get(1, 1, 4, || None), Some(2));
        assert_eq!(cache.get(0, 0, 4, || None), None);
    }

    #[test]
    fn without_memory_blocks_share_slots() {
        let cache = Cache::new([1, 1].into_iter());
        cache.used.store(MAX_LASTING, Ordering::Relaxed);
        for code in [1, 2] {
            assert_eq!(cache.get_from_slot((0, 0), 3, || Some(block(1))), Some(1));
            assert_eq!(cache.get(1, 0, 3, || Some(block(code))), Some(1), "the block read first is kept");
        }
    }
}
