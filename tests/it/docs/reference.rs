//! The page of the book about all commands, which `.ci/book` has `.ci/commands` make from the help of the program.

#![expect(clippy::print_stdout, reason = "a skipped test says so")]

use std::process::Command;

use crate::support::binary::program;
use crate::support::sources::root;

#[test]
fn the_page_of_commands_has_all_of_them() {
    let Ok(made) = Command::new("python3").arg(root().join(".ci/commands")).arg(program()).output() else {
        println!("skipped: no python3");
        return;
    };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let page = String::from_utf8(made.stdout).expect("UTF-8");
    assert!(page.matches("\n## pdn ").count() >= 34 && page.contains("\n### pdn egdb probe\n"), "commands are missing");
    assert!(!page.contains("\nCommon options:\n"), "options of all commands are repeated");
    assert!(page.contains("Schema of the JSON output: [schema/check.json](schema/check.json)."));
}
