//! Texts as they are kept: on one line, without escapes.

/// Returns the text on one line: a line break with the whitespace around it becomes one space, and the ends are trimmed.
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
    let mut joined = String::with_capacity(text.len());
    for word in text.split(|letter: char| letter <= ' ').filter(|word| !word.is_empty()) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// Returns a tag's value on one line, without backslashes before quotes and backslashes. The whitespace at its ends is kept.
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
    fn unfolds() {
        assert_eq!(unfold(" a  b \r\n c "), "a  b c");
        assert_eq!(words(" a  b \r\n\0 c "), "a b c");
        assert_eq!(unescape(r#"C:\new\\x \"q\" d\\\'A"#), r#"C:\new\x "q" d\\'A"#);
        assert_eq!(unescape("two \n lines"), "two lines");
    }
}
