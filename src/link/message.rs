//! Messages of the Hub protocol: lines such as `command name=value name="value with spaces" flag`.

use std::fmt;
use std::io::{self, BufRead};

/// A message of the Hub protocol, which is one line of text.
///
/// Any text can be read: a quote that is not closed ends with the line, and invalid text becomes an unknown command or an
/// unknown name, which receivers ignore.
///
/// # Examples
///
/// ```
/// use pdn::link::Message;
///
/// let message = Message::parse("done move=31-27 ponder=\"21x32x27\"");
/// assert_eq!(message.command(), "done");
/// assert_eq!(message.value("ponder"), Some("21x32x27"));
/// assert_eq!(message.to_string(), "done move=31-27 ponder=21x32x27");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    command: String,
    arguments: Vec<Argument>,
}

/// A name with a value, or without one for a flag.
type Argument = (String, Option<String>);

impl Message {
    /// Returns a message without arguments.
    pub fn new(command: &str) -> Self {
        Self { command: command.to_owned(), arguments: Vec::new() }
    }

    /// Adds an argument.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.arguments.push((name.to_owned(), Some(value.to_string())));
        self
    }

    /// Adds an argument if there is a value.
    #[must_use]
    pub(super) fn with_some(self, name: &str, value: Option<impl fmt::Display>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a flag.
    #[must_use]
    pub(super) fn with_flag(mut self, name: &str) -> Self {
        self.arguments.push((name.to_owned(), None));
        self
    }

    /// Reads a line. The command of an empty line is empty.
    pub fn parse(line: &str) -> Self {
        let line = line.trim();
        let (command, mut rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
        let mut message = Self::new(command);
        while let Some((argument, after)) = argument(rest) {
            message.arguments.push(argument);
            rest = after;
        }
        message
    }

    /// Returns the command, which is the first word.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Returns the value of the first argument of that name; the value of a flag is empty.
    pub fn value(&self, name: &str) -> Option<&str> {
        let (_, value) = self.arguments.iter().find(|(known, _)| known == name)?;
        Some(value.as_deref().unwrap_or_default())
    }

    /// Returns true if there is an argument or a flag of that name.
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }
}

/// Reads the first argument of a text and returns it with the rest of the text.
fn argument(text: &str) -> Option<(Argument, &str)> {
    let text = text.trim_start();
    if text.is_empty() {
        return None;
    }
    let end = text.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(text.len());
    let (name, after) = text.split_at(end);
    let Some(after) = after.strip_prefix('=') else {
        return Some(((name.to_owned(), None), after));
    };
    let (value, after) = value(after);
    Some(((name.to_owned(), Some(value.to_owned())), after))
}

fn value(text: &str) -> (&str, &str) {
    if let Some(quoted) = text.strip_prefix('"') {
        // Without its second quote, a value goes on to the end of the line.
        return quoted.split_once('"').unwrap_or((quoted, ""));
    }
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

impl fmt::Display for Message {
    /// Writes the line without a line end. Quotes and line breaks in values, which the protocol cannot express, are
    /// replaced.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.command)?;
        for (name, value) in &self.arguments {
            write!(f, " {name}")?;
            match value {
                None => {}
                Some(value) if is_plain(value) => write!(f, "={value}")?,
                Some(value) => write!(f, "=\"{}\"", value.replace('"', "'").replace(['\n', '\r'], " "))?,
            }
        }
        Ok(())
    }
}

fn is_plain(value: &str) -> bool {
    !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '=' || c == '"')
}

/// Maximum length of a line in bytes; a game of a thousand moves stays far below.
const MAX_LENGTH: usize = 1 << 20;

/// A line without its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InputLine {
    /// The text; invalid UTF-8 is replaced.
    Text(String),
    /// The line was too long and was skipped.
    TooLong,
}

/// Reads a line; returns `None` at the end. Text after the last line end is a line as well.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let (mut bytes, mut any, mut too_long) = (Vec::new(), false, false);
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            break;
        }
        any = true;
        let end = memchr::memchr(b'\n', available);
        let part = &available[..end.unwrap_or(available.len())];
        // The rest is read and dropped, so that the next line begins where it should.
        too_long |= bytes.len() + part.len() > MAX_LENGTH;
        if !too_long {
            bytes.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    let line = || String::from_utf8_lossy(&bytes).trim_end().to_owned();
    Ok(any.then(|| if too_long { InputLine::TooLong } else { InputLine::Text(line()) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_written_as_they_were_read() {
        for line in [
            "hub",
            "go think",
            "pos pos=Wbe moves=\"32-28 17-22 28x17x22\"",
            "id name=Scan version=3.1 author=\"Fabien Letouzey\" country=France",
            "param name=x value=\"\" type=string",
            "level moves=9 time=291.587",
        ] {
            assert_eq!(Message::parse(line).to_string(), line);
        }
    }

    #[test]
    fn whitespace_is_insignificant() {
        let message = Message::parse("  info   depth=3\tpv=\"31-26  20-25\"   x \r");
        let names = message.arguments.iter().map(|argument| &*argument.0);
        assert_eq!(names.collect::<Vec<_>>(), ["depth", "pv", "x"]);
        assert_eq!((message.value("pv"), message.value("x")), (Some("31-26  20-25"), Some("")));
        assert!(!message.has("score"));
    }

    #[test]
    fn any_text_is_read() {
        for line in ["", " ", "=", "a =", "a \"", "a b=\"c", "a ==", "a b=\"c\"d", "\u{0}\u{ff}", "a b=c=d \"e f\""] {
            let once = Message::parse(line);
            let again = Message::parse(&once.to_string());
            assert_eq!(again.command(), once.command(), "{line:?}");
        }
        assert_eq!(Message::parse("a b=\"c d").value("b"), Some("c d"));
        assert_eq!(Message::parse("a b=c=d").value("b"), Some("c=d"));
    }

    #[test]
    fn values_cannot_break_a_line() {
        let message = Message::new("error").with("message", "a \"b\"\nquit");
        assert_eq!(message.to_string(), "error message=\"a 'b' quit\"");
    }

    fn read_lines(mut bytes: &[u8]) -> Vec<InputLine> {
        std::iter::from_fn(|| next_line(&mut bytes).expect("memory can be read")).collect()
    }

    #[test]
    fn any_bytes_are_read_as_lines() {
        let text = |text: &str| InputLine::Text(text.to_owned());
        assert_eq!(read_lines(b""), []);
        assert_eq!(read_lines(b"hub\r\n\nquit"), [text("hub"), text(""), text("quit")]);
        assert_eq!(read_lines(b"\xff\x00\n"), [text("\u{fffd}\u{0}")]);
        let mut long = vec![b'x'; MAX_LENGTH + 1];
        long.extend_from_slice(b"\nping\n");
        assert_eq!(read_lines(&long), [InputLine::TooLong, text("ping")]);
    }
}
