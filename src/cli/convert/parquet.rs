//! Records as tables in Parquet.

use std::io::{IsTerminal as _, stdout};

use super::{Options, status};
use crate::check::Checking;
use crate::cli::context::{Context, Status, Step};
use crate::error::{Error, Result};
use crate::export::{ParquetWriter, RowOutput, TableGames};

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if !context.out.is_file() && stdout().is_terminal() {
        return Err(Error::usage("Parquet is not text: use -o FILE, or send the output to a file or a program"));
    }
    let table = options.table();
    let work = Checking::new(TableGames::new(table), context.check_options(&options.files));
    let mut output = RowOutput::default();
    let mut writer = ParquetWriter::new(table);
    context.read(&options.files, &work, |context, step| {
        let Step::Done(chunk) = step else { return Ok(()) };
        output.add(chunk).map_or(Ok(()), |rows| context.out.bytes(&writer.add(rows)))
    })?;
    let status = status(output.summary(), context);
    context.out.bytes(&writer.add(output.finish(table)))?;
    context.out.bytes(&writer.finish())?;
    Ok(status)
}
