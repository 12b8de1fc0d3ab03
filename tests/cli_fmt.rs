//! `pdn fmt` as it is called.

mod binary;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn pdn(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pdn")).current_dir(folder).args(arguments).output().expect("run")
}

fn piped(arguments: &[&str], input: &[u8]) -> Output {
    binary::fed(Path::new("."), input, arguments)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

const CANONICAL: &str = "[Event \"e\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
[Result \"2-0\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n";
const LOOSE: &str = "[Event \"e\"]\n[GameType \"20\"]\n\n01. 3228 19-23 2. 28-19 14x23 1-0\n";

#[test]
fn standard_input_to_standard_output() {
    let output = piped(&["fmt", "-"], LOOSE.as_bytes());
    assert_eq!((text(&output.stdout), output.status.code()), (CANONICAL, Some(0)));
    let output = piped(&["fmt", "-"], output.stdout.as_slice());
    assert_eq!(text(&output.stdout), CANONICAL);
    let output = piped(&["fmt", "--results", "-"], LOOSE.as_bytes());
    assert!(text(&output.stdout).ends_with("14x23 2-0\n"));
}

#[test]
fn texts_between_games_become_comments() {
    let input = "prose before\n\n[Event \"a\"]\n\n1. 32-28 *\n\n1-0\n\n{left over}\n";
    let once = piped(&["fmt", "--quiet", "-"], input.as_bytes()).stdout;
    assert!(
        text(&once).starts_with("{prose before}\n[Event \"a\"]\n")
            && text(&once).ends_with("*\n\n{1-0}\n{left over}\n"),
        "{}",
        text(&once)
    );
    assert_eq!(text(&piped(&["fmt", "--quiet", "-"], &once).stdout), text(&once));
}

#[test]
fn checks_and_replaces_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("good.pdn"), CANONICAL).expect("written");
    fs::write(path("loose.pdn"), LOOSE).expect("written");
    fs::write(path("mark.pdn"), format!("\u{feff}{CANONICAL}")).expect("written");
    let output = pdn(folder.path(), &["fmt", "--check", "."]);
    assert_eq!((text(&output.stdout), output.status.code()), ("./loose.pdn\n./mark.pdn\n", Some(1)));
    let before = fs::metadata(path("good.pdn")).expect("there").modified().expect("a time");
    let output = pdn(folder.path(), &["fmt", "-i", "."]);
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(0)));
    assert_eq!(text(&output.stderr), "2 files written anew\n");
    for name in ["good.pdn", "loose.pdn", "mark.pdn"] {
        assert_eq!(fs::read_to_string(path(name)).expect("there"), CANONICAL);
    }
    assert_eq!(fs::metadata(path("good.pdn")).expect("there").modified().expect("a time"), before);
    assert_eq!(pdn(folder.path(), &["fmt", "--check", "."]).status.code(), Some(0));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 3);
}

#[test]
fn what_cannot_be_replaced_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let huge = format!("{LOOSE}\n[Event \"x\"]\n1. 32-28 {{{}}} *\n", "long ".repeat(100));
    fs::write(folder.path().join("a.pdn"), &huge).expect("written");
    let output = pdn(folder.path(), &["fmt", "-i", "--max-game", "300", "a.pdn"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(folder.path().join("a.pdn")).expect("there"), huge);
    for arguments in [&["fmt", "-i", "-"][..], &["fmt", "-i", "a.pdn", "-o", "b"], &["fmt", "-i", "--check", "a.pdn"]] {
        assert_eq!(pdn(folder.path(), arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(pdn(folder.path(), &["fmt", "missing.pdn"]).status.code(), Some(2));
}

#[test]
fn repairs_are_told_with_their_place() {
    let input = "[Event \"e\"]\n[Date \"25/12/1999\"]\n[Bianco \"w\"]\n[GameType \"20\"]\n\n1. 28-32 l9-23 2. 28x1914x23 3. 31-1 *\n";
    let output = piped(&["fmt", "--fix", "-"], input.as_bytes());
    assert!(text(&output.stdout).ends_with("1. 32-28 19-23 2. 28x19 14x23 3. 31-1 *\n"), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("[Date \"1999.12.25\"]\n") && text(&output.stdout).contains("[White \"w\"]"));
    let said = text(&output.stderr);
    for line in [
        "-:2:1: date `25/12/1999` written 1999.12.25\n",
        "-:3:1: tag `Bianco` renamed White\n",
        "-:6:4: squares swapped: `28-32` read as 32-28\n",
        "-:6:10: letter read as digit: `l9-23` read as 19-23\n",
        "-:6:19: moves parted: `28x1914x23` read as 28x19 14x23\n",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert_eq!(output.status.code(), Some(1), "31-1 is still illegal");
}
