//! Messages that end with a NUL byte, from an untrusted source.

use std::io::{self, BufRead};

use super::message::MAX_LENGTH;

/// Longest part of a message that is kept for a report.
const KEPT: usize = 2 * MAX_LENGTH;

/// Reads the bytes up to the next NUL byte, of a message that is too long only the first ones. Returns `None` at the end of
/// the input; half a message before it is dropped.
pub(super) fn next_frame(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut frame = Vec::new();
    loop {
        let available = match input.fill_buf() {
            Ok([]) => return Ok(None),
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = memchr::memchr(0, available);
        let part = &available[..end.unwrap_or(available.len())];
        frame.extend_from_slice(&part[..part.len().min(KEPT - frame.len())]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(frame));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn frames_are_read_whatever_arrives() {
        let mut bytes = b"E00\0\0".to_vec();
        bytes.extend(vec![b'x'; 100_000]);
        bytes.extend(b"\0\xff\0half");
        // A small buffer gives the messages in parts.
        let mut input = BufReader::with_capacity(2, &bytes[..]);
        let frames: Vec<_> = std::iter::from_fn(|| next_frame(&mut input).expect("memory can be read")).collect();
        assert_eq!(frames, [b"E00".to_vec(), Vec::new(), vec![b'x'; KEPT], b"\xff".to_vec()]);
    }
}
