//! Tags that deviate from the grammar.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, take, take_until};
use nom::combinator::{all_consuming, consumed, not, opt, peek, recognize, success, verify};
use nom::multi::{many_till, many0_count};
use nom::sequence::{preceded, terminated};

use crate::diag::Code;
use crate::pdn::grammar::primitive::{byte, line, line_within, next_is, one, run};
use crate::pdn::grammar::{Parsed, identifier, is_soft, tag_head, white_space};
use crate::text::whitespace::{is_line_end, is_space, is_whitespace, trim_end};

/// A tag that deviates from the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pdn) struct OddTag<'a> {
    pub(in crate::pdn) name: &'a [u8],
    pub(in crate::pdn) value: &'a [u8],
    pub(in crate::pdn) deviations: [Option<Code>; 2],
}

/// A value and how it deviates.
type Value<'a> = (&'a [u8], Option<Code>);

/// Bytes searched for the end of a damaged value: a file full of unclosed tags is read in linear time.
const MAX_DAMAGE: usize = 4096;

/// A tag. Names that are not identifiers and values without quotes are accepted only if `at_line_start`.
pub(in crate::pdn) fn odd_tag<'a>(at_line_start: bool) -> impl Fn(&'a [u8]) -> Parsed<'a, OddTag<'a>> {
    move |input| {
        let named =
            (tag_head, value).map(|((_, name), (value, code))| OddTag { name, value, deviations: [code, None] });
        let anywhere = verify(success(()), |()| at_line_start);
        alt((named, preceded(anywhere, alt((unquoted, tag_name))))).parse(input)
    }
}

/// A bracket and the text after it, which is not empty, without the whitespace at its end.
fn loose_head(input: &[u8]) -> Parsed<'_> {
    let within_line = |byte| is_whitespace(byte) && !is_line_end(byte);
    let head = preceded((byte(b'['), run(within_line)), is_not("\"[]\r\n"));
    verify(head.map(trim_end), |head: &[u8]| !head.is_empty()).parse(input)
}

/// `tag-name`: `[Type de jeu "20"]`, `[Site: "Rome"]`.
fn tag_name(input: &[u8]) -> Parsed<'_, OddTag<'_>> {
    let tag = (terminated(loose_head, byte(b'"')), value);
    tag.map(|(head, (value, code))| OddTag {
        name: without_sign(head),
        value,
        deviations: [Some(Code::SYNTAX_TAG_NAME), code],
    })
    .parse(input)
}

/// Returns the identifier before a colon or an equals sign, or else the text as it is.
fn without_sign(head: &[u8]) -> &[u8] {
    let named = (identifier, run(is_space), one(is_sign)).map(|(name, ..)| name);
    all_consuming(named).parse(head).map_or(head, |(_, name)| name)
}

const fn is_sign(byte: u8) -> bool {
    matches!(byte, b':' | b'=')
}

/// `unquoted-value`, `empty-tag`: `[Round 17]`, `[Empty]`, `[Round 17`, `[Site: Rome]`, `[Site 'Rome']`, `[Site Rome"]`.
fn unquoted(input: &[u8]) -> Parsed<'_, OddTag<'_>> {
    let text = verify(loose_head, |head: &[u8]| head.first().is_some_and(u8::is_ascii_alphabetic));
    let no_quote = not(one(|byte| matches!(byte, b'[' | b'"')));
    let (after, (text, has_quote)) = (text, alt((lone_quote.map(|()| true), no_quote.map(|()| false)))).parse(input)?;
    let name = terminated(run(|byte| !is_space(byte) && !is_sign(byte)), (run(is_space), opt(one(is_sign))));
    let (value, (name, _)) = (name, run(is_space)).parse(text)?;
    let first = if value.is_empty() { Code::SYNTAX_EMPTY_TAG } else { Code::SYNTAX_UNQUOTED_VALUE };
    let (after, bracket) = opt(byte(b']')).parse(after)?;
    let second = bracket.is_none().then_some(Code::SYNTAX_MISSING_BRACKET);
    // `[White “Jan"]`
    let opened = || without_mark(value, |value, mark| value.strip_prefix(mark));
    let value = if has_quote { opened() } else { without_marks(value) };
    Ok((after, OddTag { name: name.trim_ascii_end(), value, deviations: [Some(first), second] }))
}

/// A quote that ends its tag. A quote before anything else opens a value, and the text before it is a name.
fn lone_quote(input: &[u8]) -> Parsed<'_, ()> {
    let end = next_is(|byte| byte.is_none_or(|byte| byte == b']' || is_line_end(byte)));
    (byte(b'"'), run(is_space), end).map(|_| ()).parse(input)
}

/// Quotation marks of two strokes other than `"`.
const DOUBLE: [&str; 5] = ["\u{201c}", "\u{201d}", "\u{201e}", "\u{ab}", "\u{bb}"];

/// Quotation marks of one stroke, and two of them.
const SINGLE: [&str; 6] = ["''", "'", "`", "\u{b4}", "\u{2018}", "\u{2019}"];

/// Returns a value without quotation marks around it, which may both be of the same kind: `”20”`.
fn without_marks(value: &[u8]) -> &[u8] {
    let inner = |marks: &[&str]| {
        marks.iter().find_map(|opening| {
            let opened = value.strip_prefix(opening.as_bytes())?;
            marks.iter().find_map(|closing| opened.strip_suffix(closing.as_bytes()))
        })
    };
    // One of these bytes alone may be a letter of another code page.
    let of_windows = || match value {
        [0x84 | 0x93 | 0x94, inner @ .., 0x94] | [0x92, inner @ .., 0x92] => Some(inner),
        _ => None,
    };
    inner(&DOUBLE).or_else(|| inner(&SINGLE)).or_else(of_windows).unwrap_or(value)
}

/// Returns a text without quotation marks around it, of those that a value may have.
pub(crate) fn without_quotes(text: &str) -> &str {
    str::from_utf8(without_marks(text.as_bytes())).unwrap_or(text)
}

/// Returns the value of a tag among those at the beginning of a text, by its name in any case.
pub(crate) fn tag_value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = text.as_bytes();
    while let Ok((after, tag)) = odd_tag(true)(rest) {
        if tag.name.eq_ignore_ascii_case(name.as_bytes()) {
            return str::from_utf8(tag.value).ok();
        }
        rest = after.trim_ascii_start();
    }
    None
}

/// Returns a value without the typographic mark that replaces one of its quotes: `E”`. Marks around a part of it are kept: `Open «Riga»`.
fn without_mark<'a>(value: &'a [u8], strip: impl Fn(&'a [u8], &[u8]) -> Option<&'a [u8]>) -> &'a [u8] {
    let has_mark = |text: &str| DOUBLE.iter().any(|mark| text.contains(*mark));
    let inner = DOUBLE.iter().find_map(|mark| strip(value, mark.as_bytes()));
    inner.filter(|inner| str::from_utf8(inner).is_ok_and(|text| !has_mark(text))).unwrap_or(value)
}

/// `missing-opening-bracket`: `Event "…"]`.
pub(in crate::pdn) fn missing_opening_bracket(input: &[u8]) -> Parsed<'_, OddTag<'_>> {
    let name = terminated(identifier, (one(is_space), run(is_space), byte(b'"')));
    let tag =
        |(name, (value, _))| OddTag { name, value, deviations: [Some(Code::SYNTAX_MISSING_OPENING_BRACKET), None] };
    (name, sound_value).map(tag).parse(input)
}

/// `bare-fen`: `W:W31,32:B1,2` without a tag. At least one list of pieces with a square.
pub(in crate::pdn) fn bare_fen(input: &[u8]) -> Parsed<'_> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b",:-+".contains(&byte);
    let side = |byte| matches!(byte, b'W' | b'B' | b'w' | b'b');
    let king = opt(one(|byte| matches!(byte, b'K' | b'k')));
    let square = (king, opt(one(|byte| byte.is_ascii_alphabetic())), one(|byte| byte.is_ascii_digit()));
    let turn = one(move |byte| byte == b'?' || side(byte));
    let fen = recognize((turn, byte(b':'), one(side), square, run(is_part)));
    terminated(fen, (opt(byte(b'.')), next_is(|byte| byte.is_none_or(is_whitespace)))).parse(input)
}

/// A value from after its opening quote, and the end of the tag.
fn value(input: &[u8]) -> Parsed<'_, Value<'_>> {
    // From sound to damaged; the searches that may run far are bounded.
    alt((sound_value, near(bare_quote), near(missing_bracket), unclosed_string)).parse(input)
}

/// A value according to the grammar; a line break after a backslash does not count.
fn sound_value(input: &[u8]) -> Parsed<'_, Value<'_>> {
    let one_line = |value: &[u8]| {
        let text = alt((is_not("\\\n"), escape));
        all_consuming(many0_count(text)).parse(value).is_ok_and(|_: (&[u8], usize)| true)
    };
    let value = verify(quoted, |value: &[u8]| one_line(value) || is_soft(value));
    terminated(value, closing).map(|value| (value, None)).parse(input)
}

/// Text up to a quote that has no backslash before it.
fn quoted(input: &[u8]) -> Parsed<'_> {
    recognize(many0_count(alt((is_not("\"\\"), escape)))).parse(input)
}

fn escape(input: &[u8]) -> Parsed<'_> {
    recognize((byte(b'\\'), one(|_| true))).parse(input)
}

/// A quote, and the bracket that closes the tag.
fn closing(input: &[u8]) -> Parsed<'_> {
    recognize((byte(b'"'), white_space, byte(b']'))).parse(input)
}

/// Applies a parser to the rest of the line, at most [`MAX_DAMAGE`] bytes.
fn near<'a>(parser: fn(&'a [u8]) -> Parsed<'a, Value<'a>>) -> impl Fn(&'a [u8]) -> Parsed<'a, Value<'a>> {
    move |input| {
        let (_, line) = line_within::<MAX_DAMAGE>(input)?;
        let (_, (text, value)) = consumed(parser).parse(line)?;
        let (rest, _) = take(text.len()).parse(input)?;
        Ok((rest, value))
    }
}

/// `bare-quote`: the value ends at the last quote before a bracket, unless another tag begins first.
fn bare_quote(line: &[u8]) -> Parsed<'_, Value<'_>> {
    let first = opt((quoted, byte(b'"')));
    let piece = alt((is_not("\"["), recognize(byte(b'"'))));
    let value = recognize((first, many_till(piece, peek(closing))));
    terminated(value, closing).map(|value| (value, Some(Code::SYNTAX_BARE_QUOTE))).parse(line)
}

/// `missing-bracket`: the value ends at its quote.
fn missing_bracket(line: &[u8]) -> Parsed<'_, Value<'_>> {
    terminated(quoted, byte(b'"')).map(|value| (value, Some(Code::SYNTAX_MISSING_BRACKET))).parse(line)
}

/// `unclosed-string`: the value ends at the bracket that ends the line, or the first one, or with the line.
fn unclosed_string(input: &[u8]) -> Parsed<'_, Value<'_>> {
    let (_, text) = line.map(<[u8]>::trim_ascii_end).parse(input)?;
    let (value, len) = match text.strip_suffix(b"]") {
        // `[Event "E”]`
        Some(value) => (without_mark(value, |value, mark| value.strip_suffix(mark)), text.len()),
        None => match take_until::<_, _, ()>("]").parse(text) {
            Ok((_, value)) => (value, value.len() + 1),
            Err(_) => (text, text.len()),
        },
    };
    let (rest, _) = take(len).parse(input)?;
    Ok((rest, (value, Some(Code::SYNTAX_UNCLOSED_STRING))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<(String, String, usize, Vec<&'static str>)> {
        let (rest, found) = odd_tag(true)(text.as_bytes()).ok()?;
        let codes = found.deviations.iter().flatten().map(|code| code.name()).collect();
        let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Some((string(found.name), string(found.value), text.len() - rest.len(), codes))
    }

    #[test]
    fn reads_tags_of_every_kind() {
        for (text, name, value, code) in [
            (r#"[Event "x"]"#, "Event", "x", ""),
            (r#"[ Event    "x" ]"#, "Event", "x", ""),
            ("[\nEvent\n\"x\"\n]", "Event", "x", ""),
            (r#"[White "a \"b\""]"#, "White", r#"a \"b\""#, ""),
            ("[Site \"two\nlines\"]", "Site", "two\nlines", ""),
            ("[Empty]", "Empty", "", "syntax/empty-tag"),
            ("[Round 17]", "Round", "17", "syntax/unquoted-value"),
            ("[Game # 612]", "Game", "# 612", "syntax/unquoted-value"),
            (r#"[Type de jeu "20"]"#, "Type de jeu", "20", "syntax/tag-name"),
            (r#"[Site: "Rome"]"#, "Site", "Rome", "syntax/tag-name"),
            (r#"[Site = "Rome"]"#, "Site", "Rome", "syntax/tag-name"),
            (r#"[Type de jeu: "20"]"#, "Type de jeu:", "20", "syntax/tag-name"),
            (r#"[Site Rome"]"#, "Site", "Rome", "syntax/unquoted-value"),
            (r#"[Site New York" ]"#, "Site", "New York", "syntax/unquoted-value"),
            ("[Site Rome\"\n", "Site", "Rome", "syntax/unquoted-value syntax/missing-bracket"),
            (r#"[White Jan "Big" Smit"]"#, "White Jan", r#"Big" Smit"#, "syntax/tag-name syntax/bare-quote"),
            ("[Site 'Rome']", "Site", "Rome", "syntax/unquoted-value"),
            ("[Site ''Rome'']", "Site", "Rome", "syntax/unquoted-value"),
            ("[Site \u{201c}Rome\u{201d}]", "Site", "Rome", "syntax/unquoted-value"),
            ("[GameType \u{201d}20\u{201d}]", "GameType", "20", "syntax/unquoted-value"),
            ("[Result \u{2019}2-0\u{2019}]", "Result", "2-0", "syntax/unquoted-value"),
            ("[White \u{b4}Jan\u{b4}]", "White", "Jan", "syntax/unquoted-value"),
            ("[White `Jan`]", "White", "Jan", "syntax/unquoted-value"),
            ("[White '']", "White", "", "syntax/unquoted-value"),
            ("[White ``]", "White", "", "syntax/unquoted-value"),
            ("[White \u{201c}\u{201d}]", "White", "", "syntax/unquoted-value"),
            ("[White \u{201e}Jan\u{ab}]", "White", "Jan", "syntax/unquoted-value"),
            ("[White \u{201c}Jan\"]", "White", "Jan", "syntax/unquoted-value"),
            ("[Event \"E\u{201d}]", "Event", "E", "syntax/unclosed-string"),
            ("[Event \"Open \u{ab}Riga\u{bb}]", "Event", "Open \u{ab}Riga\u{bb}", "syntax/unclosed-string"),
            ("[Event \u{ab}Riga\u{bb} Open\"]", "Event", "\u{ab}Riga\u{bb} Open", "syntax/unquoted-value"),
            ("[Event \"\u{414}]", "Event", "\u{414}", "syntax/unclosed-string"),
            ("[White 't Hart]", "White", "'t Hart", "syntax/unquoted-value"),
            ("[White 't Hart\"]", "White", "'t Hart", "syntax/unquoted-value"),
            ("[Site: Rome]", "Site", "Rome", "syntax/unquoted-value"),
            ("[Site = Rome]", "Site", "Rome", "syntax/unquoted-value"),
            ("[Site:]", "Site", "", "syntax/empty-tag"),
            ("[Date 10:30]", "Date", "10:30", "syntax/unquoted-value"),
            (r#"[Round "11.1]"#, "Round", "11.1", "syntax/unclosed-string"),
            ("[Round \"11.1]\n[White \"x\"]", "Round", "11.1", "syntax/unclosed-string"),
            (r#"[Event "The "Big" one"]"#, "Event", r#"The "Big" one"#, "syntax/bare-quote"),
            (r#"[Path "C:\games\"]"#, "Path", r"C:\games\", "syntax/bare-quote"),
            ("[Event \"x\"\n", "Event", "x", "syntax/missing-bracket"),
            (r#"[A "x" [B "y"]"#, "A", "x", "syntax/missing-bracket"),
        ] {
            let (found_name, found_value, _, codes) = shown(text).unwrap();
            assert_eq!((found_name.as_str(), found_value.as_str()), (name, value), "{text}");
            assert_eq!(codes.join(" "), code, "{text}");
        }
        let long = format!("[Event \"{}\n1. 32-28", "x".repeat(9000));
        assert_eq!(shown(&long).unwrap().2, 9008);
        let white = |text| odd_tag(true)(text).map(|(_, tag)| tag.value);
        assert_eq!(white(&b"[White \x94Jan\x94]"[..]), Ok(&b"Jan"[..]));
        assert_eq!(white(&b"[White \x92Jan\x92]"[..]), Ok(&b"Jan"[..]));
        // In cp866, these bytes are letters: Данил, Михаил.
        assert_eq!(white(&b"[White \x84\xa0\xad\xa8\xab]"[..]), Ok(&b"\x84\xa0\xad\xa8\xab"[..]));
        assert_eq!(white(&b"[White \x84\xa0\xad\xa8\xab\"]"[..]), Ok(&b"\x84\xa0\xad\xa8\xab"[..]));
        assert_eq!(white(&b"[White \"\x8c\xa8\xe5\xa0\xa8\xab]"[..]), Ok(&b"\x8c\xa8\xe5\xa0\xa8\xab"[..]));
        for text in ["[", "[\n", "[[Event \"x\"]", "[%clk 1]", "[\"x\"]"] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn finds_tags_without_their_bracket() {
        assert!(missing_opening_bracket(br#"Event "x"]"#).is_ok());
        assert!(missing_opening_bracket(br#"Event "x""#).is_err());
        assert!(missing_opening_bracket(br#"said "x"]"#).is_err());
    }
}
