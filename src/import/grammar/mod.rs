//! The grammars of other formats in nom: one parser for each production of `grammar/ldf.ebnf`, `grammar/turbo.ebnf` and
//! `grammar/json.ebnf`, under the production's own name.

pub(super) mod json;
pub(super) mod ldf;
pub(super) mod turbo;

use nom::bytes::complete::take_while;

/// The result of a parser: the remaining bytes, and the value.
pub(super) type Production<'a, T = &'a [u8]> = nom::IResult<&'a [u8], T, ()>;

/// Takes spaces, perhaps none.
fn spaces(input: &[u8]) -> Production<'_> {
    take_while(|byte| byte == b' ')(input)
}
