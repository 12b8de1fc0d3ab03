//! Games as PDN: everything as written, moves that could be played in the short form of the standard.

use std::borrow::Cow;

use crate::notation::short_in;
use crate::pdn::{NodeId, Overlay, WriteOptions, write_game};
use crate::replay::ReplayedGame;

/// Returns a game as PDN with a blank line behind it, so that games can follow each other.
///
/// Moves that could be played are named as the game names its squares; those that could not stay as written, and text
/// that belongs nowhere becomes a comment. A game without a result ends with `*`.
pub fn write_pdn(game: &ReplayedGame) -> String {
    let options = WriteOptions { roster_first: true, stray_as_comment: true, ..WriteOptions::default() };
    let mut text = write_game(game.tree(), options, &Canonical(game));
    text.push('\n');
    text
}

struct Canonical<'a>(&'a ReplayedGame);

impl Overlay for Canonical<'_> {
    fn text(&self, id: NodeId) -> Option<Cow<'_, str>> {
        let ply = self.0.ply(id)?;
        Some(Cow::Owned(short_in(&ply.before?, &ply.played?, self.0.numbering()?)))
    }

    fn strength<'a>(&'a self, _: NodeId, written: Option<&'a str>) -> Option<Cow<'a, str>> {
        written.filter(|marks| *marks != "*").map(Cow::Borrowed)
    }

    fn nags(&self, id: NodeId) -> Vec<u16> {
        let forced = self.0.tree().node(id).strength.as_deref() == Some("*");
        if forced { vec![7] } else { Vec::new() }
    }

    fn terminator<'a>(&'a self, written: Option<&'a str>) -> Option<Cow<'a, str>> {
        Some(Cow::Borrowed(written.unwrap_or("*")))
    }
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
    fn moves_that_could_be_played_are_canonical() {
        let text = "[GameType \"20\"]\n[Event \"e\"]\n1. 32-28* 19-23 2. 28-19 14x23 3. 31-01 1-2";
        let expected = "[Event \"e\"]\n[GameType \"20\"]\n\n1. 32-28 $7 19-23 2. 28x19 14x23 3. 31-01 1-2 *\n\n";
        assert_eq!(written(text), expected);
    }

    #[test]
    fn what_was_written_is_read_again() {
        let once = written("[GameType \"25\"]\n1. cd4 {x} (1. ab4) ba5 2. dc5 1-0");
        assert!(once.contains("1. c3-d4 {x} (1. a3-b4)"), "{once}");
        assert_eq!(written(&once), once);
    }
}
