//! FEN of positions and arrangements.

use std::cell::RefCell;

use crate::board::{Piece, Side, Square, SquareSet};
use crate::notation::{Numbering, SquareName};
use crate::rules::{Position, Setup};

impl Position {
    /// Returns the FEN of the position in the names of its variant: without whitespace, ranges and final dot, White's pieces
    /// first, squares in the order of their names.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::{Position, Variant};
    ///
    /// let position = Position::from_fen(Variant::INTERNATIONAL, "W:WK10,31:B22-24")?;
    /// assert_eq!(position.fen(), "W:WK10,31:B22,23,24");
    /// # Ok::<(), pdn::notation::PositionError>(())
    /// ```
    pub fn fen(&self) -> String {
        self.fen_in(Numbering::for_variant(self.variant()))
    }

    /// Returns the FEN of the position, as [`Position::fen`], in the names of a numbering.
    pub fn fen_in(&self, numbering: Numbering) -> String {
        self.with_fen(numbering, str::to_owned)
    }

    /// Passes the FEN of the position, as [`Position::fen_in`], to a function without allocating it.
    pub fn with_fen<T>(&self, numbering: Numbering, take: impl FnOnce(&str) -> T) -> T {
        LAST.with_borrow_mut(|last| {
            let names = match last {
                Some(names) if names.numbering == numbering => names,
                last => last.insert(SquareOrder::new(numbering)),
            };
            take(names.write(self))
        })
    }
}

impl Setup {
    /// Returns the FEN of the arrangement in the names of a numbering, with `?` for an unknown side to move.
    pub fn fen(&self, numbering: Numbering) -> String {
        let key = |&(square, owner, piece): &(Square, Side, Piece)| (owner, numbering.order(square), piece);
        let mut pieces: Vec<_> = self.pieces().iter().map(key).collect();
        pieces.sort_unstable();
        let mut fen = String::with_capacity("?:W:B".len() + pieces.len() * "K50,".len());
        fen.push(self.turn().map_or('?', Side::letter));
        for side in Side::ALL {
            let own = pieces.iter().filter(|(owner, ..)| *owner == side);
            push_list(&mut fen, side, own.map(|&(_, order, piece)| (piece, numbering.name_at(order))));
        }
        fen
    }
}

thread_local! {
    /// The names of the last numbering written. It rarely changes in a collection, and finding the names again for each
    /// position took a third of the time of `convert`.
    static LAST: RefCell<Option<SquareOrder>> = const { RefCell::new(None) };
}

/// The squares of a board in the order of their names.
struct SquareOrder {
    numbering: Numbering,
    /// The place of each square in that order, by its bit.
    places: [u8; 128],
    /// The names in that order, each with a comma before it.
    names: Vec<([u8; 4], u8)>,
    /// The buffer in which a FEN is built.
    fen: Vec<u8>,
}

impl SquareOrder {
    fn new(numbering: Numbering) -> Self {
        let mut squares: Vec<_> = numbering.shape().squares().collect();
        squares.sort_unstable_by_key(|&square| numbering.order(square));
        let (mut places, mut names) = ([0; 128], Vec::with_capacity(squares.len()));
        for (place, square) in squares.into_iter().enumerate() {
            places[usize::from(square.bit())] = place as u8;
            let name = numbering.name(square);
            let mut text = [b','; 4];
            text[1..=name.as_str().len()].copy_from_slice(name.as_str().as_bytes());
            names.push((text, name.as_str().len() as u8 + 1));
        }
        Self { numbering, places, names, fen: Vec::new() }
    }

    fn write(&mut self, position: &Position) -> &str {
        self.fen.clear();
        self.fen.push(position.turn().letter() as u8);
        for side in Side::ALL {
            self.fen.extend([b':', side.letter() as u8]);
            self.list(position.squares_of(side), position.kings());
        }
        str::from_utf8(&self.fen).expect("names of squares are ASCII")
    }

    /// Appends the squares in the order of their names.
    fn list(&mut self, own: SquareSet, kings: SquareSet) {
        let place = |square: Square| 1_u128 << self.places[usize::from(square.bit())];
        let kings = own.iter().filter(|&square| kings.contains(square)).fold(0, |all, king| all | place(king));
        let mut pieces = own.iter().fold(0, |all, square| all | place(square));
        let mut first = 1;
        while pieces != 0 {
            let place = pieces.trailing_zeros();
            let (name, len) = &self.names[place as usize];
            let name = &name[..usize::from(*len)];
            if kings >> place & 1 == 1 {
                self.fen.extend_from_slice(&b",K"[first..]);
                first = 1;
            }
            self.fen.extend_from_slice(&name[first..]);
            first = 0;
            pieces &= pieces - 1;
        }
    }
}

/// Appends the pieces of a side in the given order.
fn push_list(fen: &mut String, side: Side, own: impl Iterator<Item = (Piece, SquareName)>) {
    fen.push(':');
    fen.push(side.letter());
    for (n, (piece, name)) in own.enumerate() {
        fen.push_str(if n == 0 { "" } else { "," });
        fen.push_str(if piece == Piece::King { "K" } else { "" });
        fen.push_str(name.as_str());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn a_position_and_its_pieces_have_the_same_fen() {
        for &variant in Variant::ALL {
            let mut position = Position::start(variant);
            for ply in 0..60 {
                for numbering in [Numbering::for_variant(variant), Numbering::internal(variant)] {
                    assert_eq!(position.fen_in(numbering), Setup::from(&position).fen(numbering), "{variant}");
                }
                let moves = position.legal_moves();
                let Some(played) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                position = position.play(played).expect("legal");
            }
        }
    }

    #[test]
    fn start_positions_are_written_and_read_back() {
        for &variant in Variant::ALL {
            let start = Position::start(variant);
            assert_eq!(Position::from_fen(variant, &start.fen()), Ok(start), "{variant}");
            let internal = start.fen_in(Numbering::internal(variant));
            if Numbering::for_variant(variant).is_algebraic() {
                assert_eq!(Position::from_fen(variant, &internal), Ok(start), "{internal}");
            }
        }
        let english = Position::start(Variant::ENGLISH).fen();
        assert_eq!(english, "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
        assert!(Position::start(Variant::SPANISH).fen().starts_with("W:W1,2,3,4,"));
        assert!(Position::start(Variant::THAI).fen().starts_with("B:W1,2,3,4,5,6,7,8:B25,"));
    }
}
