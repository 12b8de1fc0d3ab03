//! Records as text: converted, and in canonical form.

use std::sync::Arc;

use crate::canon::FormatOptions;
use crate::diag::Severity;
use crate::error::Result;
#[cfg(feature = "parquet")]
use crate::export::Table;
use crate::export::{Conversion, ConvertOptions, ConvertedText, Formatted, FormattedOutput, Formatting, TextOutput};
use serde_json::json;

use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Gathered, Session, Walk};

pub(super) fn convert(reading: Reading, options: CallOptions) -> Result<Box<dyn Session>> {
    let options: ConvertOptions = options.rest()?;
    #[cfg(feature = "parquet")]
    if let Some(to @ "parquet") = options.to.as_deref() {
        options.check(to)?;
        return super::parquet::convert(reading, options.table.unwrap_or(Table::Games));
    }
    let writer = options.known_writer()?;
    let output = TextOutput::new(Arc::clone(&writer));
    reading.out.output(&output.header())?;
    let add = |all: &mut TextOutput, done: ConvertedText, out: &Out| all.add(done, |bytes| out.output(bytes));
    let end = |all: TextOutput, out: &Out| {
        let errors = all.summary().diagnostics(Severity::Error);
        out.output(&all.finish())?;
        out.result(&json!({ "errors": errors }))
    };
    Walk::new(reading, Conversion::new(writer), Gathered::new(output, add, end))
}

pub(super) fn fmt(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let fix = options.take("fix")?.unwrap_or_default();
    let options: FormatOptions = options.rest()?;
    let work = Formatting::new(options);
    let add = |(output, errors): &mut (FormattedOutput, u64), done: Formatted, out: &Out| {
        *errors += done.errors;
        if !done.edits().is_empty() {
            out.send("edits", &done.edits())?;
        }
        out.output(output.gap(&done))?;
        out.output(done.text())
    };
    let end = |(_, errors): (FormattedOutput, u64), out: &Out| out.result(&json!({ "errors": errors }));
    Walk::new(reading, work.fixing(fix), Gathered::new((FormattedOutput::default(), 0), add, end))
}
