//! Positions as text (FEN), read liberally and written strictly.

mod write;

use std::fmt;

use nom::branch::alt;
use nom::bytes::complete::take_while;
use nom::character::complete::{char, digit1, one_of, satisfy};
use nom::combinator::{opt, recognize};
use nom::sequence::{pair, preceded, terminated};
use nom::{IResult, Parser};

use super::numbering::Numbering;
use crate::board::{Piece, Side, Square};
use crate::diag::Span;
use crate::rules::Setup;

/// Something about a FEN and where in it, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenFault {
    /// The bytes it is about.
    pub span: Span,
    /// What is wrong, in one clause.
    pub reason: String,
}

/// Why a FEN cannot be used: every fault in it, at least one, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenError {
    faults: Vec<FenFault>,
}

impl FenError {
    /// All faults, in the order of the text.
    pub fn faults(&self) -> &[FenFault] {
        &self.faults
    }

    /// The bytes of the first fault.
    pub fn span(&self) -> Span {
        self.faults.first().map_or_else(Span::default, |fault| fault.span)
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.faults.iter().enumerate() {
            let separator = if n == 0 { "" } else { "; " };
            write!(f, "{separator}{}", fault.reason)?;
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
    /// What had to be overlooked: a square named twice with the same piece.
    pub overlooked: Vec<FenFault>,
}

impl Fen {
    /// Whether the FEN names no piece, as `B::` does: in a game only the side to move changes.
    pub fn is_null_move(&self) -> bool {
        self.setup.pieces().is_empty()
    }
}

/// Reads a FEN: squares by number or letter whichever the numbering writes, ranges, leading zeros, blanks, either case.
///
/// # Errors
///
/// If a part of it has no meaning or names no square of the board; all such parts are reported.
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

/// Reads a FEN as [`read_fen`] does, without what was overlooked.
///
/// # Errors
///
/// As [`read_fen`].
pub fn parse_fen(text: &str, numbering: Numbering) -> Result<Setup, FenError> {
    read_fen(text, numbering).map(|fen| fen.setup)
}

struct Reader<'a> {
    text: &'a str,
    numbering: Numbering,
    pieces: Vec<(Square, Side, Piece)>,
    faults: Vec<FenFault>,
    overlooked: Vec<FenFault>,
}

impl<'a> Reader<'a> {
    fn read(&mut self) -> Option<Side> {
        let (start, body) = without_final_dot(self.text);
        let Ok((rest, side)) = blank(one_of("WBwb?")).parse(body) else {
            self.fault(
                start,
                body.chars().next().map_or(0, char::len_utf8),
                "the side to move (`W`, `B` or `?`) is missing",
            );
            return None;
        };
        match rest.strip_prefix(':') {
            Some(lists) => {
                for field in lists.split(':') {
                    self.read_field(field);
                }
            }
            None => self.fault_at(rest, "`:` and a list of pieces are missing behind the side to move"),
        }
        side_of(side)
    }

    fn read_field(&mut self, field: &'a str) {
        let field = field.trim();
        if field.is_empty() || is_counter(field) {
            return;
        }
        match blank(one_of::<_, _, nom::error::Error<&str>>("WBwb")).parse(field) {
            Ok((list, 'W' | 'w')) => self.read_list(list, Side::White),
            Ok((list, _)) => self.read_list(list, Side::Black),
            Err(_) => self.fault_at(field, "a list of pieces begins with `W` or `B`"),
        }
    }

    fn read_list(&mut self, list: &'a str, side: Side) {
        for part in list.split(',') {
            let mut rest = part.trim();
            while !rest.is_empty() {
                rest = match item(rest) {
                    Ok((behind, found)) => {
                        self.place(&rest[..rest.len() - behind.len()], &found, side);
                        behind
                    }
                    Err(_) => {
                        self.fault_at(rest, &format!("`{rest}` is no square"));
                        ""
                    }
                };
            }
        }
    }

    fn place(&mut self, text: &'a str, item: &Item<'a>, side: Side) {
        let text = text.trim_end();
        let piece = if item.king { Piece::King } else { Piece::Man };
        match item.last {
            None => match self.numbering.find(item.first) {
                Some(square) => self.put(text, square, side, piece),
                None => self.fault_at(text, &format!("`{}` is no square of this board", item.first)),
            },
            Some(last) => self.place_range(text, item.first, last, side, piece),
        }
    }

    fn place_range(&mut self, text: &'a str, first: &str, last: &str, side: Side, piece: Piece) {
        let numeric = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
        let ends = self.numbering.find(first).zip(self.numbering.find(last));
        let Some((first, last)) = ends.filter(|_| numeric(first) && numeric(last)) else {
            self.fault_at(text, &format!("`{text}` is no range of squares of this board"));
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
                let reason =
                    if same { format!("{name} is named twice") } else { format!("two pieces stand on {name}") };
                let fault = FenFault { span: self.span(text), reason };
                if same { self.overlooked.push(fault) } else { self.faults.push(fault) }
            }
        }
    }

    /// Place of a part of the text in it.
    fn span(&self, part: &'a str) -> Span {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        Span::new(start as u32, (start + part.len()) as u32)
    }

    fn fault_at(&mut self, part: &'a str, reason: &str) {
        let span = self.span(part);
        self.faults.push(FenFault { span, reason: reason.to_owned() });
    }

    fn fault(&mut self, start: usize, len: usize, reason: &str) {
        let span = Span::new(start as u32, (start + len) as u32);
        self.faults.push(FenFault { span, reason: reason.to_owned() });
    }
}

/// One square or range, with a `K` before kings.
struct Item<'a> {
    king: bool,
    first: &'a str,
    last: Option<&'a str>,
}

fn item(input: &str) -> IResult<&str, Item<'_>> {
    let (rest, king) = opt(blank(one_of("Kk"))).parse(input)?;
    let (rest, first) = blank(square_name).parse(rest)?;
    let (rest, last) =
        opt(preceded(pair(blank(char('-')), opt(blank(one_of("Kk")))), blank(square_name))).parse(rest)?;
    Ok((rest, Item { king: king.is_some(), first, last }))
}

fn square_name(input: &str) -> IResult<&str, &str> {
    alt((digit1, recognize(pair(satisfy(|c| c.is_ascii_alphabetic()), digit1)))).parse(input)
}

/// A parser that passes over blanks on both sides.
fn blank<'a, P>(parser: P) -> impl Parser<&'a str, Output = P::Output, Error = nom::error::Error<&'a str>>
where
    P: Parser<&'a str, Error = nom::error::Error<&'a str>>,
{
    let space = |input| take_while(char::is_whitespace)(input);
    preceded(space, terminated(parser, space))
}

/// Move counters that some servers add: `H0`, `F1`, `+0+0`.
fn is_counter(field: &str) -> bool {
    let digits = field.strip_prefix(['H', 'F', '+']).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+')
}

/// Returns where the text begins and the text without blanks around it and without the dot that may end it.
fn without_final_dot(text: &str) -> (usize, &str) {
    let start = text.len() - text.trim_start().len();
    let body = text.trim();
    (start, body.strip_suffix('.').unwrap_or(body))
}

/// Whether a FEN is `written` in the grammar of `grammar/fen.ebnf`: capitals, commas between squares, and neither blanks
/// nor leading zeros, counters or a final dot.
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
    let Some((side, lists)) = fen.split_once(':') else { return false };
    matches!(side, "W" | "B" | "?") && (lists == ":" || lists.split(':').all(is_plain_list))
}

fn is_plain_list(list: &str) -> bool {
    let Some(items) = list.strip_prefix(['W', 'B']) else { return false };
    items.is_empty() || items.split(',').all(is_plain_item)
}

/// `31`, `31-50`, `c3`, with a `K` before a king or kings.
fn is_plain_item(item: &str) -> bool {
    let positive =
        |text: &str| text.starts_with(|c: char| matches!(c, '1'..='9')) && text.bytes().all(|b| b.is_ascii_digit());
    let squares = item.strip_prefix('K').unwrap_or(item);
    match squares.strip_prefix(|file: char| matches!(file, 'a'..='l')) {
        Some(rank) => positive(rank),
        None => squares.splitn(2, '-').all(positive),
    }
}

/// Returns a FEN of an unknown board as it would be written: without blanks, leading zeros and a final dot; `None` if it
/// says anything else besides.
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
pub fn tidied_fen(fen: &str) -> Option<String> {
    if is_plain_fen(fen) {
        return Some(fen.to_owned());
    }
    let (_, body) = without_final_dot(fen);
    let (side, lists) = body.split_once(':')?;
    let lists = lists.split(':').map(|list| tidied_list(list.trim()));
    let tidied = [side.trim().to_uppercase()].into_iter().chain(lists).collect::<Vec<_>>().join(":");
    is_plain_fen(&tidied).then_some(tidied)
}

fn tidied_list(list: &str) -> String {
    let (colour, items) = list.split_at(list.chars().next().map_or(0, char::len_utf8));
    let items = items.split(',').map(|item| tidied_item(item.trim()));
    colour.to_uppercase() + &items.collect::<Vec<_>>().join(",")
}

fn tidied_item(item: &str) -> String {
    let (king, squares) = match item.strip_prefix(['K', 'k']) {
        Some(squares) => ("K", squares.trim()),
        None => ("", item),
    };
    let ends: Vec<_> = squares.split('-').map(|end| tidied_square(end.trim())).collect();
    format!("{king}{}", ends.join("-"))
}

/// A number without leading zeros, a cell in small letters; anything else stays, though nobody knows what it says.
fn tidied_square(square: &str) -> String {
    let number = square.trim_start_matches('0');
    if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return number.to_owned();
    }
    let is_cell = square
        .strip_prefix(|file: char| matches!(file, 'A'..='L'))
        .is_some_and(|rank| rank.parse().is_ok_and(|rank: u8| (1..=LARGEST_RANK).contains(&rank)));
    if is_cell { square.to_lowercase() } else { square.to_owned() }
}

/// The last rank of the largest board, 12x12.
const LARGEST_RANK: u8 = 12;

const fn side_of(letter: char) -> Option<Side> {
    match letter {
        'W' | 'w' => Some(Side::White),
        'B' | 'b' => Some(Side::Black),
        _ => None,
    }
}

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
            let part = |fault: &FenFault| (text[fault.span.range()].to_owned(), fault.reason.clone());
            error.faults().iter().map(part).collect()
        };
        let pair = |place: &str, reason: &str| (place.to_owned(), reason.to_owned());
        assert_eq!(
            faults("W:W31,51,0:Bxx,1,K"),
            [
                pair("51", "`51` is no square of this board"),
                pair("0", "`0` is no square of this board"),
                pair("xx", "`xx` is no square"),
                pair("K", "`K` is no square"),
            ]
        );
        assert_eq!(faults("W:W31:B31"), [pair("31", "two pieces stand on 31")]);
        assert_eq!(faults("W:W31-51:B1")[0].0, "31-51");
        assert_eq!(faults("W:W4294967296:B1")[0].0, "4294967296");
        assert_eq!(faults("31:B1")[0], pair("3", "the side to move (`W`, `B` or `?`) is missing"));
        assert_eq!(faults("W:X1:B1")[0].1, "a list of pieces begins with `W` or `B`");
        assert_eq!(faults("W"), [pair("", "`:` and a list of pieces are missing behind the side to move")]);
        assert_eq!(faults("")[0].1, "the side to move (`W`, `B` or `?`) is missing");
        assert_eq!(faults("é").len(), 1);
    }

    #[test]
    fn a_square_named_twice_is_overlooked() {
        let fen = read_fen("W:W31,31:B1", numbering(Variant::INTERNATIONAL)).unwrap();
        assert_eq!(fen.setup.pieces().len(), 2);
        assert_eq!(fen.overlooked[0].reason, "31 is named twice");
    }
}
