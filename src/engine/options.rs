//! The configuration of an engine, and the features of its search that can be turned off to measure their contribution.

use std::fmt;
use std::str::FromStr;

use super::evaluation::Knowledge;
use super::table::Table;
use crate::egdb::Databases;
use crate::error::{Error, Result as CheckedResult};
use crate::options::setters;

/// Maximum number of search threads.
pub const MAX_THREADS: usize = 256;

/// Maximum number of lines of an analysis.
pub const MAX_LINES: usize = 100;

/// The one who asks for an engine, which decides how much memory it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Asker {
    /// The owner of the machine: at the command line, in a program or over the Hub protocol.
    Owner,
    /// A page that calls the module in its own browser.
    Page,
    /// Somebody who was let in by a server: several of them think at the same time.
    Guest,
}

impl Asker {
    /// Returns the maximum size of a transposition table, in megabytes (2²⁰ bytes).
    pub const fn max_hash_mb(self) -> usize {
        match self {
            Self::Owner => 65_536,
            // The memory of WebAssembly ends at 4 GiB, and games, weights and tables of endings need some of it.
            Self::Page => 1024,
            Self::Guest => 256,
        }
    }
}

/// The configuration of an [`Engine`](super::Engine).
///
/// # Examples
///
/// ```
/// use pdn::engine::{Engine, EngineOptions};
/// use pdn::rules::Variant;
///
/// let options = EngineOptions::default().with_hash_mb(16).with_threads(2);
/// let engine = Engine::with_options(Variant::INTERNATIONAL, options);
/// assert_eq!(engine.variant(), Variant::INTERNATIONAL);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineOptions {
    /// Maximum size of the transposition table in megabytes (2²⁰ bytes), at least one; the largest power of two within it
    /// is used.
    pub hash_mb: usize,
    /// Number of search threads, at least one; without the feature `parallel` always one.
    pub threads: usize,
    /// The features of the search in use.
    pub features: SearchFeatures,
    pub(crate) knowledge: Knowledge,
    databases: Databases,
}

impl EngineOptions {
    setters! {
        /// Sets the maximum size of the transposition table, in megabytes (2²⁰ bytes).
        with_hash_mb(hash_mb: usize);
        /// Sets the number of search threads.
        with_threads(threads: usize);
        /// Sets the features of the search in use.
        with_features(features: SearchFeatures);
        /// Sets the source of the evaluation.
        with_knowledge(knowledge: Knowledge);
        /// Sets the endgame databases.
        with_databases(databases: Databases);
    }

    /// Returns the default configuration with a size of the transposition table, in megabytes (2²⁰ bytes), and a number of search
    /// threads, as they were asked for.
    ///
    /// # Errors
    ///
    /// If one of them is not from 1 to its maximum, or the table does not fit into memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::engine::{Asker, EngineOptions};
    ///
    /// assert_eq!(EngineOptions::checked(256, 1, Asker::Guest)?.hash_mb, 256);
    /// let error = EngineOptions::checked(20_000, 1, Asker::Guest).unwrap_err();
    /// assert_eq!(error.to_string(), "invalid value `20000` for hash; expected a number from 1 to 256");
    /// # Ok::<(), pdn::Error>(())
    /// ```
    pub fn checked(hash_mb: usize, threads: usize, asker: Asker) -> CheckedResult<Self> {
        let hash_mb = up_to(asker.max_hash_mb(), "hash", hash_mb)?;
        let threads = up_to(MAX_THREADS, "threads", threads)?;
        let options = Self::default().with_hash_mb(hash_mb).with_threads(threads);
        Table::check(hash_mb)?;
        Ok(options)
    }

    /// Returns the endgame databases.
    pub(crate) fn databases(&self) -> Databases {
        self.databases.clone()
    }
}

/// Checks a number of lines that was asked for.
///
/// # Errors
///
/// If it is not from 1 to 100.
pub fn checked_lines(lines: usize) -> CheckedResult<usize> {
    up_to(MAX_LINES, "lines", lines)
}

fn up_to(maximum: usize, name: &str, value: usize) -> CheckedResult<usize> {
    let is_valid = (1..=maximum).contains(&value);
    let invalid = || Error::usage(format!("invalid value `{value}` for {name}; expected a number from 1 to {maximum}"));
    is_valid.then_some(value).ok_or_else(invalid)
}

impl Default for EngineOptions {
    /// Returns a configuration of 64 megabytes, one thread, all features and the databases in the program.
    fn default() -> Self {
        Self {
            // Larger tables miss the caches more often: with 256 MB, the search to depth 20 took 20 % longer than with
            // 16.
            hash_mb: 64,
            threads: 1,
            features: SearchFeatures::all(),
            knowledge: Knowledge::BuiltIn,
            databases: Databases::embedded(),
        }
    }
}

bitflags::bitflags! {
    /// A set of search features; by default all of them.
    ///
    /// As text, a set is a list of names joined by `+`.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::engine::SearchFeatures;
    ///
    /// let features: SearchFeatures = "probe+singular".parse()?;
    /// assert_eq!(features, SearchFeatures::PROBE | SearchFeatures::SINGULAR);
    /// assert_eq!(features.to_string(), "probe+singular");
    /// # Ok::<(), pdn::engine::UnknownFeature>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct SearchFeatures: u16 {
        /// `table`: the transposition table supplies scores and best moves of positions searched before.
        const TABLE = 1;
        /// `history`: quiet moves are ordered by the history heuristic.
        const HISTORY = 1 << 1;
        /// `aspiration`: iterations start with an aspiration window around the last score.
        const ASPIRATION = 1 << 2;
        /// `forced`: a position with a single legal move costs no depth.
        const FORCED = 1 << 3;
        /// `threats`: at the horizon, a side whose pieces are attacked may still reply.
        const THREATS = 1 << 4;
        /// `reductions`: moves late in the order are searched with reduced depth first.
        const REDUCTIONS = 1 << 5;
        /// `probe`: a shallow search may prove a beta cut-off (the idea of ProbCut).
        const PROBE = 1 << 6;
        /// `singular`: a move that is much better than all others is extended.
        const SINGULAR = 1 << 7;
        /// `futility`: near the horizon, the later moves of a side with a score far below the window are skipped, except,
        /// at depth 2, those after which the opponent can capture.
        const FUTILITY = 1 << 8;
        /// `reverse`: near the horizon, a quiet position is not searched if its evaluation is above the search window by a
        /// margin (reverse futility pruning).
        const REVERSE = 1 << 9;
        /// `shots`: at the horizon, sacrifices after which every reply is answered by a capture of more pieces are searched.
        const SHOTS = 1 << 10;
        /// `endgames`: endgame tables supply values and best lines.
        const ENDGAMES = 1 << 11;
    }
}

/// Returns the names of some features, in the order in which they build on each other.
fn names(features: SearchFeatures) -> impl Iterator<Item = (String, SearchFeatures)> {
    features.iter_names().map(|(name, feature)| (name.to_ascii_lowercase(), feature))
}

impl Default for SearchFeatures {
    fn default() -> Self {
        Self::all()
    }
}

impl fmt::Display for SearchFeatures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&names(*self).map(|(name, _)| name).collect::<Vec<_>>().join("+"))
    }
}

impl FromStr for SearchFeatures {
    type Err = UnknownFeature;

    fn from_str(text: &str) -> Result<Self, UnknownFeature> {
        let called = |name: &str| {
            let known = names(SearchFeatures::all()).find(|(known, _)| known == name);
            known.map(|(_, feature)| feature).ok_or_else(|| UnknownFeature(name.to_owned()))
        };
        // An empty text is one empty name and so an error: a missing value must not turn every feature off.
        text.split('+').map(called).collect()
    }
}

/// The error for a name that is not a search feature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown search feature `{0}`; expected one of {names}", names = names(SearchFeatures::all()).map(|(name, _)| name).collect::<Vec<_>>().join(", "))]
pub struct UnknownFeature(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_survive_their_text() {
        for features in [SearchFeatures::all(), SearchFeatures::PROBE, SearchFeatures::TABLE | SearchFeatures::SINGULAR]
        {
            assert_eq!(features.to_string().parse(), Ok(features));
        }
    }

    #[test]
    fn unknown_features_are_errors() {
        for names in ["", "probe+null-move", "probe+"] {
            assert!(names.parse::<SearchFeatures>().is_err(), "{names}");
        }
        let error = "probe+null-move".parse::<SearchFeatures>().unwrap_err();
        assert!(error.to_string().contains("`null-move`"), "{error}");
    }
}
