//! Endgame tables in a search.

use std::sync::Arc;

use super::Analysis;
use super::limit::Limit;
use super::node::Window;
use super::score::Score;
use crate::board::{Geometry, Side, Word};
use crate::egdb::{BestLine, BoardTables, Value};
use crate::rules::{Move, State};

// Building all classes with up to 4 pieces of International solves 3.5 million positions a second.
/// Positions of a class that may be solved for each second, for each node, and for a search of depth 0. A class is solved
/// once and then serves for many moves. For a node 250: enough for the distances of all endings with 4 pieces on boards of 32 squares
/// (3 million positions) in the shortest searches of `annotate` with the default limit.
const PER_SECOND: f64 = 3e6;
const PER_NODE: u64 = 250;
const AT_DEPTH_0: u64 = 50_000;

/// Returns the maximum size of a class that may be solved within a limit, so that it costs little more than the search.
fn max_positions(limit: &Limit) -> u64 {
    let by_time = limit.budget().map(|budget| (budget.maximum.as_secs_f64() * PER_SECOND) as u64);
    let by_nodes = limit.nodes.map(|nodes| nodes.saturating_mul(PER_NODE));
    // A ply more allows twice as much. The depth is a user's number, and a larger shift would leave the 64 bits.
    let by_depth = limit.depth.map(|depth| AT_DEPTH_0 << depth.min(20));
    [by_time, by_nodes, by_depth].into_iter().flatten().min().unwrap_or(u64::MAX)
}

/// The tables of a search.
pub(super) struct Endgames<G: Geometry> {
    tables: Arc<BoardTables<G>>,
    /// The pieces at the root, if the tables have the root.
    root: Option<[u32; 4]>,
}

/// Returns the numbers of pieces of each kind.
fn pieces<G: Geometry>(state: &State<G>) -> [u32; 4] {
    let [white, black] = [Side::White, Side::Black].map(|side| [state.men(side).count(), state.kings_of(side).count()]);
    [white[0], white[1], black[0], black[1]]
}

impl<G: Geometry> Endgames<G> {
    /// Returns the tables for the search of a position; `None` if there are none.
    pub(super) fn new(tables: &Arc<BoardTables<G>>, root: &State<G>) -> Option<Self> {
        let is_known = tables.value(root).is_some();
        (tables.max_pieces() > 0).then(|| Self { tables: Arc::clone(tables), root: is_known.then(|| pieces(root)) })
    }

    /// Returns bounds on the score of a position; `None` if nothing is known. A win is a lower bound, as a quicker one may
    /// be found. Won positions with the pieces of the root have no bounds, so that the search looks for progress.
    pub(super) fn bounds(&self, state: &State<G>, ply: usize) -> Option<Window> {
        let value = self.tables.quiet_value(state)?;
        // A win far below the root has a lower score, so that the search prefers the direct way.
        let known = Score::WON_AT_ROOT - ply as i32;
        // A draw by the tables ends the line; wins and losses leave room on the side where the exact distance may be.
        match value {
            Value::Draw => Some(Window { alpha: 0, beta: 0 }),
            _ if self.root == Some(pieces(state)) => None,
            Value::Win => Some(Window { alpha: known, beta: Score::WIN }),
            Value::Loss => Some(Window { alpha: -Score::WIN, beta: -known }),
        }
    }

    /// Returns the analysis of a position with a known best line: to the end, or to a capture or promotion that keeps
    /// the value. If a class has to be solved for it, this must fit into the limit; unless time is limited, that also
    /// holds for a class solved by an earlier search, so that no analysis depends on earlier ones.
    pub(super) fn analysis(&self, state: &State<G>, limit: &Limit) -> Option<Analysis> {
        // Tables that lack the root have at most parts of its best line.
        self.root?;
        let is_timed = limit.budget().is_some();
        let may_use = |positions, is_solved| is_timed && is_solved || positions <= max_positions(limit);
        let BestLine { value, steps, plies, is_complete } = self.tables.best_line(state, may_use)?;
        let score = match (value, is_complete) {
            (Value::Draw, _) => return None,
            (Value::Win, true) => Score::win_in(plies),
            (Value::Loss, true) => Score::loss_in(plies),
            (Value::Win, false) => Score::from_value(Score::WON_AT_ROOT - plies as i32),
            (Value::Loss, false) => Score::from_value(plies as i32 - Score::WON_AT_ROOT),
        };
        let moves: Vec<_> = steps.iter().map(Move::from_step).collect();
        let depth = moves.len() as u32;
        (depth > 0).then(|| Analysis::new(score, moves, depth, 0))
    }

    /// Returns a score that a search found for a position, corrected to agree with its value.
    pub(super) fn corrected(&self, state: &State<G>, score: Score) -> Score {
        let value = score.value();
        Score::from_value(match self.tables.value(state) {
            Some(Value::Win) => value.max(Score::MAX_UNKNOWN + 1),
            Some(Value::Draw) => 0,
            Some(Value::Loss) => value.min(-Score::MAX_UNKNOWN - 1),
            None => value,
        })
    }
}
