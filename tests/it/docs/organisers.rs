//! The job of an organiser, from the files to the tables: each command of the page is run, and its output is the one shown.

use std::fs;

use super::walkthrough::{commands, require_as_shown, run};
use crate::support::binary::Folder;
use crate::support::sources::root;

const PAGE: &str = include_str!("../../../docs/organisers.md");

#[test]
fn the_whole_job_is_done_as_shown() {
    let folder = Folder::new();
    for entry in fs::read_dir(root().join("samples/organisers")).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("samples/organisers/{}", entry.file_name().to_string_lossy());
        folder.write(&name, fs::read(entry.path()).expect("a sample"));
    }
    let commands = commands(PAGE);
    for (line, shown) in &commands {
        let (output, messages) = run(&folder, line);
        let all = output + &messages;
        require_as_shown(line, &all, shown);
    }
    assert!(commands.len() >= 5, "{} commands", commands.len());
}
