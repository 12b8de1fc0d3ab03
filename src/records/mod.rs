//! Records as plain rows, as CSV and JSON give them out.
//!
//! The names and meanings of all fields stand here and nowhere else. They belong to a schema with a number,
//! [`SCHEMA`], which grows when a field changes its name or meaning or goes away; new fields may come at any time.
//!
//! Squares are the internal numbers of the variant: playable squares from the top left with White below, from 1, rows from
//! left to right (Spanish and Portuguese: their own numbers). Sides are `W` and `B`. Everything that may be absent is null.

mod annotated;
mod annotation;
mod game;
mod rows;

pub use annotated::annotate_row;
pub use annotation::{Annotation, Judgement};
pub use game::{Origin, game_row, head_row};
pub use rows::{DiagnosticRow, GameRow, MoveRow, ROSTER, ResultRow, SCHEMA, Tags};
