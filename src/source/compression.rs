//! Compressed data, recognised by its first bytes and not by its name.

use std::io::{self, Read};
use std::path::Path;

#[cfg(feature = "compression")]
use super::decoders;

/// Number of bytes at the beginning of a file that identify its compression.
pub(super) const MAGIC: usize = 10;

/// File extensions of compressed files, in lower case.
pub(super) const EXTENSIONS: [&str; 4] = ["gz", "zst", "bz2", "xz"];

/// Returns true for the extension of a compressed file.
pub(super) fn has_compressed_extension(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Returns the extension of a path, in lower case, if it is that of a compressed file or an archive. Both are read, but never written.
pub fn compressed_extension(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?;
    EXTENSIONS.into_iter().chain(["zip"]).find(|known| extension.eq_ignore_ascii_case(known))
}

/// Returns a path without the extension of a compressed file.
#[cfg(feature = "cli")]
pub(crate) fn uncompressed(path: &Path) -> std::borrow::Cow<'_, Path> {
    if has_compressed_extension(path) { path.with_extension("").into() } else { path.into() }
}

/// How data is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

impl Compression {
    /// Returns the compression of data that begins with these bytes.
    pub(super) fn of(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            // The second is a skippable frame, which may come first.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            // The header is followed by the first block or by the end of an empty stream.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, ..] => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            _ => Self::None,
        }
    }

    /// Returns a reader of the decompressed data.
    ///
    /// # Errors
    ///
    /// If the crate was built without the feature `compression` and the data is compressed.
    #[cfg(feature = "compression")]
    #[expect(clippy::unnecessary_wraps, reason = "fails without the feature")]
    pub(super) fn decompress(self, stored: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::None => Box::new(stored),
            Self::Gzip => Box::new(decoders::gzip(stored)),
            Self::Zstd => Box::new(decoders::zstd(stored)),
            Self::Bzip2 => Box::new(decoders::bzip2(stored)),
            Self::Xz => Box::new(decoders::xz(stored)),
        })
    }

    #[cfg(not(feature = "compression"))]
    pub(super) fn decompress(self, stored: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        match self {
            Self::None => Ok(Box::new(stored)),
            Self::Gzip => Err(unsupported("gzip")),
            Self::Zstd => Err(unsupported("zstd")),
            Self::Bzip2 => Err(unsupported("bzip2")),
            Self::Xz => Err(unsupported("xz")),
        }
    }
}

#[cfg(not(feature = "compression"))]
fn unsupported(format: &str) -> io::Error {
    let message = format!("{format} data needs the feature `compression` of the crate `pdn`");
    io::Error::new(io::ErrorKind::Unsupported, message)
}
