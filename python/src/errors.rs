//! Errors of the crate as exceptions.

use pdn::ErrorKind;
use pyo3::exceptions::PyTypeError;
use pyo3::import_exception;
use pyo3::prelude::*;

import_exception!(pdn.errors, AmbiguousMoveError);
import_exception!(pdn.errors, ArgumentError);
import_exception!(pdn.errors, EditError);
import_exception!(pdn.errors, EngineError);
import_exception!(pdn.errors, FenError);
import_exception!(pdn.errors, FileError);
import_exception!(pdn.errors, IllegalMoveError);
import_exception!(pdn.errors, InvalidMoveError);
import_exception!(pdn.errors, MissingFileError);
import_exception!(pdn.errors, PdnError);

/// Returns the exception for an error of the crate.
#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
pub(crate) fn exception(error: pdn::Error) -> PyErr {
    let message = error.to_string();
    match error.kind() {
        ErrorKind::Read { source, .. } | ErrorKind::Write { source, .. } => {
            if source.kind() == std::io::ErrorKind::NotFound {
                MissingFileError::new_err(message)
            } else {
                FileError::new_err(message)
            }
        }
        ErrorKind::NothingToRead { .. } => MissingFileError::new_err(message),
        ErrorKind::Usage(_) => ArgumentError::new_err(message),
        _ => PdnError::new_err(message),
    }
}

/// Returns the exception for an argument that is not what is expected.
pub(crate) fn wrong_type(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let name = found.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected}, found {name}"))
}
