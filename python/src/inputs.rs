//! Sources of records that Python passes: paths, bytes, files, or several of these.

use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use pdn::source::{Input, expand};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::{ArgumentError, exception};

/// The inputs of a source; an input that cannot be found is an error.
pub(crate) type Inputs = Vec<pdn::Result<Input>>;

/// Returns the inputs of a source: the path of a file or folder, bytes, a file open for reading, or an iterable of sources. If an
/// encoding is given, a file that is open as text is an error.
pub(crate) fn inputs(source: &Bound<'_, PyAny>, is_encoded: bool) -> PyResult<Inputs> {
    nested_inputs(source, is_encoded, 0)
}

/// Iterables in iterables of sources. A list may contain itself.
const MAX_NESTING: usize = 16;

fn nested_inputs(source: &Bound<'_, PyAny>, is_encoded: bool, nesting: usize) -> PyResult<Inputs> {
    if let Ok(bytes) = source.extract::<Vec<u8>>().or_else(|error| bytes_of(source).ok_or(error)) {
        return Ok(vec![Ok(Input::stream("<bytes>", Cursor::new(bytes)))]);
    }
    match source.extract::<PathBuf>() {
        Ok(path) => return Ok(expand([path])),
        // A text that is no path, such as a lone surrogate, is an iterable of texts that are none.
        Err(error) if source.is_instance_of::<PyString>() => return Err(error),
        Err(_) => {}
    }
    if source.hasattr("read")? {
        let label = source.getattr("name").ok().and_then(|name| name.extract::<String>().ok());
        // The mode is known before the first byte. A file that returns more than is asked for loses nothing.
        let read = if is_encoded { read_from(source, 0, true)? } else { Vec::new() };
        let reader = PythonReader { file: source.clone().unbind(), read: Cursor::new(read) };
        return Ok(vec![Ok(Input::stream(label.as_deref().unwrap_or("<file>"), reader))]);
    }
    let Ok(sources) = source.try_iter() else {
        let found = source.get_type().name()?.to_string();
        return Err(PyTypeError::new_err(format!("expected a path, bytes, a file or several of these, found {found}")));
    };
    if nesting == MAX_NESTING {
        return Err(ArgumentError::new_err("iterables of sources are nested too deeply"));
    }
    sources
        .map(|source| nested_inputs(&source?, is_encoded, nesting + 1))
        .collect::<PyResult<Vec<_>>>()
        .map(|all| all.into_iter().flatten().collect())
}

/// Returns the label and the path of each file that a file or folder path refers to. Both are the same, except for members of
/// archives: their path is that of the archive.
#[pyfunction]
pub(crate) fn files_of(path: PathBuf) -> PyResult<Vec<(String, PathBuf)>> {
    let file = |input: Input| (input.label().to_owned(), input.path().map_or_else(PathBuf::new, Path::to_path_buf));
    expand([path]).into_iter().map(|input| input.map(file).map_err(exception)).collect()
}

/// Returns the bytes of a `memoryview` or `bytearray`.
fn bytes_of(source: &Bound<'_, PyAny>) -> Option<Vec<u8>> {
    let tobytes = source.getattr("tobytes").ok()?.call0().ok()?;
    tobytes.extract().ok()
}

/// Reads up to a number of bytes of a file, or of characters in text mode.
fn read_from(file: &Bound<'_, PyAny>, size: usize, is_encoded: bool) -> PyResult<Vec<u8>> {
    let read = file.call_method1("read", (size,))?;
    match read.cast::<PyString>() {
        Ok(_) if is_encoded => Err(ArgumentError::new_err("encoding is for bytes, but the file is open as text")),
        Ok(text) => Ok(text.to_str()?.as_bytes().to_vec()),
        Err(_) => Ok(read.cast::<PyBytes>()?.as_bytes().to_vec()),
    }
}

/// A Python file, in text or binary mode.
struct PythonReader {
    file: Py<PyAny>,
    /// The bytes read last.
    read: Cursor<Vec<u8>>,
}

impl PythonReader {
    fn fill(&mut self) -> io::Result<()> {
        const SIZE: usize = 256 * 1024;
        let read = Python::try_attach(|py| read_from(self.file.bind(py), SIZE, false));
        let read: PyResult<Vec<u8>> = read.ok_or_else(|| io::Error::other("the interpreter is shutting down"))?;
        self.read = Cursor::new(read.map_err(io::Error::other)?);
        Ok(())
    }
}

impl Read for PythonReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.read.read(buffer)? {
            0 => {
                self.fill()?;
                self.read.read(buffer)
            }
            n => Ok(n),
        }
    }
}
