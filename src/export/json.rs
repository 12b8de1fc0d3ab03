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

/// Appends a value of an array that is written piece by piece, with the comma and line feed in front of it.
///
/// # Panics
///
/// If the value cannot be JSON, which rows always can.
pub fn write_json_item(out: &mut Vec<u8>, value: &impl Serialize) {
    out.extend_from_slice(SEPARATOR);
    serde_json::to_writer(&mut *out, value).expect("rows have text keys and memory takes all writes");
}

/// What [`write_json_item`] puts in front of a value; the first one of an array goes without.
pub const SEPARATOR: &[u8] = b",\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_items() {
        let mut out = Vec::new();
        write_json_line(&mut out, &1);
        write_json_item(&mut out, &"a");
        assert_eq!(out, b"1\n,\n\"a\"");
    }
}
