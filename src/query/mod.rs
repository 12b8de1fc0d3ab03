//! Questions about many games: search, statistics, opening trees and tournaments.
//!
//! Each query is work for [`Checking`](crate::check::Checking), which passes it the games of files on many threads. Games
//! with plain moves are followed while they are read, without a tree; queries about tags play no move.

mod compare;
mod dedupe;
mod edit;
mod error;
mod event;
mod expression;
mod grammar;
#[cfg(feature = "parquet")]
mod index;
mod merge;
mod opening_names;
mod openings;
mod search;
mod stats;

pub use compare::{LineFinder, MainLine, TranscribedGame, TranscriptionQuery, common_games, differences};
pub use dedupe::{Documented, Duplicates, PrintFinder};
pub use edit::{EditedChunk, TagEdits};
pub use error::QuestionError;
pub use event::{EventGame, EventOptions, EventQuery, TieBreak, Tournament};
pub use expression::Expression;
#[cfg(feature = "parquet")]
pub use index::{GameKeys, IndexEntry, IndexQuery, IndexSorter, KeyFinder, SortedEntries};
pub use merge::{SortKey, SortValue};
pub use opening_names::{NamesProblem, OpeningNames};
pub use openings::{OpeningFinder, OpeningLine, Openings, OpeningsQuery};
pub use search::{BoardFinder, BoardQuestion, Question};
pub use stats::{MoveCounter, MoveCounts, Stats, StatsQuery};
