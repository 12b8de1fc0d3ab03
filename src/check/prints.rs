//! Hashes of main lines, by which games with the same moves are found.

use crate::pdn::NodeKind;
use crate::replay::ReplayedGame;
use crate::rules::{Move, Position};

/// Returns a hash of the main line up to each of its moves; the last one is that of the whole game.
///
/// Equal hashes mean the same starting position and the same moves, whatever the tags, comments and spelling. With 128
/// bits, the probability of a collision among 10¹² games is below 10⁻¹⁵.
///
/// # Examples
///
/// ```
/// use pdn::check::fingerprints;
/// use pdn::games;
/// use pdn::replay::{ReplayOptions, replay};
///
/// let of = |text: &str| {
///     let game = games(text.as_bytes()).next().unwrap();
///     fingerprints(&replay(game.into_tree(), &ReplayOptions::default()))
/// };
/// let (short, long) = (of("[GameType \"20\"] 1. 3228 18-23"), of("[GameType \"20\"] 1. 32-28 {!} 18-23 2. 38-32"));
/// assert_eq!((short.len(), long.len()), (2, 3));
/// assert_eq!(short, long[..2]);
/// ```
pub fn fingerprints(game: &ReplayedGame) -> Vec<u128> {
    let tree = game.tree();
    let mut state = game.start().map_or(0, start_fingerprint);
    let mut all = Vec::with_capacity(tree.main_line().nodes().len());
    for &id in tree.main_line().nodes() {
        match (tree.node(id).kind(), game.played(id)) {
            (NodeKind::Ellipsis, _) => continue,
            (NodeKind::Setup { fen }, _) => {
                state = text(state, fen);
                continue;
            }
            // 1, 2 and 3 keep null moves, moves and texts apart.
            (NodeKind::Null, _) => state = mix(state, 1),
            (NodeKind::Move(_), Some(played)) => state = next_fingerprint(state, &played),
            (NodeKind::Move(written), None) => state = text(state, written.text()),
        }
        all.push(state);
    }
    all
}

/// Returns the fingerprint of a game that has no move yet.
fn start_fingerprint(start: &Position) -> u128 {
    mix(mix(0, u128::from(start.key())), u128::from(start.variant().shape().square_count()))
}

/// Returns the fingerprint after a move.
fn next_fingerprint(before: u128, played: &Move) -> u128 {
    let squares = u128::from(played.from().bit()) << 8 | u128::from(played.to().bit());
    mix(mix(before, squares | 2 << 64), played.captured().word())
}

fn text(state: u128, text: &str) -> u128 {
    text.bytes().fold(mix(state, 3), |state, byte| mix(state, u128::from(byte)))
}

/// Two rounds of multiplying and folding; the multiplier is the one of 128-bit linear congruential generators (Steele and
/// Vigna, 2020).
fn mix(state: u128, value: u128) -> u128 {
    const FACTOR: u128 = 0xDB36_3577_34E3_4ABB_0050_D076_1FCD_FC15;
    let round = |state: u128| {
        let product = state.wrapping_mul(FACTOR).rotate_left(64);
        product ^ product >> 61
    };
    round(round(state ^ value).wrapping_add(FACTOR))
}
