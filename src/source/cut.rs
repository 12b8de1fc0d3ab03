//! Where a game certainly ends.

use memchr::memchr_iter;

/// Bytes behind the beginning of a line that must be there to see whether a game begins in it.
pub(super) const LOOKAHEAD: usize = 256;

/// How sure a cut must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sureness {
    /// A tag line behind a blank line behind a line of movetext.
    Certain,
    /// A tag line or a first move behind a line that ends with a result: right in all but freaks, and wanted only where
    /// a long stretch of text has no certain cut at all.
    Likely,
}

/// What looking for a cut brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// A game begins at this offset.
    At(usize),
    /// No cut so far; look again from this offset when more bytes are there.
    NotBefore(usize),
}

/// Looks for the first cut at `from` or behind it. `complete` says that no bytes follow those given.
pub(super) fn find_cut(bytes: &[u8], from: usize, complete: bool, sureness: Sureness) -> Cut {
    let judged = if complete { bytes.len() } else { bytes.len().saturating_sub(LOOKAHEAD) };
    if from >= judged {
        return Cut::NotBefore(from);
    }
    let candidates = memchr_iter(b'[', &bytes[from..judged]).map(|at| from + at);
    let mut tags = candidates.filter(|&at| begins_line(bytes, at) && tag_cuts(bytes, at, sureness));
    let tag = tags.find_map(|at| match in_comment(bytes, at, complete) {
        Some(true) => None,
        Some(false) => Some(Cut::At(at)),
        None => Some(Cut::NotBefore(at)),
    });
    match (tag, first_move(bytes, from, judged, sureness)) {
        (Some(Cut::At(tag)), Some(other)) => Cut::At(tag.min(other)),
        (Some(Cut::NotBefore(tag)), Some(other)) if other < tag => Cut::At(other),
        (None, Some(other)) => Cut::At(other),
        (Some(tag), _) => tag,
        (None, None) => Cut::NotBefore(judged),
    }
}

/// Whether a tag line stands in a comment that is closed behind it, before any other such line: to the reader it is a part
/// of the comment. `None` if more bytes are wanted to tell.
fn in_comment(bytes: &[u8], at: usize, complete: bool) -> Option<bool> {
    // Comments are shorter; what is longer was never closed.
    const FAR: usize = 64 * 1024;
    let before = &bytes[at.saturating_sub(FAR)..at];
    if memchr::memrchr2(b'{', b'}', before).is_none_or(|brace| before[brace] == b'}') {
        return Some(false);
    }
    let behind = &bytes[at + 1..bytes.len().min(at + FAR)];
    let known = complete || behind.len() + 1 >= FAR;
    let found = memchr::memchr3_iter(b'{', b'}', b'[', behind).find(|&found| {
        let place = at + 1 + found;
        behind[found] != b'['
            || begins_line(bytes, place) && opens_tag(&bytes[place..]) && line_before(bytes, place).then_blank
    });
    match found {
        Some(found) => Some(behind[found] == b'}'),
        None => known.then_some(false),
    }
}

/// Returns the last certain cut in `bytes`, which may end anywhere.
pub(super) fn last_certain_cut(bytes: &[u8]) -> Option<usize> {
    let candidates = memchr::memrchr_iter(b'[', bytes).filter(|&at| at > 0 && begins_line(bytes, at));
    candidates
        .into_iter()
        .find(|&at| tag_cuts(bytes, at, Sureness::Certain) && in_comment(bytes, at, true) == Some(false))
}

fn first_move(bytes: &[u8], from: usize, judged: usize, sureness: Sureness) -> Option<usize> {
    if sureness == Sureness::Certain {
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

fn tag_cuts(bytes: &[u8], at: usize, sureness: Sureness) -> bool {
    if !opens_tag(&bytes[at..]) {
        return false;
    }
    let before = line_before(bytes, at);
    match sureness {
        Sureness::Certain => before.then_blank && ends_game(before.text),
        Sureness::Likely => ends_with_result(before.text) || before.then_blank && ends_game(before.text),
    }
}

/// Whether the line begins `[Name "`.
fn opens_tag(line: &[u8]) -> bool {
    let line = &line[1..line.len().min(LOOKAHEAD)];
    let name = line.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let rest = line[name..].trim_ascii_start();
    name > 0 && rest.len() < line.len() - name && rest.first() == Some(&b'"')
}

struct LineBefore<'a> {
    /// The last line that is not blank, without the blanks around it; empty at the beginning of the text.
    text: &'a [u8],
    /// Whether blank lines follow it.
    then_blank: bool,
}

fn line_before(bytes: &[u8], at: usize) -> LineBefore<'_> {
    let head = &bytes[..at];
    let text_end = head.trim_ascii_end().len();
    let start = memchr::memrchr2(b'\n', b'\r', &head[..text_end]).map_or(0, |end| end + 1);
    let gap = &head[text_end..];
    let ends = gap.iter().enumerate().filter(|&(n, &b)| b == b'\n' || b == b'\r' && gap.get(n + 1) != Some(&b'\n'));
    LineBefore { text: head[start..text_end].trim_ascii(), then_blank: ends.take(2).count() == 2 }
}

/// Whether a trimmed line can be the last one of a game: movetext or a result, neither tags nor the edge of a comment.
fn ends_game(line: &[u8]) -> bool {
    match line {
        [] | [b'{' | b'%' | b';', ..] | [.., b'}' | b']'] => false,
        [b'[', ..] => moves_behind_tags(line),
        _ => line.iter().any(|b| b.is_ascii_digit() || *b == b'*'),
    }
}

/// Whether a line that begins with tags goes on with moves: some files have a game a line.
fn moves_behind_tags(line: &[u8]) -> bool {
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
        match find_cut(text.as_bytes(), 0, true, Sureness::Certain) {
            Cut::At(at) => Some(at),
            Cut::NotBefore(_) => None,
        }
    }

    #[test]
    fn a_tag_behind_a_blank_line_behind_moves_cuts() {
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
    fn what_may_be_inside_a_game_does_not_cut() {
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
    fn likely_cuts_need_a_result_in_front() {
        let likely = |text: &str| find_cut(text.as_bytes(), 0, true, Sureness::Likely);
        assert_eq!(likely("1. 32-28 *\n[Event \"b\"]"), Cut::At(11));
        assert_eq!(likely("32-28 1-0\n1. 31-27 [A \"b\"]"), Cut::At(10));
        assert_eq!(likely("32-28*\n1. 31-27"), Cut::NotBefore(15));
        assert_eq!(likely("32-28\n[Event \"b\"]"), Cut::NotBefore(17));
    }

    #[test]
    fn an_unfinished_line_is_not_judged() {
        let text = b"1. 32-28 *\n\n[Event \"b\"]";
        assert_eq!(find_cut(text, 0, false, Sureness::Certain), Cut::NotBefore(0));
        let long = [text.as_slice(), &[b' '; LOOKAHEAD]].concat();
        assert_eq!(find_cut(&long, 0, false, Sureness::Certain), Cut::At(12));
    }

    #[test]
    fn the_last_cut_is_found_from_behind() {
        let text = b"1. a3-b4 2 *\n\n[A \"b\"]\n1. 32-28 *\n\n[A \"c\"]\n\n[D \"e\"]";
        assert_eq!(last_certain_cut(text), Some(34));
    }
}
