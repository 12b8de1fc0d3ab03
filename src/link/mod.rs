//! Engines of other programs, and our own for other programs: the Hub protocol from both sides.
//!
//! [`serve`] is our engine for anybody who speaks Hub; [`HubEngine`] is anybody's engine for us.

mod client;
mod codec;
mod dialect;
mod level;
mod lines;
mod message;
mod process;
mod server;
mod settings;

pub use client::{Answer, Fault, HubEngine, KeptEngine, Patience, Question};
pub use codec::{read_line, read_move, read_position, read_score, write_line, write_move, write_position, write_score};
pub use message::Message;
pub use process::CommandLine;
pub use server::serve;
