//! The choice of diagnostics that are reported, and of those that are reported as errors.

use std::str::FromStr;

use super::{Code, Diagnostic, Group, Severity};
use crate::error::ParseError;
#[cfg(feature = "cli")]
use crate::options::Named;

/// A code, or all codes of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selector {
    /// One code, such as `move/illegal`.
    Code(Code),
    /// All codes of a group, such as `move`.
    Group(Group),
}

impl Selector {
    /// Returns the parser of options with codes and groups.
    #[cfg(feature = "cli")]
    pub(crate) const fn parser() -> Named<Self> {
        Named::new(|| Self::names().collect())
    }

    /// Returns the names of all groups and codes, each group before its codes.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Group::ALL.into_iter().flat_map(|group| {
            let codes = Code::all().filter(move |code| code.group() == group);
            std::iter::once(group.name()).chain(codes.map(Code::name))
        })
    }
}

impl FromStr for Selector {
    type Err = ParseError;

    /// Reads a code, or the name of a group with or without a slash after it.
    fn from_str(name: &str) -> Result<Self, ParseError> {
        let group = Group::named(name.strip_suffix('/').unwrap_or(name)).map(Self::Group);
        group.or_else(|| name.parse().ok().map(Self::Code)).ok_or_else(|| {
            let groups = Group::ALL.map(Group::name).join(", ");
            ParseError::new(format!(
                "unknown code `{name}`; expected a code such as move/illegal, or a group: {groups}"
            ))
        })
    }
}

/// How the diagnostics of a code are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Ignore,
    Report,
    Deny,
}

/// Selects the diagnostics that are reported, and those that are reported as errors. By default, all are reported unchanged.
///
/// # Examples
///
/// ```
/// use pdn::diag::{Code, Selection, Selector};
///
/// let selectors = |names: &[&str]| names.iter().map(|name| name.parse()).collect::<Result<Vec<Selector>, _>>();
/// let selection = Selection::new(&selectors(&["move", "tag"])?, &selectors(&["tag/date"])?, &[]);
/// assert!(selection.reports(Code::MOVE_ILLEGAL) && selection.reports(Code::TAG_RATING));
/// assert!(!selection.reports(Code::TAG_DATE) && !selection.reports(Code::DRAW_EARLY));
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The level of each code; empty if all are reported unchanged.
    levels: Vec<Level>,
}

impl Selection {
    /// Selects some codes (all if `select` is empty) except ignored ones; denied codes are reported as errors. The name
    /// of a code takes precedence over the name of its group: if `syntax` is ignored and one of its codes is selected,
    /// that code is reported.
    pub fn new(select: &[Selector], ignore: &[Selector], deny: &[Selector]) -> Self {
        if select.is_empty() && ignore.is_empty() && deny.is_empty() {
            return Self::default();
        }
        Self { levels: Code::all().map(|code| level(code, select, ignore, deny)).collect() }
    }

    fn level(&self, code: Code) -> Level {
        self.levels.get(code.index()).copied().unwrap_or(Level::Report)
    }

    /// Returns true if diagnostics of a code are reported.
    pub fn reports(&self, code: Code) -> bool {
        self.level(code) != Level::Ignore
    }

    /// Returns true if a diagnostic is reported, and makes it an error if its code is denied.
    pub fn admit(&self, diagnostic: &mut Diagnostic) -> bool {
        let level = self.level(diagnostic.code());
        if level == Level::Deny {
            diagnostic.set_severity(Severity::Error);
        }
        level != Level::Ignore
    }
}

fn level(code: Code, select: &[Selector], ignore: &[Selector], deny: &[Selector]) -> Level {
    let by_name = |list: &[Selector]| list.contains(&Selector::Code(code));
    let by_group = |list: &[Selector]| list.contains(&Selector::Group(code.group()));
    let chosen = !by_name(ignore) && (by_name(select) || !by_group(ignore) && (select.is_empty() || by_group(select)));
    match chosen {
        false => Level::Ignore,
        true if by_name(deny) || by_group(deny) => Level::Deny,
        true => Level::Report,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selectors(names: &str) -> Vec<Selector> {
        names.split_whitespace().map(|name| name.parse().expect("a selector")).collect()
    }

    #[test]
    fn the_name_of_a_code_takes_precedence_over_its_group() {
        for (select, ignore, deny, wanted) in [
            ("", "", "", [Level::Report, Level::Report, Level::Report]),
            ("move", "", "", [Level::Report, Level::Report, Level::Ignore]),
            ("move/illegal", "", "", [Level::Report, Level::Ignore, Level::Ignore]),
            ("", "move", "", [Level::Ignore, Level::Ignore, Level::Report]),
            ("move/illegal", "move", "", [Level::Report, Level::Ignore, Level::Ignore]),
            ("move", "move/illegal", "tag", [Level::Ignore, Level::Report, Level::Ignore]),
            ("move/illegal", "move/illegal", "", [Level::Ignore, Level::Ignore, Level::Ignore]),
            ("", "", "move/number tag", [Level::Report, Level::Deny, Level::Deny]),
            ("", "tag/date", "tag", [Level::Report, Level::Report, Level::Ignore]),
        ] {
            let selection = Selection::new(&selectors(select), &selectors(ignore), &selectors(deny));
            let levels = [Code::MOVE_ILLEGAL, Code::MOVE_NUMBER, Code::TAG_DATE].map(|code| selection.level(code));
            assert_eq!(levels, wanted, "select {select}, ignore {ignore}, deny {deny}");
        }
    }

    #[test]
    fn every_name_is_a_selector() {
        assert!(Selector::names().all(|name| name.parse::<Selector>().is_ok()));
        assert_eq!(Selector::names().count(), Group::ALL.len() + Code::all().len());
        assert_eq!("draw/".parse(), Ok(Selector::Group(Group::Draw)));
        assert!("move/unheard-of".parse::<Selector>().is_err_and(|error| error.to_string().contains("syntax, tag")));
    }
}
