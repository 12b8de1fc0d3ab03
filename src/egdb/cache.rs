//! A bounded cache of blocks that were read.

use std::sync::{Mutex, PoisonError};

use super::coder::Block;

/// The block of a table.
type Key = (u32, u32);

/// Holds the block read last of those that belong to it.
type Slot = Mutex<Option<(Key, Block)>>;

/// Blocks in slots that are locked separately, so that threads seldom wait for each other. Each block has one slot, and the
/// block read last keeps it.
pub(super) struct Cache {
    slots: Box<[Slot]>,
}

/// Maximum number of blocks in a cache. A block of 16,384 positions takes about half a kilobyte.
const MAX_SLOTS: usize = 1 << 17;

impl Cache {
    /// Returns a cache for tables with this many blocks in all.
    pub(super) fn new(blocks: usize) -> Self {
        let slots = (2 * blocks).clamp(1, MAX_SLOTS).next_power_of_two();
        Self { slots: (0..slots).map(|_| Mutex::default()).collect() }
    }

    /// Returns the code at an index of a block, which is read if necessary; `None` if it cannot be read.
    pub(super) fn get(&self, table: u32, block: u32, index: u32, read: impl FnOnce() -> Option<Block>) -> Option<u8> {
        let hash = (u64::from(table) << 32 | u64::from(block)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = (hash >> 32) as usize & (self.slots.len() - 1);
        let mut slot = self.slots[slot].lock().unwrap_or_else(PoisonError::into_inner);
        if slot.as_ref().is_none_or(|(key, _)| *key != (table, block)) {
            *slot = Some(((table, block), read()?));
        }
        slot.as_ref().map(|(_, block)| block.get(index))
    }
}
