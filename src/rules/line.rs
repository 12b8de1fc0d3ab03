//! Lines of play as small numbers: each move as its index among the legal ones.

use super::position::{Move, Position};

/// Returns the index of each move of a line in [`Position::legal_moves`]; the first illegal move ends the list.
///
/// # Examples
///
/// ```
/// use pdn::rules::{Position, Variant, line_indices, line_moves};
///
/// let start = Position::start(Variant::ENGLISH);
/// let line = line_moves(start, &[2, 0]).unwrap();
/// assert_eq!(line_indices(start, &line), [2, 0]);
/// assert_eq!(line_moves(start, &[99]), None);
/// ```
pub fn line_indices(mut position: Position, line: &[Move]) -> Vec<u16> {
    let mut indices = Vec::with_capacity(line.len());
    for played in line {
        let Some(index) = position.legal_moves().iter().position(|legal| legal == played) else { break };
        indices.push(index as u16);
        position = position.play_unchecked(played);
    }
    indices
}

/// Returns the moves with these indices: the inverse of [`line_indices`]; `None` if an index is too large.
pub fn line_moves(mut position: Position, indices: &[u16]) -> Option<Vec<Move>> {
    let mut line = Vec::with_capacity(indices.len());
    for &index in indices {
        let played = *position.legal_moves().get(usize::from(index))?;
        position = position.play_unchecked(&played);
        line.push(played);
    }
    Some(line)
}
