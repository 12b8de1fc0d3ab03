//! Endgame databases: values of all positions with few pieces, solved, stored, verified and looked up.
//!
//! `material` names the classes, `index` and `order` number their positions, `solve` decides them, `file` and `coder` store them.

// The command line builds and verifies tables; other programs only look positions up.
#![cfg_attr(not(feature = "cli"), allow(dead_code))]

mod build;
mod coder;
mod databases;
mod endgame;
mod file;
mod index;
#[cfg(feature = "engine")]
mod line;
mod material;
mod order;
mod prober;
mod solve;
mod solved;
mod tables;
#[cfg(test)]
mod tests;
mod values;
mod verify;

#[cfg(any(test, feature = "cli"))]
pub(crate) use build::{BuildObserver, BuildOptions, build};
pub use databases::{Databases, build_in_tables};
#[cfg(feature = "engine")]
pub(crate) use line::BestLine;
#[cfg(feature = "cli")]
pub(crate) use material::{Force, MAX_PIECES};
#[cfg(feature = "engine")]
pub(crate) use tables::BoardTables;
#[cfg(feature = "cli")]
pub(crate) use tables::{ClassStatistics, TableProblem};
pub use tables::{EndgameTables, Probe};
#[cfg(feature = "cli")]
pub(crate) use values::Counts;
pub use values::Value;
#[cfg(any(test, feature = "cli"))]
pub(crate) use verify::{VerifyOptions, verify};

/// An observer of long work.
pub(crate) trait Progress: Sync {
    /// The work begins and consists of this many units.
    fn begin(&self, _work: u64) {}

    /// This many units of work are done.
    fn advance(&self, _work: u64) {}
}

/// Ignores the progress.
impl Progress for () {}

/// Does work while the caller holds a lock. A pool worker that waited for it would take other jobs meanwhile, which may
/// wait for the same lock; so a separate pool does the work while the caller sleeps.
#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let in_pool = || match rayon::ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    };
    std::thread::scope(|scope| scope.spawn(in_pool).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Does work.
#[cfg(any(not(feature = "parallel"), target_family = "wasm"))]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}
