//! Work on several threads where the feature `parallel` is on.

/// Maps values, in parallel if possible, and returns the results in order.
#[cfg(feature = "parallel")]
pub(super) fn map<T: Send, U: Send>(items: Vec<T>, work: impl Fn(T) -> U + Sync) -> Vec<U> {
    use std::sync::{Mutex, PoisonError};
    let items: Vec<_> = items.into_iter().map(|item| Mutex::new((Some(item), None))).collect();
    each(items.len(), &|n| {
        let locked = || items[n].lock().unwrap_or_else(PoisonError::into_inner);
        let item = locked().0.take();
        let result = item.map(&work);
        locked().1 = result;
    });
    let result = |item: Mutex<(Option<T>, Option<U>)>| item.into_inner().unwrap_or_else(PoisonError::into_inner).1;
    items.into_iter().filter_map(result).collect()
}

/// Calls a function with each number below `count`, in parallel. Not generic: one copy of the code that divides the work serves
/// all geometries and tasks.
#[cfg(feature = "parallel")]
fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};
    (0..count).into_par_iter().for_each(work);
}

/// Does work while the caller holds a lock. A worker of a pool that waited for it there would take other jobs meanwhile, which
/// may wait for the same lock; so a separate pool does it, and the caller sleeps.
#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
pub(super) fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let in_pool = || match rayon::ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    };
    std::thread::scope(|scope| scope.spawn(in_pool).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Does work.
#[cfg(any(not(feature = "parallel"), target_family = "wasm"))]
pub(super) fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Maps values and returns the results in order.
#[cfg(not(feature = "parallel"))]
pub(super) fn map<T, U>(items: Vec<T>, work: impl Fn(T) -> U) -> Vec<U> {
    items.into_iter().map(work).collect()
}
