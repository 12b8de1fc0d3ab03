//! Reading whole tables into memory, and comparing each position with those it leads to.

use std::ops::Range;

use super::code::Code;
use super::counts::{ClassCounts, Counts};
use super::file::Defect;
use super::game::Game;
use super::index::Index;
use super::prober::OpenTable;
use super::progress::Progress;
use super::solve::TASK;
use super::solved::{Codes, Finished, Solved};
use super::threads;
use crate::board::Geometry;
use crate::rules::{MoveList, State};

/// Adds the class of a table and its mirror to those in memory; returns their counts. All classes with fewer pieces, or as
/// many and fewer men, must be in memory.
///
/// # Errors
///
/// If a block cannot be read.
pub(super) fn load<G: Geometry>(
    finished: &mut Finished<G>,
    open: &OpenTable,
    progress: &dyn Progress,
) -> Result<Vec<ClassCounts>, Defect> {
    let contents = &open.table.contents;
    let distances = contents.distances;
    let add = |finished: &mut Finished<G>, index, (codes, counts): (Vec<u8>, ClassCounts)| {
        finished.add(Solved { index, codes: Codes::pack(codes, distances) });
        counts
    };
    let mut counts = Vec::new();
    for (n, class) in contents.material.pair().enumerate() {
        let index = finished.game.index(class);
        let filled = if n == 0 {
            fill(&finished.game, &index, progress, |range| Stored::read(finished, open, range))?
        } else {
            fill(&finished.game, &index, progress, |_| Ok(Derived(finished)))?
        };
        counts.push(add(finished, index, filled));
    }
    Ok(counts)
}

/// A source of the codes of positions in ascending order.
trait Codings<G: Geometry> {
    fn code(&self, rank: u64, state: &State<G>, must_capture: bool, list: &mut MoveList<G>) -> Code;
}

/// Codes from a table, and from the moves of positions with captures.
struct Stored<'a, G: Geometry> {
    finished: &'a Finished<G>,
    open: &'a OpenTable,
    /// The number of the first block, and the blocks.
    blocks: (u32, Vec<super::coder::Block>),
}

impl<'a, G: Geometry> Stored<'a, G> {
    fn read(finished: &'a Finished<G>, open: &'a OpenTable, range: Range<u64>) -> Result<Self, Defect> {
        let (first, last) = (open.table.locate(range.start).0, open.table.locate(range.end - 1).0);
        let blocks = (first..=last).map(|block| open.table.block(&open.source, block)).collect::<Result<_, _>>()?;
        Ok(Self { finished, open, blocks: (first, blocks) })
    }
}

/// What all moves of a position lead to.
fn from_moves<G: Geometry>(finished: &Finished<G>, state: &State<G>, list: &mut MoveList<G>) -> Code {
    let game = &finished.game;
    game.tally(state, list, finished).expect("smaller classes are in memory").code(game.blocked())
}

impl<G: Geometry> Codings<G> for Stored<'_, G> {
    fn code(&self, rank: u64, state: &State<G>, must_capture: bool, list: &mut MoveList<G>) -> Code {
        if must_capture {
            return from_moves(self.finished, state, list);
        }
        let (block, at) = self.open.table.locate(rank);
        Code(self.blocks.1[(block - self.blocks.0) as usize].get(at))
    }
}

/// Codes from the moves of positions.
struct Derived<'a, G: Geometry>(&'a Finished<G>);

impl<G: Geometry> Codings<G> for Derived<'_, G> {
    fn code(&self, _: u64, state: &State<G>, _: bool, list: &mut MoveList<G>) -> Code {
        from_moves(self.0, state, list)
    }
}

/// Returns the codes of a class and their counts.
fn fill<'a, G: Geometry, C: Codings<G> + 'a>(
    game: &Game<G>,
    index: &Index<G>,
    progress: &dyn Progress,
    codings: impl Fn(Range<u64>) -> Result<C, Defect> + Sync + Send,
) -> Result<(Vec<u8>, ClassCounts), Defect> {
    let mut codes = vec![0; index.len() as usize];
    let tasks = codes.chunks_mut(TASK as usize).zip((0..).step_by(TASK as usize));
    let task = |(codes, first): (&mut [u8], u64)| {
        let range = first..first + codes.len() as u64;
        let counts = fill_range(game, index, range.clone(), &codings(range)?, codes);
        progress.advance(codes.len() as u64);
        Ok(counts)
    };
    let counts: Result<Vec<_>, Defect> = threads::map(tasks.collect(), task).into_iter().collect();
    let counts = counts?;
    let all: Counts = counts.iter().map(|counts| counts.all).sum();
    let longest_win = counts.iter().filter_map(|counts| counts.longest_win).max();
    Ok((codes, ClassCounts { all, quiet: counts.iter().map(|counts| counts.quiet).sum(), longest_win }))
}

fn fill_range<G: Geometry>(
    game: &Game<G>,
    index: &Index<G>,
    range: Range<u64>,
    codings: &impl Codings<G>,
    codes: &mut [u8],
) -> ClassCounts {
    let (first, mut list, mut counts) = (range.start, MoveList::default(), ClassCounts::default());
    index.each(range, |rank, state| {
        let must_capture = game.must_capture(state);
        let code = codings.code(rank, state, must_capture, &mut list);
        counts.add(code, must_capture);
        codes[(rank - first) as usize] = code.0;
    });
    counts
}

/// Returns the number of positions of a class whose codes do not follow from those that their moves lead to.
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
    threads::map(ranges.collect(), check).into_iter().sum()
}
