//! Written moves to played moves.

mod games;
mod inference;
mod properties;
