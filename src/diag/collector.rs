//! The diagnostics of one game, with a limit for each kind.

use super::{Code, Diagnostic, messages};

/// Maximum number of diagnostics of one kind that are kept. An undamaged game rarely has ten.
const MAX_KEPT: u32 = 1000;

/// Codes reported once per game, with a count of further occurrences: if one line break is typed out, all of them are.
const ONCE: [Code; 1] = [Code::SYNTAX_TYPED_ESCAPE];

/// Collects diagnostics. The first thousand of each kind are kept; the others are counted, and represented by one, so
/// that a damaged game of any size takes little memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collector {
    list: Vec<Diagnostic>,
    kinds: Vec<Kind>,
}

/// Number of occurrences of each kind of diagnostic.
#[derive(Clone, Debug)]
struct Kind {
    code: Code,
    kept: u32,
    /// For a code in [`ONCE`], the index of its diagnostic and the number of further occurrences.
    once: Option<(usize, u32)>,
    /// The diagnostic that represents those not kept.
    rest: Option<Diagnostic>,
}

impl Collector {
    /// Adds a diagnostic.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let place = self.place_of(diagnostic.code());
        let kind = &mut self.kinds[place];
        if let Some((_, more)) = &mut kind.once {
            *more += 1;
        } else if kind.kept < MAX_KEPT {
            kind.once = ONCE.contains(&kind.code).then_some((self.list.len(), 0));
            kind.kept += 1;
            self.list.push(diagnostic);
        } else if let Some(rest) = &mut kind.rest {
            rest.add_count(diagnostic.count());
        } else {
            kind.rest = Some(diagnostic);
        }
    }

    fn place_of(&mut self, code: Code) -> usize {
        let known = self.kinds.iter().position(|kind| kind.code == code);
        known.unwrap_or_else(|| {
            self.kinds.push(Kind { code, kept: 0, once: None, rest: None });
            self.kinds.len() - 1
        })
    }

    /// Returns the diagnostics in the order in which they were added, then those that represent others.
    pub(crate) fn into_vec(self) -> Vec<Diagnostic> {
        let mut list = self.list;
        for (index, more) in self.kinds.iter().filter_map(|kind| kind.once).filter(|&(_, more)| more > 0) {
            messages::and_more(&mut list[index], more);
        }
        list.extend(self.kinds.into_iter().filter_map(|kind| kind.rest).map(|mut rest| {
            messages::represent_others(&mut rest);
            rest
        }));
        list
    }
}

impl Extend<Diagnostic> for Collector {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        diagnostics.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Span;

    #[test]
    fn a_typed_escape_is_reported_once_with_the_number_of_the_others() {
        let text = [b"[Event \"x\"]\n1. 32-28 ".to_vec(), b"\\r ".repeat(2000), b"19-23 oops *".to_vec()].concat();
        let game = crate::pdn::games(&text).next().expect("a game");
        let escapes: Vec<_> =
            game.diagnostics().iter().filter(|found| found.code() == Code::SYNTAX_TYPED_ESCAPE).collect();
        assert_eq!(escapes.len(), 1);
        assert_eq!(escapes[0].to_string(), "typed escape sequence: `\\r`, and 1999 more");
        assert_eq!(escapes[0].count(), 1);
    }

    #[test]
    fn one_diagnostic_represents_those_above_the_limit() {
        let mut collector = Collector::default();
        for _ in 0..5000 {
            collector.push(messages::titled(Code::SYNTAX_STRAY_TEXT, Span::new(0, 1)));
        }
        let all = collector.into_vec();
        assert_eq!((all.len(), all[1000].to_string().as_str()), (1001, "and 4000 more like it"));
        assert_eq!(all.iter().map(Diagnostic::count).sum::<u32>(), 5000);
    }
}
