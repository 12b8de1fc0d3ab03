//! A slow solver: forward passes over all positions until nothing changes.

use std::collections::HashMap;

use super::solve_all;
use crate::board::{Geometry, Side, Word};
use crate::egdb::Value;
use crate::egdb::endgame::{Endgame, Lookup, with_white_to_move};
use crate::rules::{Goal, MoveList, Rules, State, Variant, WordOf, legal_moves, with_rules};

/// A decided position: its value and the number of the pass that found it, which is its distance in plies.
type Decided = (Value, u8);

/// A position with White to move in one word: for each piece, from the lowest bit of the board up, its bit, side and
/// kind.
type Packed = u64;

/// Bits of a piece in a packed position: 7 for the square, 1 for the side, 1 for the kind.
const PIECE_BITS: u32 = 9;

/// All positions of up to a number of pieces, with those they lead to.
struct Graph {
    positions: Vec<Packed>,
    values: Vec<Option<Decided>>,
    /// The replies of all positions, one position after the other.
    replies: Vec<Reply>,
    /// Where the replies of each position end.
    ends: Vec<u32>,
}

/// The number of the position that a move leads to, or a value plus [`OVER`] if the game is over.
type Reply = u32;

const OVER: Reply = u32::MAX - 2;

impl Graph {
    fn new<R: Rules>(rules: R, pieces: u32) -> Self {
        let positions = arrangements(rules, pieces);
        let numbers: HashMap<_, _> = positions.iter().zip(0..).map(|(&position, n)| (position, n)).collect();
        let (mut replies, mut list) = (Vec::new(), MoveList::default());
        let ends = positions.iter().map(|&position| {
            let state = unpacked::<R::Board>(position);
            legal_moves(rules, &state, &mut list);
            replies.extend(list.as_slice().iter().map(|step| reply(rules, &state.play(rules, step), &numbers)));
            u32::try_from(replies.len()).expect("fewer replies")
        });
        let ends = ends.collect();
        Self { values: vec![None; positions.len()], positions, replies, ends }
    }

    fn replies(&self, n: usize) -> &[Reply] {
        let start = n.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.replies[start as usize..self.ends[n] as usize]
    }

    /// Decides the positions that one more pass decides; returns true if there are any.
    fn pass(&mut self, pass: u8, blocked: Value) -> bool {
        let decided: Vec<_> = (0..self.positions.len())
            .filter(|&n| self.values[n].is_none())
            .filter_map(|n| Some((n, self.decide(n, pass, blocked)?)))
            .collect();
        for &(n, value) in &decided {
            self.values[n] = Some((value, pass));
        }
        !decided.is_empty()
    }

    fn decide(&self, n: usize, pass: u8, blocked: Value) -> Option<Value> {
        let replies = self.replies(n);
        if replies.is_empty() {
            return Some(blocked);
        }
        let value = |&reply: &Reply| match reply.checked_sub(OVER) {
            None => self.values[reply as usize].map(|(value, _)| value),
            Some(value) => (pass > 0).then_some(VALUES[value as usize]),
        };
        let mut values = replies.iter().map(value);
        if values.clone().any(|value| value == Some(Value::Loss)) {
            return Some(Value::Win);
        }
        values.all(|value| value == Some(Value::Win)).then_some(Value::Loss)
    }
}

const VALUES: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

const fn over(value: Value) -> Reply {
    OVER + value as u32
}

fn reply<R: Rules>(rules: R, state: &State<R::Board>, numbers: &HashMap<Packed, u32>) -> Reply {
    let normal = with_white_to_move(state);
    if rules.spec().goal == Goal::FirstKing && normal.kings.any() {
        return over(Value::Loss);
    }
    numbers.get(&packed(&normal)).copied().unwrap_or(over(blocked(rules)))
}

fn blocked<R: Rules>(rules: R) -> Value {
    if rules.spec().goal == Goal::Lose { Value::Win } else { Value::Loss }
}

fn packed<G: Geometry>(state: &State<G>) -> Packed {
    let (mut pieces, mut packed) = (state.sides[0] | state.sides[1], 0);
    while pieces.any() {
        let square = G::Word::bit(pieces.lowest());
        let side = u64::from((state.sides[1] & square).any());
        let king = u64::from((state.kings & square).any());
        packed = packed << PIECE_BITS | u64::from(pieces.lowest()) << 2 | side << 1 | king;
        pieces = pieces.without_lowest();
    }
    packed
}

fn unpacked<G: Geometry>(mut packed: Packed) -> State<G> {
    let (mut sides, mut kings) = ([G::Word::ZERO; 2], G::Word::ZERO);
    while packed > 0 {
        let square = G::Word::bit((packed >> 2 & 127) as u8);
        sides[(packed >> 1 & 1) as usize] |= square;
        if packed & 1 == 1 {
            kings |= square;
        }
        packed >>= PIECE_BITS;
    }
    State::white_to_move(sides, kings)
}

/// Returns all arrangements of 2 to `pieces` pieces with White to move, with at least one on each side.
fn arrangements<R: Rules>(rules: R, pieces: u32) -> Vec<Packed> {
    let mut found = Vec::new();
    add_to::<R>(rules, State::white_to_move([WordOf::<R>::ZERO; 2], WordOf::<R>::ZERO), 0, pieces, &mut found);
    found
}

/// Adds a position, and those with more pieces on later squares.
fn add_to<R: Rules>(rules: R, state: State<R::Board>, first: u8, pieces: u32, found: &mut Vec<Packed>) {
    if state.sides[0].any() && state.sides[1].any() {
        found.push(packed(&state));
    }
    if pieces == 0 {
        return;
    }
    for square in <R::Board as Geometry>::SHAPE.squares().filter(|square| square.bit() >= first) {
        for with in with_piece(rules, &state, WordOf::<R>::bit(square.bit())) {
            add_to(rules, with, square.bit() + 1, pieces - 1, found);
        }
    }
}

/// Returns the position with each piece on an empty square.
fn with_piece<R: Rules>(rules: R, state: &State<R::Board>, square: WordOf<R>) -> impl Iterator<Item = State<R::Board>> {
    let (state, has_kings) = (*state, rules.spec().goal != Goal::FirstKing);
    Side::ALL.into_iter().flat_map(move |side| {
        [true, false].into_iter().filter_map(move |king| {
            let mut with = state;
            with.sides[side.index()] |= square;
            if king {
                with.kings |= square;
            }
            let is_on_last_row = (square & State::<R::Board>::promotion_row(side)).any();
            (if king { has_kings } else { !is_on_last_row }).then_some(with)
        })
    })
}

/// Compares all positions of up to this many pieces; returns their number.
fn compare(variant: Variant, pieces: u8) -> usize {
    with_rules!(variant, <'a, R>(rules, pieces: u8 = pieces) -> usize {
        let mut graph = Graph::new(rules, u32::from(pieces));
        let mut pass = 0;
        // In the first passes nothing may change: a win in one ply is found by the second.
        while graph.pass(pass, blocked(rules)) || pass < 2 {
            pass += 1;
        }
        let game = Endgame::of(rules);
        let (finished, counts) = solve_all(&game, pieces, true);
        assert_eq!(counts.iter().map(|class| class.1.all.total()).sum::<u64>(), graph.positions.len() as u64);
        for (&position, &expected) in graph.positions.iter().zip(&graph.values) {
            let state = unpacked::<R::Board>(position);
            let code = finished.look_up(&state).expect("solved");
            let found = code.distance().map(|distance| (code.value(), game.plies(distance)));
            assert_eq!(found, expected, "{state:?}");
        }
        graph.positions.len()
    })
}

#[test]
fn two_pieces_agree_in_every_variant() {
    for &variant in Variant::ALL {
        assert!(compare(variant, 2) > 700, "{variant}");
    }
}

/// Returns true if the tests that take minutes should run.
fn is_long() -> bool {
    std::env::var_os("PDN_LONG_TESTS").is_some()
}

#[test]
fn three_pieces_agree() {
    for &variant in if is_long() { Variant::ALL } else { &[Variant::ENGLISH] } {
        let compared = compare(variant, 3);
        assert!(compared > 70_000, "{variant}");
    }
}

/// Compares all positions of up to four pieces of a variant, which takes minutes.
fn compare_four(variant: Variant) {
    if is_long() {
        assert!(compare(variant, 4) > 6_000_000, "{variant}");
    }
}

#[test]
fn four_pieces_of_international_agree() {
    compare_four(Variant::INTERNATIONAL);
}

#[test]
fn four_pieces_of_brazilian_agree() {
    compare_four(Variant::BRAZILIAN);
}

#[test]
fn four_pieces_of_russian_agree() {
    compare_four(Variant::RUSSIAN);
}

#[test]
fn four_pieces_of_italian_agree() {
    compare_four(Variant::ITALIAN);
}

#[test]
fn four_pieces_of_english_agree() {
    compare_four(Variant::ENGLISH);
}
