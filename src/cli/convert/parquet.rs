//! Records as tables in Parquet.

use super::Options;
use crate::cli::context::{Context, Status};
use crate::diag::Severity;
use crate::error::Result;
use crate::export::{ParquetGames, ParquetOutput, Table};

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    context.out.refuse_terminal("Parquet is not text: use -o FILE, or send the output to a file or a program")?;
    let table = options.what.table.unwrap_or(Table::Games);
    let mut output = ParquetOutput::new(table);
    context.each(&options.files, ParquetGames::new(table), |context, chunk| context.out.bytes(&output.add(chunk)))?;
    let status = context.conclude(output.summary().diagnostics(Severity::Error));
    context.out.bytes(&output.finish())?;
    Ok(status)
}
