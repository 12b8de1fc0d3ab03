//! Boards: squares, sets of squares, sides and pieces. No rules.
//!
//! Every board is stored with White at the bottom and the bottom-left corner playable. Boards whose bottom-*right* corner
//! is playable (Italian, Spanish …) are mirror images of these. The rules do not see the difference; only the names of
//! the squares do, see [`Numbering`](crate::notation::Numbering).

mod geometry;
mod naming;
mod piece;
mod square;

pub(crate) use geometry::{Board8x8, Board8x8Full, Board10x8, Board10x10, Board12x12, Geometry, Word};
pub use naming::{Corner, Names};
pub use piece::{ParseSideError, Piece, Side};
pub use square::{Shape, Square, SquareSet};
