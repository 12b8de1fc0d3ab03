//! Checks of games, with all diagnostics: tags, move numbers, draws, results, writing rules.
//!
//! A [`Review`] is a game with all its diagnostics. [`reviews`](reviews()) returns those of bytes, [`file_reviews`] those of a file.

mod baseline;
mod checked;
mod choice;
mod clocks;
mod copies;
mod dates;
mod doubts;
mod draws;
mod driver;
mod numbers;
mod played;
mod prints;
mod reading;
mod result;
mod review;
mod reviews;
mod strict;
mod summary;
mod tags;

pub(crate) use baseline::{Baseline, Known};
pub use checked::CheckedGame;
pub(crate) use checked::WrittenTag;
#[cfg(feature = "cli")]
pub(crate) use checked::is_known;
pub use choice::DiagnosticOptions;
pub(crate) use clocks::two_parts;
pub(crate) use copies::CopiedGames;
pub(crate) use dates::FileDates;
#[cfg(feature = "cli")]
pub(crate) use doubts::Doubts;
pub use draws::draw_of_line;
pub(crate) use driver::Each;
pub use driver::{Checking, ChunkOrigin, GameWork, Needs, UncheckedGames};
pub(crate) use played::Play;
#[cfg(feature = "query")]
pub(crate) use played::{NN, is_no_one};
pub use prints::fingerprints;
#[cfg(feature = "cli")]
pub(crate) use review::InputOptions;
pub use review::{CheckOptions, Review};
pub use reviews::{FileReviews, Reviews, file_reviews, input_reviews, reviews};
pub use strict::check_writing;
pub use summary::Summary;
#[cfg(feature = "cli")]
pub(crate) use summary::{Tally, tally};
