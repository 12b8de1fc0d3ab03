//! Opening inputs.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::binary::require_text;
use super::compression::{Compression, MAGIC, has_compressed_extension};
use super::input::Storage;
use super::{ChunkOptions, Chunks, Input};
use crate::error::{Error, Result};

impl Input {
    /// Opens the input for reading and decompresses it where its first bytes are those of a compressed file.
    ///
    /// # Errors
    ///
    /// If the input cannot be opened or read, or if it is compressed and the crate was built without the feature
    /// `compression`.
    pub fn open(&self) -> Result<Box<dyn Read + Send>> {
        self.open_counting(Arc::default())
    }

    /// Opens the input and cuts it into chunks.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), or if the input is not text.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::source::{ChunkOptions, Input};
    ///
    /// let mut games = 0;
    /// for chunk in Input::file("samples/games/italian.pdn").chunks(&ChunkOptions::default())? {
    ///     games += pdn::pdn::games(chunk?.bytes()).count();
    /// }
    /// assert_eq!(games, 8);
    /// # Ok::<(), pdn::Error>(())
    /// ```
    pub fn chunks(&self, options: &ChunkOptions) -> Result<Chunks> {
        let reader = self.open_counting(Arc::clone(&options.bytes_read))?;
        let options = ChunkOptions { utf16: options.utf16.or(self.utf16), ..options.clone() };
        let text = require_text(reader, options.utf16).map_err(|error| Error::read(self.label(), error))?;
        Chunks::new(self.label(), text, &options)
    }

    /// Returns true if the input is a compressed file, judged by its first bytes, or a member of an archive. Returns false for standard input and streams, whose
    /// first bytes cannot be read in advance.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn is_compressed(&self) -> Result<bool> {
        let Storage::File(path) = &self.storage else { return Ok(self.path().is_some()) };
        let head = File::open(path).and_then(|mut file| read_head(&mut file, MAGIC));
        let head = head.map_err(|error| Error::read(self.label(), error))?;
        Ok(Compression::of(&head) != Compression::None)
    }

    fn open_counting(&self, bytes_read: Arc<AtomicU64>) -> Result<Box<dyn Read + Send>> {
        self.open_stored(bytes_read).map_err(|error| Error::read(self.label(), error))
    }

    fn open_stored(&self, bytes_read: Arc<AtomicU64>) -> io::Result<Box<dyn Read + Send>> {
        let counted = |inner| Counted { inner, bytes_read };
        let mut stored: Box<dyn Read + Send> = match &self.storage {
            Storage::Stdin => Box::new(counted(Box::new(io::stdin()))),
            Storage::Stream(stream) => Box::new(counted(stream.open()?)),
            Storage::File(path) => Box::new(counted(Box::new(File::open(path)?))),
            #[cfg(feature = "compression")]
            Storage::Member(path, member) => member.expand(counted(Box::new(member.open(path)?)))?,
        };
        let head = read_head(&mut stored, MAGIC)?;
        let compression = Compression::of(&head);
        // The name alone proves nothing, but a file that ends before its format can be recognised would pass for text.
        let is_short = compression == Compression::None && head.len() < MAGIC;
        if is_short && has_compressed_extension(Path::new(self.label())) {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the compressed data is truncated"));
        }
        compression.decompress(Cursor::new(head).chain(stored))
    }
}

/// Returns the first bytes of a reader, at most `length`.
pub(super) fn read_head(reader: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(length);
    reader.take(length as u64).read_to_end(&mut head)?;
    Ok(head)
}

struct Counted {
    inner: Box<dyn Read + Send>,
    bytes_read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.bytes_read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

#[cfg(all(test, feature = "compression"))]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write;

    fn zstd(data: &[u8]) -> Vec<u8> {
        compress_to_vec(data, CompressionLevel::Fastest)
    }

    fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(data).expect("memory");
        encoder.finish().expect("memory")
    }

    fn bzip2(data: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        encoder.write_all(data).expect("memory");
        encoder.finish().expect("memory")
    }

    fn xz(data: &[u8]) -> Vec<u8> {
        let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(3)).expect("memory");
        encoder.write_all(data).expect("memory");
        encoder.finish().expect("memory")
    }

    #[test]
    fn streams_are_decompressed_and_opened_once() {
        let stored = gzip(b"1. 32-28 *");
        let input = Input::stream("stream", Cursor::new(stored));
        let mut text = Vec::new();
        input.clone().open().expect("opened").read_to_end(&mut text).expect("read");
        assert_eq!(text, b"1. 32-28 *");
        let error = input.open().err().expect("an error").to_string();
        assert!(error.contains("stream: ") && error.contains("read already"), "{error}");
    }

    fn opened(stored: &[u8]) -> Result<io::Result<Vec<u8>>> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), stored).expect("written");
        let bytes_read = Arc::new(AtomicU64::new(0));
        let mut reader = Input::file(file.path()).open_counting(Arc::clone(&bytes_read))?;
        let mut data = Vec::new();
        Ok(reader.read_to_end(&mut data).map(|_| {
            assert_eq!(bytes_read.load(Ordering::Relaxed), stored.len() as u64);
            data
        }))
    }

    fn read(stored: &[u8]) -> Vec<u8> {
        opened(stored).expect("opened").expect("read")
    }

    #[test]
    fn compression_is_recognised_by_content() {
        let text = b"1. 32-28 19-23 ".repeat(20_000);
        for stored in [text.clone(), gzip(&text), zstd(&text), bzip2(&text), xz(&text)] {
            assert!(read(&stored) == text);
        }
        for short in [&b""[..], b"1", b"1. 32-28 *"] {
            assert_eq!(read(short), short);
            assert_eq!(read(&gzip(short)), short);
            assert_eq!(read(&zstd(short)), short);
            assert_eq!(read(&bzip2(short)), short);
            assert_eq!(read(&xz(short)), short);
        }
    }

    #[test]
    fn members_and_frames_are_concatenated() {
        assert_eq!(read(&[gzip(b"ab"), gzip(b""), gzip(b"c")].concat()), b"abc");
        assert_eq!(read(&[bzip2(b"ab"), bzip2(b"x"), bzip2(b"c")].concat()), b"abxc");
        assert_eq!(read(&[xz(b"ab"), xz(b"c")].concat()), b"abc");
        let skippable = [&0x184D_2A53_u32.to_le_bytes()[..], &3_u32.to_le_bytes(), b"xyz"].concat();
        let frames = [skippable.clone(), zstd(b"ab"), zstd(b""), skippable, zstd(b"c")].concat();
        assert_eq!(read(&frames), b"abc");
    }

    #[test]
    fn damaged_data_is_an_error() {
        let text = b"32-28 ".repeat(1000);
        for stored in [gzip(&text), zstd(&text), bzip2(&text), xz(&text)] {
            for cut in MAGIC..stored.len() - 1 {
                let result = opened(&stored[..cut]);
                assert!(result.is_err() || result.is_ok_and(|read| read.is_err()), "{cut}");
            }
        }
        assert!(opened(&[zstd(b"ab"), b"junk".to_vec()].concat()).expect("opened").is_err());
        let skippable = [&0x184D_2A50_u32.to_le_bytes()[..], &9_u32.to_le_bytes(), b"too short"].concat();
        for cut in MAGIC..skippable.len() {
            assert!(opened(&[&zstd(b"ab")[..], &skippable[..cut]].concat()).expect("opened").is_err(), "{cut}");
            assert!(opened(&skippable[..cut]).expect("opened").is_err(), "{cut}");
        }
    }
}

#[cfg(all(test, not(feature = "compression")))]
mod tests {
    use super::*;

    #[test]
    fn compressed_data_names_the_missing_feature() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        for magic in [&b"\x1f\x8b"[..], b"\x28\xb5\x2f\xfd", b"BZh9\x31\x41\x59", b"\xfd7zXZ\0"] {
            std::fs::write(file.path(), magic).expect("written");
            let error = Input::file(file.path()).open().err().expect("an error").to_string();
            assert!(error.contains("the feature `compression`"), "{error}");
        }
    }
}
