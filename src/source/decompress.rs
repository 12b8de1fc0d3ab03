//! Opening inputs: what is compressed is told by its first bytes, not by its name.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::Input;
use crate::error::{Error, ErrorKind, Result};

/// Bytes read from a file at once.
const BUFFER: usize = 128 * 1024;
/// Bytes that tell how something is compressed.
const MAGIC: usize = 10;

/// Opens an input and decompresses what is compressed. `read` grows with the bytes as stored that were read.
///
/// # Errors
///
/// If the input cannot be opened, cannot be read or is compressed in a way that is not supported.
pub fn open(input: &Input, read: Arc<AtomicU64>) -> Result<Box<dyn Read + Send>> {
    let fault = |source| Error::read(input.label(), source);
    let stored: Box<dyn Read + Send> = match input.path() {
        Some(path) => Box::new(File::open(path).map_err(fault)?),
        None => Box::new(io::stdin()),
    };
    let mut counted = Counted { inner: stored, read };
    let head = read_head(&mut counted, MAGIC).map_err(fault)?;
    let compression = Compression::of(&head);
    let whole = Cursor::new(head).chain(counted);
    Ok(match compression {
        Compression::None => Box::new(whole),
        Compression::Gzip => Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, whole))),
        Compression::Zstd => Box::new(Zstd::new(BufReader::with_capacity(BUFFER, whole))),
        Compression::Unsupported(kind) => {
            return Err(ErrorKind::Unsupported { path: Path::new(input.label()).to_owned(), kind }.into());
        }
    })
}

/// Returns the first bytes of a reader, as many as there are up to `most`.
pub(super) fn read_head(reader: &mut impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(most);
    reader.take(most as u64).read_to_end(&mut head)?;
    Ok(head)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compression {
    None,
    Gzip,
    Zstd,
    Unsupported(&'static str),
}

impl Compression {
    fn of(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..] => Self::Unsupported("bzip2"),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Unsupported("xz"),
            _ => Self::None,
        }
    }
}

struct Counted<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// All Zstandard frames of a stream, one behind the other; skippable frames are skipped.
struct Zstd<R> {
    source: R,
    decoder: FrameDecoder,
    /// Whether the decoder is inside a frame.
    active: bool,
}

impl<R: BufRead> Zstd<R> {
    fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), active: false }
    }

    /// Begins the next frame; `false` at the end of the stream.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    io::copy(&mut (&mut self.source).take(u64::from(length)), &mut io::sink())?;
                }
                Err(fault) => return Err(damaged(fault)),
            }
        }
        Ok(false)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.active = false;
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(written), Some(computed)) if written != computed => Err(damaged("checksum does not match")),
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.active {
                self.active = self.next_frame()?;
                if !self.active {
                    return Ok(0);
                }
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1)).map_err(damaged)?;
            }
            let n = self.decoder.read(buffer)?;
            if n > 0 || buffer.is_empty() {
                return Ok(n);
            }
            self.end_frame()?;
        }
    }
}

fn damaged(fault: impl Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("damaged zstd data: {fault}"))
}

#[cfg(test)]
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

    fn opened(stored: &[u8]) -> Result<io::Result<Vec<u8>>> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), stored).expect("written");
        let read = Arc::new(AtomicU64::new(0));
        let mut reader = open(&Input::file(file.path()), Arc::clone(&read))?;
        let mut data = Vec::new();
        Ok(reader.read_to_end(&mut data).map(|_| {
            assert_eq!(read.load(Ordering::Relaxed), stored.len() as u64);
            data
        }))
    }

    fn read(stored: &[u8]) -> Vec<u8> {
        opened(stored).expect("opened").expect("read")
    }

    #[test]
    fn content_tells_the_compression() {
        let text = b"1. 32-28 19-23 ".repeat(20_000);
        for stored in [text.clone(), gzip(&text), zstd(&text)] {
            assert!(read(&stored) == text);
        }
        for short in [&b""[..], b"1", b"1. 32-28 *"] {
            assert_eq!(read(short), short);
            assert_eq!(read(&gzip(short)), short);
            assert_eq!(read(&zstd(short)), short);
        }
    }

    #[test]
    fn several_members_and_frames_are_one_stream() {
        assert_eq!(read(&[gzip(b"ab"), gzip(b""), gzip(b"c")].concat()), b"abc");
        let skippable = [&0x184D_2A53_u32.to_le_bytes()[..], &3_u32.to_le_bytes(), b"xyz"].concat();
        let frames = [skippable.clone(), zstd(b"ab"), zstd(b""), skippable, zstd(b"c")].concat();
        assert_eq!(read(&frames), b"abc");
    }

    #[test]
    fn damage_is_a_fault_and_never_a_panic() {
        for stored in [gzip(&b"32-28 ".repeat(1000)), zstd(&b"32-28 ".repeat(1000))] {
            for cut in 3..stored.len() - 1 {
                let result = opened(&stored[..cut]);
                assert!(cut < 4 || result.is_err() || result.is_ok_and(|read| read.is_err()), "{cut}");
            }
        }
        assert!(opened(&[zstd(b"ab"), b"junk".to_vec()].concat()).expect("opened").is_err());
    }

    #[test]
    fn other_compressions_are_named() {
        for (head, kind) in [(&b"BZh91AY&SY"[..], "bzip2"), (b"\xfd7zXZ\0\0\0", "xz")] {
            let Err(fault) = opened(head) else { panic!("{kind} was read") };
            assert!(fault.to_string().contains(kind), "{fault}");
        }
    }
}
