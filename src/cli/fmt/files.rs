//! Files in turn: to the output, in place, or only compared.

use super::Options;
use super::diff::UnifiedDiff;
use super::format::{Formatted, Formatter, Formatting};
use super::same::Same;
use crate::cli::context::{Context, Status, Step};
use crate::cli::games::Reviewing;
use crate::cli::output::Output;
use crate::cli::words;
use crate::error::{Error, Result};
use crate::source::Input;
use crate::text::printable;

/// The state of a run.
#[derive(Default)]
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
    let checks = context.check_options(&options.files);
    let formatter = Formatter {
        options: options.format(&context.settings),
        comments: !options.no_comments,
        strict: options.strict,
        checks,
        fix: options.fix,
    };
    let reviewing = Reviewing { games: &formatter, options: checks };
    let work = Formatting { reviewing, compare: options.check || options.diff || options.write };
    let mut tally = Tally::default();
    let mut any = false;
    for input in options.files.inputs()? {
        let read = match input {
            Ok(input) if options.check => check(input, options, &work, context, &mut tally),
            Ok(input) if options.diff => diff(input, options, &work, context, &mut tally),
            Ok(input) if options.write => replace(input, options, &work, context, &mut tally),
            input => print(input, options, &work, context, &mut tally),
        }?;
        any |= read;
    }
    if !any {
        context.out.discard();
    }
    if tally.changed > 0 && options.write {
        context.inform(&format!("{} rewritten", words::count(tally.changed, "file")));
    }
    if tally.errors > 0 {
        let errors = words::counted(tally.errors, "error is", "errors are");
        context.inform(&format!("{errors} in the records; `pdn check` shows them"));
    }
    let has_errors = tally.errors > 0 || (options.check || options.diff) && tally.changed > 0;
    Ok(if has_errors { Status::Errors } else { Status::Clean })
}

/// Writes a file to the output, after those before it.
fn print(
    input: Result<Input>,
    options: &Options,
    work: &Formatting<'_>,
    context: &mut Context,
    tally: &mut Tally,
) -> Result<bool> {
    let read = context.read_inputs(vec![input], &options.files, work, |context, step| {
        let Step::Done(done) = step else { return Ok(()) };
        count(&done, context, tally);
        if let Some(gap) = gap(&done, tally) {
            context.out.bytes(gap)?;
        }
        context.out.bytes(&done.text)
    })?;
    Ok(read.any)
}

/// Returns what separates a chunk from the one before it; `None` if it is empty.
fn gap(done: &Formatted, tally: &mut Tally) -> Option<&'static [u8]> {
    if done.text.is_empty() {
        return None;
    }
    let gap: &[u8] = if tally.begun && !tally.leads { b"\n" } else { b"" };
    (tally.begun, tally.leads) = (true, done.leads);
    Some(gap)
}

fn count(done: &Formatted, context: &Context, tally: &mut Tally) {
    tally.errors += done.errors;
    if !done.edits.is_empty() {
        context.inform(done.edits.trim_end());
    }
}

/// Lists a file if it would change.
fn check(
    input: Input,
    options: &Options,
    work: &Formatting<'_>,
    context: &mut Context,
    tally: &mut Tally,
) -> Result<bool> {
    let label = input.label().to_owned();
    let walked = walk(input, options, work, context, tally, |_, _, _| Ok(()))?;
    if walked.changes {
        tally.changed += 1;
        context.out.text(&format!("{}\n", printable(&label)))?;
    }
    Ok(walked.any)
}

/// Writes the difference between a file and its canonical form.
fn diff(
    input: Input,
    options: &Options,
    work: &Formatting<'_>,
    context: &mut Context,
    tally: &mut Tally,
) -> Result<bool> {
    let mut diff = UnifiedDiff::new(input.label());
    let walked = walk(input, options, work, context, tally, |context, gap, done| {
        context.out.bytes(&diff.add(&done.original, gap, &done.text))
    })?;
    context.out.bytes(&diff.finish())?;
    tally.changed += u64::from(walked.changes);
    Ok(walked.any)
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

/// Formats a file, passes its canonical form on, and compares the two.
fn walk(
    input: Input,
    options: &Options,
    work: &Formatting<'_>,
    context: &mut Context,
    tally: &mut Tally,
    mut each: impl FnMut(&mut Context, &[u8], &Formatted) -> Result<()>,
) -> Result<Walk> {
    let (mut same, mut cut) = (Same::default(), false);
    (tally.begun, tally.leads) = (false, false);
    let read = context.read_inputs(vec![Ok(input)], &options.files, work, |context, step| {
        let Step::Done(done) = step else { return Ok(()) };
        count(&done, context, tally);
        cut |= done.cut;
        let gap = gap(&done, tally).unwrap_or_default();
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

/// Replaces a file by its canonical form if they differ. A file that fails does not stop the others.
fn replace(
    input: Input,
    options: &Options,
    work: &Formatting<'_>,
    context: &mut Context,
    tally: &mut Tally,
) -> Result<bool> {
    let label = input.label().to_owned();
    if let Some(reason) = cannot_replace(&input) {
        context.report(&reason);
        return Ok(false);
    }
    // A canonical file is not touched, and need not be writable.
    let mut out = Output::new(input.path());
    let walked = walk(input, options, work, context, tally, |_, gap, done| {
        if let Ok(file) = &mut out
            && let Err(error) = file.bytes(gap).and_then(|()| file.bytes(&done.text))
        {
            out = Err(error);
        }
        Ok(())
    })?;
    if walked.cut {
        context.report(&Error::unavailable(format!(
            "{label} is left unchanged: a game in it is too large; raise --max-game"
        )));
    }
    if walked.cut || !walked.changes {
        return Ok(walked.any);
    }
    match out.and_then(Output::finish) {
        Ok(()) => tally.changed += 1,
        Err(error) => context.report(&error),
    }
    Ok(walked.any)
}

/// Returns why a file cannot be replaced, if it cannot.
fn cannot_replace(input: &Input) -> Option<Error> {
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
