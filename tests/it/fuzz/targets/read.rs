//! The reader survives everything and passes over nothing: each byte belongs to a token, a blank or a finding.

use pdn::diag::Span;
use pdn::{Fault, Flow, MoveText, RawTag, Visitor, WrittenNumber, games, read};

/// Fails if a byte of the text is told of by nobody, or if what is told is not what stands there.
pub(crate) fn check(bytes: &[u8]) {
    let mut cover = Cover { bytes, told: vec![false; bytes.len()], start: 0, last: 0, depth: 0, furthest: 0, games: 0 };
    assert!(read(bytes, &mut cover).is_continue());
    for at in (0..bytes.len()).filter(|&at| !cover.told[at]) {
        assert!(is_blank(bytes, at) || is_markup(bytes, at), "byte {at} of {:?}", String::from_utf8_lossy(bytes));
    }
    let mut count = 0;
    for game in games(bytes) {
        count += 1;
        let end = game.offset() + game.tree().byte_len() as usize;
        assert!(end <= bytes.len());
        assert!(
            game.diagnostics().iter().all(|found| found.span().end <= game.tree().byte_len()),
            "{:?}",
            game.diagnostics()
        );
    }
    assert_eq!(count, cover.games, "trees and visitor count the same games");
}

/// Markup of a web page, which is a blank and is reported once per game.
fn is_markup(bytes: &[u8], at: usize) -> bool {
    [(b'<', b'>'), (b'[', b']'), (b'&', b';')].into_iter().any(|(opening, closing)| {
        let Some(start) = bytes[..=at].iter().rposition(|&byte| byte == opening) else { return false };
        let Some(len) = bytes[start..].iter().position(|&byte| byte == closing) else { return false };
        let text = &bytes[start..=start + len];
        let name = text[1..].strip_prefix(b"/").unwrap_or(&text[1..]);
        start + len >= at && name[0].is_ascii_alphabetic() && !text.contains(&b'\n') && !text.contains(&b'"')
    })
}

/// A control character, a blank or an invisible character of several bytes, or a part of one.
fn is_blank(bytes: &[u8], at: usize) -> bool {
    let invisible = |letter: char| {
        matches!(u32::from(letter), 0xAD | 0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x3164)
            || matches!(u32::from(letter), 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFE00..=0xFE0F)
            || matches!(u32::from(letter), 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFF8 | 0x1BCA0..=0x1BCA3)
            || matches!(u32::from(letter), 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
    };
    let part = |start: usize, length: usize| {
        let letter = bytes.get(start..start + length).and_then(|wide| std::str::from_utf8(wide).ok()?.chars().next());
        letter.is_some_and(|letter| letter.len_utf8() == length && (letter.is_whitespace() || invisible(letter)))
    };
    let is_part = |length: usize| (0..length).any(|back| at >= back && part(at - back, length));
    // A0 is the no-break space of the Windows code pages.
    bytes[at] <= b' ' || bytes[at] == 0xA0 || (2..=4).any(is_part)
}

/// Marks every byte that the reader tells of.
struct Cover<'a> {
    bytes: &'a [u8],
    told: Vec<bool>,
    /// Start of the game.
    start: usize,
    /// End of the last token.
    last: u32,
    depth: usize,
    /// End of the furthest span, checked at the end of the game.
    furthest: u32,
    games: usize,
}

impl Cover<'_> {
    fn mark(&mut self, span: Span) -> Flow {
        assert!(span.start <= span.end);
        self.furthest = self.furthest.max(span.end);
        self.told[self.start + span.start as usize..self.start + span.end as usize].fill(true);
        Flow::Continue(())
    }

    fn token(&mut self, span: Span) -> Flow {
        assert!(span.start >= self.last, "tokens in order");
        self.last = span.end;
        self.mark(span)
    }

    fn is(&self, text: &[u8], span: Span) {
        assert_eq!(text, &self.bytes[self.start + span.start as usize..self.start + span.end as usize]);
    }
}

impl Visitor for Cover<'_> {
    fn begin_game(&mut self, offset: usize) -> Flow {
        assert!(offset >= self.start + self.last as usize, "games in order");
        (self.start, self.last, self.furthest) = (offset, 0, 0);
        Flow::Continue(())
    }

    fn tag(&mut self, tag: RawTag<'_>) -> Flow {
        self.is(tag.value, tag.value_span);
        self.token(tag.span)
    }

    fn number(&mut self, _: WrittenNumber, span: Span) -> Flow {
        // A comment between a number and its move is told first.
        self.mark(span)
    }

    fn game_move(&mut self, number: Option<(WrittenNumber, Span)>, text: MoveText, span: Span) -> Flow {
        if let Some((_, number)) = number {
            self.mark(number)?;
        }
        let written = String::from_utf8_lossy(&self.bytes[self.start..][span.range()]);
        // Skipped characters between the parts of a move are read as blanks.
        let parts =
            written.split([' ', '\t', '\r', '\n', '\x0B', '\x0C', '\0', '\x1A']).filter(|part| !part.is_empty());
        assert!(parts.eq(text.text().split(' ')) || !written.is_ascii(), "{text}: {written:?}");
        self.token(span)
    }

    fn null_move(&mut self, span: Span) -> Flow {
        self.token(span)
    }

    fn ellipsis(&mut self, span: Span) -> Flow {
        self.token(span)
    }

    fn setup(&mut self, _: &[u8], span: Span) -> Flow {
        self.token(span)
    }

    fn strength(&mut self, _: &[u8], span: Span) -> Flow {
        // Marks in front of a move are told behind it.
        self.mark(span)
    }

    fn nag(&mut self, _: u16, span: Span) -> Flow {
        self.token(span)
    }

    fn comment(&mut self, _: &[u8], span: Span) -> Flow {
        self.token(span)
    }

    fn line_comment(&mut self, _: &[u8], span: Span) -> Flow {
        self.token(span)
    }

    fn begin_variation(&mut self, span: Span) -> Flow {
        self.depth += 1;
        self.token(span)
    }

    fn end_variation(&mut self, span: Span) -> Flow {
        self.depth -= 1;
        self.token(span)
    }

    fn terminator(&mut self, text: &[u8], span: Span) -> Flow {
        // `(2-0)` has its result inside.
        let written = &self.bytes[self.start + span.start as usize..self.start + span.end as usize];
        assert!(written.windows(text.len()).any(|part| part == text));
        self.token(span)
    }

    fn stray(&mut self, text: &[u8], span: Span) -> Flow {
        self.is(text, span);
        self.mark(span)
    }

    fn fault(&mut self, fault: Fault<'_>) -> Flow {
        self.is(fault.text, fault.span);
        self.mark(fault.span)
    }

    fn end_game(&mut self, len: u32) -> Flow {
        assert!(self.furthest <= len, "spans within the game");
        assert_eq!(self.depth, 0, "variations are balanced");
        self.games += 1;
        Flow::Continue(())
    }

    fn outside(&mut self, offset: usize, fault: Fault<'_>) -> Flow {
        (self.start, self.last) = (offset, 0);
        self.mark(fault.span)
    }
}
