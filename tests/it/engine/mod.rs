//! The search.

mod endgames;
mod search;
mod signature;
mod strength;
