//! Boards: squares, sets of squares, sides and pieces. No rules.
//!
//! Every board is kept with White below and the bottom-left corner playable. Boards whose bottom-*right* corner is
//! playable (Italian, Spanish …) are the mirror image of these; the rules do not see the difference, only the names of
//! the squares do (`notation`).

mod geometry;
mod piece;
mod square;

pub use geometry::{Board8x8, Board8x8Full, Board10x8, Board10x10, Board12x12, Geometry, Word};
pub use piece::{Piece, Side};
pub use square::{Shape, Square, SquareSet};
