//! What this program has for the work of pages: the chosen engine, databases, and tables of positions.

use super::tables::Tables;
use crate::annotate::AnalystPool;
use crate::calls::Host;
use crate::egdb::Databases;
use crate::engine::EngineOptions;
use crate::error::{Error, Result};
use crate::link::{EngineSpec, Timeouts};
use crate::query::Openings;
use crate::rules::{Position, Variant};
use crate::source::Input;

#[derive(Debug)]
pub(super) struct NativeHost {
    engine: Option<EngineSpec>,
    databases: Databases,
    tables: Option<Tables>,
}

impl NativeHost {
    pub(super) const fn new(engine: Option<EngineSpec>, databases: Databases, tables: Option<Tables>) -> Self {
        Self { engine, databases, tables }
    }
}

impl Host for NativeHost {
    fn analysts(&self, options: EngineOptions) -> Result<AnalystPool> {
        let Some(engine) = &self.engine else {
            return Ok(AnalystPool::built_in(options.with_databases(self.databases.clone())));
        };
        if let Some(own) = engine.options() {
            return Ok(AnalystPool::built_in(own.clone()));
        }
        let command = engine.command();
        let command =
            command.ok_or_else(|| Error::usage(format!("{engine} only plays games: it cannot annotate them")))?;
        AnalystPool::try_hub(command, Timeouts::default())
    }

    fn openings(&self, input: &Input, variant: Option<Variant>, root: &Position) -> Option<Openings> {
        self.tables.as_ref()?.of(input, variant)?.openings(root).ok()?
    }

    fn games(&self, input: &Input, variant: Option<Variant>, keys: &[u64]) -> Option<Vec<u32>> {
        self.tables.as_ref()?.of(input, variant)?.games(keys).ok()
    }
}
