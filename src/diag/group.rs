//! Groups of codes.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// What a diagnostic is about: the first part of the name of its code.
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
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 8] =
        [Self::Syntax, Self::Tag, Self::Fen, Self::Move, Self::Result, Self::Draw, Self::Replay, Self::Event];

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
        }
    }

    /// What its codes are about, in a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Syntax => "Deviations from the reading grammar, `grammar/reading.ebnf`, and nothing else.",
            Self::Tag => "Tags and their values.",
            Self::Fen => "Positions.",
            Self::Move => "Moves.",
            Self::Result => "Results.",
            Self::Draw => "Draws by the rules in the main line, claimed or not.",
            Self::Replay => "Variants, and games as a whole.",
            Self::Event => "Tournaments; reported by `pdn event` only.",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Group {
    type Err = UnknownGroup;

    fn from_str(name: &str) -> Result<Self, UnknownGroup> {
        Self::ALL.into_iter().find(|group| group.name() == name).ok_or_else(|| UnknownGroup(name.to_owned()))
    }
}

/// The error for text that is not the name of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGroup(String);

impl fmt::Display for UnknownGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown group of codes `{}`", self.0)
    }
}

impl Error for UnknownGroup {}
