//! Rules of a variant as a file (TOML): read with every fault and its place, written with comments.

mod draws;
mod fields;
mod json;
mod read;
mod words;
mod write;

use std::fmt;

use crate::diag::Span;
use crate::rules::Variant;

/// Something wrong in a rules file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesFault {
    /// The bytes it is about; none at the beginning where something is missing.
    pub span: Span,
    /// What is wrong, in one clause.
    pub reason: String,
}

/// Why a rules file cannot be used: every fault in it, at least one, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    faults: Vec<RulesFault>,
}

impl RulesError {
    fn new(mut faults: Vec<RulesFault>) -> Self {
        faults.sort_by_key(|fault| fault.span);
        faults.dedup();
        Self { faults }
    }

    /// All faults, in the order of the text.
    pub fn faults(&self) -> &[RulesFault] {
        &self.faults
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{}", if n == 0 { "" } else { "; " }, fault.reason)?;
        }
        Ok(())
    }
}

impl std::error::Error for RulesError {}

/// Reads the rules of a variant. What it says is kept until the process ends; the same rules give an equal variant.
///
/// The fields are described in `docs/rules.md`; [`write_rules`] writes them all.
///
/// # Errors
///
/// If the text is no TOML, has other fields or values, or rules that do not go together; everything is reported.
///
/// # Examples
///
/// ```
/// use pdn::notation::read_rules;
/// use pdn::rules::Position;
///
/// let variant = read_rules("name = 'wide'\nbase = 'spantsiretti'\nboard = '12x12'")?;
/// assert_eq!(Position::start(variant).legal_moves().len(), 11);
/// assert!(read_rules("name = 'still'\nbase = 'frisian'\nking-move-limit = 0").is_err());
/// # Ok::<(), pdn::notation::RulesError>(())
/// ```
pub fn read_rules(text: &str) -> Result<Variant, RulesError> {
    read::read(text)
}

/// Writes the rules of a variant as a file, with a comment on each field.
pub fn write_rules(variant: Variant) -> String {
    write::write(variant)
}

/// Returns the rules of a variant as a JSON object with the fields of a rules file, `_` for `-` in their names and null
/// for `none`.
pub fn rules_json(variant: Variant) -> serde_json::Value {
    json::json(variant)
}

/// Returns what tells the rules of a variant from all others: the name, of house rules with a number made of all fields.
pub fn rules_label(variant: Variant) -> String {
    if !variant.is_house() {
        return variant.name().to_owned();
    }
    // FNV-1a, the same in every version of the compiler.
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    let number = write_rules(variant).bytes().fold(0xCBF2_9CE4_8422_2325, mix);
    format!("{} {number:016x}", variant.name())
}
