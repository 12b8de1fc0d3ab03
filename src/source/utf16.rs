//! Byte order marks, UTF-16, and other encodings with several bytes in a character.
//!
//! These are converted to UTF-8 while they are read; all other bytes are passed on unchanged.

use std::io::{self, Cursor, Read};

use super::open::read_head;
use crate::text::Encoding;

/// The relation between offsets in the returned bytes and in the original.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Units {
    /// The bytes are the original.
    #[default]
    Bytes,
    /// The bytes are UTF-8, converted from UTF-16.
    Utf16,
    /// The bytes are UTF-8, converted from another encoding.
    #[cfg_attr(not(feature = "encodings"), expect(dead_code, reason = "without the crate, no encoding is converted"))]
    Other(Encoding),
}

impl Units {
    /// Returns the number of bytes of the original that became these bytes.
    pub(super) fn original_length(self, bytes: &[u8]) -> u64 {
        match self {
            Self::Bytes => bytes.len() as u64,
            Self::Utf16 => 2 * bytes.iter().map(|&byte| units(byte)).sum::<u64>(),
            // Exact where nothing was damaged: each character is encoded in one way.
            Self::Other(encoding) => {
                let text = String::from_utf8_lossy(bytes);
                encoding.encode(&text).map_or(bytes.len(), |original| original.len()) as u64
            }
        }
    }
}

/// Returns the number of UTF-16 units of a character by its first byte in UTF-8; 0 for continuation bytes.
const fn units(byte: u8) -> u64 {
    match byte {
        0x80..=0xBF => 0,
        // Four bytes of UTF-8 are a surrogate pair.
        0xF0.. => 2,
        _ => 1,
    }
}

/// A text without its byte order mark.
pub(super) struct Text {
    pub(super) reader: Box<dyn Read + Send>,
    pub(super) units: Units,
    /// Bytes of the original before the first one returned.
    pub(super) skipped: u64,
}

/// Removes the byte order mark and converts UTF-16 to UTF-8.
///
/// If a byte order is given, the text is UTF-16 in that order, whatever its first bytes are; if an encoding with several bytes in a
/// character is given, the text is in that one.
pub(super) fn decode(
    mut reader: Box<dyn Read + Send>,
    given: Option<Utf16Order>,
    recode: Option<Encoding>,
) -> io::Result<Text> {
    #[cfg(feature = "encodings")]
    if let Some(encoding @ Encoding::Web(web)) = recode {
        let mut decoder = web.new_decoder_without_bom_handling();
        let convert = move |raw: &[u8], is_ended| {
            let mut text = String::with_capacity(decoder.max_utf8_buffer_length(raw.len()).unwrap_or(4 * PIECE));
            let _ = decoder.decode_to_string(raw, &mut text, is_ended);
            text
        };
        let reader = Box::new(Converted::new(reader, convert));
        return Ok(Text { reader, units: Units::Other(encoding), skipped: 0 });
    }
    let _ = recode;
    let head = read_head(&mut reader, 4)?;
    let (skipped, order) = byte_order(&head, given);
    let rest = Cursor::new(head[skipped..].to_vec()).chain(reader);
    Ok(match order {
        None => Text { reader: Box::new(rest), units: Units::Bytes, skipped: skipped as u64 },
        Some(order) => {
            let reader = Box::new(Converted::new(rest, from_utf16(order)));
            Text { reader, units: Units::Utf16, skipped: skipped as u64 }
        }
    })
}

/// Returns the length of the byte order mark of a text that begins with these bytes, and the order if it is UTF-16.
pub(super) fn byte_order(head: &[u8], given: Option<Utf16Order>) -> (usize, Option<Utf16Order>) {
    match *head {
        [0xFF, 0xFE, ..] if given == Some(Utf16Order::Little) => (2, given),
        [0xFE, 0xFF, ..] if given == Some(Utf16Order::Big) => (2, given),
        _ if given.is_some() => (0, given),
        [0xEF, 0xBB, 0xBF, ..] => (3, None),
        [0xFF, 0xFE, ..] => (2, Some(Utf16Order::Little)),
        [0xFE, 0xFF, ..] => (2, Some(Utf16Order::Big)),
        // Without a mark: two ASCII characters, such as `[E`, with which records begin.
        [a, 0, b, 0, ..] if a > 0 && b > 0 => (0, Some(Utf16Order::Little)),
        [0, a, 0, b, ..] if a > 0 && b > 0 => (0, Some(Utf16Order::Big)),
        _ => (0, None),
    }
}

/// The byte order of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Utf16Order {
    /// The low byte of a unit comes first.
    Little,
    /// The high byte of a unit comes first.
    Big,
}

impl Utf16Order {
    /// Returns the order of an encoding with a label of the web; `utf-16` alone is little-endian there.
    pub(crate) fn of_label(label: &str) -> Option<Self> {
        match label.trim().to_ascii_lowercase().replace(['-', '_'], "").as_str() {
            "utf16" | "utf16le" | "ucs2" | "unicode" | "csunicode" | "iso10646ucs2" | "unicodefeff" => {
                Some(Self::Little)
            }
            "utf16be" | "unicodefffe" => Some(Self::Big),
            _ => None,
        }
    }

    const fn unit(self, pair: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(pair),
            Self::Big => u16::from_be_bytes(pair),
        }
    }
}

/// Number of bytes converted at once.
const PIECE: usize = 32 * 1024;

/// Converts to UTF-8 by a function, which takes the next bytes, and whether the text ends after them.
struct Converted<R, C> {
    source: R,
    convert: C,
    ready: Cursor<Vec<u8>>,
    is_ended: bool,
}

impl<R: Read, C: FnMut(&[u8], bool) -> String> Converted<R, C> {
    const fn new(source: R, convert: C) -> Self {
        Self { source, convert, ready: Cursor::new(Vec::new()), is_ended: false }
    }
}

impl<R: Read, C: FnMut(&[u8], bool) -> String> Read for Converted<R, C> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = self.ready.read(buffer)?;
            if n > 0 || self.is_ended || buffer.is_empty() {
                return Ok(n);
            }
            let mut raw = vec![0; PIECE];
            let n = self.source.read(&mut raw)?;
            self.is_ended = n == 0;
            self.ready = Cursor::new((self.convert)(&raw[..n], self.is_ended).into_bytes());
        }
    }
}

/// Returns what converts UTF-16; unpaired surrogates, and half a unit at the end, become U+FFFD.
fn from_utf16(order: Utf16Order) -> impl FnMut(&[u8], bool) -> String {
    let mut left = Vec::new();
    move |raw, is_ended| {
        left.extend_from_slice(raw);
        let pairs = left.chunks_exact(2);
        let mut units: Vec<u16> = pairs.map(|pair| order.unit([pair[0], pair[1]])).collect();
        if !is_ended {
            // The other half of the character comes next.
            units.pop_if(|last| matches!(last, 0xD800..=0xDBFF));
        }
        left.drain(..2 * units.len());
        let chars = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
        chars.chain((is_ended && !left.is_empty()).then_some(char::REPLACEMENT_CHARACTER)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(original: Vec<u8>) -> (Vec<u8>, Units, u64) {
        let mut text = decode(Box::new(Cursor::new(original)), None, None).expect("memory");
        let mut bytes = Vec::new();
        text.reader.read_to_end(&mut bytes).expect("memory");
        (bytes, text.units, text.skipped)
    }

    fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn single_bytes_go_through() {
        for text in [&b""[..], b"1", b"\xe9\xff\0", b"[Event \"a\"]"] {
            assert_eq!(decoded(text.to_vec()), (text.to_vec(), Units::Bytes, 0));
        }
        assert_eq!(decoded(b"\xef\xbb\xbf1.".to_vec()), (b"1.".to_vec(), Units::Bytes, 3));
    }

    #[test]
    fn utf16_of_either_end_with_and_without_mark() {
        let text = "[Event \"\u{e9}\u{1F600}\u{4e16}\"]\r\n".repeat(3000);
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            assert!(decoded(utf16(&format!("\u{feff}{text}"), order)) == (text.clone().into_bytes(), Units::Utf16, 2));
            assert!(decoded(utf16(&text, order)) == (text.clone().into_bytes(), Units::Utf16, 0));
        }
    }

    /// Gives a byte at a time, and pauses before each.
    struct Dripping(Cursor<Vec<u8>>, bool);

    impl Read for Dripping {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(io::ErrorKind::WouldBlock.into()) } else { self.0.read(&mut buffer[..1]) }
        }
    }

    #[test]
    fn characters_are_whole_after_a_pause_within_them() {
        let text = "a\u{e9}\u{1F600}\u{4e16}";
        let original = Dripping(Cursor::new(utf16(text, u16::to_be_bytes)), false);
        let mut reader = Converted::new(original, from_utf16(Utf16Order::Big));
        let mut bytes = Vec::new();
        while reader.read_to_end(&mut bytes).is_err() {}
        assert_eq!(bytes, text.as_bytes());
    }

    #[test]
    fn an_order_that_is_given_is_believed() {
        for (order, bytes) in [(Utf16Order::Little, b"\xff\xfe1\0\0\x04"), (Utf16Order::Big, b"\xfe\xff\0\x31\x04\0")] {
            for skipped in [0, 2] {
                let reader = Box::new(Cursor::new(bytes[skipped..].to_vec()));
                let mut text = String::new();
                let read = decode(reader, Some(order), None).expect("memory").reader.read_to_string(&mut text);
                assert!(read.is_ok() && text == "1\u{400}", "{text}");
            }
        }
    }

    #[cfg(feature = "encodings")]
    #[test]
    fn characters_of_several_bytes_are_converted() {
        let encoding: Encoding = "shift_jis".parse().expect("a label");
        let text = "[Event \"表 {十}\"]\r\n".repeat(3000);
        let original = encoding.encode(&text).expect("all characters").into_owned();
        let length = original.len() as u64;
        let mut found = decode(Box::new(Cursor::new(original)), None, Some(encoding)).expect("memory");
        let mut bytes = String::new();
        found.reader.read_to_string(&mut bytes).expect("memory");
        assert!(bytes == text && found.units.original_length(bytes.as_bytes()) == length);
    }

    #[test]
    fn broken_utf16_is_survived() {
        let mut original = utf16("\u{feff}a", u16::to_le_bytes);
        original.extend(0xD800_u16.to_le_bytes());
        original.push(7);
        assert_eq!(decoded(original).0, "a\u{fffd}\u{fffd}".as_bytes());
    }

    #[test]
    fn lengths_of_the_original() {
        let text = "a\u{e9}\u{4e16}\u{1F600}";
        assert_eq!(Units::Utf16.original_length(text.as_bytes()), utf16(text, u16::to_le_bytes).len() as u64);
        assert_eq!(Units::Bytes.original_length(text.as_bytes()), text.len() as u64);
    }
    /// Fails after some bytes.
    struct Failing(Cursor<Vec<u8>>);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = self.0.read(buffer)?;
            if n == 0 && !buffer.is_empty() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(n) }
        }
    }

    #[test]
    fn nothing_is_lost_before_an_error() {
        let text = "[Event \"a\"]\r\n".repeat(5000);
        let original = utf16(&format!("\u{feff}{text}"), u16::to_le_bytes);
        let mut reader = decode(Box::new(Failing(Cursor::new(original))), None, None).expect("memory").reader;
        let mut bytes = Vec::new();
        let error = reader.read_to_end(&mut bytes).expect_err("the error of the source");
        assert!(error.kind() == io::ErrorKind::TimedOut && bytes == text.as_bytes(), "{}", bytes.len());
    }
}
