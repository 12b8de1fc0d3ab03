//! Tags: `[Name "value"]` and what people make of it.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memrchr};
use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, one_of};
use nom::combinator::recognize;
use nom::sequence::{pair, preceded};
use nom::{IResult, Parser};

use super::place::{line_end, wide_blank};
use crate::diag::Code;

/// A tag as found; ranges count from its first byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TagToken {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
    pub(super) len: usize,
    pub(super) faults: [Option<Code>; 2],
}

/// How far the hunt for the end of a damaged value goes, so that a file of nothing but such tags is read in linear time.
const DAMAGE: usize = 4096;

const fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

const fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

fn blanks(input: &[u8]) -> usize {
    input.iter().take_while(|&&byte| is_blank(byte)).count()
}

/// White space as the reading grammar has it.
fn white_space(input: &[u8]) -> IResult<&[u8], &[u8], ()> {
    let mut len = 0;
    loop {
        match input.get(len) {
            Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C) => len += 1,
            Some(0xC2 | 0xEF) if wide_blank(&input[len..]) > 0 => len += wide_blank(&input[len..]),
            _ => return Ok((&input[len..], &input[..len])),
        }
    }
}

/// An identifier, then blanks and a quote: the parser for nearly all tags.
fn sound_head(input: &[u8]) -> IResult<&[u8], (&[u8], &[u8]), ()> {
    let capital = |byte: u8| byte.is_ascii_uppercase();
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let name = recognize(pair(nom::bytes::complete::take_while_m_n(1, 1, capital), take_while(letter)));
    let lead = recognize(pair(char('['), white_space));
    let (rest, (lead, name, ())) = (lead, name, preceded(white_space, char('"').map(|_| ()))).parse(input)?;
    Ok((rest, (lead, name)))
}

/// Whether a tag with a name and a quoted value begins here; nothing is asked about its end.
pub(super) fn looks_sound(input: &[u8]) -> bool {
    sound_head(input).is_ok()
}

/// A tag that begins with its bracket. `loose` allows what is a tag only at the start of a line.
pub(super) fn tag(input: &[u8], loose: bool) -> Option<TagToken> {
    if let Ok((rest, (lead, name))) = sound_head(input) {
        let start = input.len() - rest.len();
        let name = lead.len()..lead.len() + name.len();
        return Some(quoted(input, name, start, None));
    }
    if !loose {
        return None;
    }
    let lead = 1 + blanks(&input[1..]);
    let stop = input[lead..].iter().position(|&byte| is_line_end(byte) || b"\"[]".contains(&byte));
    let stop = lead + stop.unwrap_or(input.len() - lead);
    let head = without_blanks(&input[lead..stop]);
    let first = head.first()?;
    if input.get(stop) == Some(&b'"') {
        let wrong = Some(Code::SYNTAX_TAG_NAME);
        return Some(quoted(input, lead..lead + head.len(), stop + 1, wrong));
    }
    (first.is_ascii_alphabetic() && input.get(stop) != Some(&b'[')).then(|| unquoted(input, lead, head, stop))
}

/// The text without blanks at its end; a no-break space may be a single byte.
fn without_blanks(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_end();
        text = match text {
            [before @ .., 0xC2, 0xA0] | [before @ .., 0xEF, 0xBB, 0xBF] => before,
            [before @ .., 0xA0] if before.iter().rfind(|&&byte| byte != 0xA0).is_none_or(u8::is_ascii) => before,
            _ => return text,
        };
    }
}

/// `Event "…"]`: a tag that lost its bracket.
pub(super) fn headless(input: &[u8]) -> Option<TagToken> {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let name: IResult<&[u8], &[u8], ()> = take_while1(letter).parse(input);
    let (rest, name) = name.ok().filter(|(_, name)| name[0].is_ascii_uppercase())?;
    let quote: IResult<&[u8], _, ()> = preceded(take_while1(is_blank), one_of("\"")).parse(rest);
    let (rest, _) = quote.ok()?;
    let start = input.len() - rest.len();
    let mut token = quoted(input, 0..name.len(), start, Some(Code::SYNTAX_MISSING_OPENING_BRACKET));
    let closed = input[..token.len].last() == Some(&b']') && token.faults[1].is_none();
    token.faults[1] = None;
    closed.then_some(token)
}

/// `[Round 17]`, `[Empty]`, `[Round 17`.
fn unquoted(input: &[u8], lead: usize, head: &[u8], stop: usize) -> TagToken {
    let word = head.iter().position(|&byte| is_blank(byte)).unwrap_or(head.len());
    let name_len = head[..word].trim_ascii_end().len();
    let start = lead + word + blanks(&head[word..]);
    let end = lead + head.len();
    let fault = if start < end { Code::SYNTAX_UNQUOTED_VALUE } else { Code::SYNTAX_EMPTY_TAG };
    let closed = input.get(stop) == Some(&b']');
    TagToken {
        name: lead..lead + name_len,
        value: start.min(end)..end,
        len: if closed { stop + 1 } else { stop },
        faults: [Some(fault), (!closed).then_some(Code::SYNTAX_MISSING_BRACKET)],
    }
}

/// The value from behind its opening quote, and the end of the tag.
fn quoted(input: &[u8], name: Range<usize>, start: usize, fault: Option<Code>) -> TagToken {
    let end = |value_end: usize, len: usize, second: Option<Code>| {
        let faults = if fault.is_some() { [fault, second] } else { [second, None] };
        TagToken { name: name.clone(), value: start..value_end, len, faults }
    };
    if let Some((quote, one_line)) = next_quote(input, start)
        && let Some(bracket) = bracket(input, quote + 1)
        && (one_line || is_soft(&input[start..quote]))
    {
        return end(quote, bracket + 1, None);
    }
    let window = &input[start..input.len().min(start + DAMAGE)];
    let line = start + memchr2(b'\n', b'\r', window).unwrap_or(window.len());
    let here = &input[..line];
    match next_quote(here, start) {
        Some((quote, _)) => match last_quote(here, quote + 1) {
            Some((inner, len)) => end(inner, len, Some(Code::SYNTAX_BARE_QUOTE)),
            None => end(quote, quote + 1, Some(Code::SYNTAX_MISSING_BRACKET)),
        },
        None => match last_quote(here, start) {
            Some((inner, len)) => end(inner, len, Some(Code::SYNTAX_BARE_QUOTE)),
            None => unclosed(&input[..line_end(input, line)], start, end),
        },
    }
}

/// The next quote that no backslash stands before, and whether it stands on the same line.
fn next_quote(input: &[u8], mut from: usize) -> Option<(usize, bool)> {
    let mut one_line = true;
    loop {
        let found = from + memchr3(b'"', b'\\', b'\n', input.get(from..)?)?;
        match input[found] {
            b'"' => return Some((found, one_line)),
            b'\n' => (one_line, from) = (false, found + 1),
            _ => from = found + 2,
        }
    }
}

/// The closing bracket, on the same line or a later one.
fn bracket(input: &[u8], from: usize) -> Option<usize> {
    let (rest, _) = white_space(&input[from..]).ok()?;
    rest.starts_with(b"]").then_some(input.len() - rest.len())
}

/// Whether the line breaks of a value are its own: neither a blank line nor a line that begins with a bracket.
fn is_soft(value: &[u8]) -> bool {
    let mut lines = value.split(|&byte| byte == b'\n').skip(1);
    lines.all(|line| line.trim_ascii().first().is_some_and(|&byte| byte != b'['))
}

/// The last quote before a bracket on this line, whatever stands before it, unless another tag begins first.
fn last_quote(line: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut found = None;
    let mut at = from;
    while let Some(quote) = memchr(b'"', &line[at..]).map(|quote| at + quote) {
        if line[at..quote].contains(&b'[') {
            break;
        }
        if let Some(bracket) = bracket(line, quote + 1) {
            found = Some((quote, bracket + 1));
            break;
        }
        at = quote + 1;
    }
    found
}

fn unclosed(line: &[u8], start: usize, end: impl Fn(usize, usize, Option<Code>) -> TagToken) -> TagToken {
    let wrong = Some(Code::SYNTAX_UNCLOSED_STRING);
    let full = line.trim_ascii_end().len().max(start);
    let close = if full > start && line[full - 1] == b']' {
        memrchr(b']', &line[start..full])
    } else {
        memchr(b']', &line[start..full])
    };
    match close {
        Some(close) => end(start + close, start + close + 1, wrong),
        None => end(full, full, wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<(String, String, usize, Vec<&'static str>)> {
        let found = tag(text.as_bytes(), true)?;
        let faults = found.faults.iter().flatten().map(|code| code.name()).collect();
        Some((text[found.name].to_owned(), text[found.value].to_owned(), found.len, faults))
    }

    #[test]
    fn reads_tags_of_every_kind() {
        for (text, name, value, fault) in [
            (r#"[Event "x"]"#, "Event", "x", ""),
            (r#"[ Event    "x" ]"#, "Event", "x", ""),
            ("[\nEvent\n\"x\"\n]", "Event", "x", ""),
            (r#"[White "a \"b\""]"#, "White", r#"a \"b\""#, ""),
            ("[Site \"two\nlines\"]", "Site", "two\nlines", ""),
            ("[Empty]", "Empty", "", "syntax/empty-tag"),
            ("[Round 17]", "Round", "17", "syntax/unquoted-value"),
            ("[Game # 612]", "Game", "# 612", "syntax/unquoted-value"),
            (r#"[Type de jeu "20"]"#, "Type de jeu", "20", "syntax/tag-name"),
            (r#"[Round "11.1]"#, "Round", "11.1", "syntax/unclosed-string"),
            ("[Round \"11.1]\n[White \"x\"]", "Round", "11.1", "syntax/unclosed-string"),
            (r#"[Event "The "Big" one"]"#, "Event", r#"The "Big" one"#, "syntax/bare-quote"),
            (r#"[Path "C:\games\"]"#, "Path", r"C:\games\", "syntax/bare-quote"),
            ("[Event \"x\"\n", "Event", "x", "syntax/missing-bracket"),
            (r#"[A "x" [B "y"]"#, "A", "x", "syntax/missing-bracket"),
        ] {
            let (found_name, found_value, _, faults) = shown(text).unwrap();
            assert_eq!((found_name.as_str(), found_value.as_str()), (name, value), "{text}");
            assert_eq!(faults.join(" "), fault, "{text}");
        }
        let long = format!("[Event \"{}\n1. 32-28", "x".repeat(9000));
        assert_eq!(shown(&long).unwrap().2, 9008);
        for text in ["[", "[\n", "[[Event \"x\"]", "[%clk 1]", "[\"x\"]"] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn finds_tags_without_their_bracket() {
        assert!(headless(br#"Event "x"]"#).is_some());
        assert!(headless(br#"Event "x""#).is_none());
        assert!(headless(br#"said "x"]"#).is_none());
    }
}
