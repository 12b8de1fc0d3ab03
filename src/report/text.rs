//! A board as text.

use std::fmt::Write;

use crate::board::{Piece, Side, Square};
use crate::notation::Numbering;
use crate::rules::Position;

/// Draws the board with White below: `w b` men, `W B` kings, `.` empty playable squares. Each row begins with the number of
/// its first square, or with its rank; files are labelled below the board.
///
/// # Examples
///
/// ```
/// use pdn::notation::Numbering;
/// use pdn::report::board_text;
/// use pdn::rules::{Position, Variant};
///
/// let board = board_text(&Position::start(Variant::BRAZILIAN), Numbering::for_variant(Variant::BRAZILIAN));
/// assert!(board.starts_with("8    b   b   b   b\n7  b   b   b   b\n"));
/// assert!(board.ends_with("   a b c d e f g h\nWhite to move\n"));
/// ```
pub fn board_text(position: &Position, numbering: Numbering) -> String {
    let shape = numbering.shape();
    let mut text = String::new();
    for row in 0..shape.height() {
        let mut line = row_label(numbering, row);
        for column in 0..shape.width() {
            line.push(' ');
            line.push(numbering.square_at_display(row, column).map_or(' ', |square| letter(position, square)));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    if numbering.is_algebraic() {
        text.push_str("  ");
        for column in 0..shape.width() {
            let _ = write!(text, " {}", file_letter(numbering, column));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{} to move", position.turn());
    text
}

/// Returns the letter of the file in a column of the displayed board.
fn file_letter(numbering: Numbering, column: u8) -> char {
    let shape = numbering.shape();
    let square = (0..shape.height()).find_map(|row| numbering.square_at_display(row, column));
    square.map_or(' ', |square| char::from(b'a' + numbering.file_and_rank(square).0))
}

/// Returns the rank of a row, or the number of its leftmost square, in two characters.
fn row_label(numbering: Numbering, row: u8) -> String {
    let shape = numbering.shape();
    let Some(first) = (0..shape.width()).find_map(|column| numbering.square_at_display(row, column)) else {
        return String::new();
    };
    let label = if numbering.is_algebraic() { numbering.file_and_rank(first).1 + 1 } else { numbering.number(first) };
    format!("{label:<2}")
}

fn letter(position: &Position, square: Square) -> char {
    match position.piece_at(square) {
        Some((Side::White, Piece::Man)) => 'w',
        Some((Side::White, Piece::King)) => 'W',
        Some((Side::Black, Piece::Man)) => 'b',
        Some((Side::Black, Piece::King)) => 'B',
        None => '.',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn every_variant_shows_all_its_pieces() {
        for &variant in Variant::ALL {
            let start = Position::start(variant);
            let board = board_text(&start, Numbering::for_variant(variant));
            let pieces = board.lines().take(usize::from(variant.shape().height())).flat_map(str::chars);
            assert_eq!(pieces.filter(|c| "wb".contains(*c)).count(), start.pieces().count(), "{variant}\n{board}");
        }
    }

    #[test]
    fn an_italian_board_has_its_playable_corner_on_the_right() {
        let board = board_text(&Position::start(Variant::ITALIAN), Numbering::for_variant(Variant::ITALIAN));
        assert!(board.starts_with("1  b   b   b   b\n5    b   b   b   b\n"), "{board}");
    }
}
