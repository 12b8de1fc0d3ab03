//! Draughts game records in Portable Draughts Notation: reading, checking, converting and annotating them.
//!
//! # Read a file
//!
//! An [`Input`](source::Input) is a file or standard input, compressed or not, in chunks of whole games;
//! [`games`] returns the games in a chunk as trees, however malformed they are.
//!
//! ```
//! use pdn::games;
//! use pdn::source::{ChunkOptions, Input};
//!
//! for chunk in Input::file("samples/games/international.pdn").chunks(&ChunkOptions::default())? {
//!     for game in games(chunk?.bytes()) {
//!         println!("{:?}: {} moves", game.tree().tag("White"), game.tree().written_moves());
//!     }
//! }
//! # Ok::<(), pdn::Error>(())
//! ```
//!
//! # Check it
//!
//! A [`Review`](check::Review) is a game replayed by the rules of its variant, with all diagnostics.
//!
//! ```
//! use pdn::check::{CheckOptions, file_reviews};
//!
//! for review in file_reviews("samples/diagnostics/move-illegal.pdn", CheckOptions::default())? {
//!     let review = review?;
//!     for diagnostic in review.diagnostics() {
//!         println!("game {}: {diagnostic}", review.number());
//!     }
//!     assert!(review.has_errors());
//! }
//! # Ok::<(), pdn::Error>(())
//! ```
//!
//! # List legal moves
//!
//! ```
//! use pdn::rules::{Position, Variant};
//!
//! let position = Position::from_fen(Variant::INTERNATIONAL, "W:W31,32:B19,20")?;
//! let moves: Vec<_> = position.legal_moves().iter().map(|played| position.short(played)).collect();
//! assert_eq!(moves, ["31-26", "31-27", "32-27", "32-28"]);
//! # Ok::<(), pdn::ParseError>(())
//! ```
//!
//! # Analyse a position
//!
//! With the feature `engine`:
//!
#![cfg_attr(feature = "engine", doc = "```")]
#![cfg_attr(not(feature = "engine"), doc = "```ignore")]
//! use pdn::engine::{Engine, Limit};
//! use pdn::rules::{Position, Variant};
//!
//! let position = Position::start(Variant::BRAZILIAN);
//! let analysis = Engine::new(Variant::BRAZILIAN).analyse(&position, Limit::depth(8));
//! let best = analysis.best_move().expect("the starting position has legal moves");
//! println!("{} ({} in {} plies)", position.short(&best), analysis.score(), analysis.depth());
//! ```
//!
//! # Convert a game
//!
//! ```
//! use pdn::check::{CheckOptions, reviews};
//! use pdn::export::{write_json_line, write_pdn};
//! use pdn::records::{Origin, game_row};
//!
//! let mut json = Vec::new();
//! for review in reviews(b"1.32-28 19-23 2.28x19 14x23", CheckOptions::default()) {
//!     assert_eq!(write_pdn(review.game()), "1. 32-28 19-23 2. 28x19 14x23 *\n\n");
//!     let origin = Origin { file: "-", game: review.number(), offset: 0 };
//!     write_json_line(&mut json, &game_row(&review, origin, Vec::new()));
//! }
//! assert!(json.starts_with(b"{\"schema\":"));
//! ```
//!
//! # Modules and features
//!
//! Data flows in one direction: bytes ([`source`]) → game trees ([`GameTree`], [`import`]) → replayed games ([`replay`]) → reviews
//! ([`check`]) → plain rows ([`records`]) and canonical form ([`canon`]) → CSV, JSON, SARIF and PDN ([`export`]). Edits of a game in its
//! bytes, and games in memory that are made and changed, are in [`edit`]. The rules of
//! every variant are in [`rules`], and their notation in [`notation`]; combinations in lines of moves are in [`shots`]; [`diag`]
//! defines the diagnostics. Endgame databases are in [`egdb`], and boards as text and SVG in [`report`].
//!
//! Everything else is a feature:
//!
//! * `engine`: the search, in `engine`.
//! * `annotate`: evaluations and judgements of games, in `annotate`; includes `engine`.
//! * `link`: external engines, in `link`; includes `engine`.
//! * `arena`: matches and training, in `arena`; includes `link`.
//! * `tables`: endgame databases of five variants, built in.
//! * `weights`: the learned evaluations of six variants, built in; without them, the search is weak.
//! * `app`: the calls of the browser application, in `calls`; `app-engine` adds those that search, analyse and annotate.
//! * `serve`: the application over HTTP, at native speed, in `serve`.
//! * `query`: search, statistics, opening trees and tournaments, in `query`.
//! * `report`: games as HTML pages, in [`report`].
//! * `compression`: files compressed with gzip, zstd, bzip2 and xz.
//! * `zip`: records in ZIP archives.
//! * `parallel`: work on several threads.
//! * `toml`: house rules in TOML files.
//! * `arrow`, `parquet`, `png`: record batches of Apache Arrow, Parquet files, and pictures.
//! * `cli` (default): the command line, with everything above except these four formats.
//! * `full`: everything.
//!
//! Except for `arena`, `cli`, `link` and `serve`, the crate compiles for `wasm32-unknown-unknown`. It does not read a clock
//! unless time is limited, start threads unless more than one is requested, or open any files except those it is given.

// What a room offers to another one is unused without that other one; the command line uses all rooms.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[cfg(feature = "annotate")]
pub mod annotate;
#[cfg(feature = "arena")]
pub mod arena;
pub mod board;
#[cfg(feature = "app")]
pub mod calls;
pub mod canon;
pub mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod diag;
pub mod edit;
pub mod egdb;
#[cfg(feature = "engine")]
pub mod engine;
mod error;
pub mod export;
pub mod import;
#[cfg(any(feature = "annotate", feature = "arena"))]
mod journal;
#[cfg(feature = "engine")]
pub mod link;
pub mod notation;
mod options;
mod pdn;
mod pool;
#[cfg(feature = "query")]
pub mod query;
pub mod records;
pub mod replay;
pub mod report;
pub mod rules;
#[cfg(feature = "serve")]
pub mod serve;
#[doc(hidden)]
pub mod shared;
pub mod shots;
pub mod source;
#[cfg(any(feature = "arena", feature = "query"))]
mod strengths;
pub mod text;

pub use crate::pdn::{
    Attachment, Command, Evaluation, Fault, Flow, GameTree, Games, Line, LineId, MAX_EXPORT_DEPTH, MAX_ITEMS, Mark,
    MoveText, Node, NodeId, NodeKind, Outside, Parsed, ROSTER, RawTag, SideClock, Tag, Time, Visitor, WriteOptions,
    WrittenNumber, WrittenSquare, games, parse_commands, read, text_without_commands, visit_games, write_game,
};
pub use error::{Error, ErrorKind, ParseError, Result};
