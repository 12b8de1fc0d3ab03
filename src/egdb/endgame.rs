//! The rules of a variant as needed by databases: positions with White to move, and values decided without a table.

use std::sync::Arc;

use super::index::{Index, Layout};
use super::material::{Force, Material};
use super::values::{Code, Tally};
use crate::board::{Geometry, Side, Word};
use crate::rules::{Adapter, Generator, Goal, Mobility, MoveList, RuleSpec, Rules, State};

/// A source of the codes of positions with White to move.
pub(super) trait Lookup<G: Geometry> {
    /// Returns the code of a position; `None` if it is unknown.
    fn look_up(&self, state: &State<G>) -> Option<Code>;
}

impl<G: Geometry, F: Fn(&State<G>) -> Option<Code>> Lookup<G> for F {
    fn look_up(&self, state: &State<G>) -> Option<Code> {
        self(state)
    }
}

/// The rules of a variant.
pub(super) struct Endgame<G: Geometry> {
    pub(super) generator: Box<dyn Generator<G>>,
    pub(super) layout: Arc<Layout<G>>,
    /// The squares from which a quiet move promotes a white man.
    before_promotion: G::Word,
}

/// Returns the pieces of a position as the side to move sees them.
pub(super) fn material_of<G: Geometry>(state: &State<G>) -> Material {
    let force = |side| Force { men: state.men(side).count() as u8, kings: state.kings_of(side).count() as u8 };
    Material { own: force(state.turn), their: force(!state.turn) }
}

/// Returns the same position with White to move.
#[inline]
pub(super) fn with_white_to_move<G: Geometry>(state: &State<G>) -> State<G> {
    match state.turn {
        Side::White => state.without_king_runs(),
        Side::Black => state.color_flipped(),
    }
}

impl<G: Geometry> Endgame<G> {
    fn new(generator: Box<dyn Generator<G>>) -> Self {
        let second_row = G::SHAPE.squares().filter(|square| G::SHAPE.row(*square) == 1);
        let before_promotion = second_row.fold(G::Word::ZERO, |row, square| row | G::Word::bit(square.bit()));
        Self { generator, layout: Arc::new(Layout::new()), before_promotion }
    }

    /// Returns the rules of a variant, shared by everything that looks up positions in its tables.
    pub(super) fn of<R: Rules<Board = G>>(rules: R) -> Arc<Self> {
        Arc::new(Self::new(Box::new(Adapter(rules))))
    }

    pub(super) fn spec(&self) -> &'static RuleSpec<'static> {
        self.generator.spec()
    }

    pub(super) fn index(&self, material: Material) -> Index<G> {
        Index::new(material, Arc::clone(&self.layout))
    }

    /// Returns the code of a position without a legal move. Where it is a win, its distance is one ply too long, so that
    /// wins have odd distances; see [`Endgame::plies`].
    pub(super) fn blocked(&self) -> Code {
        if self.spec().goal == Goal::Lose { Code::WIN } else { Code::LOSS }
    }

    /// Returns the number of plies of a distance.
    pub(super) fn plies(&self, distance: u8) -> u8 {
        distance - u8::from(self.spec().goal == Goal::Lose)
    }

    /// Returns the code of a position after a move if no table is needed for it.
    fn decided(&self, state: &State<G>) -> Option<Code> {
        // No class has a side without pieces.
        if state.sides[Side::White.index()].is_zero() {
            Some(self.blocked())
        } else {
            (self.spec().goal == Goal::FirstKing && state.kings.any()).then_some(Code::LOSS)
        }
    }

    /// Returns the codes of positions that moves lead to.
    pub(super) fn reply(&self, state: &State<G>, lookup: &(impl Lookup<G> + ?Sized)) -> Option<Code> {
        let normal = with_white_to_move(state);
        self.decided(&normal).or_else(|| lookup.look_up(&normal))
    }

    /// Returns true if the side to move can, and so must, capture.
    pub(super) fn must_capture(&self, state: &State<G>) -> bool {
        self.generator.can_capture(state)
    }

    /// Returns the results of the moves of a position, up to a win that no other can surpass; `None` if one of the codes
    /// is unknown.
    pub(super) fn tally(
        &self,
        state: &State<G>,
        list: &mut MoveList<G>,
        lookup: &(impl Lookup<G> + ?Sized),
    ) -> Option<Tally> {
        self.generator.moves(state, list);
        let mut tally = Tally::default();
        for step in list.as_slice() {
            tally.add(self.reply(&self.generator.play(state, step), lookup)?);
            if tally.has_quickest_win() {
                break;
            }
        }
        Some(tally)
    }

    /// Returns the results of the promotions of a position without captures, and the number of its other moves.
    pub(super) fn promotions(
        &self,
        state: &State<G>,
        moves: u64,
        list: &mut MoveList<G>,
        lookup: &(impl Lookup<G> + ?Sized),
    ) -> Option<(Tally, u64)> {
        let mut tally = Tally::default();
        // Most positions have no man one step from promotion, and need no list of moves.
        if (state.men(Side::White) & self.before_promotion).is_zero() {
            return Some((tally, moves));
        }
        self.generator.moves(state, list);
        let mut others = moves;
        for step in list.as_slice().iter().filter(|step| step.promotes) {
            tally.add(self.reply(&self.generator.play(state, step), lookup)?);
            others -= 1;
        }
        Some((tally, others))
    }

    /// Returns the number of quiet moves, `None` if the side to move must capture.
    pub(super) fn quiet_moves(&self, state: &State<G>) -> Option<u64> {
        match self.generator.mobility(state) {
            Mobility::Captures => None,
            Mobility::Quiet(moves) => Some(moves),
        }
    }

    /// Returns the pairs of classes with this number of pieces, grouped by their number of men. Promotions lead to
    /// classes with fewer men, captures to classes with fewer pieces.
    pub(super) fn groups(&self, pieces: u8) -> Vec<Vec<Material>> {
        // Where the first king wins, a class with a king has no position before the end of a game.
        let is_played = |class: &Material| self.spec().goal != Goal::FirstKing || class.kings() == 0;
        let group = |men| Material::pairs(pieces, men).into_iter().filter(is_played).collect();
        (0..=pieces).map(group).filter(|group: &Vec<_>| !group.is_empty()).collect()
    }
}
