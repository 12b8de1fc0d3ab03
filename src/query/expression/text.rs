//! Texts compared without regard to case and accents.

use std::borrow::Cow;

use regex::{Regex, RegexBuilder};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Returns a text in lower case and without accents.
pub(crate) fn folded(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(text);
    }
    if text.is_ascii() {
        return Cow::Owned(text.to_ascii_lowercase());
    }
    let letters = text.nfd().filter(|&letter| !is_combining_mark(letter)).map(plain_letter);
    Cow::Owned(letters.flat_map(char::to_lowercase).collect())
}

/// Returns the letter that a letter with a stroke is a form of; Unicode does not decompose these.
const fn plain_letter(letter: char) -> char {
    match letter {
        'ø' | 'Ø' => 'o',
        'ł' | 'Ł' => 'l',
        'đ' | 'Đ' | 'ð' | 'Ð' => 'd',
        'ħ' | 'Ħ' => 'h',
        'ı' | 'İ' => 'i',
        'ŧ' | 'Ŧ' => 't',
        other => other,
    }
}

/// Compiles a regular expression that is matched against folded texts.
pub(super) fn pattern(text: &str) -> Result<Regex, String> {
    // A tenth of what the crate allows: with `MAX_PATTERNS` of them, half a gigabyte at most.
    const MAX_SIZE: usize = 1 << 20;
    // Capitals have meanings in regular expressions (`\S`), so that the accents go, and the case does not matter.
    let plain: String = text.nfd().filter(|&letter| !is_combining_mark(letter)).map(plain_letter).collect();
    let built = RegexBuilder::new(&plain).case_insensitive(true).size_limit(MAX_SIZE).build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "the regular expression is too large".to_owned(),
        regex::Error::Syntax(text) => {
            let last = text.lines().last().unwrap_or_default();
            format!("not a regular expression: {}", last.trim_start_matches("error: "))
        }
        other => other.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_accents_do_not_matter() {
        for (text, plain) in
            [("Sijbrands", "sijbrands"), ("Ça Élan", "ca elan"), ("Łódź", "lodz"), ("ЙОЖ", "иож"), ("", "")]
        {
            assert_eq!(folded(text), plain);
            assert!(pattern(text).unwrap().is_match(&folded(text)));
        }
        assert!(pattern(r"^\S+ \w+$").unwrap().is_match(&folded("Ton É")));
        assert_eq!(pattern("(").unwrap_err(), "not a regular expression: unclosed group");
        assert_eq!(pattern("(a{1000}){1000}").unwrap_err(), "the regular expression is too large");
    }
}
