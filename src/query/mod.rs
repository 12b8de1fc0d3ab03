//! Questions about many games: search, statistics, opening trees and tournaments.
//!
//! A [`Query`] takes one game after the other, and a [`Scan`] puts the games of files to it on many threads. Games with plain
//! moves are followed while they are read, without a tree; queries about tags play no move.

mod compare;
mod copies;
mod dedupe;
mod edit;
mod error;
mod event;
mod expression;
mod follow;
mod game;
mod grammar;
mod heads;
#[cfg(feature = "parquet")]
mod index;
mod merge;
mod opening_names;
mod openings;
mod scan;
mod search;
mod stats;

pub use compare::{LineFinder, MainLine, TranscribedGame, TranscriptionQuery, common_games, differences};
pub use copies::CopiedGames;
pub use dedupe::{Documented, Duplicates, PrintFinder};
pub use edit::{EditedChunk, ReadHeads, TagEdits};
pub use error::QuestionError;
pub use event::{EventGame, EventOptions, EventQuery, NothingFinder, TieBreak, Tournament};
pub use expression::Expression;
pub use game::FoundGame;
#[cfg(feature = "parquet")]
pub use index::{GameKeys, IndexEntry, IndexQuery, IndexSorter, KeyFinder, SortedEntries};
pub use merge::{SortKey, SortValue};
pub use opening_names::{NamesProblem, OpeningNames};
pub use openings::{OpeningFinder, OpeningLine, Openings, OpeningsQuery};
pub use scan::{Finder, FoundBy, Needs, Query, Scan, ScannedChunk};
pub use search::{BoardFinder, BoardQuestion, Question};
pub use stats::{MoveCounter, MoveCounts, Stats, StatsQuery};
