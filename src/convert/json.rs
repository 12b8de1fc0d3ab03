//! Rows as JSON: a value a line, or one array.

use serde::Serialize;

/// Appends a value as one line of JSON.
///
/// # Panics
///
/// If the value cannot be JSON, which rows always can.
pub fn write_json_line(out: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(&mut *out, value).expect("rows have text keys and memory takes all writes");
    out.push(b'\n');
}

/// Appends a value of an array that is written piece by piece, with the bracket or comma in front of it. What follows the
/// last one is `\n]\n`.
///
/// # Panics
///
/// If the value cannot be JSON, which rows always can.
pub fn write_json_array_item(out: &mut Vec<u8>, first: bool, value: &impl Serialize) {
    out.extend_from_slice(if first { b"[\n" } else { b",\n" });
    serde_json::to_writer(&mut *out, value).expect("rows have text keys and memory takes all writes");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_in_pieces() {
        let mut out = Vec::new();
        write_json_array_item(&mut out, true, &1);
        write_json_array_item(&mut out, false, &"a");
        out.extend(b"\n]\n");
        assert_eq!(out, b"[\n1,\n\"a\"\n]\n");
    }
}
