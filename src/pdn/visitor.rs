//! The events of reading games.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::movetext::MoveText;
use super::tree::WrittenNumber;
use crate::diag::{Code, Diagnostic, Span, messages};
use crate::text::signs::{plain_letter, single_byte};
use crate::text::{Encoding, MAX_QUOTED};

/// Continue reading, or stop.
pub type Flow = ControlFlow<()>;

/// A tag as bytes of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawTag<'a> {
    /// The name.
    pub name: &'a [u8],
    /// The text between the quotes, with its backslashes.
    pub value: &'a [u8],
    /// All of it.
    pub span: Span,
    /// The value.
    pub value_span: Span,
}

/// A deviation as the reader found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault<'a> {
    /// Its kind.
    pub code: Code,
    /// Its position.
    pub span: Span,
    /// The bytes it refers to.
    pub text: &'a [u8],
}

impl Fault<'_> {
    /// Returns it as a diagnostic, which [`quote`] completes once the encoding of the game is known.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        messages::titled(self.code, self.span)
    }
}

/// Adds the first words of its text, in the encoding of the game, to a diagnostic that quotes it.
pub(crate) fn quote(diagnostic: &mut Diagnostic, game: &[u8], encoding: Encoding) {
    let span = diagnostic.span();
    if diagnostic.code() == Code::SYNTAX_UNICODE_SPACE {
        // The character itself would not be seen.
        let letter = str::from_utf8(&game[span.range()]).ok().and_then(|text| text.chars().next()).unwrap_or_default();
        *diagnostic = messages::unicode_space(span, format!("U+{:04X}", u32::from(letter)));
        return;
    }
    if diagnostic.code() == Code::SYNTAX_LOOK_ALIKE {
        let bytes = &game[span.range()];
        let letter = str::from_utf8(bytes).ok().and_then(|text| text.chars().next());
        let letter = letter.or_else(|| single_byte(bytes[0])).unwrap_or_default();
        let plain = plain_letter(letter).unwrap_or(letter);
        *diagnostic =
            messages::look_alike(span, letter.to_string(), format!("U+{:04X}", u32::from(letter)), plain.to_string());
        return;
    }
    messages::quote(diagnostic, || excerpt(&game[span.range()], encoding));
}

/// The first words of a text, on one line.
fn excerpt(bytes: &[u8], encoding: Encoding) -> String {
    // Enough for as many characters of four bytes: stray text may be megabytes long.
    let is_within = |end: &usize| encoding == Encoding::Utf8 && bytes.get(*end).is_some_and(|byte| byte & 0xC0 == 0x80);
    let mut end = bytes.len().min(4 * MAX_QUOTED);
    // Not inside a character, which has at most three further bytes.
    for _ in 0..3 {
        end -= usize::from(end > 0 && is_within(&end));
    }
    let text: Cow<'_, str> = encoding.decode(&bytes[..end]);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None if end < bytes.len() => format!("{words}…"),
        None => words,
    }
}

/// Receives every token of every game, in the order of the text, and can stop the reader at each of them.
///
/// The reader allocates nothing but the rare [`MoveText`] that needs it; all slices are parts of the input, and all spans
/// count from the start of the game. By default each method does nothing and continues.
#[allow(unused_variables)]
pub trait Visitor {
    /// A game begins at this byte.
    fn begin_game(&mut self, offset: usize) -> Flow {
        Flow::Continue(())
    }

    /// A tag.
    fn tag(&mut self, tag: RawTag<'_>) -> Flow {
        Flow::Continue(())
    }

    /// The tags are over: the first number, move or variation follows.
    fn begin_moves(&mut self) -> Flow {
        Flow::Continue(())
    }

    /// The number of the null move, ellipsis or setup that comes next.
    fn number(&mut self, number: WrittenNumber, span: Span) -> Flow {
        Flow::Continue(())
    }

    /// A move with its number, and the bytes of each.
    fn game_move(&mut self, number: Option<(WrittenNumber, Span)>, text: MoveText, span: Span) -> Flow {
        Flow::Continue(())
    }

    /// A null move.
    fn null_move(&mut self, span: Span) -> Flow {
        Flow::Continue(())
    }

    /// Dots that replace a move.
    fn ellipsis(&mut self, span: Span) -> Flow {
        Flow::Continue(())
    }

    /// A change of position, and the text between its quotes.
    fn setup(&mut self, fen: &[u8], span: Span) -> Flow {
        Flow::Continue(())
    }

    /// Marks of the last move, without parentheses.
    fn strength(&mut self, marks: &[u8], span: Span) -> Flow {
        Flow::Continue(())
    }

    /// A numeric annotation.
    fn nag(&mut self, nag: u16, span: Span) -> Flow {
        Flow::Continue(())
    }

    /// A comment, without its braces.
    fn comment(&mut self, text: &[u8], span: Span) -> Flow {
        Flow::Continue(())
    }

    /// A comment to the end of the line, without its mark.
    fn line_comment(&mut self, text: &[u8], span: Span) -> Flow {
        Flow::Continue(())
    }

    /// A variation opens.
    fn begin_variation(&mut self, span: Span) -> Flow {
        Flow::Continue(())
    }

    /// A variation closes; with an empty span where the game ends first.
    fn end_variation(&mut self, span: Span) -> Flow {
        Flow::Continue(())
    }

    /// The token that ends the game; the span includes parentheses around a result and a star beside it, the text does not.
    fn terminator(&mut self, text: &[u8], span: Span) -> Flow {
        Flow::Continue(())
    }

    /// Stray text, which is not a token.
    fn stray(&mut self, text: &[u8], span: Span) -> Flow {
        Flow::Continue(())
    }

    /// A deviation in the game.
    fn fault(&mut self, fault: Fault<'_>) -> Flow {
        Flow::Continue(())
    }

    /// The game ends; its length is in bytes.
    fn end_game(&mut self, len: u32) -> Flow {
        Flow::Continue(())
    }

    /// A deviation outside any game, at this byte; its span counts from there.
    fn outside(&mut self, offset: usize, fault: Fault<'_>) -> Flow {
        Flow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_end_between_characters() {
        let text = format!("{}é", " x".repeat(79) + "y");
        assert_eq!(excerpt(text.as_bytes(), Encoding::Utf8), format!("{}…", "x ".repeat(20)));
        // Few words in many bytes: the end of the excerpt falls into the character.
        for spaces in 156..160 {
            let text = format!("a{}\u{1F600}b", " ".repeat(spaces));
            assert_eq!(excerpt(text.as_bytes(), Encoding::Utf8), "a…", "{spaces}");
        }
        assert_eq!(excerpt("a é".as_bytes(), Encoding::Utf8), "a é");
    }
}
