//! Values that threads share: those that a process makes once for all of them, such as decompressed weights, and locked ones.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockWriteGuard};

/// Held for reading while a value is made, and for writing while the process forks.
static MAKING: RwLock<()> = RwLock::new(());

/// Returns the value of a cell, which is made if there is none.
///
/// A value must not need another one of this kind while it is made: a pause that begins in between would wait for the first, and
/// the second for the pause.
pub(crate) fn once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    // Nearly all calls find the value, and touch nothing that other threads write.
    cell.get().unwrap_or_else(|| {
        // Taken before the cell is, so that no thread stops within it.
        let _making = MAKING.read().unwrap_or_else(PoisonError::into_inner);
        cell.get_or_init(make)
    })
}

/// Locks a value, also after a thread has panicked that had locked it.
pub(crate) fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While it exists, no thread makes a value that all threads share.
pub struct Pause {
    _making: RwLockWriteGuard<'static, ()>,
}

/// Waits until the values that other threads are making are complete, and lets none begin.
///
/// A fork copies only the thread that forks. If another one was making a value, the forked process would wait for it for ever.
pub fn pause() -> Pause {
    Pause { _making: MAKING.write().unwrap_or_else(PoisonError::into_inner) }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{TryRecvError, channel};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_pause_waits_for_values_and_values_wait_for_a_pause() {
        static CELL: OnceLock<u8> = OnceLock::new();
        let (begun, has_begun) = channel();
        let (go, may_go) = channel::<()>();
        let first = thread::spawn(move || {
            let make = || {
                begun.send(()).expect("the test waits");
                may_go.recv().expect("the test sends");
                7
            };
            *once(&CELL, make)
        });
        has_begun.recv().expect("a value is being made");
        let (paused, has_paused) = channel();
        let (end, may_end) = channel::<()>();
        let second = thread::spawn(move || {
            let _pause = pause();
            paused.send(CELL.get().copied()).expect("the test waits");
            may_end.recv().expect("the test sends");
        });
        thread::sleep(Duration::from_millis(20));
        assert_eq!(has_paused.try_recv(), Err(TryRecvError::Empty), "the value is not complete");
        go.send(()).expect("the thread waits");
        assert_eq!(has_paused.recv(), Ok(Some(7)));
        // What is known needs no lock.
        assert_eq!(once(&CELL, || 8), &7);
        let third = thread::spawn(|| {
            let cell = OnceLock::new();
            *once(&cell, || 9)
        });
        thread::sleep(Duration::from_millis(20));
        assert!(!third.is_finished(), "no value is begun during a pause");
        end.send(()).expect("the thread waits");
        assert_eq!((first.join().expect("a value"), third.join().expect("a value")), (7, 9));
        second.join().expect("a pause");
    }
}
