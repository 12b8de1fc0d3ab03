//! Where the bytes of tables are: in the program or in a file that several threads read at any offset.

use std::fs::File;
use std::io;

/// The bytes of one or more tables.
pub(in crate::egdb) enum Source {
    /// Bytes in memory.
    Memory(&'static [u8]),
    /// An open file.
    File(File),
}

impl Source {
    /// Returns the number of bytes.
    ///
    /// # Errors
    ///
    /// If the size of the file cannot be read.
    pub(super) fn len(&self) -> io::Result<u64> {
        match self {
            Self::Memory(bytes) => Ok(bytes.len() as u64),
            Self::File(file) => Ok(file.metadata()?.len()),
        }
    }

    /// Reads bytes.
    ///
    /// # Errors
    ///
    /// If there are fewer bytes or the file cannot be read.
    pub(super) fn read(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        match self {
            Self::Memory(all) => {
                let rest = all.get(offset as usize..).ok_or(io::ErrorKind::UnexpectedEof)?;
                bytes.copy_from_slice(rest.get(..len).ok_or(io::ErrorKind::UnexpectedEof)?);
            }
            Self::File(file) => read_at(file, &mut bytes, offset)?,
        }
        Ok(bytes)
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (bytes, offset) = (&mut bytes[read..], offset + read as u64);
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
