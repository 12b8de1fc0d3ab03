//! Queries about many games: search, statistics, opening trees and tournaments.
//!
//! Each query is work for [`Checking`](crate::check::Checking), which passes it the games of files on many threads. Games
//! with plain moves are followed while they are read, without a tree; queries about tags do not play any moves.

mod compare;
mod dedupe;
mod duplicates;
mod event;
mod expression;
mod grammar;
mod identity;
#[cfg(feature = "serve")]
mod index;
mod merge;
mod openings;
mod play;
mod players;
mod prepare;
mod ratings;
mod search;
mod shots;
mod stats;

pub(crate) use compare::{TranscribedGame, common_games, differences};
pub(crate) use dedupe::{Documented, Duplicates};
pub use duplicates::{DuplicateIndex, IndexedGame};
pub use event::{
    EventGame, EventOptions, EventQuery, RankingOrder, Regulations, System, TieBreak, Tournament, TrfFile, TrfPlayer,
    TrfProblem, Unplayed,
};
pub use expression::Expression;
pub(crate) use expression::folded;
#[cfg(feature = "cli")]
pub(crate) use index::{GameFacts, INDEX_FILE, IndexWriter, IndexedFile, PositionIndex};
#[cfg(feature = "serve")]
pub(crate) use index::{GamePositions, PositionTable, PositionTableWriter};
pub use merge::{SortKey, SortValue};
pub(crate) use openings::OpeningsQuery;
pub use openings::{Openings, OpeningsOptions};
pub(crate) use play::{LeadRow, PlayQuery, PlayedGames, RATING_LIMIT, RATING_STEP};
pub(crate) use players::event_and_round;
pub use players::{NameCollection, NameKind, NameQuery, NamesFound};
pub use prepare::{Preparation, PreparationOptions, PreparationQuery};
pub use ratings::{PlayerResults, RatingsOptions, ResultsQuery};
#[cfg(any(feature = "cli", feature = "app-engine"))]
pub(crate) use search::position_keys;
pub use search::{BoardFinder, Question, SearchFormat, SearchOptions};
pub use shots::{GameShot, ShotQuestion, ShotRow};
pub(crate) use shots::{ShotQuery, ShotsOptions};
pub use stats::{Stats, StatsOptions, StatsQuery};
