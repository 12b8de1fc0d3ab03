//! The text around games.

use super::reviews::Reviewed;
use crate::pdn::Outside;
use crate::source::Chunk;

/// The text outside any game around one: after it, and before it if it is the first of its chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    before: Vec<String>,
    after: Vec<String>,
}

impl Around {
    /// Returns the texts before the game.
    pub fn before(&self) -> &[String] {
        &self.before
    }

    /// Returns the texts after the game.
    pub fn after(&self) -> &[String] {
        &self.after
    }

    /// Collects the text around what was reviewed last.
    pub(super) fn update(&mut self, chunk: &Chunk, reviewed: &Reviewed, is_first: bool, ahead: &[Outside]) {
        let text = |outside: &Outside| outside.text(chunk.bytes(), chunk.encoding());
        match reviewed {
            Reviewed::Outside(outside) if is_first => self.before.extend(text(outside)),
            Reviewed::Outside(_) => {}
            Reviewed::Game(_) | Reviewed::Plain(_) => {
                self.after = ahead.iter().filter_map(text).collect();
                if !is_first {
                    self.before.clear();
                }
            }
        }
    }
}
