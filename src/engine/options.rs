//! How an engine is configured.

use super::evaluation::Knowledge;
use super::features::SearchFeatures;
use super::table::{Table, TableError};
use crate::egdb::Databases;

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
    /// Number of search threads, at least one.
    pub threads: usize,
    /// The features of the search in use.
    pub features: SearchFeatures,
    pub(super) knowledge: Knowledge,
    databases: Databases,
}

impl EngineOptions {
    /// Sets the maximum size of the transposition table, in megabytes (2²⁰ bytes).
    #[must_use]
    pub fn with_hash_mb(self, hash_mb: usize) -> Self {
        Self { hash_mb, ..self }
    }

    /// Sets the number of search threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the features of the search in use.
    #[must_use]
    pub fn with_features(self, features: SearchFeatures) -> Self {
        Self { features, ..self }
    }

    /// Returns where the evaluation comes from.
    pub const fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Sets where the evaluation comes from.
    #[must_use]
    pub fn with_knowledge(self, knowledge: Knowledge) -> Self {
        Self { knowledge, ..self }
    }

    /// Returns the endgame databases.
    pub const fn databases(&self) -> Databases {
        self.databases
    }

    /// Sets the endgame databases.
    #[must_use]
    pub fn with_databases(self, databases: Databases) -> Self {
        Self { databases, ..self }
    }

    /// Checks that there is memory for the transposition table, without using it.
    ///
    /// # Errors
    ///
    /// If the table does not fit into memory.
    pub fn check_memory(&self) -> Result<(), TableError> {
        Table::check(self.hash_mb)
    }
}

impl Default for EngineOptions {
    /// Returns a configuration of 64 megabytes, one thread, all features and the databases in the program.
    fn default() -> Self {
        Self {
            hash_mb: 64,
            threads: 1,
            features: SearchFeatures::all(),
            knowledge: Knowledge::BuiltIn,
            databases: Databases::embedded(),
        }
    }
}
