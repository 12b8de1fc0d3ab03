//! Bytes to text.

use super::tree::Encoding;

/// The characters of cp1252 from 0x80 to 0x9F; the rest is Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The encoding of a game: UTF-8 if its bytes can be that.
pub(super) fn encoding_of(game: &[u8]) -> Encoding {
    match str::from_utf8(game) {
        Ok(_) => Encoding::Utf8,
        Err(_) => Encoding::Latin1,
    }
}

/// The text of the bytes.
pub(super) fn decode(bytes: &[u8], encoding: Encoding) -> String {
    let latin = |byte: &u8| match byte {
        0x80..=0x9F => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(*byte),
    };
    match encoding {
        Encoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
        Encoding::Latin1 => bytes.iter().map(latin).collect(),
    }
}

/// The text on one line: a line break and the blanks around it are one space, and outer blanks are gone.
pub(super) fn unfold(text: &str) -> String {
    let text = text.trim_matches(is_space);
    if !text.contains(['\n', '\r']) {
        return text.to_owned();
    }
    let lines = text.split(['\n', '\r']).map(|line| line.trim_matches(is_space)).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// The words of the text with one space between them.
pub(super) fn words(text: &str) -> String {
    text.split(|letter: char| letter <= ' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A tag's value without its backslashes before quotes and backslashes, on one line; outer blanks are its own.
pub(super) fn unescape(text: &str) -> String {
    if !text.contains(['\\', '\n', '\r']) {
        return text.to_owned();
    }
    let mut value = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => value.push(letters.next_if(|&next| next == '"' || next == '\\').unwrap_or('\\')),
            '\n' | '\r' => {
                value.truncate(value.trim_end_matches(is_space).len());
                while letters.next_if(|&next| is_space(next)).is_some() {}
                value.push(' ');
            }
            letter => value.push(letter),
        }
    }
    value
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes() {
        assert_eq!(decode(b"40\xB0 \x80", encoding_of(b"40\xB0 \x80")), "40° €");
        assert_eq!(decode("40°".as_bytes(), encoding_of("40°".as_bytes())), "40°");
    }

    #[test]
    fn unfolds() {
        assert_eq!(unfold(" a  b \r\n c "), "a  b c");
        assert_eq!(words(" a  b \r\n\0 c "), "a b c");
        assert_eq!(unescape(r#"C:\new\\x \"q\" d\\\'A"#), r#"C:\new\x "q" d\\'A"#);
        assert_eq!(unescape("two \n lines"), "two lines");
    }
}
