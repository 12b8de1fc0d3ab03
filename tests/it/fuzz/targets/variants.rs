//! A file has the same variants after it is written canonically.

use pdn::canon::{FormatOptions, format_game, is_doubtful};
use pdn::check::{CheckOptions, Review, reviews};
use pdn::pdn::games;
use pdn::rules::Variant;

/// A file that is written canonically has games of the same variants.
pub(crate) fn check(bytes: &[u8]) {
    let (mut text, mut variants) = (String::new(), Vec::new());
    for review in reviews(bytes, CheckOptions::default()) {
        let game = format_game(review.game(), &FormatOptions::default());
        if games(game.as_bytes()).count() != 1 {
            return;
        }
        text = text + &game + "\n";
        variants.push((review.game().variant(), is_doubtful(review.game(), &FormatOptions::default())));
    }
    let again: Vec<_> = reviews(text.as_bytes(), CheckOptions::default()).collect();
    if again.len() == variants.len() {
        let is_alone = again.len() == 1;
        let is_same = again.iter().zip(&variants).all(|(again, before)| keeps(again, *before, is_alone));
        assert!(is_same, "{variants:?} {text}");
    }
}

/// Returns true if a game that is written canonically has its variant. Where no GameType says so, because the variant is not
/// known, is as likely as another one, or the GameType cannot be used, the other games, which got one, may have decided
/// before and not any more, or the reverse; a diagnostic says it.
fn keeps(again: &Review, (variant, is_doubtful): (Option<Variant>, bool), is_alone: bool) -> bool {
    let game = again.game();
    let is_open =
        game.is_inferred() && (variant.is_none() || is_doubtful || game.tree().find_tag("GameType").is_some());
    let is_said = game.variant().is_some() || game.written() > 0 || game.is_set_up();
    game.variant() == variant || is_open && !is_alone && is_said
}
