//! The positions of a material class as numbers without gaps.
//!
//! The number of a position has these parts, from the slowest to the fastest changing: the number of men of each side
//! on its own back row, the men of the side to move, its opponent's men, its opponent's kings, its own kings. Men are
//! ranked by rows, kings along their lines over the remaining squares. Positions have White to move.

use std::ops::Range;
use std::sync::Arc;

use super::material::Material;
use super::order::{SquareOrder, choose};
use crate::board::{Geometry, Side, Word};
use crate::rules::{State, Step};

/// The orders of squares of a board.
pub(super) struct Layout<G: Geometry> {
    men: SquareOrder<G>,
    kings: SquareOrder<G>,
}

impl<G: Geometry> Layout<G> {
    /// Squares per row.
    const ROW: u32 = G::SHAPE.squares_per_row() as u32;
    /// All squares.
    const ALL: u32 = G::SHAPE.square_count() as u32;

    pub(super) fn new() -> Self {
        Self { men: SquareOrder::rows(), kings: SquareOrder::diagonals() }
    }
}

/// The positions with given numbers of men on the back rows.
struct Slice {
    start: u64,
    own_back: u8,
    their_back: u8,
    /// Number of arrangements of the opponent's men that are not on their back row.
    their_others: u64,
    /// Number of arrangements of the opponent's men on their back row.
    their_backs: u64,
    /// Number of arrangements of the men of the side to move that are not on their back row.
    own_others: u64,
}

/// The numbers of the positions of a class.
pub(super) struct Index<G: Geometry> {
    pub(super) material: Material,
    layout: Arc<Layout<G>>,
    /// By the number of the side's men on its back row, then by the opponent's men on theirs.
    slices: Vec<Slice>,
    their_kings: u64,
    own_kings: u64,
    len: u64,
}

/// The men and the opponent's kings of a position, and what is left for the kings of the side to move.
struct Others<G: Geometry> {
    own_men: G::Word,
    their_men: G::Word,
    their_kings: G::Word,
}

impl<G: Geometry> Others<G> {
    fn occupied(&self) -> G::Word {
        self.own_men | self.their_men | self.their_kings
    }

    fn with(&self, own_kings: G::Word) -> State<G> {
        let sides = [self.own_men | own_kings, self.their_men | self.their_kings];
        State::white_to_move(sides, own_kings | self.their_kings)
    }
}

impl<G: Geometry> Index<G> {
    pub(super) fn new(material: Material, layout: Arc<Layout<G>>) -> Self {
        let (own, their) = (material.own, material.their);
        let free = Layout::<G>::ALL - u32::from(material.men());
        let their_kings = choose(free, their.kings);
        let own_kings = choose(free - u32::from(their.kings), own.kings);
        let (mut slices, mut start) = (Vec::new(), 0);
        // On its back row a side can have men and the other side none, as they would have been promoted: only with
        // these numbers fixed are there no gaps.
        for (own_back, their_back) in (0..=own.men).flat_map(|own| (0..=their.men).map(move |their| (own, their))) {
            let (own_others, their_others) = (own.men - own_back, their.men - their_back);
            let middle = Layout::<G>::ALL - 2 * Layout::<G>::ROW;
            let slice = Slice {
                start,
                own_back,
                their_back,
                their_others: choose(middle - u32::from(own_others), their_others),
                their_backs: choose(Layout::<G>::ROW, their_back),
                own_others: choose(middle, own_others),
            };
            start += choose(Layout::<G>::ROW, own_back) * slice.own_others * slice.their_backs * slice.their_others;
            slices.push(slice);
        }
        Self { material, layout, slices, their_kings, own_kings, len: start * their_kings * own_kings }
    }

    /// Returns the number of positions.
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// Returns the number of a position of the class.
    #[inline]
    pub(super) fn rank(&self, state: &State<G>) -> u64 {
        let (first, occupied) = self.first_rank(state);
        first + self.layout.kings.rank(state.kings_of(Side::White), 0, occupied)
    }

    /// Returns the number of the first position that differs only in the kings of the side to move, and the squares
    /// that these cannot be on.
    #[inline]
    fn first_rank(&self, state: &State<G>) -> (u64, G::Word) {
        let (own, their) = (state.men(Side::White), state.men(Side::Black));
        let mut rank = if (own | their).any() { self.rank_men(own, their) } else { 0 };
        let their_kings = state.kings_of(Side::Black);
        rank = rank * self.their_kings + self.layout.kings.rank(their_kings, 0, own | their);
        (rank * self.own_kings, own | their | their_kings)
    }

    #[inline]
    fn rank_men(&self, own: G::Word, their: G::Word) -> u64 {
        let (men, row, none) = (&self.layout.men, Layout::<G>::ROW, G::Word::ZERO);
        let [their_row, own_row] = Side::ALL.map(State::<G>::promotion_row);
        let (own_others, their_backs) = (own & !own_row, their & their_row);
        let per_own = usize::from(self.material.their.men) + 1;
        let slice = &self.slices[(own & own_row).count() as usize * per_own + their_backs.count() as usize];
        let mut rank = men.rank_by_rows(own & own_row, Layout::<G>::ALL - row, none);
        rank = rank * slice.own_others + men.rank_by_rows(own_others, row, none);
        rank = rank * slice.their_backs + men.rank_by_rows(their_backs, 0, none);
        rank = rank * slice.their_others + men.rank_by_rows(their & !their_row, row, own_others);
        rank + slice.start
    }

    /// Visits the numbers of the positions from which quiet moves of White lead to a position.
    #[inline]
    pub(super) fn ranks_before(&self, state: &State<G>, steps: &[Step<G>], mut visit: impl FnMut(u64)) {
        let kings = state.kings_of(Side::White);
        let (first, occupied) = if kings.any() { self.first_rank(state) } else { (0, G::Word::ZERO) };
        // The moves of one king follow each other in the list. They differ in one king only, so what the other pieces
        // contribute to the rank is computed once.
        for steps in steps.chunk_by(|a, b| a.to == b.to) {
            let to = G::Word::bit(steps[0].to);
            if (kings & to).is_zero() {
                for step in steps {
                    visit(self.rank(&state.before(step)));
                }
            } else {
                let others = self.layout.kings.ranks_around(kings & !to, occupied);
                for step in steps {
                    visit(first + others.with(step.from));
                }
            }
        }
    }

    /// Returns the position with a number: the inverse of [`Index::rank`].
    #[inline]
    pub(super) fn unrank(&self, rank: u64) -> State<G> {
        Cursor::new(self).state(rank)
    }

    fn unrank_others(&self, rank: u64) -> Others<G> {
        let (own_men, their_men) = self.unrank_men(rank / self.their_kings);
        let count = self.material.their.kings;
        let their_kings = self.layout.kings.unrank(rank % self.their_kings, count, 0, own_men | their_men);
        Others { own_men, their_men, their_kings }
    }

    fn unrank_men(&self, rank: u64) -> (G::Word, G::Word) {
        if self.material.men() == 0 {
            return (G::Word::ZERO, G::Word::ZERO);
        }
        let (men, row, none) = (&self.layout.men, Layout::<G>::ROW, G::Word::ZERO);
        // Empty slices start where the next one does, so the last is the right one.
        let slice = &self.slices[self.slices.partition_point(|slice| slice.start <= rank) - 1];
        let rank = rank - slice.start;
        let (rank, their_others) = (rank / slice.their_others, rank % slice.their_others);
        let (rank, their_back) = (rank / slice.their_backs, rank % slice.their_backs);
        let (own_back, own_others) = (rank / slice.own_others, rank % slice.own_others);
        let own_count = self.material.own.men - slice.own_back;
        let their_count = self.material.their.men - slice.their_back;
        let own_others = men.unrank(own_others, own_count, row, none);
        let own = men.unrank(own_back, slice.own_back, Layout::<G>::ALL - row, none) | own_others;
        let their = men.unrank(their_back, slice.their_back, 0, none);
        (own, their | men.unrank(their_others, their_count, row, own_others))
    }

    /// Visits positions in the order of their numbers.
    pub(super) fn each(&self, range: Range<u64>, mut visit: impl FnMut(u64, &State<G>)) {
        let mut rank = range.start;
        let mut squares = Vec::with_capacity(usize::from(G::SHAPE.square_count()));
        while rank < range.end {
            // Unranking is slow, so it is done once for all arrangements of the own kings, the part that changes
            // fastest.
            let others = self.unrank_others(rank / self.own_kings);
            squares.clear();
            squares.extend(self.layout.kings.squares_without(others.occupied()));
            let mut kings = KingSets::new(rank % self.own_kings, self.material.own.kings);
            let end = range.end.min((rank / self.own_kings + 1) * self.own_kings);
            while rank < end {
                visit(rank, &others.with(kings.set::<G>(&squares)));
                kings.advance();
                rank += 1;
            }
        }
    }
}

/// The positions of a class by their numbers; fast if the next number is close to the last one.
pub(super) struct Cursor<'a, G: Geometry> {
    index: &'a Index<G>,
    /// The number of the position without the kings of the side to move, and its parts.
    current: Option<(u64, Others<G>)>,
}

impl<'a, G: Geometry> Cursor<'a, G> {
    pub(super) const fn new(index: &'a Index<G>) -> Self {
        Self { index, current: None }
    }

    /// Returns the position with a number.
    #[inline]
    pub(super) fn state(&mut self, rank: u64) -> State<G> {
        let index = self.index;
        let number = rank / index.own_kings;
        if self.current.as_ref().is_none_or(|(current, _)| *current != number) {
            self.current = Some((number, index.unrank_others(number)));
        }
        let (_, others) = self.current.as_ref().expect("set above");
        let kings = &index.layout.kings;
        others.with(kings.unrank(rank - number * index.own_kings, index.material.own.kings, 0, others.occupied()))
    }
}

/// All sets of kings in the order of their ranks.
struct KingSets {
    /// The kings as indices of free squares, in ascending order, and a guard.
    chosen: [u8; 8],
    count: usize,
}

impl KingSets {
    fn new(mut rank: u64, count: u8) -> Self {
        let mut chosen = [u8::MAX; 8];
        for k in (1..=count).rev() {
            let square = (0..128).take_while(|&square| choose(square, k) <= rank).last().unwrap_or(0);
            rank -= choose(square, k);
            chosen[usize::from(k) - 1] = square as u8;
        }
        Self { chosen, count: usize::from(count) }
    }

    #[inline]
    fn set<G: Geometry>(&self, squares: &[G::Word]) -> G::Word {
        self.chosen[..self.count].iter().fold(G::Word::ZERO, |set, &square| set | squares[usize::from(square)])
    }

    #[inline]
    fn advance(&mut self) {
        for n in 0..self.count {
            if self.chosen[n] + 1 < self.chosen[n + 1] {
                self.chosen[n] += 1;
                return;
            }
            self.chosen[n] = n as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board8x8, Board8x8Full, Board10x10};
    use crate::egdb::material::Force;

    fn numbers_are_dense<G: Geometry>(pieces: u8) -> u64 {
        let layout = Arc::new(Layout::<G>::new());
        let classes = (0..=pieces).flat_map(|men| Material::pairs(pieces, men)).flat_map(Material::pair);
        classes.map(|class| numbers_of_class_are_dense(&Index::new(class, Arc::clone(&layout)))).sum()
    }

    fn numbers_of_class_are_dense<G: Geometry>(index: &Index<G>) -> u64 {
        let mut expected = 0;
        index.each(0..index.len(), |rank, state| {
            assert_eq!(rank, expected);
            assert_eq!(index.rank(state), rank, "{} {state:?}", index.material);
            assert_eq!(index.unrank(rank), *state, "{} {rank}", index.material);
            assert_eq!(state.sides[0] & state.sides[1], G::Word::ZERO);
            expected += 1;
        });
        assert_eq!(expected, index.len());
        expected
    }

    #[test]
    fn positions_survive_their_number() {
        assert_eq!(numbers_are_dense::<Board10x10>(2), 8_845);
        assert_eq!(numbers_are_dense::<Board10x10>(3), 806_300);
        assert_eq!(numbers_are_dense::<Board8x8>(2), 3_488);
        assert_eq!(numbers_are_dense::<Board8x8>(3), 196_032);
        numbers_are_dense::<Board8x8Full>(2);
    }

    #[test]
    fn a_part_of_a_class_can_be_visited() {
        let class = Material { own: Force { men: 1, kings: 1 }, their: Force { men: 0, kings: 2 } };
        let index = Index::<Board8x8>::new(class, Arc::new(Layout::new()));
        let mut visited = Vec::new();
        index.each(12_345..23_456, |rank, state| visited.push((rank, *state)));
        assert!(visited.iter().zip(12_345..).all(|((rank, state), n)| *rank == n && index.unrank(n) == *state));
        assert_eq!(visited.len(), 23_456 - 12_345);
    }

    #[test]
    fn the_numbers_of_classes_are_the_published_ones() {
        let total = |pieces| -> u64 {
            let layout = Arc::new(Layout::<Board10x10>::new());
            let classes = (0..=pieces).flat_map(|men| Material::pairs(pieces, men)).flat_map(Material::pair);
            classes.map(|class| Index::new(class, Arc::clone(&layout)).len()).sum()
        };
        assert_eq!([total(4), total(5), total(6)], [41_971_200, 1_570_600_750, 46_198_758_750]);
    }
}
