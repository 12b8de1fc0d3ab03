//! Retrograde analysis of a class and its mirror.
//!
//! Captures and promotions lead to classes that are solved already, so they are looked up at the start; the other moves
//! lead from each class of the pair to the other. A byte per position counts those of its moves that are not known to lose,
//! another has its distance. In layers of ascending distance, each decided position then decides those before it: a lost
//! one makes them won, a won one lowers their counter. A position that stays undecided is a draw.

use std::ops::Range;

use memchr::memchr;

use super::code::{Code, MAX_DISTANCE, Value};
use super::counts::{ClassCounts, Counts};
use super::game::{Game, Lookup};
use super::index::Index;
use super::material::Material;
use super::solved::{Codes, Solved};
use super::threads;
use crate::board::Geometry;
use crate::rules::{MoveList, State};

/// The counter of a position where a capture is compulsory. Moves that are taken back never lead to it.
const CAPTURE: u8 = 0;

/// The counter of a position that is decided, or that is a draw because all its moves are known.
const SETTLED: u8 = 1;

/// The distance of positions without one.
const NO_DISTANCE: u8 = u8::MAX;

/// Positions per task of a thread.
pub(super) const TASK: u64 = 1 << 16;

/// A class while it is being solved.
struct Cells<G: Geometry> {
    index: Index<G>,
    /// [`CAPTURE`], [`SETTLED`] or the number of open moves plus one. One more if a promotion draws, so that it never
    /// becomes [`SETTLED`].
    open: Vec<u8>,
    /// The distance of decided positions. Of others, the least distance that a loss can have because of a promotion.
    distance: Vec<u8>,
    /// The values of positions where a capture is compulsory.
    captures: Counts,
}

/// A solved class before it is packed.
pub(super) struct Solution<G: Geometry> {
    pub(super) index: Index<G>,
    pub(super) codes: Vec<u8>,
    open: Vec<u8>,
    pub(super) counts: ClassCounts,
}

impl<G: Geometry> Solution<G> {
    /// Returns the code of a position, `None` if a capture is compulsory there.
    pub(super) fn quiet_code(&self, rank: usize) -> Option<u8> {
        (self.open[rank] != CAPTURE).then(|| self.codes[rank])
    }

    pub(super) fn pack(self, distances: bool) -> Solved<G> {
        Solved { index: self.index, codes: Codes::pack(self.codes, distances) }
    }
}

/// Working memory per position of a pair, in bytes.
pub(super) const MEMORY_PER_POSITION: u64 = 2;

/// A win that is too long for the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// The codes of the classes that captures and promotions lead to.
pub(super) type Known<'a, G> = dyn Lookup<G> + Sync + 'a;

/// Solves a class and its mirror.
///
/// `advance` is called with the number of positions that were started, and again after they are decided.
///
/// # Errors
///
/// If a distance does not fit into a byte.
pub(super) fn solve<G: Geometry>(
    game: &Game<G>,
    known: &Known<'_, G>,
    material: Material,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Solution<G>>, TooLong> {
    let cells: Vec<_> = material.pair().map(|class| Cells::start(game, known, class, advance)).collect();
    let mut pair = Pair { game, cells, list: MoveList::default() };
    pair.propagate()?;
    advance(pair.cells.iter().map(|cells| cells.index.len()).sum());
    Ok(pair.cells.into_iter().map(Cells::finish).collect())
}

impl<G: Geometry> Cells<G> {
    /// Decides all positions as far as captures and promotions do.
    fn start(game: &Game<G>, known: &Known<'_, G>, material: Material, advance: &(dyn Fn(u64) + Sync)) -> Self {
        let index = game.index(material);
        let len = index.len() as usize;
        let (mut open, mut distance) = (vec![0; len], vec![NO_DISTANCE; len]);
        let chunks = open.chunks_mut(TASK as usize).zip(distance.chunks_mut(TASK as usize));
        let tasks = chunks.zip((0..index.len()).step_by(TASK as usize));
        let start = |((open, distance), first): ((&mut [u8], &mut [u8]), u64)| {
            let len = open.len() as u64;
            let captures = start_range((game, known), &index, first..first + len, open, distance);
            advance(len);
            captures
        };
        let captures = threads::map(tasks.collect(), start).into_iter().sum();
        Self { index, open, distance, captures }
    }

    fn finish(mut self) -> Solution<G> {
        let mut counts = Counts::default();
        let mut longest = None;
        for (distance, &open) in self.distance.iter_mut().zip(&self.open) {
            let code = if open > SETTLED { Code::DRAW } else { Code(distance.wrapping_add(1)) };
            counts.add(code.value());
            longest = longest.max(code.distance().filter(|_| code.value() == Value::Win));
            *distance = code.0;
        }
        let counts = ClassCounts { all: counts, quiet: counts.without(self.captures), longest_win: longest };
        Solution { index: self.index, codes: self.distance, open: self.open, counts }
    }
}

/// Starts the positions of a range and counts those with captures.
fn start_range<G: Geometry>(
    known: (&Game<G>, &Known<'_, G>),
    index: &Index<G>,
    range: Range<u64>,
    open: &mut [u8],
    distance: &mut [u8],
) -> Counts {
    let (first, mut captures, mut list) = (range.start, Counts::default(), MoveList::default());
    index.each(range, |rank, state| {
        let n = (rank - first) as usize;
        let (counter, code) = start_position(known, state, &mut list);
        if counter == CAPTURE {
            captures.add(code.value());
        }
        (open[n], distance[n]) = (counter, code.0.wrapping_sub(1));
    });
    captures
}

/// Returns the counter of a position and its code: that of its captures or its promotions.
fn start_position<G: Geometry>(
    (game, known): (&Game<G>, &Known<'_, G>),
    state: &State<G>,
    list: &mut MoveList<G>,
) -> (u8, Code) {
    const SOLVED_FIRST: &str = "classes with fewer pieces or fewer men are solved first";
    let Some(moves) = game.quiet_moves(state) else {
        let tally = game.tally(state, list, known).expect(SOLVED_FIRST);
        return (CAPTURE, tally.code(game.blocked()));
    };
    let (tally, others) = game.promotions(state, moves, list, known).expect(SOLVED_FIRST);
    let code = tally.code(game.blocked());
    if others == 0 || tally.win > 0 {
        (SETTLED, code)
    } else if tally.loss > 0 {
        (others as u8 + 1 + u8::from(tally.draws), Code::of_distance(tally.loss))
    } else {
        (others as u8 + 1 + u8::from(tally.draws), Code::DRAW)
    }
}

/// Both classes of a pair while they are being solved.
struct Pair<'a, G: Geometry> {
    game: &'a Game<G>,
    cells: Vec<Cells<G>>,
    list: MoveList<G>,
}

impl<G: Geometry> Pair<'_, G> {
    fn propagate(&mut self) -> Result<(), TooLong> {
        let deepest = |cells: &Cells<G>| cells.distance.iter().filter(|&&plies| plies != NO_DISTANCE).max().copied();
        let mut last = self.cells.iter().filter_map(deepest).max().unwrap_or(0);
        let mut layer = 0;
        while layer <= last {
            if last > MAX_DISTANCE {
                return Err(TooLong);
            }
            for side in 0..self.cells.len() {
                last = last.max(self.propagate_layer(side, layer));
            }
            layer += 1;
        }
        Ok(())
    }

    /// Takes back the moves that lead to the positions of a layer; returns the largest distance found.
    fn propagate_layer(&mut self, side: usize, layer: u8) -> u8 {
        let (mut from, mut deepest) = (0, 0);
        while let Some(found) = memchr(layer, &self.cells[side].distance[from..]) {
            let rank = from + found;
            if self.cells[side].open[rank] <= SETTLED {
                deepest = deepest.max(self.take_back(side, rank as u64, layer));
            }
            from = rank + 1;
        }
        deepest
    }

    fn take_back(&mut self, side: usize, rank: u64, layer: u8) -> u8 {
        let cells = &self.cells[side];
        let state = cells.index.unrank(rank).color_flipped();
        self.game.generator.retreats(&state, &mut self.list);
        let other = (side + 1) % self.cells.len();
        let before = &mut self.cells[other];
        let mut deepest = 0;
        for step in self.list.as_slice() {
            let rank = before.index.rank(&state.before(step)) as usize;
            let (open, distance) = (&mut before.open[rank], &mut before.distance[rank]);
            deepest = deepest.max(match Code::of_distance(layer).value() {
                Value::Loss => win(open, distance, layer + 1),
                Value::Win | Value::Draw => lose_one(open, distance, layer + 1),
            });
        }
        deepest
    }
}

/// Makes a position a win in `plies`, unless it is a quicker one; returns its new distance, or 0.
#[inline]
fn win(open: &mut u8, distance: &mut u8, plies: u8) -> u8 {
    if *open == CAPTURE || *open == SETTLED && *distance <= plies {
        return 0;
    }
    (*open, *distance) = (SETTLED, plies);
    plies
}

/// Closes a move of a position that loses in `plies`; returns the distance of the position if it is lost now, or 0.
#[inline]
fn lose_one(open: &mut u8, distance: &mut u8, plies: u8) -> u8 {
    if *open <= SETTLED {
        return 0;
    }
    *open -= 1;
    if *open > SETTLED {
        return 0;
    }
    *distance = if *distance == NO_DISTANCE { plies } else { plies.max(*distance) };
    *distance
}
