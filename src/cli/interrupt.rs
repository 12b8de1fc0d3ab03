//! Signals that end the process: no partial output is left after any of them.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::link::end_engines;
use crate::shared::lock;
use crate::text::printable_lines;

// 128 and the number of SIGINT, as shells report it.
/// The exit status of an interrupted command.
const INTERRUPTED: i32 = 130;

/// The temporary files that are being written, to be removed on an interrupt.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Time for engines to quit before they are killed.
const TIME_TO_QUIT: Duration = Duration::from_secs(1);

/// Time for a thread to finish writing; it may be blocked forever.
const TIME_TO_WRITE: Duration = Duration::from_millis(500);

/// Held while results are written, and permanently after an interrupt.
static WRITING: Mutex<()> = Mutex::new(());

/// A message for users who interrupt a command.
type Farewell = Box<dyn Fn() -> String + Send>;

/// The message of the running command.
static FAREWELL: Mutex<Option<Farewell>> = Mutex::new(None);

/// Installs handlers that remove the unfinished files and end the process. A limit on the size of files is reported by the
/// write that exceeds it, like a full disk.
pub(super) fn install() {
    // Without a handler an interrupt still ends the process.
    #[cfg(unix)]
    let _ = unix::install();
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(|| end());
}

/// Sets the message that is printed on an interrupt: what was kept, and how to continue.
pub(super) fn set_farewell(message: impl Fn() -> String + Send + 'static) {
    *lock(&FAREWELL) = Some(Box::new(message));
}

/// Writes results. Nothing is written after an interrupt: engines are being stopped, and the failures this causes are not
/// results.
pub(super) fn while_running<T>(write: impl FnOnce() -> T) -> T {
    let _writing = lock(&WRITING);
    write()
}

/// Waits until no thread is writing, or until a timeout.
fn stop_writing() -> Option<MutexGuard<'static, ()>> {
    let until = Instant::now() + TIME_TO_WRITE;
    loop {
        match WRITING.try_lock() {
            Ok(writing) => return Some(writing),
            Err(_) if Instant::now() > until => return None,
            // A mutex of the standard library cannot be waited for with a timeout.
            Err(_) => thread::sleep(Duration::from_millis(1)),
        }
    }
}

#[expect(clippy::exit, reason = "the interrupted threads cannot return")]
fn end() -> ! {
    let _writing = stop_writing();
    end_engines(TIME_TO_QUIT);
    if let Some(message) = &*lock(&FAREWELL) {
        // In place of a progress bar, which another thread may have locked.
        let clear_line = if stderr().is_terminal() { "\r\x1b[K" } else { "" };
        // If standard error is closed, the exit status remains.
        let _ = writeln!(stderr(), "{clear_line}pdn: {}", printable_lines(&message()));
    }
    // The lock is held, so that no other thread completes a file while it is being removed.
    let files = lock(&UNFINISHED);
    for path in files.iter() {
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(INTERRUPTED)
}

#[cfg(unix)]
mod unix {
    use std::{fs, io, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    pub(super) fn install() -> io::Result<()> {
        let ignored = ignored();
        let handled =
            [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
        let mut signals = Signals::new(handled.chain([SIGXFSZ]))?;
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            if signals.forever().any(|signal| signal != SIGXFSZ) {
                super::end();
            }
        })?;
        Ok(())
    }

    /// Returns the mask of the signals that were ignored when the process began, as under `nohup`, and remain so. It is
    /// empty where the system does not provide it.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

/// Adds a file that is being written.
pub(super) fn remember(path: &Path) {
    lock(&UNFINISHED).insert(path.to_owned());
}

/// Completes or removes a file, atomically with respect to interrupts.
pub(super) fn forget_after<T>(path: &Path, complete: impl FnOnce() -> T) -> T {
    let mut files = lock(&UNFINISHED);
    let done = complete();
    files.remove(path);
    done
}
