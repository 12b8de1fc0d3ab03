//! Diagnostics as workflow commands, which GitHub shows as annotations of a change.

use crate::diag::Severity;
use crate::records::DiagnosticRow;
use crate::text::printable_lines;

/// Appends a diagnostic as a command on one line: `::warning file=…,line=…,col=…,title=CODE::MESSAGE`.
///
/// # Examples
///
/// ```
/// use pdn::check::{CheckOptions, reviews};
/// use pdn::export::write_github_command;
/// use pdn::records::DiagnosticRow;
/// use pdn::source::Location;
///
/// let review = reviews(b"[GameType \"20\"]\n1. 31-13 *", CheckOptions::default()).next().unwrap();
/// let row = DiagnosticRow::new("a.pdn", 1, Location::default(), &review.diagnostics()[0]);
/// let mut out = Vec::new();
/// write_github_command(&mut out, &row);
/// assert!(out.starts_with(b"::error file=a.pdn,"));
/// ```
pub fn write_github_command(out: &mut Vec<u8>, row: &DiagnosticRow) {
    let level = match row.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let help = row.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
    let command = format!(
        "::{level} file={},line={},col={},title={}::{}\n",
        property(&row.file),
        row.line,
        row.column,
        property(row.code.name()),
        data(&format!("{}{help}", row.message)),
    );
    out.extend_from_slice(command.as_bytes());
}

/// Escapes the text of a command; a log shows it on a terminal.
fn data(text: &str) -> String {
    // The percent sign first: the codes of the others have one.
    printable_lines(text).replace('%', "%25").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;

    #[test]
    fn values_are_escaped() {
        let row = DiagnosticRow {
            file: "a,b:c\x1b[2J.pdn".into(),
            game: 3,
            offset: 10,
            length: 2,
            line: 4,
            column: 5,
            severity: Severity::Note,
            code: Code::TAG_TITLE,
            message: "100 %: x\x1b]0;".into(),
            help: Some("y".into()),
            diagnostic: crate::diag::messages::null_move(crate::diag::Span::default()),
        };
        let mut out = Vec::new();
        write_github_command(&mut out, &row);
        let wanted = "::notice file=a%2Cb%3Ac\u{fffd}[2J.pdn,line=4,col=5,title=tag/title::100 %25: x\u{fffd}]0;%0Ay\n";
        assert_eq!(String::from_utf8_lossy(&out), wanted);
    }
}
