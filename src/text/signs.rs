//! Characters that people and programs write for the signs of records.

/// Returns true for the dashes of Unicode between two squares or two halves of a result, without the hyphen-minus.
pub(crate) const fn is_dash(letter: char) -> bool {
    matches!(
        letter,
        '\u{2010}'
            ..='\u{2015}'
            | '\u{2212}' // the minus sign
            | '\u{2043}' // the hyphen bullet
            | '\u{207b}' // the superscript minus
            | '\u{2d7}' // the modifier letter minus
            | '\u{fe58}'
            | '\u{fe63}'
            | '\u{ff0d}'
    )
}

/// Returns true for the crosses and the letters like them that mean a capture, without `x` and `X`.
const fn is_cross(letter: char) -> bool {
    matches!(letter, '×' | 'х' | 'Х' | 'χ' | 'Χ' | '✕' | '✖' | '⨉' | '⨯' | '☓' | '╳' | '\u{ff58}' | '\u{ff38}')
}

/// Returns true for the colons of Unicode, without that of ASCII.
pub(crate) const fn is_colon(letter: char) -> bool {
    matches!(letter, '\u{2236}' | '\u{ff1a}' | '\u{fe55}')
}

/// Returns the length of the dash of several bytes that the bytes begin with, else 0.
pub(crate) fn dash_len(bytes: &[u8]) -> usize {
    len_of(bytes, is_dash)
}

/// Returns the length of the sign of a capture of several bytes that the bytes begin with, else 0.
pub(crate) fn capture_len(bytes: &[u8]) -> usize {
    len_of(bytes, |letter| is_cross(letter) || is_colon(letter))
}

/// Returns the length of the colon of several bytes that the bytes begin with, else 0.
pub(crate) fn colon_len(bytes: &[u8]) -> usize {
    len_of(bytes, is_colon)
}

/// Returns the length of the full stop of several bytes that the bytes begin with, else 0.
pub(crate) fn dot_len(bytes: &[u8]) -> usize {
    len_of(bytes, |letter| matches!(letter, '\u{2024}' | '\u{ff0e}' | '\u{fe52}'))
}

/// Returns the character of ASCII that the first character looks like, and the length of that: letters of other alphabets that look like
/// the files of a board, and full-width digits, letters and signs. Bytes that are not UTF-8 are letters of cp1251.
pub(crate) fn look_alike(bytes: &[u8]) -> Option<(u8, usize)> {
    let length = match bytes.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        // Not UTF-8: `А` and `х` in cp1251.
        0xC0 | 0xF5 => 1,
        _ => return None,
    };
    let letter = bytes.get(..length).and_then(|bytes| str::from_utf8(bytes).ok()?.chars().next());
    let looked = |letter: char| plain_letter(letter).and_then(|plain| u8::try_from(plain).ok());
    match letter {
        Some(letter) => Some((looked(letter)?, length)),
        None => Some((looked(single_byte(bytes[0])?)?, 1)),
    }
}

/// Returns the letter of cp1251 that looks like a file of a board or the sign of a capture.
pub(crate) const fn single_byte(byte: u8) -> Option<char> {
    Some(match byte {
        0xC0 => 'А',
        0xC2 => 'В',
        0xC5 => 'Е',
        0xCD => 'Н',
        0xD1 => 'С',
        0xD5 => 'Х',
        0xE0 => 'а',
        0xE2 => 'в',
        0xE5 => 'е',
        0xED => 'н',
        0xF1 => 'с',
        0xF5 => 'х',
        _ => return None,
    })
}

/// Returns the character of ASCII that a character looks like, as [`look_alike`] does.
pub(crate) fn plain_letter(letter: char) -> Option<char> {
    Some(match letter {
        'а' | 'α' => 'a',
        'в' | 'ƅ' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' => 'e',
        'ɡ' => 'g',
        'н' | 'һ' => 'h',
        'і' | 'ı' | 'ι' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'С' | 'Ϲ' => 'C',
        'Е' | 'Ε' => 'E',
        'Ԍ' => 'G',
        'Н' | 'Η' => 'H',
        'І' | 'Ι' => 'I',
        'Ј' | 'Ϳ' => 'J',
        'К' | 'Κ' => 'K',
        // `．`, `／`, digits, and the letters of the largest board in both cases.
        '\u{ff0e}'..='\u{ff19}' | '\u{ff21}'..='\u{ff2c}' | '\u{ff41}'..='\u{ff4c}' => {
            char::from_u32(u32::from(letter) - 0xFEE0)?
        }
        _ => return None,
    })
}

/// Returns the length of the first character, if it has several bytes of UTF-8 and is one of those meant, else 0.
fn len_of(bytes: &[u8], is_meant: impl Fn(char) -> bool) -> usize {
    let length = match bytes.first() {
        Some(0xC2..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        _ => return 0,
    };
    let letter = bytes.get(..length).and_then(|bytes| str::from_utf8(bytes).ok()?.chars().next());
    if letter.is_some_and(is_meant) { length } else { 0 }
}
