//! The inputs of a learned evaluation: patterns of men, and a few terms.

use super::patterns::Patterns;
use crate::board::{Shape, Side, Square, Word};
use crate::rules::{KingRange, Position, RuleSpec};

/// Number of indices of a pattern of eight squares.
pub(crate) const EIGHT: usize = 3_usize.pow(8);
/// Tables of patterns of eight squares.
pub(crate) const EIGHTS: usize = 8;
/// Number of indices of a pattern of twelve squares.
pub(crate) const TWELVE: usize = 3_usize.pow(12);

/// The first parameter after the patterns.
pub(super) const TERMS: usize = EIGHTS * EIGHT;
/// Cap on the number of kings of a side; each further one counts the same. Games have too few positions with more for weights.
const MANY_KINGS: usize = 3;
/// Number of pairs of king counts of the two sides, in either order.
const KING_PAIRS: usize = (MANY_KINGS + 1) * (MANY_KINGS + 2) / 2;
/// Maximum number of men of a side in an ending whose material has a weight: what wins depends on exact numbers there.
const FEW_MEN: usize = 4;
/// Number of combinations of men and kings of a side in such endings.
const FEW: usize = (FEW_MEN + 1) * (MANY_KINGS + 1);

/// The lead in men, by the numbers of kings.
const MEN: usize = 0;
/// A lead in kings, by the numbers of kings.
const KINGS: usize = MEN + KING_PAIRS;
/// Each king beyond the third.
const MORE_KINGS: usize = KINGS + KING_PAIRS;
/// The material of an ending: the side with more men, or else more kings, first.
const ENDING: usize = MORE_KINGS + 1;
const TURN: usize = ENDING + FEW * FEW;
const IMBALANCE: usize = TURN + 1;
const KING_SQUARES: usize = IMBALANCE + 1;

/// Terms after the squares of kings: quiet moves of kings, and kings without an empty square beside them.
const KING_MOVES: usize = 2;
/// Cap on the king-mobility lead, which fits into a byte of the features.
const MAX_LEAD: i32 = 100;

/// The parameters of a learned evaluation of one board: patterns of eight squares, terms, and patterns of twelve squares.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    shape: Shape,
    eights: Patterns<2>,
    twelves: Patterns<3>,
    /// The squares of the left half.
    left: u128,
    /// All playable squares.
    playable: u128,
    /// Distances in bits from a square to its neighbours. Unused bits between the rows keep a step from leaving the board
    /// sideways.
    directions: [i32; 4],
    kings_fly: bool,
    /// Number of men of both sides at the start of a game.
    pub(crate) max_men: i32,
}

/// The men and kings of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement<W> {
    pub(super) men: [W; 2],
    pub(super) kings: [W; 2],
    pub(super) turn: Side,
    /// Number of men of each side.
    pub(super) counts: [i32; 2],
}

impl<W: Word> Placement<W> {
    pub(super) fn new(men: [W; 2], kings: [W; 2], turn: Side) -> Self {
        Self { men, kings, turn, counts: men.map(count) }
    }
}

/// Number of occurrences of each parameter in a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features {
    /// The indices of the pattern of each table that count for White and for Black.
    pub(crate) eights: [[u16; 2]; EIGHTS],
    /// The same for the patterns of twelve squares.
    pub(crate) twelves: Vec<[u32; 2]>,
    /// The terms, with their counts for White less those for Black.
    pub(crate) terms: Vec<(u16, i8)>,
    /// The squares of men as their owner sees them, with their counts for White less those for Black.
    pub(crate) squares: Vec<(u16, i8)>,
    /// Number of men on the board.
    pub(crate) men: u8,
}

impl Layout {
    /// Returns the layout of the board of a variant.
    pub(crate) fn of(spec: &RuleSpec<'_>) -> Self {
        let shape = spec.shape;
        let (eights, twelves) = tables(shape);
        let per_row = i32::from(shape.squares_per_row());
        let set = |square: Square| 1 << square.bit();
        let is_left = |square: &Square| shape.column(*square) < shape.width() / 2;
        let down = per_row + 1;
        Self {
            shape,
            eights: Patterns::new(shape, eights),
            twelves: Patterns::new(shape, twelves),
            left: shape.squares().filter(is_left).map(set).sum(),
            playable: shape.squares().map(set).sum(),
            // Straight on a board with men on all squares, along the diagonals on others.
            directions: if shape.every_square() { [1, -1, down, -down] } else { [down, down + 1, -down, -down - 1] },
            kings_fly: spec.king_range == KingRange::Flying,
            max_men: 2 * i32::from(spec.start_rows.rows) * per_row,
        }
    }

    /// Returns the numbers of parameters that weights for a variant may have: all of them; those without the patterns of twelve
    /// squares, which older weights lack; and those without the moves of kings, which the oldest weights lack.
    pub(super) fn sizes(spec: &RuleSpec<'_>) -> [usize; 3] {
        let (_, twelves) = tables(spec.shape);
        let oldest = TERMS + KING_SQUARES + usize::from(spec.shape.square_count());
        let of_eights = oldest + KING_MOVES;
        [of_eights + twelves.iter().sum::<u32>() as usize * TWELVE, of_eights, oldest]
    }

    /// Returns the number of parameters without the patterns of twelve squares.
    pub(crate) fn parameters_of_eights(&self) -> usize {
        TERMS + self.terms()
    }

    /// Returns for each table of patterns of twelve squares the tables of eight squares that are added to it when an engine
    /// starts, so that a search reads one table: its left and right columns, unless another table has them already.
    pub(crate) fn eights_in_twelves(&self) -> Vec<[Option<usize>; 2]> {
        let mut left: Vec<_> = self.eights.places().map(Some).collect();
        let mut take = |place| {
            let table = left.iter().position(|&free| free == Some(place))?;
            left[table] = None;
            Some(table)
        };
        self.twelves.places().map(|(row, first)| [take((row, first)), take((row, first + 1))]).collect()
    }

    /// Returns the number of terms.
    pub(crate) fn terms(&self) -> usize {
        self.king_moves() + KING_MOVES
    }

    fn king_moves(&self) -> usize {
        KING_SQUARES + self.squares()
    }

    /// Returns the terms that count material, with their usual weights in centi-men.
    pub(crate) fn material() -> Vec<(usize, f32)> {
        let pairs = (0..=MANY_KINGS).flat_map(|more| (0..=more).map(move |fewer| (more, fewer)));
        let lead = |more: usize, fewer: usize| 180 * (more - fewer) + if more > fewer && fewer == 0 { 100 } else { 0 };
        let of_pair = |(more, fewer)| {
            let pair = king_pair(more, fewer);
            [(MEN + pair, 100.0), (KINGS + pair, lead(more, fewer) as f32)]
        };
        pairs.flat_map(of_pair).chain([(MORE_KINGS, 180.0)]).collect()
    }

    /// Passes the index of each pattern of eight squares to a function, with its table and true if it counts for White.
    #[inline(always)]
    pub(super) fn each_eight<W: Word>(&self, men: [W; 2], pass: impl FnMut(usize, usize, bool)) {
        self.eights.each(men, pass);
    }

    /// Passes the index of each pattern of twelve squares to a function, with its table and true if it counts for White.
    #[inline(always)]
    pub(super) fn each_twelve<W: Word>(&self, men: [W; 2], pass: impl FnMut(usize, usize, bool)) {
        self.twelves.each(men, pass);
    }

    /// Passes each term that counts to a function, with its count for White less that for Black.
    #[inline(always)]
    pub(super) fn each_term<W: Word>(&self, placement: &Placement<W>, mut pass: impl FnMut(usize, i32)) {
        let Placement { men, kings, turn, counts } = *placement;
        let crowned = kings.map(|kings| (count(kings) as usize).min(MANY_KINGS));
        let pair = king_pair(crowned[0].max(crowned[1]), crowned[0].min(crowned[1]));
        pass(MEN + pair, counts[0] - counts[1]);
        pass(TURN, if turn == Side::White { 1 } else { -1 });
        pass(IMBALANCE, self.imbalance(men[0], counts[0]) - self.imbalance(men[1], counts[1]));
        // Most positions of a search have no kings, and all of these terms are 0 there.
        if (kings[0] | kings[1]).any() {
            // The pair selects the weight of its whole lead, so only the sign is left.
            pass(KINGS + pair, (crowned[0] as i32 - crowned[1] as i32).signum());
            pass(MORE_KINGS, more_kings(kings[0]) - more_kings(kings[1]));
            self.each_king(kings, &mut pass);
            let empty = W::narrow(self.playable) & !(men[0] | men[1] | kings[0] | kings[1]);
            let lead = |of: fn(&Self, W, W) -> i32| of(self, kings[0], empty) - of(self, kings[1], empty);
            pass(self.king_moves(), lead(Self::moves_of).clamp(-MAX_LEAD, MAX_LEAD));
            pass(self.king_moves() + 1, lead(Self::stuck));
        }
        if counts[0].max(counts[1]) <= FEW_MEN as i32 {
            // An ending and its mirror image share a weight, with opposite signs.
            let [white, black] = [0, 1].map(|side| counts[side] as usize * (MANY_KINGS + 1) + crowned[side]);
            pass(ENDING + white.max(black) * FEW + white.min(black), (white as i32 - black as i32).signum());
        }
    }

    fn each_king<W: Word>(&self, kings: [W; 2], pass: &mut impl FnMut(usize, i32)) {
        let last = usize::from(self.shape.square_count()) - 1;
        for (mut rest, sign) in kings.into_iter().zip([1, -1]) {
            while rest.any() {
                let order = usize::from(self.shape.order(Square::from_bit(rest.lowest())));
                pass(KING_SQUARES + if sign == 1 { order } else { last - order }, sign);
                rest = rest.without_lowest();
            }
        }
    }

    /// Returns the number of quiet moves of kings.
    fn moves_of<W: Word>(&self, kings: W, empty: W) -> i32 {
        let ray = |direction| {
            // All kings of a side move along a ray together.
            let next = |set| step(set, direction) & empty;
            let squares =
                std::iter::successors(Some(next(kings)), |&set: &W| (set.any() && self.kings_fly).then(|| next(set)));
            squares.map(count).sum::<i32>()
        };
        self.directions.map(ray).iter().sum()
    }

    /// Returns the number of kings without an empty square beside them.
    fn stuck<W: Word>(&self, kings: W, empty: W) -> i32 {
        count(self.directions.iter().fold(kings, |stuck, &direction| stuck & !step(empty, direction)))
    }

    /// Returns the lead in men of one wing over the other, beyond two.
    fn imbalance<W: Word>(&self, men: W, total: i32) -> i32 {
        ((2 * count(men & W::narrow(self.left)) - total).abs() - 2).max(0)
    }

    /// Returns the number of playable squares.
    pub(crate) fn squares(&self) -> usize {
        usize::from(self.shape.square_count())
    }

    /// Returns the patterns of eight squares that contain a square: the table, the power of three of the square's digit,
    /// and true for patterns that count for White, in which the digit of a White man is 1; in the others it is 2.
    pub(crate) fn cells(&self, square: usize) -> Vec<(usize, usize, bool)> {
        let set = self.shape.nth(square as u8).map_or(0_u128, |square| 1 << square.bit());
        let mut cells = Vec::new();
        self.each_eight([set, 0], |table, index, is_white| {
            if index != 0 {
                cells.push((table, if is_white { index } else { index / 2 }, is_white));
            }
        });
        cells
    }

    fn men_squares(&self, men: [u128; 2]) -> Vec<(u16, i8)> {
        let mut counts = vec![0; self.squares()];
        for square in self.shape.squares() {
            let order = usize::from(self.shape.order(square));
            counts[order] += (men[0] >> square.bit() & 1) as i8;
            // A Black man counts on the square that it has on the rotated board, against White.
            counts[self.squares() - 1 - order] -= (men[1] >> square.bit() & 1) as i8;
        }
        (0..).zip(counts).filter(|&(_, count)| count != 0).collect()
    }

    /// Returns the number of occurrences of each parameter in a position.
    pub(crate) fn features(&self, position: &Position) -> Features {
        let kings = position.kings().word();
        let sides = Side::ALL.map(|side| position.squares_of(side).word());
        let placement =
            Placement::new(sides.map(|side| side & !kings), sides.map(|side| side & kings), position.turn());
        let mut features = Features { men: placement.counts.iter().sum::<i32>() as u8, ..Features::default() };
        features.squares = self.men_squares(placement.men);
        self.each_eight(placement.men, |table, index, is_white| {
            features.eights[table][usize::from(!is_white)] = index as u16;
        });
        features.twelves.resize(self.twelves.tables(), [0; 2]);
        self.each_twelve(placement.men, |table, index, is_white| {
            features.twelves[table][usize::from(!is_white)] = index as u32;
        });
        self.each_term(&placement, |term, count| {
            if count != 0 {
                features.terms.push((term as u16, count as i8));
            }
        });
        features
    }
}

/// Returns how many patterns of eight squares, and of twelve, begin in the first rows of a board.
const fn tables(shape: Shape) -> ([u32; 3], [u32; 3]) {
    match (shape.every_square(), shape.width(), shape.height()) {
        // Rows 1 to 4 and 3 to 6 from each side cover all ten rows. Tables that start at every row, 12 instead of
        // 8, gained 5 ± 16 Elo in 400 games.
        (false, 10, 10) => ([4, 0, 4], [2, 0, 2]),
        // The patterns of the third row overlap their own rotations: two columns of three cover the rows. Patterns of
        // twelve squares are for boards of 10x10 only.
        (false, 8, 8) => ([3, 3, 2], [0; 3]),
        // These rows cover boards of 8 to 12 rows.
        _ => ([4, 0, 4], [0; 3]),
    }
}

fn count<W: Word>(set: W) -> i32 {
    set.count() as i32
}

/// Returns the squares at a distance, in bits.
fn step<W: Word>(set: W, by: i32) -> W {
    if by >= 0 { set << by.unsigned_abs() } else { set >> by.unsigned_abs() }
}

fn more_kings<W: Word>(kings: W) -> i32 {
    (count(kings) - MANY_KINGS as i32).max(0)
}

/// Returns the index of a pair of king counts: row by row of a triangle.
const fn king_pair(more: usize, fewer: usize) -> usize {
    more * (more + 1) / 2 + fewer
}

#[cfg(test)]
mod tests {
    use super::super::patterns::{FOUR, SIX, fours_in_sixes};
    use super::*;
    use crate::board::Piece;
    use crate::rules::{Setup, Variant};

    /// Returns the position with the board rotated and colours swapped.
    fn mirrored(position: &Position) -> Position {
        let shape = position.variant().shape();
        let last = shape.square_count() - 1;
        let rotate = |square: Square| shape.nth(last - shape.order(square)).expect("a square");
        let pieces = Side::ALL.into_iter().flat_map(|side| {
            let kings = position.kings();
            let piece = move |square| if kings.contains(square) { Piece::King } else { Piece::Man };
            position.squares_of(side).iter().map(move |square| (rotate(square), !side, piece(square)))
        });
        let setup = Setup::new(Some(!position.turn()), pieces);
        Position::from_setup(position.variant(), &setup).expect("playable").0
    }

    #[test]
    fn mirrored_positions_swap_white_and_black() {
        for &variant in Variant::ALL {
            let layout = Layout::of(variant.spec());
            let mut position = Position::start(variant);
            for ply in 0..80 {
                let (features, other) = (layout.features(&position), layout.features(&mirrored(&position)));
                let swapped = other.eights.map(|[white, black]| [black, white]);
                assert_eq!(features.eights, swapped, "{variant}");
                let swapped: Vec<_> = other.twelves.iter().map(|&[white, black]| [black, white]).collect();
                assert_eq!(features.twelves, swapped, "{variant}");
                let negated =
                    |terms: &[(u16, i8)]| terms.iter().map(|&(term, count)| (term, -count)).collect::<Vec<_>>();
                assert!(features.terms.len() == other.terms.len());
                for term in negated(&other.terms) {
                    assert!(features.terms.contains(&term), "{variant}: {term:?}");
                }
                let moves = position.legal_moves();
                let Some(played) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                position = position.play(played).expect("legal");
            }
        }
    }

    #[test]
    fn moves_of_kings_are_their_quiet_moves() {
        let positions = [
            (Variant::INTERNATIONAL, "W:WK28:BK16"),
            (Variant::INTERNATIONAL, "W:WK28,K50,45:BK1,6,7"),
            (Variant::INTERNATIONAL, "W:WK46,41,47:BK23,K24"),
            (Variant::BRAZILIAN, "W:WK29,K4,22:BK10,K12"),
            (Variant::ENGLISH, "W:WK29,25,26:BK4,K14"),
            (Variant::CANADIAN, "W:WK67,61,72:BK33,K6"),
            (Variant::TURKISH, "W:WKd4,a3,h3:BKf6,a6"),
        ];
        for (variant, fen) in positions {
            let layout = Layout::of(variant.spec());
            let position = Position::from_fen(variant, fen).expect("a FEN");
            let features = layout.features(&position);
            let of =
                |term| features.terms.iter().find(|&&(known, _)| known == term as u16).map_or(0, |&(_, count)| count);
            let moves = [position, position.pass()].map(|position| {
                assert!(!position.can_capture(), "{fen}");
                let moves = position.legal_moves();
                moves.iter().filter(|step| position.kings().contains(step.from())).count() as i8
            });
            assert_eq!(of(layout.king_moves()), moves[0] - moves[1], "{fen}");
        }
        let layout = Layout::of(Variant::INTERNATIONAL.spec());
        let stuck = Position::from_fen(Variant::INTERNATIONAL, "W:WK46,41:BK5").expect("a FEN");
        assert!(layout.features(&stuck).terms.contains(&(layout.king_moves() as u16 + 1, 1)));
    }

    #[test]
    fn patterns_are_numbers_in_base_three() {
        let variant = Variant::INTERNATIONAL;
        let layout = Layout::of(variant.spec());
        // Squares 1, 2, 6, 7, 11, 12, 16 and 17 are the first pattern.
        let position = Position::from_fen(variant, "W:W17,46:B1,7").expect("a FEN");
        let features = layout.features(&position);
        assert_eq!(features.eights[0][0], 2 * 2187 + 2 * 81 + 1);
        // On the rotated board 46 is 5, and 17, 7 and 1 are 34, 44 and 50.
        assert!(features.eights[..3].iter().all(|[_, black]| *black == 0));
        // The patterns of twelve squares have one more square at the end of each row.
        assert_eq!(features.twelves[0][0], 2 * 177147 + 2 * 2187 + 3);
        assert_eq!(features.men, 4);
    }

    #[test]
    fn patterns_of_twelve_squares_contain_each_pattern_of_eight_once() {
        let mut position = Position::start(Variant::INTERNATIONAL);
        let layout = Layout::of(position.variant().spec());
        let (tables, fours) = (layout.eights_in_twelves(), fours_in_sixes());
        assert_eq!(tables.iter().flatten().flatten().copied().collect::<Vec<_>>(), (0..EIGHTS).collect::<Vec<_>>());
        for ply in 0..60 {
            let features = layout.features(&position);
            for (tables, of_twelve) in tables.iter().zip(&features.twelves) {
                let [left, right] = tables.map(|table| features.eights[table.expect("a table")]);
                for (side, &index) in of_twelve.iter().enumerate() {
                    let [upper, lower] = [index as usize / SIX, index as usize % SIX].map(|six| fours[six]);
                    let eights = [0, 1].map(|columns| upper[columns] * FOUR + lower[columns]);
                    assert_eq!([left[side], right[side]].map(usize::from), eights);
                }
            }
            let moves = position.legal_moves();
            let Some(played) = moves.get(ply * 5 % moves.len().max(1)) else { break };
            position = position.play(played).expect("legal");
        }
    }
}
