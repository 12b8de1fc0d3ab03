//! Games as PDN, and their last positions as FEN.

use super::format::{RecordWriter, WrittenGame};
use crate::canon::{FormatOptions, format_game};
use crate::replay::ReplayedGame;

/// Returns a game as canonical PDN with an empty line after it, so that games can be concatenated.
///
/// Legal moves are written in the notation of the game, all others as in the record; text without a place among the moves
/// becomes a comment.
pub fn write_pdn(game: &ReplayedGame) -> String {
    canonical_pdn(game) + "\n"
}

/// Returns a game as canonical PDN.
pub(super) fn canonical_pdn(game: &ReplayedGame) -> String {
    format_game(game, &FormatOptions::default())
}

/// Writes games in PDN.
#[derive(Debug)]
pub(super) struct PdnWriter;

impl RecordWriter for PdnWriter {
    /// The end of a collection has no empty line, as in canonical PDN.
    fn separator(&self) -> &'static [u8] {
        b"\n"
    }

    fn game(&self, game: &dyn WrittenGame, out: &mut Vec<u8>) {
        out.extend_from_slice(game.pdn().as_bytes());
    }
}

/// Writes the last known position of each game, one per line.
#[derive(Debug)]
pub(super) struct FenWriter;

impl RecordWriter for FenWriter {
    fn game(&self, game: &dyn WrittenGame, out: &mut Vec<u8>) {
        if let Some(fen) = game.replayed().final_fen().or_else(|| game.replayed().written_fen()) {
            out.extend_from_slice(fen.as_bytes());
            out.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};

    fn written(text: &str) -> String {
        let parsed = games(text.as_bytes()).next().expect("a game");
        write_pdn(&replay(parsed.into_tree(), &ReplayOptions::default()))
    }

    #[test]
    fn games_are_stable() {
        let once = written("[GameType \"25\"]\n1. cd4 {x} (1. ab4) ba5 2. dc5 1-0");
        assert!(once.contains("1. c3-d4 {x} (1. a3-b4)"), "{once}");
        assert_eq!(written(&once), once);
    }
}
