//! Lines of play as small numbers: of each move its place among the legal ones.

use super::position::{Move, Position};

/// Returns of each move its place among the legal ones in [`Position::legal_moves`]; the rest of a line is left out from
/// the first move on that is not legal.
pub fn places_of(mut position: Position, line: &[Move]) -> Vec<u16> {
    let mut places = Vec::with_capacity(line.len());
    for step in line {
        let Some(place) = position.legal_moves().iter().position(|legal| legal == step) else { break };
        places.push(place as u16);
        position = position.play_unchecked(step);
    }
    places
}

/// Returns the moves at these places; `None` if there is no such move.
pub fn moves_at(mut position: Position, places: &[u16]) -> Option<Vec<Move>> {
    let mut line = Vec::with_capacity(places.len());
    for &place in places {
        let step = *position.legal_moves().get(usize::from(place))?;
        position = position.play_unchecked(&step);
        line.push(step);
    }
    Some(line)
}
