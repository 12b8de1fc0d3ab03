//! Limits, evaluations and analyses.

use pdn::Evaluation as Value;
use pdn::annotate::evaluation;
use pdn::board::Side;
use pdn::engine::{Analysis as Found, GameClock, Limit as EngineLimit};
use pdn::records::EvaluatedLine;
use pdn::rules::Position;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::ArgumentError;
use crate::moves::Move;
use crate::numbers::{self, CentiMen, Depth, Nodes, RemainingMoves, Seconds, WinIn};
use crate::values::duration;

/// A function that restores a limit, and the limit's values in the order of its arguments.
type Restored<'py> = (Bound<'py, PyAny>, LimitParts);

/// Nodes, depth, time, the clocks and increments of White and Black, and the moves until more time is added.
type LimitParts = (Option<u64>, Option<u32>, Option<f64>, [Option<f64>; 4], Option<u32>);

/// A function that restores an evaluation, and its centi-men, its distance to a win and the winner.
type RestoredValue<'py> = (Bound<'py, PyAny>, (Option<i32>, Option<u32>, Option<bool>));

/// A function that restores a line or an analysis, and its parts.
type RestoredParts<'py, T> = (Bound<'py, PyAny>, T);

/// Limits on a search, which ends as soon as one of them is reached; or clocks, from which the engine allots itself time.
///
/// With clocks, ``white_inc`` and ``black_inc`` are added before each move, and after ``remaining_moves`` moves there is more time.
///
/// >>> from pdn.engine import Limit
/// >>> Limit(nodes=100_000)
/// Limit(nodes=100000)
/// >>> Limit(white_clock=300, black_clock=280.5, white_inc=2, black_inc=2)
/// Limit(white_clock=300, black_clock=280.5, white_inc=2, black_inc=2)
#[pyclass(frozen, get_all, eq, module = "pdn.engine", from_py_object)]
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) struct Limit {
    /// The maximum number of nodes, or ``None``.
    nodes: Option<u64>,
    /// The maximum depth in plies, or ``None``.
    depth: Option<u32>,
    /// The maximum time in seconds, or ``None``.
    time: Option<f64>,
    /// The seconds that White has left, or ``None``.
    white_clock: Option<f64>,
    /// The seconds that Black has left, or ``None``.
    black_clock: Option<f64>,
    /// The seconds that White gets before each move, or ``None``.
    white_inc: Option<f64>,
    /// The seconds that Black gets before each move, or ``None``.
    black_inc: Option<f64>,
    /// The number of moves until more time is added, or ``None`` if the time is for the rest of the game.
    remaining_moves: Option<u32>,
}

impl Limit {
    /// Returns the limit for the search of a side.
    ///
    /// # Errors
    ///
    /// If it has been checked before, never.
    fn checked(self, side: Side) -> PyResult<EngineLimit> {
        let limit = EngineLimit::checked(self.depth, self.nodes, self.time);
        let mut limit = limit.map_err(|error| ArgumentError::new_err(error.to_string()))?;
        let (left, added) = match side {
            Side::White => (self.white_clock, self.white_inc),
            Side::Black => (self.black_clock, self.black_inc),
        };
        let Some(left) = left else { return Ok(limit) };
        let clock = GameClock::new(duration(Seconds(left))?, duration(Seconds(added.unwrap_or_default()))?);
        limit.clock = Some(clock.with_moves(self.remaining_moves));
        Ok(limit)
    }

    /// Returns the limit for the search of a side.
    pub(crate) fn of_side(self, side: Side) -> EngineLimit {
        self.checked(side).expect("it was checked when it was made")
    }

    /// Returns the limit for each move of games.
    ///
    /// # Errors
    ///
    /// If it has clocks, which are those of one game.
    pub(crate) fn of_games(self) -> PyResult<EngineLimit> {
        let limit = self.of_side(Side::White);
        let refused = || ArgumentError::new_err("clocks are for one game: use a limit on nodes, depth or time");
        if limit.clock.is_some() { Err(refused()) } else { Ok(limit) }
    }
}

#[pymethods]
impl Limit {
    #[new]
    #[pyo3(signature = (
        *, nodes=None, depth=None, time=None, white_clock=None, black_clock=None, white_inc=None, black_inc=None,
        remaining_moves=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        nodes: Option<Nodes>,
        depth: Option<Depth>,
        time: Option<Seconds>,
        white_clock: Option<Seconds>,
        black_clock: Option<Seconds>,
        white_inc: Option<Seconds>,
        black_inc: Option<Seconds>,
        remaining_moves: Option<RemainingMoves>,
    ) -> PyResult<Self> {
        let (nodes, depth) = (nodes.map(|nodes| nodes.0), depth.map(|depth| depth.0));
        let remaining_moves = remaining_moves.map(|moves| moves.0);
        let seconds = [time, white_clock, black_clock, white_inc, black_inc].map(|given| given.map(|given| given.0));
        let [time, white_clock, black_clock, white_inc, black_inc] = seconds;
        let limit = Self { nodes, depth, time, white_clock, black_clock, white_inc, black_inc, remaining_moves };
        let refused = |reason: &'static str| Err(ArgumentError::new_err(reason));
        if white_clock.is_some() != black_clock.is_some() {
            return refused("`white_clock` and `black_clock` go together");
        }
        if white_clock.is_none() {
            if white_inc.is_some() || black_inc.is_some() || remaining_moves.is_some() {
                return refused("increments and remaining moves need `white_clock` and `black_clock`");
            }
            if nodes.is_none() && depth.is_none() && time.is_none() {
                return refused("a limit on nodes, depth or time, or clocks are required");
            }
        }
        limit.checked(Side::White).and(limit.checked(Side::Black)).map(|_| limit)
    }

    fn __repr__(&self) -> String {
        let whole = |name: &str, value: Option<u64>| value.map(|value| format!("{name}={value}"));
        let real = |name: &str, value: Option<f64>| value.map(|value| format!("{name}={value}"));
        let parts = [
            whole("nodes", self.nodes),
            whole("depth", self.depth.map(u64::from)),
            real("time", self.time),
            real("white_clock", self.white_clock),
            real("black_clock", self.black_clock),
            real("white_inc", self.white_inc),
            real("black_inc", self.black_inc),
            whole("remaining_moves", self.remaining_moves.map(u64::from)),
        ];
        format!("Limit({})", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Restored<'py>> {
        let limit = slf.get();
        let restore = slf.py().import("pdn._restore")?.getattr("limit")?;
        let clocks = [limit.white_clock, limit.black_clock, limit.white_inc, limit.black_inc];
        Ok((restore, (limit.nodes, limit.depth, limit.time, clocks, limit.remaining_moves)))
    }
}

/// An evaluation from White's point of view: centi-men, or a proven win with its distance in plies.
///
/// >>> import pdn
/// >>> pdn.Evaluation(32), pdn.Evaluation(win_in=7, winner=pdn.BLACK)
/// (<Evaluation 0.32>, <Evaluation #-7>)
#[pyclass(frozen, eq, hash, module = "pdn", from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Evaluation(pub(crate) Value);

#[pymethods]
impl Evaluation {
    #[new]
    #[pyo3(signature = (cm=None, *, win_in=None, winner=None))]
    fn new(cm: Option<CentiMen>, win_in: Option<WinIn>, winner: Option<bool>) -> PyResult<Self> {
        match (cm, win_in, winner) {
            (Some(CentiMen(cm)), None, None) => Ok(Self(Value::CentiMen(cm))),
            (None, Some(WinIn(plies)), Some(true)) => Ok(Self(Value::WhiteWins(plies))),
            (None, Some(WinIn(plies)), Some(false)) => Ok(Self(Value::BlackWins(plies))),
            _ => Err(PyTypeError::new_err("expected either `cm`, or `win_in` and `winner`")),
        }
    }

    /// The evaluation in centi-men, or ``None`` for a proven win.
    #[getter]
    const fn cm(&self) -> Option<i32> {
        self.0.centi_men()
    }

    /// The number of plies to a proven win, or ``None``.
    #[getter]
    const fn win_in(&self) -> Option<u32> {
        self.0.win_in()
    }

    /// The side that has a proven win: ``WHITE``, ``BLACK`` or ``None``. With 8900 or -8900 centi-men, the distance is unknown.
    #[getter]
    fn winner(&self) -> Option<bool> {
        self.0.winner().map(|winner| winner == 'W')
    }

    /// Returns the evaluation in centi-men from the point of view of a side; a win is ``win`` minus its distance in plies.
    #[pyo3(signature = (color, *, win=30_000))]
    fn pov(&self, color: bool, #[pyo3(from_py_with = numbers::win_value)] win: i32) -> i32 {
        let white = match self.0 {
            Value::CentiMen(value) => value,
            Value::WhiteWins(plies) => win.saturating_sub_unsigned(plies),
            Value::BlackWins(plies) => win.saturating_neg().saturating_add_unsigned(plies),
        };
        if color { white } else { white.saturating_neg() }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<RestoredValue<'py>> {
        let restore = slf.py().import("pdn._restore")?.getattr("evaluation")?;
        let value = slf.get();
        Ok((restore, (value.cm(), value.win_in(), value.winner())))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Evaluation {}>", self.0)
    }
}

/// A line of an analysis.
#[pyclass(frozen, get_all, eq, module = "pdn.engine", from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Line {
    /// The evaluation.
    evaluation: Evaluation,
    /// The moves, with best play by both sides.
    moves: Vec<Move>,
}

impl Line {
    pub(crate) fn of(line: &EvaluatedLine, start: &Position) -> Self {
        Self { evaluation: Evaluation(line.evaluation()), moves: Move::line(start, line.moves()) }
    }
}

#[pymethods]
impl Line {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<RestoredParts<'py, (Evaluation, Vec<Move>)>> {
        let restore = slf.py().import("pdn._restore")?.getattr("line")?;
        Ok((restore, (slf.get().evaluation, slf.get().moves.clone())))
    }

    fn __repr__(&self) -> String {
        let moves: Vec<_> = self.moves.iter().map(Move::__str__).collect();
        format!("<Line {} {}>", self.evaluation.0, moves.join(" "))
    }
}

/// The result of a search.
#[pyclass(frozen, get_all, eq, module = "pdn.engine")]
#[derive(Clone, PartialEq)]
pub(crate) struct Analysis {
    /// The lines, best first.
    lines: Vec<Line>,
    /// The depth of the search in plies.
    depth: u32,
    /// The number of nodes visited.
    nodes: u64,
}

impl Analysis {
    pub(crate) fn new(found: &Found, position: &Position) -> Self {
        let line = |line: &pdn::engine::ScoredLine| Line {
            evaluation: Evaluation(evaluation(line.score(), position.turn())),
            moves: Move::line(position, line.moves()),
        };
        Self { lines: found.lines().map(line).collect(), depth: found.depth(), nodes: found.nodes() }
    }

    /// Returns an analysis of which nothing is known.
    pub(crate) const fn unknown() -> Self {
        Self { lines: Vec::new(), depth: 0, nodes: 0 }
    }
}

#[pymethods]
impl Analysis {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<RestoredParts<'py, (Vec<Line>, u32, u64)>> {
        let restore = slf.py().import("pdn._restore")?.getattr("analysis")?;
        Ok((restore, (slf.get().lines.clone(), slf.get().depth, slf.get().nodes)))
    }

    /// The best move, or ``None`` if there is no legal move.
    #[getter]
    fn best_move(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// The best line.
    #[getter]
    fn pv(&self) -> Vec<Move> {
        self.lines.first().map(|line| line.moves.clone()).unwrap_or_default()
    }

    /// The evaluation of the best line, or ``None`` if there is none.
    #[getter]
    fn evaluation(&self) -> Option<Evaluation> {
        self.lines.first().map(|line| line.evaluation)
    }

    fn __repr__(&self) -> String {
        let best = self.lines.first().map(Line::__repr__).unwrap_or_default();
        format!("<Analysis depth={} nodes={} {best}>", self.depth, self.nodes)
    }
}

/// Returns the line with these parts.
#[pyfunction]
pub(crate) const fn restore_line(evaluation: Evaluation, moves: Vec<Move>) -> Line {
    Line { evaluation, moves }
}

/// Returns the analysis with these parts.
#[pyfunction]
pub(crate) const fn restore_analysis(lines: Vec<Line>, depth: u32, nodes: u64) -> Analysis {
    Analysis { lines, depth, nodes }
}
