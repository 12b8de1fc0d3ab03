//! What an engine thinks of a position.

use serde_json::{Value, json};

use super::board::{AtPosition, play_moves, words};
use super::options::CallOptions;
use crate::annotate::evaluation;
use crate::egdb::Databases;
use crate::engine::{Analysis, Engine, Limit, ScoredLine};
use crate::error::{Error, Result};
use crate::report::PageBoard;
use crate::rules::Position;

/// A position that is searched, after the positions before it, and the limits of the search.
#[derive(Debug)]
pub struct SearchedPosition {
    position: Position,
    history: Vec<Position>,
    board: PageBoard,
    limit: Limit,
}

impl SearchedPosition {
    /// Reads the question to an engine: a position, moves that lead to another one, and limits, of which `time` is in
    /// milliseconds.
    ///
    /// # Errors
    ///
    /// If the position is invalid, a move cannot be played, a limit is invalid, or other options are given.
    pub fn of(mut options: CallOptions) -> Result<Self> {
        let AtPosition { position, moves, .. } = AtPosition::take(&mut options)?;
        let (depth, nodes) = (options.take("depth")?, options.take("nodes")?);
        let time: Option<f64> = options.take("time")?;
        if let Some(time) = time.filter(|time| *time <= 0.0) {
            let expected = "a number of milliseconds greater than 0";
            return Err(Error::usage(format!("invalid value `{time:?}` for time; expected {expected}")));
        }
        let seconds = time.map(|time| time.max(1.0) / 1000.0);
        let limit = Limit::checked(depth, nodes, seconds).map_err(|error| Error::usage(error.to_string()))?;
        options.end()?;
        let mut history = Vec::new();
        match play_moves(position, words(&moves), |before, _| history.push(*before)) {
            (_, Some(error)) => Err(Error::usage(error)),
            (position, None) => Ok(Self { position, history, board: PageBoard::of(position.variant()), limit }),
        }
    }

    /// Returns the limits of the search.
    pub(crate) const fn limit(&self) -> Limit {
        self.limit
    }

    /// Returns the position.
    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the positions before it, the oldest first.
    pub(crate) fn history(&self) -> &[Position] {
        &self.history
    }

    /// Searches the position. `report` receives each iteration as a [row](Self::row); `now` returns the time in milliseconds.
    ///
    /// # Errors
    ///
    /// If the position belongs to another variant than the engine.
    pub fn search(&self, engine: &mut Engine, now: &dyn Fn() -> f64, report: &mut dyn FnMut(Value)) -> Result<Value> {
        if engine.variant() != self.position.variant() {
            return Err(Error::usage("the position belongs to another variant than the engine"));
        }
        let begun = now();
        let made = engine.analyse_with(&self.position, &self.history, self.limit, &mut |analysis| {
            report(self.row(analysis, now() - begun));
        });
        Ok(self.row(&made, now() - begun))
    }

    /// Returns an analysis after a time in milliseconds, as the application shows it: lines with their moves and the places
    /// of their squares on the board, and the value in the endgame databases.
    pub fn row(&self, analysis: &Analysis, time: f64) -> Value {
        let position = &self.position;
        let line = |line: &ScoredLine| {
            let places =
                line.moves().iter().map(|step| [step.from(), step.to()].map(|square| self.board.place(square)));
            json!({
                "eval": evaluation(line.score(), position.turn()),
                "moves": position.short_line(line.moves()),
                "places": places.collect::<Vec<_>>(),
            })
        };
        let lines: Vec<_> = analysis.lines().filter(|line| !line.moves().is_empty()).map(line).collect();
        let probe = Databases::embedded().probe(position);
        json!({
            "fen": position.fen(),
            "depth": analysis.depth(),
            "nodes": analysis.nodes(),
            "time": time,
            "lines": lines,
            "value": probe.map(|probe| probe.value()),
            "plies": probe.and_then(|probe| probe.plies()),
        })
    }
}
