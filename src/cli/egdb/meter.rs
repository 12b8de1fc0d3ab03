//! The progress of work on databases, on a terminal.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressStyle};

use crate::egdb::Progress;

/// Shows the progress.
pub(super) struct Meter(ProgressBar);

impl Meter {
    pub(super) fn new(quiet: bool) -> Self {
        let bar = if quiet || !stderr().is_terminal() { ProgressBar::hidden() } else { ProgressBar::new(0) };
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent}% {eta}") {
            bar.set_style(style);
        }
        Self(bar)
    }
}

impl Progress for Meter {
    fn begin(&self, work: u64) {
        self.0.reset();
        self.0.set_length(work);
    }

    fn advance(&self, work: u64) {
        self.0.inc(work);
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
