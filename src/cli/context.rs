//! The state of a running command: its output, its threads and its exit status.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;

use super::house;
use super::options::{Common, Files, When};
use super::output::Output;
use super::progress::Progress;
use crate::check::CheckOptions;
use crate::diag::Paint;
use crate::error::{Error, Result};
use crate::rules::Variant;
use crate::source::{Event, Input, Pipeline, Work, expand};

/// The exit status of a command; the highest takes precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    /// No errors.
    Clean,
    /// A record contains an error.
    Errors,
    /// Part of the work could not be done.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// The state that all commands share.
pub(super) struct Context {
    /// The destination of the results.
    pub(super) out: Output,
    /// The number of threads.
    pub(super) jobs: NonZeroUsize,
    /// The variant of every game, if given.
    pub(super) variant: Option<Variant>,
    /// True if nothing but results and errors is printed.
    pub(super) quiet: bool,
    /// How results are colored.
    pub(super) paint: Paint,
    status: Status,
}

/// A step of reading inputs, in their order.
pub(super) enum Step<T> {
    /// The input with this label begins.
    Begin(String),
    /// A chunk of it is done.
    Done(T),
}

/// The outcome of reading inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    /// True if at least one chunk was read.
    pub(super) any: bool,
    /// True if everything was read.
    pub(super) complete: bool,
}

/// Largest accepted number of threads, as each thread holds chunks of games in memory.
const MAX_JOBS: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

impl Context {
    /// Prepares the output, the rules and the threads that the options request.
    ///
    /// # Errors
    ///
    /// If the rules file is invalid or the output cannot be written.
    pub(super) fn new(common: &Common) -> Result<Self> {
        let house = common.rules.as_deref().map(house::read).transpose()?;
        let out = Output::new(common.output.as_deref())?;
        let colored = match common.color {
            When::Always => true,
            When::Never => false,
            When::Auto => !out.is_file() && stdout().is_terminal() && terminal_has_colors(),
        };
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Ok(Self {
            out,
            jobs: common.jobs.map_or(cores, |jobs| jobs.min(MAX_JOBS)),
            variant: house.or(common.variant),
            quiet: common.quiet,
            paint: if colored { Paint::Ansi } else { Paint::Plain },
            status: Status::Clean,
        })
    }

    /// Prints an error that does not end the work, and sets the status.
    pub(super) fn report(&mut self, error: &Error) {
        print_error(error);
        self.status = Status::Failed;
    }

    /// Prints a message to standard error, unless it is to be quiet.
    pub(super) fn inform(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(stderr(), "{text}");
        }
    }

    /// Returns a thread pool.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    pub(super) fn pool(&self) -> Result<rayon::ThreadPool> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.get()).build();
        pool.map_err(|error| Error::unavailable(format!("cannot start threads: {error}")))
    }

    /// Writes a value as JSON, on one line.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn json(&mut self, value: &impl serde::Serialize) -> Result<()> {
        let mut line = serde_json::to_string(value).map_err(|error| Error::unavailable(error.to_string()))?;
        line.push('\n');
        self.out.text(&line)
    }

    /// Returns how games are checked.
    pub(super) fn check_options(&self, files: &Files) -> CheckOptions {
        let mut options = CheckOptions::default();
        options.replay.variant = self.variant;
        options.encoding = files.encoding();
        options
    }

    /// Reads files, works on them in parallel and passes the results to `consume` in order. Files that cannot be read are
    /// reported and set the status; the others are still processed.
    ///
    /// # Errors
    ///
    /// If `consume` returns an error.
    pub(super) fn read<W: Work>(
        &mut self,
        files: &Files,
        work: &W,
        consume: impl FnMut(&mut Self, Step<W::Done>) -> Result<()>,
    ) -> Result<()> {
        self.read_found(expand(&files.paths), files, work, consume)
    }

    /// Reads expanded inputs like [`read`](Self::read).
    ///
    /// # Errors
    ///
    /// If `consume` returns an error.
    pub(super) fn read_found<W: Work>(
        &mut self,
        inputs: Vec<Result<Input>>,
        files: &Files,
        work: &W,
        consume: impl FnMut(&mut Self, Step<W::Done>) -> Result<()>,
    ) -> Result<()> {
        let read = self.read_inputs(inputs, files, work, consume)?;
        if !read.any && self.status == Status::Failed {
            self.out.discard();
        }
        Ok(())
    }

    /// Reads expanded inputs like [`read`](Self::read) and returns the outcome.
    ///
    /// # Errors
    ///
    /// If `consume` returns an error.
    pub(super) fn read_inputs<W: Work>(
        &mut self,
        inputs: Vec<Result<Input>>,
        files: &Files,
        work: &W,
        mut consume: impl FnMut(&mut Self, Step<W::Done>) -> Result<()>,
    ) -> Result<Read> {
        let pipeline = Pipeline::new(self.jobs, files.chunk_options());
        let progress = Progress::over(&inputs, Arc::clone(&pipeline.options().bytes_read), self.quiet);
        let mut read = Read { any: false, complete: true };
        pipeline.run(inputs, work, |event| {
            progress.update();
            match event {
                Event::Begin(input) => consume(self, Step::Begin(input.label().to_owned())),
                Event::Done(done) => {
                    read.any = true;
                    progress.suspend(|| consume(self, Step::Done(done)))
                }
                Event::Error(error) => {
                    read.complete = false;
                    progress.suspend(|| self.report(&error));
                    Ok(())
                }
            }
        })?;
        Ok(read)
    }

    /// Completes the output and returns the final status.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub(super) fn finish(self, status: Status) -> Result<Status> {
        self.out.finish()?;
        Ok(status.max(self.status))
    }
}

fn terminal_has_colors() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb")
}

/// Prints an error, on one line.
pub(super) fn print_error(error: &Error) {
    // If standard error is closed, the exit status remains.
    let _ = writeln!(stderr(), "pdn: {error}");
}
