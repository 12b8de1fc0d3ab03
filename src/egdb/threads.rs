//! Work on several threads where the feature `parallel` is on.

/// Maps values, in parallel if possible, and returns the results in order.
#[cfg(feature = "parallel")]
pub(super) fn map<T: Send, U: Send>(items: Vec<T>, work: impl Fn(T) -> U + Sync + Send) -> Vec<U> {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};
    items.into_par_iter().map(work).collect()
}

/// Does work while the caller holds a lock. A worker of a pool that waited for it there would take other jobs meanwhile, which
/// may wait for the same lock; so a separate pool does it, and the caller sleeps.
#[cfg(all(feature = "engine", feature = "parallel"))]
pub(super) fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let in_pool = || match rayon::ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    };
    std::thread::scope(|scope| scope.spawn(in_pool).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Does work.
#[cfg(all(feature = "engine", not(feature = "parallel")))]
pub(super) fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Maps values and returns the results in order.
#[cfg(not(feature = "parallel"))]
pub(super) fn map<T, U>(items: Vec<T>, work: impl Fn(T) -> U) -> Vec<U> {
    items.into_iter().map(work).collect()
}
