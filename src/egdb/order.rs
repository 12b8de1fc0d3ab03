//! Orders of the squares, and sets of squares as numbers in such an order.

use crate::board::{Geometry, Square, Word};

/// Number of bits of the widest board.
const BITS: usize = 128;

/// Maximum number of squares in a ranked set, plus one.
const MAX_SET: usize = 8;

/// The binomial coefficients, from which a set gets its rank in the combinatorial number system: the n-th of its squares in
/// ascending order, counted from 1, adds the number of sets of n squares that come before it.
static CHOOSE: [[u64; MAX_SET]; BITS] = {
    let mut table = [[0; MAX_SET]; BITS];
    let mut n = 0;
    while n < BITS {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k < MAX_SET {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Returns the number of sets of `k` squares out of `n`.
pub(super) fn choose(n: u32, k: u8) -> u64 {
    CHOOSE[n as usize][usize::from(k)]
}

/// An order of all squares of a board.
pub(super) struct SquareOrder<G: Geometry> {
    /// The number of each square, by its bit.
    numbers: [u8; BITS],
    /// The squares, by number.
    squares: Vec<G::Word>,
    /// The set of the first squares, by their count.
    first: Vec<G::Word>,
}

impl<G: Geometry> SquareOrder<G> {
    fn new(order: impl IntoIterator<Item = Square>) -> Self {
        let (mut numbers, mut squares, mut first) = ([0; BITS], Vec::new(), vec![G::Word::ZERO]);
        for (number, square) in order.into_iter().enumerate() {
            let bit = G::Word::bit(square.bit());
            numbers[usize::from(square.bit())] = number as u8;
            squares.push(bit);
            first.push(first[number] | bit);
        }
        Self { numbers, squares, first }
    }

    /// Returns the order of rows from the top.
    pub(super) fn rows() -> Self {
        Self::new(G::SHAPE.squares())
    }

    /// Returns the order along the lines on which kings move, every second one backwards, so that neighbours in the order
    /// are neighbours on the board. It makes files a fifth smaller than the order of rows.
    pub(super) fn diagonals() -> Self {
        let shape = G::SHAPE;
        let key = |square: &Square| {
            let (row, column) = (i32::from(shape.row(*square)), i32::from(shape.column(*square)));
            let line = if shape.every_square() { row } else { row + column };
            let backwards = if shape.every_square() { line % 2 == 1 } else { line / 2 % 2 == 1 };
            (line, if backwards { -column } else { column })
        };
        let mut squares: Vec<_> = shape.squares().collect();
        squares.sort_by_key(key);
        Self::new(squares)
    }

    /// Returns the squares from a number onwards, without the excluded ones.
    pub(super) fn squares_without(&self, excluded: G::Word) -> impl Iterator<Item = G::Word> {
        self.squares.iter().copied().filter(move |square| (*square & excluded).is_zero())
    }

    /// Returns the rank of a set of squares among all sets of that size without excluded squares. `start` is the number of
    /// the first square; set and excluded squares have larger numbers.
    #[inline]
    pub(super) fn rank(&self, set: G::Word, start: u32, excluded: G::Word) -> u64 {
        let (mut rest, mut rank) = (set, 0);
        while rest.any() {
            let square = rest.lowest();
            let below = self.first[usize::from(self.numbers[usize::from(square)])];
            rank += CHOOSE[self.free_number(square, start, excluded)][(set & below).count() as usize + 1];
            rest = rest.without_lowest();
        }
        rank
    }

    /// Returns the same rank as [`SquareOrder::rank`] for the order of rows, which is that of the bits.
    #[inline]
    pub(super) fn rank_by_rows(&self, set: G::Word, start: u32, excluded: G::Word) -> u64 {
        let (mut rest, mut rank, mut k) = (set, 0, 0);
        while rest.any() {
            k += 1;
            rank += CHOOSE[self.free_number(rest.lowest(), start, excluded)][k];
            rest = rest.without_lowest();
        }
        rank
    }

    /// Returns the number of a square among those that are not excluded.
    #[inline]
    fn free_number(&self, square: u8, start: u32, excluded: G::Word) -> usize {
        let number = u32::from(self.numbers[usize::from(square)]);
        (number - start - (excluded & self.first[number as usize]).count()) as usize
    }

    /// Returns the ranks of the sets that have one square more than this set.
    #[inline]
    pub(super) fn ranks_around(&self, set: G::Word, excluded: G::Word) -> RanksAround<'_, G> {
        let (mut ranks, mut rest) = ([0; MAX_SET], set);
        while rest.any() {
            let square = rest.lowest();
            let k = (set & self.first[usize::from(self.numbers[usize::from(square)])]).count() as usize;
            let choose = &CHOOSE[self.free_number(square, 0, excluded)];
            // A square added before this one makes it the next in the order of the set.
            ranks[..=k].iter_mut().for_each(|rank| *rank += choose[k + 2]);
            ranks[k + 1..].iter_mut().for_each(|rank| *rank += choose[k + 1]);
            rest = rest.without_lowest();
        }
        RanksAround { order: self, set, excluded, ranks }
    }

    /// Returns the set of `count` squares with a rank: the inverse of [`SquareOrder::rank`].
    #[inline]
    pub(super) fn unrank(&self, mut rank: u64, count: u8, start: u32, excluded: G::Word) -> G::Word {
        let mut set = G::Word::ZERO;
        for k in (1..=usize::from(count)).rev() {
            let mut free = rank as usize;
            // A single square is its own rank, without a search.
            if k > 1 {
                free = self.squares.len() - 1;
                while CHOOSE[free][k] > rank {
                    free -= 1;
                }
                rank -= CHOOSE[free][k];
            }
            set |= self.free_square(start as usize + free, excluded);
        }
        set
    }

    /// Returns the square that would have this number if the excluded squares had none.
    #[inline]
    fn free_square(&self, number: usize, excluded: G::Word) -> G::Word {
        let mut shifted = number;
        loop {
            // The shift may pass more excluded squares, which shift it further; it only grows, so this ends.
            let next = number + (excluded & self.first[shifted + 1]).count() as usize;
            if next == shifted {
                return self.squares[shifted];
            }
            shifted = next;
        }
    }
}

/// The ranks of the sets that have one square more than a set.
pub(super) struct RanksAround<'a, G: Geometry> {
    order: &'a SquareOrder<G>,
    set: G::Word,
    excluded: G::Word,
    /// What the set contributes to the rank, by the number of its squares that come before the added one.
    ranks: [u64; MAX_SET],
}

impl<G: Geometry> RanksAround<'_, G> {
    /// Returns the rank of the set with a square added, which is neither in it nor excluded.
    #[inline]
    pub(super) fn with(&self, square: u8) -> u64 {
        let number = usize::from(self.order.numbers[usize::from(square)]);
        let k = (self.set & self.order.first[number]).count() as usize;
        self.ranks[k] + CHOOSE[self.order.free_number(square, 0, self.excluded)][k + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board8x8Full, Board10x10};

    fn ranks_are_dense<G: Geometry>(order: &SquareOrder<G>, excluded: G::Word) {
        let free = order.squares_without(excluded).count() as u32;
        for count in 0..=3 {
            for rank in 0..choose(free, count) {
                let set = order.unrank(rank, count, 0, excluded);
                assert!((set & excluded).is_zero() && set.count() == u32::from(count), "{rank}");
                assert_eq!(order.rank(set, 0, excluded), rank);
                order.squares_without(!set).for_each(|square| {
                    let around = order.ranks_around(set & !square, excluded);
                    assert_eq!(around.with(square.lowest()), rank);
                });
            }
        }
    }

    #[test]
    fn sets_survive_their_rank() {
        for order in [SquareOrder::<Board10x10>::rows(), SquareOrder::diagonals()] {
            ranks_are_dense(&order, 0);
            ranks_are_dense(&order, order.first[3] | order.squares[20] | order.squares[49]);
        }
        ranks_are_dense(&SquareOrder::<Board8x8Full>::diagonals(), 1 << 9);
    }

    #[test]
    fn ranks_by_rows_need_no_order() {
        let (order, excluded) = (SquareOrder::<Board10x10>::rows(), 1 << 20 | 1 << 37);
        for rank in (0..choose(43, 4)).step_by(97) {
            let set = order.unrank(rank, 4, 5, excluded);
            assert_eq!(order.rank_by_rows(set, 5, excluded), rank);
        }
    }
}
