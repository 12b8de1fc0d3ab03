//! Opening inputs: what is compressed is told by its first bytes, not by its name.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::Input;
use crate::error::{Error, Result};

/// Bytes read from a file at once.
const BUFFER: usize = 128 * 1024;
/// Bytes that tell how something is compressed.
const MAGIC: usize = 10;

/// Opens an input and decompresses what is compressed. `read` grows with the bytes as stored that were read.
///
/// # Errors
///
/// If the input cannot be opened or read.
pub fn open(input: &Input, read: Arc<AtomicU64>) -> Result<Box<dyn Read + Send>> {
    let fault = |source| Error::read(input.label(), source);
    let stored: Box<dyn Read + Send> = match input.path() {
        Some(path) => Box::new(File::open(path).map_err(fault)?),
        None => Box::new(io::stdin()),
    };
    let mut counted = Counted { inner: stored, read };
    let head = read_head(&mut counted, MAGIC).map_err(fault)?;
    let compression = Compression::of(&head);
    if compression == Compression::None && head.len() < MAGIC && is_named_compressed(input) {
        return Err(fault(io::Error::new(io::ErrorKind::UnexpectedEof, "the compressed data is cut off")));
    }
    let whole = Cursor::new(head).chain(counted);
    Ok(match compression {
        Compression::None => Box::new(whole),
        Compression::Gzip => Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, whole))),
        Compression::Zstd => Box::new(Zstd::new(BufReader::with_capacity(BUFFER, whole))),
        Compression::Bzip2 => Box::new(MultiBzDecoder::new(BufReader::with_capacity(BUFFER, whole))),
        // With all streams of the file, one behind the other.
        Compression::Xz => Box::new(XzReader::new(BufReader::with_capacity(BUFFER, whole), true)),
    })
}

/// Whether a name promises something compressed. Nothing else is told by names; but what breaks off before its kind can
/// be seen would else pass for a text.
fn is_named_compressed(input: &Input) -> bool {
    let extension = input.path().and_then(|path| path.extension()).unwrap_or_default();
    ["gz", "zst", "bz2", "xz"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Whether a file is compressed, told by its first bytes; standard input never is, as nobody can look ahead there.
///
/// # Errors
///
/// If the file cannot be read.
pub fn is_compressed(input: &Input) -> Result<bool> {
    let Some(path) = input.path() else { return Ok(false) };
    let head = File::open(path).and_then(|mut file| read_head(&mut file, MAGIC));
    let head = head.map_err(|fault| Error::read(input.label(), fault))?;
    Ok(Compression::of(&head) != Compression::None)
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
    Bzip2,
    Xz,
}

impl Compression {
    fn of(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            // Behind the head stands the first block, or at once the end of an empty stream.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, ..] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
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
    fn several_members_and_frames_are_one_stream() {
        assert_eq!(read(&[gzip(b"ab"), gzip(b""), gzip(b"c")].concat()), b"abc");
        assert_eq!(read(&[bzip2(b"ab"), bzip2(b"x"), bzip2(b"c")].concat()), b"abxc");
        assert_eq!(read(&[xz(b"ab"), xz(b"c")].concat()), b"abc");
        let skippable = [&0x184D_2A53_u32.to_le_bytes()[..], &3_u32.to_le_bytes(), b"xyz"].concat();
        let frames = [skippable.clone(), zstd(b"ab"), zstd(b""), skippable, zstd(b"c")].concat();
        assert_eq!(read(&frames), b"abc");
    }

    #[test]
    fn damage_is_a_fault_and_never_a_panic() {
        let text = b"32-28 ".repeat(1000);
        for stored in [gzip(&text), zstd(&text), bzip2(&text), xz(&text)] {
            for cut in MAGIC..stored.len() - 1 {
                let result = opened(&stored[..cut]);
                assert!(result.is_err() || result.is_ok_and(|read| read.is_err()), "{cut}");
            }
        }
        assert!(opened(&[zstd(b"ab"), b"junk".to_vec()].concat()).expect("opened").is_err());
    }
}
