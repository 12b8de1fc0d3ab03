//! Records as tables in Parquet.

use std::io::{IsTerminal as _, stdout};

use super::{Options, status};
use crate::check::Checking;
use crate::cli::context::{Context, Status, Step};
use crate::error::{Error, Result};
use crate::export::{ParquetGames, ParquetOutput};

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if !context.out.is_file() && stdout().is_terminal() {
        return Err(Error::usage("Parquet is not text: use -o FILE, or send the output to a file or a program"));
    }
    let table = options.table();
    let work = Checking::new(ParquetGames::new(table), context.check_options(&options.files));
    let mut output = ParquetOutput::new(table);
    context.read(&options.files, &work, |context, step| {
        let Step::Done(chunk) = step else { return Ok(()) };
        context.out.bytes(&output.add(chunk))
    })?;
    let status = status(output.summary(), context);
    context.out.bytes(&output.finish())?;
    Ok(status)
}
