//! What happens in a game besides moves.

use std::fmt;

/// Something in a game over DXP that its user may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DxpNotice {
    /// A game has begun against the opponent of this name.
    Began(String),
    /// The opponent sent this text.
    Chat(String),
    /// The opponent took moves back; this number of plies is left.
    TakenBack(usize),
    /// The opponent's request to take moves back was declined.
    KeptMoves,
    /// The opponent's proposal of a game was declined, for this reason.
    Declined(&'static str),
    /// A message was ignored because it is invalid or has no meaning at this time.
    Ignored(String),
    /// The opponent says that the game is this for it, which is not what the board shows.
    Disputed(&'static str),
}

impl fmt::Display for DxpNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Began(name) => write!(f, "game against {name}"),
            Self::Chat(text) => write!(f, "opponent: {text}"),
            Self::TakenBack(plies) => write!(f, "the opponent took moves back to ply {plies}"),
            Self::KeptMoves => f.write_str("the opponent wanted to take moves back"),
            Self::Declined(reason) => write!(f, "declined a game: {reason}"),
            Self::Ignored(text) => write!(f, "ignored a message of the opponent: `{text}`"),
            Self::Disputed(result) => {
                write!(f, "the opponent regards the game as {result}; the board shows another result")
            }
        }
    }
}
