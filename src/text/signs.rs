//! Characters that people and programs write for the signs of records.

use std::borrow::Cow;

use super::whitespace::is_ignorable;

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
pub(crate) const fn is_cross(letter: char) -> bool {
    matches!(letter, '×' | 'х' | 'Х' | 'χ' | 'Χ' | '✕' | '✖' | '⨉' | '⨯' | '☓' | '╳' | '\u{ff58}' | '\u{ff38}')
}

/// Returns true for the colons of Unicode, without that of ASCII.
pub(crate) const fn is_colon(letter: char) -> bool {
    matches!(letter, '\u{2236}' | '\u{ff1a}' | '\u{fe55}')
}

/// Returns the character that an entity of HTML at the start of the bytes stands for, and the length of the entity: those of numbers, and
/// the named ones of signs in moves and results.
pub(crate) fn entity(bytes: &[u8]) -> Option<(char, usize)> {
    const NAMED: [(&[u8], char); 6] = [
        (b"ndash", '–'),
        (b"mdash", '—'),
        (b"minus", '\u{2212}'),
        (b"times", '×'),
        (b"frac12", '½'),
        (b"shy", '\u{ad}'),
    ];
    const LONGEST: usize = 10;
    let name = bytes.strip_prefix(b"&")?;
    let len = name.iter().take(LONGEST).position(|&byte| byte == b';')?;
    let name = &name[..len];
    let of_number = || {
        let digits = str::from_utf8(name.strip_prefix(b"#")?).ok().filter(|digits| !digits.contains('+'))?;
        let hexadecimal = digits.strip_prefix(['x', 'X']).map(|digits| u32::from_str_radix(digits, 16));
        char::from_u32(hexadecimal.unwrap_or_else(|| digits.parse()).ok()?)
    };
    let named = NAMED.iter().find(|(known, _)| *known == name).map(|(_, letter)| *letter);
    Some((named.or_else(of_number)?, len + 2))
}

/// Returns a text with the characters that its entities stand for.
pub(crate) fn without_entities(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(letter) = rest.chars().next() {
        let (letter, len) = entity(rest.as_bytes()).unwrap_or((letter, letter.len_utf8()));
        plain.push(letter);
        rest = &rest[len..];
    }
    plain.into()
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
    let (letter, length) = match first_letter(bytes) {
        Some(letter) => (letter, letter.len_utf8()),
        None => (single_byte(*bytes.first()?)?, 1),
    };
    Some((u8::try_from(plain_letter(letter)?).ok()?, length))
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

/// Returns a text without invisible characters, and with ASCII for what looks like it, but for words that have other letters too: `ничья`
/// would be spoilt.
pub(crate) fn as_it_looks(text: &str) -> String {
    let mut looked = String::with_capacity(text.len());
    let seen: Vec<char> = text.chars().filter(|&letter| !is_ignorable(letter)).collect();
    for run in seen.chunk_by(|one, next| one.is_alphabetic() == next.is_alphabetic()) {
        let plain = |&letter: &char| if letter.is_ascii() { Some(letter) } else { plain_letter(letter) };
        match run.iter().map(plain).collect::<Option<String>>() {
            Some(word) => looked.push_str(&word),
            None if run[0].is_alphabetic() => looked.extend(run),
            None => looked.extend(run.iter().map(|letter| plain_letter(*letter).unwrap_or(*letter))),
        }
    }
    looked
}

/// Returns the length of the first character, if it has several bytes of UTF-8 and is one of those meant, else 0.
fn len_of(bytes: &[u8], is_meant: impl Fn(char) -> bool) -> usize {
    first_letter(bytes).filter(|&letter| is_meant(letter)).map_or(0, char::len_utf8)
}

/// Returns the character above ASCII that the bytes begin with.
fn first_letter(bytes: &[u8]) -> Option<char> {
    let length = match bytes.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    str::from_utf8(bytes.get(..length)?).ok()?.chars().next()
}

/// Returns a name in lower case without the accents of the languages of records, which many keyboards lack.
pub(crate) fn unaccented(name: &str) -> String {
    let plain = |letter| match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'è' | 'é' | 'ê' | 'ë' | 'ę' | 'ė' => 'e',
        'ì' | 'í' | 'î' | 'ï' | 'į' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' => 'o',
        'ś' | 'š' => 's',
        'ù' | 'ú' | 'û' | 'ü' | 'ų' | 'ū' => 'u',
        'ź' | 'ż' | 'ž' => 'z',
        'ё' => 'е',
        'й' => 'и',
        letter => letter,
    };
    // Some programs write an accent as a character after its letter.
    let is_letter = |letter: &char| !('\u{300}'..='\u{36f}').contains(letter);
    name.to_lowercase().chars().filter(is_letter).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_characters() {
        for (text, expected) in [
            ("32&minus;28", "32\u{2212}28"),
            ("&frac12;-&#189;", "½-½"),
            ("&#x2013; & &nbsp; &#xD800;", "– & &nbsp; &#xD800;"),
            ("AT&T; R&D &#+45;", "AT&T; R&D &#+45;"),
        ] {
            assert_eq!(without_entities(text), expected);
        }
    }

    #[test]
    fn words_of_other_alphabets_are_left() {
        for (text, expected) in [
            ("ничья", "ничья"),
            ("0:2 (неявка)", "0:2 (неявка)"),
            ("２－０", "2－0"),
            ("W:Wс3,d4:Bf6", "W:Wc3,d4:Bf6"),
            ("Белые: с3, d4", "Белые: c3, d4"),
            ("1\u{200b}-1", "1-1"),
        ] {
            assert_eq!(as_it_looks(text), expected, "{text}");
        }
    }
}
