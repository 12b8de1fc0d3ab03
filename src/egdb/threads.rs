//! Work on several threads where the feature `parallel` is on.

/// Maps values, in parallel if possible, and returns the results in order.
#[cfg(feature = "parallel")]
pub(super) fn map<T: Send, U: Send>(items: Vec<T>, work: impl Fn(T) -> U + Sync + Send) -> Vec<U> {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};
    items.into_par_iter().map(work).collect()
}

/// Maps values and returns the results in order.
#[cfg(not(feature = "parallel"))]
pub(super) fn map<T, U>(items: Vec<T>, work: impl Fn(T) -> U) -> Vec<U> {
    items.into_iter().map(work).collect()
}
