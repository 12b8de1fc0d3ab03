//! Offers: quiet moves after which the opponent can capture.

use super::capture::men_victims;
use super::direction::{Direction, Directions, man_capture_directions, man_move_directions};
use super::generate::{MoveList, can_capture, game_is_over, man_step, quiet_king_moves};
use super::spec::{RuleSpec, Rules, WordOf};
use super::state::State;
use crate::board::{Geometry, Side, Word};

/// Fills the list with the quiet moves after which the opponent can capture. The side to move must have no captures.
#[inline(never)]
pub(crate) fn offers<R: Rules>(rules: R, state: &State<R::Board>, list: &mut MoveList<R::Board>) {
    list.clear();
    if game_is_over(rules, state) {
        return;
    }
    match state.turn {
        Side::White => offers_of_men(rules, state, Side::White, list),
        Side::Black => offers_of_men(rules, state, Side::Black, list),
    }
    quiet_king_moves(rules, state, |step| {
        if can_capture(rules, &state.play(rules, &step)) {
            list.push(step);
        }
    });
}

/// Lists the offers by men: most are found for all men at once, only the others are played and looked at.
#[inline(always)]
fn offers_of_men<R: Rules>(rules: R, state: &State<R::Board>, side: Side, list: &mut MoveList<R::Board>) {
    let spec = rules.spec();
    let (men, empty, promotion_row) = (state.men(side), state.empty(), State::<R::Board>::promotion_row(side));
    let exposure = Exposure::new(spec, state, side);
    // The capture of a new king is subject to other rules, and flying kings capture from afar.
    let unclear = if state.kings_of(!side).any() { State::<R::Board>::board() } else { promotion_row };
    man_move_directions(spec.man_moves, side).each(
        #[inline(always)]
        |direction| {
            let targets = direction.shift::<R::Board>(men) & empty;
            let certain = targets & exposure.offered(direction) & !promotion_row;
            let mut found = certain | targets & (unclear | exposure.parries(direction));
            while found.any() {
                let to = found.lowest();
                let step = man_step(direction, to, promotion_row);
                if (certain & WordOf::<R>::bit(to)).any() || can_capture(rules, &state.play(rules, &step)) {
                    list.push(step);
                }
                found = found.without_lowest();
            }
        },
    );
}

/// Where men of the opponent can capture pieces of the side to move, now or after a move of a man.
struct Exposure<G: Geometry> {
    /// The men of the opponent.
    attackers: G::Word,
    /// The directions of their captures.
    captures: Directions,
    /// Squares on which a man can be captured over the next square, which is empty.
    exposed: G::Word,
    /// Squares on which a capture would land if they were empty.
    blocked: G::Word,
    /// Pieces that can be captured already.
    victims: G::Word,
    /// Squares on which those captures land.
    landings: G::Word,
}

impl<G: Geometry> Exposure<G> {
    #[inline(always)]
    fn new(spec: &RuleSpec<'_>, state: &State<G>, side: Side) -> Self {
        let (attackers, empty, pieces) = (state.men(!side), state.empty(), men_victims(spec, state, !side));
        let captures = man_capture_directions(spec.man_captures, !side);
        let [mut exposed, mut blocked, mut victims, mut landings] = [G::Word::ZERO; 4];
        captures.each(
            #[inline(always)]
            |direction| {
                let (over, back) = (direction.shift::<G>(attackers), direction.opposite());
                exposed |= over & back.shift::<G>(empty);
                let lands = direction.shift::<G>(over & pieces);
                blocked |= lands;
                landings |= lands & empty;
                victims |= back.shift::<G>(lands & empty);
            },
        );
        Self { attackers, captures, exposed, blocked, victims, landings }
    }

    /// Returns the squares on which the arrival of a man that moves in a direction certainly lets the opponent capture.
    #[inline(always)]
    fn offered(&self, direction: Direction) -> G::Word {
        let back = direction.opposite();
        // The man that arrives next to an attacker leaves the square on which the capture lands.
        let followed = if self.captures.contains(back) { back.shift::<G>(self.attackers) } else { G::Word::ZERO };
        let standing = if self.landings.any() { !self.parries(direction) } else { G::Word::ZERO };
        self.exposed | followed | direction.shift::<G>(self.blocked) | standing
    }

    /// Returns the squares on which the arrival of a man that moves in a direction prevents a capture that is possible
    /// already: it blocks the landing, or the man was to be captured.
    #[inline(always)]
    fn parries(&self, direction: Direction) -> G::Word {
        self.landings | direction.shift::<G>(self.victims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::spec::with_rules;
    use crate::rules::{Step, Variant, legal_moves, split_mix};

    /// Returns a random position: men and kings on random squares, men not on their last row.
    fn random_state<R: Rules>(rules: R, seed: u64) -> State<R::Board> {
        let random = |n| split_mix(seed, n);
        let (mut sides, mut kings) = ([WordOf::<R>::ZERO; 2], WordOf::<R>::ZERO);
        // From a few pieces to a crowded board, without kings in half of the positions.
        let (density, king_share) = (1 + random(0) % 10, random(1) % 2 * (random(2) % 5));
        for (square, n) in rules.spec().shape.squares().zip(3..) {
            let bit = WordOf::<R>::bit(square.bit());
            let [place, side, king] = [0, 16, 32].map(|shift| random(n) >> shift & 0xFFFF);
            if place % 12 < density {
                let side = if side % 2 == 0 { Side::White } else { Side::Black };
                sides[side.index()] |= bit;
                if king % 10 < king_share || (State::<R::Board>::promotion_row(side) & bit).any() {
                    kings |= bit;
                }
            }
        }
        let state = State::white_to_move(sides, kings);
        if random(2) >> 32 & 1 == 0 { state } else { State { turn: Side::Black, ..state } }
    }

    /// Compares the offers of random positions with a plain test of each move; returns the number of moves that are offers and of
    /// those that are not.
    fn compared(variant: Variant, positions: u64) -> [usize; 2] {
        with_rules!(variant, <'a, R>(rules, positions: u64 = positions) -> [usize; 2] {
            let (mut list, mut moves, mut replies) = (MoveList::default(), MoveList::default(), MoveList::default());
            let mut counts = [0; 2];
            for seed in 0..positions {
                let state = random_state(rules, seed);
                legal_moves(rules, &state, &mut moves);
                if moves.as_slice().iter().any(Step::is_capture) {
                    continue;
                }
                let expected = moves.as_slice().iter().filter(|step| {
                    legal_moves(rules, &state.play(rules, step), &mut replies);
                    replies.as_slice().iter().any(Step::is_capture)
                });
                let expected: Vec<_> = expected.copied().collect();
                offers(rules, &state, &mut list);
                assert_eq!(list.as_slice(), expected, "{state:?}");
                counts[0] += expected.len();
                counts[1] += moves.as_slice().len() - expected.len();
            }
            counts
        })
    }

    #[test]
    fn offers_are_the_moves_after_which_the_opponent_can_capture() {
        for &variant in Variant::ALL {
            let [offers, others] = compared(variant, 4000);
            assert!(offers > 100 && others > 100, "{variant}: {offers} offers, {others} other moves");
        }
    }
}
