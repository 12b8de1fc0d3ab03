//! Formats files in order: to the output, in place, or only to compare them.

use super::Options;
use super::diff::UnifiedDiff;
use crate::canon::FormatOptions;
use crate::check::Checking;
use crate::cli::context::{Context, Status, Step, Unsure};
use crate::cli::file_settings::Checks;
use crate::cli::output::Output;
use crate::cli::words;
use crate::error::{Error, Result};
use crate::export::{Formatted, FormattedOutput, Formatting, InputFormat, cannot_replace};
use crate::source::Input;
use crate::text::{Format, printable};

/// The state of a run.
#[derive(Clone, Copy, Default)]
struct Tally {
    errors: u64,
    undecided: u64,
    /// Number of files that changed, or would.
    changed: u64,
    output: FormattedOutput,
}

/// How games are written, according to the options and the settings of their input.
struct Formats {
    /// How they are written; without a style of results, it comes from the settings of the input.
    options: FormatOptions,
    checks: Checks,
}

impl InputFormat for Formats {
    fn of(&self, input: &Input) -> FormatOptions {
        let style = || self.checks.settings(input).settings.result_style;
        FormatOptions { result_style: self.options.result_style.or_else(style), ..self.options.clone() }
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let inputs = context.inputs(&options.files)?;
    let checks = Checks { date_order: options.date_order, ..context.check_options(&options.files) };
    let format = Formats { options: options.format.clone(), checks: checks.clone() };
    let compare = options.check || options.diff || options.write;
    let formatting = Formatting::new(format).fixing(options.fix).comparing(compare);
    let work = Checking::by_input(formatting, checks);
    let mut run = Run { options, work: &work, context, tally: Tally::default() };
    let mut any = false;
    for input in inputs {
        any |= run.file(input)?;
    }
    if !any {
        run.context.out.discard();
    }
    Ok(run.conclude())
}

/// Formats files in turn.
struct Run<'a> {
    options: &'a Options,
    work: &'a Checking<Formatting<Formats>>,
    context: &'a mut Context,
    tally: Tally,
}

/// The result of formatting one file.
struct Walk {
    /// True if anything could be read.
    any: bool,
    /// True if everything could be read, and the canonical form differs.
    changes: bool,
    unsure: Option<Unsure>,
}

impl Run<'_> {
    /// Formats a file according to the options. Returns true if any of it could be read.
    fn file(&mut self, input: Result<Input>) -> Result<bool> {
        match input {
            Ok(input) if self.options.check => self.check(input),
            Ok(input) if self.options.diff => self.diff(input),
            Ok(input) if self.options.write => self.replace(input),
            input => self.print(input),
        }
    }

    /// Reports the numbers of changes and errors, and returns the status.
    fn conclude(&self) -> Status {
        let Options { check, diff, write, .. } = self.options;
        let Tally { errors, undecided, changed, .. } = self.tally;
        if changed > 0 && *write {
            self.context.inform(&format!("{} rewritten", words::count(changed, "file")));
        }
        let status = self.context.conclude(errors);
        if undecided > 0 {
            let games =
                words::counted(undecided, "game keeps its squares and gets", "games keep their squares and get");
            self.context.inform(&format!("{games} no GameType: no variant alone plays the whole game; see --variant"));
        }
        status.max(Status::with_errors((*check || *diff) && changed > 0))
    }

    /// Writes a file to the output, after those before it.
    fn print(&mut self, input: Result<Input>) -> Result<bool> {
        let Self { options, work, context, tally } = self;
        let read = context.read_inputs(vec![input], &options.files, *work, |context, step| {
            let Step::Done(done) = step else { return Ok(()) };
            tally.count(&done, context);
            context.out.bytes(tally.output.gap(&done))?;
            context.out.bytes(done.text())
        })?;
        Ok(read.any)
    }

    /// Lists a file if it would change.
    fn check(&mut self, input: Input) -> Result<bool> {
        let label = input.label().to_owned();
        let walked = self.walk(input, |_, _, _| Ok(()))?;
        if walked.changes {
            self.tally.changed += 1;
            self.context.out.text(&format!("{}\n", printable(&label)))?;
        }
        Ok(walked.any)
    }

    /// Writes the difference between a file and its canonical form.
    fn diff(&mut self, input: Input) -> Result<bool> {
        let mut diff = UnifiedDiff::new(input.label());
        let walked = self.walk(input, |context, old, new| context.out.bytes(&diff.add(old, new)))?;
        self.tally.changed += u64::from(walked.changes);
        Ok(walked.any)
    }

    /// Replaces a file with its canonical form if they differ. If one file fails, the others are still processed.
    fn replace(&mut self, input: Input) -> Result<bool> {
        let (label, is_certain) = (input.label().to_owned(), self.options.yes || self.options.files.encoding.is_some());
        if let Some(reason) = cannot_replace(&input, Format::Pdn) {
            self.context.report(&reason);
            return Ok(false);
        }
        // A canonical file is not touched, and need not be writable.
        let mut out = Output::new(input.path());
        let walked = self.walk(input, |_, _, new| {
            if let Ok(file) = &mut out
                && let Err(error) = file.bytes(new)
            {
                out = Err(error);
            }
            Ok(())
        })?;
        if let Some(unsure) = walked.unsure.filter(|_| walked.changes && !is_certain) {
            self.context.report(&left_unchanged(&label, unsure, "add --yes to keep these bytes as they are"));
        } else if walked.changes {
            match out.and_then(Output::finish) {
                Ok(()) => self.tally.changed += 1,
                Err(error) => self.context.report(&error),
            }
        }
        Ok(walked.any)
    }

    /// Formats a file, and passes on its pieces and their canonical form, which begin at the same line of both texts.
    fn walk(&mut self, input: Input, mut each: impl FnMut(&mut Context, &[u8], &[u8]) -> Result<()>) -> Result<Walk> {
        let Self { options, work, context, tally } = self;
        let mut differs = false;
        // The last piece, whose canonical form may still get an empty line.
        let (mut old, mut new) = (Vec::new(), Vec::new());
        tally.output = FormattedOutput::default();
        let read = context.read_inputs(vec![Ok(input)], &options.files, *work, |context, step| {
            let Step::Done(done) = step else { return Ok(()) };
            tally.count(&done, context);
            new.extend_from_slice(tally.output.gap(&done));
            differs |= old != new || done.is_recoded;
            each(context, &old, &new)?;
            (old, new) = (done.original.clone(), done.text().to_vec());
            Ok(())
        })?;
        differs |= old != new;
        each(context, &old, &new)?;
        Ok(Walk { any: read.any, changes: read.complete && differs, unsure: read.unsure })
    }
}

impl Tally {
    /// Counts the errors of a chunk and reports its edits.
    fn count(&mut self, done: &Formatted, context: &Context) {
        self.errors += done.errors;
        self.undecided += done.undecided;
        for edit in done.edits() {
            context.inform(&edit.to_string());
        }
    }
}

/// Returns the error that a file is not replaced, since it is not certain what its bytes mean; `choice` is what can be done about
/// bytes that cannot be read.
pub(in crate::cli) fn left_unchanged(label: &str, unsure: Unsure, choice: &str) -> Error {
    let choice = match unsure {
        Unsure::Guess(encoding) => format!("add --encoding {encoding} if that is right"),
        Unsure::Damage => choice.to_owned(),
    };
    Error::unavailable(format!("{} is left unchanged: {unsure}; {choice}", printable(label)))
}
