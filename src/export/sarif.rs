//! Diagnostics as SARIF 2.1.0, the format that code hosts and editors display.
//!
//! A log is written in pieces: its header with all codes as rules, a result for each diagnostic, and its footer.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::json::write_json_item;
use crate::diag::Code;
use crate::records::DiagnosticRow;

/// Returns the start of a log, up to the first result.
pub(crate) fn sarif_header() -> Vec<u8> {
    let rules: Vec<Value> = Code::all()
        .map(|code| {
            json!({
                "id": code.name(),
                "shortDescription": {"text": code.meaning()},
                "defaultConfiguration": {"level": code.severity().to_string()},
            })
        })
        .collect();
    let driver = json!({
        "name": "pdn",
        "version": env!("CARGO_PKG_VERSION"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    // Columns count characters; without `columnKind`, readers would take them for units of UTF-16.
    let head = format!(
        "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{driver}}},\
         \"columnKind\":\"unicodeCodePoints\",\"results\":[\n"
    );
    head.into_bytes()
}

/// Appends a diagnostic after [`SEPARATOR`](super::SEPARATOR); skip the separator before the first one of a log.
pub(crate) fn write_sarif_result(out: &mut Vec<u8>, row: &DiagnosticRow) {
    let help = row.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
    let region = json!({
        "startLine": row.line,
        "startColumn": row.column,
        "byteOffset": row.offset,
        "byteLength": row.length,
    });
    let place = json!({"artifactLocation": {"uri": uri(&row.file)}, "region": region});
    let result = json!({
        "ruleId": row.code,
        "ruleIndex": row.code.index(),
        "level": row.severity,
        "message": {"text": format!("{}{help}", row.message)},
        "locations": [{"physicalLocation": place}],
        "properties": {"game": row.game},
    });
    write_json_item(out, &result);
}

/// Returns the end of a log.
pub(crate) const fn sarif_footer() -> &'static [u8] {
    b"\n]}]}\n"
}

/// Returns a file name as a relative or absolute URI, with percent-encoding.
fn uri(file: &str) -> String {
    let mut uri = String::with_capacity(file.len());
    let is_drive = matches!(file.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    let mut bytes = file.bytes();
    if is_drive {
        // `C:` would be the scheme of the URI.
        uri.push_str("file:///");
        uri.extend(bytes.by_ref().take(2).map(char::from));
    }
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            b'\\' if is_drive || cfg!(windows) => uri.push('/'),
            // Writing to a string cannot fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Severity;

    #[test]
    fn paths_become_uris() {
        for (path, expected) in [
            ("a b/c.pdn", "a%20b/c.pdn"),
            ("/games/50%.pdn", "/games/50%25.pdn"),
            ("C:\\games\\a b.pdn", "file:///C:/games/a%20b.pdn"),
            ("c:/a.pdn", "file:///c:/a.pdn"),
            ("c:a.pdn", "c%3Aa.pdn"),
        ] {
            assert_eq!(uri(path), expected);
        }
        if cfg!(unix) {
            assert_eq!(uri("a\\b.pdn"), "a%5Cb.pdn");
        }
    }

    #[test]
    fn a_log_is_json() {
        let row = DiagnosticRow {
            file: "a b/ä.pdn".into(),
            game: 3,
            offset: 10,
            length: 2,
            line: 4,
            column: 5,
            severity: Severity::Error,
            code: Code::MOVE_ILLEGAL,
            message: "wrong".into(),
            help: Some("right".into()),
            diagnostic: crate::diag::messages::null_move(crate::diag::Span::default()),
        };
        let mut results = Vec::new();
        write_sarif_result(&mut results, &row);
        write_sarif_result(&mut results, &row);
        let log = [&sarif_header()[..], &results[super::super::SEPARATOR.len()..], sarif_footer()].concat();
        let log: Value = serde_json::from_slice(&log).expect("JSON");
        let run = &log["runs"][0];
        let result = &run["results"][1];
        let rule = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], "move/illegal");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b/%C3%A4.pdn");
        assert_eq!(place["region"]["startColumn"], 5);
        assert_eq!(result["message"]["text"], "wrong\nright");
        let empty = [&sarif_header()[..], sarif_footer()].concat();
        assert!(serde_json::from_slice::<Value>(&empty).is_ok());
    }
}
