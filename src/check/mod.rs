//! Games in, all diagnostics out: tags, move numbers, draws, results, writing rules, duplicates.
//!
//! A [`Review`] is a game with all its diagnostics. [`reviews`](reviews()) returns those of bytes, [`file_reviews`] those of a file.

mod around;
mod draws;
mod duplicates;
mod endgame;
mod fingerprint;
mod numbers;
mod order;
mod plain;
mod result;
mod review;
mod reviews;
mod strict;
mod summary;
mod tags;
mod tally;
mod time;

pub use around::Around;
pub use duplicates::{DuplicateIndex, IndexedGame};
pub use fingerprint::fingerprints;
#[cfg(feature = "query")]
pub(crate) use fingerprint::{next_fingerprint, start_fingerprint};
use plain::PlainReader;
pub use plain::{Follower, PlainDetail, PlainGame, PlainPly};
pub use result::GameResult;
pub use review::{CheckOptions, InputOptions, Review};
pub use reviews::{FileReviews, ReadChunk, Reviewed, Reviews, file_reviews, input_reviews, reviews};
pub use strict::check_writing;
pub use summary::Summary;
pub use tags::{check_tags, missing_tags};
pub use tally::{Tally, tally};
