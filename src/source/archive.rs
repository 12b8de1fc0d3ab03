//! ZIP archives, each member of which is an input.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::open::read_head;

/// A member that expands to more than this many bytes, and to more than [`MAX_EXPANSION`] times its stored size, is not
/// read. Records shrink to a fifth, and the same game again and again to a two-hundredth.
const MAX_UNCHECKED: u64 = 1 << 30;
const MAX_EXPANSION: u64 = 400;

/// A file in an archive: the location of its data, and its entry in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    start: u64,
    stored: u64,
    size: u64,
    crc: u32,
    method: CompressionMethod,
    encrypted: bool,
}

/// Returns true if a file is a ZIP archive, judged by its first bytes.
pub(super) fn is_archive(path: &Path) -> bool {
    let head = File::open(path).and_then(|mut file| read_head(&mut file, 4));
    // An empty archive begins with the end of its directory, `PK\5\6`.
    head.is_ok_and(|head| matches!(head[..], [b'P', b'K', 3, 4] | [b'P', b'K', 5, 6]))
}

/// Returns the records in an archive with their names, in its order; hidden files are skipped.
///
/// # Errors
///
/// If the archive cannot be read or is damaged.
pub(super) fn members(path: &Path, wanted: &dyn Fn(&Path) -> bool) -> io::Result<Vec<(String, Member)>> {
    let mut archive = ZipArchive::new(io::BufReader::new(File::open(path)?)).map_err(damaged)?;
    let mut found = Vec::new();
    for index in 0..archive.len() {
        // Only the directory is needed: raw members are neither decompressed nor decrypted.
        let member = archive.by_index_raw(index).map_err(damaged)?;
        let name = member.name().map_err(damaged)?.into_owned();
        if member.is_file() && wanted(Path::new(&name)) && !is_hidden(&name) {
            let start = member.data_start().ok_or_else(|| damaged(ZipError::FileNotFound))?;
            let (stored, size, crc) = (member.compressed_size(), member.size(), member.crc32());
            let (method, encrypted) = (member.compression(), member.encrypted());
            found.push((name, Member { start, stored, size, crc, method, encrypted }));
        }
    }
    Ok(found)
}

fn is_hidden(name: &str) -> bool {
    // Some programs on Windows write backslashes, against the format.
    name.split(['/', '\\']).any(|part| part.starts_with('.'))
}

fn damaged(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        error => io::Error::new(io::ErrorKind::InvalidData, format!("damaged ZIP archive: {error}")),
    }
}

impl Member {
    /// Returns the number of bytes that it has in the archive.
    pub(super) const fn stored(&self) -> u64 {
        self.stored
    }

    /// Returns the data as stored.
    ///
    /// # Errors
    ///
    /// If the member is encrypted or would expand too much, or the archive cannot be read.
    pub(super) fn open(&self, archive: &Path) -> io::Result<impl Read + Send + use<>> {
        let unsupported = |reason: &str| Err(io::Error::new(io::ErrorKind::Unsupported, reason));
        if self.encrypted {
            return unsupported("the member of the archive is encrypted");
        }
        if self.size > MAX_UNCHECKED && self.size / MAX_EXPANSION > self.stored {
            return unsupported("the member of the archive expands to more than 400 times its size");
        }
        // A handle for each member, so that several threads read one archive.
        let mut file = File::open(archive)?;
        file.seek(SeekFrom::Start(self.start))?;
        Ok(file.take(self.stored))
    }

    /// Returns the data from what [`open`](Self::open) returned, decompressed and compared with its size and checksum.
    ///
    /// # Errors
    ///
    /// If the compression is not supported.
    pub(super) fn expand(&self, stored: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        let data: Box<dyn Read + Send> = match self.method {
            CompressionMethod::STORE => Box::new(stored),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(io::BufReader::new(stored))),
            other => {
                let message = format!("the member of the archive is compressed by an unsupported method: {other}");
                return Err(io::Error::new(io::ErrorKind::Unsupported, message));
            }
        };
        Ok(Box::new(Checked { data, missing: self.size, crc: Crc::new(), expected: self.crc }))
    }
}

/// Data with a known size and checksum.
struct Checked<R> {
    data: R,
    /// Number of bytes that are still to come.
    missing: u64,
    crc: Crc,
    expected: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.data.read(buffer)?;
        self.crc.update(&buffer[..n]);
        let failed = |reason| Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        let Some(missing) = self.missing.checked_sub(n as u64) else {
            return failed("damaged ZIP archive: the member is longer than it should be");
        };
        self.missing = missing;
        match n {
            // No bytes were asked for: this need not be the end.
            0 if buffer.is_empty() => Ok(0),
            0 if missing > 0 => failed("damaged ZIP archive: the member is truncated"),
            0 if self.crc.sum() != self.expected => failed("damaged ZIP archive: checksum does not match"),
            n => Ok(n),
        }
    }
}
