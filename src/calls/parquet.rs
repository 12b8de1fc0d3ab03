//! Records as tables in Parquet.

use serde_json::json;

use super::options::Reading;
use super::outlet::Out;
use super::session::{Session, Sink, Walk};
use crate::error::Result;
use crate::export::{ParquetChunk, ParquetGames, ParquetOutput, Table};

pub(super) fn convert(reading: Reading, table: Table) -> Result<Box<dyn Session>> {
    Walk::new(reading, ParquetGames::new(table), Converted(Some(ParquetOutput::new(table))))
}

struct Converted(Option<ParquetOutput>);

impl Sink<ParquetChunk> for Converted {
    fn take(&mut self, done: ParquetChunk, out: &Out) -> Result<()> {
        self.0.as_mut().map_or(Ok(()), |output| out.output(&output.add(done)))
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        let Some(output) = self.0.take() else { return Ok(()) };
        let errors = output.summary().errors();
        out.output(&output.finish())?;
        out.result(&json!({ "errors": errors }))
    }
}
