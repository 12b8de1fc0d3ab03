//! FEN of positions and arrangements.

use std::cell::RefCell;

use crate::board::{Piece, Side, Square};
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
    squares: Vec<NamedSquare>,
    /// The pieces of each side, with a comma before each.
    lists: [[u8; LIST]; 2],
    /// The buffer in which a FEN is built.
    fen: Vec<u8>,
}

/// The largest length of a list: every square of the largest board, with a comma and a `K` before each name.
const LIST: usize = 8 + 72 * ",Kl12".len();

/// A square with the items of a list that name a man and a king on it.
struct NamedSquare {
    bit: u128,
    items: [Item; 2],
}

/// An item of a list. All eight bytes are copied, of which `len` count.
struct Item {
    text: [u8; 8],
    len: usize,
}

impl Item {
    fn new(before: &str, name: SquareName) -> Self {
        let mut text = [0; 8];
        let len = before.len() + name.as_str().len();
        text[..before.len()].copy_from_slice(before.as_bytes());
        text[before.len()..len].copy_from_slice(name.as_str().as_bytes());
        Self { text, len }
    }
}

impl SquareOrder {
    fn new(numbering: Numbering) -> Self {
        let mut squares: Vec<_> = numbering.shape().squares().collect();
        squares.sort_unstable_by_key(|&square| numbering.order(square));
        let named = |square: Square| {
            let items = [",", ",K"].map(|before| Item::new(before, numbering.name(square)));
            NamedSquare { bit: 1 << square.bit(), items }
        };
        Self { numbering, squares: squares.into_iter().map(named).collect(), lists: [[0; LIST]; 2], fen: Vec::new() }
    }

    fn write(&mut self, position: &Position) -> &str {
        let [white, black] = Side::ALL.map(|side| position.squares_of(side).word());
        let kings = position.kings().word();
        let mut ends = [0; 2];
        for square in &self.squares {
            let side = match (white & square.bit != 0, black & square.bit != 0) {
                (true, _) => 0,
                (_, true) => 1,
                _ => continue,
            };
            let item = &square.items[usize::from(kings & square.bit != 0)];
            self.lists[side][ends[side]..][..8].copy_from_slice(&item.text);
            ends[side] += item.len;
        }
        self.fen.clear();
        self.fen.push(position.turn().letter() as u8);
        for (side, (list, end)) in Side::ALL.into_iter().zip(self.lists.iter().zip(ends)) {
            self.fen.extend([b':', side.letter() as u8]);
            self.fen.extend_from_slice(list.get(1..end).unwrap_or_default());
        }
        str::from_utf8(&self.fen).expect("names of squares are ASCII")
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
