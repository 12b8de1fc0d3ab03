//! The one definition of whitespace: three nested classes of bytes, and two multi-byte characters.

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

/// Returns the length of the no-break space or byte order mark that the bytes begin with, else 0.
pub(crate) fn wide_len(bytes: &[u8]) -> usize {
    match bytes {
        [0xC2, 0xA0, ..] => 2,
        [0xEF, 0xBB, 0xBF, ..] => 3,
        _ => 0,
    }
}

/// Returns the bytes without the whitespace at their end; a no-break space may also be the single byte of cp1252.
pub(crate) fn trim_end(mut bytes: &[u8]) -> &[u8] {
    loop {
        bytes = bytes.trim_ascii_end();
        bytes = match bytes {
            [before @ .., 0xC2, 0xA0] | [before @ .., 0xEF, 0xBB, 0xBF] => before,
            // After another byte above ASCII, A0 may end a character of UTF-8, such as `à` (C3 A0).
            [before @ .., 0xA0] if before.iter().rfind(|&&byte| byte != 0xA0).is_none_or(u8::is_ascii) => before,
            _ => return bytes,
        };
    }
}
