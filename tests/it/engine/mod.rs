//! The search.

mod search;
mod signature;
mod strength;
