//! The progress of long work.

/// An observer of long work.
pub trait Progress: Sync {
    /// The work begins and consists of this many units.
    fn begin(&self, _work: u64) {}

    /// This many units of work are done.
    fn advance(&self, _work: u64) {}
}

/// Ignores the progress.
impl Progress for () {}
