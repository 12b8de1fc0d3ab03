//! Results that deviate from the grammar, words, and other text that is not a token.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take};
use nom::character::complete::{digit1, one_of};
use nom::combinator::{consumed, not, opt, peek, recognize, value, verify};
use nom::multi::{fold_many0, many0_count, many1_count};
use nom::sequence::{delimited, pair, preceded, terminated};

use super::moves::{dash, later_number_link, of_length};
use crate::diag::Code;
use crate::pdn::grammar::primitive::{byte, decimal, few, line_within, next_is, one, run, wide};
use crate::pdn::grammar::{
    Parsed, digit, first_move, gap, is_result, r#move, number, result_before_number, white_space,
};
use crate::pdn::tree::WrittenNumber;
use crate::text::signs::{colon_len, dot_len};
use crate::text::whitespace::{is_line_end, is_skipped, is_space};

/// The spelling of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pdn) enum Spelling {
    /// As in the grammar.
    Plain,
    /// With a colon.
    Colon,
    /// With whitespace inside.
    Padded,
    /// With a fraction of one character, or half a result.
    Odd,
    /// Joined to the first number of the next game.
    Joined,
}

impl Spelling {
    /// The code of the deviation.
    pub(in crate::pdn) const fn code(self) -> Option<Code> {
        match self {
            Self::Plain => None,
            Self::Colon => Some(Code::SYNTAX_COLON_RESULT),
            Self::Padded => Some(Code::SYNTAX_BLANK_IN_RESULT),
            Self::Odd => Some(Code::SYNTAX_ODD_RESULT),
            Self::Joined => Some(Code::SYNTAX_MISSING_BLANK),
        }
    }
}

/// `1:0`, `1 - 0`: two scores, and nothing that would make them a move.
pub(in crate::pdn) fn points(input: &[u8]) -> Parsed<'_, Spelling> {
    let point = || terminated(digit, not(digit));
    let digits = verify((point(), any_gap, result_sign, any_gap, point()), |found| is_result(found.0, found.4));
    let (rest, (_, before, sign, after, _)) = terminated(digits, not(later_number_link)).parse(input)?;
    // After a gap, digits with a dot are the next number.
    if !after.is_empty() {
        not(byte(b'.')).parse(rest)?;
    }
    let spelling = match sign {
        b':' => Spelling::Colon,
        0 => Spelling::Odd,
        _ if before.is_empty() && after.is_empty() => Spelling::Plain,
        _ => Spelling::Padded,
    };
    Ok((rest, spelling))
}

/// `0-0` of `0-001.33-29` or `0-01.33-29`, where the next game begins with `01.33-29` or `1.33-29`. Some playing programs write
/// neither a line break nor a space after a result. No square has three digits, and no move is followed by a dot.
pub(in crate::pdn) fn joined_result(input: &[u8]) -> Parsed<'_, Spelling> {
    let points = verify((digit, byte(b'-'), digit), |found| is_result(found.0, found.2)).map(|_| ());
    let half = || value((), tag("1/2-1/2"));
    let padded_number = verify(preceded(peek(byte(b'0')), number), |number| (number.value(), number.dots()) == (1, 1));
    let next_game = (padded_number, white_space, r#move);
    let before_padded = terminated(alt((points, half())), peek(next_game));
    let result = alt((before_padded, result_before_number, terminated(half(), peek(first_move))));
    value(Spelling::Joined, result).parse(input)
}

/// `1/2-1/2`, `1/2:1/2`, `1/2 - 1/2`, `1/2`, `½-½`, `½-0.5`, and `Â½-Â½`, which is `½-½` in UTF-8 read as single bytes.
pub(in crate::pdn) fn half(input: &[u8]) -> Parsed<'_, Spelling> {
    // The half of a single-byte encoding.
    const SINGLE: &[u8] = b"\xBD";
    let (rest, first) = alt((fraction, tag(SINGLE))).parse(input)?;
    let sign = delimited(any_gap, result_sign, any_gap);
    // Both halves are in the same encoding.
    let again =
        verify(alt((fraction, decimal_half, tag(SINGLE))), |second: &[u8]| (first == SINGLE) == (second == SINGLE));
    let spelt = (sign, again);
    // Two signs for a half need none between them.
    let glued = verify(tag(first), |_: &[u8]| first != b"1/2").map(|second| (0, second));
    let second = opt(consumed(alt((spelt, glued))));
    let (rest, second) = terminated(second, boundary).parse(rest)?;
    let spelling = match second {
        Some((_, (0, _))) => Spelling::Odd,
        Some((text, (sign, b"1/2"))) if first == b"1/2" => match sign {
            b':' => Spelling::Colon,
            _ if text.len() > "-1/2".len() => Spelling::Padded,
            _ => Spelling::Plain,
        },
        _ => Spelling::Odd,
    };
    Ok((rest, spelling))
}

/// A half as a fraction.
fn fraction(input: &[u8]) -> Parsed<'_> {
    alt((tag("1/2"), tag("½"), tag("Â½"), tag("1⁄2"), tag("1∕2"))).parse(input)
}

/// `0.5`, `0,5`
fn decimal_half(input: &[u8]) -> Parsed<'_> {
    alt((tag("0.5"), tag("0,5"))).parse(input)
}

/// `0.5-0.5`, `0,5:0,5`, `0.5-½`, `1.0-0.0`: points with decimals, as tables have them, and nothing that is a score of several games.
pub(in crate::pdn) fn decimals(input: &[u8]) -> Parsed<'_, Spelling> {
    let sign = || delimited(any_gap, result_sign, any_gap);
    let halves = (decimal_half, sign(), alt((decimal_half, fraction))).map(|_| ());
    let whole = || terminated(digit, (one_of(".,"), byte(b'0')));
    let wholes = verify((whole(), sign(), whole()), |found| is_result(found.0, found.2)).map(|_| ());
    value(Spelling::Odd, terminated(alt((halves, wholes)), boundary)).parse(input)
}

/// A gap of any whitespace within a line or two: `1 - 0` of a web page may have spaces of another width.
fn any_gap(input: &[u8]) -> Parsed<'_> {
    recognize((gap, many0_count((wide, gap)))).parse(input)
}

/// The sign between the halves of a result: `-` and `:`, of which there are typographic ones. A dash of them is 0.
fn result_sign(input: &[u8]) -> Parsed<'_, u8> {
    alt((one(|byte| matches!(byte, b'-' | b':')), value(0, dash), value(b':', of_length(colon_len)))).parse(input)
}

/// Spaces of any width within a line.
fn gap_in_line(input: &[u8]) -> Parsed<'_> {
    recognize((run(is_space), many0_count((wide, run(is_space))))).parse(input)
}

/// `1.5-0.5`: two numbers with a decimal. A result or a score, and no number and move.
pub(super) fn decimal_score(input: &[u8]) -> Parsed<'_, ()> {
    let number = |point: u8| (few::<1, 2>(|byte| byte.is_ascii_digit()), byte(point), one_of("05"));
    let score = |point| (number(point), any_gap, result_sign, any_gap, number(point), boundary).map(|_| ());
    let other = value((), decimals);
    terminated(alt((score(b'.'), score(b','), other)), not(one_of("-x:"))).parse(input)
}

/// What begins with a digit and is neither a number nor a move, though it begins like one: a score with decimals, or a date.
pub(in crate::pdn) fn not_movetext(input: &[u8]) -> Parsed<'_, ()> {
    alt((decimal_score, date)).parse(input)
}

/// A date, a season, or a year before a time, with the time of day after it: `12-05-2019 14:30`, `2019/20`. No square has four digits.
pub(in crate::pdn) fn date(input: &[u8]) -> Parsed<'_, ()> {
    let two = || few::<1, 2>(|byte| byte.is_ascii_digit());
    let sign = || one_of("-./");
    let hour = || verify(two(), |hour: &[u8]| decimal(hour) < 24);
    let minutes =
        || (byte(b':'), verify(few::<2, 2>(|byte| byte.is_ascii_digit()), |minutes: &[u8]| decimal(minutes) < 60));
    let time = || (run(is_space), opt(byte(b',')), run(is_space), hour(), minutes(), opt(minutes()));
    let day_first = (two(), sign(), two(), sign(), calendar_year).map(|_| ());
    let year_first = (calendar_year, sign(), two(), sign(), two()).map(|_| ());
    let season = (calendar_year, byte(b'/'), two()).map(|_| ());
    let years = (calendar_year, one_of("-/"), calendar_year).map(|_| ());
    // `2014 09:20` may be two moves without a separator.
    let timed = (calendar_year, peek((run(is_space), hour(), minutes(), minutes()))).map(|_| ());
    let ends = next_is(|byte| !byte.is_some_and(|byte| byte.is_ascii_digit() || b"-x:".contains(&byte)));
    (alt((day_first, year_first, years, season, timed)), opt(time()), ends).map(|_| ()).parse(input)
}

/// A year from 1600 to 2099.
fn calendar_year(input: &[u8]) -> Parsed<'_> {
    let digits = few::<4, 4>(|byte| byte.is_ascii_digit());
    verify(digits, |digits: &[u8]| (b"1600".as_slice()..=b"2099").contains(&digits)).parse(input)
}

/// Everything up to whitespace, a brace, bracket or parenthesis; at least one byte. The time of day belongs to a date.
pub(in crate::pdn) fn word(input: &[u8]) -> Parsed<'_> {
    let inner = run(|byte| byte > b' ' && !b"{}()[]".contains(&byte));
    recognize((alt((date, one(|_| true).map(|_| ()))), inner)).parse(input)
}

/// The end of a token: no letter, digit or byte above ASCII follows.
pub(in crate::pdn) fn boundary(input: &[u8]) -> Parsed<'_, ()> {
    next_is(|byte| !byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte >= 0x80))(input)
}

/// `\r`, `\n`, `\t` typed as two characters each, once or more.
pub(in crate::pdn) fn typed_escape(input: &[u8]) -> Parsed<'_> {
    let escapes = recognize(many1_count((byte(b'\\'), one_of("rnt"))));
    let apart = next_is(|byte| !byte.is_some_and(|byte| byte.is_ascii_alphabetic() || byte >= 0x80));
    terminated(escapes, apart).parse(input)
}

/// Elements of HTML that are copied together with a game.
const HTML: [&str; 36] = [
    "a",
    "b",
    "blockquote",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "hr",
    "i",
    "img",
    "li",
    "nobr",
    "ol",
    "p",
    "pre",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tr",
    "u",
    "ul",
    "wbr",
];

/// Names of the brackets of forums and blogs.
const FORUM: [&str; 14] =
    ["b", "board", "center", "code", "color", "fen", "font", "game", "i", "pre", "quote", "size", "spoiler", "u"];

/// Entities of HTML for spaces and invisible characters.
const SPACES: [&str; 10] = ["nbsp", "#160", "ensp", "emsp", "thinsp", "zwnj", "zwj", "lrm", "rlm", "shy"];

// An address or a style may be this long; further on, a lone `<` or `[` of a text would find a foreign end.
/// Maximum length of markup in bytes.
const MAX_MARKUP: usize = 300;

/// Markup around and between moves: `<br />`, `</p>`, `&nbsp;`, `[pdn]`, `[/code]`.
pub(in crate::pdn) fn markup(input: &[u8]) -> Parsed<'_> {
    let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let (_, near) = line_within::<MAX_MARKUP>(input)?;
    let word = || run(|byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'#'));
    let within =
        |close: u8| run(move |byte: u8| byte != close && !matches!(byte, b'<' | b'[' | b'\n' | b'\r' | b'"' | b'{'));
    let known = |names: &'static [&'static str]| move |found: &[u8]| names.contains(&name(found).as_str());
    // `[FEN]` and `[Game]` are tags without a value.
    let is_forum =
        move |found: &[u8]| name(found).starts_with("pdn") || FORUM.iter().any(|known| known.as_bytes() == found);
    // An attribute may have quotation marks: `<div class="game">`.
    let attributes = run(|byte: u8| !matches!(byte, b'>' | b'<' | b'\n' | b'\r'));
    let element = (byte(b'<'), opt(byte(b'/')), verify(word(), known(&HTML)), attributes, byte(b'>')).map(|_| ());
    let bracket = (byte(b'['), opt(byte(b'/')), verify(word(), is_forum)).map(|_| ());
    let bracket = (bracket, opt((byte(b'='), within(b']'))), byte(b']')).map(|_| ());
    let entity = (byte(b'&'), verify(word(), known(&SPACES)), byte(b';')).map(|_| ());
    let (_, text) = recognize(alt((element, bracket, entity))).parse(near)?;
    take(text.len()).parse(input)
}

/// The signs of Markdown and of quoted mail at the start of a line: `> `, `>> `, and a fence of three backticks or tildes.
pub(in crate::pdn) fn line_mark(input: &[u8]) -> Parsed<'_> {
    let quote = recognize(many1_count((byte(b'>'), gap_in_line)));
    let info = run(|byte: u8| byte.is_ascii_alphanumeric());
    let fence =
        recognize((alt((tag("```"), tag("~~~"))), info, gap_in_line, next_is(|byte| byte.is_none_or(is_line_end))));
    alt((quote, fence)).parse(input)
}

/// The stars around bold text in Markdown: `**1.** 32-28`.
pub(in crate::pdn) fn bold(input: &[u8]) -> Parsed<'_> {
    terminated(alt((tag("***"), tag("**"))), not(byte(b'*'))).parse(input)
}

/// Success if the text ends here, or whitespace or one of these bytes follows.
fn end_or<'a>(others: &'static [u8]) -> impl Fn(&'a [u8]) -> Parsed<'a, ()> {
    next_is(|byte| byte.is_none_or(|byte| is_skipped(byte) || others.contains(&byte)))
}

/// The dots of an ellipsis in any spelling, and their number: `…`, `‥`, the ellipsis of cp1252, and dots with spaces between
/// them. At least two dots, or one character for several.
pub(in crate::pdn) fn odd_ellipsis(input: &[u8]) -> Parsed<'_, usize> {
    let sign = || {
        let dot = alt((value(1, byte(b'.')), value(1, of_length(dot_len))));
        alt((dot, value(3, tag("…")), value(3, tag("⋯")), value(2, tag("‥")), value(3, byte(0x85))))
    };
    let spaced = preceded(gap_in_line, sign());
    let dots = (sign(), fold_many0(spaced, || 0, |sum: usize, dots| sum + dots)).map(|(first, more)| first + more);
    verify(dots, |&dots| dots > 1).parse(input)
}

/// `2…`, `2 . . .`: a number of at most three digits with an ellipsis that the grammar does not have.
pub(in crate::pdn) fn odd_count(input: &[u8]) -> Parsed<'_, WrittenNumber> {
    let digits = few::<1, 3>(|byte| byte.is_ascii_digit());
    let dots = preceded(gap_in_line, odd_ellipsis);
    // `1..` is an ellipsis too, and has the usual three dots.
    (digits, dots).map(|(digits, dots)| WrittenNumber::new(decimal(digits), dots.clamp(3, 255) as u8)).parse(input)
}

/// One or two hyphens in place of a move or a result.
pub(in crate::pdn) fn dashes(input: &[u8]) -> Parsed<'_> {
    terminated(few::<1, 2>(|byte| byte == b'-'), end_or(b"!?()[{*$;\\")).parse(input)
}

/// An annotation written as a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pdn) enum Symbol {
    /// The marks that it shows.
    Marks(&'static str),
    /// Its number in the standard.
    Nag(u16),
}

/// Symbols as books print and word processors type them. A longer one comes before its beginning.
const SYMBOLS: [(&str, Symbol); 29] = [
    ("‼", Symbol::Marks("!!")),
    ("⁇", Symbol::Marks("??")),
    ("⁈", Symbol::Marks("?!")),
    ("⁉", Symbol::Marks("!?")),
    ("❗", Symbol::Marks("!")),
    ("❕", Symbol::Marks("!")),
    ("❓", Symbol::Marks("?")),
    ("❔", Symbol::Marks("?")),
    ("！", Symbol::Marks("!")),
    ("？", Symbol::Marks("?")),
    ("□", Symbol::Nag(7)),
    ("=+", Symbol::Nag(15)),
    ("=/+", Symbol::Nag(15)),
    ("⩱", Symbol::Nag(15)),
    ("=", Symbol::Nag(10)),
    ("∞", Symbol::Nag(13)),
    ("+=", Symbol::Nag(14)),
    ("+/=", Symbol::Nag(14)),
    ("⩲", Symbol::Nag(14)),
    ("±", Symbol::Nag(16)),
    ("+/-", Symbol::Nag(16)),
    ("∓", Symbol::Nag(17)),
    ("-/+", Symbol::Nag(17)),
    ("+-", Symbol::Nag(18)),
    ("+−", Symbol::Nag(18)),
    ("+–", Symbol::Nag(18)),
    ("-+", Symbol::Nag(19)),
    ("−+", Symbol::Nag(19)),
    ("–+", Symbol::Nag(19)),
];

/// Reads a symbol that is not part of a word: in `a=b`, `=` is text. The byte B1 is `±` in cp1250, cp1251, cp1252 and cp1257.
#[cold]
pub(in crate::pdn) fn symbol(input: &[u8]) -> Parsed<'_, Symbol> {
    let known = SYMBOLS.iter().find(|(text, _)| input.starts_with(text.as_bytes()));
    let known = known.map(|&(text, symbol)| (text.len(), symbol));
    let single = || input.starts_with(b"\xB1").then_some((1, Symbol::Nag(16)));
    let (len, symbol) = known.or_else(single).ok_or(nom::Err::Error(()))?;
    // The last character asks for the plain or the coloured form of the symbol.
    let form = opt(alt((tag("\u{FE0E}"), tag("\u{FE0F}"))));
    value(symbol, (take(len), form, end_or(b"!?()[]{}*$;,."))).parse(input)
}

/// A year, from 1600 to 2099, as in prose: with a full stop, or before a character that does not mark a move.
pub(in crate::pdn) fn year(input: &[u8]) -> Parsed<'_, ()> {
    let full_stop = value((), terminated(byte(b'.'), not(byte(b'.'))));
    preceded(calendar_year, alt((full_stop, end_or(b"),;:'\"")))).parse(input)
}

/// Opening parentheses, with whitespace between them.
pub(in crate::pdn) fn parentheses(input: &[u8]) -> Parsed<'_> {
    recognize(pair(byte(b'('), many0_count(preceded(run(is_skipped), byte(b'('))))).parse(input)
}

/// Digits or brackets, which are ignored if alone on a line between games.
pub(in crate::pdn) fn digits_or_brackets(input: &[u8]) -> Parsed<'_> {
    alt((digit1, recognize(many1_count(one_of("[]"))))).parse(input)
}

/// A score that equals the whole value of the Result tag.
pub(in crate::pdn) fn score<'a>(value: &[u8]) -> impl FnOnce(&'a [u8]) -> Parsed<'a> {
    move |input| terminated(tag(value), end_or(b"[{\\")).parse(input)
}
