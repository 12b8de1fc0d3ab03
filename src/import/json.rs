//! JSON objects as records: their members, even if an object is cut off or damaged, and their strings.

use std::borrow::Cow;
use std::collections::HashSet;

use super::draft::{Draft, span_of};
use super::grammar::json::{MAX_DEPTH, Member, Value, member, spaces, value};
use crate::diag::{Diagnostic, Span, messages};
use crate::pdn::Parsed;
use crate::text::{quoted, quoted_end};

/// Returns the members of the record's object, as far as they can be read, and the problem with the rest. An unclosed string
/// at its end is kept.
pub(super) fn members(record: &[u8]) -> (Vec<Member<'_>>, Option<Diagnostic>) {
    let mut found = Vec::new();
    let start = record.iter().position(|&byte| byte == b'{').map_or(record.len(), |open| open + 1);
    let mut rest = &record[start..];
    let here = |rest: &[u8]| {
        let start = span_of(record, rest).start;
        Span::new(start, (start + 1).min(record.len() as u32))
    };
    let expected = |rest: &[u8], what: &str| {
        let is_end = rest.trim_ascii().is_empty();
        Some(if is_end { messages::log_cut_off(here(rest), what) } else { messages::log_json(here(rest), what) })
    };
    if let Some(after) = after(rest, b'}') {
        return (found, trailing(record, after));
    }
    loop {
        match member(1, rest) {
            Ok((after, member)) => {
                found.push(member);
                rest = after;
            }
            Err(nom::Err::Failure(())) => {
                return (found, Some(messages::log_nesting(here(rest), MAX_DEPTH)));
            }
            Err(_) => {
                let open = unclosed(rest);
                let diagnostic = match &open {
                    Some((_, Value::Text(text))) => Some(cut_off(record, text)),
                    Some((_, Value::List(_))) => Some(cut_off(record, record.trim_ascii_end())),
                    _ => expected(rest, "a member with a value"),
                };
                found.extend(open);
                return (found, diagnostic);
            }
        }
        if let Some(after) = after(rest, b'}') {
            return (found, trailing(record, after));
        }
        match after(rest, b',') {
            Some(after) => rest = after,
            None => return (found, expected(rest, "a comma or a closing brace")),
        }
    }
}

/// Returns the values of a list from its first one on, as far as they can be read, and the problem with the rest. An unclosed string
/// at its end is kept.
pub(super) fn values<'a>(record: &'a [u8], list: &'a [u8]) -> (Vec<Value<'a>>, Option<Diagnostic>) {
    let mut found = Vec::new();
    let mut rest = list;
    if let Some(after) = after(rest, b']') {
        return (found, trailing(record, after));
    }
    loop {
        match value(2, rest) {
            Ok((after, value)) => {
                found.push(value);
                rest = after;
            }
            Err(_) => {
                let open = unclosed_text(rest);
                found.extend(open.map(Value::Text));
                let end = open.unwrap_or(record.trim_ascii_end());
                return (found, Some(cut_off(record, end)));
            }
        }
        if let Some(after) = after(rest, b']') {
            return (found, trailing(record, after));
        }
        match after(rest, b',') {
            Some(after) => rest = after,
            None => return (found, Some(cut_off(record, record.trim_ascii_end()))),
        }
    }
}

/// Reports that a record ends after a text that ends too early.
fn cut_off(record: &[u8], text: &[u8]) -> Diagnostic {
    let end = span_of(record, text).end;
    messages::log_cut_off(Span::new(end.saturating_sub(1), end), quoted_end(text).trim())
}

/// Returns the text after a character.
fn after(rest: &[u8], sign: u8) -> Option<&[u8]> {
    let (rest, _) = spaces(rest).ok()?;
    rest.split_first().filter(|(first, _)| **first == sign).map(|(_, after)| after)
}

/// Reports text after the object.
fn trailing(record: &[u8], rest: &[u8]) -> Option<Diagnostic> {
    let rest = rest.trim_ascii();
    (!rest.is_empty()).then(|| messages::log_stray(span_of(record, rest), quoted(rest)))
}

/// Returns the member with an unclosed string, or with an unclosed list: the values before the one that is cut off.
fn unclosed(rest: &[u8]) -> Option<Member<'_>> {
    let name = after(rest, b'"')?;
    let length = memchr::memchr(b'"', name)?;
    let written = after(&name[length + 1..], b':')?;
    let list = || {
        let (mut found, mut list) = (Vec::new(), after(written, b'[')?);
        while let Ok((rest, item)) = value(2, list) {
            found.push(item);
            match after(rest, b',') {
                Some(rest) => list = rest,
                None => return rest.trim_ascii().is_empty().then_some(found),
            }
        }
        Some(found)
    };
    let value = unclosed_text(written).map(Value::Text).or_else(|| list().map(Value::List));
    Some((&name[..length], value?))
}

/// Returns an unclosed string at the end of the text.
fn unclosed_text(rest: &[u8]) -> Option<&[u8]> {
    let text = after(rest, b'"')?;
    // A quotation mark after a backslash is part of the text.
    let is_closed = memchr::memchr_iter(b'"', text).any(|at| at == 0 || text[at - 1] != b'\\');
    (!is_closed).then(|| text.trim_ascii_end())
}

impl<'a> Value<'a> {
    /// Returns a member of an object.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        find(members, name)
    }

    pub(super) const fn text(&self) -> Option<&'a [u8]> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the values of a list, or none for anything else.
    pub(super) fn list(&self) -> &[Self] {
        if let Self::List(list) = self { list } else { &[] }
    }

    /// Returns a whole number, and where it is.
    pub(super) fn number(&self) -> Option<(i64, &'a [u8])> {
        match self {
            Self::Number(digits) => Some((str::from_utf8(digits).ok()?.parse().ok()?, digits)),
            _ => None,
        }
    }
}

/// Returns the value of the first member with this name.
pub(super) fn find<'v, 'a>(members: &'v [Member<'a>], name: &str) -> Option<&'v Value<'a>> {
    members.iter().find(|(known, _)| *known == name.as_bytes()).map(|(_, value)| value)
}

/// Returns the name of the first duplicate member: the text between both may have been overwritten.
pub(super) fn repeated<'a>(members: &[Member<'a>]) -> Option<&'a [u8]> {
    let mut names = HashSet::new();
    members.iter().map(|(name, _)| *name).find(|name| !names.insert(*name))
}

/// Maps the bytes of a decoded string to the original: pairs of offsets in the string and in the original, at the beginning and
/// after each escape.
#[derive(Debug)]
pub(super) struct Origin(Vec<(u32, u32)>);

impl Origin {
    /// Returns the span in the original of a span in the string.
    pub(super) fn span(&self, span: Span) -> Span {
        let place = |at: u32| {
            let (read, written) = self.0[self.0.partition_point(|&(read, _)| read <= at) - 1];
            written + (at - read)
        };
        Span::new(place(span.start), place(span.end).max(place(span.start)))
    }

    /// Changes the spans of a game at `offset` in the string to those in the original, counted from the game's beginning there.
    /// Returns that beginning.
    pub(super) fn place(&self, game: &mut Parsed) -> u32 {
        let offset = game.offset() as u32;
        let length = game.tree().byte_len();
        let all = self.span(Span::new(offset, offset + length));
        game.map_spans(|span| {
            let span = self.span(Span::new(offset + span.start, offset + span.end));
            Span::new(span.start - all.start, span.end - all.start)
        });
        let encoding = game.tree().encoding();
        game.tree_mut().set_source(all.len(), encoding);
        all.start
    }
}

/// Returns a decoded string, and the origin of its bytes.
pub(super) fn unescaped(written: &[u8]) -> (Cow<'_, [u8]>, Origin) {
    let mut origin = Origin(vec![(0, 0)]);
    if !written.contains(&b'\\') {
        return (Cow::Borrowed(written), origin);
    }
    let mut text = Vec::with_capacity(written.len());
    let mut at = 0;
    while let Some(escape) = memchr::memchr(b'\\', &written[at..]).map(|length| at + length) {
        text.extend_from_slice(&written[at..escape]);
        let length = match written.get(escape + 1) {
            Some(b'u') => unicode(&written[escape..], &mut text),
            Some(&letter) => {
                text.push(match letter {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    // Backspaces and form feeds only separate words in a record.
                    b't' => b'\t',
                    b'b' | b'f' => b' ',
                    letter => letter,
                });
                2
            }
            // A string that is cut off may end with a backslash.
            None => 1,
        };
        at = escape + length;
        origin.0.push((text.len() as u32, at as u32));
    }
    text.extend_from_slice(&written[at..]);
    (Cow::Owned(text), origin)
}

/// Adds the character of an escape of four hexadecimal digits, or of two escapes that are a surrogate pair; returns their
/// length.
fn unicode(escape: &[u8], text: &mut Vec<u8>) -> usize {
    let unit = |at: usize| {
        let digits = escape.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
    };
    let units = [unit(0), unit(6)].into_iter().map_while(|unit| unit);
    let found = char::decode_utf16(units).next().and_then(Result::ok);
    let letter = found.unwrap_or(char::REPLACEMENT_CHARACTER);
    text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
    // Of a lone surrogate, or of damaged digits, only this escape is replaced.
    if letter.len_utf16() == 2 { 12 } else { escape.len().min(6) }
}

impl<'a> Draft<'a> {
    /// Returns a decoded string.
    pub(super) fn unescaped(&self, written: &'a [u8]) -> String {
        let (text, _) = unescaped(written);
        self.decoded(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_have_their_places() {
        let (text, origin) = unescaped(br#"a\n\"b\" \u00e9\ud83d\ude00!"#);
        assert_eq!(str::from_utf8(&text), Ok("a\n\"b\" é\u{1F600}!"));
        assert_eq!(origin.span(Span::new(2, 5)), Span::new(3, 8));
        assert_eq!(origin.span(Span::new(12, 13)), Span::new(27, 28));
    }

    #[test]
    fn members_before_the_damage_are_kept() {
        for (text, count) in [
            ("{}", 0),
            (r#"{"a":1,"b":{"c":[1,2,{"d":"e"}]}}"#, 2),
            (r#"{"a":1,"b":"never clo"#, 2),
            (r#"{"a":1,"b":}"#, 1),
            (r#"{"a":1 "b":2}"#, 1),
            (r#"{"a":1,"#, 1),
        ] {
            let (found, diagnostic) = members(text.as_bytes());
            assert_eq!(found.len(), count, "{text}");
            assert_eq!(
                diagnostic.is_none(),
                text.ends_with('}') && !text.contains(":}") && !text.contains("1 "),
                "{text}"
            );
        }
    }
}
