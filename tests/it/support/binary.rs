//! The real binary, run in a folder of its own.

#![allow(dead_code, reason = "no test uses all of it")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// A folder to run in.
pub(crate) struct Folder(TempDir);

/// What a run came to.
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) errors: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempdir().expect("a folder"))
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.write(name, bytes);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a text")
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("a folder");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The command, with nothing to read on standard input.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        command_in(self.0.path(), arguments)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(arguments))
    }
}

fn command_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pdn"));
    command.current_dir(folder).stdin(Stdio::null()).args(arguments);
    command
}

/// Runs the binary where no files are needed.
pub(crate) fn pdn(arguments: &[&str]) -> Run {
    Run::of(&mut command_in(Path::new("."), arguments))
}

/// Runs the binary with something on standard input.
pub(crate) fn pdn_with(input: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
    fed(Path::new("."), input.as_ref(), arguments).into()
}

/// Runs the binary in a folder with something on standard input.
pub(crate) fn fed(folder: &Path, input: &[u8], arguments: &[&str]) -> Output {
    let mut command = command_in(folder, arguments);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("started");
    let (mut stdin, input) = (child.stdin.take().expect("a pipe"), input.to_vec());
    // Whoever fails early does not read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("ended");
    writer.join().expect("ended");
    output
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let errors = String::from_utf8(output.stderr).expect("UTF-8");
        Self { status: output.status.code(), bytes: output.stdout, errors }
    }
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        command.output().expect("started").into()
    }

    /// Requires an exit status.
    #[track_caller]
    pub(crate) fn is(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "{}{}", self.text(), self.errors);
        self
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("UTF-8")
    }

    pub(crate) fn lines(&self) -> Vec<&str> {
        self.text().lines().collect()
    }

    /// The output as JSON, a value a line.
    #[track_caller]
    pub(crate) fn values(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }

    /// The findings of a check with `--format json`.
    #[track_caller]
    pub(crate) fn findings(&self) -> Vec<Value> {
        let mut values = self.values();
        let last = values.pop().expect("a summary");
        assert!(last.get("summary").is_some(), "{last}");
        values
    }

    /// The summary of a check with `--format json`.
    #[track_caller]
    pub(crate) fn summary(&self) -> Value {
        self.values().pop().expect("a last line")["summary"].clone()
    }
}

/// Checks a text as standard input and returns its findings as `severity code`, in order.
#[track_caller]
pub(crate) fn codes(text: impl AsRef<[u8]>) -> Vec<String> {
    let run = pdn_with(text, &["check", "--format", "json", "-"]);
    let word = |finding: &Value, name: &str| finding[name].as_str().expect(name).to_owned();
    run.findings().iter().map(|found| format!("{} {}", word(found, "severity"), word(found, "code"))).collect()
}

/// The one finding of a kind.
#[track_caller]
pub(crate) fn only<'a>(findings: &'a [Value], code: &str) -> &'a Value {
    let mut found = findings.iter().filter(|finding| finding["code"] == code);
    let only = found.next().unwrap_or_else(|| panic!("no {code} in {findings:?}"));
    assert!(found.next().is_none(), "{code} twice in {findings:?}");
    only
}

/// Converts a text to JSON, a game a line.
#[track_caller]
pub(crate) fn games(text: impl AsRef<[u8]>) -> Vec<Value> {
    pdn_with(text, &["convert", "--to", "jsonl", "-"]).values()
}

/// The only game of a text.
#[track_caller]
pub(crate) fn game(text: impl AsRef<[u8]>) -> Value {
    let mut games = games(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0)
}

/// Numbers by their names.
#[track_caller]
pub(crate) fn numbers<const N: usize>(value: &Value, names: [&str; N]) -> [u64; N] {
    names.map(|name| value[name].as_u64().unwrap_or_else(|| panic!("no number {name} in {value}")))
}
