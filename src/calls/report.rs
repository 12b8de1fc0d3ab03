//! Records as a page.

use crate::annotate::add_sentences;
use crate::error::Result;
use crate::records::GameRow;
use crate::report::{PageBlocks, PageWork, ReportOptions, ReportPage};
use serde_json::json;

use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Session, Sink, Walk};

pub(super) fn report(reading: Reading, options: CallOptions) -> Result<Box<dyn Session>> {
    let options: ReportOptions = options.rest()?;
    let page = ReportPage::new(options.lang);
    reading.out.output(page.start().as_bytes())?;
    let complete = move |row: &mut GameRow<'_>| add_sentences(row, options.lang, options.shots);
    Walk::new(reading, PageWork::new(options.lang, complete), Page { report: page, errors: 0 })
}

struct Page {
    report: ReportPage,
    errors: u64,
}

impl Sink<PageBlocks> for Page {
    fn take(&mut self, done: PageBlocks, out: &Out) -> Result<()> {
        self.errors += done.summary.errors();
        done.games.iter().try_for_each(|game| out.output(self.report.add(game).as_bytes()))
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        out.output(self.report.end().as_bytes())?;
        out.result(&json!({ "errors": self.errors }))
    }
}
