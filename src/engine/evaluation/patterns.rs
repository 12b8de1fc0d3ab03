//! Overlapping patterns of men.
//!
//! A pattern is four rows of two or three neighbouring playable squares; its index is a number in base 3 with a digit for each
//! square: 0 without a man, 1 with a man of the side it is read for, 2 with one of the other side. Each table of weights is
//! read twice: on the board for White, and on the board rotated by 180 degrees with colours swapped, for Black. So the
//! evaluation of a position and of its mirror image are the same by construction.

use crate::board::{Shape, Word};

/// Rows of a pattern.
const ROWS: usize = 4;
/// Rows that the patterns of a side cover; the rotated board has the others.
const USED_ROWS: usize = 6;
/// States of a row of at most eight squares.
const ROW_STATES: usize = 1 << 16;

/// Patterns of four rows of `WIDTH` squares. In a row, at most four patterns of two squares, or two of three, begin at squares
/// that are evenly spread from its left end to its right end.
#[derive(Clone, Debug)]
pub(super) struct Patterns<const WIDTH: usize> {
    /// Number of patterns, from the left, that begin in each row.
    begin: [u32; USED_ROWS - ROWS + 1],
    /// Squares of a row.
    per_row: u32,
    /// Bit of the first square of each row that White's patterns cover, and of each that Black's cover, from Black's side.
    row_starts: [[u32; USED_ROWS]; 2],
    /// The base-3 numbers of the neighbouring squares of a row, in lanes, by the men of both sides in it: one lookup a row
    /// gives the parts of all patterns that begin in it, and one multiplication joins the rows of all of them.
    direct: Box<[u64; ROW_STATES]>,
    /// The same for the rotated row with colours swapped.
    rotated: Box<[u64; ROW_STATES]>,
}

impl<const WIDTH: usize> Patterns<WIDTH> {
    /// Number of indices of the rows of a pattern.
    const STATES: u64 = 3_u64.pow(WIDTH as u32);
    /// Bits of a lane, enough for an index: 3^8 < 2^16, 3^12 < 2^32. So four patterns of eight squares, or two of twelve,
    /// fit into a word.
    const LANE: u32 = 16 * (WIDTH as u32 - 1);
    /// Number of lanes of a word.
    const LANES: usize = (u64::BITS / Self::LANE) as usize;

    /// Returns the patterns of a board; `begin` is the number of them, from the left, that begin in each row.
    pub(super) fn new(shape: Shape, begin: [u32; USED_ROWS - ROWS + 1]) -> Self {
        let per_row = usize::from(shape.squares_per_row());
        let first_of = |row: u8| shape.nth(row * per_row as u8).map_or(0, |square| u32::from(square.bit()));
        let last = shape.height() - 1;
        let firsts: Vec<_> = Self::firsts(per_row).collect();
        let of_row = |row: usize| (row & ((1 << per_row) - 1), row >> per_row);
        let rotated = |row| {
            let (white, black) = of_row(row);
            Self::lanes((reversed(black, per_row), reversed(white, per_row)), &firsts)
        };
        let table = |of: &dyn Fn(usize) -> u64| {
            // Shorter rows use the first part of the table; the rest is never read, nor is a table without patterns.
            let mut rows = vec![0; ROW_STATES];
            let used = if begin == [0; USED_ROWS - ROWS + 1] { 0 } else { 1 << (2 * per_row) };
            (0..).zip(&mut rows[..used]).for_each(|(row, lanes)| *lanes = of(row));
            rows.into_boxed_slice().try_into().expect("as many as states")
        };
        Self {
            begin,
            per_row: per_row as u32,
            row_starts: [0, last].map(|from| std::array::from_fn(|n| first_of(from.abs_diff(n as u8)))),
            direct: table(&|row| Self::lanes(of_row(row), &firsts)),
            rotated: table(&rotated),
        }
    }

    /// Returns the first square of each pattern of a row.
    fn firsts(per_row: usize) -> impl Iterator<Item = usize> {
        let (last, lanes) = (per_row - WIDTH, Self::LANES.min(per_row - WIDTH + 1));
        // A row as wide as a pattern has a single one.
        (0..lanes).map(move |lane| lane * last / (lanes - 1).max(1))
    }

    /// Returns the number of tables.
    pub(super) fn tables(&self) -> usize {
        self.begin.iter().sum::<u32>() as usize
    }

    /// Returns the first row of each table's patterns, and their first square in a row.
    pub(super) fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let firsts = |count: u32| Self::firsts(self.per_row as usize).take(count as usize);
        self.begin.iter().enumerate().flat_map(move |(row, &count)| firsts(count).map(move |first| (row, first)))
    }

    /// Returns the base-3 numbers of the neighbouring squares of a row in lanes, the leftmost first.
    fn lanes((own, other): (usize, usize), firsts: &[usize]) -> u64 {
        let digit = |column: usize| (own >> column & 1) as u64 + 2 * (other >> column & 1) as u64;
        let number = |first: usize| (first..first + WIDTH).fold(0, |number, column| 3 * number + digit(column));
        (0..).zip(firsts).map(|(lane, &first)| number(first) << (Self::LANE * lane)).sum()
    }

    /// Passes the index of each pattern to a function, with its table and true if it counts for White.
    #[inline(always)]
    pub(super) fn each<W: Word>(&self, men: [W; 2], mut pass: impl FnMut(usize, usize, bool)) {
        let mask = (1 << self.per_row) - 1;
        let state = |start: u32| {
            let of = |men: W| (men >> start).widen() as usize & mask;
            // The remainder changes nothing, and saves a bounds check.
            (of(men[0]) | of(men[1]) << self.per_row) % ROW_STATES
        };
        let own: [u64; USED_ROWS] = std::array::from_fn(|n| self.direct[state(self.row_starts[0][n])]);
        let other: [u64; USED_ROWS] = std::array::from_fn(|n| self.rotated[state(self.row_starts[1][n])]);
        let joined = |rows: &[u64; USED_ROWS], row: usize| {
            rows[row..row + ROWS].iter().fold(0, |joined, row| joined * Self::STATES + row)
        };
        // No digit is carried from one lane to the next, because a lane holds the largest index.
        let index = |lanes: u64| (lanes & ((1 << Self::LANE) - 1)) as usize;
        let mut table = 0;
        for row in 0..self.begin.len() {
            // Both boards in the same loop: their chains of multiplications do not depend on each other.
            let (mut own, mut other) = (joined(&own, row), joined(&other, row));
            for _ in 0..self.begin[row] {
                pass(table, index(own), true);
                pass(table, index(other), false);
                (own, other, table) = (own >> Self::LANE, other >> Self::LANE, table + 1);
            }
        }
    }
}

fn reversed(row: usize, per_row: usize) -> usize {
    (0..per_row).filter(|column| row >> column & 1 != 0).map(|column| 1 << (per_row - 1 - column)).sum()
}

/// Number of patterns of two rows of three squares, half a pattern of twelve, and of two rows of two, half one of eight.
pub(super) const SIX: usize = 729;
pub(super) const FOUR: usize = 81;

/// Returns, for each pattern of two rows of three squares, those of its left two columns and its right two.
pub(super) fn fours_in_sixes() -> [[usize; 2]; SIX] {
    std::array::from_fn(|six| {
        let [first, second] = [six / 27, six % 27];
        [9 * (first / 3) + second / 3, 9 * (first % 9) + second % 9]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_cover_whole_rows() {
        for per_row in [4, 5, 6, 8] {
            let covered = |width: usize, firsts: &[usize]| {
                (0..per_row).all(|column| firsts.iter().any(|first| (*first..first + width).contains(&column)))
            };
            let (eights, twelves): (Vec<_>, Vec<_>) =
                (Patterns::<2>::firsts(per_row).collect(), Patterns::<3>::firsts(per_row).collect());
            assert!(covered(2, &eights), "{per_row}: {eights:?}");
            assert_eq!((twelves[0], twelves[twelves.len() - 1]), (0, per_row - 3));
        }
    }

    #[test]
    fn fours_are_the_columns_of_sixes() {
        // The squares of a pattern from the first to the last, in base three.
        let squares = |pattern: usize, count: u32| -> Vec<usize> {
            (0..count).rev().map(|place| pattern / 3_usize.pow(place) % 3).collect()
        };
        for (six, [left, right]) in fours_in_sixes().into_iter().enumerate() {
            let six = squares(six, 6);
            assert_eq!(squares(left, 4), [six[0], six[1], six[3], six[4]]);
            assert_eq!(squares(right, 4), [six[1], six[2], six[4], six[5]]);
        }
    }
}
