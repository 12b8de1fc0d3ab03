//! The stable names of all kinds of findings.

use std::fmt;

use super::Severity;

/// Stable name of a kind of finding, such as `move/illegal`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(&'static Entry);

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Entry {
    name: &'static str,
    severity: Severity,
    meaning: &'static str,
}

impl Code {
    /// The name, such as `move/illegal`.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The usual severity of such a finding.
    pub const fn severity(self) -> Severity {
        self.0.severity
    }

    /// What it means, why it matters and how to mend it.
    pub const fn meaning(self) -> &'static str {
        self.0.meaning
    }

    /// Finds a code by its name.
    pub fn by_name(name: &str) -> Option<Self> {
        ALL_CODES.iter().copied().find(|code| code.name() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

macro_rules! codes {
    ($($id:ident $severity:ident $name:literal $meaning:literal)*) => {
        impl Code {
            $(
                #[doc = concat!("`", $name, "`: ", $meaning)]
                pub const $id: Self =
                    Self(&Entry { name: $name, severity: Severity::$severity, meaning: $meaning });
            )*
        }

        /// Every code, in the order of the table.
        pub const ALL_CODES: &[Code] = &[$(Code::$id),*];
    };
}

codes! {
    // Faults against the reading grammar.
    SYNTAX_UNEXPECTED Warning "syntax/unexpected" "Text that is neither a move nor anything else the grammar knows; it is kept as it stands."

    // The rules.
    MOVE_ILLEGAL Error "move/illegal" "The move cannot be played in this position; the line is kept but not replayed further."
    MOVE_AMBIGUOUS Error "move/ambiguous" "The short form fits several captures and nothing in the game decides between them; write the whole path."

    // Reading and replaying as a whole.
    REPLAY_TOO_LARGE Error "replay/too-large" "The game is larger than the limit; its beginning is kept and its rest is not read. Raise the limit, or look for what keeps the games of the file from being told apart."
}
