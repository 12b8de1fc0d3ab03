//! Data in a page.

use std::borrow::Cow;
use std::fmt::Write;

use crate::text::printable_lines;

/// Returns lines of JSON as an element of a page that is not run.
pub(super) fn data_block(class: &str, lines: &[&str]) -> String {
    let mut block = format!("<script type=\"application/json\" class=\"{class}\">");
    for (n, line) in lines.iter().enumerate() {
        if n > 0 {
            block.push('\n');
        }
        push_escaped(&mut block, line);
    }
    block.push_str("</script>\n");
    block
}

/// Appends JSON without characters that could end the element or that are not allowed in scripts: in JSON, all of them are
/// in strings.
fn push_escaped(out: &mut String, json: &str) {
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
}

/// Returns a text of a record as it is shown: without control characters and marks that reorder it.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    printable_lines(text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_a_block() {
        let json = serde_json::to_string("</script><!-- & \u{2028}\u{85} \"x\"").unwrap();
        let block = data_block("game", &[&json]);
        let (_, rest) = block.split_once('>').expect("a start tag");
        let inner = rest.strip_suffix("</script>\n").expect("an end tag");
        assert!(!inner.contains(['<', '>', '&', '\u{2028}', '\u{85}']), "{inner}");
        assert_eq!(serde_json::from_str::<String>(inner).unwrap(), "</script><!-- & \u{2028}\u{85} \"x\"");
    }
}
