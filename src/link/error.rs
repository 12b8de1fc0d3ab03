//! The errors of engines that are other programs.

use std::time::Duration;
use std::{fmt, io};

use crate::rules::Variant;

/// The error of an engine that is another program.
#[derive(Debug)]
#[non_exhaustive]
pub enum EngineError {
    /// The program cannot be started.
    CannotStart(io::Error),
    /// The engine does not support the variant.
    UnsupportedVariant(Variant),
    /// The version of the protocol has no message for the limit.
    UnsupportedLimit,
    /// The program exited or closed its output.
    Exited,
    /// The engine gave no answer within this time.
    TimedOut(Duration),
    /// The engine sent an error message.
    Reported(String),
    /// The engine answered with this text, which is not a legal move.
    IllegalMove(String),
    /// The engine gave no score for an analysis.
    NoScore,
}

impl EngineError {
    /// Returns true if another attempt cannot succeed.
    pub const fn is_permanent(&self) -> bool {
        matches!(self, Self::CannotStart(_) | Self::UnsupportedVariant(_) | Self::UnsupportedLimit)
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotStart(error) => write!(f, "the engine cannot be started: {error}"),
            Self::UnsupportedVariant(variant) => write!(f, "the engine does not support {variant}"),
            Self::UnsupportedLimit => {
                f.write_str("engines of Hub version 1 support neither node limits nor game clocks")
            }
            Self::Exited => f.write_str("the engine exited"),
            Self::TimedOut(time) => write!(f, "the engine gave no answer within {} s", time.as_secs_f64()),
            Self::Reported(message) => write!(f, "the engine reported an error: {message}"),
            Self::IllegalMove(text) => write!(f, "the engine answered with an illegal move: `{text}`"),
            Self::NoScore => f.write_str("the engine gave no score"),
        }
    }
}

impl std::error::Error for EngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::CannotStart(error) => Some(error),
            _ => None,
        }
    }
}
