//! The grammar of queries, in nom: one parser for each production of `grammar/search.ebnf`, under its own name.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_while};
use nom::character::complete::{anychar, char, one_of, satisfy};
use nom::combinator::{consumed, cut, map, not, opt, recognize, value as constant};
use nom::error::ErrorKind;
use nom::multi::{many0, many0_count, many1, many1_count, separated_list1};
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser};

use crate::error::ParseError;
use crate::text::error_in;

/// The position where a text deviates from the grammar, and what was expected there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deviation<'a> {
    pub(super) rest: &'a str,
    pub(super) expected: &'static str,
}

impl Deviation<'_> {
    /// Returns the error of the text that deviates.
    pub(super) fn error(self, question: &str) -> ParseError {
        let start = question.len() - self.rest.len();
        let length = self.rest.chars().next().map_or(0, char::len_utf8);
        error_in(question, start..start + length, format!("expected {}", self.expected))
    }
}

impl<'a> nom::error::ParseError<&'a str> for Deviation<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Self { rest, expected: "" }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// Keeps the deviation that is further in the text.
    fn or(self, other: Self) -> Self {
        if other.rest.len() < self.rest.len() || self.expected.is_empty() { other } else { self }
    }
}

/// The result of a parser: the remaining text, and the value.
pub(super) type Production<'a, T = &'a str> = IResult<&'a str, T, Deviation<'a>>;

/// Conditions joined by `or`, `and` and `not`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Joined<T> {
    /// At least one of them.
    Any(Vec<Self>),
    /// All of them.
    All(Vec<Self>),
    Not(Box<Self>),
    One(T),
}

/// An expression as written.
pub(super) type Written<'a> = Joined<Comparison<'a>>;

/// A field, and the value it is compared with.
#[derive(Debug, PartialEq)]
pub(super) struct Comparison<'a> {
    pub(super) field: &'a str,
    pub(super) operand: Option<(&'a str, Value<'a>)>,
}

/// A value as written.
#[derive(Debug, PartialEq)]
pub(super) struct Value<'a> {
    /// All of it, with its quotation marks.
    pub(super) written: &'a str,
    pub(super) text: String,
}

/// A condition of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Group<'a> {
    /// `W` or `B` is to move.
    Turn(char),
    Squares {
        /// First and last squares; `None` for all squares not named by another group.
        ranges: Option<Vec<(&'a str, &'a str)>>,
        /// True if the contents are those not allowed.
        negated: bool,
        contents: &'a str,
    },
}

/// A condition on the number of some pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count<'a> {
    pub(super) piece: &'a str,
    pub(super) order: &'a str,
    pub(super) number: u32,
}

/// A parser that reports what it expects if it fails immediately.
fn expecting<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Deviation<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Deviation<'a>> {
    move |input: &'a str| {
        let name = |found: Deviation<'a>| Deviation {
            expected: if found.expected.is_empty() { expected } else { found.expected },
            ..found
        };
        parser.parse(input).map_err(|error| error.map(name))
    }
}

/// A parser that also takes the whitespace after a token.
fn token<'a, T>(
    parser: impl Parser<&'a str, Output = T, Error = Deviation<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Deviation<'a>> {
    terminated(parser, take_while(char::is_whitespace))
}

/// A word of the grammar, which is not the beginning of a longer one.
fn keyword<'a>(word: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Deviation<'a>> {
    token(terminated(tag(word), not(satisfy(|letter| letter.is_ascii_alphanumeric() || letter == '_'))))
}

/// All of an expression, with the whitespace around it.
pub(super) fn whole_expression(input: &str) -> Result<Written<'_>, Deviation<'_>> {
    whole(take_while(char::is_whitespace), expression, "`and`, `or` or the end", input)
}

/// All of a pattern, with the whitespace around it.
pub(super) fn whole_pattern(input: &str) -> Result<Vec<Group<'_>>, Deviation<'_>> {
    whole(space, pattern, "squares", input)
}

/// All counts of pieces, with the whitespace around them.
pub(super) fn whole_material(input: &str) -> Result<Vec<Count<'_>>, Deviation<'_>> {
    whole(space, material, PIECE, input)
}

const PIECE: &str = "white, black, men, kings, all, w, W, b or B";

/// All of a text, with the whitespace around it; `more` is what else is expected where it does not end.
fn whole<'a, T>(
    space: impl Parser<&'a str, Output = &'a str, Error = Deviation<'a>>,
    parser: impl Parser<&'a str, Output = T, Error = Deviation<'a>>,
    more: &'static str,
    input: &'a str,
) -> Result<T, Deviation<'a>> {
    match preceded(space, terminated(parser, cut(expecting(more, not(anychar))))).parse(input) {
        Ok((_, done)) => Ok(done),
        Err(nom::Err::Error(found) | nom::Err::Failure(found)) => Err(found),
        Err(nom::Err::Incomplete(_)) => Err(Deviation { rest: "", expected: "more" }),
    }
}

/// `expression = conjunction, { "or", conjunction }`
pub(super) fn expression(input: &str) -> Production<'_, Written<'_>> {
    map(pair(conjunction, many0(preceded(keyword("or"), cut(conjunction)))), |list| joined(list, Written::Any))
        .parse(input)
}

/// `conjunction = negation, { "and", negation }`
fn conjunction(input: &str) -> Production<'_, Written<'_>> {
    map(pair(negation, many0(preceded(keyword("and"), cut(negation)))), |list| joined(list, Written::All)).parse(input)
}

fn joined<T>((first, mut rest): (T, Vec<T>), join: fn(Vec<T>) -> T) -> T {
    if rest.is_empty() {
        return first;
    }
    rest.insert(0, first);
    join(rest)
}

/// `negation = { "not" }, primary`
fn negation(input: &str) -> Production<'_, Written<'_>> {
    let negated = |(times, inner): (usize, _)| if times % 2 == 1 { Written::Not(Box::new(inner)) } else { inner };
    map(pair(many0_count(keyword("not")), primary), negated).parse(input)
}

/// `primary = "(", expression, ")" | comparison`
fn primary(input: &str) -> Production<'_, Written<'_>> {
    let closed = cut(expecting("`and`, `or` or `)`", token(char(')'))));
    let inner = delimited(token(char('(')), cut(expression), closed);
    alt((inner, map(comparison, Written::One))).parse(input)
}

/// `comparison = field, [ operator, value ]`
fn comparison(input: &str) -> Production<'_, Comparison<'_>> {
    let operand = pair(token(operator), cut(token(value)));
    map(pair(token(field), opt(operand)), |(field, operand)| Comparison { field, operand }).parse(input)
}

/// `field = letter, { letter | digit | "_" }`
fn field(input: &str) -> Production<'_> {
    let rest = many0_count(alt((letter, digit, char('_'))));
    let word = not(alt((keyword("and"), keyword("or"), keyword("not"))));
    expecting("a field, `not` or `(`", preceded(word, recognize(pair(letter, rest)))).parse(input)
}

/// `operator = "!=" | "!~" | "=" | "~" | order`
fn operator(input: &str) -> Production<'_> {
    alt((tag("!="), tag("!~"), tag("="), tag("~"), order)).parse(input)
}

/// `order = "<=" | ">=" | "<" | ">"`
fn order(input: &str) -> Production<'_> {
    alt((tag("<="), tag(">="), tag("<"), tag(">"))).parse(input)
}

/// `value = string | word`
fn value(input: &str) -> Production<'_, Value<'_>> {
    let plain = map(word, |written| Value { written, text: written.to_owned() });
    expecting("a value, in quotation marks if it has spaces", alt((string, plain))).parse(input)
}

/// `string = '"', { ? any character but a quotation mark or a backslash ? | "\", ? any character ? }, '"'`
fn string(input: &str) -> Production<'_, Value<'_>> {
    let escaped = preceded(char('\\'), anychar);
    let parts = many0(alt((is_not("\"\\"), recognize(escaped))));
    let closing = cut(expecting("a closing quotation mark", char('"')));
    let value = |(written, parts): (_, Vec<&str>)| Value { written, text: parts.into_iter().map(unescaped).collect() };
    consumed(delimited(char('"'), parts, closing)).map(value).parse(input)
}

/// Returns a part of a string without the backslash before a quotation mark or a backslash. Before anything else it is kept:
/// it belongs to the regular expression.
fn unescaped(part: &str) -> &str {
    if matches!(part, "\\\"" | "\\\\") { &part[1..] } else { part }
}

/// `word = sign, { sign }`
fn word(input: &str) -> Production<'_> {
    recognize(many1_count(sign)).parse(input)
}

/// `sign = ? any letter ? | digit | "_" | "." | "-" | "/" | "+" | ":" | "*" | "?"`
fn sign(input: &str) -> Production<'_, char> {
    alt((satisfy(char::is_alphabetic), digit, one_of("_.-/+:*?"))).parse(input)
}

/// `letter = "A" … "Z" | "a" … "z"`
fn letter(input: &str) -> Production<'_, char> {
    satisfy(|letter| letter.is_ascii_alphabetic()).parse(input)
}

/// `digit = "0" … "9"`
fn digit(input: &str) -> Production<'_, char> {
    satisfy(|letter| letter.is_ascii_digit()).parse(input)
}

/// The whitespace between conditions.
fn space(input: &str) -> IResult<&str, &str, Deviation<'_>> {
    take_while(|letter: char| letter.is_whitespace() || letter == ',').parse(input)
}

/// `pattern = group, { group }`
pub(super) fn pattern(input: &str) -> Production<'_, Vec<Group<'_>>> {
    many1(terminated(group, space)).parse(input)
}

/// `group = "turn", "=", side | squares, "=", [ "!" ], content, { content }`
fn group(input: &str) -> Production<'_, Group<'_>> {
    let equals = || cut(expecting("`=`", token(char('='))));
    let contents = expecting("w, W, b, B or `.`", recognize(many1_count(content)));
    let turn = preceded(pair(token(tag("turn")), equals()), cut(expecting("W or B", side)));
    let placed = (token(squares), equals(), opt(token(char('!'))), cut(contents));
    let squares = map(placed, |(ranges, _, not, contents)| Group::Squares { ranges, negated: not.is_some(), contents });
    expecting("squares, `*` or `turn`", alt((map(turn, Group::Turn), squares))).parse(input)
}

/// `side = "W" | "B"`
fn side(input: &str) -> Production<'_, char> {
    one_of("WB").parse(input)
}

/// `squares = "*" | range, { ",", range }`
fn squares(input: &str) -> Production<'_, Option<Vec<(&str, &str)>>> {
    let listed = separated_list1(token(char(',')), token(range));
    alt((constant(None, char('*')), map(listed, Some))).parse(input)
}

/// `range = square, [ "-", square ]`
fn range(input: &str) -> Production<'_, (&str, &str)> {
    let last = preceded(token(char('-')), cut(expecting("a square", square)));
    map(pair(token(square), opt(last)), |(first, last)| (first, last.unwrap_or(first))).parse(input)
}

/// `square = digit, { digit } | file, digit, [ digit ]`
fn square(input: &str) -> Production<'_> {
    alt((recognize(many1_count(digit)), recognize((file, digit, opt(digit))))).parse(input)
}

/// `file = "a" … "l"`
fn file(input: &str) -> Production<'_, char> {
    satisfy(|letter| ('a'..='l').contains(&letter)).parse(input)
}

/// `content = "w" | "W" | "b" | "B" | "."`
fn content(input: &str) -> Production<'_, char> {
    one_of("wWbB.").parse(input)
}

/// `material = count, { count }`
pub(super) fn material(input: &str) -> Production<'_, Vec<Count<'_>>> {
    many1(terminated(count, space)).parse(input)
}

/// `count = piece, ( "!=" | "=" | order ), digit, [ digit ]`
fn count(input: &str) -> Production<'_, Count<'_>> {
    let order = cut(expecting("=, !=, <, <=, > or >=", token(alt((tag("!="), tag("="), order)))));
    let number = cut(expecting("a number below 100", terminated(recognize(pair(digit, opt(digit))), not(digit))));
    let counted = (token(piece), order, number);
    map(counted, |(piece, order, number)| Count { piece, order, number: number.parse().unwrap_or_default() })
        .parse(input)
}

/// `piece = "white" | "black" | "men" | "kings" | "all" | "w" | "W" | "b" | "B"`
fn piece(input: &str) -> Production<'_> {
    let words = alt((tag("white"), tag("black"), tag("men"), tag("kings"), tag("all")));
    let pieces = alt((words, tag("w"), tag("W"), tag("b"), tag("B")));
    expecting(PIECE, terminated(pieces, not(letter))).parse(input)
}
