//! The readers of other formats survive everything: whatever a file is taken for, games are in order and have their places.

use pdn::diag::Diagnostic;
use pdn::import::games_as;
use pdn::text::Format;
use pdn::{Node, Tag};

/// Fails if a game or a diagnostic is outside the text, or a game before the end of the one before it.
pub(crate) fn check(bytes: &[u8]) {
    let formats = [Format::of(bytes), Format::BoardLog, Format::TurboDambase, Format::Lidraughts, Format::Round];
    for format in formats {
        let mut games = games_as(bytes, format, None);
        let mut end = 0;
        for game in games.by_ref() {
            assert!(game.offset() >= end, "{format:?}: games in order");
            let length = game.tree().byte_len();
            end = game.offset() + length as usize;
            assert!(end <= bytes.len(), "{format:?}: a game within the text");
            let spans = game.tree().nodes().iter().map(Node::span);
            let spans = spans.chain(game.tree().tags().iter().map(Tag::span));
            for span in spans.chain(game.diagnostics().iter().map(Diagnostic::span)) {
                assert!(span.start <= span.end && span.end <= length, "{format:?}: {span:?} of {length} bytes");
            }
        }
        for outside in games.take_outside() {
            let span = outside.diagnostic().span();
            assert!(outside.offset() + span.end as usize <= bytes.len(), "{format:?}: {span:?} outside");
        }
    }
}
