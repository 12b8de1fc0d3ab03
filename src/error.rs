//! The error type of the crate: failures of the environment, not of the records.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// The result of an operation that can fail for reasons outside the records.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure of the environment: a missing file, a full disk, an engine that exited.
///
/// A problem in a record is never an `Error` but a [`Diagnostic`](crate::diag::Diagnostic).
#[derive(thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<ErrorKind>);

/// The kinds of [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An input could not be read.
    #[error("cannot read {}: {source}", path.display())]
    #[non_exhaustive]
    Read {
        /// The path, as the caller gave it.
        path: PathBuf,
        /// The underlying I/O error.
        source: io::Error,
    },
    /// An output could not be written.
    #[error("cannot write {}: {source}", path.display())]
    #[non_exhaustive]
    Write {
        /// The path, as the caller gave it.
        path: PathBuf,
        /// The underlying I/O error.
        source: io::Error,
    },
    /// A folder contains no record.
    #[error("nothing to read: no .pdn file in {}", path.display())]
    #[non_exhaustive]
    NothingToRead {
        /// The folder.
        path: PathBuf,
    },
    /// The request is invalid or contradicts itself.
    #[error("{0}")]
    Usage(String),
    /// A required resource is unavailable.
    #[error("{0}")]
    Unavailable(String),
}

/// The error for text that cannot be parsed, such as an unknown variant name. It displays the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    message: Cow<'static, str>,
    range: Range<usize>,
}

impl ParseError {
    /// Returns an error about a text as a whole.
    pub(crate) fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self::at(0..0, message)
    }

    /// Returns an error about some bytes of a text.
    pub(crate) fn at(range: Range<usize>, message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: message.into(), range }
    }

    /// Returns the bytes that cause it; none at the start of the text if it is about the text as a whole.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

impl Error {
    /// Returns the error of an input that could not be read.
    pub(crate) fn read(path: impl AsRef<Path>, source: io::Error) -> Self {
        ErrorKind::Read { path: path.as_ref().to_owned(), source }.into()
    }

    /// Returns the error of an output that could not be written.
    pub(crate) fn write(path: impl AsRef<Path>, source: io::Error) -> Self {
        ErrorKind::Write { path: path.as_ref().to_owned(), source }.into()
    }

    /// Returns the error of an invalid request.
    pub fn usage(message: impl Into<String>) -> Self {
        ErrorKind::Usage(message.into()).into()
    }

    /// Returns the error of an unavailable resource.
    pub fn unavailable(message: impl Into<String>) -> Self {
        ErrorKind::Unavailable(message.into()).into()
    }

    /// Returns the kind of error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// Returns true if the reader of the output closed its end of the pipe, which is not a failure worth reporting.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(&*self.0, ErrorKind::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(kind))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_one_line() {
        let not_found = || io::Error::from(io::ErrorKind::NotFound);
        let errors = [
            Error::read("a.pdn", not_found()),
            Error::write("b.pdn", not_found()),
            ErrorKind::NothingToRead { path: "d".into() }.into(),
            Error::usage("unknown variant `ludo`"),
        ];
        for error in errors {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n'), "{text}");
        }
        assert!(std::error::Error::source(&Error::read("a.pdn", not_found())).is_some());
    }

    #[test]
    fn only_a_failed_write_is_a_broken_pipe() {
        let pipe = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(Error::write("-", pipe()).is_broken_pipe());
        assert!(!Error::read("-", pipe()).is_broken_pipe());
    }
}
