//! The one definition of whitespace: three nested classes of bytes, and the characters of several bytes.

/// Returns true if the byte ends a line: LF or CR.
pub(crate) const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns true if the byte is a space or a tab, which never end a line.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns true if the byte is a space, a tab or a line end: the `blank` of the grammars.
pub(crate) const fn is_blank(byte: u8) -> bool {
    is_space(byte) || is_line_end(byte)
}

/// Returns true if the byte is whitespace to the reading grammar: a space, tab, line end, vertical tab or form feed.
pub(crate) const fn is_whitespace(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, 0x0B | 0x0C)
}

/// Returns true if the byte is whitespace or NUL or SUB, the two control characters with which old systems end files;
/// they are skipped like whitespace, but reported.
pub(crate) const fn is_skipped(byte: u8) -> bool {
    is_whitespace(byte) || matches!(byte, 0 | 0x1A)
}

/// Returns the length of the invisible character of several bytes that the bytes begin with, else 0.
pub(crate) fn ignorable_len(bytes: &[u8]) -> usize {
    let len = wide_len(bytes);
    let letter = str::from_utf8(&bytes[..len]).ok().and_then(|letter| letter.chars().next());
    if letter.is_some_and(is_ignorable) { len } else { 0 }
}

/// Number of no-break spaces after which a run of them is not followed further, so that a long one takes linear time.
const MOST_SPACES: usize = 8;

/// Returns the length of the whitespace or invisible character above ASCII that the bytes begin with, else 0. The no-break space of the
/// Windows code pages is one byte, which is a letter in cp866: there, a word goes on. The bytes begin with a whole character.
pub(crate) fn wide_len(bytes: &[u8]) -> usize {
    if let [0xA0, after @ ..] = bytes {
        return usize::from(after.iter().take(MOST_SPACES).find(|&&byte| byte != 0xA0).is_none_or(u8::is_ascii));
    }
    // Most letters above ASCII are in prose, and not one of these lead bytes.
    let length = match bytes.first() {
        Some(0xC2 | 0xCD | 0xD8) => 2,
        Some(0xE1..=0xE3 | 0xEF) => 3,
        Some(0xF0 | 0xF3) => 4,
        _ => return 0,
    };
    let letter = bytes.get(..length).and_then(|bytes| str::from_utf8(bytes).ok()?.chars().next());
    letter.filter(|&letter| letter.is_whitespace() || is_ignorable(letter)).map_or(0, char::len_utf8)
}

/// Returns the length of the whitespace or invisible character above ASCII that the bytes end with, else 0.
pub(crate) fn wide_len_at_end(bytes: &[u8]) -> usize {
    if ends_with_single_space(bytes) {
        return 1;
    }
    let ends = |&length: &usize| bytes.len() >= length && wide_len(&bytes[bytes.len() - length..]) == length;
    if bytes.last().is_some_and(u8::is_ascii) { 0 } else { (2..=4).find(ends).unwrap_or(0) }
}

/// Returns true if a character is invisible, such as a mark of direction, a soft hyphen or a place where a line may be broken:
/// the property `Default_Ignorable_Code_Point` of Unicode.
pub(crate) const fn is_ignorable(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Returns true if a wide character is so common in records that it is not reported: a no-break space or a byte order mark.
pub(crate) const fn is_common_wide(bytes: &[u8]) -> bool {
    matches!(bytes, [0xA0, ..] | [0xC2, 0xA0, ..] | [0xEF, 0xBB, 0xBF, ..])
}

/// Returns the bytes without the whitespace at their end; a no-break space may also be the single byte of cp1252.
pub(crate) fn trim_end(mut bytes: &[u8]) -> &[u8] {
    loop {
        bytes = bytes.trim_ascii_end();
        bytes = match bytes {
            [before @ .., 0xC2, 0xA0] | [before @ .., 0xEF, 0xBB, 0xBF] => before,
            [before @ .., 0xA0] if ends_with_single_space(bytes) => before,
            _ => return bytes,
        };
    }
}

/// Returns true if the bytes end with the no-break space of the Windows code pages. After another byte above ASCII, A0 may end a
/// character of UTF-8, such as `à` (C3 A0).
fn ends_with_single_space(bytes: &[u8]) -> bool {
    let [before @ .., 0xA0] = bytes else { return false };
    before.iter().rev().take(MOST_SPACES).find(|&&byte| byte != 0xA0).is_none_or(u8::is_ascii)
}
