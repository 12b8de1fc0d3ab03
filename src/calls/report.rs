//! Records as a page.

use crate::annotate::add_sentences;
use crate::diag::Severity;
use crate::error::Result;
use crate::records::GameRow;
use crate::report::{PageBlocks, PageWork, ReportOptions, ReportPage};
use serde_json::json;

use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Gathered, Session, Walk};

pub(super) fn report(reading: Reading, options: CallOptions) -> Result<Box<dyn Session>> {
    let options: ReportOptions = options.rest()?;
    let page = ReportPage::new(options.lang);
    reading.out.output(page.start().as_bytes())?;
    let complete = move |row: &mut GameRow<'_>| add_sentences(row, options.lang, options.shots);
    let add = |(page, errors): &mut (ReportPage, u64), done: PageBlocks, out: &Out| {
        *errors += done.summary.diagnostics(Severity::Error);
        done.games.iter().try_for_each(|game| out.output(page.add(game).as_bytes()))
    };
    let end = |(page, errors): (ReportPage, u64), out: &Out| {
        out.output(page.end().as_bytes())?;
        out.result(&json!({ "errors": errors }))
    };
    Walk::new(reading, PageWork::new(options.lang, complete), Gathered::new((page, 0), add, end))
}
