//! Long work that Ctrl-C interrupts.

use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use pyo3::prelude::*;

/// Interval between checks for signals.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

/// Runs work on another thread without the GIL. If a signal raises an exception, `stop` is called, and the work may continue
/// in the background.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    stop: impl FnOnce(),
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = bounded(1);
    let worker = thread::Builder::new().spawn(move || drop(sender.send(work())))?;
    match receive(py, &receiver) {
        Ok(Some(done)) => Ok(done),
        Ok(None) => match worker.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => unreachable!("the work sends its result"),
        },
        Err(interrupt) => {
            stop();
            Err(interrupt)
        }
    }
}

/// Waits for a value without the GIL; returns `None` if there will be none.
///
/// # Errors
///
/// If a signal raises an exception.
pub(crate) fn receive<T: Send>(py: Python<'_>, receiver: &Receiver<T>) -> PyResult<Option<T>> {
    loop {
        match py.detach(|| receiver.recv_timeout(INTERVAL)) {
            Ok(done) => return Ok(Some(done)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}
