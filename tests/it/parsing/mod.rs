//! Text to game trees and back.

mod properties;
mod samples;
