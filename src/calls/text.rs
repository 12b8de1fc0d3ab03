//! Records as text: converted, and in canonical form.

use std::sync::Arc;

use crate::canon::FormatOptions;
use crate::check::CheckOptions;
use crate::error::Result;
#[cfg(feature = "parquet")]
use crate::export::Table;
use crate::export::{Conversion, ConvertOptions, ConvertedText, Formatted, FormattedOutput, Formatting, TextOutput};
use serde_json::json;

use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Session, Sink, Walk};

pub(super) fn convert(reading: Reading, options: CallOptions) -> Result<Box<dyn Session>> {
    let options: ConvertOptions = options.rest()?;
    #[cfg(feature = "parquet")]
    if options.to.as_deref() == Some("parquet") {
        return super::parquet::convert(reading, options.table.unwrap_or(Table::Games));
    }
    let writer = options.known_writer()?;
    let output = TextOutput::new(Arc::clone(&writer));
    reading.out.output(&output.header())?;
    Walk::new(reading, Conversion::new(writer), Converted(Some(output)))
}

struct Converted(Option<TextOutput>);

impl Sink<ConvertedText> for Converted {
    fn take(&mut self, done: ConvertedText, out: &Out) -> Result<()> {
        self.0.as_mut().map_or(Ok(()), |output| output.add(done, |bytes| out.output(bytes)))
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        let Some(output) = self.0.take() else { return Ok(()) };
        let errors = output.summary().errors();
        out.output(&output.finish())?;
        out.result(&json!({ "errors": errors }))
    }
}

pub(super) fn fmt(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let fix = options.take("fix")?.unwrap_or_default();
    let mut options: FormatOptions = options.rest()?;
    // The command line refuses smaller widths.
    options.width = options.width.max(20);
    let work: Formatting<FormatOptions, CheckOptions> = Formatting::new(options, reading.checks.clone());
    Walk::new(reading, work.fixing(fix), Canonical::default())
}

#[derive(Default)]
struct Canonical {
    output: FormattedOutput,
    errors: u64,
}

impl Sink<Formatted> for Canonical {
    fn take(&mut self, done: Formatted, out: &Out) -> Result<()> {
        self.errors += done.errors();
        if !done.edits().is_empty() {
            out.send("edits", &done.edits())?;
        }
        out.output(self.output.gap(&done))?;
        out.output(done.text())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        out.result(&json!({ "errors": self.errors }))
    }
}
