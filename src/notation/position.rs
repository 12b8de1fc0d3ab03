//! Positions from FENs.

use std::fmt;

use super::{FenError, Numbering, parse_fen};
use crate::rules::{Position, SetupIssue, SetupIssues, Variant};

/// The reasons why a FEN is not a playable position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// The text is not a FEN.
    #[non_exhaustive]
    Fen {
        /// The text.
        fen: String,
        /// What is wrong with it, at least one reason.
        error: FenError,
    },
    /// The arrangement of the pieces is not playable in the variant.
    #[non_exhaustive]
    Setup {
        /// The names of the squares in messages.
        numbering: Numbering,
        /// What is wrong with it, at least one reason.
        issues: SetupIssues,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<_> = match self {
            Self::Fen { fen, error } => {
                let column = |start: u32| fen.get(..start as usize).unwrap_or(fen).chars().count() + 1;
                let reason = |problem: &super::FenFault| format!("column {}: {problem}", column(problem.span().start));
                error.faults().iter().map(reason).collect()
            }
            Self::Setup { numbering, issues } => issues.iter().map(|issue| setup_reason(issue, *numbering)).collect(),
        };
        f.write_str(&reasons.join("; "))
    }
}

impl std::error::Error for PositionError {}

fn setup_reason(issue: &SetupIssue, numbering: Numbering) -> String {
    issue.square().map_or_else(|| issue.to_string(), |square| format!("{}: {issue}", numbering.name(square)))
}

impl Position {
    /// Returns the position of a FEN, whose squares are named as usual in the variant.
    ///
    /// # Errors
    ///
    /// If the text is not a FEN or the position is not playable; the error contains every reason.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::{Position, Variant};
    ///
    /// let position = Position::from_fen(Variant::INTERNATIONAL, "W:W31,32:B19,20")?;
    /// assert_eq!(position.legal_moves().len(), 4);
    /// let error = Position::from_fen(Variant::INTERNATIONAL, "W:W31,51:B").unwrap_err();
    /// assert!(error.to_string().contains("column 7"));
    /// # Ok::<(), pdn::notation::PositionError>(())
    /// ```
    pub fn from_fen(variant: Variant, fen: &str) -> Result<Self, PositionError> {
        let numbering = Numbering::for_variant(variant);
        let setup = parse_fen(fen, numbering).map_err(|error| PositionError::Fen { fen: fen.to_owned(), error })?;
        let read = Self::from_setup(variant, &setup).map(|(position, _)| position);
        read.map_err(|issues| PositionError::Setup { numbering, issues })
    }
}
