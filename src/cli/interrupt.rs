//! Ctrl-C: no half-written file stays behind.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The status of a command that was interrupted.
const INTERRUPTED: i32 = 130;

/// The file that is being written and must go if the work is broken off.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on an interruption removes the unfinished file and ends the process.
#[expect(clippy::exit, reason = "the work is in the middle of anything, so nothing can be returned")]
pub(super) fn install() {
    let end = || {
        // The lock is kept, so that no other thread completes the file while it is removed.
        let file = unfinished();
        if let Some(path) = file.as_deref() {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(INTERRUPTED);
    };
    // Where no handler can be set, an interruption ends the process all the same.
    let _ = ctrlc::set_handler(end);
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
