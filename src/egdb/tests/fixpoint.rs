//! A slow solver: forward passes over all positions until nothing changes.

use std::collections::HashMap;
use std::sync::Arc;

use super::solve_all;
use crate::board::{Geometry, Side, Word};
use crate::egdb::Value;
use crate::egdb::game::{Game, Lookup, with_white_to_move};
use crate::rules::{Adapter, Goal, Rules, State, Task, Variant, legal_moves};

/// A decided position: its value and the number of the pass that found it, which is its distance in plies.
type Decided = (Value, u8);

/// All positions of up to some pieces, with those they lead to.
struct Graph<G: Geometry> {
    positions: Vec<State<G>>,
    values: Vec<Option<Decided>>,
    replies: Vec<Vec<Reply>>,
}

/// What a move leads to.
enum Reply {
    Position(usize),
    Over(Value),
}

impl<G: Geometry> Graph<G> {
    fn new<R: Rules<Board = G>>(rules: R, pieces: u32) -> Self {
        let positions: Vec<_> = (2..=pieces).flat_map(|pieces| arrangements::<G>(rules, pieces)).collect();
        let numbers: HashMap<_, _> = positions.iter().enumerate().map(|(n, state)| (*state, n)).collect();
        let mut list = crate::rules::MoveList::default();
        let replies = positions.iter().map(|state| {
            legal_moves(rules, state, &mut list);
            list.as_slice().iter().map(|step| reply(rules, &state.play(rules, step), &numbers)).collect()
        });
        let replies = replies.collect();
        Self { values: vec![None; positions.len()], positions, replies }
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
        if self.replies[n].is_empty() {
            return Some(blocked);
        }
        let value = |reply: &Reply| match *reply {
            Reply::Position(n) => self.values[n].map(|(value, _)| value),
            Reply::Over(value) => (pass > 0).then_some(value),
        };
        let mut values = self.replies[n].iter().map(value);
        if values.clone().any(|value| value == Some(Value::Loss)) {
            return Some(Value::Win);
        }
        values.all(|value| value == Some(Value::Win)).then_some(Value::Loss)
    }
}

fn reply<R: Rules>(rules: R, state: &State<R::Board>, numbers: &HashMap<State<R::Board>, usize>) -> Reply {
    let normal = with_white_to_move(state);
    if rules.spec().goal == Goal::FirstKing && normal.kings.any() {
        return Reply::Over(Value::Loss);
    }
    match numbers.get(&normal) {
        Some(&number) => Reply::Position(number),
        None => Reply::Over(blocked(rules)),
    }
}

fn blocked<R: Rules>(rules: R) -> Value {
    if rules.spec().goal == Goal::Lose { Value::Win } else { Value::Loss }
}

/// Returns all arrangements of some pieces with White to move, both sides having one.
fn arrangements<G: Geometry>(rules: impl Rules<Board = G>, pieces: u32) -> Vec<State<G>> {
    let mut found: Vec<State<G>> = vec![State::white_to_move([G::Word::ZERO; 2], G::Word::ZERO)];
    for square in G::SHAPE.squares() {
        let bit = G::Word::bit(square.bit());
        let with: Vec<_> =
            found.iter().filter(|state| count(state) < pieces).flat_map(|state| add(state, bit)).collect();
        found.extend(with);
    }
    let is_class = |state: &State<G>| rules.spec().goal != Goal::FirstKing || state.kings.is_zero();
    found.retain(|state: &State<G>| {
        count(state) == pieces && state.sides[0].any() && state.sides[1].any() && is_class(state)
    });
    found
}

fn count<G: Geometry>(state: &State<G>) -> u32 {
    (state.sides[0] | state.sides[1]).count()
}

/// Returns the position with each piece on an empty square.
fn add<G: Geometry>(state: &State<G>, square: G::Word) -> impl Iterator<Item = State<G>> {
    let state = *state;
    Side::ALL.into_iter().flat_map(move |side| {
        [true, false].into_iter().filter_map(move |king| {
            let mut with = state;
            with.sides[side.index()] |= square;
            if king {
                with.kings |= square;
            }
            (king || (square & State::<G>::promotion_row(side)).is_zero()).then_some(with)
        })
    })
}

/// Compares all positions of up to some pieces; returns their number.
struct Compare(u8);

impl Task for Compare {
    type Output = usize;

    fn run<R: Rules>(self, rules: R) -> usize {
        let mut graph = Graph::new(rules, u32::from(self.0));
        let mut pass = 0;
        // In the first passes nothing may change: a win in one ply is found by the second.
        while graph.pass(pass, blocked(rules)) || pass < 2 {
            pass += 1;
        }
        let game = Arc::new(Game::new(Box::new(Adapter(rules))));
        let (finished, counts) = solve_all(&game, self.0, true);
        assert_eq!(counts.iter().map(|class| class.1.all().total()).sum::<u64>(), graph.positions.len() as u64);
        for (state, &expected) in graph.positions.iter().zip(&graph.values) {
            let code = finished.look_up(state).expect("solved");
            let found = code.distance().map(|distance| (code.value(), game.plies(distance)));
            assert_eq!(found, expected, "{state:?}");
        }
        graph.positions.len()
    }
}

#[test]
fn two_pieces_agree_in_every_variant() {
    for &variant in Variant::ALL {
        assert!(variant.dispatch(Compare(2)) > 700, "{variant}");
    }
}

#[test]
fn three_pieces_agree() {
    let long = std::env::var_os("PDN_LONG_TESTS").is_some();
    for &variant in if long { Variant::ALL } else { &[Variant::ENGLISH] } {
        assert!(variant.dispatch(Compare(3)) > 70_000, "{variant}");
    }
}
