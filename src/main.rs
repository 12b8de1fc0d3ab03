//! The `pdn` command.

use std::process::ExitCode;

// With the allocator of musl, JSON Lines take twice the time.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    pdn::cli::main()
}
