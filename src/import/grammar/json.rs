//! The productions of `grammar/json.ebnf`.
//!
//! Strings are kept as written, as slices of the input, so that they have a position; [`unescaped`](super::super::json) decodes
//! them.

use nom::Err::Failure;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_till1, take_while};
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{map, opt, recognize, value as becomes};
use nom::multi::{fold_many0, many1_count, separated_list0};
use nom::sequence::{delimited, pair, preceded, separated_pair};

use super::Production;
use crate::text::whitespace::is_blank;

/// Maximum nesting depth of values. Real records nest five deep.
pub(in crate::import) const MAX_DEPTH: u32 = 64;

/// A value. Strings are the text between the quotes, and numbers are as written.
#[derive(Clone, Debug)]
pub(in crate::import) enum Value<'a> {
    Null,
    Bool(bool),
    Number(&'a [u8]),
    Text(&'a [u8]),
    List(Vec<Value<'a>>),
    Object(Vec<Member<'a>>),
}

/// A member of an object: its name as written, and its value.
pub(in crate::import) type Member<'a> = (&'a [u8], Value<'a>);

/// `value = spaces, ( object | list | string | number | word ), spaces`
///
/// Fails permanently if values are nested too deep, whatever follows.
pub(in crate::import) fn value(depth: u32, input: &[u8]) -> Production<'_, Value<'_>> {
    if depth > MAX_DEPTH {
        return Err(Failure(()));
    }
    let inner = alt((
        map(string, Value::Text),
        map(number, Value::Number),
        map(|input| object(depth, input), Value::Object),
        map(|input| list(depth, input), Value::List),
        word,
    ));
    delimited(spaces, inner, spaces).parse(input)
}

/// `object = "{", spaces, [ member, { ",", member } ], "}"`
fn object(depth: u32, input: &[u8]) -> Production<'_, Vec<Member<'_>>> {
    let members = separated_list0(char(','), |input| member(depth, input));
    delimited(pair(char('{'), spaces), members, char('}')).parse(input)
}

/// `member = spaces, string, spaces, ":", value`
pub(in crate::import) fn member(depth: u32, input: &[u8]) -> Production<'_, Member<'_>> {
    let name = delimited(spaces, string, spaces);
    separated_pair(name, char(':'), |input| value(depth + 1, input)).parse(input)
}

/// `list = "[", spaces, [ value, { ",", value } ], "]"`
fn list(depth: u32, input: &[u8]) -> Production<'_, Vec<Value<'_>>> {
    let values = separated_list0(char(','), |input| value(depth + 1, input));
    delimited(pair(char('['), spaces), values, char(']')).parse(input)
}

/// `string = '"', { character | escape }, '"'`: the text between the quotes.
fn string(input: &[u8]) -> Production<'_> {
    let text = recognize(fold_many0(alt((character, escape)), || (), |(), _| ()));
    delimited(char('"'), text, char('"')).parse(input)
}

/// `character = ?any character except '"' and "\"?`: all that follow.
fn character(input: &[u8]) -> Production<'_> {
    take_till1(|byte| matches!(byte, b'"' | b'\\'))(input)
}

/// `escape = "\", ?any character?`
fn escape(input: &[u8]) -> Production<'_> {
    preceded(char('\\'), take(1_usize)).parse(input)
}

/// `number = [ "-" ], digits, [ ".", digits ], [ ( "e" | "E" ), [ "+" | "-" ], digits ]`
fn number(input: &[u8]) -> Production<'_> {
    let exponent = (one_of("eE"), opt(one_of("+-")), digits);
    recognize((opt(char('-')), digits, opt(preceded(char('.'), digits)), opt(exponent))).parse(input)
}

/// `word = "true" | "false" | "null"`
fn word(input: &[u8]) -> Production<'_, Value<'_>> {
    let (truth, lie) = (becomes(Value::Bool(true), tag("true")), becomes(Value::Bool(false), tag("false")));
    alt((truth, lie, becomes(Value::Null, tag("null")))).parse(input)
}

/// `digits = digit, { digit }`
fn digits(input: &[u8]) -> Production<'_> {
    recognize(many1_count(digit)).parse(input)
}

/// `digit = "0" … "9"`
fn digit(input: &[u8]) -> Production<'_, char> {
    satisfy(|letter| letter.is_ascii_digit()).parse(input)
}

/// `spaces = { ?space, tab, line break? }`
pub(in crate::import) fn spaces(input: &[u8]) -> Production<'_> {
    take_while(is_blank)(input)
}
