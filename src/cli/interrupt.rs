//! Signals that end the process: no half-written file stays behind, whichever of them it is.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The status of a command that was interrupted.
const INTERRUPTED: i32 = 130;

/// The file that is being written and must go if the work is broken off.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on an interruption removes the unfinished file and ends the process. A limit on the size of files is told by
/// the write that hits it, like a full disk.
pub(super) fn install() {
    // Where no handler can be set, an interruption ends the process all the same.
    #[cfg(unix)]
    let _ = unix::install();
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(|| end());
}

#[expect(clippy::exit, reason = "the work is in the middle of anything, so nothing can be returned")]
fn end() -> ! {
    // The lock is kept, so that no other thread completes the file while it is removed.
    let file = unfinished();
    if let Some(path) = file.as_deref() {
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
        let asked = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|&signal| ignored & bit(signal) == 0);
        let mut signals = Signals::new(asked.chain([SIGXFSZ]))?;
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

    /// The signals that were ignored when the process began, as `nohup` has it: they stay so. Where nobody tells, none.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

/// Names the file that is being written.
pub(super) fn remember(path: &Path) {
    *unfinished() = Some(path.to_owned());
}

/// Tells that the file is complete or gone.
pub(super) fn forget() {
    *unfinished() = None;
}

/// Completes the file, in one step as seen by an interruption.
pub(super) fn forget_after<T>(complete: impl FnOnce() -> T) -> T {
    let mut file = unfinished();
    let done = complete();
    *file = None;
    done
}
