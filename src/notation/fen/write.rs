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
    ///
    /// # Panics
    ///
    /// Panics if the function writes another FEN.
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
    /// The items of a list that name a man and a king on a square, by the square's bit.
    items: [[Item; 2]; 128],
    /// The rank of a square in the order of the names, by its bit, and the bit of each rank.
    ranks: [u8; 128],
    bits: [u8; 128],
    /// True if the names are in the order of the bits.
    in_bit_order: bool,
    /// The buffer in which a FEN is built.
    fen: [u8; LENGTH],
}

/// The largest length of a FEN: `W:W:B` and every square of the largest board with a `K` and a comma; the last item is
/// copied with all its eight bytes.
const LENGTH: usize = 8 + 72 * ",Kl12".len() + 8;

/// An item of a list: a comma, a `K` before a king, and the name of a square. The last byte is its length.
#[derive(Clone, Copy)]
struct Item([u8; 8]);

impl Item {
    const NONE: Self = Self([0; 8]);

    fn new(before: &str, name: SquareName) -> Self {
        let mut text = [0; 8];
        let len = before.len() + name.as_str().len();
        text[..before.len()].copy_from_slice(before.as_bytes());
        text[before.len()..len].copy_from_slice(name.as_str().as_bytes());
        text[7] = len as u8;
        Self(text)
    }
}

impl SquareOrder {
    fn new(numbering: Numbering) -> Self {
        let mut squares: Vec<_> = numbering.shape().squares().collect();
        squares.sort_unstable_by_key(|&square| numbering.order(square));
        let (mut items, mut ranks, mut bits) = ([[Item::NONE; 2]; 128], [0; 128], [0; 128]);
        for (rank, &square) in squares.iter().enumerate() {
            items[usize::from(square.bit())] = [",", ",K"].map(|before| Item::new(before, numbering.name(square)));
            ranks[usize::from(square.bit())] = rank as u8;
            bits[rank] = square.bit();
        }
        let in_bit_order = squares.is_sorted();
        Self { numbering, items, ranks, bits, in_bit_order, fen: [0; LENGTH] }
    }

    fn write(&mut self, position: &Position) -> &str {
        let kings = position.kings().word();
        self.fen[0] = position.turn().letter() as u8;
        let mut end = 1;
        for side in Side::ALL {
            self.fen[end..end + 2].copy_from_slice(&[b':', side.letter() as u8]);
            end = self.write_list(position.squares_of(side).word(), kings, end + 2);
        }
        str::from_utf8(&self.fen[..end]).expect("names of squares are ASCII")
    }

    /// Writes the pieces of a side at an index of the buffer and returns the index after them.
    fn write_list(&mut self, pieces: u128, kings: u128, start: usize) -> usize {
        // The comma of the first item belongs to no list: the letter of the side is written over it.
        let letter = self.fen[start - 1];
        let mut end = start - 1;
        if self.in_bit_order {
            for bit in bits_of(pieces) {
                end = self.write_item(bit, kings, end);
            }
        } else {
            let ranked = bits_of(pieces).fold(0, |ranked, bit| ranked | 1_u128 << self.ranks[bit]);
            for rank in bits_of(ranked) {
                end = self.write_item(usize::from(self.bits[rank]), kings, end);
            }
        }
        self.fen[start - 1] = letter;
        end.max(start)
    }

    #[inline]
    fn write_item(&mut self, bit: usize, kings: u128, end: usize) -> usize {
        let Item(text) = self.items[bit][(kings >> bit & 1) as usize];
        self.fen[end..end + 8].copy_from_slice(&text);
        end + usize::from(text[7])
    }
}

/// Returns an iterator over the indices of the bits that are set, from the lowest.
fn bits_of(word: u128) -> impl Iterator<Item = usize> {
    let halves = [(word as u64, 0), ((word >> 64) as u64, 64)];
    halves.into_iter().flat_map(|(mut half, first)| {
        std::iter::from_fn(move || {
            let bit = (half != 0).then(|| first + half.trailing_zeros() as usize);
            half &= half.wrapping_sub(1);
            bit
        })
    })
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
