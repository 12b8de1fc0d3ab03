//! Records as tables in Parquet.

use serde_json::json;

use super::options::Reading;
use super::outlet::Out;
use super::session::{Gathered, Session, Walk};
use crate::diag::Severity;
use crate::error::Result;
use crate::export::{ParquetChunk, ParquetGames, ParquetOutput, Table};

pub(super) fn convert(reading: Reading, table: Table) -> Result<Box<dyn Session>> {
    let add = |all: &mut ParquetOutput, done: ParquetChunk, out: &Out| out.output(&all.add(done));
    let end = |all: ParquetOutput, out: &Out| {
        let errors = all.summary().diagnostics(Severity::Error);
        out.output(&all.finish())?;
        out.result(&json!({ "errors": errors }))
    };
    Walk::new(reading, ParquetGames::new(table), Gathered::new(ParquetOutput::new(table), add, end))
}
