//! Results and the ends of games.

use std::ops::ControlFlow;

use memchr::{memchr_iter, memrchr_iter};

use super::{Last, Next, Part, Reader, Seen, SpaceBefore, Step, same_line, skip_whitespace};
use crate::diag::Code;
use crate::pdn::grammar::primitive::{byte, tag_head};
use crate::pdn::grammar::{comment, number};
use crate::pdn::recover::text::{digits_or_brackets, score, typed_escape, year};
use crate::pdn::recover::{Token, odd_tag, token};
use crate::pdn::visitor::{Flow, Visitor};
use crate::text::signs::dash_len;

impl Reader<'_> {
    /// A result, or a star directly after a move, which marks the move as forced.
    #[cold]
    pub(super) fn result_or_star<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> Step {
        if self.is_markup(self.at) {
            return self.markup(visitor);
        }
        if self.rest().starts_with(b"*") && self.follows_move() {
            return self.forced_star(visitor, end);
        }
        self.result(visitor, end)
    }

    /// A result ends the game, but in a variation only if no part of the game follows: `(2. 31-26 1-0) 2. 28x19`.
    pub(in crate::pdn) fn result<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> Step {
        if self.game.depth > 0 && !self.game_may_end(end) {
            return self.stray(visitor, end, Code::SYNTAX_RESULT_IN_VARIATION);
        }
        if self.heads_moves(end) {
            return self.stray(visitor, end, Code::SYNTAX_STRAY_TEXT);
        }
        self.terminate(visitor, end)
    }

    /// Returns true if a result that ends here, between tags and a first move, is a heading: `[Event "x"] 1-1 1. 32-28`. With an empty line
    /// before or after it, the tags are a game without moves.
    fn heads_moves(&self, end: usize) -> bool {
        let next = skip_whitespace(self.bytes, end);
        let is_close = |at| !SpaceBefore::new(self.bytes, at).blank_line();
        self.game.part == Part::Tags && is_close(self.at) && is_close(next) && self.is_first_move(next)
    }

    /// Returns the place where the words here begin, with a number before them, if they follow moves and an empty line, head the moves of
    /// another game, and end with its result: `3. Jansen - de Vries 2-0`, or `White: Jansen`, `Black: de Vries` and `Result: 2-0`. A result
    /// at the end of other words is that of this game.
    pub(in crate::pdn) fn heading_of_next_game(&mut self) -> Option<usize> {
        let start = match self.game.number {
            Some((_, text)) if skip_whitespace(self.bytes, self.place(text) + text.len()) == self.at => {
                self.place(text)
            }
            _ => self.at,
        };
        let may_begin = self.game.has_move && self.game.depth == 0 && SpaceBefore::new(self.bytes, start).blank_line();
        (may_begin && self.is_heading(self.at)).then_some(start)
    }

    fn is_heading(&mut self, start: usize) -> bool {
        let (bytes, mut at) = (self.bytes, start);
        let (mut labels, mut has_dash, mut is_linked, mut are_names) = (0, false, false, true);
        let mut end = loop {
            if let Some(end) = self.result_end(at).or_else(|| self.enclosed_result(at)) {
                break end;
            }
            let end = self.junk_end(at);
            let word = &bytes[at..end];
            labels += usize::from(word.ends_with(b":"));
            has_dash |= matches!(word, b"-" | b"\x96" | b"\x97") || dash_len(word) == word.len();
            if matches!(word, b"vs" | b"vs." | b"v." | b"tegen" | b"contre") {
                is_linked = true;
            } else {
                is_linked |= joins_names(word);
                are_names &= word[0].is_ascii_digit() || begins_with_capital(word);
            }
            let next = skip_whitespace(bytes, end);
            let is_move = || self.is_move(next) && self.end_of(next, year).is_none();
            if next == bytes.len() || SpaceBefore::new(bytes, next).blank_line() || is_move() {
                return false;
            }
            at = next;
        };
        // `1-1.`, `1-1 (time)`
        end += usize::from(bytes[end..].starts_with(b"."));
        while let Some(next) = same_line(bytes, end) {
            if bytes[next] != b'(' {
                return false;
            }
            end = self.junk_end(next);
        }
        (has_dash || labels > 1 || is_linked && are_names) && self.is_first_move(skip_whitespace(bytes, end))
    }

    /// Returns the end of a result in parentheses here: `(2-0)`.
    fn enclosed_result(&self, at: usize) -> Option<usize> {
        let inner = skip_whitespace(self.bytes, self.end_of(at, byte(b'('))?);
        // `32-28 (*)` has a mark.
        let end = self.result_end(inner).filter(|_| self.bytes[inner] != b'*')?;
        self.end_of(skip_whitespace(self.bytes, end), byte(b')'))
    }

    /// Returns the end of a result in parentheses here that ends the game, with the full stop after it. Directly after a move, words up to
    /// the next game may follow: in a column of games, the names of its players do.
    pub(super) fn final_result(&mut self) -> Option<usize> {
        if self.game.part != Part::Moves || self.game.depth > 0 {
            return None;
        }
        let end = self.enclosed_result(self.at)?;
        let mut end = end + usize::from(self.bytes[end..].starts_with(b"."));
        // `(2-0) *`
        let star = skip_whitespace(self.bytes, end);
        if self.bytes.get(star) == Some(&b'*') && !self.is_markup(star) {
            end = star + 1;
        }
        let ends = self.game_may_end(end) || self.game.last == Last::Move && self.only_words_follow(end);
        ends.then_some(end)
    }

    /// Returns true if only words and comments follow, up to the next game or its heading, or to the end of the text.
    fn only_words_follow(&mut self, at: usize) -> bool {
        let mut at = skip_whitespace(self.bytes, at);
        while let Some(&byte) = self.bytes.get(at) {
            if self.is_tag(at, byte) || self.is_first_move(at) || self.bare_fen_end(at).is_some() {
                return true;
            }
            if SpaceBefore::new(self.bytes, at).blank_line() && self.is_heading(at) {
                return true;
            }
            let end = match byte {
                b'(' | b')' => return false,
                _ if self.is_move(at) || self.result_end(at).is_some() => return false,
                _ if self.is_comment(at, byte) => self.comment_end(at),
                _ => self.junk_end(at),
            };
            at = skip_whitespace(self.bytes, end);
        }
        true
    }

    /// Returns true if nothing of this game follows except comments and text allowed between games.
    pub(in crate::pdn) fn game_may_end(&mut self, at: usize) -> bool {
        let Some(next) = self.next_game_at(at) else { return false };
        // A game that has only tags so far ends before tags that begin a game, not in the middle of its tags.
        let event = |rest: &[u8]| {
            let after = rest.strip_prefix(b"[Event").and_then(<[u8]>::first);
            after.is_some_and(|byte| !byte.is_ascii_alphanumeric())
        };
        match &self.bytes[next..] {
            _ if self.game.part != Part::Tags => true,
            [] => true,
            rest @ [b'[', ..] => event(rest) || SpaceBefore::new(self.bytes, next).blank_line(),
            _ => false,
        }
    }

    /// Returns the start of the next game, or the end of the text, if no part of this game comes first.
    fn next_game_at(&mut self, at: usize) -> Option<usize> {
        // Without this, each result in an unclosed variation would search the rest of the file again.
        if at < self.goes_on {
            return None;
        }
        let (mut at, mut apart) = (skip_whitespace(self.bytes, at), false);
        while let Some(&byte) = self.bytes.get(at) {
            apart |= SpaceBefore::new(self.bytes, at).blank_line();
            // `1. 32-28 (19-23\n\n1. 31-27`: in an open variation, a number 1 may restart the count.
            if self.is_tag(at, byte) || apart && self.game.depth == 0 && self.is_first_move(at) {
                return Some(at);
            }
            let end = match self.line_between_games(at) {
                Some(end) => end,
                None if self.is_comment(at, byte) => self.comment_end(at),
                None => {
                    self.goes_on = at;
                    return None;
                }
            };
            at = skip_whitespace(self.bytes, end);
        }
        Some(at)
    }

    fn is_tag(&self, at: usize, byte: u8) -> bool {
        match byte {
            b'[' => odd_tag(SpaceBefore::new(self.bytes, at).line_start())(&self.bytes[at..]).is_ok(),
            _ => self.headless_tag(at).is_some(),
        }
    }

    /// Returns true if moves that count from 1 begin here.
    fn is_first_move(&self, at: usize) -> bool {
        match number(&self.bytes[at..]) {
            Ok((rest, number)) => {
                number.value() == 1 && number.dots() == 1 && self.move_follows(self.place_of_rest(rest))
            }
            _ => false,
        }
    }

    /// Returns the end of meaningless text between games: digits or brackets alone on a line, a typed line break.
    fn line_between_games(&self, at: usize) -> Option<usize> {
        if let Some(end) = self.end_of(at, typed_escape) {
            return Some(end);
        }
        let end = self.end_of(at, digits_or_brackets)?;
        let alone = same_line(self.bytes, end).is_none() && SpaceBefore::new(self.bytes, at).line_start();
        alone.then_some(end)
    }

    /// Returns the end of a score here that repeats the Result tag and ends the game.
    #[cold]
    pub(in crate::pdn) fn score_end(&mut self, at: usize) -> Option<usize> {
        let end = self.end_of(at, score(self.game.score?))?;
        // `19-23?` is marked, `19-23 ?` may be the end.
        if self.bytes[at] == b'?' && self.game.end == at {
            return None;
        }
        self.game_may_end(end).then_some(end)
    }

    /// Ends the game with the text up to `end`, and reads the comments and words that follow on its line: `2-0 Black resigned`.
    pub(in crate::pdn) fn terminate<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> Step {
        let after_star = self.result_after_star(end);
        if let Some(end) = after_star {
            self.report(visitor, Code::SYNTAX_ODD_RESULT, self.text_to(end))?;
        }
        let end = after_star.unwrap_or(end);
        let text = self.text_to(end);
        self.settle(visitor)?;
        visitor.terminator(bare_result(text), self.span(text))?;
        self.pass(end, Last::Other);
        // What is on the same line is about this game, what is on a later line about the next.
        while let Some(next) = same_line(self.bytes, self.at) {
            if !self.is_comment(next, self.bytes[next]) {
                let Some(end) = self.remark_end(next) else { break };
                self.at = next;
                self.stray(visitor, end, Code::SYNTAX_STRAY_TEXT)?;
                continue;
            }
            self.at = next;
            match comment(self.rest()) {
                Ok((rest, text)) => drop(self.comment(visitor, text, self.place_of_rest(rest))?),
                Err(_) => self.any_comment(visitor)?,
            }
        }
        self.ended = self.at;
        ControlFlow::Continue(Next::Terminated)
    }

    /// Returns the end of a result after the star that ends here, on its line: `* 2-0`. On the next line it may belong to the next game.
    fn result_after_star(&self, end: usize) -> Option<usize> {
        if self.text_to(end) != b"*" {
            return None;
        }
        let next = same_line(self.bytes, end)?;
        self.result_end(next).filter(|_| self.bytes[next] != b'*')
    }

    /// Returns the end of words or results after a result on its line, up to a comment or the next game.
    fn remark_end(&mut self, at: usize) -> Option<usize> {
        if self.bytes[at] == b'[' {
            // `2-0 [Black resigned]`: here only a value in quotation marks makes a tag.
            let is_tag = odd_tag(false)(&self.bytes[at..]).is_ok() || self.is_markup(at);
            return if is_tag { None } else { self.bracketed_end(at) };
        }
        // All words and results of a line are one diagnostic: a megabyte of results would have half a million.
        let mut end = at;
        while let Some(next) = same_line(self.bytes, end) {
            let byte = self.bytes[next];
            let ends_here =
                byte == b'[' || self.is_comment(next, byte) || self.starts_game(next) || self.is_markup(next);
            if ends_here || self.end_of(next, typed_escape).is_some() {
                break;
            }
            end = self.result_end(next).unwrap_or_else(|| self.words_end(next));
        }
        // Punctuation alone is not a remark, but `1-1 =` has one.
        let is_remark = |byte: &u8| byte.is_ascii_alphanumeric() || b"!?=+".contains(byte) || *byte >= 0x80;
        self.bytes[at..end].iter().any(is_remark).then_some(end)
    }

    /// Returns true if this game directly follows a result: `1-1 2. 28x19`.
    pub(super) fn follows_result(&self) -> bool {
        let between = self.bytes.get(self.ended..self.game.start).unwrap_or_default();
        let is_apart = || SpaceBefore::new(self.bytes, self.game.start).blank_line();
        self.ended > 0 && skip_whitespace(between, 0) == between.len() && !is_apart()
    }

    /// Drops anything waiting for a move, and closes open variations.
    fn settle<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        self.drop_number(visitor)?;
        if let Some(marks) = self.game.strength.take() {
            visitor.stray(marks, self.span(marks))?;
        }
        self.unclosed_variations(visitor)
    }

    pub(super) fn finish<V: Visitor>(&mut self, visitor: &mut V, terminated: bool) -> Flow {
        self.settle(visitor)?;
        // A list of positions needs no results.
        let is_position =
            self.game.part == Part::Tags && self.game.seen.intersects(Seen::FEN | Seen::BARE_FEN | Seen::ONLY_FEN);
        if !terminated && !is_position {
            self.missing_terminator(visitor)?;
        }
        let next = || skip_whitespace(self.bytes, self.at);
        self.after_position = is_position
            && !terminated
            && (self.game.seen.contains(Seen::ONLY_POSITION) || !SpaceBefore::new(self.bytes, next()).blank_line());
        visitor.end_game((self.game.end - self.game.start) as u32)
    }
}

/// Returns the places from `from` on of tags after an empty line. Most games begin with one, and at most one is inside a
/// comment: the search for the end of the comment gives up at the second.
pub(crate) fn tags_after_empty_lines(bytes: &[u8], from: usize) -> impl Iterator<Item = usize> {
    memchr_iter(b'[', &bytes[from..]).map(move |at| from + at).filter(|&at| is_tag_after_empty_line(bytes, at))
}

/// Returns the place of the last tag after an empty line that begins before `end`.
pub(crate) fn last_tag_after_empty_line(bytes: &[u8], end: usize) -> Option<usize> {
    memrchr_iter(b'[', &bytes[..end]).find(|&at| is_tag_after_empty_line(bytes, at))
}

fn is_tag_after_empty_line(bytes: &[u8], at: usize) -> bool {
    tag_head(&bytes[at..]).is_ok() && SpaceBefore::new(bytes, at).blank_line()
}

/// Returns likely starts of games after the line of `from`: tags after an empty line, and, directly after a result, tags and `1.` at
/// the start of a line.
pub(crate) fn likely_starts(bytes: &[u8], from: usize) -> impl Iterator<Item = usize> {
    let reader = Reader::new(bytes);
    let is_after_result = move |at: usize| {
        let text = bytes[..at].trim_ascii_end();
        let word = text.iter().rposition(u8::is_ascii_whitespace).map_or(0, |space| space + 1);
        reader.result_end(word) == Some(text.len())
    };
    let begin = move |line: usize| line + bytes[line..].iter().take_while(|byte| b" \t".contains(byte)).count();
    let lines = memchr_iter(b'\n', &bytes[from..]).map(move |end| begin(from + end + 1));
    lines.filter(move |&at| match bytes[at..] {
        [b'[', ..] => is_tag_after_empty_line(bytes, at) || tag_head(&bytes[at..]).is_ok() && is_after_result(at),
        [b'1', b'.', ..] => is_after_result(at),
        _ => false,
    })
}

/// The game before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameBefore {
    WithResult,
    /// It may still get a result. It may be a position of a list, on which the reading of the next game depends.
    WithoutResult {
        is_listed: bool,
    },
}

/// Returns the game before the last one of a text, if the last one begins at `at` and no further text can change that: at a tag after
/// an empty line, or directly after a result, at a tag or a move with the number 1. The text begins between two games or with a game;
/// `is_listed` is true if a position of a list comes before it.
pub(crate) fn game_before(bytes: &[u8], is_listed: bool, at: usize) -> Option<GameBefore> {
    let (mut reader, mut starts, mut ended, mut is_listed) = (Reader::new(bytes), [None; 2], 0, is_listed);
    reader.after_position = is_listed;
    while reader.find_game(&mut Silent) == ControlFlow::Continue(true) {
        (starts, ended, is_listed) = ([starts[1], Some(reader.at)], reader.ended, reader.after_position);
        let _ = reader.read_game(&mut Silent);
    }
    let [Some(before), Some(start)] = starts else { return None };
    let has_result = ended > before;
    let follows_result = || skip_whitespace(bytes, ended) == at && (bytes[at] == b'[' || reader.is_first_move(at));
    let is_certain = start == at && (is_tag_after_empty_line(bytes, at) || has_result && follows_result());
    is_certain.then_some(if has_result { GameBefore::WithResult } else { GameBefore::WithoutResult { is_listed } })
}

/// Returns the places where games begin, and where a reader may begin, in a text that begins between two games or with a game. If the
/// text is not complete, they end before the first one that more text could move: one that was found after a search for the end of a
/// comment, or of prose in parentheses, that reached the end of the text.
pub(crate) fn game_starts(bytes: &[u8], is_complete: bool) -> Vec<usize> {
    let (mut reader, mut starts) = (Reader::new(bytes), Vec::new());
    let known = |reader: &Reader<'_>| is_complete || !reader.closing.has_reached_end();
    while reader.find_game(&mut Silent) == ControlFlow::Continue(true) && known(&reader) {
        let start = reader.at;
        let _ = reader.read_game(&mut Silent);
        // Without the position before it, the last one of a list would take the tags of the next game.
        if !reader.game.seen.contains(Seen::LAST_OF_LIST) {
            starts.push(start);
        }
    }
    starts
}

/// Returns the result in the text that ends a game, without a star or parentheses: `* 2-0`, `(2-0).`, `(2-0) *`.
pub(in crate::pdn) fn bare_result(text: &[u8]) -> &[u8] {
    let [b'*' | b'(', ..] = text else { return text };
    let inner = &text[skip_whitespace(text, 1)..];
    match token(inner) {
        Ok((rest, Token::Result(_))) => &inner[..inner.len() - rest.len()],
        _ => text,
    }
}

/// The beginnings of words that join the sides, not the names of players: `Wit-Zwart 2-0` is the result of a game.
const SIDES: [&str; 7] = ["White-", "Wit-", "Blancs-", "Bianco-", "Brancas-", "Weiß-", "Белые-"];

/// Returns true if a word is two names with a dash between them: `Jansen-Smit`.
fn joins_names(word: &[u8]) -> bool {
    if SIDES.iter().any(|side| word.starts_with(side.as_bytes())) {
        return false;
    }
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte >= 0x80;
    (1..word.len()).any(|at| {
        let len = if word[at] == b'-' { 1 } else { dash_len(&word[at..]) };
        len > 0 && is_letter(word[at - 1]) && begins_with_capital(&word[at + len..])
    })
}

/// Returns true if the first letter is a capital in UTF-8; of other encodings, which differ in their capitals, none is known here.
fn begins_with_capital(text: &[u8]) -> bool {
    let first = text[..text.len().min(4)].utf8_chunks().next();
    first.and_then(|chunk| chunk.valid().chars().next()).is_some_and(char::is_uppercase)
}

/// A visitor that only reads on.
struct Silent;

impl Visitor for Silent {}
