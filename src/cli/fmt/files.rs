//! Files one after the other: to the output, in place, or only compared.

use super::Options;
use super::format::{Formatted, Formatter, Formatting};
use super::same::Same;
use crate::cli::context::{Context, Status, Step};
use crate::cli::games::Reviewing;
use crate::cli::output::Output;
use crate::error::{Error, Result};
use crate::source::{Input, expand};

/// What was done so far.
#[derive(Default)]
struct Tally {
    errors: u64,
    /// Files that changed, or would.
    changed: u64,
    /// Whether text was written to the output, and whether it waits for its game.
    begun: bool,
    leads: bool,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let checks = context.check_options(&options.files);
    let formatter = Formatter { options: options.format(), checks, fix: options.fix };
    let reviewing = Reviewing { games: &formatter, options: checks };
    let work = Formatting { reviewing, compare: options.check || options.write };
    let mut tally = Tally::default();
    let mut any = false;
    for input in expand(&options.files.paths) {
        let read = match input {
            Ok(input) if options.check => check(input, options, &work, context, &mut tally),
            Ok(input) if options.write => replace(input, options, &work, context, &mut tally),
            input => print(input, options, &work, context, &mut tally),
        }?;
        any |= read;
    }
    if !any {
        context.out.discard();
    }
    if tally.changed > 0 && options.write {
        context.inform(&format!("{} written anew", files(tally.changed)));
    }
    if tally.errors > 0 {
        let errors = if tally.errors == 1 { "1 error is".to_owned() } else { format!("{} errors are", tally.errors) };
        context.inform(&format!("{errors} in the records; `pdn check` shows them"));
    }
    let findings = tally.errors > 0 || options.check && tally.changed > 0;
    Ok(if findings { Status::Errors } else { Status::Clean })
}

fn files(count: u64) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

/// Writes a file to the output, behind those before it.
fn print(
    input: Result<Input>,
    options: &Options,
    work: &Formatting<'_>,
    context: &mut Context,
    tally: &mut Tally,
) -> Result<bool> {
    let read = context.read_inputs(vec![input], &options.files, work, |context, step| {
        let Step::Done(done) = step else { return Ok(()) };
        tell(&done, context, tally);
        if let Some(gap) = gap(&done, tally) {
            context.out.bytes(gap)?;
        }
        context.out.bytes(&done.text)
    })?;
    Ok(read.any)
}

/// What parts a chunk from the one before it; `None` if it holds nothing.
fn gap(done: &Formatted, tally: &mut Tally) -> Option<&'static [u8]> {
    if done.text.is_empty() {
        return None;
    }
    let gap: &[u8] = if tally.begun && !tally.leads { b"\n" } else { b"" };
    (tally.begun, tally.leads) = (true, done.leads);
    Some(gap)
}

fn tell(done: &Formatted, context: &Context, tally: &mut Tally) {
    tally.errors += done.errors;
    if !done.repairs.is_empty() {
        context.inform(done.repairs.trim_end());
    }
}

/// Names a file if it would change.
fn check(
    input: Input,
    options: &Options,
    work: &Formatting<'_>,
    context: &mut Context,
    tally: &mut Tally,
) -> Result<bool> {
    let label = input.label().to_owned();
    let walked = walk(input, options, work, context, tally, |_| {})?;
    if walked.changes {
        tally.changed += 1;
        context.out.text(&format!("{label}\n"))?;
    }
    Ok(walked.any)
}

/// What came of one file.
struct Walk {
    /// Whether anything could be read.
    any: bool,
    /// Whether all could be read, and the canonical form is another one.
    changes: bool,
    /// Whether something was too large and not read.
    cut: bool,
}

/// Goes through a file, hands on its canonical form, and compares that with the file.
fn walk(
    input: Input,
    options: &Options,
    work: &Formatting<'_>,
    context: &mut Context,
    tally: &mut Tally,
    mut each: impl FnMut(&[u8]),
) -> Result<Walk> {
    let (mut same, mut cut) = (Same::default(), false);
    (tally.begun, tally.leads) = (false, false);
    let read = context.read_inputs(vec![Ok(input)], &options.files, work, |context, step| {
        let Step::Done(done) = step else { return Ok(()) };
        tell(&done, context, tally);
        cut |= done.cut;
        let gap = gap(&done, tally).unwrap_or_default();
        same.read(&done.original);
        for text in [gap, &done.text] {
            same.written(text);
            each(text);
        }
        if done.recoded || done.cut {
            same.differ();
        }
        Ok(())
    })?;
    Ok(Walk { any: read.any, changes: read.complete && !same.is_same(), cut })
}

/// Puts the canonical form into the place of the file, if that is another one. What goes wrong with one file does not
/// keep the others from being done.
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
    // A file that is canonical is not touched, and so need not be writable.
    let mut out = Output::new(input.path());
    let walked = walk(input, options, work, context, tally, |text| {
        if let Ok(file) = &mut out
            && let Err(fault) = file.bytes(text)
        {
            out = Err(fault);
        }
    })?;
    if walked.cut {
        context.report(&Error::unavailable(format!(
            "{label} is left as it is: a game in it is too large; raise --max-game"
        )));
    }
    if walked.cut || !walked.changes {
        return Ok(walked.any);
    }
    match out.and_then(Output::finish) {
        Ok(()) => tally.changed += 1,
        Err(fault) => context.report(&fault),
    }
    Ok(walked.any)
}

/// Why a file cannot be replaced, if it cannot.
fn cannot_replace(input: &Input) -> Option<Error> {
    if input.path().and_then(|path| path.metadata().ok()).is_some_and(|found| !found.is_file()) {
        return Some(Error::usage(format!("{} is no plain file and cannot be replaced", input.label())));
    }
    match input.is_compressed() {
        Ok(false) => None,
        Ok(true) => {
            Some(Error::usage(format!("{} is compressed and cannot be replaced; write to a new file", input.label())))
        }
        Err(fault) => Some(fault),
    }
}
