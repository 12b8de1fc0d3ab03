//! The files that commands read: patterns, hidden files, lists; and errors as JSON.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::support::binary::{Folder, Run, fed};

const GOOD: &str = "[GameType \"20\"]\n1. 32-28 19-23 *\n\n";
const BAD: &str = "[GameType \"20\"]\n1. 31-13 *\n\n";

/// Returns a folder with this record in several files.
fn folder(record: &str) -> Folder {
    let folder = Folder::new();
    for name in ["a.pdn", "b.pdn", "c d/e.pdn", ".hidden.pdn", "c d/.git/f.pdn", ".cache/g.pdn", "x[1].pdn"] {
        folder.write(name, record);
    }
    folder
}

/// Returns the files that were read, by the bad game in each.
fn files(run: &Run) -> Vec<String> {
    let name = |row: &Value| row["file"].as_str().expect("a name").to_owned();
    run.diagnostics().iter().map(name).collect()
}

/// Returns the files with an illegal move that are read.
fn read(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    files(&folder.run(&[&["check", "--format", "json", "--select", "move/illegal"], arguments].concat()))
}

#[test]
fn folders_skip_hidden_files_and_folders() {
    let folder = folder(BAD);
    assert_eq!(read(&folder, &["."]), ["./a.pdn", "./b.pdn", "./c d/e.pdn", "./x[1].pdn"]);
    // What is named is read.
    assert_eq!(read(&folder, &[".hidden.pdn", ".cache"]), [".hidden.pdn", ".cache/g.pdn"]);
}

#[test]
fn patterns_are_expanded_where_the_shell_does_not() {
    let folder = folder(BAD);
    assert_eq!(read(&folder, &["[ab].pdn", "*/*.pdn"]), ["a.pdn", "b.pdn", "c d/e.pdn"]);
    assert_eq!(read(&folder, &["*.pdn"]), ["a.pdn", "b.pdn", "x[1].pdn"]);
    assert_eq!(read(&folder, &["**/e.pdn", "?.pdn"]), ["c d/e.pdn", "a.pdn", "b.pdn"]);
    // A file with this very name is no pattern.
    assert_eq!(read(&folder, &["x[1].pdn"]), ["x[1].pdn"]);
    assert_eq!(read(&folder, &["c*"]), ["c d/e.pdn"]);
    let run = folder.run(&["check", "no*.pdn", "a.pdn"]).is(2);
    assert!(run.errors.contains("no file matches no*.pdn"), "{}", run.errors);
    for command in ["show", "diagram", "fmt"] {
        let named = folder.run(&[command, "a.pdn"]);
        assert!(!named.text().is_empty(), "{command}");
        assert_eq!(folder.run(&[command, "[a].pdn"]).text(), named.text(), "{command}");
        let none = folder.run(&[command, "no*.pdn"]).is(2);
        assert!(none.errors.contains("no file matches no*.pdn"), "{command}: {}", none.errors);
    }
}

#[test]
fn lists_of_files_are_read_from_a_file_or_standard_input() {
    let folder = folder(BAD);
    folder.write("list", "c d/e.pdn\r\n\na.pdn\n");
    folder.write("zeros", "c d/e.pdn\0a.pdn\0");
    for list in ["list", "zeros"] {
        assert_eq!(read(&folder, &["--files-from", list]), ["c d/e.pdn", "a.pdn"]);
    }
    assert_eq!(read(&folder, &["b.pdn", "--files-from", "list"]), ["b.pdn", "c d/e.pdn", "a.pdn"]);
    let arguments = ["check", "--format", "json", "--files-from", "-"];
    assert_eq!(files(&fed(&folder.path("."), b"b.pdn\nc d\n", &arguments).into()), ["b.pdn", "c d/e.pdn"]);
    let convert = ["convert", "--to", "jsonl", "--files-from", "list"];
    assert_eq!(folder.run(&convert).is(1).values().len(), 2);
    for arguments in [&["--files-from", "missing"][..], &["--files-from", "empty"], &["-", "--files-from", "-"], &[]] {
        folder.write("empty", "\n\n");
        let run = folder.run(&[&["check"], arguments].concat()).is(2);
        assert!(!run.errors.is_empty());
    }
    folder.write("partly", "missing.pdn\na.pdn\n");
    assert_eq!(files(&folder.run(&["check", "--format", "json", "--files-from", "partly"]).is(2)), ["a.pdn"]);
}

fn errors(run: &Run) -> Vec<Value> {
    run.errors.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn errors_of_the_environment_are_json_with_json_output() {
    let folder = folder(GOOD);
    let run = folder.run(&["check", "--format", "json", "missing.pdn", "c d/.git", "a.pdn"]).is(2);
    let found = errors(&run);
    assert_eq!(found.len(), 1, "{found:?}");
    let message = found[0]["error"].as_str().expect("a message");
    assert!(message.starts_with("cannot read missing.pdn: No such file or directory"), "{message}");
    assert_eq!((&found[0]["kind"], &found[0]["path"]), (&json!("read"), &json!("missing.pdn")));
    for (arguments, kind, status) in [
        (&["check", "a.pdn", "-o", "no/such/folder/out"][..], "write", 2),
        (&["check", "--config", "missing.toml", "a.pdn"], "read", 2),
        (&["check", "no*"], "unavailable", 2),
        (&["moves", "--fens", "missing"], "read", 2),
        (&["moves", "--fen", "x"], "usage", 1),
        (&["perft", "--depth", "1", "--fen", "x"], "usage", 1),
        (&["bench", "problems", "missing.pdn"], "read", 2),
    ] {
        let run = folder.run(&[arguments, &["--format", "json"]].concat()).is(status);
        assert_eq!(errors(&run)[0]["kind"], kind, "{arguments:?}");
    }
}

#[test]
fn errors_say_what_the_system_says() {
    let folder = folder(GOOD);
    for (target, reason) in [
        ("no/such/folder/out", "No such file or directory"),
        ("a.pdn/out", "Not a directory"),
        ("c d", "Is a directory"),
    ] {
        let run = folder.run(&["check", "a.pdn", "-o", target]).is(2);
        assert!(run.errors.contains(&format!("cannot write {target}: {reason} (os error ")), "{}", run.errors);
    }
}

#[test]
fn names_of_files_cannot_disturb_the_terminal() {
    let folder = folder(GOOD);
    let name = "a\x1b[31m\u{202e}.pdn";
    folder.write(name, BAD);
    let run = folder.run(&["check", name, "b\x1b[2J.pdn"]).is(2);
    assert!(!run.text().contains(['\x1b', '\u{202e}']) && !run.errors.contains('\x1b'), "{}", run.errors);
    assert!(run.errors.contains("b\u{fffd}[2J.pdn"), "{}", run.errors);
    assert!(!folder.run(&["fmt", "--check", name]).is(1).text().contains('\x1b'));
}

/// The commands about collections.
const COLLECTIONS: [&[&str]; 9] = [
    &["search", "--where", "plies > 3"],
    &["search", "--sequence", "28x19", "--to", "pdn"],
    &["search", "--dedupe", "--dropped", "rest.pdn"],
    &["stats", "--format", "json"],
    &["openings", "--plies", "4", "--format", "json"],
    &["event", "--format", "csv"],
    &["merge", "--sort", "date,event,round"],
    &["edit", "--set", "Site=x", "--openings"],
    &["diff", "--no-tags", "other.pdn"],
];

#[test]
fn collections_are_read_from_any_input_with_any_number_of_jobs() {
    let game = |n: usize| {
        let name = "x".repeat(200);
        let moves = ["19-23 2. 28x19 14x23", "19-23 2. 28x19", "18-23"][n % 3];
        format!(
            "[White \"P{}\"]\n[Black \"Q{n}\"]\n[Annotator \"{name}\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n1. 32-28 {moves} 1-1\n\n",
            n % 7
        )
    };
    // More than one chunk.
    let text = (0..1_200).map(game).collect::<Vec<_>>().concat();
    let folder = Folder::with("a.pdn", &text);
    folder.write("other.pdn", (0..20).map(game).collect::<Vec<_>>().concat());
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text.as_bytes()).expect("memory");
    folder.write("a.pdn.gz", packed.finish().expect("memory"));
    for command in COLLECTIONS {
        let run = |more: &[&str]| {
            let output = fed(&folder.path(""), text.as_bytes(), &[command, more].concat());
            assert!(matches!(output.status.code(), Some(0 | 1)), "{command:?} {more:?}: {output:?}");
            let text = String::from_utf8(output.stdout).expect("UTF-8");
            text.replace("a.pdn.gz", "-").replace("a.pdn", "-")
        };
        let expected = run(&["a.pdn", "--jobs", "1"]);
        assert!(!expected.is_empty(), "{command:?}");
        for more in [&["a.pdn", "--jobs", "3"], &["a.pdn.gz", "--jobs", "2"], &["-", "--jobs", "3"]] {
            assert!(run(more) == expected, "{command:?} {more:?}");
        }
    }
}
