//! Positions as text (FEN), read liberally and written strictly.

mod write;

use std::fmt;

use nom::Parser;
use nom::combinator::all_consuming;

use super::grammar::fen::{FenSyntax, Field, Item, Items, fen, written};
use super::numbering::{Numbering, SquareName};
use crate::board::{Piece, Side, Square};
use crate::diag::Span;
use crate::rules::Setup;

/// A problem in a FEN, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenFault {
    span: Span,
    reason: FaultReason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum FaultReason {
    NoSide,
    NoPieces,
    UnknownList,
    NotASquare(Box<str>),
    OffBoard(Box<str>),
    OffBoardRange(Box<str>),
    Duplicate(SquareName),
    TwoPieces(SquareName),
}

impl FenFault {
    /// Returns the bytes that cause it.
    pub const fn span(&self) -> Span {
        self.span
    }
}

/// Writes the problem, in one clause.
impl fmt::Display for FenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            FaultReason::NoSide => f.write_str("expected the side to move (`W`, `B` or `?`)"),
            FaultReason::NoPieces => f.write_str("expected `:` and a list of pieces after the side to move"),
            FaultReason::UnknownList => f.write_str("a list of pieces begins with `W` or `B`"),
            FaultReason::NotASquare(text) => write!(f, "expected a square, found `{text}`"),
            FaultReason::OffBoard(square) => write!(f, "`{square}` is not a square of this board"),
            FaultReason::OffBoardRange(range) => write!(f, "`{range}` is not a range of squares of this board"),
            FaultReason::Duplicate(square) => write!(f, "duplicate square {square}"),
            FaultReason::TwoPieces(square) => write!(f, "two pieces on {square}"),
        }
    }
}

/// The error for a FEN that cannot be used: all problems in it, at least one, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenError {
    faults: Vec<FenFault>,
}

impl FenError {
    /// Returns all problems, in the order of the text.
    pub fn faults(&self) -> &[FenFault] {
        &self.faults
    }

    /// Returns the bytes of the first problem.
    pub fn span(&self) -> Span {
        self.faults.first().map_or_else(Span::default, |fault| fault.span)
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, problem) in self.faults.iter().enumerate() {
            let separator = if n == 0 { "" } else { "; " };
            write!(f, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for FenError {}

/// A FEN that could be read.
#[derive(Clone, Debug)]
pub struct Fen {
    /// Pieces and side to move.
    pub setup: Setup,
    /// Problems that were ignored: a square named twice with the same piece.
    pub overlooked: Vec<FenFault>,
}

impl Fen {
    /// Returns true if the FEN names no piece, as `B::` does: in a game only the side to move changes.
    pub fn is_null_move(&self) -> bool {
        self.setup.pieces().is_empty()
    }
}

/// Reads a FEN: squares by number or by letter, whichever the numbering writes, ranges, leading zeros, whitespace, either
/// case.
///
/// # Errors
///
/// If a part of it has no meaning or names no square of the board; all such parts are in the error.
pub fn read_fen(text: &str, numbering: Numbering) -> Result<Fen, FenError> {
    let mut reader = Reader { text, numbering, pieces: Vec::new(), faults: Vec::new(), overlooked: Vec::new() };
    let side = reader.read();
    if reader.faults.is_empty() {
        let setup = Setup::new(side, reader.pieces);
        Ok(Fen { setup, overlooked: reader.overlooked })
    } else {
        Err(FenError { faults: reader.faults })
    }
}

/// Reads a FEN as [`read_fen`] does, without the problems that were ignored.
///
/// # Errors
///
/// As [`read_fen`].
pub fn parse_fen(text: &str, numbering: Numbering) -> Result<Setup, FenError> {
    read_fen(text, numbering).map(|fen| fen.setup)
}

/// Puts the pieces of a FEN on a board and collects what is wrong.
struct Reader<'a> {
    text: &'a str,
    numbering: Numbering,
    pieces: Vec<(Square, Side, Piece)>,
    faults: Vec<FenFault>,
    overlooked: Vec<FenFault>,
}

impl<'a> Reader<'a> {
    fn read(&mut self) -> Option<Side> {
        let body = without_final_dot(self.text);
        let Ok((_, syntax)) = fen(body) else {
            let first = body.chars().next().map_or(0, char::len_utf8);
            self.fault_at(&body[..first], FaultReason::NoSide);
            return None;
        };
        match &syntax.fields {
            Ok(fields) => fields.iter().for_each(|field| self.read_field(field)),
            Err(rest) => self.fault_at(rest, FaultReason::NoPieces),
        }
        syntax.side
    }

    fn read_field(&mut self, field: &Field<'a>) {
        match field {
            Field::Empty | Field::Counter => {}
            Field::List(side, list) => list.iter().for_each(|items| self.read_items(items, *side)),
            Field::Unknown(text) => self.fault_at(text, FaultReason::UnknownList),
        }
    }

    fn read_items(&mut self, items: &Items<'a>, side: Side) {
        for item in &items.items {
            self.place(item, side);
        }
        if let Some(text) = items.unknown {
            self.fault_at(text, FaultReason::NotASquare(text.into()));
        }
    }

    fn place(&mut self, item: &Item<'a>, side: Side) {
        let piece = if item.king { Piece::King } else { Piece::Man };
        match item.last {
            None => match self.numbering.find(item.first) {
                Some(square) => self.put(item.text, square, side, piece),
                None => self.fault_at(item.text, FaultReason::OffBoard(item.first.into())),
            },
            Some((_, last)) => self.place_range(item.text, item.first, last, side, piece),
        }
    }

    fn place_range(&mut self, text: &'a str, first: &str, last: &str, side: Side, piece: Piece) {
        let numeric = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
        let ends = self.numbering.find(first).zip(self.numbering.find(last));
        let Some((first, last)) = ends.filter(|_| numeric(first) && numeric(last)) else {
            self.fault_at(text, FaultReason::OffBoardRange(text.into()));
            return;
        };
        let (first, last) = (self.numbering.number(first), self.numbering.number(last));
        for number in first.min(last)..=first.max(last) {
            if let Some(square) = self.numbering.square(number) {
                self.put(text, square, side, piece);
            }
        }
    }

    fn put(&mut self, text: &'a str, square: Square, side: Side, piece: Piece) {
        match self.pieces.iter().find(|(there, ..)| *there == square) {
            None => self.pieces.push((square, side, piece)),
            Some(&(_, other_side, other)) => {
                let same = (other_side, other) == (side, piece);
                let name = self.numbering.name(square);
                let reason = if same { FaultReason::Duplicate(name) } else { FaultReason::TwoPieces(name) };
                let fault = FenFault { span: self.span(text), reason };
                if same { self.overlooked.push(fault) } else { self.faults.push(fault) }
            }
        }
    }

    /// Returns the span of a part of the text.
    fn span(&self, part: &'a str) -> Span {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        Span::new(start as u32, (start + part.len()) as u32)
    }

    fn fault_at(&mut self, part: &'a str, reason: FaultReason) {
        let span = self.span(part);
        self.faults.push(FenFault { span, reason });
    }
}

/// Returns the text without the whitespace around it and the dot that may end it.
fn without_final_dot(text: &str) -> &str {
    let body = text.trim_start().trim_end();
    body.strip_suffix('.').unwrap_or(body)
}

/// Returns true if a FEN is `written` in the grammar of `grammar/fen.ebnf`: capitals, commas between squares, and no
/// whitespace, leading zeros, counters or final dot.
///
/// # Examples
///
/// ```
/// use pdn::notation::is_plain_fen;
///
/// assert!(is_plain_fen("W:W31-50:BK1,a3") && is_plain_fen("B::"));
/// assert!(!is_plain_fen("W:W31:B05.") && !is_plain_fen("w:W31:B5"));
/// ```
pub fn is_plain_fen(fen: &str) -> bool {
    all_consuming(written).parse(fen).is_ok()
}

/// Returns a FEN of an unknown board in its strict form: without whitespace, leading zeros and a final dot; `None` if it
/// holds anything else that the strict form does not allow.
///
/// # Examples
///
/// ```
/// use pdn::notation::tidied_fen;
///
/// assert_eq!(tidied_fen("w:W31,K05:B07, 08. ").as_deref(), Some("W:W31,K5:B7,8"));
/// assert_eq!(tidied_fen("W:W31 32:B7"), None);
/// assert_eq!((tidied_fen("W:W0:B7."), tidied_fen("W:WD31:BD7")), (None, None));
/// assert_eq!(tidied_fen("W:Wk1:Ba3").as_deref(), Some("W:Wk1:Ba3"));
/// ```
pub fn tidied_fen(text: &str) -> Option<String> {
    if is_plain_fen(text) {
        return Some(text.to_owned());
    }
    let (_, FenSyntax { side, fields }) = fen(without_final_dot(text)).ok()?;
    let mut tidied = side.map_or('?', Side::letter).to_string();
    for field in fields.ok()? {
        tidied.push(':');
        tidied.push_str(&tidied_field(&field)?);
    }
    is_plain_fen(&tidied).then_some(tidied)
}

fn tidied_field(field: &Field<'_>) -> Option<String> {
    match field {
        Field::Empty => Some(String::new()),
        Field::List(side, list) => {
            let items: Option<Vec<_>> = list.iter().map(tidied_item).collect();
            Some(side.letter().to_string() + &items?.join(","))
        }
        Field::Counter | Field::Unknown(_) => None,
    }
}

/// The one item between two commas, if there is one.
fn tidied_item(items: &Items<'_>) -> Option<String> {
    let ([item], None) = (&items.items[..], items.unknown) else {
        return (items.items.is_empty() && items.unknown.is_none()).then(String::new);
    };
    let king = if item.king { "K" } else { "" };
    match item.last {
        None => Some(format!("{king}{}", tidied_square(item.first))),
        Some((false, last)) => Some(format!("{king}{}-{}", tidied_square(item.first), tidied_square(last))),
        Some((true, _)) => None,
    }
}

/// A number without leading zeros, a cell in lower case; anything else is kept, as its meaning is not known.
fn tidied_square(square: &str) -> String {
    let number = square.trim_start_matches('0');
    if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return number.to_owned();
    }
    let is_cell = square
        .strip_prefix(|file: char| matches!(file, 'A'..='L'))
        .is_some_and(|rank| rank.parse().is_ok_and(|rank: u8| (1..=MAX_RANK).contains(&rank)));
    if is_cell { square.to_lowercase() } else { square.to_owned() }
}

/// The last rank of the largest board, 12x12.
const MAX_RANK: u8 = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn numbering(variant: Variant) -> Numbering {
        Numbering::for_variant(variant)
    }

    fn rewritten(text: &str, variant: Variant) -> String {
        parse_fen(text, numbering(variant)).unwrap().fen(numbering(variant))
    }

    #[test]
    fn everything_met_is_read() {
        let international = |text| rewritten(text, Variant::INTERNATIONAL);
        for (text, canonical) in [
            ("W:W31-33:B1-3", "W:W31,32,33:B1,2,3"),
            ("B:W18,24,K10:B12,K22", "B:WK10,18,24:B12,K22"),
            ("W:W20,24:B03,04,06. ", "W:W20,24:B3,4,6"),
            (" w : w K 31 , 32 : b 1 .", "W:WK31,32:B1"),
            ("?:W29,13,11:B22,4,2", "?:W11,13,29:B2,4,22"),
            ("W:B1:W31", "W:W31:B1"),
            ("W:WK31-33:B", "W:WK31,K32,K33:B"),
            ("W:W33-31:B", "W:W31,32,33:B"),
            ("B::", "B:W:B"),
            ("B:W:B", "B:W:B"),
            ("W:Wa1:Bj10", "W:W46:B5"),
            ("W:W31,:B1,,2", "W:W31:B1,2"),
            ("W:W31:B1:H0:F1", "W:W31:B1"),
            ("W:W31:B1:+0+0", "W:W31:B1"),
            ("W:W31 32:B1", "W:W31,32:B1"),
        ] {
            assert_eq!(international(text), canonical, "{text}");
        }
        assert_eq!(rewritten("W:Wa1,Kc3:Bf8", Variant::RUSSIAN), "W:Wa1,Kc3:Bf8");
        assert_eq!(rewritten("W:WA1,KC3:BF8", Variant::RUSSIAN), "W:Wa1,Kc3:Bf8");
        assert_eq!(rewritten("B:WK24,28:B15,K18", Variant::BRAZILIAN), "B:WKg3,h2:BKd4,e5");
    }

    #[test]
    fn every_fault_is_reported_with_its_place() {
        let faults = |text: &str| -> Vec<(String, String)> {
            let error = read_fen(text, numbering(Variant::INTERNATIONAL)).unwrap_err();
            let part = |fault: &FenFault| (text[fault.span.range()].to_owned(), fault.to_string());
            error.faults().iter().map(part).collect()
        };
        let pair = |place: &str, reason: &str| (place.to_owned(), reason.to_owned());
        assert_eq!(
            faults("W:W31,51,0:Bxx,1,K"),
            [
                pair("51", "`51` is not a square of this board"),
                pair("0", "`0` is not a square of this board"),
                pair("xx", "expected a square, found `xx`"),
                pair("K", "expected a square, found `K`"),
            ]
        );
        assert_eq!(faults("W:W31:B31"), [pair("31", "two pieces on 31")]);
        assert_eq!(faults("W:W31-51:B1")[0].0, "31-51");
        assert_eq!(faults("W:W4294967296:B1")[0].0, "4294967296");
        assert_eq!(faults("31:B1")[0], pair("3", "expected the side to move (`W`, `B` or `?`)"));
        assert_eq!(faults("W:X1:B1")[0].1, "a list of pieces begins with `W` or `B`");
        assert_eq!(faults("W"), [pair("", "expected `:` and a list of pieces after the side to move")]);
        assert_eq!(faults("")[0].1, "expected the side to move (`W`, `B` or `?`)");
        assert_eq!(faults("é").len(), 1);
    }

    #[test]
    fn a_square_named_twice_is_overlooked() {
        let fen = read_fen("W:W31,31:B1", numbering(Variant::INTERNATIONAL)).unwrap();
        assert_eq!(fen.setup.pieces().len(), 2);
        assert_eq!(fen.overlooked[0].to_string(), "duplicate square 31");
    }
}
