//! A board as SVG.

use std::fmt::Write;

use crate::board::{Piece, Side, Square};
use crate::notation::Numbering;
use crate::rules::Position;

/// Width and height of a square, in user units.
const SIZE: u32 = 40;
const LIGHT: &str = "#f2e2c0";
const DARK: &str = "#b98a5a";
const LINES: &str = "#3a2a1a";

/// Returns the board as an SVG document, with White at the bottom. Empty playable squares show their names.
pub fn board_svg(position: &Position, numbering: Numbering) -> String {
    let shape = numbering.shape();
    let (width, height) = (u32::from(shape.width()) * SIZE, u32::from(shape.height()) * SIZE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title>{} to move</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"{LIGHT}\"/>\n",
        position.turn()
    );
    for square in shape.squares() {
        draw_square(&mut svg, position, numbering, square);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_square(svg: &mut String, position: &Position, numbering: Numbering, square: Square) {
    let (column, row) = (numbering.display_column(square), numbering.display_row(square));
    let (x, y) = (u32::from(column) * SIZE, u32::from(row) * SIZE);
    if !numbering.shape().every_square() {
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"{DARK}\"/>");
    }
    let (cx, cy) = (x + SIZE / 2, y + SIZE / 2);
    match position.piece_at(square) {
        Some((side, piece)) => draw_piece(svg, side, piece, cx, cy),
        None => {
            let name = numbering.name(square);
            let (left, base) = (x + 3, y + 12);
            let _ = writeln!(svg, "<text x=\"{left}\" y=\"{base}\" font-size=\"10\" fill=\"{LINES}\">{name}</text>");
        }
    }
}

fn draw_piece(svg: &mut String, side: Side, piece: Piece, cx: u32, cy: u32) {
    let (fill, mark) = match side {
        Side::White => ("#ffffff", LINES),
        Side::Black => ("#222222", "#ffffff"),
    };
    let _ = writeln!(
        svg,
        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"16\" fill=\"{fill}\" stroke=\"{LINES}\" stroke-width=\"2\"/>"
    );
    if piece == Piece::King {
        let _ = writeln!(
            svg,
            "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"9\" fill=\"none\" stroke=\"{mark}\" stroke-width=\"3\"/>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn every_man_is_a_circle() {
        for &variant in Variant::ALL {
            let start = Position::start(variant);
            let svg = board_svg(&start, Numbering::for_variant(variant));
            assert_eq!(svg.matches("<circle").count(), start.pieces().count(), "{variant}");
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        }
    }
}
