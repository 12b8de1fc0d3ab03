//! The `pdn` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    pdn::cli::main()
}
