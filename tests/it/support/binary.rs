//! Runs of the real binary.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// A temporary folder to run the binary in.
pub(crate) struct Folder(TempDir);

/// The outcome of a run.
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) errors: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempdir().expect("a folder"))
    }

    /// Creates a folder with one file.
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
        fs::write(path, bytes).expect("a writable folder");
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

    /// Returns the command, with an empty standard input.
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

/// Runs the binary in the current folder.
pub(crate) fn pdn(arguments: &[&str]) -> Run {
    Run::of(&mut command_in(Path::new("."), arguments))
}

/// Runs the binary with a standard input.
pub(crate) fn pdn_with(input: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
    fed(Path::new("."), input.as_ref(), arguments).into()
}

/// Runs the binary in a folder with a standard input.
pub(crate) fn fed(folder: &Path, input: &[u8], arguments: &[&str]) -> Output {
    let mut command = command_in(folder, arguments);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let (mut stdin, input) = (child.stdin.take().expect("a pipe"), input.to_vec());
    // A run that fails early does not read all of it.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the binary ends");
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
        command.output().expect("the binary starts").into()
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

    /// Returns the output as JSON, one value per line.
    #[track_caller]
    pub(crate) fn values(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }

    /// Returns the diagnostics of `check --format json`.
    #[track_caller]
    pub(crate) fn diagnostics(&self) -> Vec<Value> {
        let mut values = self.values();
        let last = values.pop().expect("a summary");
        assert!(last.get("summary").is_some(), "{last}");
        values
    }

    /// Returns the summary of `check --format json`.
    #[track_caller]
    pub(crate) fn summary(&self) -> Value {
        self.values().pop().expect("a last line")["summary"].clone()
    }
}

/// Checks a text on standard input and returns its diagnostics as `severity code`, in order.
#[track_caller]
pub(crate) fn codes(text: impl AsRef<[u8]>) -> Vec<String> {
    let run = pdn_with(text, &["check", "--format", "json", "-"]);
    let word = |row: &Value, name: &str| row[name].as_str().expect(name).to_owned();
    run.diagnostics().iter().map(|row| format!("{} {}", word(row, "severity"), word(row, "code"))).collect()
}

/// Returns the only diagnostic with a code.
#[track_caller]
pub(crate) fn only<'a>(diagnostics: &'a [Value], code: &str) -> &'a Value {
    let mut found = diagnostics.iter().filter(|row| row["code"] == code);
    let only = found.next().unwrap_or_else(|| panic!("no {code} in {diagnostics:?}"));
    assert!(found.next().is_none(), "{code} twice in {diagnostics:?}");
    only
}

/// Converts a text to JSON, one value per game.
#[track_caller]
pub(crate) fn games(text: impl AsRef<[u8]>) -> Vec<Value> {
    pdn_with(text, &["convert", "--to", "jsonl", "-"]).values()
}

/// Returns the only game of a text as JSON.
#[track_caller]
pub(crate) fn game(text: impl AsRef<[u8]>) -> Value {
    let mut games = games(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0)
}

/// Returns the numbers with the given names.
#[track_caller]
pub(crate) fn numbers<const N: usize>(value: &Value, names: [&str; N]) -> [u64; N] {
    names.map(|name| value[name].as_u64().unwrap_or_else(|| panic!("no number {name} in {value}")))
}
