//! Positions from FENs, and the FENs of positions and arrangements.

use std::cell::RefCell;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{FenError, parse_fen, without_tag};
use crate::board::{Piece, Side, bits_of};
use crate::error::ParseError;
use crate::notation::Numbering;
use crate::rules::{Position, Setup, SetupIssue, SetupIssues, Variant};

fn fen_reasons(fen: &str, error: &FenError) -> String {
    let mut text = String::new();
    // Columns are counted on from the issue before: a FEN of megabytes can have an issue every few bytes.
    let (mut at, mut column) = (0, 1);
    for issue in error {
        let start = fen.floor_char_boundary(issue.range().start);
        if start < at {
            (at, column) = (0, 1);
        }
        column += fen[at..start].chars().count();
        at = start;
        let separator = if text.is_empty() { "" } else { "; " };
        // Writing to memory cannot fail.
        let _ = write!(text, "{separator}column {column}: {issue}");
    }
    text
}

fn setup_reasons(numbering: Numbering, issues: &SetupIssues) -> String {
    let place = |issue: &SetupIssue| issue.square().map_or_else(String::new, |on| format!("{}: ", numbering.name(on)));
    issues.iter().map(|issue| format!("{}{issue}", place(issue))).collect::<Vec<_>>().join("; ")
}

/// Writes the name of the variant and the FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.variant(), self.fen())
    }
}

/// Reads the name of a built-in variant and a FEN, or the FEN of a position of International draughts.
///
/// # Examples
///
/// ```
/// use pdn::rules::Position;
///
/// let position: Position = "russian W:Wc3:Bd4".parse()?;
/// assert_eq!(position.to_string(), "russian W:Wc3:Bd4");
/// assert_eq!("W:W31:B20".parse::<Position>()?.to_string(), "international W:W31:B20");
/// # Ok::<(), pdn::ParseError>(())
/// ```
impl FromStr for Position {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let named = text.trim().split_once(char::is_whitespace);
        let (variant, fen) = named
            .and_then(|(name, fen)| Some((Variant::by_name(name)?, fen)))
            .unwrap_or((Variant::INTERNATIONAL, text));
        Self::from_fen(variant, fen)
    }
}

/// Writes the [text](Position#impl-Display-for-Position).
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reads the [text](Position#impl-FromStr-for-Position).
impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl Position {
    /// Returns the position of a FEN, whose squares are named as usual in the variant. The FEN may be in its tag, or in the
    /// notation of Hub or DXP: the side to move and a letter for each square.
    ///
    /// # Errors
    ///
    /// If the text is not a FEN or the position is not playable; the error contains every reason. [`parse_fen`] and
    /// [`Position::from_setup`] return each of them.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::{Position, Variant};
    ///
    /// let position = Position::from_fen(Variant::INTERNATIONAL, "W:W31,32:B19,20")?;
    /// assert_eq!(position.legal_moves().len(), 4);
    /// let error = Position::from_fen(Variant::INTERNATIONAL, "W:W31,51:B").unwrap_err();
    /// assert!(error.to_string().contains("column 7"));
    /// # Ok::<(), pdn::ParseError>(())
    /// ```
    pub fn from_fen(variant: Variant, fen: &str) -> Result<Self, ParseError> {
        let numbering = Numbering::for_variant(variant);
        let fen = without_tag(fen);
        let of_letters = Setup::from_letters(fen.trim(), Numbering::internal(variant)).map(Ok);
        let setup = of_letters.unwrap_or_else(|| parse_fen(fen, numbering));
        let setup = setup.map_err(|error| ParseError::new(fen_reasons(fen, &error)))?;
        let read = Self::from_setup(variant, &setup).map(|(position, _)| position);
        read.map_err(|issues| ParseError::new(setup_reasons(numbering, &issues)))
    }

    /// Returns the FEN of the position in the names of its variant: without whitespace, ranges or final dot, White's
    /// pieces first, squares in the order of their names.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::rules::{Position, Variant};
    ///
    /// let position = Position::from_fen(Variant::INTERNATIONAL, "W:WK10,31:B22-24")?;
    /// assert_eq!(position.fen(), "W:WK10,31:B22,23,24");
    /// # Ok::<(), pdn::ParseError>(())
    /// ```
    pub fn fen(&self) -> String {
        self.fen_in(Numbering::for_variant(self.variant()))
    }

    /// Returns the FEN of the position, as [`Position::fen`], in the names of a numbering.
    pub(crate) fn fen_in(&self, numbering: Numbering) -> String {
        LAST.with_borrow_mut(|last| FenNames::of(numbering, last).text(Some(self.turn()), self.lists()))
    }

    /// Returns the pieces of each side, and the kings among them.
    fn lists(&self) -> [[u128; 2]; 2] {
        Side::ALL.map(|side| {
            let pieces = self.squares_of(side).word();
            [pieces, self.kings().word() & pieces]
        })
    }

    /// Passes the FEN of the position, as [`Position::fen`], to a function without allocating it: as bytes, since checking
    /// that they are UTF-8 took 300 instructions a FEN.
    ///
    /// # Panics
    ///
    /// Panics if the function writes another FEN.
    pub(crate) fn with_fen<T>(&self, take: impl FnOnce(&[u8]) -> T) -> T {
        let variant = Some(self.variant());
        LAST.with_borrow_mut(|last| {
            let names = match last {
                Some(names) if names.variant == variant => names,
                last => FenNames::of(Numbering::for_variant(self.variant()), last),
            };
            names.variant = variant;
            take(names.write(Some(self.turn()), self.lists()))
        })
    }
}

impl Setup {
    /// Reads the notation of Hub, a letter for the side to move and one for each square of the board in the order of its
    /// numbers, or that of DXP, in which Black's letter is `Z`; `None` if the text is neither.
    pub(crate) fn from_letters(text: &str, numbering: Numbering) -> Option<Self> {
        let piece = |letter: u8| {
            let side = match letter.to_ascii_lowercase() {
                b'w' => Side::White,
                b'b' | b'z' => Side::Black,
                _ => return None,
            };
            Some((side, if letter.is_ascii_uppercase() { Piece::King } else { Piece::Man }))
        };
        let (&turn, squares) = text.as_bytes().split_first()?;
        if squares.len() != usize::from(numbering.shape().square_count()) {
            return None;
        }
        let mut setup = Self::new(Some(piece(turn)?.0), []);
        for (number, &letter) in (1..).zip(squares).filter(|(_, letter)| !matches!(letter, b'e' | b'E')) {
            let (side, piece) = piece(letter)?;
            setup.push(numbering.square(number)?, side, piece);
        }
        Some(setup)
    }

    /// Returns the FEN of the arrangement in the names of a numbering, with `?` for an unknown side to move.
    pub fn fen(&self, numbering: Numbering) -> String {
        let mut lists = [[0; 2]; 2];
        for &(square, side, piece) in self.pieces() {
            let [pieces, kings] = &mut lists[side.index()];
            *pieces |= 1 << square.bit();
            *kings |= u128::from(piece == Piece::King) << square.bit();
        }
        LAST.with_borrow_mut(|last| FenNames::of(numbering, last).text(self.turn(), lists))
    }
}

thread_local! {
    /// The names of the last numbering written. It rarely changes in a collection, and finding the names again for each
    /// position took a third of the time of `convert`.
    static LAST: RefCell<Option<FenNames>> = const { RefCell::new(None) };
}

/// The squares of a board in the order of their names. The place of a square in that order is its bit, where bits are in
/// the same order, and otherwise its rank.
struct FenNames {
    numbering: Numbering,
    /// The variant last written with these names, which are its own: comparing variants takes less time than asking for
    /// the numbering of each.
    variant: Option<Variant>,
    /// The rank of a square in the order of the names, by its bit, unless the names are in the order of the bits.
    ranks: Option<[u8; 128]>,
    /// The items of a list that name a man and a king, by place.
    items: [[Item; 2]; 128],
    /// The items of the men on four adjacent places at once, by half of the places, group of four and the places that are
    /// taken: copied together, they save four of ten instructions of a FEN.
    men: [[[Items; 16]; 16]; 2],
    /// The pieces of White and of Black in the last FEN. A move usually changes only those of one side.
    lists: [List; 2],
    /// The buffer in which a FEN is built.
    fen: [u8; 1 + 2 * List::LENGTH],
}

/// The pieces of a side as a part of a FEN.
struct List {
    pieces: u128,
    kings: u128,
    text: [u8; Self::LENGTH],
    len: usize,
}

impl List {
    /// The maximum length: `:W` and every square of the largest board with a `K` and a comma; the last items are copied with
    /// all their bytes.
    const LENGTH: usize = 2 + 72 * ",Kl12".len() + 16;

    const fn without_pieces(side: Side) -> Self {
        let mut text = [0; Self::LENGTH];
        (text[0], text[1]) = (b':', side.letter() as u8);
        Self { pieces: 0, kings: 0, text, len: 2 }
    }

    /// Appends men on the places of a word, given the items of each four.
    fn push_men(&mut self, men: u64, items: &[[Items; 16]; 16]) {
        let (first, mut end) = (men.trailing_zeros() as usize / 4, self.len);
        let mut left = men.unbounded_shr(4 * first as u32);
        for items in items.iter().skip(first) {
            if left == 0 {
                break;
            }
            let Items { text, len } = &items[(left & 15) as usize];
            // Always sixteen bytes, a single store; the next items overwrite the excess.
            self.text[end..end + 16].copy_from_slice(text);
            end += usize::from(*len);
            left >>= 4;
        }
        self.len = end;
    }

    /// Appends men and kings on the places of a word, given the items of each.
    fn push_pieces(&mut self, pieces: u64, kings: u64, items: &[[Item; 2]]) {
        for place in bits_of(pieces.into()) {
            let Item(text) = items[place][(kings >> place & 1) as usize];
            self.text[self.len..self.len + 8].copy_from_slice(&text);
            self.len += usize::from(text[7]);
        }
    }
}

/// An item of a list: a comma, a `K` before a king, and the name of a square. The last byte is its length.
#[derive(Clone, Copy)]
struct Item([u8; 8]);

impl Item {
    const NONE: Self = Self([0; 8]);

    fn new(before: &str, name: &str) -> Self {
        let mut text = [0; 8];
        let len = before.len() + name.len();
        text[..before.len()].copy_from_slice(before.as_bytes());
        text[before.len()..len].copy_from_slice(name.as_bytes());
        text[7] = len as u8;
        Self(text)
    }
}

/// Up to four items without kings, such as `,41,42,44`. The longest name has three characters.
#[derive(Clone, Copy)]
struct Items {
    text: [u8; 16],
    len: u8,
}

impl Items {
    const NONE: Self = Self { text: [0; 16], len: 0 };

    fn with(mut self, Item(item): Item) -> Self {
        let (start, len) = (usize::from(self.len), usize::from(item[7]));
        self.text[start..start + len].copy_from_slice(&item[..len]);
        self.len += len as u8;
        self
    }
}

impl FenNames {
    /// Returns the names of a numbering, the last ones if they are the same.
    fn of(numbering: Numbering, last: &mut Option<Self>) -> &mut Self {
        last.take_if(|names| names.numbering != numbering);
        last.get_or_insert_with(|| Self::new(numbering))
    }

    fn new(numbering: Numbering) -> Self {
        let mut squares: Vec<_> = numbering.shape().squares().collect();
        squares.sort_unstable_by_key(|&square| numbering.order(square));
        let in_bit_order = squares.is_sorted();
        let (mut items, mut ranks) = ([[Item::NONE; 2]; 128], [0; 128]);
        for (rank, &square) in squares.iter().enumerate() {
            let place = if in_bit_order { usize::from(square.bit()) } else { rank };
            let name = numbering.name(square).to_string();
            items[place] = [",", ",K"].map(|before| Item::new(before, &name));
            ranks[usize::from(square.bit())] = rank as u8;
        }
        let taken = |places: usize| (0..4).filter(move |place| places >> place & 1 == 1);
        let men = [0, 16].map(|first| {
            std::array::from_fn(|group| {
                let item = |place: usize| items[4 * (first + group) + place][0];
                std::array::from_fn(|places| taken(places).map(item).fold(Items::NONE, Items::with))
            })
        });
        Self {
            numbering,
            variant: None,
            ranks: (!in_bit_order).then_some(ranks),
            items,
            men,
            lists: Side::ALL.map(List::without_pieces),
            fen: [0; 1 + 2 * List::LENGTH],
        }
    }

    /// Writes a FEN, given the pieces of each side and the kings among them.
    fn write(&mut self, turn: Option<Side>, lists: [[u128; 2]; 2]) -> &[u8] {
        self.fen[0] = turn.map_or('?', Side::letter) as u8;
        let mut end = 1;
        for side in Side::ALL {
            let [pieces, kings] = lists[side.index()];
            let list = &self.lists[side.index()];
            if (list.pieces, list.kings) != (pieces, kings) {
                self.write_list(side, pieces, kings);
            }
            let List { text, len, .. } = &self.lists[side.index()];
            self.fen[end..end + len].copy_from_slice(&text[..*len]);
            end += len;
        }
        &self.fen[..end]
    }

    fn text(&mut self, turn: Option<Side>, lists: [[u128; 2]; 2]) -> String {
        String::from_utf8_lossy(self.write(turn, lists)).into_owned()
    }

    /// Writes the pieces of a side.
    fn write_list(&mut self, side: Side, pieces: u128, kings: u128) {
        // Setting bits by rank sorts the squares without a comparison.
        let places = |squares: u128| match &self.ranks {
            Some(ranks) => bits_of(squares).fold(0, |places, bit| places | 1_u128 << ranks[bit]),
            None => squares,
        };
        let (places, crowned) = (places(pieces), places(kings));
        let list = &mut self.lists[side.index()];
        (list.pieces, list.kings, list.len) = (pieces, kings, 1);
        for half in 0..2 {
            let [pieces, kings] = [places, crowned].map(|places| (places >> (64 * half)) as u64);
            if kings == 0 {
                list.push_men(pieces, &self.men[half]);
            } else {
                list.push_pieces(pieces, kings, &self.items[64 * half..]);
            }
        }
        // The comma of the first item belongs to no list: the letter of the side is written over it.
        list.text[1] = side.letter() as u8;
        list.len = list.len.max(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns positions of a game, and some with kings.
    fn positions(variant: Variant) -> Vec<Position> {
        let mut all = vec![Position::start(variant)];
        for ply in 0..200 {
            let moves = all[ply].legal_moves();
            let Some(played) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            all.push(all[ply].play(played).expect("legal"));
        }
        let numbering = Numbering::internal(variant);
        for fen in ["W:WK1,2,K9:BK5,32", "B:WK32:BK1", "W:WK9:B10", "B:W9:BK10", "W:W:B1-8,K9-12", "W:W31,32:B"] {
            let setup = parse_fen(fen, numbering).expect("a FEN");
            all.extend(Position::from_setup(variant, &setup).map(|(position, _)| position));
        }
        all
    }

    /// Writes a FEN piece by piece.
    fn plain_fen(position: &Position, numbering: Numbering) -> String {
        let list = |side: Side| {
            let mut pieces: Vec<_> = position.pieces().filter(|(_, owner, _)| *owner == side).collect();
            pieces.sort_unstable_by_key(|&(square, ..)| numbering.order(square));
            let king = |piece| if piece == Piece::King { "K" } else { "" };
            let names =
                pieces.into_iter().map(|(square, _, piece)| format!("{}{}", king(piece), numbering.name(square)));
            format!("{}{}", side.letter(), names.collect::<Vec<_>>().join(","))
        };
        format!("{}:{}:{}", position.turn().letter(), list(Side::White), list(Side::Black))
    }

    #[test]
    fn fens_name_the_pieces_in_order() {
        for &variant in Variant::ALL {
            let positions = positions(variant);
            for numbering in [Numbering::for_variant(variant), Numbering::internal(variant)] {
                // One after another, and from one to another that is far from it.
                for step in [1, 7, 64] {
                    for n in 0..positions.len() {
                        let position = positions[n * step % positions.len()];
                        assert_eq!(position.fen_in(numbering), plain_fen(&position, numbering), "{variant}");
                    }
                }
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
