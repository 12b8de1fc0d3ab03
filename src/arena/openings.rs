//! Where games of a match begin.

use std::collections::HashSet;

use crate::rules::{Move, Position, Variant};

/// A position to begin from and the moves that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where the record begins.
    pub start: Position,
    /// The moves that both players find on the board.
    pub moves: Vec<Move>,
}

impl Opening {
    /// Returns the opening without moves.
    pub const fn at(start: Position) -> Self {
        Self { start, moves: Vec::new() }
    }

    /// The position on the board.
    pub fn position(&self) -> Position {
        self.moves.iter().fold(self.start, |position, step| position.play_unchecked(step))
    }
}

/// Whether neither side is about to lose a piece for nothing: there is a legal move, and each capture of the side to move
/// can be answered by a capture.
pub fn is_fair(position: &Position) -> bool {
    let moves = position.legal_moves();
    let unanswered = |step: &Move| step.is_capture() && !position.play_unchecked(step).can_capture();
    !moves.is_empty() && !moves.iter().any(unanswered)
}

/// Returns the openings of two plies: each different position after a move of either side that [`is_fair`], in the order of
/// the moves. For International draughts they are the 79 ballots of the customary match of 158 games: of the 81 positions
/// two lose a man at once (31-27 16-21 and 32-27 16-21).
///
/// # Examples
///
/// ```
/// use pdn::arena::two_ply_openings;
/// use pdn::rules::Variant;
///
/// assert_eq!(two_ply_openings(Variant::INTERNATIONAL).len(), 79);
/// ```
pub fn two_ply_openings(variant: Variant) -> Vec<Opening> {
    let start = Position::start(variant);
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    for first in start.legal_moves() {
        let after = start.play_unchecked(&first);
        for second in after.legal_moves() {
            let position = after.play_unchecked(&second);
            if is_fair(&position) && seen.insert(position) {
                openings.push(Opening { start, moves: vec![first, second] });
            }
        }
    }
    openings
}

/// Times that a random opening is drawn again because it is not fair.
const DRAWS: usize = 1000;

/// Returns openings of so many random plies that are [fair](is_fair), the same for the same seed on every machine. Of a
/// variant without fair positions so far from the start the last draw is taken.
pub fn random_openings(variant: Variant, plies: usize, seed: u64, count: usize) -> Vec<Opening> {
    (0..count as u64).map(|n| random_opening(variant, plies, &mut Random::new(seed, n))).collect()
}

fn random_opening(variant: Variant, plies: usize, random: &mut Random) -> Opening {
    let mut opening = random_walk(variant, plies, random);
    for _ in 1..DRAWS {
        if opening.moves.len() == plies && is_fair(&opening.position()) {
            break;
        }
        opening = random_walk(variant, plies, random);
    }
    opening
}

fn random_walk(variant: Variant, plies: usize, random: &mut Random) -> Opening {
    let mut opening = Opening::at(Position::start(variant));
    let mut position = opening.start;
    while opening.moves.len() < plies {
        let moves = position.legal_moves();
        if moves.is_empty() || position.winner().is_some() {
            break;
        }
        let step = moves[(random.next() % moves.len() as u64) as usize];
        position = position.play_unchecked(&step);
        opening.moves.push(step);
    }
    opening
}

/// Numbers without order (`SplitMix64`).
struct Random(u64);

impl Random {
    const fn new(seed: u64, stream: u64) -> Self {
        Self(seed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_the_81_openings_of_international_lose_a_man() {
        let start = Position::start(Variant::INTERNATIONAL);
        let mut left_out = Vec::new();
        for first in start.legal_moves() {
            let after = start.play_unchecked(&first);
            for second in after.legal_moves() {
                if !is_fair(&after.play_unchecked(&second)) {
                    left_out.push(format!("{} {}", start.short(&first), after.short(&second)));
                }
            }
        }
        assert_eq!(left_out, ["31-27 16-21", "32-27 16-21"]);
    }

    #[test]
    fn every_variant_has_openings() {
        for &variant in Variant::ALL {
            let openings = two_ply_openings(variant);
            let positions: HashSet<_> = openings.iter().map(Opening::position).collect();
            assert!(openings.len() >= 4 && positions.len() == openings.len(), "{variant}: {}", openings.len());
        }
    }

    #[test]
    fn random_openings_depend_on_the_seed_alone() {
        let openings = |seed| random_openings(Variant::ITALIAN, 6, seed, 10);
        assert_eq!(openings(1), openings(1));
        assert_ne!(openings(1), openings(2));
        assert_eq!(openings(1)[..3], random_openings(Variant::ITALIAN, 6, 1, 3));
        assert!(openings(1).iter().all(|opening| opening.moves.len() == 6 && is_fair(&opening.position())));
    }
}
