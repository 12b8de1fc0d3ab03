//! Solved classes in memory, and reading whole tables into it.

use std::ops::Range;
use std::sync::Arc;

use super::Progress;
use super::endgame::{Endgame, Lookup, material_of};
use super::file::Defect;
use super::index::Index;
use super::material::Material;
use super::prober::OpenTable;
use super::solve::TASK;
use super::values::{ClassCounts, Code};
use crate::board::Geometry;
use crate::pool::map;
use crate::rules::{MoveList, State};

/// The codes of a class: two bits each without distances, a byte each with distances.
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
        // From the last code to the first, which therefore has the lowest bits.
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
    pub(super) game: Arc<Endgame<G>>,
    classes: Vec<Option<Solved<G>>>,
    /// The memory that the classes take, in bytes.
    pub(super) memory: u64,
}

impl<G: Geometry> Finished<G> {
    pub(super) fn new(game: Arc<Endgame<G>>) -> Self {
        Self { game, classes: (0..Material::KEYS).map(|_| None).collect(), memory: 0 }
    }

    pub(super) fn add(&mut self, class: Solved<G>) {
        self.memory += Codes::memory(class.index.len(), matches!(class.codes, Codes::Bytes(_)));
        let key = class.index.material.key();
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
}

impl<G: Geometry> Lookup<G> for Finished<G> {
    #[inline]
    fn look_up(&self, state: &State<G>) -> Option<Code> {
        let class = self.get(material_of(state))?;
        Some(class.codes.get(class.index.rank(state)))
    }
}

/// Adds the class of a table and its mirror to those in memory; returns their counts. All classes with fewer pieces, or
/// the same number of pieces and fewer men, must be in memory.
///
/// # Errors
///
/// If a block cannot be read.
pub(super) fn load<G: Geometry>(
    finished: &mut Finished<G>,
    open: &OpenTable,
    progress: &dyn Progress,
) -> Result<Vec<ClassCounts>, Defect> {
    let (contents, mut counts) = (&open.table.contents, Vec::new());
    for (class, stored) in contents.material.pair().zip([Some(open), None]) {
        let index = finished.game.index(class);
        let mut codes = vec![0; index.len() as usize];
        let tasks = codes.chunks_mut(TASK as usize).zip((0..).step_by(TASK as usize)).collect();
        let filled = map(tasks, |(codes, first): (&mut [u8], u64)| {
            let counts = fill(finished, &index, first, stored, codes);
            progress.advance(codes.len() as u64);
            counts
        });
        counts.push(filled.into_iter().sum::<Result<ClassCounts, Defect>>()?);
        // Added before the mirror is filled in, whose codes follow from these.
        finished.add(Solved { index, codes: Codes::pack(codes, contents.distances) });
    }
    Ok(counts)
}

/// Fills in the codes of a class from a position onwards and counts them. The codes of positions without captures are
/// in the blocks of the table, if it has this class; all others follow from the moves.
fn fill<G: Geometry>(
    finished: &Finished<G>,
    index: &Index<G>,
    first: u64,
    stored: Option<&OpenTable>,
    codes: &mut [u8],
) -> Result<ClassCounts, Defect> {
    let (range, mut list, mut counts) =
        (first..first + codes.len() as u64, MoveList::default(), ClassCounts::default());
    let blocks = |open: &OpenTable| {
        let [first, end] = [range.start, range.end - 1].map(|rank| open.table.locate(rank).0);
        let blocks = (first..=end).map(|block| open.table.block(&open.source, block));
        blocks.collect::<Result<Vec<_>, _>>().map(|blocks| (first, blocks))
    };
    let blocks = stored.map(blocks).transpose()?;
    index.each(range, |rank, state| {
        let must_capture = finished.game.must_capture(state);
        let code = match (stored, &blocks) {
            (Some(open), Some((first_block, blocks))) if !must_capture => {
                let (block, at) = open.table.locate(rank);
                Code(blocks[(block - first_block) as usize].get(at))
            }
            _ => from_moves(finished, state, &mut list),
        };
        counts.add(code, must_capture);
        codes[(rank - first) as usize] = code.0;
    });
    Ok(counts)
}

/// Returns the results of all moves of a position.
fn from_moves<G: Geometry>(finished: &Finished<G>, state: &State<G>, list: &mut MoveList<G>) -> Code {
    let game = &finished.game;
    game.tally(state, list, finished).expect("smaller classes are in memory").code(game.blocked())
}

/// Returns the number of positions of a class whose codes contradict those that their moves lead to.
pub(super) fn contradictions<G: Geometry>(finished: &Finished<G>, class: &Solved<G>, progress: &dyn Progress) -> u64 {
    let distances = matches!(class.codes, Codes::Bytes(_));
    let check = |range: Range<u64>| {
        let (mut list, mut wrong, len) = (MoveList::default(), 0, range.end - range.start);
        class.index.each(range, |rank, state| {
            let code = from_moves(finished, state, &mut list);
            let code = if distances { code } else { code.without_distance() };
            wrong += u64::from(code != class.codes.get(rank));
        });
        progress.advance(len);
        wrong
    };
    let ranges = (0..class.index.len()).step_by(TASK as usize).map(|first| first..class.index.len().min(first + TASK));
    map(ranges.collect(), check).into_iter().sum()
}
