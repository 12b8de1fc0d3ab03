//! A file has the same variants after it is written canonically.

use pdn::canon::{FormatOptions, format_game};
use pdn::check::{CheckOptions, reviews};
use pdn::pdn::games;

/// A file that is written canonically has games of the same variants.
pub(crate) fn check(bytes: &[u8]) {
    let (mut text, mut variants) = (String::new(), Vec::new());
    for review in reviews(bytes, CheckOptions::default()) {
        let game = format_game(review.game(), &FormatOptions::default());
        if games(game.as_bytes()).count() != 1 {
            return;
        }
        text = text + &game + "\n";
        variants.push(review.game().variant());
    }
    let again: Vec<_> =
        reviews(text.as_bytes(), CheckOptions::default()).map(|review| review.game().variant()).collect();
    if again.len() == variants.len() {
        // Of games with an unusable GameType or without moves the output says that their variant is unknown.
        let is_same = again.iter().zip(&variants).all(|(again, variant)| again == variant || again.is_none());
        assert!(is_same, "{again:?} {variants:?} {text}");
    }
}
