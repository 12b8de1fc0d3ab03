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
