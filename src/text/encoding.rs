//! Bytes to text: UTF-8, and the code pages that old records are written in.

use std::borrow::Cow;
use std::fmt;

/// How bytes are turned into text. All but UTF-8 have one byte for each character, so that columns do not depend on which
/// of them it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// UTF-8, of which ASCII is a part.
    #[default]
    Utf8,
    /// Windows code page 1252, of which Latin-1 is a part: the west of Europe.
    Latin1,
    /// Windows code page 1250: the middle of Europe.
    Cp1250,
    /// Windows code page 1251: Cyrillic.
    Cp1251,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Self; 4] = [Self::Utf8, Self::Latin1, Self::Cp1250, Self::Cp1251];

    /// What users call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Latin1 => "cp1252",
            Self::Cp1250 => "cp1250",
            Self::Cp1251 => "cp1251",
        }
    }

    /// Finds an encoding by its name, in any case; `latin-1` is a part of `cp1252` and stands for that.
    pub fn by_name(name: &str) -> Option<Self> {
        let plain = name.to_ascii_lowercase().replace(['-', '_', ' '], "").replace("windows", "cp");
        match plain.as_str() {
            "utf8" | "ascii" => Some(Self::Utf8),
            "cp1252" | "latin1" | "iso88591" => Some(Self::Latin1),
            "cp1250" => Some(Self::Cp1250),
            "cp1251" => Some(Self::Cp1251),
            _ => None,
        }
    }

    /// Returns the text of the bytes; what is no character becomes U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        let table = match self {
            Self::Utf8 => return String::from_utf8_lossy(bytes),
            Self::Latin1 => encoding_rs::WINDOWS_1252,
            Self::Cp1250 => encoding_rs::WINDOWS_1250,
            Self::Cp1251 => encoding_rs::WINDOWS_1251,
        };
        table.decode_without_bom_handling(bytes).0
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "UTF-8",
            Self::Latin1 => "Latin-1 (cp1252)",
            Self::Cp1250 => "cp1250",
            Self::Cp1251 => "cp1251",
        })
    }
}

/// What bytes that are no UTF-8 tell of their encoding.
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
    /// Letters above ASCII beside another one: words of Cyrillic are made of them.
    together: u64,
    /// Letters above ASCII beside an ASCII letter, as accents are.
    accents: u64,
    /// Signs of cp1252 inside words, which in cp1250 are letters.
    central: u64,
}

/// Words that must speak for themselves before a game is believed against its file.
const STRONG: u64 = 8;

impl Evidence {
    /// Takes a piece of text.
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

    /// Whether a game alone tells as much as to be believed, whatever the rest of its file is.
    pub const fn is_strong(self) -> bool {
        let (more, less) =
            if self.together > self.accents { (self.together, self.accents) } else { (self.accents, self.together) };
        more >= STRONG && more > 3 * less
    }
}

/// Letters of all three code pages, and Ё and ё.
const fn is_letter(byte: u8) -> bool {
    matches!(byte, 0xC0..=0xFF | 0xA8 | 0xB8)
}

/// Bytes that are letters in cp1250, and in cp1252 signs, nothing, or letters that its languages hardly use.
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
    fn languages_tell_their_code_page() {
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
            assert_eq!(Encoding::by_name(encoding.name()), Some(encoding));
        }
        assert_eq!(Encoding::by_name("Windows-1251"), Some(Encoding::Cp1251));
        assert_eq!(Encoding::by_name("latin-1"), Some(Encoding::Latin1));
        assert_eq!(Encoding::Latin1.decode(b"40\xB0 \x80"), "40° €");
        assert_eq!(Encoding::Utf8.decode(b"a\xB0"), "a\u{FFFD}");
    }
}
