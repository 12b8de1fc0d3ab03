//! Questions about many games: search, statistics, opening trees and tournaments.
//!
//! A [`Query`] takes one game after the other, and a [`Scan`] puts the games of files to it on many threads. Games with plain
//! moves are followed while they are read, without a tree; queries about tags play no move.

mod compare;
mod dedupe;
mod edit;
mod error;
mod event;
mod expression;
mod follow;
mod game;
mod grammar;
mod heads;
mod merge;
mod openings;
mod scan;
mod search;
mod stats;

pub use compare::{
    DifferenceRow, LineFinder, MainLine, PlaceRow, TagDifference, TranscribedGame, TranscriptionQuery, common_games,
    differences,
};
pub use dedupe::{Documented, Duplicates, PrintFinder};
pub use edit::{EditedChunk, ReadHeads, TagEdits};
pub use error::QuestionError;
pub use event::{
    Event, EventGame, EventOptions, EventQuery, EventRow, MatchRow, NothingFinder, PairingRow, StandingRow, TieBreak,
};
pub use expression::Expression;
pub use game::{DateParts, FoundGame, date_parts};
pub use merge::{SortKey, SortValue};
pub use openings::{BranchRow, OpeningFinder, OpeningLine, Openings, OpeningsQuery, TreeRow};
pub use scan::{Finder, FoundBy, Needs, Query, Scan, ScannedChunk};
pub use search::{BoardFinder, BoardQuestion, Question};
pub use stats::{
    CodeRow, CountRow, DiagnosticsRow, LengthRow, MoveCounter, MoveCounts, OpeningRow, PlayerRow, ResultsRow, Stats,
    StatsQuery, StatsRow,
};
