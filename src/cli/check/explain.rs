//! Explanations of codes, with examples.

use std::fmt::Write as _;

use crate::diag::{Code, in_language};
use crate::text::Language;

/// Returns the meaning of a code in a language, its severity, and a record with such a diagnostic.
pub(super) fn explain(code: Code, language: Language) -> String {
    let severity = in_language(code.severity().name(), language);
    let mut text = format!("{code} ({severity})\n\n{}\n", code.meaning_in(language));
    if let Some(sample) = code.example() {
        let _ = write!(text, "\n{}:\n\n", in_language("Example", language));
        for line in shown(sample).lines() {
            let _ = writeln!(text, "{}", format!("    {line}").trim_end());
        }
    }
    text
}

/// Returns a record as text for a terminal, with symbols for control characters and without bytes that are not text.
fn shown(sample: &[u8]) -> String {
    let picture = |letter: char| match letter {
        '\n' | '\t' => letter,
        // Unicode has a picture of each control character, in their order.
        control @ '\0'..='\x1f' => char::from_u32(0x2400 + control as u32).unwrap_or(control),
        other => other,
    };
    String::from_utf8_lossy(sample).replace("\r\n", "\n").chars().map(picture).collect()
}
