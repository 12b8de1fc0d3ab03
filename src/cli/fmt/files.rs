//! Files in turn: to the output, in place, or only compared.

use super::Options;
use super::diff::UnifiedDiff;
use super::format::{Formatted, Formatter};
use super::same::Same;
use crate::check::Checking;
use crate::cli::context::{Context, Status, Step};
use crate::cli::file_settings::Checks;
use crate::cli::output::Output;
use crate::cli::words;
use crate::error::{Error, Result};
use crate::source::Input;
use crate::text::printable;

/// The state of a run.
#[derive(Clone, Copy, Default)]
struct Tally {
    errors: u64,
    /// Number of files that changed, or would.
    changed: u64,
    /// Whether any text was written.
    begun: bool,
    /// Whether the text ends with comments that belong to the next game.
    leads: bool,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let inputs = context.inputs(&options.files)?;
    let checks = context.check_options(&options.files);
    let formatter = Formatter {
        options: options.format(),
        result_style: options.result_style(),
        checks: checks.clone(),
        comments: !options.no_comments,
        strict: options.strict,
        fix: options.fix,
        compare: options.check || options.diff || options.write,
    };
    let work = Checking::new(formatter, checks);
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
    work: &'a Checking<Formatter, Checks>,
    context: &'a mut Context,
    tally: Tally,
}

/// The result of formatting one file.
struct Walk {
    /// Whether anything could be read.
    any: bool,
    /// Whether everything could be read, and the canonical form differs.
    changes: bool,
    /// Whether anything was too large to be read.
    cut: bool,
}

impl Run<'_> {
    /// Formats a file as the options say. Returns true if anything of it could be read.
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
        let (Options { check, diff, write, .. }, Tally { errors, changed, .. }) = (self.options, self.tally);
        if changed > 0 && *write {
            self.context.inform(&format!("{} rewritten", words::count(changed, "file")));
        }
        if errors > 0 {
            let errors = words::counted(errors, "error is", "errors are");
            self.context.inform(&format!("{errors} in the records; `pdn check` shows them"));
        }
        let has_errors = errors > 0 || (*check || *diff) && changed > 0;
        if has_errors { Status::Errors } else { Status::Clean }
    }

    /// Writes a file to the output, after those before it.
    fn print(&mut self, input: Result<Input>) -> Result<bool> {
        let Self { options, work, context, tally } = self;
        let read = context.read_inputs(vec![input], &options.files, *work, |context, step| {
            let Step::Done(done) = step else { return Ok(()) };
            tally.count(&done, context);
            if let Some(gap) = tally.gap(&done) {
                context.out.bytes(gap)?;
            }
            context.out.bytes(&done.text)
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
        let walked =
            self.walk(input, |context, gap, done| context.out.bytes(&diff.add(&done.original, gap, &done.text)))?;
        self.context.out.bytes(&diff.finish())?;
        self.tally.changed += u64::from(walked.changes);
        Ok(walked.any)
    }

    /// Replaces a file by its canonical form if they differ. A file that fails does not stop the others.
    fn replace(&mut self, input: Input) -> Result<bool> {
        let label = input.label().to_owned();
        if let Some(reason) = cannot_replace(&input) {
            self.context.report(&reason);
            return Ok(false);
        }
        // A canonical file is not touched, and need not be writable.
        let mut out = Output::new(input.path());
        let walked = self.walk(input, |_, gap, done| {
            if let Ok(file) = &mut out
                && let Err(error) = file.bytes(gap).and_then(|()| file.bytes(&done.text))
            {
                out = Err(error);
            }
            Ok(())
        })?;
        if walked.cut {
            let reason = format!("{label} is left unchanged: a game in it is too large; raise --max-game");
            self.context.report(&Error::unavailable(reason));
        } else if walked.changes {
            match out.and_then(Output::finish) {
                Ok(()) => self.tally.changed += 1,
                Err(error) => self.context.report(&error),
            }
        }
        Ok(walked.any)
    }

    /// Formats a file, passes its canonical form on, and compares the two.
    fn walk(
        &mut self,
        input: Input,
        mut each: impl FnMut(&mut Context, &[u8], &Formatted) -> Result<()>,
    ) -> Result<Walk> {
        let Self { options, work, context, tally } = self;
        let (mut same, mut cut) = (Same::default(), false);
        (tally.begun, tally.leads) = (false, false);
        let read = context.read_inputs(vec![Ok(input)], &options.files, *work, |context, step| {
            let Step::Done(done) = step else { return Ok(()) };
            tally.count(&done, context);
            cut |= done.cut;
            let gap = tally.gap(&done).unwrap_or_default();
            same.read(&done.original);
            same.written(gap);
            same.written(&done.text);
            if done.recoded || done.cut {
                same.differ();
            }
            each(context, gap, &done)
        })?;
        Ok(Walk { any: read.any, changes: read.complete && !same.is_same(), cut })
    }
}

impl Tally {
    /// Returns what separates a chunk from the one before it; `None` if it is empty.
    fn gap(&mut self, done: &Formatted) -> Option<&'static [u8]> {
        if done.text.is_empty() {
            return None;
        }
        let gap: &[u8] = if self.begun && !self.leads { b"\n" } else { b"" };
        (self.begun, self.leads) = (true, done.leads);
        Some(gap)
    }

    /// Counts the errors of a chunk and reports its edits.
    fn count(&mut self, done: &Formatted, context: &Context) {
        self.errors += done.errors;
        if !done.edits.is_empty() {
            context.inform(done.edits.trim_end());
        }
    }
}

/// Returns why a file cannot be replaced, if it cannot.
pub(in crate::cli) fn cannot_replace(input: &Input) -> Option<Error> {
    if input.path().and_then(|path| path.metadata().ok()).is_some_and(|found| !found.is_file()) {
        return Some(Error::usage(format!("{} is not a regular file and cannot be replaced", input.label())));
    }
    match input.is_compressed() {
        Ok(false) => None,
        Ok(true) => {
            Some(Error::usage(format!("{} is compressed and cannot be replaced; write to a new file", input.label())))
        }
        Err(error) => Some(error),
    }
}
