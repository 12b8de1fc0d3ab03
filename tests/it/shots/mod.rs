//! Shots: examples with names, and properties of lines.

mod examples;
mod names;
mod random;
mod variants;
