//! Matches between engines.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use pdn::arena::{Match as Contest, MatchGame, MatchOptions, MatchScore as Score};
use pdn::check::CheckOptions;
use pdn::edit::EditableGame;
use pdn::link::EngineSpec;
use pdn::replay::ReplayOptions;
use pdn::rules::Variant as Rules;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::GameData;
use crate::errors::{ArgumentError, EngineError};
use crate::game::Game;
use crate::interrupt::{Worker, receive};
use crate::numbers::Jobs;
use crate::reader::threads;
use crate::variant::{AnyVariant, optional};
use crate::work::{call_options, refused};

/// A game of a match, and its text.
type Played = Box<(MatchGame, String)>;

/// The games of a match, in order; see :func:`match`.
#[pyclass(frozen, module = "pdn.engine")]
pub(crate) struct Match {
    games: Receiver<pdn::Result<Played>>,
    variant: Rules,
    score: Mutex<Score>,
    worker: Worker,
}

#[pymethods]
impl Match {
    /// The score of the games so far.
    #[getter]
    fn score(&self) -> MatchScore {
        let score = self.score.lock().unwrap_or_else(PoisonError::into_inner);
        let elo = Some(score.elo()).filter(|elo| elo.difference().is_finite() && score.games() > 0);
        MatchScore {
            wins: score.wins(),
            draws: score.draws(),
            losses: score.losses(),
            elo: elo.map(|elo| elo.difference()),
            elo_error: elo.and_then(|elo| elo.error()),
        }
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        self.worker.check()?;
        let Some(played) = receive(py, &self.games)? else { return Ok(None) };
        let (game, text) = *played.map_err(|error| EngineError::new_err(error.to_string()))?;
        self.score.lock().unwrap_or_else(PoisonError::into_inner).add(&game);
        let mut options = CheckOptions::default();
        options.replay = ReplayOptions::of(Some(self.variant));
        let read = EditableGame::read(text.into_bytes(), options, game.number() as u64 + 1);
        let read = read.ok_or_else(|| EngineError::new_err("the game cannot be read"))?;
        Ok(Some(Game::of(GameData::alone(read))))
    }
}

/// The score of a match, from the first player's point of view.
#[pyclass(frozen, get_all, eq, module = "pdn.engine")]
#[derive(PartialEq)]
pub(crate) struct MatchScore {
    /// The number of games won.
    wins: u64,
    /// The number of drawn games.
    draws: u64,
    /// The number of games lost.
    losses: u64,
    /// The difference in strength in Elo points, or ``None`` if one player has all points.
    elo: Option<f64>,
    /// Half the width of the 95 % confidence interval of the difference, or ``None`` if the games do not show it.
    elo_error: Option<f64>,
}

#[pymethods]
impl MatchScore {
    fn __repr__(&self) -> String {
        format!("<MatchScore +{} ={} -{}>", self.wins, self.draws, self.losses)
    }
}

/// Plays a match between two engines, ``jobs`` games at a time (default: one per processor), and returns an iterator over its games.
///
/// A player is written as for ``pdn match``: ``builtin`` or ``builtin:nodes=5000,threads=2``, the command line of an engine that
/// speaks Hub, also with parameters as ``hub:COMMAND{threads=2}``, or ``dxp:HOST:PORT``. The options are those of the command.
///
/// >>> from pdn import engine
/// >>> match = engine.match("builtin:nodes=200", "builtin:nodes=20", games=4, max_plies=60)
/// >>> for game in match:
/// ...     assert game.tags["White"] in ("builtin:nodes=200", "builtin:nodes=20")
/// >>> match.score.wins + match.score.draws + match.score.losses
/// 4
#[pyfunction]
#[pyo3(name = "match", signature = (first, second, *, variant=None, jobs=None, **options))]
pub(crate) fn play_match(
    py: Python<'_>,
    first: &str,
    second: &str,
    variant: Option<AnyVariant>,
    jobs: Option<Jobs>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Match> {
    let variant = optional(variant)?.unwrap_or(Rules::INTERNATIONAL);
    let options: MatchOptions = call_options(options)?.rest().map_err(refused)?;
    let invalid = |error: &dyn std::fmt::Display| ArgumentError::new_err(error.to_string());
    let player = |text: &str| text.parse::<EngineSpec>().map_err(|error| invalid(&error));
    let players = [player(first)?, player(second)?];
    let openings = py.detach(|| options.read_openings(variant)).map_err(crate::errors::exception)?;
    let contest = Contest::new(players, openings, options).map_err(|error| invalid(&error))?;
    let (sender, games) = bounded(1);
    let jobs = threads(jobs);
    thread::Builder::new().spawn(move || {
        let ended = contest.play(0, jobs, |game| {
            let text = contest.game_pdn(&game);
            let is_wanted = sender.send(Ok(Box::new((game, text)))).is_ok();
            Ok(if is_wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        // The games may no longer be read.
        drop(ended.map_err(|error| sender.send(Err(error))));
    })?;
    Ok(Match { games, variant, score: Mutex::default(), worker: Worker::this() })
}
