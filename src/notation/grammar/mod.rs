//! The grammars of positions and of the values of tags, in nom: one parser for each production of `grammar/fen.ebnf`,
//! `grammar/gametype.ebnf` and `grammar/timecontrol.ebnf`, under the production's own name.

pub(super) mod fen;
pub(super) mod gametype;
pub(super) mod timecontrol;

use nom::Parser;
use nom::bytes::complete::take_while;
use nom::sequence::delimited;

/// The result of a parser: the text after what was taken, and its value.
pub(super) type Parsed<'a, T = &'a str> = nom::IResult<&'a str, T, ()>;

/// A parser that also takes the whitespace around a token.
fn token<'a, T>(parser: impl Parser<&'a str, Output = T, Error = ()>) -> impl Parser<&'a str, Output = T, Error = ()> {
    let space = |input| take_while(char::is_whitespace)(input);
    delimited(space, parser, space)
}
