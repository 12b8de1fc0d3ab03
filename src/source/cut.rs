//! Finding the boundaries between games, as the reader of the format defines them, in a part of an input.

use memchr::{memchr2_iter, memrchr2, memrchr2_iter};

use crate::pdn::{game_starts, last_tag_after_empty_line, tags_after_empty_lines};
use crate::text::{Format, object_ends};

/// Bytes needed after the beginning of a line to decide whether a game begins there.
pub(super) const LOOKAHEAD: usize = 256;

/// The result of looking for a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// A game begins at this offset.
    At(usize),
    /// No cut was found; look again from this offset when more bytes are available.
    NotBefore(usize),
}

/// Looks for the first game at or after `from` that begins with a tag after an empty line, or the first record of another
/// format, without reading much of the text before it. The text begins between two games; `complete` is true if no bytes
/// follow.
pub(super) fn find_cut(bytes: &[u8], from: usize, complete: bool, format: Format) -> Cut {
    let judged = if complete { bytes.len() } else { bytes.len().saturating_sub(LOOKAHEAD) };
    if from >= judged {
        return Cut::NotBefore(from);
    }
    match format {
        Format::Pdn => return find_tag(bytes, from, judged, complete),
        Format::JsonArray => {
            let end = object_ends(bytes).find(|&end| end >= from.max(1) && end < bytes.len());
            return end.map_or(Cut::NotBefore(judged), Cut::At);
        }
        _ => {}
    }
    // The line end just before `from` may begin a record there.
    let from = from.saturating_sub(1);
    let mut starts = memchr2_iter(b'\n', b'\r', &bytes[from..judged - 1]).map(|end| from + end + 1);
    starts.find(|&at| begins_record(bytes, at, format)).map_or(Cut::NotBefore(judged), Cut::At)
}

fn find_tag(bytes: &[u8], from: usize, judged: usize, complete: bool) -> Cut {
    let mut tags = tags_after_empty_lines(bytes, from).take_while(|&at| at < judged).peekable();
    while let Some(tag) = tags.next() {
        let end = match tags.peek() {
            Some(next) => bytes.len().min(next + LOOKAHEAD),
            None if complete => bytes.len(),
            None => return Cut::NotBefore(tag),
        };
        // Only the text between the tags around it is read, about two games: no comment contains two of them.
        let start = reading_start(bytes, tag);
        if begins_line(bytes, tag) && game_starts(&bytes[start..end], true).contains(&(tag - start)) {
            return Cut::At(tag);
        }
    }
    Cut::NotBefore(judged)
}

/// Returns a place from which the text to a tag is read as in the whole text: the tag before it, unless that may be inside a
/// comment.
fn reading_start(bytes: &[u8], tag: usize) -> usize {
    // One step is enough for text that people wrote; the limit keeps a file of opening braces from being read again and again.
    const MAX_STEPS: usize = 8;
    let mut start = last_tag_after_empty_line(bytes, tag).unwrap_or(0);
    for _ in 0..MAX_STEPS {
        let before = last_tag_after_empty_line(bytes, start).unwrap_or(0);
        let brace = memrchr2(b'{', b'}', &bytes[before..start]).map(|brace| bytes[before + brace]);
        if brace != Some(b'{') {
            break;
        }
        start = before;
    }
    start
}

/// Returns the start of the last game, after the first byte, in a text that begins between two games and is followed by more.
pub(super) fn last_start(bytes: &[u8], format: Format) -> Option<usize> {
    let judged = bytes.len().saturating_sub(LOOKAHEAD);
    if format == Format::Pdn {
        return game_starts(bytes, false).into_iter().rfind(|&at| at < judged && begins_line(bytes, at));
    }
    if format == Format::JsonArray {
        return object_ends(bytes).take_while(|&end| end < judged).last();
    }
    let mut starts = memrchr2_iter(b'\n', b'\r', &bytes[..judged]).map(|end| end + 1);
    starts.find(|&at| begins_record(bytes, at, format))
}

/// Returns the start of the first game after the rest of another one.
pub(super) fn start_after_rest(bytes: &[u8], complete: bool, format: Format) -> Option<usize> {
    let judged = if complete { bytes.len() } else { bytes.len().saturating_sub(LOOKAHEAD) };
    if format != Format::Pdn {
        return match find_cut(bytes, 1, complete, format) {
            Cut::At(at) => Some(at),
            Cut::NotBefore(_) => None,
        };
    }
    // The rest may be read as a game, but it has no tags.
    let starts = game_starts(bytes, true).into_iter().enumerate();
    let is_next = |&(n, at): &(usize, usize)| at < judged && begins_line(bytes, at) && (n > 0 || bytes[at] == b'[');
    starts.filter(is_next).map(|(_, at)| at).next()
}

/// Returns true if a line other than the first begins here: columns are counted from the first byte of a chunk.
fn begins_line(bytes: &[u8], at: usize) -> bool {
    at > 0 && matches!(bytes[at - 1], b'\n' | b'\r')
}

/// Returns true if a record of a format other than PDN begins at the beginning of a line.
fn begins_record(bytes: &[u8], at: usize, format: Format) -> bool {
    // Most lines of a log are positions, and looking for the line before each of them would double the time.
    let could = matches!(bytes[at..], [b'[', b'A'..=b'Z' | b'a'..=b'z', ..] | [b'(' | b'{', ..]);
    let line = &bytes[at..bytes.len().min(at + LOOKAHEAD)];
    could && format.begins_record(line, line_before(bytes, at))
}

/// Returns the last line before a place that is not empty, trimmed; empty at the beginning of the text.
fn line_before(bytes: &[u8], at: usize) -> &[u8] {
    let text = bytes[..at].trim_ascii_end();
    let start = memrchr2(b'\n', b'\r', text).map_or(0, |end| end + 1);
    text[start..].trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Option<usize> {
        match find_cut(text.as_bytes(), 0, true, Format::Pdn) {
            Cut::At(at) => Some(at),
            Cut::NotBefore(_) => None,
        }
    }

    #[test]
    fn a_game_that_begins_with_a_tag_after_an_empty_line_cuts() {
        for (text, at) in [
            ("1. 32-28 *\n\n[Event \"b\"]", 12),
            ("1. 32-28 *\r\n\r\n[Event \"b\"]", 14),
            ("1. 32-28 *\r\r[Event \"b\"]", 12),
            ("1. 32-28 *\n \t\n\n[Event   \"b\"]", 15),
            ("1. 32-28 {open\n32\n\n[Event \"b\"]", 19),
            ("[A \"b\"] 1. 32-28 1-0\n\n[A \"b\"]", 22),
            ("1. 32-28 {a comment\nor more}\n\n[Event \"b\"]", 30),
            ("prose\n\n[Event \"b\"]", 7),
        ] {
            assert_eq!(cut(text), Some(at), "{text:?}");
        }
    }

    #[test]
    fn text_inside_a_game_does_not_cut() {
        for text in [
            "[Event \"a\"]\n\n[Site \"b\"]",
            "[Event \"a\"]\\r\n\n[Site \"b\"]",
            "1. 32-28 *\n[Event \"b\"]",
            "1. 32-28 *\r\n[Event \"b\"]",
            "{a comment of 2 lines\nor more}\n\n[Event \"b\"]",
            "{a comment 2\n\n[Event \"b\"] }",
            "; 12\n\n[Event \"b\"]",
            "% 12\n\n[Event \"b\"]",
            "Event \"lost its bracket 12\"]\n\n[Site \"b\"]",
            "1. 32-28 *\n\n[%eval 3]",
            "1. 32-28 *\n\n[Event]",
            "\n\n[Event \"b\"] {",
        ] {
            assert_eq!(cut(text).filter(|&at| at > 2), None, "{text:?}");
        }
    }

    #[test]
    fn a_tag_is_judged_when_the_next_one_is_known() {
        let text = b"1. 32-28 {2\n\n[Event \"b\"] 32-28 ";
        assert_eq!(find_cut(text, 0, false, Format::Pdn), Cut::NotBefore(0));
        let long = [text.as_slice(), &[b' '; LOOKAHEAD]].concat();
        assert_eq!(find_cut(&long, 0, false, Format::Pdn), Cut::NotBefore(13));
        let longer = [&long[..], b"\n\n[Event \"c\"]", &[b' '; LOOKAHEAD]].concat();
        assert_eq!(find_cut(&longer, 0, false, Format::Pdn), Cut::At(13));
        let closed = [&long[..], b"}\n\n[Event \"c\"] 1. 32-28", &[b' '; LOOKAHEAD]].concat();
        assert_eq!(find_cut(&closed, 0, true, Format::Pdn), Cut::At(closed.len() - LOOKAHEAD - 20));
    }

    #[test]
    fn the_last_start_and_the_one_after_a_rest() {
        let text =
            [b"1. a3-b4 2 *\n\n[A \"b\"]\n1. 32-28 *\n[A \"c\"]\n\n[D \"e\"]".as_slice(), &[b' '; LOOKAHEAD]].concat();
        assert_eq!(last_start(&text, Format::Pdn), Some(33));
        assert_eq!(start_after_rest(&text, true, Format::Pdn), Some(14));
        assert_eq!(start_after_rest(b"x\"] 1. 32-28 *\n1. 33-29 *", true, Format::Pdn), Some(15));
    }
}
