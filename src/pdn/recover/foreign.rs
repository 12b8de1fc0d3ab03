//! Tokens whose characters only look like those of the grammar, or that have invisible characters in them: `с3-d4` with a Cyrillic
//! letter, `３２-２８`, `32-2` and `8` with a soft hyphen between them.

use memchr::memchr_iter;
use nom::Err::Error;
use smallvec::SmallVec;

use super::{Token, token};
use crate::diag::Code;
use crate::pdn::grammar::{Deviations, Move, Parsed};
use crate::pdn::movetext::{LARGEST_SQUARE, WrittenSquare};
use crate::pdn::reader::{Reader, Seen};
use crate::pdn::visitor::{Flow, Visitor};
use crate::text::signs::{entity, is_cross, is_dash, look_alike};
use crate::text::whitespace::{ignorable_len, is_ignorable, is_skipped, wide_len};

/// Bytes of a word that are examined: a capture of many squares, with characters of several bytes.
const LONGEST: usize = 96;

/// A word as it looks.
struct Plain {
    text: SmallVec<[u8; 32]>,
    /// For each byte of the text, where its character ends in the input.
    ends: SmallVec<[u8; 32]>,
    /// The place in the text of the first character that was replaced, or before which one was removed.
    changed: usize,
    /// True if the only changes are characters that were removed.
    is_spelt: bool,
}

impl Plain {
    /// Returns the word that the input begins with; `None` if it is as it looks.
    fn of(input: &[u8]) -> Option<Self> {
        let near = &input[..input.len().min(LONGEST)];
        let is_end = |byte: &u8| is_skipped(*byte) || b"{}()[]".contains(byte);
        let word = &near[..near.iter().position(is_end).unwrap_or(near.len())];
        if word.is_ascii() && !word.contains(&b'&') {
            return None;
        }
        let mut plain = Self { text: SmallVec::new(), ends: SmallVec::new(), changed: usize::MAX, is_spelt: true };
        let mut at = 0;
        while at < word.len() {
            let rest = &word[at..];
            if let Some((letter, len)) = entity(rest) {
                if letter.is_whitespace() {
                    break;
                }
                at += len;
                plain.changed = plain.changed.min(plain.text.len());
                plain.is_spelt &= is_ignorable(letter);
                let mut bytes = [0; 4];
                let sign = match letter {
                    _ if is_ignorable(letter) => "",
                    _ if is_dash(letter) => "-",
                    _ if is_cross(letter) => "x",
                    _ => &*letter.encode_utf8(&mut bytes),
                };
                plain.text.extend_from_slice(sign.as_bytes());
                plain.ends.extend(sign.bytes().map(|_| at as u8));
                continue;
            }
            // A0 within a character, such as `à`, is no space.
            let is_whole = rest[0] != 0xA0 || word[..at].last().is_none_or(u8::is_ascii);
            let (len, letter) = match (ignorable_len(rest), look_alike(rest)) {
                (0, None) if is_whole && wide_len(rest) > 0 => break,
                (0, None) => (1, Some(rest[0])),
                (0, Some((letter, len))) => (len, Some(letter)),
                (len, _) => (len, None),
            };
            if letter != Some(rest[0]) {
                plain.changed = plain.changed.min(plain.text.len());
                plain.is_spelt &= letter.is_none();
            }
            at += len;
            if let Some(letter) = letter {
                plain.text.push(letter);
                // A byte is enough: at most `LONGEST` bytes are examined.
                plain.ends.push(at as u8);
            }
        }
        (plain.changed < plain.text.len()).then_some(plain)
    }

    /// Returns where the first bytes of the text, at least one, end in the input.
    fn end(&self, taken: usize) -> usize {
        usize::from(self.ends[taken - 1])
    }

    /// Returns true if a token that is read from the text, before the rest, can be meant.
    fn is_meant(&self, token: &Token<'_>, rest: &[u8]) -> bool {
        let is_square = |square: &WrittenSquare| match square {
            WrittenSquare::Number(number) => *number <= LARGEST_SQUARE,
            WrittenSquare::Cell { .. } | WrittenSquare::File(_) => true,
        };
        match token {
            // `7-12.` with an invisible character after the 1 may be a move and the next number, and `１９３２` is a year.
            Token::Move(found) => {
                let is_glued = found.deviations.contains(Deviations::MISSING_SEPARATOR) && !self.is_spelt;
                let is_one = !found.deviations.contains(Deviations::DASHED_CAPTURE) && !rest.starts_with(b".");
                is_one && !is_glued && found.squares.iter().all(is_square)
            }
            Token::Number(_) | Token::Result(_) => true,
            Token::NumberTypo(_) | Token::Digits(_) | Token::Word => false,
        }
    }
}

/// A move, number or result with a character of another alphabet, or with one that cannot be seen.
pub(super) fn foreign(input: &[u8]) -> Parsed<'_, Token<'_>> {
    let plain = Plain::of(input).ok_or(Error(()))?;
    let (rest, found) = token(&plain.text).map_err(|_| Error(()))?;
    let taken = plain.text.len() - rest.len();
    if taken <= plain.changed || !plain.is_meant(&found, rest) {
        return Err(Error(()));
    }
    let (text, rest) = input.split_at(plain.end(taken));
    let found = match found {
        // Further jumps are compared with the text of the last square.
        Token::Move(Move { kind, squares, deviations, .. }) => {
            Token::Move(Move { kind, squares, last: text.split_at(0).0, deviations })
        }
        Token::Number(number) => Token::Number(number),
        Token::Result(spelling) => Token::Result(spelling),
        Token::NumberTypo(_) | Token::Digits(_) | Token::Word => return Err(Error(())),
    };
    Ok((rest, found))
}

/// Returns true if a text has a character of another alphabet that looks like one of ASCII, one that cannot be seen, or an entity.
pub(crate) fn has_foreign(text: &[u8]) -> bool {
    let is_foreign = |at: usize| ignorable_len(&text[at..]) > 0 || look_alike(&text[at..]).is_some();
    text.contains(&b'&') || !text.is_ascii() && (0..text.len()).any(is_foreign)
}

impl<'a> Reader<'a> {
    /// `look-alike`, `unicode-space`, `markup`: reports the first character of another alphabet in a token, the first invisible one, and
    /// the first entity, each once per game.
    pub(in crate::pdn) fn report_foreign<V: Visitor>(&mut self, visitor: &mut V, text: &'a [u8]) -> Flow {
        let found = memchr_iter(b'&', text).find_map(|at| Some((at, entity(&text[at..])?.1)));
        if let Some((at, len)) = found {
            self.report_once(visitor, Seen::MARKUP, Code::SYNTAX_MARKUP, &text[at..at + len])?;
        }
        let hidden = (0..text.len()).map(|at| (at, ignorable_len(&text[at..]))).find(|(_, len)| *len > 0);
        match hidden {
            Some((at, len)) => {
                self.report_once(visitor, Seen::WIDE_SPACE, Code::SYNTAX_UNICODE_SPACE, &text[at..at + len])?;
            }
            None => self.report_wide(visitor, text)?,
        }
        let replaced = (0..text.len()).find_map(|at| Some((at, look_alike(&text[at..])?.1)));
        match replaced {
            Some((at, len)) => {
                self.report_once(visitor, Seen::LOOK_ALIKE, Code::SYNTAX_LOOK_ALIKE, &text[at..at + len])
            }
            None => Flow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text that a token takes, and the squares of a move.
    fn taken(text: &str) -> Option<(&str, usize)> {
        let (rest, token) = foreign(text.as_bytes()).ok()?;
        let squares = if let Token::Move(found) = token { found.squares.len() } else { 0 };
        Some((&text[..text.len() - rest.len()], squares))
    }

    #[test]
    fn tokens_are_read_as_they_look() {
        for (text, expected, squares) in [
            ("с3-d4 d6-c5", "с3-d4", 2),
            ("е7:g5!", "е7:g5", 2),
            ("сd4)", "сd4", 2),
            ("３２－２８ ", "３２－２８", 2),
            ("32-2\u{ad}8\u{200b} 19-23", "32-2\u{ad}8", 2),
            ("32\u{ad}28", "32\u{ad}28", 2),
            ("1\u{2060}2. 32-28", "1\u{2060}2.", 0),
            ("1\u{200e}-1", "1\u{200e}-1", 0),
            ("32&minus;28 19&#8211;23", "32&minus;28", 2),
            ("28&times;19", "28&times;19", 2),
            ("14&#215;23!", "14&#215;23", 2),
            ("1&ndash;1", "1&ndash;1", 0),
            ("&frac12;-&frac12;", "&frac12;-&frac12;", 0),
        ] {
            assert_eq!(taken(text), Some((expected, squares)), "{text:?}");
        }
    }

    #[test]
    fn what_does_not_look_like_a_token_is_left() {
        for text in [
            "32-28",
            "32-28\u{200b}19-23",
            "7-1\u{200b}2. 31-26",
            "28x19\u{200b}14x23",
            "c3-d4é",
            "сад",
            "２０２４ ",
            "１９３２ ",
            "а",
            "32–28",
        ] {
            assert_eq!(taken(text), None, "{text:?}");
        }
    }
}
