//! Codes, the stable names of all kinds of diagnostics, with their groups and severities.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

use super::{Code, in_language};
use crate::error::ParseError;
use crate::text::Language;

/// The table's entry for a code.
pub(super) struct Entry {
    pub(super) group: Group,
    pub(super) name: &'static str,
    pub(super) severity: Severity,
    pub(super) meaning: &'static str,
    /// Empty for codes whose messages have separate wording.
    pub(super) title: &'static str,
}

impl Code {
    /// Place of the code among [`all`](Self::all), from 0.
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// The group, the part of the name before the slash.
    pub const fn group(self) -> Group {
        self.entry().group
    }

    /// The name, such as `move/illegal`.
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns true if one diagnostic stands for all of a file: text copied from a page has thin spaces everywhere.
    pub(crate) fn is_once_per_file(self) -> bool {
        self == Self::SYNTAX_UNICODE_SPACE
    }

    /// The part of the name after the slash, such as `illegal`.
    pub fn kind(self) -> &'static str {
        self.name().split_once('/').map_or("", |(_, kind)| kind)
    }

    /// The usual severity of such a diagnostic.
    pub const fn severity(self) -> Severity {
        self.entry().severity
    }

    /// What the code means, why it matters and how to correct the problem.
    pub const fn meaning(self) -> &'static str {
        self.entry().meaning
    }

    /// Returns the meaning in a language.
    pub(crate) fn meaning_in(self, language: Language) -> String {
        in_language(self.meaning(), language)
    }

    /// The message of a diagnostic that only names its kind.
    pub(super) fn title(self) -> &'static str {
        let title = self.entry().title;
        if title.is_empty() { self.kind() } else { title }
    }

    /// Returns true if the code belongs to the writing rules, which are checked on request only.
    pub fn is_writing_rule(self) -> bool {
        self.kind().starts_with("strict-")
    }

    /// Finds the code of a group by the rest of its name.
    pub fn in_group(group: Group, kind: &str) -> Option<Self> {
        Self::all().find(|code| code.group() == group && code.kind() == kind)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Serialized as its name.
impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl FromStr for Code {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<Self, ParseError> {
        let unknown = || ParseError::new(format!("unknown code `{name}`; expected a code such as move/illegal"));
        Self::all().find(|code| code.name() == name).ok_or_else(unknown)
    }
}

/// The subject of a diagnostic: the first part of the name of its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Group {
    /// Deviations from the reading grammar.
    Syntax,
    /// Tags and their values.
    Tag,
    /// Positions.
    Fen,
    /// Moves.
    Move,
    /// Results.
    Result,
    /// Draws.
    Draw,
    /// Variants, and games as a whole.
    Replay,
    /// Tournaments.
    Event,
    /// Records of other programs.
    Log,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 9] = [
        Self::Syntax,
        Self::Tag,
        Self::Fen,
        Self::Move,
        Self::Result,
        Self::Draw,
        Self::Replay,
        Self::Event,
        Self::Log,
    ];

    /// The name, such as `syntax`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Tag => "tag",
            Self::Fen => "fen",
            Self::Move => "move",
            Self::Result => "result",
            Self::Draw => "draw",
            Self::Replay => "replay",
            Self::Event => "event",
            Self::Log => "log",
        }
    }

    /// Returns the group with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.name() == name)
    }

    /// Describes its codes in one sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Syntax => "Deviations from the reading grammar, `grammar/reading.ebnf`.",
            Self::Tag => "Tags and their values.",
            Self::Fen => "Positions.",
            Self::Move => "Moves.",
            Self::Result => "Results.",
            Self::Draw => "Draws by the rules in the main line, claimed or not.",
            Self::Replay => "Variants, and games as a whole.",
            Self::Event => "Tournaments; reported by `pdn event` only.",
            Self::Log => "Records of other programs: logs of electronic boards, exports, relays.",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How severe a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Deduced or observed: nothing is wrong.
    Note,
    /// Wrong, but readable.
    Warning,
    /// Something could not be read or played; it is kept unchanged.
    Error,
}

impl Severity {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

#[cfg(feature = "cli")]
impl clap::ValueEnum for Severity {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Error, Self::Warning, Self::Note]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(self.name().into())
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_with_the_group_and_are_unique() {
        for code in Code::all() {
            assert!(code.name().starts_with(&format!("{}/", code.group())), "{code}");
            assert_eq!(code.name().parse(), Ok(code));
            assert_eq!(Code::in_group(code.group(), code.kind()), Some(code));
        }
    }
}
