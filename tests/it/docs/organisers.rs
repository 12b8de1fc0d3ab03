//! The job of an organiser, from the files to the tables: each command of the page is run, and its output is the one shown.

use std::fs;

use crate::support::binary::{Folder, Run, fed};
use crate::support::sources::root;

const PAGE: &str = include_str!("../../../docs/organisers.md");

/// Returns the commands of the page, each with the output shown below it.
fn commands() -> Vec<(&'static str, &'static str)> {
    let blocks = PAGE.split("```console\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0));
    let commands = blocks.flat_map(|block| block.split("$ pdn ").skip(1));
    commands.map(|text| text.split_once('\n').expect("the end of the line")).collect()
}

/// Runs commands that are joined by pipes, and returns the output of the last and the messages of all.
fn run(folder: &Folder, line: &str) -> (String, String) {
    let (mut output, mut messages) = (Vec::new(), String::new());
    for part in line.split(" | ") {
        let words: Vec<_> = part.split_whitespace().map(|word| word.trim_matches('\'')).collect();
        let run = Run::from(fed(&folder.path("."), &output, words.strip_prefix(&["pdn"]).unwrap_or(&words))).is(0);
        output = run.bytes;
        messages += &run.errors;
    }
    (String::from_utf8(output).expect("UTF-8"), messages)
}

#[test]
fn the_whole_job_is_done_as_shown() {
    let folder = Folder::new();
    for entry in fs::read_dir(root().join("samples/organisers")).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("samples/organisers/{}", entry.file_name().to_string_lossy());
        folder.write(&name, fs::read(entry.path()).expect("a sample"));
    }
    let commands = commands();
    for (line, shown) in &commands {
        let (output, messages) = run(&folder, line);
        let all = output + &messages;
        // `…` is shown for lines that are left out.
        let mut rest = all.trim_end();
        for (n, part) in shown.split("…\n").enumerate() {
            let at = rest.find(part.trim_end()).filter(|&at| n > 0 || at == 0);
            let at = at.unwrap_or_else(|| panic!("{line}:\n{part}\nis not in\n{all}"));
            rest = &rest[at + part.trim_end().len()..];
        }
        assert!(rest.is_empty() || shown.ends_with('…'), "{line}: {rest}");
    }
    assert!(commands.len() >= 5, "{} commands", commands.len());
}
