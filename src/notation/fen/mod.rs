//! Positions as text (FEN), read liberally and written strictly.

mod grammar;
mod position;

use std::borrow::Cow;
use std::ops::Range;

use nom::Parser;
use nom::combinator::all_consuming;

use super::numbering::Numbering;
use crate::board::{Piece, Side, Square};
use crate::error::ParseError;
use crate::pdn::{tag_value, without_quotes};
use crate::rules::{Issues, Setup};
use grammar::{FenSyntax, Field, Item, Items, fen, written};
pub(super) use grammar::{Parsed, token};

/// The error for a FEN that cannot be used: everything that is wrong in it, at least one issue, in the order of the text.
pub type FenError = Issues<ParseError>;

impl FenError {
    /// Returns the bytes of the first issue.
    pub(crate) fn first_range(&self) -> Range<usize> {
        self.iter().next().map_or(0..0, ParseError::range)
    }
}

/// A FEN that could be read.
#[derive(Clone, Debug)]
pub(crate) struct Fen {
    /// Pieces and side to move.
    pub(crate) setup: Setup,
    /// Issues that were ignored: a square named twice with the same piece, a list that is missing or repeated.
    pub(crate) overlooked: Vec<ParseError>,
}

impl Fen {
    /// Returns true if the FEN lists no pieces, such as `B::`: in a game, only the side to move changes.
    pub(crate) fn is_null_move(&self) -> bool {
        self.setup.pieces().is_empty()
    }
}

/// Returns the names of squares of the kind that a FEN has: letters before digits, other than those of colours and kings.
pub(crate) fn fen_names(fen: &str, numbering: Numbering) -> Numbering {
    // The last sign other than whitespace: the letter after a colon is a colour, also in `W : W31 : B20`.
    let mut before = b':';
    let is_lettered = |pair: &[u8]| {
        let is_file = before != b':' && matches!(pair[0], b'a'..=b'j' | b'A'..=b'J' | b'l' | b'L');
        if !pair[0].is_ascii_whitespace() {
            before = pair[0];
        }
        is_file && pair[1].is_ascii_digit()
    };
    numbering.with_letters(fen.as_bytes().windows(2).any(is_lettered))
}

/// Reads a FEN as [`parse_fen`] does, and returns the issues that were ignored too.
///
/// # Errors
///
/// As [`parse_fen`].
pub(crate) fn read_fen(text: &str, numbering: Numbering) -> Result<Fen, FenError> {
    FenText::new(text).read(numbering)
}

/// Reads a FEN liberally: squares by number or by letter, whichever the numbering writes, ranges, leading zeros, whitespace,
/// either case; a square may be named twice with the same piece, and a list be missing or repeated.
///
/// # Errors
///
/// If a part of it has no meaning or names no square of the board; all such parts are in the error.
pub fn parse_fen(text: &str, numbering: Numbering) -> Result<Setup, FenError> {
    read_fen(text, numbering).map(|fen| fen.setup)
}

/// A parsed FEN, to be read for several boards: parsing takes four times as long as placing the pieces.
#[derive(Debug)]
pub(crate) struct FenText<'a> {
    text: &'a str,
    syntax: Option<FenSyntax<'a>>,
}

impl<'a> FenText<'a> {
    /// Parses a FEN.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, syntax: fen(without_final_dot(text)).ok().map(|(_, syntax)| syntax) }
    }

    /// Reads it as [`read_fen`] does.
    pub(crate) fn read(&self, numbering: Numbering) -> Result<Fen, FenError> {
        // International starts with 40 men.
        let (pieces, issues, overlooked) = (Vec::with_capacity(40), Vec::new(), Vec::new());
        let mut reader = Reader { text: self.text, numbering, names: None, pieces, issues, overlooked };
        let side = reader.read(self.syntax.as_ref());
        if reader.issues.is_empty() {
            let setup = Setup::new(side, reader.pieces);
            Ok(Fen { setup, overlooked: reader.overlooked })
        } else {
            Err(Issues::new(reader.issues))
        }
    }

    /// Returns the counters, each with its colon, without those of a game that begins: `:H0:F1:+0+0`.
    pub(crate) fn counters(&self) -> String {
        let fields = self.syntax.iter().filter_map(|syntax| syntax.fields.as_ref().ok()).flatten();
        let begins = |counter: &str| counter == "F1" || !counter.contains(|digit| matches!(digit, '1'..='9'));
        fields.fold(String::new(), |counters, field| match field {
            Field::Counter(counter) if !begins(counter) => counters + ":" + counter,
            _ => counters,
        })
    }
}

/// Maximum number of issues of a kind that are kept: ranges of squares in a megabyte of text can have ten million.
const MAX_ISSUES: usize = 1000;

/// Puts the pieces of a FEN on a board and collects the issues.
struct Reader<'a> {
    text: &'a str,
    numbering: Numbering,
    /// The names of squares in messages. Found for each of them, 27,000 duplicates in one FEN took a second.
    names: Option<Numbering>,
    pieces: Vec<(Square, Side, Piece)>,
    issues: Vec<ParseError>,
    overlooked: Vec<ParseError>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, syntax: Option<&FenSyntax<'a>>) -> Option<Side> {
        let Some(syntax) = syntax else {
            let body = without_final_dot(self.text);
            let first = body.chars().next().map_or(0, char::len_utf8);
            self.refuse(&body[..first], "expected the side to move (`W`, `B` or `?`)");
            return None;
        };
        match &syntax.fields {
            Ok(fields) => {
                for field in fields {
                    self.read_field(field);
                }
                self.compare_lists(fields);
            }
            Err(rest) => self.refuse(rest, "expected `:` and a list of pieces after the side to move"),
        }
        syntax.side
    }

    fn read_field(&mut self, field: &Field<'a>) {
        match field {
            Field::Empty | Field::Counter(_) => {}
            Field::List(side, list) => {
                for items in list {
                    items.items.iter().for_each(|item| self.place(item, *side));
                    if let Some(text) = items.unknown {
                        self.refuse(text, format!("expected a square, found `{text}`"));
                    }
                }
            }
            Field::Unknown(text) => self.refuse(text, "a list of pieces begins with `W` or `B`"),
        }
    }

    /// Notes lists that are missing or repeated. Empty ones may be left out where there are no pieces at all: `B::`.
    fn compare_lists(&mut self, fields: &[Field<'a>]) {
        let lists =
            |side: Side| fields.iter().filter(|field| matches!(field, Field::List(of, _) if *of == side)).count();
        let counts = Side::ALL.map(lists);
        if counts == [1, 1] || counts == [0, 0] {
            return;
        }
        for (side, count) in Side::ALL.into_iter().zip(counts) {
            let reason = match count {
                0 => format!("no list of {side}'s pieces"),
                1 => continue,
                _ => format!("a second list of {side}'s pieces"),
            };
            self.overlooked.push(ParseError::at(self.range(self.text), reason));
        }
    }

    /// Returns true if `k3` is a square and not a king on 3: the board has a file `k` and its squares have letters.
    fn has_file_k(&self) -> bool {
        // The file `k` is the eleventh.
        self.numbering.shape().width() > 10
            && (self.numbering.is_algebraic() || fen_names(self.text, self.numbering).is_algebraic())
    }

    fn place(&mut self, item: &Item<'a>, side: Side) {
        let is_cell =
            item.king && item.last.is_none() && item.first.as_bytes()[0].is_ascii_digit() && self.has_file_k();
        let item = &if is_cell { Item { king: false, first: item.text, ..*item } } else { *item };
        let piece = if item.king { Piece::King } else { Piece::Man };
        match item.last {
            None => match self.numbering.find(item.first) {
                Some(square) => self.put(item.text, square, side, piece),
                None => self.refuse(item.text, format!("`{}` is not a square of this board", item.first)),
            },
            Some((_, last)) => self.place_range(item.text, item.first, last, side, piece),
        }
    }

    fn place_range(&mut self, text: &'a str, first: &str, last: &str, side: Side, piece: Piece) {
        let numeric = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
        let ends = self.numbering.find(first).zip(self.numbering.find(last));
        // Only numbers have an order: it is unclear what `a1-c3` would include.
        let Some((first, last)) = ends.filter(|_| numeric(first) && numeric(last)) else {
            self.refuse(text, format!("`{text}` is not a range of squares of this board"));
            return;
        };
        let (first, last) = (self.numbering.number(first), self.numbering.number(last));
        // Records also count down: `W33-31`.
        for number in first.min(last)..=first.max(last) {
            if let Some(square) = self.numbering.square(number) {
                self.put(text, square, side, piece);
            }
        }
    }

    fn put(&mut self, text: &'a str, square: Square, side: Side, piece: Piece) {
        // No square gets a second piece, so this list stays shorter than the board.
        match self.pieces.iter().find(|(there, ..)| *there == square) {
            None => self.pieces.push((square, side, piece)),
            Some(&(_, other_side, other)) => {
                let same = (other_side, other) == (side, piece);
                let range = self.range(text);
                let issues = if same { &mut self.overlooked } else { &mut self.issues };
                if issues.len() < MAX_ISSUES {
                    let names = self.names.get_or_insert_with(|| fen_names(self.text, self.numbering));
                    let name = names.name(square);
                    let reason = if same { "duplicate square" } else { "two pieces on" };
                    issues.push(ParseError::at(range, format!("{reason} {name}")));
                }
            }
        }
    }

    /// Returns the bytes of a part of the text.
    fn range(&self, part: &'a str) -> Range<usize> {
        // Parsers return parts of the text itself, so the difference of the addresses is the offset.
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    fn refuse(&mut self, part: &'a str, reason: impl Into<Cow<'static, str>>) {
        if self.issues.len() < MAX_ISSUES {
            self.issues.push(ParseError::at(self.range(part), reason));
        }
    }
}

/// Returns a FEN without what may be copied with it: `[SetUp "1"] [FEN "W:W31:B20"]`, `FEN "W:W31:B20"`, `'W:W31:B20'`.
pub(crate) fn without_tag(text: &str) -> &str {
    let body = text.trim();
    if body.starts_with('[') {
        return tag_value(body, "FEN").unwrap_or(text);
    }
    let is_tag = body.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("FEN"));
    let value = if is_tag { body[3..].trim_start() } else { body };
    let quoted = value.strip_prefix('"').and_then(|value| value.split_once('"'));
    let inner = quoted.map_or_else(|| without_quotes(value), |(value, _)| value);
    if is_tag || inner.len() < value.len() { inner } else { text }
}

/// Returns the text without the whitespace around it and the dot that may end it.
fn without_final_dot(text: &str) -> &str {
    let body = text.trim_start().trim_end();
    body.strip_suffix('.').unwrap_or(body)
}

/// Returns true if a FEN is `written` in the grammar of `grammar/fen.ebnf`: capitals, commas between squares, and no
/// whitespace, leading zeros, counters or final dot.
pub(crate) fn is_plain_fen(fen: &str) -> bool {
    all_consuming(written).parse(fen).is_ok()
}

/// Returns a FEN of an unknown board in its strict form: without whitespace, leading zeros or a final dot; `None` if it
/// holds anything else that the strict form does not allow.
pub(crate) fn tidied_fen(text: &str) -> Option<String> {
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
        Field::Counter(_) | Field::Unknown(_) => None,
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

/// Removes leading zeros from a number and puts a cell in lower case; anything else is kept, since its meaning is
/// unknown.
fn tidied_square(square: &str) -> String {
    let number = square.trim_start_matches('0');
    if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return number.to_owned();
    }
    // A small letter is kept: `k1` may be a cell or a king on 1.
    let is_cell = square
        .strip_prefix(|file: char| matches!(file, 'A'..='L'))
        .is_some_and(|rank| rank.parse().is_ok_and(|rank: u8| (1..=MAX_RANK).contains(&rank)));
    if is_cell { square.to_lowercase() } else { square.to_owned() }
}

/// The last rank of the largest board, 12x12.
pub(crate) const MAX_RANK: u8 = 12;

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
    fn ranges_have_few_issues_and_stay_refused() {
        let ranges = |list: &str, count: usize| vec![list; count].join(",");
        let twice = read_fen(&format!("W:W{}:B", ranges("1-50", 10_000)), numbering(Variant::INTERNATIONAL));
        assert_eq!(twice.expect("the same piece again").overlooked.len(), MAX_ISSUES);
        // Even after as many pieces listed again, a square with two pieces is an error.
        let both = format!("W:W{}:B1", ranges("1-50", 100));
        assert_eq!(parse_fen(&both, numbering(Variant::INTERNATIONAL)).unwrap_err().iter().count(), 1);
        let many = format!("W:W1-50:B{}", ranges("1-50", 10_000));
        assert_eq!(parse_fen(&many, numbering(Variant::INTERNATIONAL)).unwrap_err().iter().count(), MAX_ISSUES);
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
    fn the_letters_of_colours_name_no_squares() {
        for (text, is_algebraic) in [
            ("W:W31:B20", false),
            (" w : w31 : b20", false),
            ("W : WK31 : B 20", false),
            ("W:Wa1:Bd4", true),
            ("W : W a1 : B d4", true),
        ] {
            assert_eq!(fen_names(text, numbering(Variant::INTERNATIONAL)).is_algebraic(), is_algebraic, "{text}");
        }
    }

    #[test]
    fn a_fen_may_be_copied_with_its_tag() {
        for text in [
            "W:W31:B20",
            "[FEN \"W:W31:B20\"]",
            "[FEN 'W:W31:B20']",
            "[FEN \u{201c}W:W31:B20\u{201d}]",
            "[FEN W:W31:B20]",
            "[fen \"W:W31:B20\"",
            "[SetUp \"1\"][FEN \"W:W31:B20\"]",
            "[SetUp \"1\"]\n[FEN \"W:W31:B20\"]\n\n1. 31-27 *",
            "FEN \"W:W31:B20\"",
            "\"W:W31:B20\"",
            "'W:W31:B20'",
            "\u{201e}W:W31:B20\u{201c}",
        ] {
            assert_eq!(without_tag(text), "W:W31:B20", "{text}");
        }
        assert_eq!(without_tag("[White \"W:W31:B20\"]"), "[White \"W:W31:B20\"]");
    }

    #[test]
    fn every_issue_is_reported_with_its_span() {
        let issues = |text: &str| -> Vec<(String, String)> {
            let error = read_fen(text, numbering(Variant::INTERNATIONAL)).unwrap_err();
            let part = |issue: &ParseError| (text[issue.range()].to_owned(), issue.to_string());
            error.iter().map(part).collect()
        };
        let pair = |place: &str, reason: &str| (place.to_owned(), reason.to_owned());
        assert_eq!(
            issues("W:W31,51,0:Bxx,1,K"),
            [
                pair("51", "`51` is not a square of this board"),
                pair("0", "`0` is not a square of this board"),
                pair("xx", "expected a square, found `xx`"),
                pair("K", "expected a square, found `K`"),
            ]
        );
        assert_eq!(issues("W:W31:B31"), [pair("31", "two pieces on 31")]);
        assert_eq!(issues("W:W31-51:B1")[0].0, "31-51");
        assert_eq!(issues("W:W4294967296:B1")[0].0, "4294967296");
        assert_eq!(issues("31:B1")[0], pair("3", "expected the side to move (`W`, `B` or `?`)"));
        assert_eq!(issues("W:X1:B1")[0].1, "a list of pieces begins with `W` or `B`");
        assert_eq!(issues("W"), [pair("", "expected `:` and a list of pieces after the side to move")]);
        assert_eq!(issues("")[0].1, "expected the side to move (`W`, `B` or `?`)");
        assert_eq!(issues("é").len(), 1);
    }

    #[test]
    fn the_strict_form_is_plain() {
        for text in ["W:W31-50:BK1,a3", "B::"] {
            assert!(is_plain_fen(text), "{text}");
        }
        for text in ["W:W31:B05.", "w:W31:B5"] {
            assert!(!is_plain_fen(text), "{text}");
        }
        assert_eq!(tidied_fen("w:W31,K05:B07, 08. ").as_deref(), Some("W:W31,K5:B7,8"));
        assert_eq!(tidied_fen("W:Wk1:Ba3").as_deref(), Some("W:Wk1:Ba3"));
        for text in ["W:W31 32:B7", "W:W0:B7.", "W:WD31:BD7"] {
            assert_eq!(tidied_fen(text), None, "{text}");
        }
    }

    #[test]
    fn a_square_named_twice_is_overlooked() {
        let fen = read_fen("W:W31,31:B1", numbering(Variant::INTERNATIONAL)).unwrap();
        assert_eq!(fen.setup.pieces().len(), 2);
        assert_eq!(fen.overlooked[0].to_string(), "duplicate square 31");
    }
}
