//! Text from records and engines cannot disturb a terminal.

use crate::support::binary::{Folder, pdn_with};

/// Escape sequences, a control character of eight bits, and marks that reorder text.
const HOSTILE: &str = "\x1b[2J\x1b]0;title\x07 \u{9b}31m \u{202e}abc\u{2066} \u{200f}";

fn is_safe(text: &str) -> bool {
    !text.contains(['\x1b', '\x07', '\u{9b}', '\u{202e}', '\u{2066}', '\u{200f}'])
}

#[test]
fn records_are_shown_without_escape_sequences() {
    let text =
        format!("[Event \"{HOSTILE}\"]\n[White \"{HOSTILE}\"]\n[Date \"{HOSTILE}\"]\n1. 32-28 {HOSTILE} 31-13 *\n");
    for arguments in [
        &["check", "-"][..],
        &["check", "--all", "--strict", "-"],
        &["check", "--require-tags", HOSTILE, "-"],
        &["show", "-"],
        &["fmt", "--fix", "-"],
    ] {
        let run = pdn_with(&text, arguments);
        assert!(is_safe(&run.errors), "{arguments:?}: {:?}", run.errors);
        assert!(arguments[0] == "fmt" || is_safe(run.text()), "{arguments:?}: {:?}", run.text());
    }
    let folder = Folder::with("a.pdn", &text);
    let shown = folder.run(&["check", "a.pdn"]);
    assert!(shown.text().contains("\u{fffd}[2J\u{fffd}]0;title\u{fffd}"), "{}", shown.text());
}

#[test]
fn arguments_in_errors_are_shown_without_escape_sequences() {
    for arguments in [
        &["moves", "--fen", HOSTILE][..],
        &["show", "--fen", HOSTILE],
        &["perft", "--depth", "1", "--fen", HOSTILE],
        &["check", HOSTILE],
        &["check", "--variant", HOSTILE],
        &[HOSTILE],
        &["annotate", "--engine", HOSTILE, "-"],
    ] {
        let run = pdn_with("1. 32-28 *", arguments);
        assert!(run.status != Some(0) && is_safe(&run.errors), "{arguments:?}: {:?}", run.errors);
    }
}

#[test]
fn carets_follow_wide_characters() {
    let run = pdn_with("[GameType \"20\"]\n{跳棋} 1. 31-13 *\n", &["check", "-"]).is(1);
    let lines = run.lines();
    let at = lines.iter().position(|line| line.contains("跳棋")).expect("the line");
    // The text before the move is two columns wider than it has characters.
    let caret = lines[at + 1].find('^').expect("a caret");
    assert_eq!(caret, lines[at].chars().take_while(|letter| *letter != '3').count() + 2);
}

/// Skipped where there is no `script`, which gives a program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_report_is_not_written_to_a_terminal() {
    let folder = Folder::with("a.pdn", "[GameType \"20\"]\n1. 32-28 *\n");
    let on_terminal = |arguments: &str| {
        let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_pdn"));
        let mut command = std::process::Command::new("script");
        let output = command.current_dir(folder.path(".")).args(["-qec", &line, "/dev/null"]).output().ok()?;
        Some((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned()))
    };
    let Some((status, text)) = on_terminal("report a.pdn") else {
        return crate::support::corpus::skip("no script");
    };
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("-o report.html") && !text.contains("<html"), "{text}");
    assert_eq!(on_terminal("report a.pdn -o report.html").and_then(|(status, _)| status), Some(0));
    assert!(folder.read("report.html").starts_with("<!doctype html>"));
}
