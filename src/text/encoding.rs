//! Bytes to text: UTF-8, and the code pages of old records.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A way to decode bytes. All but UTF-8 use one byte per character, so columns do not depend on which of them is used.
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

    /// The name, as users type it.
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
            Some(table) if !bytes.is_ascii() => {
                let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
                for run in bytes.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
                    if run[0].is_ascii() {
                        text.push_str(&String::from_utf8_lossy(run));
                    } else {
                        text.extend(run.iter().map(|&byte| table[usize::from(byte) - 128]));
                    }
                }
                text.into()
            }
            // Nearly all texts are valid, and this check is several times as fast as a search for what is not.
            _ => str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed),
        }
    }

    /// Returns the bytes of a text, or `None` if the encoding lacks one of its characters.
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        let Some(table) = self.table().filter(|_| !text.is_ascii()) else {
            return Some(Cow::Borrowed(text.as_bytes()));
        };
        let above = |letter| table.iter().position(|&other| other == letter).map(|at| at as u8 + 128);
        let byte = |letter: char| if letter.is_ascii() { Some(letter as u8) } else { above(letter) };
        text.chars().map(byte).collect::<Option<Vec<_>>>().map(Cow::Owned)
    }

    /// The characters of the bytes above ASCII; `None` for UTF-8, which needs none.
    const fn table(self) -> Option<&'static [char; 128]> {
        match self {
            Self::Utf8 => None,
            Self::Latin1 => Some(&CP1252),
            Self::Cp1250 => Some(&CP1250),
            Self::Cp1251 => Some(&CP1251),
        }
    }
}

// Undefined bytes are control characters, as in browsers. A crate with all encodings of the web is 130 kB of Chinese, Japanese and
// Korean characters, an eighth of the compressed module for browsers.

#[rustfmt::skip]
const CP1252: [char; 128] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    '\u{A0}', '¡', '¢', '£', '¤', '¥', '¦', '§', '¨', '©', 'ª', '«', '¬', '\u{AD}', '®', '¯',
    '°', '±', '²', '³', '´', 'µ', '¶', '·', '¸', '¹', 'º', '»', '¼', '½', '¾', '¿',
    'À', 'Á', 'Â', 'Ã', 'Ä', 'Å', 'Æ', 'Ç', 'È', 'É', 'Ê', 'Ë', 'Ì', 'Í', 'Î', 'Ï',
    'Ð', 'Ñ', 'Ò', 'Ó', 'Ô', 'Õ', 'Ö', '×', 'Ø', 'Ù', 'Ú', 'Û', 'Ü', 'Ý', 'Þ', 'ß',
    'à', 'á', 'â', 'ã', 'ä', 'å', 'æ', 'ç', 'è', 'é', 'ê', 'ë', 'ì', 'í', 'î', 'ï',
    'ð', 'ñ', 'ò', 'ó', 'ô', 'õ', 'ö', '÷', 'ø', 'ù', 'ú', 'û', 'ü', 'ý', 'þ', 'ÿ',
];

#[rustfmt::skip]
const CP1250: [char; 128] = [
    '€', '\u{81}', '‚', '\u{83}', '„', '…', '†', '‡', '\u{88}', '‰', 'Š', '‹', 'Ś', 'Ť', 'Ž', 'Ź',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '\u{98}', '™', 'š', '›', 'ś', 'ť', 'ž', 'ź',
    '\u{A0}', 'ˇ', '˘', 'Ł', '¤', 'Ą', '¦', '§', '¨', '©', 'Ş', '«', '¬', '\u{AD}', '®', 'Ż',
    '°', '±', '˛', 'ł', '´', 'µ', '¶', '·', '¸', 'ą', 'ş', '»', 'Ľ', '˝', 'ľ', 'ż',
    'Ŕ', 'Á', 'Â', 'Ă', 'Ä', 'Ĺ', 'Ć', 'Ç', 'Č', 'É', 'Ę', 'Ë', 'Ě', 'Í', 'Î', 'Ď',
    'Đ', 'Ń', 'Ň', 'Ó', 'Ô', 'Ő', 'Ö', '×', 'Ř', 'Ů', 'Ú', 'Ű', 'Ü', 'Ý', 'Ţ', 'ß',
    'ŕ', 'á', 'â', 'ă', 'ä', 'ĺ', 'ć', 'ç', 'č', 'é', 'ę', 'ë', 'ě', 'í', 'î', 'ď',
    'đ', 'ń', 'ň', 'ó', 'ô', 'ő', 'ö', '÷', 'ř', 'ů', 'ú', 'ű', 'ü', 'ý', 'ţ', '˙',
];

#[rustfmt::skip]
const CP1251: [char; 128] = [
    'Ђ', 'Ѓ', '‚', 'ѓ', '„', '…', '†', '‡', '€', '‰', 'Љ', '‹', 'Њ', 'Ќ', 'Ћ', 'Џ',
    'ђ', '‘', '’', '“', '”', '•', '–', '—', '\u{98}', '™', 'љ', '›', 'њ', 'ќ', 'ћ', 'џ',
    '\u{A0}', 'Ў', 'ў', 'Ј', '¤', 'Ґ', '¦', '§', 'Ё', '©', 'Є', '«', '¬', '\u{AD}', '®', 'Ї',
    '°', '±', 'І', 'і', 'ґ', 'µ', '¶', '·', 'ё', '№', 'є', '»', 'ј', 'Ѕ', 'ѕ', 'ї',
    'А', 'Б', 'В', 'Г', 'Д', 'Е', 'Ж', 'З', 'И', 'Й', 'К', 'Л', 'М', 'Н', 'О', 'П',
    'Р', 'С', 'Т', 'У', 'Ф', 'Х', 'Ц', 'Ч', 'Ш', 'Щ', 'Ъ', 'Ы', 'Ь', 'Э', 'Ю', 'Я',
    'а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з', 'и', 'й', 'к', 'л', 'м', 'н', 'о', 'п',
    'р', 'с', 'т', 'у', 'ф', 'х', 'ц', 'ч', 'ш', 'щ', 'ъ', 'ы', 'ь', 'э', 'ю', 'я',
];

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads a name in either case; `latin-1` is a subset of `cp1252` and is read as such.
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

/// Minimum number of letters for a game's own evidence to outweigh its file's.
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
            // Only inside words: `½`, `¿` and `£` are symbols between spaces or digits.
            self.central += u64::from(is_central(byte) && (ascii || beside(is_letter)));
        }
    }

    /// The most likely encoding.
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
    fn code_pages_are_those_of_browsers() {
        let pages = [encoding_rs::WINDOWS_1252, encoding_rs::WINDOWS_1250, encoding_rs::WINDOWS_1251];
        let bytes: Vec<u8> = (0..=255).rev().chain(0..=255).collect();
        for (encoding, page) in [Encoding::Latin1, Encoding::Cp1250, Encoding::Cp1251].into_iter().zip(pages) {
            let text = encoding.decode(&bytes);
            assert_eq!(text, page.decode_without_bom_handling(&bytes).0);
            assert_eq!(encoding.encode(&text).as_deref(), Some(&bytes[..]));
            assert_eq!(encoding.encode("日"), None);
        }
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
