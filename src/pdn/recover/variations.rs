//! Comments and variations that deviate from the grammar.

use nom::Parser;
use nom::branch::alt;

use super::unclosed::CommentEnd;
use crate::diag::Code;
use crate::pdn::grammar::{comment, line_comment};
use crate::pdn::reader::{GO, Last, Reader, Step};
use crate::pdn::visitor::{Flow, Visitor};

impl Reader<'_> {
    /// A comment of any kind at this place, whether it is closed or not.
    pub(in crate::pdn) fn any_comment<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Ok((rest, text)) = line_comment(self.rest()) {
            return self.line_comment(visitor, text, self.place_of_rest(rest));
        }
        let end = self.any_comment_end(self.at);
        if let Some(code) = end.deviation {
            self.report(visitor, code, self.text_to(end.end))?;
        }
        let text = &self.bytes[self.at + 1..end.inner];
        visitor.comment(text, self.span(self.text_to(end.end)))?;
        self.pass(end.end, Last::Other);
        self.game.unclosed = end.deviation == Some(Code::SYNTAX_UNCLOSED_COMMENT);
        Flow::Continue(())
    }

    /// `nested-comment`, `unclosed-comment`, or a comment to the end of the line.
    pub(super) fn odd_comment<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        self.any_comment(visitor)?;
        self.game.interrupted = true;
        GO
    }

    pub(super) fn any_comment_end(&mut self, at: usize) -> CommentEnd {
        match alt((comment, line_comment)).parse(&self.bytes[at..]) {
            Ok((rest, text)) => {
                CommentEnd { inner: self.place(text) + text.len(), end: self.place_of_rest(rest), deviation: None }
            }
            Err(_) => self.closing.comment(self.bytes, at),
        }
    }

    /// The end of a comment of any kind.
    pub(in crate::pdn) fn comment_end(&mut self, at: usize) -> usize {
        self.any_comment_end(at).end
    }

    /// `prose-in-parentheses`
    #[cold]
    pub(in crate::pdn) fn prose_in_parentheses<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        let end = self.closing.prose(self.bytes, self.at);
        self.stray(visitor, end.unwrap_or(self.at + 1), Code::SYNTAX_PROSE_IN_PARENTHESES)
    }

    /// `unclosed-variation`: the game ends first.
    pub(in crate::pdn) fn unclosed_variations<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if self.game.depth == 0 {
            return Flow::Continue(());
        }
        let end = &self.bytes[self.game.end..self.game.end];
        for _ in 0..self.game.depth {
            visitor.end_variation(self.span(end))?;
        }
        self.game.depth = 0;
        let opened = self.game.opened;
        self.report(visitor, Code::SYNTAX_UNCLOSED_VARIATION, &self.bytes[opened..=opened])
    }
}
