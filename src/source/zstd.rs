//! Zstandard streams.

use std::fmt::Display;
use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Decompresses all Zstandard frames of a stream and omits skippable frames.
pub(super) struct Zstd<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> Zstd<R> {
    /// Returns a reader of the decompressed data.
    pub(super) fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), in_frame: false }
    }

    /// Begins the next frame; returns false at the end of the stream.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let skipped = io::copy(&mut (&mut self.source).take(u64::from(length)), &mut io::sink())?;
                    if skipped < u64::from(length) {
                        return Err(damaged("truncated skippable frame"));
                    }
                }
                Err(error) => return Err(damaged(error)),
            }
        }
        Ok(false)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.in_frame = false;
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(written), Some(computed)) if written != computed => Err(damaged("checksum does not match")),
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame {
                self.in_frame = self.next_frame()?;
                if !self.in_frame {
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

fn damaged(error: impl Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("damaged zstd data: {error}"))
}
