//! Texts of squares, positions and moves: numbering, GameType, FEN, moves as written.

mod game_type;
mod numbering;

pub use game_type::{GameType, GameTypeError};
pub use numbering::{Corner, Names, Numbering, SquareName};
