//! The command line, for the script `pdn` of the package.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command given by arguments, the first of which is the name of the program, and returns its exit status.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| pdn::cli::main_of(arguments))
}
