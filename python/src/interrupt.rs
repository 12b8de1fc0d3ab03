//! Long work that Ctrl-C interrupts, and calls from other libraries.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{PyGILState_Ensure, PyGILState_Release, PyGILState_STATE};
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict};

/// Interval between checks for signals.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

/// Interval between attempts to use a value.
const BRIEFLY: Duration = Duration::from_millis(1);

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
        Err(forked())
    }
}

fn forked() -> PyErr {
    PyRuntimeError::new_err("a forked process cannot continue what its parent began: begin again in it")
}

thread_local! {
    /// The pause of a thread that forks the process.
    static PAUSE: RefCell<Option<pdn::shared::Pause>> = const { RefCell::new(None) };
}

/// Lets forks wait for the values that all threads share: the forked process would wait for them for ever.
pub(crate) fn pause_for_forks(py: Python<'_>) -> PyResult<()> {
    let Some(register) = py.import("os")?.getattr_opt("register_at_fork")? else { return Ok(()) };
    // Making these values takes less than a second and never the GIL, which the thread that forks holds.
    let before = PyCFunction::new_closure(py, None, None, |_, _| PAUSE.set(Some(pdn::shared::pause())))?;
    let after = PyCFunction::new_closure(py, None, None, |_, _| PAUSE.set(None))?;
    let hooks = PyDict::new(py);
    hooks.set_item("before", before)?;
    hooks.set_item("after_in_parent", &after)?;
    hooks.set_item("after_in_child", &after)?;
    register.call((), Some(&hooks))?;
    Ok(())
}

/// A value that one thread at a time uses, and the process of that thread.
pub(crate) struct Exclusive<T> {
    value: Mutex<T>,
    /// 0 while no thread uses the value.
    process: AtomicU32,
    /// 0 while no thread uses the value.
    thread: AtomicUsize,
}

thread_local! {
    /// Its address identifies the thread.
    static MARK: u8 = const { 0 };
}

fn this_thread() -> usize {
    MARK.with(|mark| std::ptr::from_ref(mark).addr())
}

impl<T> Exclusive<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { value: Mutex::new(value), process: AtomicU32::new(0), thread: AtomicUsize::new(0) }
    }

    /// Raises an exception if a thread of a parent process was using the value when this process was forked: it never ends here.
    pub(crate) fn check(&self) -> PyResult<()> {
        match self.process.load(Ordering::Relaxed) {
            0 => Ok(()),
            process if process == std::process::id() => Ok(()),
            _ => Err(forked()),
        }
    }

    pub(crate) fn lock(&self) -> Using<'_, T> {
        self.used(self.value.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn used<'a>(&'a self, value: MutexGuard<'a, T>) -> Using<'a, T> {
        self.process.store(std::process::id(), Ordering::Relaxed);
        self.thread.store(this_thread(), Ordering::Relaxed);
        Using { value, process: &self.process, thread: &self.thread }
    }

    /// Waits for other threads without the GIL, which they may need.
    ///
    /// # Errors
    ///
    /// If this thread uses the value already, if a thread of the parent process did when this one was forked, or if a signal raises an
    /// exception.
    pub(crate) fn wait(&self, py: Python<'_>) -> PyResult<Using<'_, T>> {
        loop {
            self.check()?;
            match self.value.try_lock() {
                Ok(value) => return Ok(self.used(value)),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(self.used(poisoned.into_inner())),
                Err(TryLockError::WouldBlock) if self.thread.load(Ordering::Relaxed) == this_thread() => {
                    return Err(PyRuntimeError::new_err("what is read here asks for its own reader"));
                }
                Err(TryLockError::WouldBlock) => py.detach(|| thread::sleep(BRIEFLY)),
            }
            py.check_signals()?;
        }
    }
}

/// The use of an [`Exclusive`].
pub(crate) struct Using<'a, T> {
    value: MutexGuard<'a, T>,
    process: &'a AtomicU32,
    thread: &'a AtomicUsize,
}

impl<T> Deref for Using<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Using<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Drop for Using<'_, T> {
    fn drop(&mut self) {
        self.process.store(0, Ordering::Relaxed);
        self.thread.store(0, Ordering::Relaxed);
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
