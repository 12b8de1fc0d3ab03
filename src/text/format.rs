//! Formats of records, recognised by their first bytes, and the starts of their records.

use memchr::{memchr2, memchr3, memmem};

use super::whitespace::{is_line_end, is_skipped};

/// The format of a file of records, recognised by its content and never by its name.
///
/// # Examples
///
/// ```
/// use pdn::text::Format;
///
/// assert_eq!(Format::of(b"[Event \"Club\"]\n\n1. 32-28 *"), Format::Pdn);
/// assert_eq!(Format::of(b"{\"id\":\"a\",\"moves\":\"32-28 19-23\"}\n"), Format::Lidraughts);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Portable Draughts Notation, and anything not recognised as another format.
    #[default]
    Pdn,
    /// The log of an electronic board (`LiveDraughts`, `*.LDF`).
    BoardLog,
    /// The text export of Turbo Dambase.
    TurboDambase,
    /// Games of Lidraughts or of this program, one JSON object per line (NDJSON).
    Lidraughts,
    /// The same objects in a JSON array, or texts in one.
    JsonArray,
    /// A round of a relay (`round.json`): one JSON object with pairings or games.
    Round,
    /// An image of Paint.NET, whose files have the extension `pdn` too. It holds no games.
    Image,
}

/// The line before another one, without empty lines between them, trimmed; empty at the beginning.
pub(crate) type LineBefore<'a> = &'a [u8];

impl Format {
    /// Number of leading bytes that determine the format. The tags before the first position of a log take a few hundred.
    pub const HEAD: usize = 16 * 1024;

    /// Returns the format of a file with these first bytes.
    pub fn of(head: &[u8]) -> Self {
        let head = &head[..head.len().min(Self::HEAD)];
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let start = head.iter().position(|&byte| !is_skipped(byte)).unwrap_or(head.len());
        let text = &head[start..];
        match text.first() {
            _ if head.starts_with(IMAGE) => Self::Image,
            Some(b'{') => json_format(text),
            Some(b'[') if text[1..].trim_ascii_start().starts_with(b"{") => {
                match json_format(text[1..].trim_ascii_start()) {
                    Self::Pdn => Self::Pdn,
                    _ => Self::JsonArray,
                }
            }
            Some(b'[') if is_list_of_texts(text) => Self::JsonArray,
            Some(b'(') if is_turbo_head(text) => Self::TurboDambase,
            Some(b'[') if is_log(text) => Self::BoardLog,
            _ => Self::Pdn,
        }
    }

    /// Returns true if a record begins with this line, of which at least 256 bytes or all are given. Records of PDN are
    /// separated by other rules; a round has one record.
    pub(crate) fn begins_record(self, line: &[u8], before: LineBefore<'_>) -> bool {
        match self {
            Self::Pdn | Self::Round | Self::JsonArray | Self::Image => false,
            // A restarted log has no tags.
            Self::BoardLog => {
                let begins = is_log_tag(line) || line.starts_with(LOG_START);
                begins && !before.is_empty() && !is_log_tag(before)
            }
            Self::TurboDambase => is_turbo_game(line),
            Self::Lidraughts => line.first() == Some(&b'{'),
        }
    }

    /// Returns the start of the next record after the first byte.
    pub(crate) fn next_record(self, bytes: &[u8]) -> Option<usize> {
        if matches!(self, Self::Pdn | Self::Round | Self::Image) {
            return None;
        }
        if self == Self::JsonArray {
            return object_ends(bytes).next().filter(|&end| end < bytes.len());
        }
        let mut before: LineBefore<'_> = b"";
        let mut at = 0;
        loop {
            let end = memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            if at > 0 && self.begins_record(&bytes[at..end], before) {
                return Some(at);
            }
            if !bytes[at..end].trim_ascii().is_empty() {
                before = bytes[at..end].trim_ascii();
            }
            at = end + 1;
            if at >= bytes.len() {
                return None;
            }
        }
    }
}

/// The first bytes of an image of Paint.NET.
const IMAGE: &[u8] = b"PDN3";

/// Returns the ends of the objects of an array, from its beginning or from between two of them on.
pub(crate) fn object_ends(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let (mut at, mut depth) = (0, 0_usize);
    std::iter::from_fn(move || {
        loop {
            let sign = at + memchr3(b'"', b'{', b'}', &bytes[at..])?;
            at = sign + 1;
            match bytes[sign] {
                b'{' => depth += 1,
                b'}' => {
                    // There may be a brace too many between two objects.
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => loop {
                    let end = at + memchr2(b'"', b'\\', &bytes[at..])?;
                    at = end + 1;
                    if bytes[end] == b'"' {
                        break;
                    }
                    at = (at + 1).min(bytes.len());
                },
            }
        }
    })
}

/// The beginning of a position before all moves in the log of a board.
const LOG_START: &[u8] = b"[S,\"";
const LOG_MOVE: &[u8] = b"[N,\"";

/// Returns true for a position of a log on a separate line, or directly after a bracket, and no comment before it: PDN
/// may quote a log.
fn is_log(text: &[u8]) -> bool {
    let quoted = memchr::memchr3(b'{', b';', b'%', text).unwrap_or(text.len());
    let text = &text[..quoted];
    let starts_line = |at: usize| {
        let before = text[..at].iter().rev().find(|&&byte| byte != b' ' && byte != b'\t');
        before.is_none_or(|&byte| is_line_end(byte) || byte == b']')
    };
    [LOG_START, LOG_MOVE].iter().any(|sign| memmem::find_iter(text, sign).any(starts_line))
}

/// Returns true for a tag as logs write it, without a space before the value: `[White"Ton Sijbrands"]`.
fn is_log_tag(line: &[u8]) -> bool {
    let Some(name) = line.strip_prefix(b"[") else { return false };
    let length = name.iter().take(LONGEST_NAME).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    length > 1 && name[length..].trim_ascii_start().first() == Some(&b'"')
}

/// Maximum length of the name of a tag in a log: a file may be one line of megabytes.
const LONGEST_NAME: usize = 40;

/// Returns true if the first line begins a game of Turbo Dambase, and a line soon after it ends with a date: prose may begin
/// with a number in parentheses.
fn is_turbo_head(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| is_line_end(byte));
    lines.next().is_some_and(is_turbo_game) && lines.take(8).any(ends_with_date)
}

/// Returns true for the first line of a game of Turbo Dambase: `(98440) Georgiev,A. - Arazklitsew`.
fn is_turbo_game(line: &[u8]) -> bool {
    let Some(number) = line.strip_prefix(b"(") else { return false };
    let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && number[digits..].starts_with(b") ")
}

fn ends_with_date(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let date = line.iter().rev().take_while(|&&byte| byte.is_ascii_digit() || byte == b'-').count();
    let parts: Vec<_> = line[line.len() - date..].split(|&byte| byte == b'-').map(<[u8]>::len).collect();
    matches!(parts[..], [1 | 2, 1 | 2, 4])
}

/// Returns the format of a text that begins with a brace, which may also be a comment of PDN.
fn json_format(text: &[u8]) -> Format {
    let key = text[1..].trim_ascii_start();
    let name = key.strip_prefix(b"\"").and_then(|name| name.iter().position(|&byte| byte == b'"'));
    let is_object = name.is_some_and(|length| {
        let name = &key[1..=length];
        name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            && key[length + 2..].trim_ascii_start().first() == Some(&b':')
    });
    let holds = |names: &[&str], value: &[u8]| names.iter().any(|name| has_member(text, name, value));
    if !is_object {
        Format::Pdn
    } else if holds(&["pairings", "games"], b"[") {
        Format::Round
    } else if holds(&["moves", "variant", "initialFen", "id", "pdn"], b"\"[{") || holds(&["players"], b"{") {
        Format::Lidraughts
    } else {
        Format::Pdn
    }
}

/// Returns true for the beginning of an array of texts, or of such arrays. A tag has a name before its first quotation mark.
fn is_list_of_texts(text: &[u8]) -> bool {
    text.iter().find(|byte| !b"[ \t\r\n".contains(byte)) == Some(&b'"')
}

/// Returns true if a text has a member of this name, whose value begins with one of these bytes.
fn has_member(text: &[u8], name: &str, value: &[u8]) -> bool {
    let quoted = format!("\"{name}\"");
    memmem::find_iter(text, quoted.as_bytes()).any(|at| {
        let rest = text[at + quoted.len()..].trim_ascii_start();
        let rest = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        rest.and_then(<[u8]>::first).is_some_and(|first| value.contains(first))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_content() {
        for (text, format) in [
            ("[White\"a\"]\r\n[S,\"bbb\",B,,,0,-----]", Format::BoardLog),
            ("[N,\"bbb\",B,,,1,32-28]", Format::BoardLog),
            ("[White\"a\"][N,\"bbb\",B,,,1,32-28]", Format::BoardLog),
            ("[White \"a\"]\n{[N,\"bbb\",B,,,1,32-28]}", Format::Pdn),
            ("[White\"a\"]\n1. 32-28 *", Format::Pdn),
            ("\u{feff}\n(1) A,B. - C,D.\nCup, 01-02-1980\n\n1.32-28", Format::TurboDambase),
            ("(1) on the one hand - on the other\n[Event \"a\"]", Format::Pdn),
            ("(1. 32-28)", Format::Pdn),
            ("{\"id\":\"x\"", Format::Lidraughts),
            ("{ \"a\": {\"players\" : {} }", Format::Lidraughts),
            ("{\"pairings\": [", Format::Round),
            ("{\"games\":[{\"pdn\":\"\"}]}", Format::Round),
            ("[\"32-28 19-23\", \"31-27\"]", Format::JsonArray),
            ("[ [\"32-28\"]]", Format::JsonArray),
            ("{\"so called\" masters} 1. 32-28", Format::Pdn),
            ("{a comment} [Event \"a\"]", Format::Pdn),
            ("", Format::Pdn),
        ] {
            assert_eq!(Format::of(text.as_bytes()), format, "{text}");
        }
    }

    #[test]
    fn records_are_separated() {
        let log = b"[Site\"a\"]\n[White\"a\"]\n[S,\"\"]\n[N,\"\"]\n\n[White\"b\"]\n[Black\"c\"]\n[S,\"\"]\n";
        assert_eq!(Format::BoardLog.next_record(log), Some(36));
        assert_eq!(Format::BoardLog.next_record(&log[36..]), None);
        assert_eq!(Format::TurboDambase.next_record(b"(1) a - b\nc\n\n1.32-28\n(2) a - b"), Some(21));
        assert_eq!(Format::Lidraughts.next_record(b"{}\r\n{}\n"), Some(4));
        assert_eq!(Format::Round.next_record(b"{}\n{}\n"), None);
        let array = br#"[{"id":"}\"{","a":{}},{"id":"b"}]"#;
        assert_eq!(Format::of(array), Format::JsonArray);
        assert_eq!(Format::JsonArray.next_record(array), Some(21));
        assert_eq!(object_ends(array).collect::<Vec<_>>(), [21, 32]);
        assert_eq!(Format::of(b"PDN3\x01\x02"), Format::Image);
    }
}
