//! Files that are not text.

use std::io::{self, Cursor, Read};

use super::utf16::{Utf16Order, byte_order};

/// Number of bytes at the beginning of a text that show whether it is one.
const SAMPLE: usize = 8 * 1024;

/// Fewer control characters than this make no binary file, and neither do fewer than one in [`MAX_SHARE`] bytes: damaged
/// texts have some, compressed data has one in ten bytes.
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
    (b"redb\x1A\n\xA9\r\n", "a cache of analyses"),
];

/// Returns a reader of the same text.
///
/// # Errors
///
/// If the data is not text. If it cannot be read, the reader returns that error after what could be read.
pub(super) fn require_text(
    mut reader: Box<dyn Read + Send>,
    utf16: Option<Utf16Order>,
) -> io::Result<Box<dyn Read + Send>> {
    let (head, error) = read_sample(&mut reader);
    if let Some(kind) = binary_kind(&head).filter(|_| byte_order(&head, utf16).1.is_none()) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("{kind}, not text")));
    }
    Ok(Box::new(Cursor::new(head).chain(Failure(error)).chain(reader)))
}

/// Returns the first bytes, and the error that prevents reading more of them.
fn read_sample(reader: &mut impl Read) -> (Vec<u8>, Option<io::Error>) {
    let (mut head, mut length) = (vec![0; SAMPLE], 0);
    let error = loop {
        match reader.read(&mut head[length..]) {
            Ok(0) => break None,
            Ok(n) => length += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Some(error),
        }
    };
    head.truncate(length);
    (head, error)
}

/// Returns an error once, if there is one.
struct Failure(Option<io::Error>);

impl Read for Failure {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Returns what a file is whose first bytes these are, if it is not text in an encoding of single bytes or UTF-8.
pub(super) fn binary_kind(head: &[u8]) -> Option<&'static str> {
    let known = KINDS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, kind)| *kind);
    known.or_else(|| (head.get(257..262) == Some(b"ustar")).then_some("a tar archive")).or_else(|| {
        let controls = head.iter().filter(|&&byte| is_control(byte)).count();
        (controls >= MIN_CONTROLS && controls > head.len() / MAX_SHARE).then_some("a binary file")
    })
}

/// Returns true for a character that no text contains; old systems end and fill texts with 0 and 0x1A.
const fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, 0 | b'\t'..=b'\r' | 0x1A | 0x1B) || byte == 0x7F
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_files_are_recognised() {
        for (head, kind) in [
            (&b"%PDF-1.7\n"[..], "a PDF document"),
            (b"PK\x03\x04\x14", "a ZIP archive"),
            (b"redb\x1A\n\xA9\r\n\x05\0\0", "a cache of analyses"),
            (&[[0; 257].as_slice(), b"ustar\x0000"].concat(), "a tar archive"),
            (&(0..=255).collect::<Vec<u8>>(), "a binary file"),
        ] {
            assert_eq!(binary_kind(head), Some(kind));
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
