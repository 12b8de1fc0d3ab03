//! Errors of the crate as exceptions.

use pdn::ErrorKind;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::{PyErr, import_exception};

import_exception!(pdn.errors, AmbiguousMoveError);
import_exception!(pdn.errors, EngineError);
import_exception!(pdn.errors, FenError);
import_exception!(pdn.errors, IllegalMoveError);
import_exception!(pdn.errors, InvalidMoveError);
import_exception!(pdn.errors, PdnError);

/// Returns the exception for an error of the crate.
#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
pub(crate) fn exception(error: pdn::Error) -> PyErr {
    let message = error.to_string();
    match error.kind() {
        ErrorKind::Read { source, .. } | ErrorKind::Write { source, .. } => {
            if source.kind() == std::io::ErrorKind::NotFound {
                PyFileNotFoundError::new_err(message)
            } else {
                PyOSError::new_err(message)
            }
        }
        ErrorKind::NothingToRead { .. } => PyFileNotFoundError::new_err(message),
        ErrorKind::Usage(_) => PyValueError::new_err(message),
        _ => PdnError::new_err(message),
    }
}
