//! The evaluation by hand-made terms, updated incrementally where that pays.

use super::{Evaluate, Sum};
use crate::board::{Geometry, Shape, Side, Square, Word};
use crate::rules::{Goal, KingRange, ManMoves, RuleSpec, State, Step};

/// The hand-made evaluation of one variant.
pub(super) struct HandMade<G: Geometry> {
    /// Value of a White man on each square; a Black man has the value of the opposite square.
    man: Vec<i32>,
    king: i32,
    goal: Goal,
    /// True if endings with few pieces are hard to win: kings fly, and the goal is to block the opponent.
    scales_endings: bool,
    /// The left half of the board.
    left: G::Word,
    /// The opposite of each square: the board rotated by 180 degrees.
    opposite: Vec<u8>,
}

/// Value of a man, in centi-men.
const MAN: i32 = 100;

impl<G: Geometry> HandMade<G> {
    pub(super) fn new(spec: &RuleSpec<'_>) -> Self {
        let shape = G::SHAPE;
        // Indexed by the bit of a square without a check of the board: the widest board has a word of 128 bits.
        let mut man = vec![0; 128];
        let mut opposite = vec![0; 128];
        let mut left = G::Word::ZERO;
        for square in shape.squares() {
            man[usize::from(square.bit())] = MAN + man_on(spec, shape, square);
            let last = shape.square_count() - 1;
            let rotated = shape.nth(last - shape.order(square)).unwrap_or(square);
            opposite[usize::from(square.bit())] = rotated.bit();
            if shape.column(square) < shape.width() / 2 {
                left |= G::Word::bit(square.bit());
            }
        }
        let flying = spec.king_range == KingRange::Flying;
        // A short king is worth less where men can capture it.
        let king = match (flying, spec.men_take_kings) {
            (true, _) => 300,
            (false, true) => 145,
            (false, false) => 165,
        };
        Self { man, king, goal: spec.goal, scales_endings: flying && spec.goal == Goal::Block, left, opposite }
    }

    fn piece(&self, side: Side, king: bool, square: u8) -> i32 {
        match (side, king) {
            (Side::White, true) => self.king,
            (Side::Black, true) => -self.king,
            (Side::White, false) => self.man[usize::from(square)],
            (Side::Black, false) => -self.man[usize::from(self.opposite[usize::from(square)])],
        }
    }

    /// Returns the penalty for men crowded on one wing: two centi-men for each man beyond a difference of two.
    fn imbalance(&self, state: &State<G>, side: Side) -> i32 {
        let men = state.men(side);
        let left = (men & self.left).count() as i32;
        let right = men.count() as i32 - left;
        2 * ((left - right).abs() - 2).max(0)
    }

    /// Scales the score down in endings with few pieces and a king on the weaker side. Against a flying king, three kings
    /// do not win on their own: the weaker one holds the long diagonal or escapes.
    fn scaled(&self, state: &State<G>, total: i32) -> i32 {
        let (stronger, weaker) = if total > 0 { (Side::White, Side::Black) } else { (Side::Black, Side::White) };
        if !self.scales_endings || state.kings_of(weaker).is_zero() {
            return total;
        }
        let (more, fewer) = (state.sides[stronger.index()].count(), state.sides[weaker.index()].count());
        match more.saturating_sub(fewer) {
            0 | 1 => total / 4,
            2 if more <= 4 => total / 4,
            2 => total / 2,
            _ if more <= 3 => total / 4,
            _ => total,
        }
    }
}

impl<G: Geometry> Evaluate<G> for HandMade<G> {
    fn sum(&self, state: &State<G>) -> Sum {
        let mut total = 0;
        for side in [Side::White, Side::Black] {
            let mut pieces = state.sides[side.index()];
            while pieces.any() {
                let square = pieces.lowest();
                total += self.piece(side, (state.kings & G::Word::bit(square)).any(), square);
                pieces = pieces.without_lowest();
            }
        }
        Sum(total)
    }

    fn after(&self, sum: Sum, before: &State<G>, step: &Step<G>) -> Sum {
        let was_king = (before.kings & G::Word::bit(step.from)).any();
        let mut total = sum.0 - self.piece(before.turn, was_king, step.from);
        total += self.piece(before.turn, was_king || step.promotes, step.to);
        let mut captured = step.captured;
        while captured.any() {
            let square = captured.lowest();
            total -= self.piece(!before.turn, (before.kings & G::Word::bit(square)).any(), square);
            captured = captured.without_lowest();
        }
        Sum(total)
    }

    fn score(&self, state: &State<G>, sum: Sum) -> i32 {
        let mut total = sum.0 - self.imbalance(state, Side::White) + self.imbalance(state, Side::Black);
        total += structure(state, Side::White) - structure(state, Side::Black);
        total = self.scaled(state, total);
        // Every term measures strength, and strength loses here.
        if self.goal == Goal::Lose {
            total = -total;
        }
        let for_mover = if state.turn == Side::White { total } else { -total };
        // The turn is worth a little.
        for_mover + 2
    }
}

/// Returns the value of men that support each other and of the empty squares ahead of the men.
fn structure<G: Geometry>(state: &State<G>, side: Side) -> i32 {
    // Men on such boards move straight ahead: diagonal neighbours give them no support.
    if G::SHAPE.every_square() {
        return 0;
    }
    let (men, pieces) = (state.men(side), state.sides[side.index()]);
    let forward = |set: G::Word, step: u32| match side {
        Side::White => set >> step,
        Side::Black => set << step,
    };
    // Bits without a square between the rows keep these shifts from wrapping around an edge.
    let (left, right) = (G::DOWN, G::DOWN + 1);
    let supported = (men & forward(pieces, left)).count() + (men & forward(pieces, right)).count();
    let room = (state.empty() & (forward(men, left) | forward(men, right))).count();
    (supported + 4 * room) as i32
}

/// Returns the value of a square for a White man, beyond the value of the man itself.
fn man_on(spec: &RuleSpec<'_>, shape: Shape, square: Square) -> i32 {
    if spec.man_moves == ManMoves::ForwardAndSideways {
        // Men that also move sideways reach every column, so only the rows to go count.
        return 3 * i32::from(shape.height() - 1 - shape.row(square));
    }
    let rows = i32::from(shape.height());
    let to_go = i32::from(shape.row(square));
    let advanced = rows - 1 - to_go;
    let column = i32::from(shape.column(square));
    let from_edge = column.min(i32::from(shape.width()) - 1 - column);
    let centre = 2 * from_edge.min(3);
    let back_row = if advanced == 0 { 5 } else { 0 };
    let advance = match to_go {
        1 => 30,
        2 => 16,
        3 => 8,
        _ => advanced,
    };
    centre + back_row + advance
}
