//! Moves of chess, which are no moves of draughts.

/// Returns true for a move of chess in standard algebraic notation.
pub(crate) fn is_chess_move(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    if matches!(word, "O-O" | "O-O-O") {
        return true;
    }
    let word = word.split_once('=').map_or(word, |(played, _)| played);
    let Some((from, to)) = word.len().checked_sub(2).and_then(|place| word.split_at_checked(place)) else {
        return false;
    };
    let is_square = matches!(to.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    let from = from.strip_suffix('x').unwrap_or(from);
    let piece = from.strip_prefix(['K', 'Q', 'R', 'B', 'N']);
    is_square && matches!(piece.unwrap_or(from).as_bytes(), [] | [b'a'..=b'h' | b'1'..=b'8'])
}
