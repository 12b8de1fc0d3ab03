//! `pdn check`: validates records.

pub(super) mod duplicates;
mod explain;
mod report;
mod shown;
mod summary;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use super::config::Settings;
use super::context::{Context, Remarks, Status, Step};
use super::file_settings::Checks;
use super::options::{ADVANCED, Csv, Endgames, Files, Format, codes, formats};
use super::output::Output;
use crate::check::{Baseline, Checking, DiagnosticOptions, Summary};
use crate::diag::{Code, Selection, Severity};
use crate::error::{Error, Result};
use crate::export::{LastLine, SEPARATOR, Table, csv_header, sarif_footer, sarif_header};
use crate::notation::DateOrder;
use crate::query::DuplicateIndex;
use crate::source::Input;
use duplicates::Inputs;
use report::{Checker, FileRules};
use shown::{Limits, Shown};

/// Maximum number of diagnostics shown per code and file.
const PER_CODE: u64 = 5;

/// Validate records: syntax, tags, moves, positions, results, draws
///
/// The human format shows the first few diagnostics of each code in a file and counts the rest; the other formats contain
/// all diagnostics.
#[derive(Debug, Args)]
#[command(mut_arg("paths", |paths| paths.required_unless_present("explain")))]
#[command(after_help = "\
CODES are codes or groups of codes, such as move/illegal or draw, separated by commas; a code takes precedence over its group.

Examples:
  pdn check games.pdn
  pdn check --format json --strict archive/ -
  pdn check --ignore draw,tag/date --deny result archive/
  pdn check --write-baseline known.json archive/
  pdn check --baseline known.json archive/
  pdn check --duplicates --format sarif archive/ -o diagnostics.sarif
  pdn check --explain move/illegal
  pdn check --lang nl games.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    choice: DiagnosticOptions,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = formats(FORMATS), display_order = 1)]
    format: Format,
    #[command(flatten)]
    amount: Amount,
    #[command(flatten)]
    csv: Csv,
    /// Hide the diagnostics recorded in FILE by --write-baseline, even if other parts of a record have changed
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline", help_heading = ADVANCED)]
    baseline: Option<PathBuf>,
    /// Record all diagnostics in FILE, to be hidden by --baseline, and show none
    #[arg(long, value_name = "FILE", help_heading = ADVANCED)]
    pub(super) write_baseline: Option<PathBuf>,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    /// Report games with the same moves as another game, and games that are the beginning of another game
    #[arg(long)]
    duplicates: bool,
    /// What comes first in dates such as 05/06/1999, whose messages then give the date
    #[arg(long, value_name = "ORDER", help_heading = ADVANCED)]
    date_order: Option<DateOrder>,
    /// Explain a diagnostic code, with an example
    #[arg(long, value_name = "CODE", conflicts_with_all = ["paths", "list"], value_parser = codes(), hide_possible_values = true)]
    explain: Option<Code>,
}

/// How much is shown.
#[derive(Debug, Args)]
struct Amount {
    /// Show at most N diagnostics
    #[arg(long, value_name = "N", alias = "max-errors", help_heading = ADVANCED)]
    max_diagnostics: Option<u64>,
    /// Show all diagnostics, not just the first few of each code in a file
    #[arg(long)]
    all: bool,
    /// Show the number of diagnostics per code instead of the diagnostics
    #[arg(long)]
    statistics: bool,
}

/// What `check` can write.
const FORMATS: [(Format, &str); 5] = [
    (Format::Human, "Text with the lines of the record"),
    (Format::Json, "One JSON object per diagnostic, and a summary"),
    (Format::Csv, "A table of the diagnostics, as `pdn convert --table diagnostics` writes it"),
    (Format::Sarif, "A SARIF 2.1.0 log"),
    (Format::Github, "Workflow commands, which annotate a pull request on GitHub"),
];

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if let Some(code) = options.explain {
        return context.out.text(&explain::explain(code, options.choice.lang)).map(Into::into);
    }
    if options.amount.statistics && matches!(options.format, Format::Csv | Format::Sarif | Format::Github) {
        return Err(Error::usage("--statistics needs --format human or json"));
    }
    let clock = Instant::now();
    context.remarks = Remarks::Nothing;
    let mut inputs = options.duplicates.then(|| Inputs::new(&options.files, context)).transpose()?;
    let index = inputs.as_ref().map(|inputs| duplicates::index(inputs, &options.files, context)).transpose()?;
    let found = match &mut inputs {
        Some(inputs) => std::mem::take(&mut inputs.inputs),
        None => context.inputs(&options.files)?,
    };
    let given = options.given_baseline()?;
    let checker = options.checker(given.as_ref(), index, context)?;
    let shown = check(found, options, checker, context)?;
    if let Some(baseline) = given.filter(|baseline| baseline.is_to_write()) {
        let text = Baseline::text(shown.seen())?;
        Output::write(Some(baseline.path()), text)?;
    }
    let mut summary = shown.summary;
    summary.set_time(clock.elapsed());
    finish(options, &shown, &summary, context)?;
    Ok(Status::with_errors(summary.diagnostics(Severity::Error) > 0))
}

impl Options {
    /// Returns the baseline that the options name for all files.
    fn given_baseline(&self) -> Result<Option<Arc<Baseline>>> {
        let written = self.write_baseline.as_deref().map(Baseline::to_write).transpose()?;
        let read = || self.baseline.as_deref().map(Baseline::read).transpose();
        Ok(written.map_or_else(read, |baseline| Ok(Some(baseline)))?.map(Arc::new))
    }

    fn checker(
        &self,
        baseline: Option<&Arc<Baseline>>,
        index: Option<DuplicateIndex>,
        context: &Context,
    ) -> Result<Checker> {
        let files = context.finder.all();
        let rules = files.iter().map(|file| self.rules(&file.settings, baseline, context)).collect::<Result<_>>()?;
        let (strict, date_order) = (Some(self.choice.strict), self.date_order);
        let checks = Checks { strict, date_order, ..context.check_options(&self.files) };
        let (format, paint, language) = (self.format, context.paint, self.choice.lang);
        let csv = self.csv.options();
        Ok(Checker { format, csv, paint, language, per_code: self.per_code(), index, checks, rules })
    }

    /// Returns the rules by which files with these settings are checked.
    fn rules(&self, settings: &Settings, baseline: Option<&Arc<Baseline>>, context: &Context) -> Result<FileRules> {
        let own = || settings.baseline.as_deref().map(Baseline::read).transpose().map(|found| found.map(Arc::new));
        let choice = &self.choice;
        Ok(FileRules {
            selection: Selection::new(
                given_or(&choice.select, &settings.select),
                given_or(&choice.ignore, &settings.ignore),
                given_or(&choice.deny, &settings.deny),
            ),
            required_tags: given_or(&choice.require_tags, &settings.require_tags).to_vec(),
            least: self.least(settings, context),
            baseline: baseline.map_or_else(own, |given| Ok(Some(Arc::clone(given))))?,
        })
    }

    /// The least severity to show or to write to a baseline.
    fn least(&self, settings: &Settings, context: &Context) -> Severity {
        let default = if context.quiet && self.format == Format::Human { Severity::Warning } else { Severity::Note };
        match self.write_baseline {
            Some(_) => Severity::Note,
            None => self.choice.severity.or(settings.severity).unwrap_or(default),
        }
    }

    /// Maximum number of diagnostics shown per code and file.
    fn per_code(&self) -> u64 {
        match self.amount {
            Amount { statistics: true, .. } => 0,
            Amount { all: false, .. } if self.format == Format::Human => PER_CODE,
            _ => u64::MAX,
        }
    }
}

/// Returns the values of an option, or else those of the setting of the same name.
fn given_or<'a, T>(given: &'a [T], set: &'a [T]) -> &'a [T] {
    if given.is_empty() { set } else { given }
}

/// Checks all inputs and writes their diagnostics.
fn check(inputs: Vec<Result<Input>>, options: &Options, checker: Checker, context: &mut Context) -> Result<Shown> {
    let limits = Limits { per_code: checker.per_code, total: options.amount.max_diagnostics.unwrap_or(u64::MAX) };
    let checks = checker.checks.clone();
    let work = Checking::by_input(checker, checks);
    let mut shown = Shown::new(limits, context.paint, options.choice.lang);
    match options.format {
        Format::Sarif => context.out.bytes(&sarif_header())?,
        Format::Csv => context.out.bytes(&csv_header(Table::Diagnostics, options.csv.options()))?,
        _ => {}
    }
    let lines_shown = options.format == Format::Human && !options.amount.statistics;
    let mut begun = options.format != Format::Sarif;
    context.read(inputs, &options.files, &work, |context, step| match step {
        Step::Begin(label) => {
            let lines = shown.begin(&label);
            context.out.text(if lines_shown { &lines } else { "" })
        }
        Step::Done(report) => {
            let text = shown.chunk(&report);
            // In SARIF, each report begins with the separator, which the first result of the log must not have.
            let separator = if begun { 0 } else { SEPARATOR.len().min(text.len()) };
            begun |= !text.is_empty();
            context.out.bytes(&text[separator..])
        }
    })?;
    let lines = shown.end_file();
    if lines_shown {
        context.out.text(&lines)?;
        context.out.text(&shown.rest())?;
    }
    Ok(shown)
}

/// Writes the statistics, if they are requested, and the summary.
fn finish(options: &Options, shown: &Shown, summary: &Summary, context: &mut Context) -> Result<()> {
    match options.format {
        Format::Json => {
            if options.amount.statistics {
                shown.statistics.rows().iter().try_for_each(|row| context.json(row))?;
            }
            context.json(&LastLine { summary })
        }
        Format::Sarif => context.out.bytes(sarif_footer()),
        Format::Csv => Ok(()),
        _ => {
            let statistics = if options.amount.statistics { shown.statistics.table() } else { String::new() };
            context.out.text(&(statistics + &shown.first_error() + &summary::human(summary, shown.hidden)))
        }
    }
}
