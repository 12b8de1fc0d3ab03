//! Rows as JSON: one value per line, or one array.

use serde::Serialize;

/// Appends a value as one line of JSON.
///
/// # Panics
///
/// Panics if the value cannot be serialized, which rows always can be.
pub fn write_json_line(out: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(&mut *out, value).expect("rows have text keys, and writing to memory cannot fail");
    out.push(b'\n');
}

/// Appends an item of an array that is written in pieces, after [`SEPARATOR`].
///
/// # Panics
///
/// Panics if the value cannot be serialized, which rows always can be.
pub fn write_json_item(out: &mut Vec<u8>, value: &impl Serialize) {
    out.extend_from_slice(SEPARATOR);
    serde_json::to_writer(&mut *out, value).expect("rows have text keys, and writing to memory cannot fail");
}

/// The bytes that [`write_json_item`] puts before an item; skip them before the first item of an array.
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
