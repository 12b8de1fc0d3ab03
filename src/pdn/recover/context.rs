//! Text that does not match any production, in its context.

use std::ops::ControlFlow;

use nom::Parser;
use nom::sequence::delimited;

use super::moves::{captured_list, split_capture};
use super::text::{Spelling, bold, line_mark, markup, odd_count, odd_ellipsis, word};
use super::{Token, has_foreign, odd_tag, token};
use crate::diag::Code;
use crate::pdn::grammar::primitive::{byte, decimal, few, run};
use crate::pdn::grammar::{Deviations, Move, dots};
use crate::pdn::movetext::Squares;
use crate::pdn::reader::{GO, Last, Next, Part, Reader, Seen, SpaceBefore, Step, same_line, skip_whitespace};
use crate::pdn::tree::WrittenNumber;
use crate::pdn::visitor::{Flow, Visitor};
use crate::text::whitespace::{is_skipped, is_space, wide_len, wide_len_at_end};

impl<'a> Reader<'a> {
    /// Reads text that does not match any production.
    #[cold]
    pub(in crate::pdn) fn recover<V: Visitor>(&mut self, visitor: &mut V, byte: u8) -> Step {
        if matches!(byte, b'=' | b'+' | b'-' | 0x80..)
            && let Some(step) = self.symbol(visitor)
        {
            return step;
        }
        match byte {
            b'.' | 0xE2 | 0x85 if self.is_ellipsis_of_game() => self.odd_ellipsis(visitor),
            b'<' | b'&' | b'>' | b'`' | b'~' if self.is_markup(self.at) => self.markup(visitor),
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'&' | 0x80.. => self.odd_token(visitor),
            b'{' => self.odd_comment(visitor),
            b'%' | b';' if self.is_comment(self.at, byte) => self.odd_comment(visitor),
            b'[' => self.bracket(visitor),
            // `3. 8-3 . 1-0`, and the row `. . .` of a diagram at once, in linear time.
            b'.' => {
                let end = self.end_of(self.at, odd_ellipsis).unwrap_or(self.at + 1);
                self.stray(visitor, end, Code::SYNTAX_STRAY_PERIOD)
            }
            b',' | b';' | b'/' if self.is_separator(self.at) || self.separates_tags(self.at) => {
                self.stray_comma(visitor)
            }
            b'-' => self.dash(visitor),
            b'/' => self.odd_setup(visitor),
            b'\\' => self.backslash(visitor),
            b'}' => self.stray(visitor, self.at + 1, Code::SYNTAX_STRAY_BRACE),
            b']' => self.stray(visitor, self.at + 1, Code::SYNTAX_STRAY_BRACKET),
            b'?' if self.own_fen_end(self.at).is_some() => self.odd_token(visitor),
            _ => self.words(visitor),
        }
    }

    /// `stray-comma`: `1. 32-28, 19-23;`.
    fn stray_comma<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        self.report(visitor, Code::SYNTAX_STRAY_COMMA, self.text_to(self.at + 1))?;
        self.pass(self.at + 1, Last::Other);
        GO
    }

    /// `odd-ellipsis`: `1. . . 19-23`, `… 19-23`.
    fn odd_ellipsis<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        let end = self.end_of(self.at, odd_ellipsis).unwrap_or(self.at + 1);
        self.report(visitor, Code::SYNTAX_ODD_ELLIPSIS, self.text_to(end))?;
        self.ellipsis(visitor, end)
    }

    /// Returns true if an ellipsis is here, after a number, or beside a move or a comment and of at most three signs: others are text,
    /// as the empty row `. . . . .` of a diagram.
    fn is_ellipsis_of_game(&self) -> bool {
        let signs = |end| self.text_to(end).split(|byte| is_space(*byte)).filter(|sign| !sign.is_empty());
        let is_short = |end| signs(end).nth(3).is_none();
        let follows_comment = || self.bytes[self.game.start..self.game.end].ends_with(b"}");
        let is_after = || matches!(self.game.last, Last::Move | Last::Null) || follows_comment();
        let is_beside = |end| is_after() || self.move_follows(end);
        let found = self.end_of(self.at, odd_ellipsis);
        found.is_some_and(|end| self.game.number.is_some() || is_short(end) && is_beside(end))
    }

    pub(in crate::pdn) fn is_odd_ellipsis(&self, at: usize) -> bool {
        self.end_of(at, odd_ellipsis).is_some()
    }

    /// `markup`: `<br />`, `&nbsp;`, `[/pdn]`, `**`, read as whitespace.
    pub(in crate::pdn) fn markup<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        let end = self.markup_end(self.at).unwrap_or(self.at + 1);
        self.report_once(visitor, Seen::MARKUP, Code::SYNTAX_MARKUP, self.text_to(end))?;
        self.pass_whitespace(end);
        GO
    }

    pub(in crate::pdn) fn is_markup(&self, at: usize) -> bool {
        self.markup_end(at).is_some()
    }

    /// The end of markup. The signs of Markdown are such only at the start of a line, and stars only directly before or after
    /// text: a star alone is a result.
    pub(in crate::pdn) fn markup_end(&self, at: usize) -> Option<usize> {
        match self.bytes.get(at)? {
            b'<' | b'&' | b'[' => self.end_of(at, markup),
            b'>' | b'`' | b'~' if SpaceBefore::new(self.bytes, at).line_start() => self.end_of(at, line_mark),
            b'*' => {
                let end = self.end_of(at, bold)?;
                let is_text = |byte: Option<&u8>| byte.is_some_and(|&byte| !is_skipped(byte));
                (is_text(self.bytes.get(end)) || is_text(at.checked_sub(1).map(|at| &self.bytes[at]))).then_some(end)
            }
            _ => None,
        }
    }

    /// `bare-fen`: a position without a tag, which begins a game, or is the first of a list under tags.
    fn bare_fen<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> Step {
        if self.is_past_position() {
            return ControlFlow::Continue(Next::Cut);
        }
        self.drop_number(visitor)?;
        let text = self.text_to(end);
        self.report(visitor, Code::SYNTAX_BARE_FEN, text)?;
        let step = self.tag_of(visitor, b"FEN", text, end);
        self.game.seen |= Seen::BARE_FEN;
        step
    }

    /// Returns true if a position here begins another game: it is the second one, or follows moves.
    fn is_past_position(&self) -> bool {
        self.game.part == Part::Moves || self.game.seen.intersects(Seen::FEN | Seen::BARE_FEN)
    }

    /// The end of a position without a tag, in a game that begins with one, or before the moves of a game that has none.
    fn own_fen_end(&self, at: usize) -> Option<usize> {
        let has_none = self.game.part != Part::Moves && !self.game.seen.contains(Seen::FEN);
        let is_listed = has_none || self.game.seen.contains(Seen::BARE_FEN);
        if is_listed { self.bare_fen_end(at) } else { None }
    }

    /// `2. W:W25:B5,6`: returns the end of the number of a position in a list, which begins here.
    #[cold]
    pub(in crate::pdn) fn numbered_position(&self) -> Option<usize> {
        let is_number = |byte: &&u8| byte.is_ascii_digit() || b".)".contains(byte);
        // A longer run is not the number of a position.
        let len = self.rest().iter().take(6).take_while(is_number).count();
        let next = same_line(self.bytes, self.at + len)?;
        self.own_fen_end(next).map(|_| self.at + len)
    }

    /// Keeps the number of a position as text of its game, without its full stop: with it, it would be the number of a missing move.
    #[cold]
    pub(in crate::pdn) fn position_number<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> Step {
        if self.is_past_position() {
            return ControlFlow::Continue(Next::Cut);
        }
        self.drop_number(visitor)?;
        let text = self.text_to(end);
        let digits = &text[..text.iter().take_while(|byte| byte.is_ascii_digit()).count()];
        visitor.stray(digits, self.span(digits))?;
        self.pass(end, Last::Other);
        GO
    }

    fn odd_token<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        if let Some(end) = self.own_fen_end(self.at) {
            return self.bare_fen(visitor, end);
        }
        let Ok((rest, token)) = token(self.rest()) else { return self.words(visitor) };
        let end = self.place_of_rest(rest);
        match token {
            Token::Move(found) => self.odd_move(visitor, found, end),
            Token::Number(number) => {
                let text = self.text_to(end);
                if odd_count(text).is_ok_and(|(rest, _)| rest.is_empty()) {
                    self.report(visitor, Code::SYNTAX_ODD_ELLIPSIS, text)?;
                }
                self.report_foreign(visitor, text)?;
                self.count(visitor, number, text, end)
            }
            Token::Result(spelling) => self.odd_result(visitor, spelling, end),
            // In a variation, `12)` ends it.
            Token::NumberTypo(value)
                if self.move_follows(end) && (self.game.depth == 0 || !self.text_to(end).ends_with(b")")) =>
            {
                self.number_typo(visitor, value, end)
            }
            Token::Digits(value) => self.digits(visitor, value, end),
            // `Event "Veterans"]`, or prose.
            _ => match self.headless_tag(self.at) {
                Some((rest, tag)) => {
                    self.odd_tag(visitor, tag.name, tag.value, tag.deviations, self.place_of_rest(rest))
                }
                None => self.words(visitor),
            },
        }
    }

    /// `number-typo`: `9n 32-28`, `9) 32-28`.
    fn number_typo<V: Visitor>(&mut self, visitor: &mut V, value: u32, end: usize) -> Step {
        let text = self.text_to(end);
        self.report(visitor, Code::SYNTAX_NUMBER_TYPO, text)?;
        self.count(visitor, WrittenNumber::new(value, 1), text, end)
    }

    /// The digits in the parentheses that open here, and the place after them: `(12)`.
    pub(in crate::pdn) fn number_in_parentheses(&self) -> Option<(u32, usize)> {
        let digits = few::<1, 3>(|byte| byte.is_ascii_digit());
        let (rest, value) = delimited(byte(b'('), digits, byte(b')')).map(decimal).parse(self.rest()).ok()?;
        Some((value, self.place_of_rest(rest)))
    }

    /// `(1) 32-28 19-23 (2) 28x19`: `number-typo` before a move if the first move has one too; otherwise text, as the minutes after moves.
    pub(in crate::pdn) fn number_or_prose<V: Visitor>(&mut self, visitor: &mut V, value: u32, end: usize) -> Step {
        let is_first = !self.game.has_move && self.game.depth == 0;
        let may_count = is_first || self.game.seen.contains(Seen::NUMBER_IN_PARENTHESES);
        // `1. (2) 32-28` has its number.
        if may_count && self.game.number.is_none() && self.move_follows(end) {
            self.game.seen |= Seen::NUMBER_IN_PARENTHESES;
            return self.number_typo(visitor, value, end);
        }
        self.stray(visitor, end, Code::SYNTAX_PROSE_IN_PARENTHESES)
    }

    /// Digits alone: `number-without-dot` before a move, otherwise text.
    fn digits<V: Visitor>(&mut self, visitor: &mut V, value: u32, end: usize) -> Step {
        // `1.15` and `0.12` are times and evaluations, not a number and another one.
        if let Some((_, number)) = self.game.number.filter(|(_, number)| self.place(number) + number.len() == self.at) {
            self.game.number = None;
            self.at = self.place(number);
            return self.words(visitor);
        }
        let text = self.text_to(end);
        let next = skip_whitespace(self.bytes, end);
        // `1 ... 19-23`
        let dots = dots(&self.bytes[next..]).map_or(0, |(_, dots)| dots.len());
        if dots > 0 && self.move_follows(next + dots) {
            self.report(visitor, Code::SYNTAX_NUMBER_WITHOUT_DOT, text)?;
            let number = WrittenNumber::new(value, dots.min(255) as u8);
            return self.count(visitor, number, self.text_to(next + dots), next + dots);
        }
        // `9 32-28`; four digits are more likely a year, and digits directly after a move belong to a word.
        let plain = matches!(self.bytes.get(next), Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z'));
        if value < 1000 && !self.follows_move() && plain && self.move_follows(next) {
            self.report(visitor, Code::SYNTAX_NUMBER_WITHOUT_DOT, text)?;
            return self.count(visitor, WrittenNumber::new(value, 1), text, end);
        }
        self.words(visitor)
    }

    /// `number-without-move`: `62. *`, `12. (11. 32-28)`.
    pub(in crate::pdn) fn drop_number<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Some((_, text)) = self.game.number.take() {
            self.report(visitor, Code::SYNTAX_NUMBER_WITHOUT_MOVE, text)?;
            visitor.stray(text, self.span(text))?;
        }
        Flow::Continue(())
    }

    /// `colon-result` (`1:0`), `blank-in-result` (`1 - 0`), `odd-result` (`½`), `missing-blank` (`0-001. 33-29`).
    fn odd_result<V: Visitor>(&mut self, visitor: &mut V, spelling: Spelling, end: usize) -> Step {
        let text = self.text_to(end);
        if let Some(code) = spelling.code() {
            self.report(visitor, code, text)?;
        }
        self.report_foreign(visitor, text)?;
        self.result(visitor, end)
    }

    fn odd_move<V: Visitor>(&mut self, visitor: &mut V, found: Move<'a>, end: usize) -> Step {
        // `3228` is a move, but `(in 1952, Paris)` and `1952` before any movetext are years.
        let glued = found.deviations.contains(Deviations::MISSING_SEPARATOR);
        let in_prose = glued && (self.game.depth > 0 || self.game.part == Part::Tags) && self.is_year(self.at);
        if self.game.number.is_none() && (in_prose || glued && self.leads_nowhere(self.at)) {
            return self.words(visitor);
        }
        self.report_deviations(visitor, found.deviations, self.text_to(end))?;
        self.play(visitor, found, end)
    }

    /// `dashed-capture` (`12-21-32-23`), `odd-separator` (`32–28`), `missing-separator` (`3228`), `ultra-short` (`cd4`),
    /// `upper-case` (`E3:G5`).
    fn report_deviations<V: Visitor>(&mut self, visitor: &mut V, deviations: Deviations, text: &'a [u8]) -> Flow {
        const ALWAYS: [(Deviations, Code); 3] = [
            (Deviations::DASHED_CAPTURE, Code::SYNTAX_DASHED_CAPTURE),
            (Deviations::ODD_SEPARATOR, Code::SYNTAX_ODD_SEPARATOR),
            (Deviations::MISSING_SEPARATOR, Code::SYNTAX_MISSING_SEPARATOR),
        ];
        const ONCE: [(Deviations, Seen, Code); 2] = [
            (Deviations::ULTRA_SHORT, Seen::ULTRA_SHORT, Code::SYNTAX_ULTRA_SHORT),
            (Deviations::UPPER_CASE, Seen::UPPER_CASE, Code::SYNTAX_UPPER_CASE),
        ];
        if has_foreign(text) {
            // Once in a game: where one move is written so, most are.
            self.report_foreign(visitor, text)?;
        }
        for (_, code) in ALWAYS.into_iter().filter(|(deviation, _)| deviations.contains(*deviation)) {
            self.report(visitor, code, text)?;
        }
        for (_, flag, code) in ONCE.into_iter().filter(|(deviation, ..)| deviations.contains(*deviation)) {
            self.report_once(visitor, flag, code, text)?;
        }
        Flow::Continue(())
    }

    /// `split-capture`: adds the further jumps of a capture written jump by jump, and returns its end. `11x18 18x25` is one
    /// move.
    #[inline]
    pub(in crate::pdn) fn split_captures<V: Visitor>(
        &mut self,
        visitor: &mut V,
        found: &mut Move<'a>,
        end: usize,
    ) -> ControlFlow<(), usize> {
        let next = skip_whitespace(self.bytes, end);
        // Nearly always the first byte shows that no jump follows.
        if next == end || self.bytes.get(next) != found.last.first() {
            return ControlFlow::Continue(end);
        }
        self.more_jumps(visitor, found, end)
    }

    #[cold]
    fn more_jumps<V: Visitor>(&mut self, visitor: &mut V, found: &mut Move<'a>, end: usize) -> ControlFlow<(), usize> {
        let mut end = end;
        loop {
            let next = skip_whitespace(self.bytes, end);
            let Ok((rest, jump)) = split_capture(found.last)(&self.bytes[next..]) else { break };
            // Without whitespace between them, the grammar would have taken the squares as one capture.
            if next == end {
                break;
            }
            found.squares.extend(jump.squares.into_iter().skip(1));
            (found.last, end) = (jump.last, self.place_of_rest(rest));
            self.report(visitor, Code::MOVE_SPLIT_CAPTURE, &self.bytes[next..end])?;
        }
        ControlFlow::Continue(end)
    }

    /// `captured-list`: reads the list, if there is one, and returns its end. `47x36 <42, 29>`.
    #[cold]
    pub(in crate::pdn) fn captured_list<V: Visitor>(
        &mut self,
        visitor: &mut V,
        captured: &mut Squares,
        end: usize,
    ) -> ControlFlow<(), usize> {
        let Ok((rest, list)) = captured_list(&self.bytes[end..]) else { return ControlFlow::Continue(end) };
        *captured = list;
        let list_end = self.place_of_rest(rest);
        let start = skip_whitespace(self.bytes, end);
        self.report(visitor, Code::SYNTAX_CAPTURED_LIST, &self.bytes[start..list_end])?;
        ControlFlow::Continue(list_end)
    }

    /// A tag that deviates, or `stray-bracket`. After moves only a line start makes `[Round 17]` a tag.
    fn bracket<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        if self.is_markup(self.at) {
            return self.markup(visitor);
        }
        let loose = self.game.part != Part::Moves || SpaceBefore::new(self.bytes, self.at).line_start();
        if let Ok((rest, tag)) = odd_tag(loose)(self.rest()) {
            return self.odd_tag(visitor, tag.name, tag.value, tag.deviations, self.place_of_rest(rest));
        }
        // `32-28 [32-27 19-23]`: analysis in brackets, as in books, is not played.
        if self.game.part == Part::Moves
            && let Some(end) = self.bracketed_end(self.at)
        {
            return self.stray(visitor, end, Code::SYNTAX_STRAY_TEXT);
        }
        self.stray(visitor, self.at + 1, Code::SYNTAX_STRAY_BRACKET)
    }

    /// The end of words or moves in brackets on one line; a result alone in them is one.
    pub(in crate::pdn) fn bracketed_end(&self, at: usize) -> Option<usize> {
        let inner = self.end_of(at + 1, run(|byte| !b"[]{}\r\n".contains(&byte)))?;
        let words = self.bytes[at + 1..inner].trim_ascii();
        let is_result = matches!(token(words), Ok(([], Token::Result(_)))) || words == b"*";
        let has_words = words.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
        (self.bytes.get(inner) == Some(&b']') && has_words && !is_result).then_some(inner + 1)
    }

    /// Keeps text that has no place in the grammar.
    #[cold]
    pub(in crate::pdn) fn stray<V: Visitor>(&mut self, visitor: &mut V, end: usize, code: Code) -> Step {
        let text = self.text_to(end);
        self.report(visitor, code, text)?;
        visitor.stray(text, self.span(text))?;
        self.game.interrupted = true;
        self.pass(end, Last::Other);
        GO
    }

    /// `letter-for-digit` (`l4x23`), or a run of words: `missing-blank` after a move (`8-11Redoversteppedthetime`), otherwise
    /// `stray-text`.
    #[cold]
    pub(super) fn words<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        if let Some(start) = self.heading_of_next_game() {
            if start < self.at {
                // A number before the words: `3. Jansen - de Vries 2-0`.
                self.game.number = None;
                self.game.end = self.bytes[..start].trim_ascii_end().len();
                self.at = start;
            }
            return ControlFlow::Continue(Next::Cut);
        }
        if let Some(end) = self.misspelt_end(self.at) {
            return self.stray(visitor, end, Code::SYNTAX_LETTER_FOR_DIGIT);
        }
        let code = if self.follows_move() { Code::SYNTAX_MISSING_BLANK } else { Code::SYNTAX_STRAY_TEXT };
        let mut end = self.word_end(self.at);
        // Read as a space so far, but it may be the word `а` of cp866.
        let before = self.bytes[self.game.start..self.at].trim_ascii_end();
        if before.len() < self.at - self.game.start && wide_len_at_end(before) == 1 {
            self.at = self.game.start + before.len() - 1;
        }
        loop {
            let next = skip_whitespace(self.bytes, end);
            // `White resigned here 2. 28x19`: words are one diagnostic, up to the next token.
            if !self.bytes.get(next).is_some_and(|&byte| self.continues_words(end, next, byte)) {
                break;
            }
            end = self.word_end(next);
        }
        let after = end + self.bytes[end..].len() - self.bytes[end..].trim_ascii_start().len();
        if after > end && wide_len(&self.bytes[after..]) == 1 {
            end = after + 1;
        }
        self.stray(visitor, end, code)
    }

    fn word_end(&self, at: usize) -> usize {
        self.end_of(at, word).unwrap_or(at + 1)
    }

    /// Returns true if a word at `next` continues a run that ends at `end`.
    fn continues_words(&self, end: usize, next: usize, byte: u8) -> bool {
        let known = match byte {
            b'0'..=b'9' if self.is_year(next) => false,
            b'0'..=b'9' => match self.token_at(next) {
                Ok((rest, Token::Digits(_) | Token::NumberTypo(_))) => self.move_follows(self.place_of_rest(rest)),
                Ok((_, Token::Word)) => false,
                _ => true,
            },
            b'a'..=b'z' | b'A'..=b'Z' => {
                self.is_move(next) || self.headless_tag(next).is_some() || self.own_fen_end(next).is_some()
            }
            b'&' if self.is_markup(next) => true,
            b'&' | 0x80.. => self.token_at(next).is_ok_and(|(_, token)| token != Token::Word),
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'$' | b'*' | b'.' | b'!' | b'?' | b'-' | b'/' | b'\\' => true,
            b'%' | b';' => self.is_comment(next, byte),
            b'<' | b'`' | b'>' | b'~' => self.is_markup(next),
            _ => false,
        };
        let known = known || self.misspelt_end(next).is_some();
        !known && !SpaceBefore::new(self.bytes, next).blank_line() && next > end
    }
}
