//! Text that is safe to print on a terminal.

use std::borrow::Cow;

/// Returns the character, or a replacement of one column if it would disturb a terminal: a space for a tab, otherwise
/// U+FFFD for control characters, marks of the direction of text, and characters without a width that hide.
pub(crate) const fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        '\0'..='\x1f'
        | '\x7f'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

/// Returns a text on one line that is safe to print: without escape sequences, line ends and marks that reorder it.
///
/// # Examples
///
/// ```
/// use pdn::text::printable;
///
/// assert_eq!(printable("Harm Wiersma"), "Harm Wiersma");
/// assert_eq!(printable("\x1b[2Jcleared\n"), "\u{fffd}[2Jcleared\u{fffd}");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| visible(character) == character) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(visible).collect())
}

/// Returns a text of several lines that is safe to print.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| character == '\n' || visible(character) == character) {
        return Cow::Borrowed(text);
    }
    let safe = |character| if character == '\n' { '\n' } else { visible(character) };
    Cow::Owned(text.chars().map(safe).collect())
}

/// Returns the number of columns of a character on a terminal. Without the feature `cli`, it is one for every character.
#[cfg(feature = "cli")]
pub fn columns(character: char) -> usize {
    unicode_width::UnicodeWidthChar::width(character).unwrap_or(0)
}

/// Returns the number of columns of a character on a terminal. Without the feature `cli`, it is one for every character.
#[cfg(not(feature = "cli"))]
pub const fn columns(_: char) -> usize {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_disturbs_a_terminal_remains() {
        for disturbing in ["\x1b[31m", "a\rb", "\u{9b}2J", "\x7f", "\u{202e}abc", "\u{2066}", "\u{200d}", "\u{feff}"] {
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
