//! Engines, all used through one trait, and the built-in engine for other programs: both sides of the Hub protocol and
//! of DXP.
//!
//! An [`EngineSpec`] names an engine and starts it as a [`GameEngine`]: the built-in one, or another program. [`serve`]
//! makes the built-in engine available to any program that speaks Hub. A [`DxpConnection`] leads to a program that plays
//! games over a network.
//!
//! Without the feature `link`, only the trait and the built-in engine are available: no process and no network.

#[cfg(feature = "link")]
mod book;
#[cfg(feature = "link")]
mod codec;
#[cfg(feature = "link")]
mod dialect;
#[cfg(feature = "link")]
mod dxp;
mod game_engine;
#[cfg(feature = "link")]
mod hub_engine;
#[cfg(feature = "link")]
mod message;
#[cfg(feature = "link")]
mod program;
#[cfg(feature = "link")]
mod server;
#[cfg(feature = "link")]
mod settings;
#[cfg(feature = "link")]
mod spec;
#[cfg(feature = "link")]
pub(crate) use book::{read_book, set_varied_book};
#[cfg(feature = "link")]
pub use codec::{read_line, read_move, read_position, read_score, write_move, write_position, write_score};
#[cfg(feature = "link")]
pub(crate) use dxp::{
    BackAnswer, DxpMessage, EndReason, GameAnswer, GameRequest, Incoming, read_played, read_setup, supports_dxp,
    write_played, write_setup,
};
#[cfg(feature = "link")]
pub use dxp::{DxpConnection, DxpError, DxpLog};
pub use game_engine::{EngineError, EngineTurn, GameEngine, Thought, Timeouts};
#[cfg(feature = "link")]
pub(crate) use hub_engine::ManagedEngine;
#[cfg(feature = "link")]
pub use hub_engine::{HubEngine, HubSearch};
#[cfg(feature = "link")]
pub use message::Message;
#[cfg(feature = "link")]
pub(crate) use program::end_engines;
#[cfg(feature = "link")]
pub use server::serve;
#[cfg(feature = "link")]
pub use spec::{CommandLine, EngineSpec, ParseCommandError, ParseEngineError};
