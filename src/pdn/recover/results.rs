//! Results that deviate from the grammar.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{consumed, not, opt, verify};
use nom::sequence::{delimited, terminated};

use super::moves::later_number_link;
use super::text::boundary;
use crate::diag::Code;
use crate::pdn::grammar::primitive::{byte, one, run};
use crate::pdn::grammar::{Parsed, digit, gap, is_result};
use crate::text::whitespace::is_blank;

/// How a result is spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pdn) enum Spelling {
    /// As the grammar has it.
    Plain,
    /// With a colon.
    Colon,
    /// With whitespace inside.
    Padded,
    /// With a fraction of one character, or half a result.
    Odd,
}

impl Spelling {
    /// The code of the deviation.
    pub(in crate::pdn) const fn code(self) -> Option<Code> {
        match self {
            Self::Plain => None,
            Self::Colon => Some(Code::SYNTAX_COLON_RESULT),
            Self::Padded => Some(Code::SYNTAX_BLANK_IN_RESULT),
            Self::Odd => Some(Code::SYNTAX_ODD_RESULT),
        }
    }
}

/// `1:0`, `1 - 0`: two points and nothing that would make a move of them.
pub(in crate::pdn) fn points(input: &[u8]) -> Parsed<'_, Spelling> {
    let point = || terminated(digit, not(digit));
    let sign = one(|byte| matches!(byte, b'-' | b':'));
    let digits = verify((point(), gap, sign, gap, point()), |found| is_result(found.0, found.4));
    let (rest, (_, before, sign, after, _)) = terminated(digits, not(later_number_link)).parse(input)?;
    // After a gap digits with a dot are the next number.
    if !after.is_empty() {
        not(byte(b'.')).parse(rest)?;
    }
    let spelling = match sign {
        b':' => Spelling::Colon,
        _ if before.is_empty() && after.is_empty() => Spelling::Plain,
        _ => Spelling::Padded,
    };
    Ok((rest, spelling))
}

/// `1/2-1/2`, `1/2:1/2`, `1/2 - 1/2`, `1/2`, `½-½`, and `Â½-Â½`, which is that in UTF-8 taken for single bytes.
pub(in crate::pdn) fn half(input: &[u8]) -> Parsed<'_, Spelling> {
    let fractions = (tag("1/2"), tag("½"), tag(b"\xBD".as_slice()), tag("Â½"));
    let (rest, fraction) = alt(fractions).parse(input)?;
    let sign = delimited(run(is_blank), one(|byte| matches!(byte, b'-' | b':')), run(is_blank));
    let second = opt(consumed(terminated(sign, tag(fraction))));
    let (rest, second) = terminated(second, boundary).parse(rest)?;
    let spelling = match second {
        Some((_, b':')) if fraction == b"1/2" => Spelling::Colon,
        Some((text, _)) if fraction == b"1/2" && text.len() > "-1/2".len() => Spelling::Padded,
        Some(_) if fraction == b"1/2" => Spelling::Plain,
        _ => Spelling::Odd,
    };
    Ok((rest, spelling))
}
