//! The productions of `grammar/fen.ebnf`, and the FEN syntax that they produce.
//!
//! The syntax keeps everything that is written, so that positions, the check of the strict form and the canonical text of
//! a FEN are all derived from it.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_while};
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{all_consuming, consumed, map_parser, opt, recognize, rest, value};
use nom::multi::{many0, many0_count, many1_count, separated_list0, separated_list1};
use nom::sequence::{delimited, pair, preceded};

use crate::board::Side;

/// The result of a parser: the remaining text, and the value.
pub(in crate::notation) type Parsed<'a, T = &'a str> = nom::IResult<&'a str, T, ()>;

/// A parser that also takes the whitespace around a token.
pub(in crate::notation) fn token<'a, T>(
    parser: impl Parser<&'a str, Output = T, Error = ()>,
) -> impl Parser<&'a str, Output = T, Error = ()> {
    let space = |input| take_while(char::is_whitespace)(input);
    delimited(space, parser, space)
}

/// A FEN as written: a side to move and the fields after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FenSyntax<'a> {
    pub(super) side: Option<Side>,
    /// The fields, or the text in their place if there is not even a colon.
    pub(super) fields: Result<Vec<Field<'a>>, &'a str>,
}

/// The text between two colons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field<'a> {
    Empty,
    List(Side, Vec<Items<'a>>),
    Counter(&'a str),
    Unknown(&'a str),
}

/// The text between two commas: one item, or several if commas are missing; finally, text that is not an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Items<'a> {
    pub(super) items: Vec<Item<'a>>,
    pub(super) unknown: Option<&'a str>,
}

/// A square or a range of squares with pieces of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item<'a> {
    /// All of it.
    pub(super) text: &'a str,
    pub(super) king: bool,
    pub(super) first: &'a str,
    /// The last square of a range, and true if it has a king's letter too.
    pub(super) last: Option<(bool, &'a str)>,
}

/// `fen = side, ":", field, { ":", field }, [ "." ]`, without the dot.
pub(super) fn fen(input: &str) -> Parsed<'_, FenSyntax<'_>> {
    let fields = preceded(char(':'), separated_list1(char(':'), field));
    let fields = alt((fields.map(Ok), rest.map(Err)));
    (token(side), fields).map(|(side, fields)| FenSyntax { side, fields }).parse(input)
}

/// `side = colour | "?"`
fn side(input: &str) -> Parsed<'_, Option<Side>> {
    alt((colour.map(Some), value(None, char('?')))).parse(input)
}

/// `field = [ list | counter ]`
fn field(input: &str) -> Parsed<'_, Field<'_>> {
    // Kept as text, so that one unreadable field does not hide the contents of the others.
    let unknown = rest.map(|text: &str| Field::Unknown(text.trim()));
    let empty = value(Field::Empty, all_consuming(token(tag(""))));
    map_parser(take_till(|letter| letter == ':'), alt((empty, all_consuming(token(counter)), list, unknown)))
        .parse(input)
}

/// `list = colour, [ item ], { ",", [ item ] | lettered }`
fn list(input: &str) -> Parsed<'_, Field<'_>> {
    let between_commas = map_parser(take_till(|letter| letter == ','), items);
    let lists = (token(colour), separated_list0(char(','), between_commas));
    lists.map(|(colour, items)| Field::List(colour, items)).parse(input)
}

/// `[ item ], { lettered }`: the text between two commas.
fn items(input: &str) -> Parsed<'_, Items<'_>> {
    let items = (opt(item), many0(lettered)).map(|(first, more)| first.into_iter().chain(more).collect());
    let unknown = rest.map(|text: &str| Some(text.trim()).filter(|text| !text.is_empty()));
    (items, unknown).map(|(items, unknown)| Items { items, unknown }).parse(input)
}

/// `colour = "W" | "w" | "B" | "b"`
fn colour(input: &str) -> Parsed<'_, Side> {
    let side = |is: fn(char) -> bool, side| value(side, satisfy(is));
    alt((
        side(|letter| matches!(letter, 'W' | 'w'), Side::White),
        side(|letter| matches!(letter, 'B' | 'b'), Side::Black),
    ))
    .parse(input)
}

/// `item = [ king ], square, [ "-", [ king ], square ]`
fn item(input: &str) -> Parsed<'_, Item<'_>> {
    let last = preceded(token(char('-')), (is_king, token(square)));
    let (rest, (text, (king, first, last))) = consumed((is_king, token(square), opt(last))).parse(input)?;
    Ok((rest, Item { text: text.trim(), king, first, last }))
}

/// `[ king ]`
fn is_king(input: &str) -> Parsed<'_, bool> {
    opt(token(king)).map(|king| king.is_some()).parse(input)
}

/// `king = "K" | "k"`
fn king(input: &str) -> Parsed<'_, char> {
    // `one_of` searches its string as Unicode, which took a tenth of the time to read problems.
    satisfy(|letter| matches!(letter, 'K' | 'k')).parse(input)
}

/// `lettered`: an item where a comma was forgotten. It begins with a letter, or after whitespace.
fn lettered(input: &str) -> Parsed<'_, Item<'_>> {
    item(input)
}

/// `square = digits | letter, digits`
fn square(input: &str) -> Parsed<'_> {
    alt((digits, recognize(pair(letter, digits)))).parse(input)
}

/// `digits = digit, { digit }`
fn digits(input: &str) -> Parsed<'_> {
    recognize(many1_count(digit)).parse(input)
}

/// `counter = ( "H" | "F" | "+" ), count, { count }`
fn counter(input: &str) -> Parsed<'_, Field<'_>> {
    recognize((one_of("HF+"), many1_count(count))).map(Field::Counter).parse(input)
}

/// `count = digit | "+"`
fn count(input: &str) -> Parsed<'_, char> {
    alt((digit, char('+'))).parse(input)
}

/// `digit = "0" … "9"`
fn digit(input: &str) -> Parsed<'_, char> {
    satisfy(|letter| letter.is_ascii_digit()).parse(input)
}

/// `letter = "A" … "Z" | "a" … "z"`
fn letter(input: &str) -> Parsed<'_, char> {
    satisfy(|letter| letter.is_ascii_alphabetic()).parse(input)
}

/// `written = turn, ":", plain list, { ":", plain list } | empty move`
pub(super) fn written(input: &str) -> Parsed<'_> {
    let position = (turn, char(':'), separated_list1(char(':'), plain_list));
    alt((empty_move, recognize(position))).parse(input)
}

/// `turn = "W" | "B" | "?"`
fn turn(input: &str) -> Parsed<'_, char> {
    one_of("WB?").parse(input)
}

/// `plain list = ( "W" | "B" ), [ plain item, { ",", plain item } ]`
fn plain_list(input: &str) -> Parsed<'_> {
    recognize((one_of("WB"), separated_list0(char(','), plain_item))).parse(input)
}

/// `plain item = [ "K" ], ( plain cell | positive, [ "-", positive ] )`
fn plain_item(input: &str) -> Parsed<'_> {
    let squares = recognize((positive, opt((char('-'), positive))));
    recognize((opt(char('K')), alt((plain_cell, squares)))).parse(input)
}

/// `plain cell = "a" … "l", positive`
fn plain_cell(input: &str) -> Parsed<'_> {
    recognize(pair(satisfy(|file| matches!(file, 'a'..='l')), positive)).parse(input)
}

/// `positive = "1" … "9", { digit }`
fn positive(input: &str) -> Parsed<'_> {
    recognize(pair(satisfy(|digit| matches!(digit, '1'..='9')), many0_count(digit))).parse(input)
}

/// `empty move = turn, "::"`
fn empty_move(input: &str) -> Parsed<'_> {
    recognize((turn, tag("::"))).parse(input)
}
