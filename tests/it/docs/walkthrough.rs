//! Runs the commands of a page in the order of the page, and compares their outputs with those shown.

use crate::support::binary::{Folder, Run, fed};

/// Returns the commands of a page, each with the output shown below it.
pub(super) fn commands(page: &str) -> Vec<(&str, &str)> {
    let blocks = page.split("```console\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0));
    let commands = blocks.flat_map(|block| block.split("$ pdn ").skip(1));
    commands.map(|text| text.split_once('\n').expect("the end of the line")).collect()
}

/// Runs commands that are joined by pipes, and returns the output of the last and the messages of all. Records may contain
/// errors.
pub(super) fn run(folder: &Folder, line: &str) -> (String, String) {
    let (mut output, mut messages) = (Vec::new(), String::new());
    for part in line.split(" | ") {
        let words = words(part);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let run = Run::from(fed(&folder.path("."), &output, words.strip_prefix(&["pdn"]).unwrap_or(&words)));
        assert!(matches!(run.status, Some(0 | 1)), "{line}: {:?} {}", run.status, run.errors);
        output = run.bytes;
        messages += &run.errors;
    }
    (String::from_utf8(output).expect("UTF-8"), messages)
}

/// Splits a command line at spaces outside single quotes, which are removed.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (n, part) in line.trim().split('\'').enumerate() {
        let mut pieces = if n % 2 == 0 { part.split(' ').collect() } else { vec![part] }.into_iter();
        words.last_mut().expect("a word").push_str(pieces.next().unwrap_or_default());
        words.extend(pieces.map(str::to_owned));
    }
    words
}

/// Requires that an output is the one shown, where `…` is shown for lines that are left out.
pub(super) fn require_as_shown(line: &str, all: &str, shown: &str) {
    let mut rest = all.trim_end();
    for (n, part) in shown.split("…\n").enumerate() {
        let at = rest.find(part.trim_end()).filter(|&at| n > 0 || at == 0);
        let at = at.unwrap_or_else(|| panic!("{line}:\n{part}\nis not in\n{all}"));
        rest = &rest[at + part.trim_end().len()..];
    }
    assert!(rest.is_empty() || shown.trim_end().ends_with('…'), "{line}: {rest}");
}

#[test]
fn quoted_words_keep_their_spaces() {
    assert_eq!(words("report a.pdn --title 'Our club'"), ["report", "a.pdn", "--title", "Our club"]);
}
