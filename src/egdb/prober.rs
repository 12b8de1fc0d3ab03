//! Looking up positions in tables whose blocks are kept in a cache.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use super::coder::Block;
use super::endgame::{Endgame, Lookup, material_of};
use super::file::{Source, Table};
use super::index::Index;
use super::material::Material;
use super::values::Code;
use crate::board::{Geometry, Word};
use crate::rules::{MoveList, State};
use crate::shared::lock;

/// An opened table and its location.
pub(super) struct OpenTable {
    pub(super) table: Table,
    pub(super) source: Arc<Source>,
    /// The path, `None` for a built-in table.
    pub(super) path: Option<PathBuf>,
    /// Set when a block cannot be read; the table is not used from then on.
    pub(super) damaged: AtomicBool,
}

/// The source of the codes of a class.
enum Class<G: Geometry> {
    /// In a table.
    Stored(Index<G>, usize),
    /// From the moves of the position: the mirror is in a table.
    Derived,
}

/// Tables of one kind, with or without distances.
pub(super) struct Prober<G: Geometry> {
    pub(super) game: Arc<Endgame<G>>,
    distances: bool,
    classes: Vec<Option<Class<G>>>,
    pub(super) tables: Vec<OpenTable>,
    cache: Cache,
    /// The largest number of pieces of a class.
    pub(super) max_pieces: u8,
}

impl<G: Geometry> Prober<G> {
    /// Returns a prober of tables. Of two tables for a class, the first is used.
    pub(super) fn new(game: Arc<Endgame<G>>, tables: Vec<OpenTable>, distances: bool) -> Self {
        let mut classes: Vec<_> = (0..Material::KEYS).map(|_| None).collect();
        let mut max_pieces = 0;
        for (n, material) in tables.iter().map(|open| open.table.contents.material).enumerate() {
            let is_known = classes[material.key()].is_some();
            if !is_known {
                // In this order, because a class may be its own mirror.
                classes[material.mirrored().key()] = Some(Class::Derived);
                classes[material.key()] = Some(Class::Stored(game.index(material), n));
                max_pieces = max_pieces.max(material.pieces());
            }
        }
        let cache = Cache::new(tables.iter().map(|open| open.table.blocks()));
        Self { game, distances, classes, tables, cache, max_pieces }
    }

    /// Returns the code of a quiet position from a table.
    fn stored(&self, index: &Index<G>, n: usize, state: &State<G>) -> Option<Code> {
        let open = &self.tables[n];
        if open.damaged.load(Ordering::Relaxed) {
            return None;
        }
        let (block, at) = open.table.locate(index.rank(state));
        let code = self.cache.get(n as u32, block, at, || open.table.block(&open.source, block).ok());
        if code.is_none() {
            open.damaged.store(true, Ordering::Relaxed);
        }
        code.map(Code)
    }

    fn by_moves(&self, state: &State<G>) -> Option<Code> {
        let code = self.game.tally(state, &mut MoveList::default(), self)?.code(self.game.blocked());
        Some(self.rounded(code))
    }

    /// Returns a code as tables of this kind store it.
    pub(super) const fn rounded(&self, code: Code) -> Code {
        if self.distances { code } else { code.without_distance() }
    }
}

impl<G: Geometry> Lookup<G> for Prober<G> {
    fn look_up(&self, state: &State<G>) -> Option<Code> {
        // Most positions of a search have more pieces: their class need not be computed.
        if (state.sides[0] | state.sides[1]).count() > u32::from(self.max_pieces) {
            return None;
        }
        match self.classes[material_of(state).key()].as_ref()? {
            Class::Stored(index, n) if !self.game.must_capture(state) => self.stored(index, *n, state),
            Class::Stored(..) | Class::Derived => self.by_moves(state),
        }
    }
}

/// The block of a table.
type Key = (u32, u32);

/// Holds the most recently read of its blocks.
type Slot = Mutex<Option<(Key, Block)>>;

/// Memory for blocks that stay, in bytes. Tables of 5 pieces take about 60 MB when all of their blocks are read.
const MAX_LASTING: usize = 256 << 20;

/// Number of blocks that are kept in addition to those that stay. A block takes about a kilobyte.
const SLOTS: usize = 1 << 15;

/// The blocks of some tables. The first ones read are kept and are found without a lock; once they fill their memory, the others
/// share separately locked slots, each of which keeps the last block read.
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
                // Two threads may read the same block at once; only one of the two is kept and counted.
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
        // Multiplied by 2^64 / φ, so that neighbouring blocks are spread over the slots.
        let hash = (u64::from(key.0) << 32 | u64::from(key.1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut slot = lock(&slots[(hash >> 32) as usize % SLOTS]);
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
