//! Orders of the squares, and sets of squares as numbers in such an order.

use crate::board::{Geometry, Square, Word};

/// Number of bits of the widest board.
const BITS: usize = 128;

/// Largest number of squares in a ranked set, plus one.
const MAX_SET: usize = 8;

/// The binomial coefficients.
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
    pub(super) fn lines() -> Self {
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

    /// Returns the squares from a number on that are not excluded.
    pub(super) fn squares_without(&self, excluded: G::Word) -> impl Iterator<Item = G::Word> {
        self.squares.iter().copied().filter(move |square| (*square & excluded).is_zero())
    }

    /// Returns the rank of a set of squares among all sets of that size without excluded squares. `start` is the number of
    /// the first square; set and excluded squares have larger numbers.
    #[inline]
    pub(super) fn rank(&self, set: G::Word, start: u32, excluded: G::Word) -> u64 {
        let (mut rest, mut rank) = (set, 0);
        while rest.any() {
            let number = u32::from(self.numbers[usize::from(rest.lowest())]);
            let below = self.first[number as usize];
            let free = number - start - (excluded & below).count();
            rank += CHOOSE[free as usize][(set & below).count() as usize + 1];
            rest = rest.without_lowest();
        }
        rank
    }

    /// Returns the set of `count` squares with a rank: the inverse of [`SquareOrder::rank`].
    #[inline]
    pub(super) fn unrank(&self, mut rank: u64, count: u8, start: u32, excluded: G::Word) -> G::Word {
        let mut set = G::Word::ZERO;
        for k in (1..=usize::from(count)).rev() {
            let mut free = rank as usize;
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
            let next = number + (excluded & self.first[shifted + 1]).count() as usize;
            if next == shifted {
                return self.squares[shifted];
            }
            shifted = next;
        }
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
            }
        }
    }

    #[test]
    fn sets_survive_their_rank() {
        for order in [SquareOrder::<Board10x10>::rows(), SquareOrder::lines()] {
            ranks_are_dense(&order, 0);
            ranks_are_dense(&order, order.first[3] | order.squares[20] | order.squares[49]);
        }
        ranks_are_dense(&SquareOrder::<Board8x8Full>::lines(), 1 << 9);
    }
}
