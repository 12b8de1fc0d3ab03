//! Boards: squares, sets of squares, sides and pieces. No rules.
//!
//! Every board is stored with White at the bottom and the bottom-left corner playable. Boards whose bottom-*right*
//! corner is playable (Italian, Spanish …) are mirror images of these. The rules do not see the difference; it only
//! affects the names of the squares, see [`Numbering`](crate::notation::Numbering).

mod geometry;
mod piece;
mod square;

pub(crate) use geometry::{Board8x8, Board8x8Full, Board10x8, Board10x10, Board12x12, Geometry, Word};
pub use piece::{Piece, Side};
pub(crate) use square::bits_of;
pub use square::{Corner, Names, Shape, Square, SquareSet};
