//! Written moves to played moves.

mod games;
mod properties;
