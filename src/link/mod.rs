//! Engines of other programs, and the built-in engine for other programs: both sides of the Hub protocol and of DXP.
//!
//! [`serve`] makes the built-in engine available to any program that speaks Hub; [`HubEngine`] runs any engine that speaks
//! Hub. A [`DxpConnection`] leads to a program that plays games over a network.

mod codec;
mod command_line;
mod dialect;
mod dxp;
mod error;
mod hub_engine;
mod level;
mod lines;
mod managed;
mod message;
mod process;
mod program;
mod server;
mod settings;

pub use codec::{read_line, read_move, read_position, read_score, write_line, write_move, write_position, write_score};
pub use command_line::{CommandLine, ParseCommandError};
pub(crate) use dxp::{
    BackAnswer, DxpMessage, DxpPartner, EndReason, GameAnswer, GameRequest, Incoming, PartnerTurn, read_played,
    read_setup, write_played, write_setup,
};
pub use dxp::{DxpConnection, DxpError, DxpLog, supports_dxp};
pub use error::EngineError;
pub use hub_engine::{Choice, HubEngine, Timeouts};
pub use managed::ManagedEngine;
pub use message::Message;
pub use program::end_engines;
pub use server::serve;
