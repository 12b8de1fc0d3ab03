//! The rules of the game.

mod draws;
mod house;
mod legal;
mod naive;
mod perft;
mod properties;
