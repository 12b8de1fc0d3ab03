//! What a program has that a browser does not.

use std::fmt::Debug;
use std::sync::Arc;

use crate::annotate::EnginePool;
use crate::engine::{Asker, EngineOptions};
use crate::error::Result;
use crate::query::Openings;
use crate::rules::{Position, Variant};
use crate::source::Input;

/// What the program offers to the calls: its engines, and tables of the positions in records. Without a host, the built-in
/// engine annotates games, and all inputs are read.
pub trait Host: Debug + Send + Sync {
    /// Returns who asks for engines.
    fn asker(&self) -> Asker {
        Asker::Page
    }

    /// Returns engines that annotate games, perhaps those of earlier work; `options` are for the built-in one.
    ///
    /// # Errors
    ///
    /// If an engine cannot be started.
    fn engines(&self, options: EngineOptions) -> Result<Arc<EnginePool>> {
        Ok(Arc::new(EnginePool::built_in(options)))
    }

    /// Returns the tree with this number of plies from a position in the games of an input, which are all of the variant if one is
    /// given. `None` if the input has to be read.
    fn openings(&self, _input: &Input, _variant: Option<Variant>, _root: &Position, _plies: usize) -> Option<Openings> {
        None
    }

    /// Returns the numbers of the games, from 1 and in order, that have a position with one of these keys in their main line or
    /// variations. `None` if the input has to be read.
    fn games(&self, _input: &Input, _variant: Option<Variant>, _keys: &[u64]) -> Option<Vec<u32>> {
        None
    }
}
