//! Long work that Ctrl-C interrupts, and calls from other libraries.

use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{PyGILState_Ensure, PyGILState_Release, PyGILState_STATE};
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

/// The GIL, which another library that calls back may have released without the knowledge of `pyo3`.
struct Held(PyGILState_STATE);

impl Held {
    #[expect(unsafe_code, reason = "`pyo3` takes a thread for attached while one of its functions runs on it")]
    fn new(_: Python<'_>) -> Self {
        // SAFETY: the interpreter is initialized, and a thread may ask for a GIL that it holds.
        Self(unsafe { PyGILState_Ensure() })
    }
}

impl Drop for Held {
    #[expect(unsafe_code, reason = "the counterpart of `PyGILState_Ensure`")]
    fn drop(&mut self) {
        // SAFETY: this thread made the state, and drops it in the reverse order.
        unsafe { PyGILState_Release(self.0) }
    }
}

/// Does the work that another library calls for, with or without the GIL; returns `None` when the interpreter is shutting down.
///
/// `pyarrow` releases the GIL before it asks for a batch. If Python code called by one of our functions asks `pyarrow`, `pyo3`
/// alone would continue without the GIL.
pub(crate) fn called_back<T>(work: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    Python::try_attach(|py| {
        let _held = Held::new(py);
        work(py)
    })
}

/// The process that works on other threads: a process forked from it has none of them, and would wait for ever.
pub(crate) struct Worker(u32);

impl Worker {
    pub(crate) fn this() -> Self {
        Self(std::process::id())
    }

    /// Raises an exception in a forked process.
    pub(crate) fn check(&self) -> PyResult<()> {
        if self.0 == std::process::id() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err("a forked process cannot continue what its parent began: begin again in it"))
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
