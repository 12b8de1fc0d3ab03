//! Games as PDN.

use crate::canon::{FormatOptions, format_game};
use crate::replay::ReplayedGame;

/// Returns a game as canonical PDN with a blank line behind it, so that games can follow each other.
///
/// Moves that could be played are named as the game names its squares; those that could not stay as written, and text
/// that belongs nowhere becomes a comment.
pub fn write_pdn(game: &ReplayedGame) -> String {
    let mut text = format_game(game, &FormatOptions::default());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};

    fn written(text: &str) -> String {
        let parsed = games(text.as_bytes()).next().expect("a game");
        write_pdn(&replay(parsed.tree, &ReplayOptions::default()))
    }

    #[test]
    fn what_was_written_is_read_again() {
        let once = written("[GameType \"25\"]\n1. cd4 {x} (1. ab4) ba5 2. dc5 1-0");
        assert!(once.contains("1. c3-d4 {x} (1. a3-b4)"), "{once}");
        assert_eq!(written(&once), once);
    }
}
