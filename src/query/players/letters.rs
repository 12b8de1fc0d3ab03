//! How the letters of names are compared: transcriptions, and letters that keyboards lack.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// Letter groups that are transcribed in several ways, each with its normal form. Longer ones come first.
const SPELLINGS: [(&str, &str); 30] = [
    ("shch", "s"),
    ("tsch", "c"),
    ("tsj", "c"),
    ("tch", "c"),
    ("sch", "s"),
    ("ts", "c"),
    ("tz", "c"),
    ("ch", "c"),
    ("sh", "s"),
    ("sj", "s"),
    ("zh", "z"),
    ("zj", "z"),
    ("kh", "h"),
    ("ck", "k"),
    ("ce", "ce"),
    ("ci", "ci"),
    ("cy", "ci"),
    ("c", "k"),
    ("x", "ks"),
    ("ph", "f"),
    ("oe", "u"),
    ("ou", "u"),
    ("yu", "u"),
    ("ju", "u"),
    ("iu", "u"),
    ("ij", "i"),
    ("ey", "ei"),
    ("w", "v"),
    ("y", "i"),
    ("j", "i"),
];

/// The first letters of [`SPELLINGS`].
const FIRST_LETTERS: &str = "stczkxpoyjiew";

/// Returns a Cyrillic letter, after folding, in the letters of [`skeleton`].
const fn latin(letter: char) -> Option<&'static str> {
    Some(match letter {
        'а' => "a",
        'б' => "b",
        'в' => "v",
        'г' | 'ґ' => "g",
        'д' => "d",
        'е' | 'є' | 'э' => "e",
        'ж' | 'з' => "z",
        'и' | 'і' | 'ї' | 'ы' => "i",
        'к' => "k",
        'л' => "l",
        'м' => "m",
        'н' => "n",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' | 'ш' | 'щ' => "s",
        'т' => "t",
        'у' | 'ў' | 'ю' => "u",
        'ф' => "f",
        'х' => "h",
        'ц' | 'ч' => "c",
        'ъ' | 'ь' => "",
        'я' => "ia",
        _ => return None,
    })
}

/// Returns the letters for one that keyboards may lack; with `all`, also for one that has a form without accents.
const fn two_letters(letter: char, all: bool) -> Option<&'static str> {
    Some(match (letter, all) {
        ('ß' | 'ẞ', _) => "ss",
        ('þ' | 'Þ', _) => "th",
        ('æ' | 'Æ', _) | ('ä' | 'Ä', true) => "ae",
        ('œ' | 'Œ', _) | ('ö' | 'Ö' | 'ø' | 'Ø', true) => "oe",
        ('ü' | 'Ü', true) => "ue",
        ('å' | 'Å', true) => "aa",
        ('đ' | 'Đ', true) => "dj",
        _ => return None,
    })
}

/// Returns a text with the letters of [`two_letters`].
pub(super) fn spelled_out(text: &str, all: bool) -> Cow<'_, str> {
    // Most names, Cyrillic ones among them, have none of these letters, nor the accents that make them.
    if !text.chars().any(|letter| matches!(letter, 'À'..='ſ' | 'ẞ' | '\u{308}' | '\u{30a}')) {
        return Cow::Borrowed(text);
    }
    let mut spelled = String::with_capacity(text.len());
    for letter in text.nfc() {
        match two_letters(letter, all) {
            Some(letters) => spelled.push_str(letters),
            None => spelled.push(letter),
        }
    }
    Cow::Owned(spelled)
}

/// Maximum number of letters compared in a word.
pub(super) const MAX_LETTERS: usize = 24;

/// Returns a folded word with one spelling for each sound, and without double letters.
pub(super) fn skeleton(word: &str) -> Vec<char> {
    // Digits are not doubled by transcription: `Player 10` is not `Player 100`.
    if word.chars().any(char::is_numeric) {
        return word.chars().take(MAX_LETTERS).collect();
    }
    let mut plain = String::new();
    let mut rest = word;
    while let Some(letter) = rest.chars().next() {
        // Most letters begin no spelling: the list is searched for the others only, a third of the time of reading names.
        let begins = || FIRST_LETTERS.contains(letter);
        let known = begins().then(|| SPELLINGS.iter().find(|(spelling, _)| rest.starts_with(spelling))).flatten();
        match known {
            Some((spelling, one)) => {
                plain.push_str(one);
                rest = &rest[spelling.len()..];
            }
            None => {
                match latin(letter) {
                    Some(latin) => plain.push_str(latin),
                    None => plain.push(letter),
                }
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    // `Andreikof` and `Andreikov`.
    if plain.len() > 4 && (plain.ends_with("of") || plain.ends_with("ef")) {
        plain.pop();
        plain.push('v');
    }
    let mut letters: Vec<char> = plain.chars().take(MAX_LETTERS).collect();
    letters.dedup();
    letters
}
