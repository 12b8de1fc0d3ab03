//! The `DamExchange` protocol (DXP): games over TCP, in messages that end with a NUL byte.
//!
//! One program is the initiator: it proposes the game. The other one, the follower, accepts or declines. Which of them
//! listens on TCP is independent of that.

mod connection;
mod error;
mod frame;
mod message;
mod partner;
mod setup;

pub(crate) use connection::Incoming;
pub use connection::{DxpConnection, DxpLog};
pub use error::DxpError;
pub(crate) use message::{BackAnswer, DxpMessage, EndReason, GameAnswer, GameRequest};
pub(crate) use partner::{DxpPartner, PartnerTurn};
pub use setup::supports_dxp;
pub(crate) use setup::{read_played, read_setup, write_played, write_setup};
