//! Moves written without whitespace between them.

use super::read::readings;
use crate::notation::Numbering;
use crate::pdn::MoveText;
use crate::rules::Position;

/// Maximum number of readings of one text; more than one is already too many.
const MAX_READINGS: usize = 8;
// Longer texts are prose, and each place where a move may end multiplies the readings to try.
/// Maximum length of a text that may be moves, in bytes.
const MAX_LENGTH: usize = 40;
/// Maximum length of a single move, in bytes.
const MAX_MOVE_LENGTH: usize = 12;

/// Returns all ways to read the whole text as a sequence of legal moves.
pub(crate) fn moves_in(text: &str, position: &Position, numbering: Numbering) -> Vec<Vec<MoveText>> {
    let mut found = Vec::new();
    if text.len() <= MAX_LENGTH && text.is_ascii() {
        search(text, position, numbering, &mut Vec::new(), &mut found);
    }
    found
}

fn search(
    text: &str,
    position: &Position,
    numbering: Numbering,
    moves: &mut Vec<MoveText>,
    found: &mut Vec<Vec<MoveText>>,
) {
    let text = match text.trim_start() {
        // `10-14 4. 41-37`
        next if !moves.is_empty() && next.len() < text.len() => without_number(next),
        next => next,
    };
    if text.is_empty() && !moves.is_empty() {
        found.push(moves.clone());
    }
    // `ed4` and `1-6` are the shortest moves.
    for end in (3..=text.len().min(MAX_MOVE_LENGTH)).filter(|&end| text.as_bytes()[end - 1].is_ascii_digit()) {
        if found.len() == MAX_READINGS {
            return;
        }
        let Some(read) = joined(&text[..end]) else { continue };
        // Not by `resolve`, which explains what is not legal, and asks here whether it is several moves.
        let readings = readings(position, &read, numbering);
        let only = if let [only] = readings.moves() { Some(*only) } else { readings.exact() };
        if let Some(played) = only {
            moves.push(read);
            search(&text[end..], &position.play_unchecked(&played), numbering, moves, found);
            moves.pop();
        }
    }
}

/// Returns a text without the move number at its start.
pub(crate) fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.starts_with('.') && rest.len() < text.len() { rest.trim_start_matches('.').trim_start() } else { text }
}

/// Reads a text as a move, including `32 28`.
fn joined(text: &str) -> Option<MoveText> {
    let starts_with_square = text.starts_with(|first: char| first.is_ascii_alphanumeric());
    let read = MoveText::parse(text).or_else(|| MoveText::parse(&text.replacen(' ', "-", 1)));
    read.filter(|read| starts_with_square && (read.squares().len() == 2 || read.captures() == Some(true)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn a_whole_text_is_read_as_moves() {
        let start = Position::start(Variant::INTERNATIONAL);
        let numbering = Numbering::for_variant(start.variant());
        assert_eq!(moves_in("32-28", &start, numbering).len(), 1);
        assert_eq!(moves_in("32-2819-23", &start, numbering).len(), 1);
        assert_eq!(moves_in("32-28 19-23 2. 28x19", &start, numbering)[0].len(), 3);
        assert!(moves_in("see page 12", &start, numbering).is_empty());
    }

    #[test]
    fn squares_of_two_kinds_are_not_one_move() {
        for text in ["23Ax32", "h4-7"] {
            assert_eq!(joined(text), None, "{text}");
        }
    }
}
