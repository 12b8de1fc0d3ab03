//! Endgame databases.

mod build;
mod cache;
mod code;
mod coder;
mod counts;
mod databases;
mod embedded;
mod file;
mod game;
mod index;
#[cfg(feature = "engine")]
mod line;
mod load;
mod material;
mod order;
mod prober;
mod progress;
mod sample;
mod solve;
mod solved;
mod tables;
#[cfg(test)]
mod tests;
mod threads;
mod verify;

pub use build::{BuildObserver, BuildOptions, BuildSummary, build};
pub use code::Value;
pub use counts::{ClassCounts, Counts};
pub use databases::Databases;
#[cfg(feature = "engine")]
pub(crate) use line::BestLine;
pub use material::{Force, MAX_PIECES, Material, ParseMaterialError};
pub use progress::Progress;
#[cfg(feature = "engine")]
pub(crate) use tables::BoardTables;
pub use tables::{ClassStatistics, EndgameTables, Probe, TableProblem};
pub use verify::{Verification, VerifyOptions, verify};
