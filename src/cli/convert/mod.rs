//! `pdn convert`: records into other formats.

#[cfg(feature = "parquet")]
mod parquet;

use std::sync::Arc;

use clap::Args;

use super::context::{Context, Remarks, Status};
use super::options::Files;
use super::words::counted;
use crate::diag::Severity;
use crate::error::{Error, Result};
use crate::export::{Conversion, ConvertOptions, Excel, TextOutput};

/// Convert records to CSV, XLSX, JSON, PDN, FEN or Parquet
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn convert games.pdn -o games.jsonl
  pdn convert --to csv --table moves archive/
  pdn convert --to csv --table players annotated.pdn
  pdn convert --table positions archive/ -o positions.parquet
  pdn convert archive/ -o games.xlsx

Games from a pipe are written as soon as they are complete, that is, when the next game begins. Without a GameType or --variant, a game \
waits until its variant is inferred from the first MiB of the input, or from all of a smaller input.

Without --to, the name of the output file determines the format: .csv, .xlsx, .json, .jsonl, .pdn, .fen or .parquet.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    pub(super) what: ConvertOptions,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let unknown = "the format is unknown: use --to, or -o with a name that ends in .csv, .xlsx, .json, .jsonl, .pdn, .lidraughts, .fen or \
                   .parquet";
    // The name of the output file is the default of the option.
    let name = options.what.to.clone().ok_or_else(|| Error::usage(unknown))?;
    let what =
        ConvertOptions { to: Some(name.clone()), excel: options.what.excel.map(Excel::of_this_system), ..options.what };
    let Some(writer) = what.writer() else { return parquet(options, context) };
    if name == "xlsx" {
        context.out.refuse_terminal("XLSX is not text: use -o FILE, or send the output to a file or a program")?;
    }
    if let Some(table) = what.table.filter(|_| !ConvertOptions::has_tables(&name)) {
        context.inform(&format!("--table {} has no effect: {name} has no tables", table.name()));
    }
    context.remarks = Remarks::of_records(name == "pdn");
    let (mut output, cuts) = (TextOutput::new(Arc::clone(&writer)), Arc::clone(&writer));
    context.out.bytes(&output.header())?;
    context.each(&options.files, Conversion::new(writer), |context, chunk| {
        output.add(chunk, |text| context.out.bytes(text))
    })?;
    let status = context.conclude(output.summary().diagnostics(Severity::Error));
    context.out.bytes(&output.finish())?;
    inform_of_cut_texts(cuts.cut_texts(), context);
    Ok(status)
}

/// Says how many texts are too long for the cells of a spreadsheet.
pub(super) fn inform_of_cut_texts(texts: u64, context: &Context) {
    if texts > 0 {
        let texts = counted(texts, "text was", "texts were");
        context.inform(&format!("{texts} cut: a cell of a spreadsheet holds 32,767 characters"));
    }
}

#[cfg(feature = "parquet")]
use parquet::run as parquet;

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Options, _: &mut Context) -> Result<Status> {
    Err(super::failure::lacks_feature("write Parquet", "parquet"))
}
