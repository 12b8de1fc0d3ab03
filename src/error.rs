//! The one error of the crate: what the surroundings, not the records, did wrong.

use std::error::Error as StdError;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// The result of what can fail for reasons outside the records.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A fault of the surroundings: a missing file, a full disk, an engine that went away.
///
/// Faults of a record are never errors but [`Diagnostic`](crate::diag::Diagnostic) values.
pub struct Error(Box<ErrorKind>);

/// The kinds of [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Something could not be read.
    Read {
        /// What was read, as the caller named it.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Something could not be written.
    Write {
        /// What was written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A folder holds no record.
    NothingToRead {
        /// The folder.
        path: PathBuf,
    },
    /// The caller asked for something that does not exist or does not fit together.
    Usage(String),
    /// The surroundings lack something, told in one line.
    Unavailable(String),
}

impl Error {
    /// Returns the fault of reading something.
    pub fn read(path: impl AsRef<Path>, source: io::Error) -> Self {
        ErrorKind::Read { path: path.as_ref().to_owned(), source }.into()
    }

    /// Returns the fault of writing something.
    pub fn write(path: impl AsRef<Path>, source: io::Error) -> Self {
        ErrorKind::Write { path: path.as_ref().to_owned(), source }.into()
    }

    /// Returns the fault of a request that cannot be understood.
    pub fn usage(message: impl Into<String>) -> Self {
        ErrorKind::Usage(message.into()).into()
    }

    /// Returns the fault of surroundings that lack something.
    pub fn unavailable(message: impl Into<String>) -> Self {
        ErrorKind::Unavailable(message.into()).into()
    }

    /// What kind of fault it is.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// Whether whoever read our output stopped reading, which is no reason to complain.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(&*self.0, ErrorKind::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(kind))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            ErrorKind::Read { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            ErrorKind::Write { path, source } => write!(f, "cannot write {}: {source}", path.display()),
            ErrorKind::NothingToRead { path } => {
                write!(f, "nothing to read: no .pdn file in {}", path.display())
            }
            ErrorKind::Usage(message) | ErrorKind::Unavailable(message) => f.write_str(message),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &*self.0 {
            ErrorKind::Read { source, .. } | ErrorKind::Write { source, .. } => Some(source),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_one_line() {
        let gone = || io::Error::from(io::ErrorKind::NotFound);
        let faults = [
            Error::read("a.pdn", gone()),
            Error::write("b.pdn", gone()),
            ErrorKind::NothingToRead { path: "d".into() }.into(),
            Error::usage("unknown variant `ludo`"),
        ];
        for fault in faults {
            let text = fault.to_string();
            assert!(!text.is_empty() && !text.contains('\n'), "{text}");
        }
    }

    #[test]
    fn only_a_failed_write_is_a_broken_pipe() {
        let pipe = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(Error::write("-", pipe()).is_broken_pipe());
        assert!(!Error::read("-", pipe()).is_broken_pipe());
    }
}
