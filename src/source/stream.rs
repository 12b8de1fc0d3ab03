//! Streams that are inputs.

use std::fmt;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// A reader that the first who opens it takes.
#[derive(Clone)]
pub(super) struct Stream(Arc<Mutex<Option<Box<dyn Read + Send>>>>);

impl Stream {
    pub(super) fn new(reader: impl Read + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Some(Box::new(reader)))))
    }

    /// Returns the reader.
    ///
    /// # Errors
    ///
    /// If it was opened before.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        let reader = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        reader.ok_or_else(|| io::Error::other("the stream was read already"))
    }
}

impl PartialEq for Stream {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Stream {}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}
