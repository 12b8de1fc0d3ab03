//! Rules of a variant as a file (TOML) or as JSON.

#[cfg(feature = "toml")]
mod read;
#[cfg_attr(not(feature = "toml"), allow(dead_code))]
mod table;
mod write;

#[cfg(feature = "toml")]
use crate::error::ParseError;
use crate::rules::{Variant, fnv_1a};

use table::RulesTable;

/// Reads the rules of a variant. The same rules give an equal variant.
///
/// The fields are described in `docs/rules.md`; [`write_rules`] writes them all.
///
/// # Errors
///
/// If the text is not TOML, has unknown fields or invalid values, or the rules contradict each other: the first error found, in one
/// clause, with the bytes concerned; none if something is missing.
///
/// # Examples
///
/// ```
/// use pdn::notation::read_rules;
/// use pdn::rules::Position;
///
/// let variant = read_rules("name = 'wide'\nbase = 'spantsiretti'\nboard = '12x12'")?;
/// assert_eq!(Position::start(variant).legal_moves().len(), 11);
/// let issue = read_rules("name = 'still'\nbase = 'frisian'\nking-move-limit = 0").unwrap_err();
/// assert_eq!(issue.to_string(), "a king must be allowed at least 1 quiet move");
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[cfg(feature = "toml")]
pub fn read_rules(text: &str) -> Result<Variant, ParseError> {
    read::read(text)
}

/// Returns the rules of a variant as a rules file with a comment on each field.
pub fn write_rules(variant: Variant) -> String {
    write::write(&RulesTable::of(variant))
}

/// Returns the rules of a variant as a JSON object: the fields of a rules file with `_` for `-` in their names, and null for
/// `none`.
pub fn rules_json(variant: Variant) -> serde_json::Value {
    // Only maps with non-string keys cannot be written, and there are none.
    serde_json::to_value(RulesTable::of(variant)).unwrap_or_default()
}

/// Returns a text that identifies the rules of a variant: its name, followed by a hash of all fields if they are house
/// rules.
pub fn rules_label(variant: Variant) -> String {
    if !variant.is_house() {
        return variant.name().to_owned();
    }
    let hash = fnv_1a(rules_json(variant).to_string().as_bytes());
    format!("{} {hash:016x}", variant.name())
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::*;

    #[test]
    fn any_article_is_written_and_read_back() {
        let article = "a \"quoted\" one, \\ and\ttwo\nlines \u{7f} é";
        let mut spec = Variant::ENGLISH.spec().clone();
        spec.name = "wordy";
        spec.draws.repetition.as_mut().expect("a rule").article = article;
        let variant = Variant::house(&spec, Variant::ENGLISH.conventions()).expect("valid rules");
        assert_eq!(read_rules(&write_rules(variant)), Ok(variant));
        assert_eq!(rules_json(variant)["draws"]["repetition"]["article"], article);
    }
}
