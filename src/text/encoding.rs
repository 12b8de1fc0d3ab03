//! Bytes to text: UTF-8, and the code pages of old records.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::error::ParseError;

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
/// # Ok::<(), pdn::ParseError>(())
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
    /// Windows code page 1257: the Baltic.
    Cp1257,
    /// DOS code page 866: Cyrillic.
    Cp866,
    /// KOI8-R: Cyrillic.
    Koi8R,
    /// DOS code page 437: the first one.
    Cp437,
    /// DOS code page 850: Western Europe.
    Cp850,
    /// Another encoding of the web, by any of its labels in the Encoding Standard.
    #[cfg(feature = "encodings")]
    Web(&'static encoding_rs::Encoding),
}

// The last private characters of Unicode, which records do not have.
/// The start of the characters that stand for bytes that could not be read: U+10FF80 for the byte 0x80.
const KEPT_BYTES: u32 = 0x10_FF00;

impl Encoding {
    /// All encodings that are known without the feature `encodings`.
    pub const ALL: [Self; 9] = [
        Self::Utf8,
        Self::Latin1,
        Self::Cp1250,
        Self::Cp1251,
        Self::Cp1257,
        Self::Cp866,
        Self::Koi8R,
        Self::Cp437,
        Self::Cp850,
    ];

    /// The name, as users type it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Latin1 => "cp1252",
            Self::Cp1250 => "cp1250",
            Self::Cp1251 => "cp1251",
            Self::Cp1257 => "cp1257",
            Self::Cp866 => "cp866",
            Self::Koi8R => "koi8-r",
            Self::Cp437 => "cp437",
            Self::Cp850 => "cp850",
            #[cfg(feature = "encodings")]
            Self::Web(web) => web.name(),
        }
    }

    /// Returns the text of the bytes; invalid bytes become U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        #[cfg(feature = "encodings")]
        if let Self::Web(web) = self {
            return web.decode_without_bom_handling(bytes).0;
        }
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

    /// Returns the text of the bytes as [`decode`](Self::decode) does, but with a private character for each invalid byte of
    /// UTF-8, from which [`restored`](Self::restored) gets the byte back.
    pub(crate) fn decode_keeping(self, bytes: &[u8]) -> Cow<'_, str> {
        if self != Self::Utf8 || str::from_utf8(bytes).is_ok() {
            return self.decode(bytes);
        }
        let mut text = String::with_capacity(bytes.len() + 8);
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().filter_map(|&byte| char::from_u32(KEPT_BYTES + u32::from(byte))));
        }
        text.into()
    }

    /// Returns the bytes of a text in UTF-8, with those that [`decode_keeping`](Self::decode_keeping) could not read.
    pub(crate) fn restored(text: &str) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(text.len());
        for letter in text.chars() {
            match u32::from(letter).checked_sub(KEPT_BYTES) {
                Some(byte @ 0x80..=0xFF) => bytes.push(byte as u8),
                _ => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        bytes
    }

    /// Returns the bytes of a text, or `None` if the encoding lacks one of its characters.
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        #[cfg(feature = "encodings")]
        if let Self::Web(web) = self {
            let (bytes, _, has_unmappable) = web.encode(text);
            return (!has_unmappable).then_some(bytes);
        }
        let Some(table) = self.table().filter(|_| !text.is_ascii()) else {
            return Some(Cow::Borrowed(text.as_bytes()));
        };
        let above = |letter| table.iter().position(|&other| other == letter).map(|at| at as u8 + 128);
        let byte = |letter: char| if letter.is_ascii() { Some(letter as u8) } else { above(letter) };
        text.chars().map(byte).collect::<Option<Vec<_>>>().map(Cow::Owned)
    }

    /// Returns true if each character is one byte, or the text is UTF-8: then games are decoded separately. Other text is converted
    /// while it is read, since a byte of a character may look like a bracket.
    pub(crate) fn is_of_games(self) -> bool {
        match self {
            #[cfg(feature = "encodings")]
            Self::Web(web) => web.is_single_byte(),
            _ => true,
        }
    }

    /// The characters of the bytes above ASCII; `None` for UTF-8, which needs none.
    const fn table(self) -> Option<&'static [char; 128]> {
        match self {
            Self::Utf8 => None,
            Self::Latin1 => Some(&CP1252),
            Self::Cp1250 => Some(&CP1250),
            Self::Cp1251 => Some(&CP1251),
            Self::Cp1257 => Some(&CP1257),
            Self::Cp866 => Some(&CP866),
            Self::Koi8R => Some(&KOI8_R),
            Self::Cp437 => Some(&CP437),
            Self::Cp850 => Some(&CP850),
            #[cfg(feature = "encodings")]
            Self::Web(_) => None,
        }
    }
}

// Undefined bytes are control characters, as in browsers. The crate with all web encodings adds 130 kB of Chinese, Japanese and
// Korean characters, an eighth of the compressed browser module, so that module uses only these tables.

/// Returns the characters of a text, which has 128 of at most three bytes each.
const fn table(text: &str) -> [char; 128] {
    let (bytes, mut table, mut at, mut n) = (text.as_bytes(), ['\0'; 128], 0, 0);
    while at < bytes.len() {
        let (first, len) = match bytes[at] {
            lead @ 0xE0.. => (lead as u32 & 0xF, 3),
            lead @ 0xC0.. => (lead as u32 & 0x1F, 2),
            lead => (lead as u32, 1),
        };
        let (mut code, mut next) = (first, at + 1);
        while next < at + len {
            code = code << 6 | bytes[next] as u32 & 0x3F;
            next += 1;
        }
        if let Some(letter) = char::from_u32(code) {
            table[n] = letter;
        }
        (at, n) = (at + len, n + 1);
    }
    assert!(n == 128, "a character for each byte");
    table
}

const CP1252: [char; 128] = table(concat!(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ",
    "\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿",
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß",
    "àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
));

const CP1250: [char; 128] = table(concat!(
    "€\u{81}‚\u{83}„…†‡\u{88}‰Š‹ŚŤŽŹ\u{90}‘’“”•–—\u{98}™š›śťžź",
    "\u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż",
    "ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß",
    "ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
));

const CP1251: [char; 128] = table(concat!(
    "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ",
    "\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї",
    "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ",
    "абвгдежзийклмнопрстуфхцчшщъыьэюя",
));

const CP1257: [char; 128] = table(concat!(
    "€\u{81}‚\u{83}„…†‡\u{88}‰\u{8A}‹\u{8C}¨ˇ¸\u{90}‘’“”•–—\u{98}™\u{9A}›\u{9C}¯˛\u{9F}",
    "\u{A0}¡¢£¤¥¦§Ø©Ŗ«¬\u{AD}®Æ°±²³´µ¶·ø¹ŗ»¼½¾æ",
    "ĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽß",
    "ąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüżž˙",
));

const CP866: [char; 128] = table(concat!(
    "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ",
    "абвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐",
    "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀",
    "рстуфхцчшщъыьэюяЁёЄєЇїЎў°∙·√№¤■\u{A0}",
));

const KOI8_R: [char; 128] = table(concat!(
    "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{A0}⌡°²·÷",
    "═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©",
    "юабцдефгхийклмнопярстужвьызшэщчъ",
    "ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ",
));

const CP437: [char; 128] = table(concat!(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ",
    "áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐",
    "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀",
    "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}",
));

const CP850: [char; 128] = table(concat!(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ",
    "áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐",
    "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀",
    "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}",
));

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads a name in either case: those of [`Encoding::ALL`], and with the feature `encodings` each label of the Encoding Standard but
/// those of UTF-16. `latin-1` is a subset of `cp1252` and is read as such, as browsers do.
impl FromStr for Encoding {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<Self, ParseError> {
        let plain = name.trim().to_ascii_lowercase().replace(['-', '_', ' '], "").replace("windows", "cp");
        match plain.trim_start_matches("cp").trim_start_matches("ibm") {
            "utf8" => Ok(Self::Utf8),
            "1252" | "latin1" | "iso88591" | "ascii" | "usascii" => Ok(Self::Latin1),
            "1250" => Ok(Self::Cp1250),
            "1251" => Ok(Self::Cp1251),
            "1257" => Ok(Self::Cp1257),
            "866" => Ok(Self::Cp866),
            "koi8r" => Ok(Self::Koi8R),
            "437" => Ok(Self::Cp437),
            "850" => Ok(Self::Cp850),
            _ => Self::of_label(name).ok_or_else(|| {
                let expected = "a web encoding label such as utf-8, windows-1251 or koi8-r, or cp437 or cp850";
                ParseError::new(format!("unknown encoding `{name}`; expected {expected}"))
            }),
        }
    }
}

impl Encoding {
    /// Returns the encoding with a label of the Encoding Standard.
    #[cfg(feature = "encodings")]
    fn of_label(label: &str) -> Option<Self> {
        let found = encoding_rs::Encoding::for_label_no_replacement(label.as_bytes())?;
        // Of the names, only cp437 and cp850 are no labels.
        let is_known = |known: &&Self| encoding_rs::Encoding::for_label(known.name().as_bytes()) == Some(found);
        // UTF-16 is converted while a file is read, so that no game has it.
        let is_wide = found == encoding_rs::UTF_16LE || found == encoding_rs::UTF_16BE;
        let other = || (!is_wide).then_some(Self::Web(found));
        Self::ALL.iter().find(is_known).copied().or_else(other)
    }

    #[cfg(not(feature = "encodings"))]
    const fn of_label(_: &str) -> Option<Self> {
        None
    }
}

/// Evidence for the encoding of bytes that are not UTF-8, collected piece by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// Characters above ASCII that are valid UTF-8, and bytes that are not.
    valid: u64,
    invalid: u64,
    /// Letters above ASCII next to another one, as in Cyrillic words: letters of cp1251 and KOI8-R, and of cp866.
    together: [u64; 2],
    /// Those letters next to an ASCII letter, as accented letters are.
    accents: [u64; 2],
    /// Letters of the DOS pages of Western Europe inside words of ASCII letters, which are symbols in the Windows pages.
    western_dos: u64,
    /// Symbols of cp1252 inside words, which are letters in cp1250.
    central: u64,
    /// How often each byte above ASCII begins a word, and is inside or at the end of one.
    bytes: [[u32; 128]; 2],
}

impl Default for Evidence {
    fn default() -> Self {
        Self {
            valid: 0,
            invalid: 0,
            together: [0; 2],
            accents: [0; 2],
            western_dos: 0,
            central: 0,
            bytes: [[0; 128]; 2],
        }
    }
}

/// Minimum number of letters for a game's own evidence to outweigh its file's.
const MIN_STRONG: u64 = 8;

/// Russian letters by frequency, from the most frequent one on: a tenth of all letters to a thousandth.
const RUSSIAN: &str = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфёъ";

/// What a letter that begins a word counts in Cyrillic, more so a capital before small letters, and what a symbol inside a word
/// counts.
const INITIAL: [i64; 2] = [800, 100];
const SYMBOL: i64 = -600;

/// Letters of Western Europe in words, by what they count, from 4 to 2.
const WESTERN: [&str; 3] = ["éäöüáíóèàçãñåøæßêô", "òì", "úõîâëïûùðþÉÖÄÜÁÅØÓÇÀÈÑÆÊÍ"];
/// Letters of Latvian and Lithuanian; those of Estonian have the same bytes in cp1252.
const BALTIC: [&str; 3] = ["āīēšžčūņļķģąęėįų", "", "äöüõéóĀĪĒŠŽČŪŅĻĶĢĄĘĖĮŲ"];

impl Evidence {
    /// Returns the evidence of a text.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut evidence = Self::default();
        evidence.add(bytes);
        evidence
    }

    /// Adds a piece of text.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for chunk in bytes.utf8_chunks() {
            for letter in chunk.valid().chars().filter(|letter| !letter.is_ascii()) {
                let count = if is_word_of_866(letter) { &mut self.invalid } else { &mut self.valid };
                *count += 1;
            }
            self.invalid += chunk.invalid().len() as u64;
        }
        for (at, &byte) in bytes.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
            let before = at.checked_sub(1).map(|before| bytes[before]);
            if is_sign(before, byte, bytes.get(at + 1).copied()) {
                continue;
            }
            let sides = [before, bytes.get(at + 1).copied()];
            let latin = sides.map(|side| side.is_some_and(|byte| byte.is_ascii_alphabetic()));
            let ascii = latin.contains(&true);
            self.count(0, is_letter, byte, sides);
            self.count(1, is_letter_of_866, byte, sides);
            self.western_dos += u64::from(is_western_dos(byte, latin));
            // Only inside words: `½`, `¿` and `£` are symbols between spaces or digits.
            self.central += u64::from(is_central(byte) && (ascii || sides.into_iter().flatten().any(is_letter)));
            let is_inside = before.is_some_and(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
            let count = &mut self.bytes[usize::from(is_inside)][usize::from(byte) - 128];
            *count = count.saturating_add(1);
        }
    }

    /// Counts a byte that is a letter in the Windows pages or in cp866, by what is beside it.
    fn count(&mut self, n: usize, is_letter: impl Fn(u8) -> bool, byte: u8, sides: [Option<u8>; 2]) {
        if is_letter(byte) {
            self.together[n] += u64::from(sides.into_iter().flatten().any(&is_letter));
            self.accents[n] += u64::from(sides.into_iter().flatten().any(|side| side.is_ascii_alphabetic()));
        }
    }

    /// The most likely encoding. A few bad bytes in UTF-8 are damage, not another encoding.
    pub(crate) fn encoding(self) -> Encoding {
        if self.is_damaged_utf8() {
            Encoding::Utf8
        } else if self.is_cyrillic() {
            let pages = [Encoding::Cp1251, Encoding::Koi8R, Encoding::Cp866];
            let score = |page: &Encoding| self.russian(*page);
            // The last of equal ones is the largest to `max_by_key`.
            pages.into_iter().rev().max_by_key(score).unwrap_or(Encoding::Cp1251)
        } else if self.western_dos > 0 && self.western_dos >= self.accents[0] {
            // It has all letters of cp437.
            Encoding::Cp850
        } else if self.central > 0 {
            Encoding::Cp1250
        } else {
            // Only more than a word decides for the rarer one.
            let [western, baltic] = [(Encoding::Latin1, WESTERN), (Encoding::Cp1257, BALTIC)]
                .map(|(page, letters)| self.latin(page, letters));
            if 4 * baltic > 5 * western + 8 { Encoding::Cp1257 } else { Encoding::Latin1 }
        }
    }

    /// Returns true if at least half as many characters are UTF-8 as bytes are not: hardly any text in a code page has such bytes.
    pub(crate) const fn is_damaged_utf8(self) -> bool {
        self.valid > 0 && 2 * self.valid >= self.invalid
    }

    fn is_cyrillic(self) -> bool {
        let [windows, dos] = self.accents;
        self.together[0] > windows || self.together[1] > windows.max(dos)
    }

    /// Returns how well the bytes fit Russian in a code page.
    fn russian(self, page: Encoding) -> i64 {
        let small = |letter: char| letter.to_lowercase().next().unwrap_or(letter);
        // The same bytes are small letters in one page and capitals in another: words of capitals have no initial ones.
        let inside = self.sum(page, |letter, is_inside| match small(letter) {
            other if !is_inside || !other.is_alphabetic() => 0,
            other => {
                if other == letter {
                    1
                } else {
                    -1
                }
            }
        });
        self.sum(page, |letter, is_inside| {
            let is_capital = small(letter) != letter;
            let rank = RUSSIAN.chars().position(|other| other == small(letter));
            match rank {
                Some(_) if !is_inside => INITIAL[usize::from(!is_capital || inside < 0)],
                // About the logarithm of the frequency. Of 36 names, titles and remarks in three code pages, all are distinguished
                // if capitals count so, and seven are not if they count seven tenths.
                Some(rank) if is_capital => (33 - rank as i64) * 17,
                Some(rank) => (33 - rank as i64) * 20,
                None if letter.is_alphabetic() => 0,
                None => SYMBOL,
            }
        })
    }

    /// Returns how well the bytes fit the letters of some languages in a code page.
    fn latin(self, page: Encoding, letters: [&str; 3]) -> i64 {
        let value = |letter| letters.iter().zip([4, 3, 2]).find(|(known, _)| known.contains(letter));
        self.sum(page, |letter, _| value(letter).map_or(0, |(_, value)| value))
    }

    fn sum(self, page: Encoding, value: impl Fn(char, bool) -> i64) -> i64 {
        let Some(table) = page.table() else { return 0 };
        let of = |is_inside: bool| {
            let counts = self.bytes[usize::from(is_inside)].iter().zip(table);
            counts.map(|(&count, &letter)| i64::from(count) * value(letter, is_inside)).sum::<i64>()
        };
        of(false) + of(true)
    }

    /// Returns true if the evidence is strong enough to outweigh the rest of the file.
    pub(crate) fn is_strong(self) -> bool {
        let together = self.together[0].max(self.together[1]);
        // Among the letters of cp866 are the apostrophes and dashes of the Windows pages.
        let accents = self.accents[0].max(self.western_dos);
        together.max(accents) >= MIN_STRONG && together.max(accents) > 3 * together.min(accents)
    }
}

/// Returns true for an ellipsis, a dash or a space of the Windows code pages that is not in a word, as in `32–28`: in cp866, these bytes are
/// letters.
const fn is_sign(before: Option<u8>, byte: u8, after: Option<u8>) -> bool {
    let follows_letter = matches!(before, Some(b'a'..=b'z' | b'A'..=b'Z' | 0x80..));
    let begins_word = matches!(after, Some(b'a'..=b'z' | b'A'..=b'Z' | 0x80..)) && !matches!(before, Some(b'0'..=b'9'));
    matches!(byte, 0x85 | 0x96 | 0x97 | 0xA0) && !follows_letter && !begins_word
}

/// Letters of the code pages 1250 to 1257 and of KOI8-R, and Ё and ё of cp1251.
const fn is_letter(byte: u8) -> bool {
    matches!(byte, 0xC0..=0xFF | 0xA8 | 0xB8)
}

/// Returns true for a character whose three bytes in UTF-8 are three letters in cp866 that often follow one another, such as `рам`.
fn is_word_of_866(letter: char) -> bool {
    matches!(letter.encode_utf8(&mut [0; 4]).as_bytes(), [0xE0 | 0xE1 | 0xE3, 0x80..=0xAF, 0x80..=0xAF])
}

/// Letters of cp866.
const fn is_letter_of_866(byte: u8) -> bool {
    matches!(byte, 0x80..=0xAF | 0xE0..=0xF1)
}

/// Returns true for a letter of cp437 and cp850 whose byte is a symbol in the Windows pages: between two letters, or, for `ü` and `é`,
/// after one. Quotation marks, apostrophes and dashes, which may follow a letter, are excluded.
const fn is_western_dos(byte: u8, [follows, precedes]: [bool; 2]) -> bool {
    let between = matches!(
        byte,
        0x80..=0x84 | 0x86..=0x89 | 0x8B | 0x90 | 0x93..=0x95 | 0x98 | 0x99 | 0x9B | 0xA1 | 0xA2 | 0xA4
    );
    follows && (between && precedes || matches!(byte, 0x81 | 0x82))
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
        let pages = [
            encoding_rs::WINDOWS_1252,
            encoding_rs::WINDOWS_1250,
            encoding_rs::WINDOWS_1251,
            encoding_rs::WINDOWS_1257,
            encoding_rs::IBM866,
            encoding_rs::KOI8_R,
        ];
        let bytes: Vec<u8> = (0..=255).rev().chain(0..=255).filter(|byte| !matches!(byte, 0xA1 | 0xA5)).collect();
        for (encoding, page) in Encoding::ALL[1..].iter().zip(pages) {
            let text = encoding.decode(&bytes);
            assert_eq!(text, page.decode_without_bom_handling(&bytes).0, "{encoding}");
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
        for text in [
            "Чемпионат России, Москва",
            "Куперман, Исер",
            "Иванов, Сергей",
            "ПЕТРОВ, СИДОРОВ",
            "первенство города среди школьников",
            "хороший ход, белые стоят",
            "лучше было бить назад",
            "теперь белые проходят в дамки",
            "ЧЕМПИОНАТ РОССИИ",
        ] {
            for (page, encoding) in [
                (encoding_rs::WINDOWS_1251, Encoding::Cp1251),
                (encoding_rs::KOI8_R, Encoding::Koi8R),
                (encoding_rs::IBM866, Encoding::Cp866),
            ] {
                assert_eq!(detected(text, page), encoding, "{text}");
            }
        }
        for text in
            ["Vītoliņš, Guntis", "Rīgas čempionāts, Bērziņš", "Lietuvos čempionatas, Žukauskas, Šiauliai, Būdienė"]
        {
            assert_eq!(detected(text, encoding_rs::WINDOWS_1257), Encoding::Cp1257, "{text}");
        }
        for text in [
            "Guðmundsson, Þór, Sigurðsson",
            "però, così, più, può, Forlì",
            "Benoît, Évêque, île, août, été",
            "Sørensen, Ærø, Århus",
        ] {
            assert_eq!(detected(text, encoding_rs::WINDOWS_1252), Encoding::Latin1, "{text}");
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
    fn letters_of_dos_in_latin_words_are_western() {
        for (text, expected) in [
            ("Müller, Jörg", Encoding::Cp850),
            ("Müßig, Jürgen", Encoding::Cp850),
            ("André", Encoding::Cp850),
            ("René Fanelli, Hélène", Encoding::Cp850),
            ("Bêta, Garçon déjà créé", Encoding::Cp850),
            ("Muñoz, José", Encoding::Cp850),
            // The byte of `ß` is a letter in both, `á` in the Windows pages.
            ("Große", Encoding::Latin1),
        ] {
            let bytes = Encoding::Cp850.encode(text).expect(text);
            assert_eq!(Encoding::Cp437.encode(text).as_deref(), Some(&*bytes), "{text}");
            assert_eq!(Evidence::of(&bytes).encoding(), expected, "{text}");
        }
        for text in ["L’Hôte", "„Jan” and “Piet”", "Smit–Bakker", "Wait… what", "Jansen† (1952)", "Draughts™"]
        {
            assert_eq!(detected(text, encoding_rs::WINDOWS_1252), Encoding::Latin1, "{text}");
        }
    }

    #[test]
    fn apostrophes_are_not_strong_evidence() {
        for page in [encoding_rs::WINDOWS_1250, encoding_rs::WINDOWS_1257] {
            assert!(!Evidence::of(&page.encode(&("l’a ".repeat(9) + "č")).0).is_strong());
        }
        let names = "Müller, ".repeat(9);
        assert!(Evidence::of(&Encoding::Cp850.encode(&names).expect("cp850")).is_strong());
    }

    #[test]
    fn signs_between_squares_are_not_letters() {
        let moves = "32–28 19–23 28:19 14:23 37–32 10–14\u{a0}41–37… ".repeat(20);
        let cells = "c3–d4 d6–c5 b2–c3 f6–g5 ".repeat(20);
        for moves in [moves, cells] {
            let text = format!("Чемпионат Москвы, Иванов, Сергей Петрович – Петров {moves} 1–1");
            assert_eq!(detected(&text, encoding_rs::WINDOWS_1251), Encoding::Cp1251);
        }
        // There, `Ч`, `Ц` and `Е` have the bytes of the signs.
        assert_eq!(detected("А. Чижов, Е. Цыпес, Чита", encoding_rs::IBM866), Encoding::Cp866);
    }

    #[test]
    fn a_few_bad_bytes_are_damage() {
        for (text, is_damage) in [
            (&b"M\xC3\xBCller {Gr\xC3\xB6\xFFe}"[..], true),
            ("Петров \u{40f}".as_bytes(), true),
            (b"M\xFCller", false),
            (b"M\xC3\xBCller \xFF\xC3 Gr\xC3\xB6\xFEe", true),
            // Куперман, Исер in cp866
            (b"\x8A\xE3\xAF\xA5\xE0\xAC\xA0\xAD, \x88\xE1\xA5\xE0", false),
            (b"M\xC3\xBCller, Gr\xF6\xDFe, M\xFCller", false),
        ] {
            let mut evidence = Evidence::default();
            evidence.add(text);
            assert_eq!(evidence.encoding() == Encoding::Utf8, is_damage, "{text:?}");
        }
    }

    #[test]
    fn names_and_texts() {
        for encoding in Encoding::ALL {
            assert_eq!(encoding.name().parse(), Ok(encoding));
        }
        assert_eq!("latin-1".parse(), Ok(Encoding::Latin1));
        assert_eq!("437".parse(), Ok(Encoding::Cp437));
        assert_eq!("IBM850".parse(), Ok(Encoding::Cp850));
        assert_eq!(Encoding::Cp437.decode(b"B\x88ta, Ren\x82"), "Bêta, René");
        assert!("cp9".parse::<Encoding>().is_err() && "utf-16".parse::<Encoding>().is_err());
        #[cfg(feature = "encodings")]
        {
            let encoding = |label: &str| label.parse::<Encoding>().expect(label);
            assert_eq!(encoding("x-cp1251"), Encoding::Cp1251);
            assert_eq!(encoding("csKOI8R"), Encoding::Koi8R);
            assert_eq!(encoding("latin2").decode(b"\xB3"), "ł");
            assert!(encoding("iso-8859-5").is_of_games() && !encoding("shift_jis").is_of_games());
            assert!("replacement".parse::<Encoding>().is_err());
        }
        assert_eq!(Encoding::Latin1.decode(b"40\xB0 \x80"), "40° €");
        assert_eq!(Encoding::Utf8.decode(b"a\xB0"), "a\u{FFFD}");
        let damaged = b"a\xB0\xC3\xBC\xE2\x82";
        assert_eq!(Encoding::restored(&Encoding::Utf8.decode_keeping(damaged)), damaged);
    }
}
