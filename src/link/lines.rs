//! Lines of text from an untrusted source.

use std::io::{self, BufRead};

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
            return Ok(any.then(|| line(&bytes, too_long)));
        }
        any = true;
        let end = memchr::memchr(b'\n', available);
        let part = &available[..end.unwrap_or(available.len())];
        too_long |= bytes.len() + part.len() > MAX_LENGTH;
        if !too_long {
            bytes.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(line(&bytes, too_long)));
        }
    }
}

fn line(bytes: &[u8], too_long: bool) -> InputLine {
    if too_long { InputLine::TooLong } else { InputLine::Text(String::from_utf8_lossy(bytes).trim_end().to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut bytes: &[u8]) -> Vec<InputLine> {
        std::iter::from_fn(|| next_line(&mut bytes).expect("memory can be read")).collect()
    }

    #[test]
    fn any_bytes_are_read_as_lines() {
        let text = |text: &str| InputLine::Text(text.to_owned());
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"hub\r\n\nquit"), [text("hub"), text(""), text("quit")]);
        assert_eq!(lines(b"\xff\x00\n"), [text("\u{fffd}\u{0}")]);
        let mut long = vec![b'x'; MAX_LENGTH + 1];
        long.extend_from_slice(b"\nping\n");
        assert_eq!(lines(&long), [InputLine::TooLong, text("ping")]);
    }
}
