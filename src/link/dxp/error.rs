//! The errors of games over DXP.

use std::time::Duration;
use std::{fmt, io};

use super::message::GameAnswer;
use crate::rules::Variant;

/// The error of a game over DXP.
#[derive(Debug)]
#[non_exhaustive]
pub enum DxpError {
    /// The program at this address cannot be reached.
    CannotConnect(String, io::Error),
    /// This address cannot be listened on.
    CannotListen(String, io::Error),
    /// DXP has no board for the variant.
    UnsupportedVariant(Variant),
    /// The opponent closed the connection.
    Closed,
    /// The opponent sent nothing within this time.
    TimedOut(Duration),
    /// The opponent declined the game, for this reason.
    Declined(&'static str),
    /// The opponent sent this move, which is not legal.
    IllegalMove(String),
    /// The opponent sent this message where it has no meaning.
    Unexpected(String),
    /// The opponent ended the game and did not say how.
    Ended,
}

impl DxpError {
    /// Returns the error for the answer to a proposal, unless that is accepted.
    pub(crate) const fn of(answer: GameAnswer) -> Option<Self> {
        Some(Self::Declined(match answer {
            GameAnswer::Accepted => return None,
            GameAnswer::OtherVersion => "it has another version of the protocol",
            GameAnswer::NotThisGame => "it does not play games like this one",
            GameAnswer::NoGame => "it plays no game",
        }))
    }

    /// Returns true if another attempt cannot succeed.
    pub const fn is_permanent(&self) -> bool {
        matches!(
            self,
            Self::CannotConnect(..) | Self::CannotListen(..) | Self::UnsupportedVariant(_) | Self::Declined(_)
        )
    }
}

impl fmt::Display for DxpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotConnect(address, error) => write!(f, "cannot connect to {address}: {error}"),
            Self::CannotListen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            Self::UnsupportedVariant(variant) => {
                write!(f, "DXP supports boards of 50 squares only, and {variant} has another board")
            }
            Self::Closed => f.write_str("the opponent closed the connection"),
            Self::TimedOut(time) => write!(f, "the opponent sent nothing within {} s", time.as_secs_f64()),
            Self::Declined(reason) => write!(f, "the opponent declined the game: {reason}"),
            Self::IllegalMove(text) => write!(f, "the opponent sent an illegal move: `{text}`"),
            Self::Unexpected(text) => write!(f, "the opponent sent an unexpected message: `{text}`"),
            Self::Ended => f.write_str("the opponent ended the game"),
        }
    }
}

impl std::error::Error for DxpError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::CannotConnect(_, error) | Self::CannotListen(_, error) => Some(error),
            _ => None,
        }
    }
}
