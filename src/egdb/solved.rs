//! Solved classes in memory.

use std::sync::Arc;

use super::code::Code;
use super::game::{Game, Lookup, material_of};
use super::index::Index;
use super::material::Material;
use crate::board::Geometry;
use crate::rules::State;

/// The codes of a class, without distances in two bits each, with distances in a byte each.
pub(super) enum Codes {
    /// Four codes per byte.
    Quarters(Vec<u8>),
    /// One code per byte.
    Bytes(Vec<u8>),
}

impl Codes {
    /// Packs codes.
    pub(super) fn pack(codes: Vec<u8>, distances: bool) -> Self {
        if distances {
            return Self::Bytes(codes);
        }
        let quarter =
            |codes: &[u8]| codes.iter().rev().fold(0, |byte, &code| byte << 2 | Code(code).without_distance().0);
        Self::Quarters(codes.chunks(4).map(quarter).collect())
    }

    #[inline]
    pub(super) fn get(&self, rank: u64) -> Code {
        match self {
            Self::Quarters(bytes) => Code(bytes[(rank / 4) as usize] >> (rank % 4 * 2) & 3),
            Self::Bytes(bytes) => Code(bytes[rank as usize]),
        }
    }

    /// Returns the memory that the codes of a class take, in bytes.
    pub(super) const fn memory(positions: u64, distances: bool) -> u64 {
        if distances { positions } else { positions.div_ceil(4) }
    }
}

/// A solved class.
pub(super) struct Solved<G: Geometry> {
    pub(super) index: Index<G>,
    pub(super) codes: Codes,
}

/// All classes solved so far.
pub(super) struct Finished<G: Geometry> {
    pub(super) game: Arc<Game<G>>,
    classes: Vec<Option<Solved<G>>>,
    memory: u64,
}

impl<G: Geometry> Finished<G> {
    pub(super) fn new(game: Arc<Game<G>>) -> Self {
        Self { game, classes: (0..Material::KEYS).map(|_| None).collect(), memory: 0 }
    }

    pub(super) fn add(&mut self, class: Solved<G>) {
        self.memory += Codes::memory(class.index.len(), matches!(class.codes, Codes::Bytes(_)));
        let key = class.index.material().key();
        self.classes[key] = Some(class);
    }

    /// Forgets a class.
    pub(super) fn remove(&mut self, material: Material) {
        if let Some(class) = self.classes[material.key()].take() {
            self.memory -= Codes::memory(class.index.len(), matches!(class.codes, Codes::Bytes(_)));
        }
    }

    pub(super) fn get(&self, material: Material) -> Option<&Solved<G>> {
        self.classes[material.key()].as_ref()
    }

    /// Returns the memory that the classes take, in bytes.
    pub(super) const fn memory(&self) -> u64 {
        self.memory
    }
}

impl<G: Geometry> Lookup<G> for Finished<G> {
    #[inline]
    fn look_up(&self, state: &State<G>) -> Option<Code> {
        let class = self.get(material_of(state))?;
        Some(class.codes.get(class.index.rank(state)))
    }
}
