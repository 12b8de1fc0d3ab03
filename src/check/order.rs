//! The order of the diagnostics of a game.

use crate::diag::{Diagnostic, Group};

/// The diagnostics of a game by what found them, in the order in which those at the same place are reported.
#[derive(Debug, Default)]
pub(super) struct ByCheck {
    pub(super) reading: Vec<Diagnostic>,
    /// About the variant of the file.
    pub(super) variant: Option<Diagnostic>,
    pub(super) replay: Vec<Diagnostic>,
    pub(super) numbers: Vec<Diagnostic>,
    pub(super) draws: Vec<Diagnostic>,
    pub(super) result: Vec<Diagnostic>,
    pub(super) tags: Vec<Diagnostic>,
    pub(super) writing: Vec<Diagnostic>,
}

impl ByCheck {
    /// Returns all diagnostics in the order of the text.
    pub(super) fn in_order(self) -> Vec<Diagnostic> {
        let mut all = self.reading;
        all.extend(self.variant);
        for found in [self.replay, self.numbers, self.draws, self.result, self.tags, self.writing] {
            all.extend(found);
        }
        sort(&mut all);
        all
    }
}

/// Brings diagnostics into the order of the text. Those of the writing rules are the last of a place; others at the same
/// place keep their order.
pub(super) fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span().start, diagnostic.code().is_writing_rule()));
}

/// Adds the diagnostic about the variant of the file to those of a game that are in order.
pub(super) fn insert_variant(diagnostics: &mut Vec<Diagnostic>, variant: Diagnostic) {
    let start = variant.span().start;
    let is_before = |other: &Diagnostic| {
        let by_reading = other.code().group() == Group::Syntax;
        other.span().start < start || (other.span().start == start && by_reading)
    };
    diagnostics.insert(diagnostics.partition_point(is_before), variant);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::messages;
    use crate::pdn::games;

    #[test]
    fn the_variant_is_inserted_where_it_is_sorted() {
        let game = games(b"[Round \"1\"]\n\n1. 32-28 oops 19-23 oops *").next().expect("a game");
        let (tag, stray) = (game.tree().tags()[0].span(), game.diagnostics()[0].span());
        let variant = || messages::unknown_variant(stray);
        let found = |variant| ByCheck {
            reading: game.diagnostics().to_vec(),
            variant,
            result: vec![messages::duplicate_tag(stray, "Round")],
            tags: vec![messages::duplicate_tag(tag, "Round")],
            ..ByCheck::default()
        };
        let mut inserted = found(None).in_order();
        insert_variant(&mut inserted, variant());
        assert_eq!(inserted, found(Some(variant())).in_order());
    }
}
