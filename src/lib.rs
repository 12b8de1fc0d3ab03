//! Draughts game records: reading, checking, converting and annotating them.
//!
//! The data goes one way: bytes ([`source`]) → game trees ([`pdn`]) → replayed games ([`replay`]) → annotations
//! ([`annotate`]) → plain rows ([`records`]) → CSV, JSON and PDN ([`export`]). The rules of every variant stand in
//! [`rules`], their texts in [`notation`], and the search in [`engine`]; [`link`]
//! lets it work with other programs, [`arena`] plays matches.

#[cfg(feature = "engine")]
pub mod annotate;
#[cfg(feature = "engine")]
pub mod arena;
pub mod board;
pub mod canon;
pub mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod diag;
#[cfg(feature = "engine")]
pub mod engine;
mod error;
pub mod export;
#[cfg(feature = "engine")]
mod journal;
#[cfg(feature = "engine")]
pub mod link;
pub mod notation;
pub mod pdn;
pub mod records;
pub mod replay;
pub mod report;
pub mod rules;
pub mod source;
pub mod text;

pub use error::{Error, ErrorKind, Result};
