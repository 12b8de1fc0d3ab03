//! Text that is safe to print on a terminal.

use std::borrow::Cow;

use super::whitespace::is_ignorable;

/// Returns the character, or a one-column replacement if it would disturb a terminal: a space for a tab, U+FFFD for
/// control characters, text direction marks and invisible characters.
pub(crate) const fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        // Selectors and joiners that belong to the character before them.
        '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => character,
        // Controls, separators of lines, interlinear annotation, and what XML does not allow.
        '\0'..='\x1f'
        | '\x7f'..='\u{9f}'
        | '\u{2028}'..='\u{2029}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}' => char::REPLACEMENT_CHARACTER,
        _ if is_ignorable(character) => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

/// Returns a text as one line that is safe to print, without escape sequences, line ends or direction marks.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    // Nearly all texts are safe and are not copied.
    if text.chars().all(|character| visible(character) == character) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(visible).collect())
}

/// Returns a text that may have several lines, made safe to print.
pub(crate) fn printable_lines(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| character == '\n' || visible(character) == character) {
        return Cow::Borrowed(text);
    }
    let safe = |character| if character == '\n' { '\n' } else { visible(character) };
    Cow::Owned(text.chars().map(safe).collect())
}

/// Maximum number of characters of a record that a message quotes: half of a line of a terminal.
pub(crate) const MAX_QUOTED: usize = 40;

/// Returns the first characters of a text that may be megabytes long.
pub(crate) fn quoted(text: &[u8]) -> String {
    // Enough for as many characters of four bytes.
    let beginning = &text[..text.len().min(4 * MAX_QUOTED)];
    String::from_utf8_lossy(beginning).chars().take(MAX_QUOTED).collect()
}

/// Returns the last characters of a text.
pub(crate) fn quoted_end(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&text[text.len().saturating_sub(MAX_QUOTED)..])
}

/// Returns the number of terminal columns of a character; always one without the feature `cli`.
#[cfg(feature = "cli")]
pub(crate) fn columns(character: char) -> usize {
    unicode_width::UnicodeWidthChar::width(character).unwrap_or(0)
}

/// Returns the number of terminal columns of a character; always one without the feature `cli`.
#[cfg(not(feature = "cli"))]
pub(crate) const fn columns(_: char) -> usize {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_disturbs_a_terminal_remains() {
        for disturbing in [
            "\x1b[31m",
            "a\rb",
            "\u{9b}2J",
            "\x7f",
            "\u{202e}abc",
            "\u{2066}",
            "\u{200d}",
            "\u{feff}",
            "\u{fffe}",
            "\u{ffff}",
        ] {
            let safe = printable(disturbing);
            assert!(safe.contains('\u{fffd}'), "{disturbing:?}");
            assert_eq!(safe.chars().count(), disturbing.chars().count());
            assert_eq!(printable(&safe), safe);
        }
        assert_eq!(printable_lines("a\n\x1bb\n"), "a\n\u{fffd}b\n");
        assert!(matches!(printable_lines("a\nб\n"), Cow::Borrowed(_)));
    }

    #[cfg(feature = "cli")]
    #[test]
    fn wide_characters_have_two_columns() {
        assert_eq!(['a', 'é', '跳', '\u{301}'].map(columns), [1, 1, 2, 0]);
    }
}
