//! Diagnostics as text for people: the message, and carets below the bytes that it refers to.

use std::fmt::{self, Write as _};
use std::ops::Range;

use super::{Diagnostic, Severity, in_language};
use crate::options::setters;
use crate::text::{Encoding, Language, Lines, columns, decode_part, printable, visible};

/// Maximum number of characters shown of a line; longer lines are cut around the span.
const WIDTH: usize = 100;
/// Characters shown before the span where a line is cut.
const BEFORE: usize = 30;

/// The text that diagnostics refer to, and its origin.
#[derive(Clone, Copy, Debug)]
pub struct Snippet<'a> {
    label: &'a str,
    bytes: &'a [u8],
    first_line: u64,
    first_column: u64,
    game: u64,
    encoding: Encoding,
    language: Language,
    paint: Paint,
}

impl<'a> Snippet<'a> {
    /// Returns a snippet of the file `label`. Spans count from its first byte, which is in line `first_line`, from 1.
    /// By default it starts at column 1 and belongs to no game.
    pub const fn new(label: &'a str, bytes: &'a [u8], first_line: u64) -> Self {
        Self {
            label,
            bytes,
            first_line,
            first_column: 1,
            game: 0,
            encoding: Encoding::Latin1,
            language: Language::English,
            paint: Paint::Plain,
        }
    }

    setters! { const
        /// Sets the number of the game in the file, from 1.
        pub game(game: u64);
        /// Sets the column of the first byte, from 1.
        pub(crate) first_column(first_column: u64);
        /// Sets the encoding of lines that are not UTF-8; without it, they are cp1252.
        pub encoding(encoding: Encoding);
        /// Sets the language of the diagnostics; without it, they are in English.
        pub(crate) language(language: Language);
    }

    /// Sets whether the text has ANSI colours; without them, it has no escape sequences.
    #[must_use]
    pub const fn ansi(self, ansi: bool) -> Self {
        self.paint(if ansi { Paint::Ansi } else { Paint::Plain })
    }

    /// Sets the use of colours.
    #[must_use]
    pub(crate) const fn paint(mut self, paint: Paint) -> Self {
        self.paint = paint;
        self
    }
}

/// The use of colours in text for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Paint {
    /// No escape sequences.
    #[default]
    Plain,
    /// ANSI colours.
    Ansi,
}

impl Paint {
    /// Returns a text in the colour of a severity.
    pub(crate) fn severity(self, severity: Severity, text: &str) -> String {
        self.wrap(severity.style(), text)
    }

    fn wrap(self, style: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Ansi => format!("\x1b[{style}m{text}\x1b[0m"),
        }
    }
}

impl Severity {
    const fn style(self) -> &'static str {
        match self {
            Self::Error => "1;31",
            Self::Warning => "1;33",
            Self::Note => "1;36",
        }
    }
}

/// Returns a diagnostic as several lines of text that end with a line feed: the message, the position, the line with a
/// caret, and the help.
///
/// # Examples
///
/// ```
/// use pdn::diag::{Snippet, render};
/// use pdn::games;
///
/// let text = b"1. 32-28 19-23\n2. 28x19 oops *";
/// let game = games(text).next().unwrap();
/// let shown = render(&game.diagnostics()[0], &Snippet::new("a.pdn", text, 7));
/// assert_eq!(shown, "\
/// warning[syntax/stray-text]: stray text: `oops`
///  --> a.pdn:8:10
///   |
/// 8 | 2. 28x19 oops *
///   |          ^^^^
///   = help: Text outside braces; put comments in braces.
/// ");
/// ```
pub fn render(diagnostic: &Diagnostic, snippet: &Snippet<'_>) -> String {
    Renderer::new(*snippet).render(diagnostic)
}

/// Renders several diagnostics about one text, and indexes its lines only once.
#[derive(Debug)]
pub(crate) struct Renderer<'a> {
    snippet: Snippet<'a>,
    lines: Lines<'a>,
}

impl<'a> Renderer<'a> {
    /// Finds the lines of the snippet.
    pub(crate) fn new(snippet: Snippet<'a>) -> Self {
        Self { snippet, lines: Lines::new(snippet.bytes) }
    }

    /// Returns a diagnostic as text, like [`render`].
    pub(crate) fn render(&mut self, diagnostic: &Diagnostic) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, diagnostic);
        text
    }

    fn write(&mut self, out: &mut String, diagnostic: &Diagnostic) -> fmt::Result {
        let (paint, language) = (self.snippet.paint, self.snippet.language);
        let (severity, words) = (diagnostic.severity(), diagnostic.words(language));
        let name = in_language(severity.name(), language);
        let title = paint.severity(severity, &format!("{name}[{}]", diagnostic.code()));
        writeln!(out, "{title}: {}", paint.wrap("1", &printable(&words.sentence)))?;
        let margin = self.write_excerpt(out, diagnostic, severity.style())?;
        if let Some(help) = words.help {
            let name = in_language("help", language);
            writeln!(out, "{margin} {} {}: {}", paint.wrap("1;34", "="), paint.wrap("1", &name), printable(&help))?;
        }
        Ok(())
    }

    /// Writes the position and the line with carets, and returns the margin left of them.
    fn write_excerpt(&mut self, out: &mut String, diagnostic: &Diagnostic, style: &str) -> Result<String, fmt::Error> {
        let (paint, bytes) = (self.snippet.paint, self.snippet.bytes);
        let start = (diagnostic.span().start as usize).min(bytes.len());
        let end = (diagnostic.span().end as usize).clamp(start, bytes.len());
        let (line, column) = self.lines.line_column(start);
        let number = (self.snippet.first_line + line - 1).to_string();
        let margin = " ".repeat(number.len());
        writeln!(out, "{margin}{} {}", paint.wrap("1;34", "-->"), self.position(line, column))?;

        let range = self.lines.range(line as usize - 1);
        let marked = start.min(range.end) - range.start..end.min(range.end) - range.start;
        let shown = Excerpt::new(&bytes[range], marked, self.snippet.encoding);
        let bar = paint.wrap("1;34", "|");
        writeln!(out, "{margin} {bar}")?;
        writeln!(out, "{} {bar} {}", paint.wrap("1;34", &number), shown.text)?;
        let carets = paint.wrap(style, &"^".repeat(shown.length));
        writeln!(out, "{margin} {bar} {}{carets}", " ".repeat(shown.indent))?;
        Ok(margin)
    }

    fn position(&self, line: u64, column: u64) -> String {
        let Snippet { label, first_line, first_column, game, language, .. } = self.snippet;
        let column = if line == 1 { column + first_column - 1 } else { column };
        let game =
            if game > 0 { format!(" ({})", in_language(&format!("game {game}"), language)) } else { String::new() };
        format!("{}:{}:{column}{game}", printable(label), first_line + line - 1)
    }
}

/// The part of a line that is shown, and the position of the carets.
struct Excerpt {
    text: String,
    indent: usize,
    length: usize,
}

impl Excerpt {
    fn new(line: &[u8], marked: Range<usize>, encoding: Encoding) -> Self {
        // A huge line is narrowed, between characters, before it is decoded.
        // A character has up to four bytes.
        let from = match marked.start.saturating_sub(4 * WIDTH) {
            0 => 0,
            from => between_characters(line, from),
        };
        let to = between_characters(line, line.len().min(marked.start + 4 * WIDTH));
        let decode = |range: Range<usize>| decode_part(&line[range], line, encoding).chars().collect::<Vec<_>>();
        let before = decode(from..marked.start).len();
        let length = decode(marked.start..marked.end.min(to)).len().max(1);
        Self::cut(&decode(from..to), before, length, from > 0, to < line.len())
    }

    fn cut(characters: &[char], before: usize, marked: usize, cut_left: bool, cut_right: bool) -> Self {
        let long = cut_left || cut_right || characters.len() > WIDTH;
        let first = if long && before > BEFORE { before - BEFORE } else { 0 };
        let last = if long { characters.len().min(first + WIDTH) } else { characters.len() };
        let mut text = String::new();
        let (ellipsis_left, ellipsis_right) = (first > 0 || cut_left, last < characters.len() || cut_right);
        if ellipsis_left {
            text.push('…');
        }
        text.extend(characters[first..last].iter().map(|&c| visible(c)));
        if ellipsis_right {
            text.push('…');
        }
        let marked = &characters[before.min(last)..last.min(before + marked)];
        let indent = width(&characters[first..before.min(last)]) + before.saturating_sub(last);
        // What has no width, such as the end of a line, gets a caret too.
        Self { text, indent: indent + usize::from(ellipsis_left), length: width(marked).max(1) }
    }
}

/// Returns the number of columns in which characters are shown.
fn width(characters: &[char]) -> usize {
    characters.iter().map(|&character| columns(visible(character))).sum()
}

/// Returns the first offset at or after `at` that is not inside a UTF-8 character.
fn between_characters(line: &[u8], at: usize) -> usize {
    // A character of UTF-8 has at most three such bytes; text in another encoding may have any number.
    let inside = line[at..].iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    at + inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Code, Span, messages};

    fn shown(bytes: &[u8], start: u32, end: u32) -> Vec<String> {
        let diagnostic = messages::titled(Code::MOVE_ILLEGAL, Span::new(start, end));
        render(&diagnostic, &Snippet::new("f", bytes, 1).game(3)).lines().map(str::to_owned).collect()
    }

    #[test]
    fn caret_is_below_the_span() {
        let lines = shown(b"[Event \"\xe9\xe9\"]\r\n\t1. 32-28\r\n", 18, 23);
        assert_eq!(lines[1], " --> f:2:5 (game 3)");
        assert_eq!(lines[3], "2 |  1. 32-28");
        assert_eq!(lines[4], "  |     ^^^^^");
    }

    #[test]
    fn a_damaged_byte_is_one_character_of_the_line() {
        let lines = shown(b"[White \"\xc3\xa9\xc3\xa9\xff\"] 1. 32-28", 19, 24);
        assert_eq!(lines[1], " --> f:1:18 (game 3)");
        assert_eq!(lines[3], "1 | [White \"\u{e9}\u{e9}\u{fffd}\"] 1. 32-28");
        assert_eq!(lines[4], "  |                  ^^^^^");
    }

    #[cfg(feature = "cli")]
    #[test]
    fn wide_characters_move_the_caret_by_two_columns() {
        let lines = shown("[White \"王天一\"] 1. 32-28".as_bytes(), 19, 27);
        assert_eq!(lines[4], "  |                 ^^^^^^^^");
        let lines = shown("{王} 32-28".as_bytes(), 1, 4);
        assert_eq!(lines[4], "  |  ^^");
    }

    #[test]
    fn a_span_over_several_lines_marks_the_first() {
        let lines = shown(b"ab{c\nd}", 2, 7);
        assert_eq!(lines[3], "1 | ab{c");
        assert_eq!(lines[4], "  |   ^^");
    }

    #[test]
    fn an_empty_span_and_one_after_the_end_have_a_caret() {
        assert_eq!(shown(b"ab", 1, 1)[4], "  |  ^");
        assert_eq!(shown(b"ab", 9, 9)[4], "  |   ^");
        assert_eq!(shown(b"", 0, 0)[4], "  | ^");
        assert_eq!(shown(b"\xbf\xbf", 0, 0)[4], "  | ^");
    }

    #[test]
    fn long_lines_are_cut_around_the_span() {
        let line = [b"x ".repeat(5000), b"9-9".to_vec(), b" y".repeat(5000)].concat();
        let lines = shown(&line, 10_000, 10_003);
        let text: Vec<char> = lines[3].chars().collect();
        let caret = lines[4].find('^').expect("a caret");
        assert_eq!(text[caret..caret + 3], ['9', '-', '9']);
        assert!(text.len() < 120);
        assert!(lines[1].contains(":1:10001"));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let lines = shown(b"\x1b[31m 32-28\x00", 6, 11);
        assert!(!lines.iter().any(|line| line.contains(['\x1b', '\0'])));
        assert_eq!(lines[4], "  |       ^^^^^");
    }

    #[test]
    fn help_and_colour() {
        let diagnostic = messages::ambiguous(Span::new(0, 1), "x", "two paths");
        let plain = render(&diagnostic, &Snippet::new("f", b"x", 1));
        assert!(plain.ends_with("  = help: write the full path\n"), "{plain}");
        let ansi = render(&diagnostic, &Snippet::new("f", b"x", 1).ansi(true));
        assert!(ansi.starts_with("\x1b[1;31merror[move/ambiguous]\x1b[0m"));
    }
}
