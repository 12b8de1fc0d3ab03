//! Finding the end of a game without parsing it.

use memchr::{memchr_iter, memchr2_iter};

use crate::text::Format;

/// Bytes needed after the beginning of a line to decide whether a game begins there.
pub(super) const LOOKAHEAD: usize = 256;

/// How certain a cut must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// A tag line after an empty line after a line of movetext.
    Certain,
    /// A tag line or a first move after a line that ends with a result. This is almost always right, and used only where a
    /// long stretch of text has no certain cut.
    Likely,
}

/// The result of looking for a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// A game begins at this offset.
    At(usize),
    /// No cut was found; look again from this offset when more bytes are available.
    NotBefore(usize),
}

/// Looks for the first cut at or after `from`. `complete` is true if no bytes follow those given.
pub(super) fn find_cut(bytes: &[u8], from: usize, complete: bool, format: Format, certainty: Certainty) -> Cut {
    let judged = if complete { bytes.len() } else { bytes.len().saturating_sub(LOOKAHEAD) };
    if from >= judged {
        return Cut::NotBefore(from);
    }
    if format != Format::Pdn {
        let ends = memchr2_iter(b'\n', b'\r', &bytes[from.saturating_sub(1)..judged - 1]);
        let mut starts = ends.map(|end| from.saturating_sub(1) + end + 1);
        return starts.find(|&at| begins_record(bytes, at, format)).map_or(Cut::NotBefore(judged), Cut::At);
    }
    // Brackets and not lines: few lines have one, and the lines of movetext are not looked at.
    let candidates = memchr_iter(b'[', &bytes[from..judged]).map(|at| from + at);
    let mut tags = candidates.filter(|&at| begins_line(bytes, at) && tag_cuts(bytes, at, certainty));
    let tag = tags.find_map(|at| match in_comment(bytes, at, complete) {
        Some(true) => None,
        Some(false) => Some(Cut::At(at)),
        None => Some(Cut::NotBefore(at)),
    });
    match (tag, first_move(bytes, from, judged, certainty)) {
        (Some(Cut::At(tag)), Some(other)) => Cut::At(tag.min(other)),
        (Some(Cut::NotBefore(tag)), Some(other)) if other < tag => Cut::At(other),
        (None, Some(other)) => Cut::At(other),
        (Some(tag), _) => tag,
        (None, None) => Cut::NotBefore(judged),
    }
}

/// Returns true if a tag line is inside a comment that is closed after it and before any other tag line: to the reader the
/// line is part of the comment. Returns `None` if more bytes are needed to decide.
fn in_comment(bytes: &[u8], at: usize, complete: bool) -> Option<bool> {
    // Longer comments are taken as never closed.
    const MAX_COMMENT: usize = 64 * 1024;
    let before = &bytes[at.saturating_sub(MAX_COMMENT)..at];
    if memchr::memrchr2(b'{', b'}', before).is_none_or(|brace| before[brace] == b'}') {
        return Some(false);
    }
    let after = &bytes[at + 1..bytes.len().min(at + MAX_COMMENT)];
    let known = complete || after.len() + 1 >= MAX_COMMENT;
    let found = memchr::memchr3_iter(b'{', b'}', b'[', after).find(|&found| {
        let place = at + 1 + found;
        after[found] != b'['
            || begins_line(bytes, place) && opens_tag(&bytes[place..]) && line_before(bytes, place).then_empty_line
    });
    match found {
        Some(found) => Some(after[found] == b'}'),
        None => known.then_some(false),
    }
}

/// Returns true if a record of a format other than PDN begins at the beginning of a line.
fn begins_record(bytes: &[u8], at: usize, format: Format) -> bool {
    // Most lines of a log are positions, and looking for the line before each of them would double the time.
    let could = matches!(bytes[at..], [b'[', b'A'..=b'Z' | b'a'..=b'z', ..] | [b'(' | b'{', ..]);
    let line = &bytes[at..bytes.len().min(at + LOOKAHEAD)];
    could && format.begins_record(line, line_before(bytes, at).text)
}

/// Returns the last certain cut in `bytes`, which may end in the middle of a line.
pub(super) fn last_certain_cut(bytes: &[u8], format: Format) -> Option<usize> {
    if format != Format::Pdn {
        let mut ends = memchr::memrchr2_iter(b'\n', b'\r', bytes);
        return ends.find(|&end| begins_record(bytes, end + 1, format)).map(|end| end + 1);
    }
    let candidates = memchr::memrchr_iter(b'[', bytes).filter(|&at| at > 0 && begins_line(bytes, at));
    candidates
        .into_iter()
        .find(|&at| tag_cuts(bytes, at, Certainty::Certain) && in_comment(bytes, at, true) == Some(false))
}

fn first_move(bytes: &[u8], from: usize, judged: usize, certainty: Certainty) -> Option<usize> {
    if certainty == Certainty::Certain {
        return None;
    }
    let candidates = memchr_iter(b'1', &bytes[from..judged]).map(|at| from + at);
    candidates.into_iter().find(|&at| {
        begins_line(bytes, at) && bytes.get(at + 1) == Some(&b'.') && ends_with_result(line_before(bytes, at).text)
    })
}

fn begins_line(bytes: &[u8], at: usize) -> bool {
    at > 0 && matches!(bytes[at - 1], b'\n' | b'\r')
}

fn tag_cuts(bytes: &[u8], at: usize, certainty: Certainty) -> bool {
    if !opens_tag(&bytes[at..]) {
        return false;
    }
    let before = line_before(bytes, at);
    match certainty {
        Certainty::Certain => before.then_empty_line && ends_game(before.text),
        Certainty::Likely => ends_with_result(before.text) || before.then_empty_line && ends_game(before.text),
    }
}

/// Returns true if the line begins with `[Name "`.
fn opens_tag(line: &[u8]) -> bool {
    let line = &line[1..line.len().min(LOOKAHEAD)];
    let name = line.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let rest = line[name..].trim_ascii_start();
    // With whitespace before the quote: `[Event"b"]` is not certain enough to cut there.
    name > 0 && rest.len() < line.len() - name && rest.first() == Some(&b'"')
}

struct LineBefore<'a> {
    /// The last line that is not empty, trimmed; empty at the beginning of the text.
    text: &'a [u8],
    /// True if empty lines follow it.
    then_empty_line: bool,
}

fn line_before(bytes: &[u8], at: usize) -> LineBefore<'_> {
    let head = &bytes[..at];
    let text_end = head.trim_ascii_end().len();
    let start = memchr::memrchr2(b'\n', b'\r', &head[..text_end]).map_or(0, |end| end + 1);
    let gap = &head[text_end..];
    // The first end is that of the line, the second that of an empty one.
    let ends = gap.iter().enumerate().filter(|&(n, &b)| b == b'\n' || b == b'\r' && gap.get(n + 1) != Some(&b'\n'));
    LineBefore { text: head[start..text_end].trim_ascii(), then_empty_line: ends.take(2).count() == 2 }
}

/// Returns true if a trimmed line can be the last one of a game: movetext or a result, neither tags nor the edge of a comment.
fn ends_game(line: &[u8]) -> bool {
    match line {
        // After a line that opens or closes a comment, only the reader knows whether the tag is inside it.
        [] | [b'{' | b'%' | b';', ..] | [.., b'}' | b']'] => false,
        [b'[', ..] => has_moves_after_tags(line),
        _ => line.iter().any(|b| b.is_ascii_digit() || *b == b'*'),
    }
}

/// Returns true if a line that begins with tags continues with moves: some files have one game per line.
fn has_moves_after_tags(line: &[u8]) -> bool {
    let Some(close) = memchr::memrchr(b']', line) else { return false };
    let moves = &line[close + 1..];
    let plain = !moves.iter().any(|b| matches!(b, b'"' | b'[' | b'{' | b'}' | b';'));
    plain && moves.iter().any(|b| matches!(b, b'-' | b'x' | b':' | b'*'))
}

fn ends_with_result(line: &[u8]) -> bool {
    const RESULTS: [&[u8]; 8] = [b"*", b"1-0", b"0-1", b"1/2-1/2", b"2-0", b"1-1", b"0-2", b"0-0"];
    let last = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    RESULTS.contains(&last) && !matches!(line.first(), Some(b'[' | b'{' | b'%' | b';'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certain(text: &str) -> Option<usize> {
        match find_cut(text.as_bytes(), 0, true, Format::Pdn, Certainty::Certain) {
            Cut::At(at) => Some(at),
            Cut::NotBefore(_) => None,
        }
    }

    #[test]
    fn a_tag_after_an_empty_line_after_moves_cuts() {
        for (text, at) in [
            ("1. 32-28 *\n\n[Event \"b\"]", 12),
            ("1. 32-28 *\r\n\r\n[Event \"b\"]", 14),
            ("1. 32-28 *\r\r[Event \"b\"]", 12),
            ("1. 32-28 *\n \t\n\n[Event   \"b\"]", 15),
            ("1. 32-28 {open\n32\n\n[Event \"b\"]", 19),
            ("[A \"b\"] 1. 32-28 1-0\n\n[A \"b\"]", 22),
        ] {
            assert_eq!(certain(text), Some(at), "{text:?}");
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
            "{a comment 2\n\n[Event \"b\"]",
            "; 12\n\n[Event \"b\"]",
            "% 12\n\n[Event \"b\"]",
            "Event \"lost its bracket 12\"]\n\n[Site \"b\"]",
            "[Round \"11.1\n\n[Site \"b\"]",
            "1. 32-28 *\n\n[%eval 3]",
            "1. 32-28 *\n\n[Event]",
            "1. 32-28 *\n\n[Event\"b\"]",
            "prose\n\n[Event \"b\"]",
            "\n\n[Event \"b\"]",
        ] {
            assert_eq!(certain(text), None, "{text:?}");
        }
    }

    #[test]
    fn likely_cuts_need_a_result_before_them() {
        let likely = |text: &str| find_cut(text.as_bytes(), 0, true, Format::Pdn, Certainty::Likely);
        assert_eq!(likely("1. 32-28 *\n[Event \"b\"]"), Cut::At(11));
        assert_eq!(likely("32-28 1-0\n1. 31-27 [A \"b\"]"), Cut::At(10));
        assert_eq!(likely("32-28*\n1. 31-27"), Cut::NotBefore(15));
        assert_eq!(likely("32-28\n[Event \"b\"]"), Cut::NotBefore(17));
    }

    #[test]
    fn an_unfinished_line_is_not_judged() {
        let text = b"1. 32-28 *\n\n[Event \"b\"]";
        assert_eq!(find_cut(text, 0, false, Format::Pdn, Certainty::Certain), Cut::NotBefore(0));
        let long = [text.as_slice(), &[b' '; LOOKAHEAD]].concat();
        assert_eq!(find_cut(&long, 0, false, Format::Pdn, Certainty::Certain), Cut::At(12));
    }

    #[test]
    fn the_last_cut_is_found_backwards() {
        let text = b"1. a3-b4 2 *\n\n[A \"b\"]\n1. 32-28 *\n\n[A \"c\"]\n\n[D \"e\"]";
        assert_eq!(last_certain_cut(text, Format::Pdn), Some(34));
    }
}
