//! When a game is drawn: the limits of each variant as data, and what counts towards them.

use std::collections::HashMap;

use super::generate::{MoveList, can_capture, legal_moves};
use super::position::{Move, Position};
use super::spec::{RuleSpec, Rules, Task};
use super::state::{State, Step};
use crate::board::{Geometry, Side, Word};

/// The draw rules of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// Repetition of a position with the same side to move.
    pub repetition: Option<Repetition>,
    /// Limits on moves without progress.
    pub limits: &'static [DrawLimit],
    /// A last piece each is a draw where neither can be taken at once.
    pub last_pieces: Option<LastPieces>,
}

/// A draw by repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The occurrence that makes the draw.
    pub occurrences: u8,
    /// Automatic or to be claimed.
    pub standing: Standing,
    /// Article.
    pub article: &'static str,
}

/// A draw with one piece on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastPieces {
    /// Whether king against man is a draw too.
    pub king_against_man: bool,
    /// Article.
    pub article: &'static str,
}

/// Whether a draw ends the game by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Automatic,
    /// A player may claim it.
    Claim,
}

/// A number of plies in an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawLimit {
    /// Stable name, such as `25-move`.
    pub name: &'static str,
    /// Plies, both sides together; the one that brings the ending about is not counted.
    pub plies: u16,
    /// What the pieces and moves must be meanwhile.
    pub ending: Ending,
    /// Automatic or to be claimed.
    pub standing: Standing,
    /// Article.
    pub article: &'static str,
    /// Whether the official text was seen.
    pub verified: bool,
}

/// What the pieces and moves must be while plies are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Any pieces, no capture and no man move; not applied where both sides have kings and this many pieces are left.
    NoProgress {
        /// Fewest and most pieces of the exception; (0, 0) is none.
        except_both_kings: (u8, u8),
    },
    /// A side with this many pieces, of which this many are kings, against a lone king; once begun it goes on while the
    /// lone king stands.
    LoneKing {
        /// Fewest and most pieces of the stronger side.
        pieces: (u8, u8),
        /// Fewest kings of the stronger side.
        kings: u8,
        /// Which side, if any, must have a king on the long diagonal.
        diagonal: Diagonal,
    },
    /// Both sides have kings, and no capture or promotion changes the balance.
    BothKings {
        /// Fewest and most pieces on the board.
        pieces: (u8, u8),
    },
}

/// Who must hold the long diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagonal {
    /// It does not matter.
    Any,
    /// The lone king.
    LoneKing,
    /// A king of the stronger side.
    Stronger,
}

/// Most limits that a variant has.
const MAX_LIMITS: usize = 6;

/// Plies counted towards each limit of the variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawCounters {
    /// One more than the plies counted; 0 while the ending has not begun.
    counts: [u16; MAX_LIMITS],
}

impl DrawCounters {
    /// Returns the counters at the start of a game or from a set-up position.
    pub fn start<G: Geometry>(spec: &RuleSpec, state: &State<G>) -> Self {
        let mut counters = Self::default();
        for (count, limit) in counters.counts.iter_mut().zip(spec.draws.limits) {
            *count = u16::from(begins(limit.ending, state));
        }
        counters
    }

    /// Returns the counters after a move.
    #[inline]
    #[must_use]
    pub fn after<G: Geometry>(mut self, spec: &RuleSpec, before: &State<G>, step: &Step<G>, after: &State<G>) -> Self {
        let man_moved = (before.kings & G::Word::bit(step.from)).is_zero();
        for (count, limit) in self.counts.iter_mut().zip(spec.draws.limits) {
            let restarts = match limit.ending {
                Ending::NoProgress { .. } => man_moved || step.is_capture(),
                Ending::BothKings { .. } => step.promotes || step.is_capture(),
                Ending::LoneKing { .. } => step.promotes,
            };
            let goes_on = *count > 0 && !restarts && continues(limit.ending, after);
            *count = if goes_on { count.saturating_add(1) } else { u16::from(begins(limit.ending, after)) };
        }
        self
    }

    /// Whether some limit is reached or passed, so that the game counts as drawn.
    #[inline]
    pub fn is_draw<G: Geometry>(&self, spec: &RuleSpec, state: &State<G>) -> bool {
        let mut reached = self.counts.iter().zip(spec.draws.limits);
        reached.any(|(&count, limit)| count > limit.plies && applies(limit.ending, state))
    }

    /// Plies counted towards each limit that has begun.
    pub fn plies(&self) -> impl Iterator<Item = Option<u16>> {
        self.counts.into_iter().map(|count| count.checked_sub(1))
    }
}

/// Squares of the diagonal through both playable corners.
fn long_diagonal<G: Geometry>() -> G::Word {
    let shape = G::SHAPE;
    let last = shape.height() - 1;
    let squares = (0..shape.height()).filter_map(|row| shape.square_at(row, last - row));
    squares.fold(G::Word::ZERO, |set, square| set | G::Word::bit(square.bit()))
}

fn begins<G: Geometry>(ending: Ending, state: &State<G>) -> bool {
    match ending {
        Ending::NoProgress { .. } => true,
        Ending::BothKings { pieces } => both_kings(state, pieces),
        Ending::LoneKing { .. } if state.kings.is_zero() => false,
        Ending::LoneKing { pieces, kings, diagonal } => [Side::White, Side::Black].into_iter().any(|lone| {
            is_lone_king(state, lone) && {
                let stronger = state.sides[(!lone).index()];
                within(stronger.count(), pieces)
                    && state.kings_of(!lone).count() >= u32::from(kings)
                    && diagonal_held(state, lone, diagonal)
            }
        }),
    }
}

fn continues<G: Geometry>(ending: Ending, state: &State<G>) -> bool {
    match ending {
        Ending::NoProgress { .. } => true,
        Ending::BothKings { pieces } => both_kings(state, pieces),
        Ending::LoneKing { diagonal, .. } => [Side::White, Side::Black]
            .into_iter()
            .any(|lone| is_lone_king(state, lone) && diagonal_held(state, lone, diagonal)),
    }
}

fn applies<G: Geometry>(ending: Ending, state: &State<G>) -> bool {
    match ending {
        Ending::NoProgress { except_both_kings } => !both_kings(state, except_both_kings),
        Ending::LoneKing { .. } | Ending::BothKings { .. } => true,
    }
}

fn within(count: u32, (least, most): (u8, u8)) -> bool {
    (u32::from(least)..=u32::from(most)).contains(&count)
}

fn both_kings<G: Geometry>(state: &State<G>, pieces: (u8, u8)) -> bool {
    within((state.sides[0] | state.sides[1]).count(), pieces)
        && state.kings_of(Side::White).any()
        && state.kings_of(Side::Black).any()
}

fn is_lone_king<G: Geometry>(state: &State<G>, side: Side) -> bool {
    let pieces = state.sides[side.index()];
    pieces.count() == 1 && (pieces & state.kings).any()
}

fn diagonal_held<G: Geometry>(state: &State<G>, lone: Side, diagonal: Diagonal) -> bool {
    match diagonal {
        Diagonal::Any => true,
        Diagonal::LoneKing => (state.kings_of(lone) & long_diagonal::<G>()).any(),
        Diagonal::Stronger => (state.kings_of(!lone) & long_diagonal::<G>()).any(),
    }
}

/// Whether one piece each is left, the variant calls that a draw, and nobody can or must lose a piece at once.
fn is_last_pieces_draw<R: Rules>(rules: R, state: &State<R::Board>) -> bool {
    let Some(last) = rules.spec().draws.last_pieces else { return false };
    let all = state.sides[0] | state.sides[1];
    let one_each = state.sides.iter().all(|side| side.count() == 1);
    let kinds = if last.king_against_man { state.kings.any() } else { state.kings == all };
    one_each && kinds && !can_capture(rules, state) && has_safe_move(rules, state)
}

fn has_safe_move<R: Rules>(rules: R, state: &State<R::Board>) -> bool {
    let mut list = MoveList::default();
    legal_moves(rules, state, &mut list);
    list.as_slice().iter().any(|step| !can_capture(rules, &state.play(rules, step)))
}

/// A draw that the rules see in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawEvent {
    /// Stable name: `threefold`, `25-move`, `last-pieces` …
    pub name: &'static str,
    /// Ply from which it counts, 0 being the start of the game.
    pub since_ply: u32,
    /// Ply that completes it.
    pub ply: u32,
    /// Automatic or to be claimed.
    pub standing: Standing,
    /// Article.
    pub article: &'static str,
    /// Whether the official text was seen.
    pub verified: bool,
}

/// Follows a game and tells when the rules see a draw.
#[derive(Clone, Debug)]
pub struct DrawTracker {
    seen: HashMap<u64, (u32, u8)>,
    counters: DrawCounters,
    ply: u32,
    last_pieces: bool,
}

impl DrawTracker {
    /// Starts at a position.
    pub fn new(start: &Position) -> Self {
        let counters = start.variant().dispatch(StartCounters(start));
        Self { seen: HashMap::from([(start.key(), (0, 1))]), counters, ply: 0, last_pieces: false }
    }

    /// Notes a move and returns the draws that it completes, each once.
    pub fn record(&mut self, before: &Position, played: &Move, after: &Position) -> Vec<DrawEvent> {
        self.ply += 1;
        let mut events = Vec::new();
        events.extend(self.repetition(after));
        let (counters, last_pieces) =
            after.variant().dispatch(Follow { counters: self.counters, before, played, after });
        self.counters = counters;
        events.extend(self.limits(after));
        if last_pieces && !self.last_pieces {
            events.extend(self.last_pieces_event(after));
        }
        self.last_pieces |= last_pieces;
        events
    }

    fn repetition(&mut self, after: &Position) -> Option<DrawEvent> {
        let (since, times) = self.seen.entry(after.key()).or_insert((self.ply, 0));
        *times = times.saturating_add(1);
        let rule = after.variant().spec().draws.repetition?;
        (*times == rule.occurrences).then_some(DrawEvent {
            name: if rule.occurrences == 3 { "threefold" } else { "repetition" },
            since_ply: *since,
            ply: self.ply,
            standing: rule.standing,
            article: rule.article,
            verified: true,
        })
    }

    fn limits(&self, after: &Position) -> Vec<DrawEvent> {
        let limits = after.variant().spec().draws.limits;
        let reached = limits.iter().zip(self.counters.plies());
        reached
            .filter(|(limit, plies)| *plies == Some(limit.plies) && after.variant().dispatch(Applies(limit, after)))
            .map(|(limit, _)| DrawEvent {
                name: limit.name,
                since_ply: self.ply.saturating_sub(u32::from(limit.plies)),
                ply: self.ply,
                standing: limit.standing,
                article: limit.article,
                verified: limit.verified,
            })
            .collect()
    }

    fn last_pieces_event(&self, after: &Position) -> Option<DrawEvent> {
        let rule = after.variant().spec().draws.last_pieces?;
        let (ply, standing) = (self.ply, Standing::Automatic);
        Some(DrawEvent { name: "last-pieces", since_ply: ply, ply, standing, article: rule.article, verified: true })
    }
}

struct StartCounters<'a>(&'a Position);

impl Task for StartCounters<'_> {
    type Output = DrawCounters;

    fn run<R: Rules>(self, rules: R) -> DrawCounters {
        DrawCounters::start(rules.spec(), &self.0.state::<R::Board>())
    }
}

struct Applies<'a>(&'a DrawLimit, &'a Position);

impl Task for Applies<'_> {
    type Output = bool;

    fn run<R: Rules>(self, _: R) -> bool {
        applies(self.0.ending, &self.1.state::<R::Board>())
    }
}

struct Follow<'a> {
    counters: DrawCounters,
    before: &'a Position,
    played: &'a Move,
    after: &'a Position,
}

impl Task for Follow<'_> {
    type Output = (DrawCounters, bool);

    fn run<R: Rules>(self, rules: R) -> Self::Output {
        let (before, after) = (self.before.state::<R::Board>(), self.after.state::<R::Board>());
        let counters = self.counters.after(rules.spec(), &before, &self.played.step(), &after);
        (counters, is_last_pieces_draw(rules, &after))
    }
}
