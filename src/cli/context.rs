//! What a command works with: where it writes, how many threads it has, what went wrong so far.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;

use super::house;
use super::options::{Common, Files, When};
use super::output::Output;
use super::progress::Progress;
use crate::diag::Paint;
use crate::error::{Error, Result};
use crate::rules::Variant;
use crate::source::{Event, Input, Pipeline, Work, expand};

/// How a command ended; the worst decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    /// Nothing is wrong.
    Clean,
    /// Something is wrong in a record.
    Findings,
    /// Something could not be done.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// What all commands share while they run.
pub(super) struct Context {
    /// Where results go.
    pub(super) out: Output,
    /// Threads to work with.
    pub(super) jobs: NonZeroUsize,
    /// What to take every game as.
    pub(super) variant: Option<Variant>,
    /// Whether to keep quiet about anything but faults.
    pub(super) quiet: bool,
    /// Whether results are coloured.
    pub(super) paint: Paint,
    status: Status,
}

/// What happens while inputs are read, in their order.
pub(super) enum Step<T> {
    /// An input begins.
    Begin,
    /// A chunk of it is done.
    Done(T),
}

/// How reading went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    /// Whether anything was read.
    pub(super) any: bool,
    /// Whether nothing was in the way.
    pub(super) whole: bool,
}

/// Threads at most that can be asked for: each of them holds a chunk of games, and nobody means a million.
const MOST_JOBS: NonZeroUsize = NonZeroUsize::new(256).expect("more than none");

impl Context {
    /// Prepares what the options ask for.
    ///
    /// # Errors
    ///
    /// If the house rules cannot be used or the output cannot be written.
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
            jobs: common.jobs.map_or(cores, |jobs| jobs.min(MOST_JOBS)),
            variant: house.or(common.variant),
            quiet: common.quiet,
            paint: if colored { Paint::Ansi } else { Paint::Plain },
            status: Status::Clean,
        })
    }

    /// Tells about a fault that does not end the work.
    pub(super) fn fault(&mut self, fault: &Error) {
        complain(fault);
        self.status = Status::Failed;
    }

    /// Says something beside the results.
    pub(super) fn remark(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(stderr(), "{text}");
        }
    }

    /// Returns threads to work with.
    ///
    /// # Errors
    ///
    /// If they cannot be had.
    pub(super) fn pool(&self) -> Result<rayon::ThreadPool> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.get()).build();
        pool.map_err(|fault| Error::unavailable(format!("cannot start threads: {fault}")))
    }

    /// Writes a value as JSON, on one line.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn json(&mut self, value: &impl serde::Serialize) -> Result<()> {
        let mut line = serde_json::to_string(value).map_err(|fault| Error::unavailable(fault.to_string()))?;
        line.push('\n');
        self.out.text(&line)
    }

    /// Reads files, works on them in parallel and hands on what comes of it in order. What cannot be read is told and
    /// counts as failed; the rest goes on.
    ///
    /// # Errors
    ///
    /// What `consume` returns, or that nothing at all could be read.
    pub(super) fn read<W: Work>(
        &mut self,
        files: &Files,
        work: &W,
        consume: impl FnMut(&mut Self, Step<W::Done>) -> Result<()>,
    ) -> Result<()> {
        self.read_found(expand(&files.paths), files, work, consume)
    }

    /// Reads inputs that are already found, as [`read`](Self::read) does.
    ///
    /// # Errors
    ///
    /// As there.
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

    /// Reads inputs as [`read`](Self::read) does and says how that went.
    ///
    /// # Errors
    ///
    /// What `consume` returns.
    pub(super) fn read_inputs<W: Work>(
        &mut self,
        inputs: Vec<Result<Input>>,
        files: &Files,
        work: &W,
        mut consume: impl FnMut(&mut Self, Step<W::Done>) -> Result<()>,
    ) -> Result<Read> {
        let pipeline = Pipeline::new(self.jobs, files.chunk_options());
        let progress = Progress::over(&inputs, Arc::clone(&pipeline.options().bytes_read), self.quiet);
        let mut read = Read { any: false, whole: true };
        pipeline.run(inputs, work, |event| {
            progress.update();
            match event {
                Event::Begin(_) => consume(self, Step::Begin),
                Event::Done(done) => {
                    read.any = true;
                    progress.suspend(|| consume(self, Step::Done(done)))
                }
                Event::Error(fault) => {
                    read.whole = false;
                    progress.suspend(|| self.fault(&fault));
                    Ok(())
                }
            }
        })?;
        Ok(read)
    }

    /// Completes the output and returns the status of all that happened.
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

/// Tells about a fault, in one line.
pub(super) fn complain(fault: &Error) {
    // Where standard error is closed there is nobody to tell.
    let _ = writeln!(stderr(), "pdn: {fault}");
}
