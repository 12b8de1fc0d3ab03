//! The `DamExchange` protocol (DXP): games over TCP, in messages that end with a NUL byte.
//!
//! One program is the initiator: it proposes the game. The other one, the follower, accepts or declines. Which of them
//! listens on TCP is independent of that.

mod connection;
mod message;
mod partner;

pub(crate) use connection::Incoming;
pub use connection::{DxpConnection, DxpError, DxpLog};
pub(crate) use message::{
    BackAnswer, DxpMessage, EndReason, GameAnswer, GameRequest, read_played, read_setup, supports_dxp, write_played,
    write_setup,
};
pub(super) use partner::DxpAddress;
