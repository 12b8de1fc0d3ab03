//! The interface of all engines, whatever their protocol. A protocol is one file with an implementation of [`GameEngine`] and
//! of [`Launch`](super::spec::Launch), and one line in `PROTOCOLS`.

use std::io;
use std::time::Duration;

#[cfg(feature = "link")]
use super::dxp::DxpError;
use crate::board::Side;
use crate::engine::{Analysis, Engine, Limit, Score, TableError};
use crate::error::Error;
use crate::rules::{Move, Position, Variant};

/// An engine of one variant that analyses positions and plays games. It quits when it is dropped.
///
/// # Examples
///
/// ```
/// use pdn::engine::{Engine, Limit};
/// use pdn::link::GameEngine;
/// use pdn::rules::{Position, Variant};
///
/// fn best_moves(engine: &mut dyn GameEngine, position: &Position) -> Result<usize, pdn::link::EngineError> {
///     Ok(engine.analyse(position, &[], Limit::depth(3), 4)?.lines().count())
/// }
///
/// let mut engine = Engine::new(Variant::RUSSIAN);
/// assert_eq!(best_moves(&mut engine, &Position::start(Variant::RUSSIAN))?, 4);
/// # Ok::<(), pdn::link::EngineError>(())
/// ```
pub trait GameEngine: Send {
    /// Returns the name that the engine reports, if it is another program and has been started.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Analyses a position, with at most this number of lines. `history` holds the earlier positions of the game, oldest first.
    /// The answer does not depend on earlier queries.
    ///
    /// # Errors
    ///
    /// If the engine fails, or its protocol does not support analysis.
    fn analyse(
        &mut self,
        position: &Position,
        history: &[Position],
        limit: Limit,
        lines: usize,
    ) -> Result<Analysis, EngineError>;

    /// Searches for the best move in a position by itself, and passes on the moves found on the way, if the engine reports them, and
    /// the last one, each with the number of nodes visited so far.
    ///
    /// # Errors
    ///
    /// As [`analyse`](Self::analyse), except that another program need not give a score.
    fn find_move(
        &mut self,
        position: &Position,
        limit: Limit,
        report: &mut dyn FnMut(Option<Move>, u64),
    ) -> Result<(), EngineError> {
        let analysis = self.analyse(position, &[], limit, 1)?;
        report(analysis.best_move(), analysis.nodes());
        Ok(())
    }

    /// Forgets what it found in the searches before, on which the next ones may otherwise depend.
    fn forget(&mut self) {}

    /// Sets the number on which the moves from an opening book depend in the next game.
    fn vary(&mut self, _number: u64) {}

    /// Starts a game from a position, in which the engine plays a side.
    ///
    /// # Errors
    ///
    /// If the engine cannot be reached or refuses to play.
    fn begin(&mut self, start: &Position, side: Side, limit: Limit) -> Result<(), EngineError>;

    /// Lets the engine move in a position of the game in which it has a legal move. `history` holds the earlier positions,
    /// oldest first.
    ///
    /// # Errors
    ///
    /// If the engine fails. It can still play another game unless the error is permanent, such as an unsupported variant.
    fn play(&mut self, position: &Position, history: &[Position], limit: Limit) -> Result<EngineTurn, EngineError>;

    /// Ends the game, whose last positions these are.
    fn finish(&mut self, _position: &Position, _history: &[Position], _winner: Option<Side>) {}
}

impl GameEngine for Engine {
    fn analyse(
        &mut self,
        position: &Position,
        history: &[Position],
        limit: Limit,
        lines: usize,
    ) -> Result<Analysis, EngineError> {
        self.set_multipv(lines);
        Ok(self.analyse_game(position, history, limit))
    }

    fn find_move(
        &mut self,
        position: &Position,
        limit: Limit,
        report: &mut dyn FnMut(Option<Move>, u64),
    ) -> Result<(), EngineError> {
        let mut pass_on = |analysis: &Analysis| report(analysis.best_move(), analysis.nodes());
        let last = self.analyse_with(position, &[], limit, &mut pass_on);
        pass_on(&last);
        Ok(())
    }

    fn forget(&mut self) {
        self.new_game();
    }

    fn vary(&mut self, number: u64) {
        self.vary_book(number);
    }

    fn begin(&mut self, _: &Position, _: Side, _: Limit) -> Result<(), EngineError> {
        self.new_game();
        Ok(())
    }

    fn play(&mut self, position: &Position, history: &[Position], limit: Limit) -> Result<EngineTurn, EngineError> {
        if let Some(step) = self.book_move(position) {
            return Ok(EngineTurn::Move(step, Thought::default()));
        }
        let analysis = self.analyse_game(position, history, limit);
        let best = analysis.best_move().ok_or(EngineError::NoMove)?;
        Ok(EngineTurn::Move(best, Thought::of(&analysis)))
    }
}

/// The action of an engine when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineTurn {
    /// It plays a move after a search.
    Move(Move, Thought),
    /// It resigns.
    Resign,
    /// It declares the game drawn.
    Draw,
}

/// An engine's report about its search for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The score for the side to move.
    pub(crate) score: Option<Score>,
    /// The depth in plies; 0 if it is unknown.
    pub(crate) depth: u32,
    /// The number of nodes visited; 0 if it is unknown.
    pub(crate) nodes: u64,
    /// The time that the move took, measured by the waiting side; zero until then.
    pub(crate) time: Duration,
}

impl Thought {
    /// Returns the thought of an analysis.
    pub(crate) fn of(analysis: &Analysis) -> Self {
        let (score, depth, nodes) = (Some(analysis.score()), analysis.depth(), analysis.nodes());
        Self { score, depth, nodes, ..Self::default() }
    }
}

/// The time that an engine may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// The time within which the engine must be ready.
    pub(super) start: Duration,
    /// The time within which the engine must answer, in addition to the time limit of the search.
    pub(super) answer: Duration,
}

impl Timeouts {
    /// Returns timeouts for starting up and for an answer, the latter in addition to the time limit of the search.
    pub const fn new(start: Duration, answer: Duration) -> Self {
        Self { start, answer }
    }
}

impl Default for Timeouts {
    /// Returns a minute for each.
    fn default() -> Self {
        Self::new(Duration::from_mins(1), Duration::from_mins(1))
    }
}

/// The failure of an engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The program cannot be started.
    #[error("the engine cannot be started: {0}")]
    CannotStart(#[source] io::Error),
    /// The engine does not support the variant.
    #[error("the engine does not support {0}")]
    UnsupportedVariant(Variant),
    /// The version of the protocol has no message for the limit.
    #[error("engines of Hub version 1 support neither node limits nor game clocks")]
    UnsupportedLimit,
    /// The protocol has no message for an analysis.
    #[error("engines that speak DXP play games, but do not analyse positions")]
    NoAnalysis,
    /// The program exited or closed its output.
    #[error("the engine exited")]
    Exited,
    /// The engine lacks a parameter that was to be set.
    #[error("the engine has no parameter `{name}`; it has {}", if known.is_empty() { "none" } else { known })]
    UnknownParameter {
        /// Name of the parameter.
        name: String,
        /// The names of its parameters, separated by commas.
        known: String,
    },
    /// The engine was not ready within this time after its start.
    #[error("the engine gave no answer within {} s", .0.as_secs_f64())]
    NotReady(Duration),
    /// The program exited or closed its output before it was ready.
    #[error("the engine exited before it was ready")]
    ExitedEarly,
    /// The engine sent an error message before it was ready.
    #[error("the engine reported an error before it was ready: {0}")]
    Refused(String),
    /// The engine gave no answer within this time.
    #[error("the engine gave no answer within {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The engine sent an error message.
    #[error("the engine reported an error: {0}")]
    Reported(String),
    /// The engine answered with this text, which is not a legal move.
    #[error("the engine answered with an illegal move: `{0}`")]
    IllegalMove(String),
    /// The engine gave no score for an analysis.
    #[error("the engine gave no score")]
    NoScore,
    /// The search ended without a move.
    #[error("no move was found")]
    NoMove,
    /// The opening book of the built-in engine cannot be used, for this reason.
    #[error("{0}")]
    Book(String),
    /// The transposition table of the built-in engine does not fit into memory.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// A program that is reached over DXP failed.
    #[cfg(feature = "link")]
    #[error(transparent)]
    Dxp(#[from] DxpError),
}

impl EngineError {
    /// Returns the error of an engine that has not been ready before.
    #[cfg(feature = "link")]
    pub(super) fn of_start(self) -> Self {
        match self {
            Self::TimedOut(time) => Self::NotReady(time),
            Self::Exited => Self::ExitedEarly,
            Self::Reported(message) => Self::Refused(message),
            other => other,
        }
    }

    /// Returns the error of an engine that was ready before, for which an exit or an error message is a failure like any other.
    #[cfg(feature = "link")]
    pub(super) fn of_restart(self) -> Self {
        match self {
            Self::ExitedEarly => Self::Exited,
            Self::Refused(message) => Self::Reported(message),
            other => other,
        }
    }

    /// Returns true if the engine gave no answer in time.
    pub(crate) const fn is_time_out(&self) -> bool {
        match self {
            Self::TimedOut(_) => true,
            #[cfg(feature = "link")]
            Self::Dxp(error) => matches!(error, DxpError::TimedOut(_)),
            _ => false,
        }
    }

    /// Returns true if another attempt cannot succeed.
    pub(crate) const fn is_permanent(&self) -> bool {
        match self {
            Self::CannotStart(_)
            | Self::UnsupportedVariant(_)
            | Self::UnsupportedLimit
            | Self::UnknownParameter { .. }
            | Self::NotReady(_)
            | Self::ExitedEarly
            | Self::Refused(_)
            | Self::NoAnalysis
            | Self::Book(_)
            | Self::Memory(_) => true,
            #[cfg(feature = "link")]
            Self::Dxp(error) => error.is_permanent(),
            _ => false,
        }
    }
}

impl From<EngineError> for Error {
    fn from(error: EngineError) -> Self {
        Self::unavailable(error.to_string())
    }
}
