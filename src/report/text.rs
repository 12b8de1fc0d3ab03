//! A board as text.

use std::fmt::Write;

use super::view::BoardView;
use crate::board::{Piece, Side, Square};
use crate::notation::Numbering;
use crate::rules::Position;

/// Draws the board: `w b` men, `W B` kings, `.` or the name for empty playable squares. Each row begins with the number of
/// its first square, or with its rank; files are labelled below the board.
///
/// # Examples
///
/// ```
/// use pdn::notation::Numbering;
/// use pdn::report::{BoardView, board_text};
/// use pdn::rules::{Position, Variant};
///
/// let numbering = Numbering::for_variant(Variant::BRAZILIAN);
/// let board = board_text(&Position::start(Variant::BRAZILIAN), numbering, &BoardView::default());
/// assert!(board.starts_with("8    b   b   b   b\n7  b   b   b   b\n"));
/// assert!(board.ends_with("   a b c d e f g h\nWhite to move\n"));
/// ```
pub fn board_text(position: &Position, numbering: Numbering, view: &BoardView) -> String {
    let shape = numbering.shape();
    let mut text = String::new();
    for row in 0..shape.height() {
        let mut line = row_label(numbering, view, row);
        for column in 0..shape.width() {
            line.push_str(&cell(position, numbering, view, (column, row)));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    if numbering.is_algebraic() {
        text.push_str("  ");
        for column in 0..shape.width() {
            let _ = write!(text, "{:>width$}", file_letter(numbering, view, column), width = width(view));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{} to move", position.turn());
    text
}

/// Returns the number of characters of a column.
const fn width(view: &BoardView) -> usize {
    if view.numbers { 3 } else { 2 }
}

fn cell(position: &Position, numbering: Numbering, view: &BoardView, (column, row): (u8, u8)) -> String {
    let width = width(view);
    let Some(square) = view.square_at(numbering, column, row) else { return " ".repeat(width) };
    let sign = match letter(Some(position), square) {
        '.' if view.numbers => format!("{:>width$}", numbering.name(square).to_string()),
        letter => format!("{letter:>width$}"),
    };
    if view.colored { colored(position, view, square, &sign) } else { sign }
}

/// Returns a cell in the colours of its piece; the squares of the last move have another background.
fn colored(position: &Position, view: &BoardView, square: Square, sign: &str) -> String {
    let style = match position.piece_at(square) {
        Some((Side::White, _)) => "1;97",
        Some((Side::Black, _)) => "1;30",
        None => "37",
    };
    let background = if view.is_last(square) { 42 } else { 43 };
    let (gap, sign) = sign.split_at(sign.len() - sign.trim_start().len());
    format!("{gap}\x1b[{style};{background}m{sign}\x1b[0m")
}

/// Returns the letter of the file in a column of the drawn board.
fn file_letter(numbering: Numbering, view: &BoardView, column: u8) -> char {
    let shape = numbering.shape();
    // Each column has a playable square only in every other row.
    let square = (0..shape.height()).find_map(|row| view.square_at(numbering, column, row));
    square.map_or(' ', |square| char::from(b'a' + numbering.file_and_rank(square).0))
}

/// Returns the rank of a row, or the number of its leftmost square, in two characters.
fn row_label(numbering: Numbering, view: &BoardView, row: u8) -> String {
    let shape = numbering.shape();
    let Some(first) = (0..shape.width()).find_map(|column| view.square_at(numbering, column, row)) else {
        return String::new();
    };
    let label = if numbering.is_algebraic() { numbering.file_and_rank(first).1 + 1 } else { numbering.number(first) };
    format!("{label:<2}")
}

/// Returns the letter of a square: `w` or `b`, for kings `W` or `B`, and `.` if it is empty or the position unknown.
pub(super) fn letter(position: Option<&Position>, square: Square) -> char {
    match position.and_then(|position| position.piece_at(square)) {
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
            let board = board_text(&start, Numbering::for_variant(variant), &BoardView::default());
            let pieces = board.lines().take(usize::from(variant.shape().height())).flat_map(str::chars);
            assert_eq!(pieces.filter(|c| "wb".contains(*c)).count(), start.pieces().count(), "{variant}\n{board}");
        }
    }

    #[test]
    fn an_italian_board_has_its_playable_corner_on_the_right() {
        let numbering = Numbering::for_variant(Variant::ITALIAN);
        let board = board_text(&Position::start(Variant::ITALIAN), numbering, &BoardView::default());
        assert!(board.starts_with("1  b   b   b   b\n5    b   b   b   b\n"), "{board}");
    }

    #[test]
    fn boards_can_be_turned_and_numbered() {
        let international = Numbering::for_variant(Variant::INTERNATIONAL);
        let position = Position::start(Variant::INTERNATIONAL);
        let view = BoardView::default().flipped(true).numbers(true);
        let lines: Vec<_> = board_text(&position, international, &view).lines().map(str::to_owned).collect();
        assert_eq!(lines[0], "50     w     w     w     w     w");
        assert_eq!(lines[4], "30    30    29    28    27    26");
        let russian = board_text(
            &Position::start(Variant::RUSSIAN),
            Numbering::for_variant(Variant::RUSSIAN),
            &BoardView::default().flipped(true),
        );
        assert!(russian.starts_with("1  ") && russian.contains("   h g f e d c b a\n"), "{russian}");
    }

    #[test]
    fn the_last_move_has_another_background() {
        let start = Position::start(Variant::INTERNATIONAL);
        let played = start.legal_moves()[0];
        let view = BoardView::default().colored(true).last_move(Some(played));
        let board = board_text(&start.play_unchecked(&played), Numbering::for_variant(Variant::INTERNATIONAL), &view);
        assert_eq!((board.matches(";42m").count(), board.matches(";43m").count()), (2, 48));
    }
}
