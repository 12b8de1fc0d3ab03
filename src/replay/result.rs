//! The result of a game: as it is written, and as the board has it.

use crate::notation::Outcome;

/// What a game says about its result, and what stands on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameResult {
    /// Value of the Result tag as written.
    pub tag: Option<String>,
    /// The terminator as written.
    pub terminator: Option<String>,
    /// What the final position decides, where the main line could be replayed whole.
    pub board: Option<Outcome>,
    /// What the tag says, or else the terminator; `None` if neither decides anything.
    pub winner: Option<Outcome>,
}
