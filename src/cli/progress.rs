//! Progress bars on a terminal.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use crate::egdb;
use crate::error::Result;
use crate::source::Input;

/// A progress bar over the bytes of all inputs, which is cleared when it is dropped; hidden if standard error is not a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    read: Arc<AtomicU64>,
}

impl Progress {
    /// Returns a bar for the inputs; `read` is the number of bytes read so far.
    pub(super) fn over(inputs: &[Result<Input>], read: Arc<AtomicU64>, quiet: bool) -> Self {
        if quiet || !stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden(), read };
        }
        let sizes: Option<Vec<u64>> = inputs.iter().flatten().map(Input::stored_size).collect();
        let (bar, template) = match sizes {
            Some(sizes) => {
                (ProgressBar::new(sizes.iter().sum()), "{wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta}")
            }
            None => (ProgressBar::no_length(), "{spinner} {bytes} {binary_bytes_per_sec}"),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, read }
    }

    /// Updates the bar.
    pub(super) fn update(&self) {
        self.bar.set_position(self.read.load(Ordering::Relaxed));
    }

    /// Hides the bar while something is written, possibly to the same terminal.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

/// Shows the progress of work on endgame databases, until it is dropped.
pub(super) struct Meter {
    bar: ProgressBar,
    /// Number of bytes of the tables that were written.
    pub(super) written: AtomicU64,
}

impl Meter {
    pub(super) fn new(quiet: bool) -> Self {
        let bar = if quiet || !stderr().is_terminal() { ProgressBar::hidden() } else { ProgressBar::new(0) };
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent}% {eta}") {
            bar.set_style(style);
        }
        Self { bar, written: AtomicU64::new(0) }
    }
}

impl egdb::Progress for Meter {
    fn begin(&self, work: u64) {
        self.bar.reset();
        self.bar.set_length(work);
    }

    fn advance(&self, work: u64) {
        self.bar.inc(work);
    }
}
