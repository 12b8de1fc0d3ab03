//! A move of a position from text alone.

use super::read::{ResolveError, resolve};
use crate::notation::Numbering;
use crate::pdn::MoveText;
use crate::rules::{Move, Position};

/// The error for a text that is not one legal move of a position. It displays the reason, and what may have been meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// The text is not written like a move.
    #[error("`{0}` is not a move")]
    NoMove(String),
    /// No legal move fits the text, for this reason.
    #[error("{0}")]
    Illegal(String),
    /// Several legal moves fit the text, which are these.
    #[error("{0}")]
    Ambiguous(String),
}

impl Position {
    /// Returns the legal move with a text in any usual notation, in the names of the variant.
    ///
    /// # Errors
    ///
    /// If the text is no move, or fits none or several of the legal ones.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::{Position, Variant};
    ///
    /// let start = Position::start(Variant::INTERNATIONAL);
    /// assert_eq!(start.short(&start.parse_move("32-28")?), "32-28");
    /// assert_eq!(
    ///     start.parse_move("32-26").unwrap_err().to_string(),
    ///     "32-26: the piece on 32 cannot move to 26; did White mean 31-26, 32-27 or 32-28?"
    /// );
    /// # Ok::<(), pdn::notation::ParseMoveError>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let written: MoveText = text.parse().map_err(|_| ParseMoveError::NoMove(text.to_owned()))?;
        let names = Numbering::for_variant(self.variant());
        resolve(self, &written, names).map(|(played, _)| played).map_err(|error| match error {
            ResolveError::Illegal(explanation) => {
                let question = explanation.question(self, names).map(|question| format!("; {question}"));
                ParseMoveError::Illegal(format!("{text}: {}{}", explanation.reason(), question.unwrap_or_default()))
            }
            ResolveError::Ambiguous { candidates } => {
                let candidates: Vec<_> = candidates.iter().map(|played| self.full(played)).collect();
                ParseMoveError::Ambiguous(format!("{text} may be {}", candidates.join(" or ")))
            }
        })
    }
}
