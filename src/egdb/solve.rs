//! Retrograde analysis of a class and its mirror.
//!
//! Captures and promotions lead to classes that are solved already, so they are looked up at the start; the other moves
//! lead from each class of the pair to the other. One byte per position counts its moves that are not known to lose;
//! another holds its distance. In layers of ascending distance, each decided position then decides its predecessors: a
//! lost one makes them won, a won one lowers their counter. A position that stays undecided is a draw.

use std::ops::Range;

use memchr::memchr;

use super::coder::ANY;
use super::endgame::{Endgame, Lookup};
use super::index::{Cursor, Index};
use super::material::Material;
use super::solved::{Codes, Solved};
use super::values::{ClassCounts, Code, Counts, MAX_DISTANCE, Value};
use crate::board::Geometry;
use crate::pool::map;
use crate::rules::{MoveList, State};

/// The counter of a position where a capture is compulsory. Moves that are taken back never lead to it.
const CAPTURE: u8 = 0;

/// The counter of a position that is decided, or that is a draw because all its moves are known.
const SETTLED: u8 = 1;

/// The distance of positions without one.
const NO_DISTANCE: u8 = u8::MAX;

/// Positions per task of a thread: enough that dividing the work costs nothing, few enough that all threads finish
/// together.
pub(super) const TASK: u64 = 1 << 16;

/// A class while it is being solved.
struct Cells {
    /// [`CAPTURE`], [`SETTLED`] or the number of open moves plus one. One more if a promotion draws, so that it never
    /// becomes [`SETTLED`].
    open: Vec<u8>,
    /// The distance of decided positions. For others, the minimum distance that promotions allow for a loss.
    distance: Vec<u8>,
    /// The values of positions where a capture is compulsory.
    captures: Counts,
}

/// A solved class before it is packed.
pub(super) struct Solution<G: Geometry> {
    pub(super) index: Index<G>,
    codes: Vec<u8>,
    open: Vec<u8>,
    pub(super) counts: ClassCounts,
}

impl<G: Geometry> Solution<G> {
    /// Returns the codes of a range of positions; [`ANY`] where a capture is compulsory.
    pub(super) fn quiet_codes(&self, range: Range<usize>, distances: bool) -> Vec<u8> {
        let stored = |code: Code| if distances { code } else { code.without_distance() };
        let codes = self.codes[range.clone()].iter().zip(&self.open[range]);
        codes.map(|(&code, &open)| if open == CAPTURE { ANY } else { stored(Code(code)).0 }).collect()
    }

    pub(super) fn pack(self, distances: bool) -> Solved<G> {
        Solved { index: self.index, codes: Codes::pack(self.codes, distances) }
    }
}

/// The codes of the classes that captures and promotions lead to.
pub(super) type Known<'a, G> = dyn Lookup<G> + Sync + 'a;

/// Solves a class and its mirror; `None` if a win is too long for the tables: a distance does not fit into a byte.
///
/// `advance` is called with the number of positions that were started, and again after they are decided.
pub(super) fn solve<G: Geometry>(
    game: &Endgame<G>,
    known: &Known<'_, G>,
    material: Material,
    advance: &(dyn Fn(u64) + Sync),
) -> Option<Vec<Solution<G>>> {
    let indexes: Vec<_> = material.pair().map(|class| game.index(class)).collect();
    let cells = indexes.iter().map(|index| Cells::start(game, known, index, advance)).collect();
    let mut pair = Pair { game, indexes: &indexes, cells, list: MoveList::default() };
    pair.propagate()?;
    let cells = pair.cells;
    advance(indexes.iter().map(Index::len).sum());
    Some(cells.into_iter().zip(indexes).map(|(cells, index)| cells.finish(index)).collect())
}

impl Cells {
    /// Decides all positions as far as captures and promotions allow.
    fn start<G: Geometry>(
        game: &Endgame<G>,
        known: &Known<'_, G>,
        index: &Index<G>,
        advance: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let len = index.len() as usize;
        let (mut open, mut distance) = (vec![0; len], vec![NO_DISTANCE; len]);
        let chunks = open.chunks_mut(TASK as usize).zip(distance.chunks_mut(TASK as usize));
        let tasks = chunks.zip((0..index.len()).step_by(TASK as usize));
        let start = |((open, distance), first): ((&mut [u8], &mut [u8]), u64)| {
            let (len, mut captures, mut list) = (open.len() as u64, Counts::default(), MoveList::default());
            index.each(first..first + len, |rank, state| {
                let n = (rank - first) as usize;
                let (counter, code) = start_position((game, known), state, &mut list);
                if counter == CAPTURE {
                    captures.add(code.value());
                }
                // The code of a draw, 0, wraps around to `NO_DISTANCE`.
                (open[n], distance[n]) = (counter, code.0.wrapping_sub(1));
            });
            advance(len);
            captures
        };
        let captures = map(tasks.collect(), start).into_iter().sum();
        Self { open, distance, captures }
    }

    fn finish<G: Geometry>(mut self, index: Index<G>) -> Solution<G> {
        let mut counts = Counts::default();
        let mut longest = None;
        for (distance, &open) in self.distance.iter_mut().zip(&self.open) {
            // `NO_DISTANCE` wraps around to 0, the code of a draw.
            let code = if open > SETTLED { Code::DRAW } else { Code(distance.wrapping_add(1)) };
            counts.add(code.value());
            longest = longest.max(code.distance().filter(|_| code.value() == Value::Win));
            *distance = code.0;
        }
        let counts = ClassCounts { all: counts, quiet: counts.without(self.captures), longest_win: longest };
        Solution { index, codes: self.distance, open: self.open, counts }
    }
}

/// Returns the counter of a position and its code: that of its captures or its promotions.
fn start_position<G: Geometry>(
    (game, known): (&Endgame<G>, &Known<'_, G>),
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
        // Seven pieces have far fewer than 254 moves, even kings on 12x12.
        (others as u8 + 1 + u8::from(tally.draws), Code::of_distance(tally.loss))
    } else {
        (others as u8 + 1 + u8::from(tally.draws), Code::DRAW)
    }
}

/// Both classes of a pair while they are being solved.
struct Pair<'a, G: Geometry> {
    game: &'a Endgame<G>,
    indexes: &'a [Index<G>],
    cells: Vec<Cells>,
    list: MoveList<G>,
}

impl<G: Geometry> Pair<'_, G> {
    fn propagate(&mut self) -> Option<()> {
        let deepest = |cells: &Cells| cells.distance.iter().filter(|&&plies| plies != NO_DISTANCE).max().copied();
        let mut last = self.cells.iter().filter_map(deepest).max().unwrap_or(0);
        let mut layer = 0;
        while layer <= last {
            if last > MAX_DISTANCE {
                return None;
            }
            for side in 0..self.cells.len() {
                last = last.max(self.propagate_layer(side, layer));
            }
            layer += 1;
        }
        Some(())
    }

    /// Takes back the moves that lead to the positions of a layer; returns the largest distance found.
    fn propagate_layer(&mut self, side: usize, layer: u8) -> u8 {
        let (mut from, mut deepest, mut cursor) = (0, 0, Cursor::new(&self.indexes[side]));
        let other = (side + 1) % self.cells.len();
        // Few positions are in a layer; `memchr` skips the others many at a time.
        while let Some(found) = memchr(layer, &self.cells[side].distance[from..]) {
            let rank = from + found;
            if self.cells[side].open[rank] <= SETTLED {
                let state = cursor.state(rank as u64).color_flipped();
                deepest = deepest.max(self.take_back(other, &state, layer));
            }
            from = rank + 1;
        }
        deepest
    }

    /// Takes back the moves of a side that lead to a position of a layer; returns the largest distance found.
    fn take_back(&mut self, side: usize, state: &State<G>, layer: u8) -> u8 {
        self.game.generator.retreats(state, &mut self.list);
        let (before, mut deepest) = (&mut self.cells[side], 0);
        let is_lost = Code::of_distance(layer).value() == Value::Loss;
        self.indexes[side].ranks_before(state, self.list.as_slice(), |rank| {
            let (open, distance) = (&mut before.open[rank as usize], &mut before.distance[rank as usize]);
            let plies = if is_lost { win(open, distance, layer + 1) } else { lose_one(open, distance, layer + 1) };
            deepest = deepest.max(plies);
        });
        deepest
    }
}

/// Makes a position a win in `plies`, unless it is a quicker one already; returns its new distance, or 0.
#[inline]
fn win(open: &mut u8, distance: &mut u8, plies: u8) -> u8 {
    // A win by promotion is settled from the start, and a quicker one may be found here.
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
    // The side that loses chooses the longest way.
    *distance = if *distance == NO_DISTANCE { plies } else { plies.max(*distance) };
    *distance
}
