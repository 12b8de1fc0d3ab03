//! The tag `Annotator`, in which each run of the program has its name.

use crate::pdn::{GameTree, LineId};

/// The names in the tag `Annotator` of a game. The name of a run is the last part of the tag, and says how its evaluations are
/// recognised; a new run replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Annotators<'a> {
    /// The names of people and other programs.
    others: Vec<&'a str>,
    /// The name of the last run.
    run: Option<&'a str>,
}

impl<'a> Annotators<'a> {
    /// The name of the tag.
    pub(crate) const TAG: &'static str = "Annotator";
    /// A word in the name of a run that annotated variations too.
    pub(crate) const VARIATIONS: &'static str = "variations";
    /// The end of the name of a run that left no commands.
    pub(crate) const PLAIN: &'static str = "(plain)";
    /// The end of the name of a run that left evaluations of others between its own, all of which therefore have a signature.
    pub(crate) const AMONG_OTHERS: &'static str = "(other evaluations kept)";

    const SEPARATOR: &'static str = "; ";

    /// Returns the names in a tag.
    pub(crate) fn read(value: &'a str) -> Self {
        let (runs, others): (Vec<_>, Vec<_>) = value.split(Self::SEPARATOR).partition(|name| is_run(name));
        Self { others, run: runs.last().copied() }
    }

    /// Returns the names in the tag of a game.
    pub(crate) fn of(tree: &'a GameTree) -> Self {
        Self::read(tree.tag(Self::TAG).unwrap_or_default())
    }

    /// Returns true if a run of the program is named.
    pub(crate) const fn names_run(&self) -> bool {
        self.run.is_some()
    }

    /// Returns true if the last run left no commands.
    pub(crate) fn is_plain(&self) -> bool {
        self.run.is_some_and(|name| name.ends_with(Self::PLAIN))
    }

    /// Returns true if all evaluations after the moves of a line are the program's, also those without a signature.
    pub(crate) fn owns_evaluations(&self, line: LineId) -> bool {
        let has_others = |name: &str| name.ends_with(Self::PLAIN) || name.ends_with(Self::AMONG_OTHERS);
        self.run.is_some_and(|name| !has_others(name) && covers(name, line))
    }

    /// Returns the value of the tag without the name of the last run, if any is left.
    pub(crate) fn without_run(&self) -> Option<String> {
        let others = self.others.join(Self::SEPARATOR);
        (!others.is_empty()).then_some(others)
    }

    /// Returns the value of the tag with the name of a new run.
    pub(crate) fn with(&self, name: &str) -> String {
        // `pdn 0.1.0 engine sh -c 'a; b'` would be two names when it is read again.
        let name = name.replace(';', ",");
        // `?` is the value of a tag whose value is unknown.
        let others = self.without_run().filter(|others| others != "?");
        others.map_or(name.clone(), |others| [&others, &name[..]].join(Self::SEPARATOR))
    }
}

/// Returns true if the run of this name annotated the moves of a line.
pub(crate) fn covers(name: &str, line: LineId) -> bool {
    line == LineId::MAIN || name.split(' ').any(|word| word == Annotators::VARIATIONS)
}

/// Returns true for the name of a run of this program, such as `pdn 0.1.0 100000 nodes`.
fn is_run(name: &str) -> bool {
    // `pdn user` may be a person.
    let version = name.strip_prefix("pdn ").and_then(|rest| rest.split(' ').next());
    version.is_some_and(|version| {
        let numbers = version.split('.');
        numbers.clone().count() == 3 && numbers.clone().all(|number| number.parse::<u32>().is_ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_once() {
        let with = |present, name| Annotators::read(present).with(name);
        for (present, all) in [
            ("", "pdn 0.1.0 100 nodes"),
            ("?", "pdn 0.1.0 100 nodes"),
            ("Me", "Me; pdn 0.1.0 100 nodes"),
            ("Me; pdn 0.1.0 9 nodes; You", "Me; You; pdn 0.1.0 100 nodes"),
            ("pdn 0.2.10", "pdn 0.1.0 100 nodes"),
            ("pdn user", "pdn user; pdn 0.1.0 100 nodes"),
        ] {
            assert_eq!(with(present, "pdn 0.1.0 100 nodes"), all);
            assert_eq!(with(all, "pdn 0.1.0 100 nodes"), all);
        }
        let once = with("", "pdn 0.1.0 engine sh -c 'a; b'");
        assert_eq!(with(&once, "pdn 0.1.0 engine sh -c 'a; b'"), once);
    }

    #[test]
    fn names_of_people_are_left() {
        for (all, others) in [("pdn 0.1.0 x", None), ("", None), ("Me; pdn 0.1.0 x; You", Some("Me; You"))] {
            assert_eq!(Annotators::read(all).without_run().as_deref(), others, "{all}");
        }
    }

    #[test]
    fn names_say_whose_the_evaluations_are() {
        let variation = LineId::new(1);
        for (name, main, other) in [
            ("pdn 0.1.0 x", true, false),
            ("pdn 0.1.0 x variations words en", true, true),
            ("pdn 0.1.0 x variations (other evaluations kept)", false, false),
            ("pdn 0.1.0 x (plain)", false, false),
            ("Me", false, false),
        ] {
            let names = Annotators::read(name);
            assert_eq!(
                (names.owns_evaluations(LineId::MAIN), names.owns_evaluations(variation)),
                (main, other),
                "{name}"
            );
        }
    }
}
