//! Lookahead: the tokens ahead, and the whitespace around a position.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, recognize, value};
use nom::multi::many0_count;
use nom::sequence::preceded;

use super::{Part, Reader, game_begins};
use crate::pdn::grammar::primitive::{byte, run, wide};
use crate::pdn::grammar::{Parsed, marks, open_setup};
use crate::pdn::recover::moves::letter_for_digit;
use crate::pdn::recover::text::{dashes, year};
use crate::pdn::recover::{OddTag, Token, missing_opening_bracket, not_movetext, token};
use crate::text::whitespace::{is_line_end, is_skipped, wide_len_at_end};

impl<'a> Reader<'a> {
    /// The token at a place.
    pub(in crate::pdn) fn token_at(&self, at: usize) -> Parsed<'a, Token<'a>> {
        token(&self.bytes[at..])
    }

    pub(in crate::pdn) fn is_move(&self, at: usize) -> bool {
        matches!(self.token_at(at), Ok((_, Token::Move(_))))
    }

    pub(in crate::pdn) fn is_comment(&self, at: usize, byte: u8) -> bool {
        match byte {
            b'{' => true,
            b'%' => SpaceBefore::new(self.bytes, at).line_start(),
            // Directly after a move it separates: `32-28; 19-23`.
            b';' => at == 0 || is_skipped(self.bytes[at - 1]),
            _ => false,
        }
    }

    /// The end of a result, regardless of spelling.
    pub(in crate::pdn) fn result_end(&self, at: usize) -> Option<usize> {
        match self.bytes.get(at)? {
            b'*' => (!self.is_markup(at)).then_some(at + 1),
            b'0'..=b'9' | b'&' | 0x80.. => match self.token_at(at) {
                Ok((rest, Token::Result(_))) => Some(self.place_of_rest(rest)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns true if a game may begin here.
    pub(in crate::pdn) fn starts_game(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        not_movetext(rest).is_err() && game_begins(rest).is_ok() || self.odd_game(at)
    }

    /// Returns true if the next token is a move or its replacement, or a position in a numbered list, perhaps after
    /// markup: `<b>1.</b> 32-28`.
    pub(in crate::pdn) fn move_follows(&self, at: usize) -> bool {
        let mut at = skip_whitespace(self.bytes, at);
        while let Some(end) = self.markup_end(at) {
            at = skip_whitespace(self.bytes, end);
        }
        match self.bytes.get(at) {
            // `Position 2` on the line above a position does not number it.
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => {
                self.is_move(at) || self.bare_fen_end(at).is_some() && !SpaceBefore::new(self.bytes, at).line_start()
            }
            Some(b'.') => self.bytes[at..].starts_with(b"..") || self.is_odd_ellipsis(at),
            Some(0x80..) => self.is_odd_ellipsis(at) || self.is_move(at),
            Some(b'-') => self.dashes_end(at).is_some(),
            Some(b'!' | b'?') => self.end_of(at, marks).is_some_and(|end| self.is_move(end)),
            // A comment may come between a number and its move.
            Some(b'{') => true,
            Some(&byte @ (b'%' | b';')) => self.is_comment(at, byte),
            Some(b'/') => open_setup(&self.bytes[at..]).is_ok(),
            _ => false,
        }
    }

    /// Returns true if only comments were read so far, and no movetext begins here: the tags are still to come. `{lead}
    /// (c) 1998 [Event "a"]`
    pub(in crate::pdn) fn leads_nowhere(&self, at: usize) -> bool {
        self.game.part == Part::Lead && !self.starts_game(at)
    }

    pub(in crate::pdn) fn headless_tag(&self, at: usize) -> Option<(&'a [u8], OddTag<'a>)> {
        let found = self.bytes[at].is_ascii_uppercase() && SpaceBefore::new(self.bytes, at).line_start();
        if found { missing_opening_bracket(&self.bytes[at..]).ok() } else { None }
    }

    /// The end of a move with a letter in place of a digit.
    pub(in crate::pdn) fn misspelt_end(&self, at: usize) -> Option<usize> {
        let in_moves = self.game.part != Part::Lead || self.game.number.is_some();
        if in_moves { self.end_of(at, letter_for_digit) } else { None }
    }

    /// The end of one or two isolated hyphens.
    pub(in crate::pdn) fn dashes_end(&self, at: usize) -> Option<usize> {
        self.end_of(at, dashes)
    }

    /// Returns true if four digits that could be two squares are a year in prose: no move, mark or annotation follows.
    pub(in crate::pdn) fn is_year(&self, at: usize) -> bool {
        let Some(end) = self.end_of(at, year) else { return false };
        let after = skip_whitespace(self.bytes, end);
        match self.bytes.get(after) {
            Some(b'a'..=b'z' | b'A'..=b'Z') => !self.is_move(after),
            // `[Event "WK"] Amsterdam 2024`, before the next tag.
            Some(b'[') => self.game.part == Part::Tags,
            Some(byte) => b"),;:'\"".contains(byte),
            None => false,
        }
    }

    /// Returns true if a comma, semicolon or slash here separates moves, as in `32-28, 19-23`.
    pub(in crate::pdn) fn is_separator(&self, at: usize) -> bool {
        let next = skip_whitespace(self.bytes, at + 1);
        let known = |token| matches!(token, Token::Number(_) | Token::NumberTypo(_) | Token::Result(_));
        self.game.part == Part::Moves
            && match self.bytes.get(next) {
                None | Some(b'(' | b')' | b'[' | b'$' | b'*') => true,
                Some(_) => self.move_follows(next) || self.token_at(next).is_ok_and(|(_, token)| known(token)),
            }
    }

    /// Returns true if a comma or semicolon here directly follows a tag, before another one or the end of the line.
    pub(in crate::pdn) fn separates_tags(&self, at: usize) -> bool {
        self.game.part == Part::Tags
            && self.game.end == at
            && same_line(self.bytes, at + 1).is_none_or(|next| self.bytes[next] == b'[')
    }

    /// Returns true if the parenthesis that opens here encloses text, not a variation, judging by its first token:
    /// `(1952)`, `(see 12)` and `(12 pieces each)` are text, `(32-28 is better)` is a variation with words after its
    /// move.
    pub(in crate::pdn) fn is_prose(&self) -> bool {
        let inner = skip_whitespace(self.bytes, self.at + 1);
        match self.bytes.get(inner) {
            Some(b'0'..=b'9') if self.is_year(inner) => true,
            Some(0x80..) => {
                let begins = matches!(self.token_at(inner), Ok((_, Token::Move(_) | Token::Number(_))));
                !begins && !self.is_odd_ellipsis(inner)
            }
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => match self.token_at(inner) {
                Ok((_, Token::Move(_) | Token::Result(_))) => false,
                Ok((rest, Token::Number(_) | Token::NumberTypo(_) | Token::Digits(_))) => {
                    let next = skip_whitespace(self.bytes, self.place_of_rest(rest));
                    let known = matches!(self.bytes.get(next), Some(b'(' | b')' | b'.' | b'$'));
                    !known && !self.move_follows(next) && self.misspelt_end(next).is_none()
                }
                _ => self.misspelt_end(inner).is_none(),
            },
            Some(b'{' | b'(' | b')' | b'$' | b'/' | b'*' | b'-' | b'.' | b'!' | b'?' | b'%' | b';') | None => false,
            Some(_) => true,
        }
    }
}

/// The whitespace before a byte.
pub(in crate::pdn) struct SpaceBefore {
    /// Line breaks in it; CRLF is one.
    breaks: usize,
    /// Nothing is before it.
    at_start: bool,
}

impl SpaceBefore {
    pub(in crate::pdn) fn new(bytes: &[u8], at: usize) -> Self {
        let mut start = at;
        loop {
            start = bytes[..start].iter().rposition(|&byte| !is_skipped(byte)).map_or(0, |last| last + 1);
            let wide = wide_len_at_end(&bytes[..start]);
            if wide == 0 || start == wide {
                break;
            }
            start -= wide;
        }
        let breaks = line_breaks(&bytes[start..at]).map_or(0, |(_, breaks)| breaks);
        Self { breaks, at_start: matches!(&bytes[..start], b"" | b"\xEF\xBB\xBF") }
    }

    /// Returns true if only whitespace is before the byte on its line.
    pub(in crate::pdn) const fn line_start(&self) -> bool {
        self.breaks > 0 || self.at_start
    }

    /// Returns true if an empty line is before the byte.
    pub(in crate::pdn) const fn blank_line(&self) -> bool {
        self.breaks > 1 || self.at_start
    }
}

/// The number of line breaks in whitespace; CRLF is one.
fn line_breaks(space: &[u8]) -> Parsed<'_, usize> {
    let line_break = alt((value((), (byte(b'\r'), opt(byte(b'\n')))), value((), byte(b'\n'))));
    many0_count(preceded(run(|byte| !is_line_end(byte)), line_break)).parse(space)
}

/// Whitespace with the control characters that are skipped like it.
#[inline]
fn skipped(input: &[u8]) -> Parsed<'_> {
    recognize((run(is_skipped), many0_count((wide, run(is_skipped))))).parse(input)
}

/// Returns the place of the first byte from here that is not skipped as whitespace.
#[inline]
pub(in crate::pdn) fn skip_whitespace(bytes: &[u8], at: usize) -> usize {
    skipped(&bytes[at..]).map_or(at, |(rest, _)| bytes.len() - rest.len())
}

/// Returns the place of the first byte from here that is not skipped as whitespace, if it is on the same line.
pub(in crate::pdn) fn same_line(bytes: &[u8], at: usize) -> Option<usize> {
    let found = skip_whitespace(bytes, at);
    (found < bytes.len() && !bytes[at..found].iter().any(|&byte| is_line_end(byte))).then_some(found)
}
