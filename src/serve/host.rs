//! What this program has for the work of pages: the chosen engine, databases, and tables of positions.

use std::sync::{Arc, Mutex};

use super::tables::Tables;
use crate::annotate::EnginePool;
use crate::calls::Host;
use crate::egdb::Databases;
use crate::engine::{Asker, EngineOptions};
use crate::error::{Error, Result};
use crate::link::{EngineSpec, Timeouts};
use crate::query::Openings;
use crate::rules::{Position, Variant};
use crate::shared::lock;
use crate::source::Input;

#[derive(Debug)]
pub(super) struct NativeHost {
    engine: Option<EngineSpec>,
    databases: Databases,
    tables: Option<Tables>,
    /// The processes of another engine. They are kept, since a page asks for each game by itself.
    program: Mutex<Option<Arc<EnginePool>>>,
}

impl NativeHost {
    pub(super) const fn new(engine: Option<EngineSpec>, databases: Databases, tables: Option<Tables>) -> Self {
        Self { engine, databases, tables, program: Mutex::new(None) }
    }
}

impl Host for NativeHost {
    fn asker(&self) -> Asker {
        Asker::Guest
    }

    fn engines(&self, options: EngineOptions) -> Result<Arc<EnginePool>> {
        let Some(engine) = &self.engine else {
            return Ok(Arc::new(EnginePool::built_in(options.with_databases(self.databases.clone()))));
        };
        if let Some(own) = engine.options() {
            return Ok(Arc::new(EnginePool::built_in(own.clone())));
        }
        let command = engine.command();
        let command =
            command.ok_or_else(|| Error::usage(format!("{engine} only plays games: it cannot annotate them")))?;
        let mut program = lock(&self.program);
        if let Some(known) = program.as_ref().filter(|known| !known.is_abandoned()) {
            return Ok(Arc::clone(known));
        }
        let started = EnginePool::try_hub(command, Timeouts::default())?;
        Ok(Arc::clone(program.insert(Arc::new(started))))
    }

    fn openings(&self, input: &Input, variant: Option<Variant>, root: &Position, plies: usize) -> Option<Openings> {
        self.tables.as_ref()?.of(input, variant)?.openings(root, plies).ok()?
    }

    fn games(&self, input: &Input, variant: Option<Variant>, keys: &[u64]) -> Option<Vec<u32>> {
        self.tables.as_ref()?.of(input, variant)?.numbers(keys).ok()
    }
}
