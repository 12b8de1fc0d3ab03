//! Looking up positions in tables.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cache::Cache;
use super::code::Code;
use super::file::{Source, Table};
use super::game::{Game, Lookup, material_of};
use super::index::Index;
use super::material::Material;
use crate::board::{Geometry, Word};
use crate::rules::{MoveList, State};

/// An opened table and where it is.
pub(super) struct OpenTable {
    pub(super) table: Table,
    pub(super) source: Arc<Source>,
    /// The path, `None` for a table in the program.
    pub(super) path: Option<PathBuf>,
    /// Set when a block cannot be read; the table is not used from then on.
    pub(super) damaged: AtomicBool,
}

/// How the codes of a class are found.
enum Class<G: Geometry> {
    /// In a table.
    Stored(Index<G>, usize),
    /// From the moves of the position: the mirror is in a table.
    Derived,
}

/// Tables of one kind, with or without distances.
pub(super) struct Prober<G: Geometry> {
    game: Arc<Game<G>>,
    distances: bool,
    classes: Vec<Option<Class<G>>>,
    tables: Vec<OpenTable>,
    cache: Cache,
    max_pieces: u8,
}

impl<G: Geometry> Prober<G> {
    /// Returns a prober of tables. Of two tables for a class, the first is used.
    pub(super) fn new(game: Arc<Game<G>>, tables: Vec<OpenTable>, distances: bool) -> Self {
        let mut classes: Vec<_> = (0..Material::KEYS).map(|_| None).collect();
        let mut max_pieces = 0;
        for (n, material) in tables.iter().map(|open| open.table.contents.material).enumerate() {
            let is_known = classes[material.key()].is_some();
            if !is_known {
                classes[material.mirrored().key()] = Some(Class::Derived);
                classes[material.key()] = Some(Class::Stored(game.index(material), n));
                max_pieces = max_pieces.max(material.pieces());
            }
        }
        let cache = Cache::new(tables.iter().map(|open| open.table.blocks()));
        Self { game, distances, classes, tables, cache, max_pieces }
    }

    /// Returns the largest number of pieces of a class.
    pub(super) const fn max_pieces(&self) -> u8 {
        self.max_pieces
    }

    pub(super) const fn game(&self) -> &Arc<Game<G>> {
        &self.game
    }

    pub(super) fn tables(&self) -> &[OpenTable] {
        &self.tables
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

    /// Returns a code as tables of this kind have it.
    pub(super) const fn rounded(&self, code: Code) -> Code {
        if self.distances { code } else { code.without_distance() }
    }
}

impl<G: Geometry> Lookup<G> for Prober<G> {
    fn look_up(&self, state: &State<G>) -> Option<Code> {
        if (state.sides[0] | state.sides[1]).count() > u32::from(self.max_pieces) {
            return None;
        }
        match self.classes[material_of(state).key()].as_ref()? {
            Class::Stored(index, n) if !self.game.must_capture(state) => self.stored(index, *n, state),
            Class::Stored(..) | Class::Derived => self.by_moves(state),
        }
    }
}
