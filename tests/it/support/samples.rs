//! The sample games of the repository.

use std::fs;

use super::sources::root;

/// Returns the eight sample games of a variant.
pub(crate) fn sample(name: &str) -> String {
    fs::read_to_string(root().join(format!("samples/games/{name}.pdn"))).expect("a sample")
}

/// Returns the first sample games of a variant, where more would only take time.
pub(crate) fn first_games(name: &str, count: usize) -> String {
    let mut text = sample(name);
    let next = text.match_indices("[Event ").nth(count).map(|(at, _)| at);
    text.truncate(next.expect("more games"));
    text
}
