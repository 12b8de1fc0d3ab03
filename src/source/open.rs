//! Opening inputs, and recognising those that are not text.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::compression::{Compression, MAGIC, has_compressed_extension};
use super::input::Storage;
use super::utf16::{Utf16Order, byte_order};
use super::{ChunkOptions, Chunks, Input};
use crate::error::{Error, Result};
use crate::pdn::game_starts;
use crate::text::Format;

impl Input {
    /// Opens the input for reading, and decompresses it if its first bytes identify a compressed file.
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
    ///     games += pdn::games(chunk?.bytes()).count();
    /// }
    /// assert_eq!(games, 8);
    /// # Ok::<(), pdn::Error>(())
    /// ```
    pub fn chunks(&self, options: &ChunkOptions) -> Result<Chunks> {
        let reader = self.open_counting(Arc::clone(&options.bytes_read))?;
        let options = ChunkOptions {
            utf16: options.utf16.or(self.utf16),
            recode: options.recode.or(self.recode),
            ..options.clone()
        };
        let text = require_text(reader, options.utf16, options.eager.is_some())
            .map_err(|error| Error::read(self.label(), error))?;
        Chunks::new(self.label(), text, &options)
    }

    /// Returns true for a compressed file, judged by its first bytes, and a member of an archive; false for standard input and
    /// streams, which cannot be read in advance.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn is_compressed(&self) -> Result<bool> {
        let Storage::File(path) = &self.storage else { return Ok(self.path().is_some()) };
        let head = File::open(path).and_then(|mut file| read_head(&mut file, MAGIC));
        let head = head.map_err(|error| Error::read(self.label(), error))?;
        Ok(Compression::of(&head) != Compression::None)
    }

    /// Returns the format of the records, judged by their first bytes. Standard input and streams are used up by it.
    ///
    /// # Errors
    ///
    /// If the input cannot be read.
    pub(crate) fn format(&self) -> Result<Format> {
        let head = read_head(&mut self.open()?, Format::HEAD).map_err(|error| Error::read(self.label(), error))?;
        Ok(Format::of(&head))
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
            #[cfg(feature = "zip")]
            Storage::Member(path, member) => member.expand(counted(Box::new(member.open(path)?)))?,
        };
        let head = read_head(&mut stored, MAGIC)?;
        let compression = Compression::of(&head);
        // The name alone is not proof, but a file that ends before its format can be recognised would pass for text.
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

/// Number of leading bytes that decide whether a file is text.
const SAMPLE: usize = 8 * 1024;

/// Minimum control characters in a binary file: this many, and more than one in [`MAX_SHARE`] bytes. Damaged texts have
/// some, compressed data has one in ten bytes.
const MIN_CONTROLS: usize = 16;
const MAX_SHARE: usize = 16;

/// The first bytes of kinds of files that people pass by mistake.
const KINDS: [(&[u8], &str); 14] = [
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
    (b"Rar!\x1A\x07", "a RAR archive"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xFF\xD8\xFF", "a JPEG picture"),
    (b"GIF89a", "a GIF picture"),
    (b"GIF87a", "a GIF picture"),
    (b"\x7FELF", "a program"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an Office document"),
    (b"PAR1", "a Parquet file"),
    (b"{\"journal\":\"games\"", "a journal of annotated games"),
];

/// Returns a reader of the same text.
///
/// # Errors
///
/// If the data is not text. If it cannot be read, the reader returns that error after what could be read.
fn require_text(
    mut reader: Box<dyn Read + Send>,
    utf16: Option<Utf16Order>,
    is_eager: bool,
) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::with_capacity(SAMPLE);
    let error =
        if is_eager { read_until_record(&mut reader, &mut head) } else { read_sample(&mut reader, &mut head) }.err();
    // UTF-16 is text, though its bytes may look like control characters.
    // Images of Paint.NET begin with `PDN` too; their reader names them.
    let is_binary = byte_order(&head, utf16).1.is_none() && Format::of(&head) != Format::Image;
    if let Some(kind) = binary_kind(&head).filter(|_| is_binary) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("{kind}, not text")));
    }
    Ok(Box::new(Cursor::new(head).chain(Failure(error)).chain(reader)))
}

/// Reads as many bytes as decide whether an input is text.
fn read_sample(reader: &mut impl Read, head: &mut Vec<u8>) -> io::Result<()> {
    reader.take((SAMPLE - head.len()) as u64).read_to_end(head).map(drop)
}

/// Reads as many bytes as decide whether a stream is text: as little as the beginning of a record in PDN.
fn read_until_record(reader: &mut impl Read, head: &mut Vec<u8>) -> io::Result<()> {
    /// Length of the beginning of a record.
    const BEGINNING: usize = 16;
    reader.take(BEGINNING as u64).read_to_end(head)?;
    if begins_record(head) { Ok(()) } else { read_sample(reader, head) }
}

/// Returns true if a text begins with a tag, a comment that begins with a letter or digit, or a move, and has no sign of a binary file.
fn begins_record(head: &[u8]) -> bool {
    if head.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()) {
        return false;
    }
    let start = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    match start {
        [b'[', first, _, ..] => first.is_ascii_alphabetic(),
        [b'{', first, _, ..] => first.is_ascii_alphanumeric(),
        _ => game_starts(start, true).first() == Some(&0),
    }
}

/// Returns an error once, if there is one.
struct Failure(Option<io::Error>);

impl Read for Failure {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Returns the kind of a file with these first bytes; `None` for UTF-8 and texts of single bytes.
fn binary_kind(head: &[u8]) -> Option<&'static str> {
    let known = KINDS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, kind)| *kind);
    // A tar archive begins with the name of a file; its mark is further on.
    known.or_else(|| (head.get(257..262) == Some(b"ustar")).then_some("a tar archive")).or_else(|| {
        let controls = head.iter().filter(|&&byte| is_control(byte)).count();
        (controls >= MIN_CONTROLS && controls > head.len() / MAX_SHARE).then_some("a binary file")
    })
}

/// Returns true for control characters that do not occur in text. Old systems end and pad texts with 0 and 0x1A.
const fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, 0 | b'\t'..=b'\r' | 0x1A | 0x1B) || byte == 0x7F
}

#[cfg(test)]
mod binary_tests {
    use super::*;

    #[test]
    fn binary_files_are_recognised() {
        for (head, kind) in [
            (&b"%PDF-1.7\n"[..], "a PDF document"),
            (b"PK\x03\x04\x14", "a ZIP archive"),
            (b"{\"journal\":\"games\",\"version\":1}\n", "a journal of annotated games"),
            (&[[0; 257].as_slice(), b"ustar\x0000"].concat(), "a tar archive"),
            (&(0..=255).collect::<Vec<u8>>(), "a binary file"),
        ] {
            assert_eq!(binary_kind(head), Some(kind));
        }
    }

    #[test]
    fn records_are_recognised_by_their_beginnings() {
        for head in
            ["[Event \"a", "\u{feff}\n [Event \"a", "{round 1}\n[Event", "1. 32-28 19-23 *", "\u{feff}1. 32-28 19-"]
        {
            assert!(begins_record(head.as_bytes()), "{head}");
        }
        for head in [
            "",
            "[",
            "{\"id\":\"a\"",
            "{\\rtf1",
            "1.pdn\0\0\0\0",
            "12-34\0\0\0\0",
            "[Event \"\u{1}",
            "%PDF-1.7\n",
            "[1, 2]",
            "PDN3",
            "a letter about 12",
        ] {
            assert!(!begins_record(head.as_bytes()), "{head}");
        }
    }

    #[test]
    fn text_in_any_code_page_is_text() {
        let letters: Vec<u8> = (0x80..=0xFF).chain(0x20..0x7F).collect();
        for text in [&b""[..], b"\0", b"1. 32-28 \x1A", b"[Event \"e\"]\r\n\t1. 32-28\x0C", &letters, "Ёж é".as_bytes()]
        {
            assert_eq!(binary_kind(text), None, "{text:?}");
        }
        let padded = [&b"1. 32-28 19-23 ".repeat(60)[..], &[0; 1000]].concat();
        assert_eq!(binary_kind(&padded), None);
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
