//! Text outside any game.

use crate::diag::{Code, Diagnostic};
use crate::text::{Encoding, decode_line};

/// A diagnostic outside any game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    pub(super) offset: usize,
    pub(super) diagnostic: Diagnostic,
}

impl Outside {
    /// Returns a diagnostic that begins at a byte of the input and whose span counts from there.
    pub const fn new(offset: usize, diagnostic: Diagnostic) -> Self {
        Self { offset, diagnostic }
    }

    /// Returns the byte where it begins in the input.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the diagnostic; its span counts from [`offset`](Self::offset).
    pub const fn diagnostic(&self) -> &Diagnostic {
        &self.diagnostic
    }

    pub(crate) const fn diagnostic_mut(&mut self) -> &mut Diagnostic {
        &mut self.diagnostic
    }

    /// Returns the diagnostic without its place.
    pub fn into_diagnostic(self) -> Diagnostic {
        self.diagnostic
    }

    /// Returns the text that it is about, without the marks of a comment, if there is anything to keep: letters or digits.
    /// `bytes` is the input, read in `encoding` if it is not UTF-8.
    ///
    /// # Panics
    ///
    /// Panics if the input is another one.
    pub fn text(&self, bytes: &[u8], encoding: Option<Encoding>) -> Option<String> {
        let bytes = &bytes[self.offset..][self.diagnostic.span().range()];
        let text = decode_line(bytes, encoding.unwrap_or(Encoding::Latin1));
        let text = text.trim().trim_start_matches(['{', '%', ';']).trim_end_matches('}');
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (text.chars().any(char::is_alphanumeric) && !self.is_noise()).then_some(text)
    }

    fn is_noise(&self) -> bool {
        let noise = [
            Code::SYNTAX_STRAY_BRACE,
            Code::SYNTAX_STRAY_BRACKET,
            Code::SYNTAX_CONTROL_CHARACTER,
            Code::SYNTAX_TYPED_ESCAPE,
        ];
        noise.contains(&self.diagnostic.code())
    }
}

#[cfg(test)]
mod tests {
    use super::super::games;

    #[test]
    fn words_and_comments_outside_any_game_have_text() {
        let bytes = b"The  first\n\n1. 32-28 * after\n1. 31-27 *\n}\n{the last}";
        let mut games = games(bytes);
        assert_eq!(games.by_ref().count(), 2);
        let texts: Vec<_> = games.take_outside().iter().filter_map(|outside| outside.text(bytes, None)).collect();
        assert_eq!(texts, ["The first", "after", "the last"]);
    }
}
