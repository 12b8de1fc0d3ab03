//! Signals that end the process: no partial output is left after any of them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The exit status of an interrupted command.
const INTERRUPTED: i32 = 130;

/// The temporary files that are being written, to be removed on an interrupt.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs handlers that remove the unfinished files and end the process. A limit on the size of files is reported by the
/// write that exceeds it, like a full disk.
pub(super) fn install() {
    // Without a handler an interrupt still ends the process.
    #[cfg(unix)]
    let _ = unix::install();
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(|| end());
}

#[expect(clippy::exit, reason = "the interrupted threads cannot return")]
fn end() -> ! {
    // The lock is held, so that no other thread completes a file while it is being removed.
    let files = unfinished();
    for path in files.iter() {
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(INTERRUPTED)
}

#[cfg(unix)]
mod unix {
    use std::ffi::c_int;
    use std::{fs, io, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    pub(super) fn install() -> io::Result<()> {
        let ignored = ignored();
        let handled = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|&signal| ignored & bit(signal) == 0);
        let mut signals = Signals::new(handled.chain([SIGXFSZ]))?;
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            if signals.forever().any(|signal| signal != SIGXFSZ) {
                super::end();
            }
        })?;
        Ok(())
    }

    const fn bit(signal: c_int) -> u64 {
        1 << (signal - 1)
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
    unfinished().push(path.to_owned());
}

/// Completes or removes a file, atomically with respect to interrupts.
pub(super) fn forget_after<T>(path: &Path, complete: impl FnOnce() -> T) -> T {
    let mut files = unfinished();
    let done = complete();
    files.retain(|known| known != path);
    done
}
