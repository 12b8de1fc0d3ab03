//! Bytes to text: UTF-8, and the code pages of old records.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A way to decode bytes. All but UTF-8 have one byte for each character, so that columns do not depend on which of them
/// it is.
///
/// # Examples
///
/// ```
/// use pdn::text::Encoding;
///
/// let encoding: Encoding = "Windows-1251".parse()?;
/// assert_eq!((encoding, encoding.to_string().as_str()), (Encoding::Cp1251, "cp1251"));
/// assert_eq!(encoding.decode(b"\xC4\xE0"), "Да");
/// assert_eq!(encoding.encode("Да").as_deref(), Some(&b"\xC4\xE0"[..]));
/// assert_eq!(encoding.encode("é"), None);
/// # Ok::<(), pdn::text::UnknownEncoding>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8, which includes ASCII.
    #[default]
    Utf8,
    /// Windows code page 1252, which includes Latin-1: Western Europe.
    Latin1,
    /// Windows code page 1250: Central Europe.
    Cp1250,
    /// Windows code page 1251: Cyrillic.
    Cp1251,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Self; 4] = [Self::Utf8, Self::Latin1, Self::Cp1250, Self::Cp1251];

    /// The name that users give it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Latin1 => "cp1252",
            Self::Cp1250 => "cp1250",
            Self::Cp1251 => "cp1251",
        }
    }

    /// Returns the text of the bytes; invalid bytes become U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self.table() {
            Some(table) => table.decode_without_bom_handling(bytes).0,
            None => String::from_utf8_lossy(bytes),
        }
    }

    /// Returns the bytes of a text, or `None` if the encoding lacks one of its characters.
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        match self.table().map(|table| table.encode(text)) {
            Some((bytes, _, has_unmappable)) => (!has_unmappable).then_some(bytes),
            None => Some(Cow::Borrowed(text.as_bytes())),
        }
    }

    /// The table of its bytes; UTF-8 needs none.
    const fn table(self) -> Option<&'static encoding_rs::Encoding> {
        match self {
            Self::Utf8 => None,
            Self::Latin1 => Some(encoding_rs::WINDOWS_1252),
            Self::Cp1250 => Some(encoding_rs::WINDOWS_1250),
            Self::Cp1251 => Some(encoding_rs::WINDOWS_1251),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads a name, in any case; `latin-1` is part of `cp1252` and means that.
impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        let plain = name.to_ascii_lowercase().replace(['-', '_', ' '], "").replace("windows", "cp");
        match plain.as_str() {
            "utf8" | "ascii" => Ok(Self::Utf8),
            "cp1252" | "latin1" | "iso88591" => Ok(Self::Latin1),
            "cp1250" => Ok(Self::Cp1250),
            "cp1251" => Ok(Self::Cp1251),
            _ => Err(UnknownEncoding(name.to_owned())),
        }
    }
}

/// The error for text that is not the name of an encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown encoding `{0}`; expected utf-8, cp1250, cp1251, cp1252 or latin-1")]
pub struct UnknownEncoding(String);

/// Evidence for the encoding of bytes that are not UTF-8, collected piece by piece.
///
/// # Examples
///
/// ```
/// use pdn::text::{Encoding, Evidence};
///
/// let mut evidence = Evidence::default();
/// evidence.add(b"[White \"\xC8\xE2\xE0\xED\xEE\xE2\"]");
/// assert_eq!(evidence.encoding(), Encoding::Cp1251);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Letters above ASCII next to another one, as in Cyrillic words.
    together: u64,
    /// Letters above ASCII next to an ASCII letter, as accented letters are.
    accents: u64,
    /// Symbols of cp1252 inside words, which are letters in cp1250.
    central: u64,
}

/// Minimum letters for a game's own evidence to outweigh its file's.
const MIN_STRONG: u64 = 8;

impl Evidence {
    /// Adds a piece of text.
    pub fn add(&mut self, bytes: &[u8]) {
        for (at, &byte) in bytes.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
            let around = [at.checked_sub(1).map(|before| bytes[before]), bytes.get(at + 1).copied()];
            let beside = |kind: fn(u8) -> bool| around.into_iter().flatten().any(kind);
            let ascii = beside(|byte| byte.is_ascii_alphabetic());
            if is_letter(byte) {
                self.together += u64::from(beside(is_letter));
                self.accents += u64::from(ascii);
            }
            self.central += u64::from(is_central(byte) && (ascii || beside(is_letter)));
        }
    }

    /// The likeliest encoding.
    pub const fn encoding(self) -> Encoding {
        if self.together > self.accents {
            Encoding::Cp1251
        } else if self.central > 0 {
            Encoding::Cp1250
        } else {
            Encoding::Latin1
        }
    }

    /// Returns true if the evidence is strong enough to outweigh the rest of the file.
    pub(crate) const fn is_strong(self) -> bool {
        let (more, less) =
            if self.together > self.accents { (self.together, self.accents) } else { (self.accents, self.together) };
        more >= MIN_STRONG && more > 3 * less
    }
}

/// Letters of all three code pages, and Ё and ё.
const fn is_letter(byte: u8) -> bool {
    matches!(byte, 0xC0..=0xFF | 0xA8 | 0xB8)
}

/// Bytes that are letters in cp1250, but symbols, rare letters or undefined in cp1252.
const fn is_central(byte: u8) -> bool {
    matches!(byte, 0x8A | 0x8D..=0x8F | 0x9A | 0x9D..=0x9F | 0xA3 | 0xA5 | 0xAF | 0xB3 | 0xB9 | 0xBC | 0xBE | 0xBF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(text: &str, table: &'static encoding_rs::Encoding) -> Encoding {
        let mut evidence = Evidence::default();
        evidence.add(&table.encode(text).0);
        evidence.encoding()
    }

    #[test]
    fn languages_determine_the_code_page() {
        for text in ["Чемпионат России, Москва", "Ёлкин", "Б. А. Иванов - Н. П. Петров"]
        {
            assert_eq!(detected(text, encoding_rs::WINDOWS_1251), Encoding::Cp1251, "{text}");
        }
        for text in ["Łódź, Wałęsa", "Pražské mistrovství", "Győrfi Žiga", "Mistrzostwa Gdańska, Jeż"] {
            assert_eq!(detected(text, encoding_rs::WINDOWS_1250), Encoding::Cp1250, "{text}");
        }
        for text in ["40° Camp. Città", "André Évènement", "São Paulo, 1ª", "Müßig, 5½ – „x“", "blåbær på ø"]
        {
            assert_eq!(detected(text, encoding_rs::WINDOWS_1252), Encoding::Latin1, "{text}");
        }
    }

    #[test]
    fn names_and_texts() {
        for encoding in Encoding::ALL {
            assert_eq!(encoding.name().parse(), Ok(encoding));
        }
        assert_eq!("latin-1".parse(), Ok(Encoding::Latin1));
        assert!("cp437".parse::<Encoding>().is_err());
        assert_eq!(Encoding::Latin1.decode(b"40\xB0 \x80"), "40° €");
        assert_eq!(Encoding::Utf8.decode(b"a\xB0"), "a\u{FFFD}");
    }
}
