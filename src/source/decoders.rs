//! Decoders of compressed data, each of all the streams in a file.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The bytes of a file, as the decoders take them.
type Stored = BufReader<Box<dyn Read + Send>>;

fn buffered(stored: impl Read + Send + 'static) -> Stored {
    BufReader::with_capacity(128 * 1024, Box::new(stored))
}

pub(super) fn gzip(stored: impl Read + Send + 'static) -> impl Read + Send {
    Checked { decoder: Streams::new(buffered(stored), GzDecoder::new, GzDecoder::into_inner), format: "gzip" }
}

pub(super) fn bzip2(stored: impl Read + Send + 'static) -> impl Read + Send {
    Checked { decoder: Streams::new(buffered(stored), BzDecoder::new, BzDecoder::into_inner), format: "bzip2" }
}

pub(super) fn xz(stored: impl Read + Send + 'static) -> impl Read + Send {
    Checked { decoder: XzReader::new(buffered(stored), true), format: "xz" }
}

pub(super) fn zstd(stored: impl Read + Send + 'static) -> impl Read + Send {
    let decoder = Zstd { source: buffered(stored), decoder: FrameDecoder::new(), in_frame: false };
    Checked { decoder, format: "zstd" }
}

/// A decoder, with the behaviour in which the crates differ: reads into an empty buffer, and the wording of errors.
struct Checked<D> {
    decoder: D,
    format: &'static str,
}

impl<D: Read> Read for Checked<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // To `XzReader`, an empty read is the end of the block: it then compares the checksum and reads an index.
        if buffer.is_empty() {
            return Ok(0);
        }
        self.decoder.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            io::ErrorKind::UnexpectedEof => {
                io::Error::new(error.kind(), format!("the {} data is truncated", self.format))
            }
            kind => io::Error::new(kind, format!("damaged {} data: {error}", self.format)),
        })
    }
}

/// Decodes one stream after another. Zeros after a stream are skipped, as gzip(1) does: tapes and block devices pad with
/// them.
struct Streams<D> {
    /// `None` at the end of the data.
    decoder: Option<D>,
    begin: fn(Stored) -> D,
    into_inner: fn(D) -> Stored,
}

impl<D> Streams<D> {
    fn new(source: Stored, begin: fn(Stored) -> D, into_inner: fn(D) -> Stored) -> Self {
        Self { decoder: Some(begin(source)), begin, into_inner }
    }
}

impl<D: Read> Read for Streams<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let n = decoder.read(buffer)?;
            if n > 0 {
                return Ok(n);
            }
            let source = self.decoder.take().map(self.into_inner);
            self.decoder = source.map(skip_zeros).transpose()?.flatten().map(self.begin);
        }
        Ok(0)
    }
}

/// Returns the source after the zeros that come next; `None` if nothing follows them.
fn skip_zeros(mut source: Stored) -> io::Result<Option<Stored>> {
    loop {
        let bytes = source.fill_buf()?;
        if bytes.is_empty() {
            return Ok(None);
        }
        // Files on tapes and block devices are padded with zeros, which `gzip` ignores too.
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let is_stream = zeros < bytes.len();
        source.consume(zeros);
        if is_stream {
            return Ok(Some(source));
        }
    }
}

/// Decodes all Zstandard frames of a file and omits skippable frames.
struct Zstd {
    source: Stored,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl Zstd {
    /// Begins the next frame; returns false at the end of the file.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let skipped = io::copy(&mut (&mut self.source).take(u64::from(length)), &mut io::sink())?;
                    if skipped < u64::from(length) {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(zstd_error(&error)),
            }
        }
        Ok(false)
    }
}

impl Read for Zstd {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame {
                self.in_frame = self.next_frame()?;
                if !self.in_frame {
                    return Ok(0);
                }
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                // Block by block, so that memory does not grow with the frame.
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(|error| zstd_error(&error))?;
            }
            let n = self.decoder.read(buffer)?;
            if n > 0 {
                return Ok(n);
            }
            self.in_frame = false;
            let written = self.decoder.get_checksum_from_data();
            if written.is_some() && written != self.decoder.get_calculated_checksum() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "checksum does not match"));
            }
        }
    }
}

/// Returns the I/O error in an error of the decoder, which shows it as `Error { kind: UnexpectedEof, … }`.
fn zstd_error(error: &FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return io::Error::new(error.kind(), error.to_string());
        }
        cause = error.source();
    }
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}
