//! Lines from somebody who may send anything.

use std::io::{self, BufRead};

/// Longest line that is read, in bytes; a game of a thousand moves stays far below.
const LONGEST: usize = 1 << 20;

/// A line without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Its text; bytes that are no UTF-8 are replaced.
    Text(String),
    /// It was too long, and passed over.
    TooLong,
}

/// Reads a line; `None` at the end. What stands behind the last line end is a line too.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let (mut bytes, mut read, mut too_long) = (Vec::new(), false, false);
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => continue,
            Err(fault) => return Err(fault),
        };
        if available.is_empty() {
            return Ok(read.then(|| line(&bytes, too_long)));
        }
        read = true;
        let end = memchr::memchr(b'\n', available);
        let part = &available[..end.unwrap_or(available.len())];
        too_long |= bytes.len() + part.len() > LONGEST;
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

fn line(bytes: &[u8], too_long: bool) -> Line {
    if too_long { Line::TooLong } else { Line::Text(String::from_utf8_lossy(bytes).trim_end().to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut bytes: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| next_line(&mut bytes).expect("memory can be read")).collect()
    }

    #[test]
    fn any_bytes_are_lines() {
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"hub\r\n\nquit"), [text("hub"), text(""), text("quit")]);
        assert_eq!(lines(b"\xff\x00\n"), [text("\u{fffd}\u{0}")]);
        let mut long = vec![b'x'; LONGEST + 1];
        long.extend_from_slice(b"\nping\n");
        assert_eq!(lines(&long), [Line::TooLong, text("ping")]);
    }
}
