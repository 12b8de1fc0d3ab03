//! Records as plain rows: the data of CSV and JSON.
//!
//! The names and meanings of all fields are defined here. They belong to a schema whose number, [`SCHEMA`], increases when
//! a field is renamed, removed or changes its meaning; fields may be added at any time.
//!
//! Squares are the internal numbers of the variant: playable squares from the top left with White below, from 1, rows
//! from left to right (Spanish and Portuguese: their own numbers). Sides are `W` and `B`. Absent values are null.

mod annotation;
mod annotators;
mod assessment;
mod checked;
mod collections;
mod expectation;
mod explanation;
mod game_rows;
mod legal;
mod move_numbers;
mod move_rows;
mod opening_names;
mod performance;
mod players;
mod preparation;
mod rows;
mod signature;
mod texts;

pub use annotation::{AnnotatedGame, Annotation, EvaluatedLine, Judgement, NotAnnotated, Remains, annotate_row};
pub(crate) use annotators::{Annotators, covers};
pub use assessment::{Assessment, Expectation};
pub(crate) use checked::placed_row;
pub use checked::{checked_head, checked_row, diagnostic_rows, outside_row};
pub use collections::{
    BranchRow, CodeRow, CountRow, DiagnosticsRow, EventRow, LengthRow, MatchRow, NamedOpeningRow, OpeningRow,
    PairingRow, PlayerRow, RatingRow, RatingsRow, ResultsRow, ShotsRow, SpellingRow, StandingRow, StatsRow, TeamRow,
    TieBreakRow, TreeRow,
};
pub(crate) use collections::{DifferenceRow, PlaceRow, TagDifference};
pub(crate) use expectation::{CurveFit, lead};
pub use expectation::{ExpectationCurve, Phase};
pub use explanation::{FactClause, MoveShot, SentenceFacts};
pub use game_rows::{Origin, game_row};
pub(crate) use legal::EndgameRow;
pub use legal::{LegalMoveRow, LegalMovesRow};
pub(crate) use move_numbers::MoveNumbers;
pub use move_rows::MoveRows;
pub use opening_names::{NamesProblem, OpeningNames};
pub use performance::{GamePerformance, Performance, SidePerformance};
pub(crate) use players::AccuracyRow;
pub use players::PlayerTable;
#[cfg(feature = "query")]
pub(crate) use players::{Tally, row as accuracy_row};
pub use preparation::{
    ChangeRow, ClockRow, EndgameResultsRow, GameReason, GroupRow, NotedGameRow, PhaseAccuracyRow, PreparationRow,
    ScoreRow, ShotExampleRow, SideRow, ThemeRow,
};
pub use rows::{DiagnosticRow, EditRow, GameRow, MoveRow, NoteRow, PositionRow, ResultRow, SCHEMA, Tags};
pub(crate) use signature::{Signature, is_unsigned_evaluation, line_checksum, text_checksum, written_evaluation};
pub(crate) use texts::comment_text;
pub use texts::{clock_after, elapsed_for, nags, opening_text};
