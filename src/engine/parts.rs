//! The parts of the search that can be left out, to measure what each of them is worth.

use std::fmt;
use std::str::FromStr;

/// A part of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The transposition table decides positions that were searched before, and tells their best move.
    Table,
    /// Quiet moves are ordered by how often they cut off.
    History,
    /// Windows around the value of the last iteration.
    Aspiration,
    /// A position with one legal move costs no depth.
    Forced,
    /// At the horizon a side whose pieces hang may still answer.
    Threats,
    /// Later moves are searched less deep at first.
    Reductions,
    /// A much shallower search may show that a position is too good to be reached.
    Probe,
    /// A move that is much better than all others is searched deeper.
    Singular,
}

impl Part {
    /// All parts, in the order in which they build on each other.
    pub const ALL: [Self; 8] = [
        Self::Table,
        Self::History,
        Self::Aspiration,
        Self::Forced,
        Self::Threats,
        Self::Reductions,
        Self::Probe,
        Self::Singular,
    ];

    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::History => "history",
            Self::Aspiration => "aspiration",
            Self::Forced => "forced",
            Self::Threats => "threats",
            Self::Reductions => "reductions",
            Self::Probe => "probe",
            Self::Singular => "singular",
        }
    }
}

/// A set of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts(u8);

impl Parts {
    /// The whole search.
    pub const ALL: Self = Self(u8::MAX);

    /// Whether a part is there.
    pub const fn has(self, part: Part) -> bool {
        self.0 & 1 << part as u8 != 0
    }

    /// The parts but for one.
    #[must_use]
    pub const fn without(self, part: Part) -> Self {
        Self(self.0 & !(1 << part as u8))
    }

    /// Reads the parts that are left out, such as `probe+singular`.
    ///
    /// # Errors
    ///
    /// If there is no such part.
    pub fn all_without(names: &str) -> Result<Self, String> {
        let part = |name: &str| name.parse().map(|part: Part| part);
        names.split('+').try_fold(Self::ALL, |parts, name| part(name).map(|part| parts.without(part)))
    }
}

impl Default for Parts {
    fn default() -> Self {
        Self::ALL
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|part| part.name() == name);
        found.ok_or_else(|| format!("the search has no part `{name}`: it has {}", known()))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_left_out_by_name() {
        let parts = Parts::all_without("probe+table").unwrap();
        let missing: Vec<_> = Part::ALL.into_iter().filter(|&part| !parts.has(part)).collect();
        assert_eq!(missing, [Part::Table, Part::Probe]);
        assert!(Parts::all_without("probe+null-move").unwrap_err().contains("`null-move`"));
    }
}
