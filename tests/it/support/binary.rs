//! Runs of the real binary.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread;

#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// Names another binary to test: a release build, say.
const BINARY: &str = "PDN_BINARY";

/// Returns the path of the binary: `PDN_BINARY`, or else the one that was built for the tests.
pub(crate) fn program() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| {
        interruptible();
        let named = env::var(BINARY).ok().filter(|path| !path.is_empty());
        let path = named.map(|path| absolute(path).expect("a current folder"));
        path.map_or_else(
            || env!("CARGO_BIN_EXE_pdn").to_owned(),
            |path| path.into_os_string().into_string().expect("UTF-8"),
        )
    });
    &PROGRAM
}

/// Returns true if the binary is another one than that built for the tests.
pub(crate) fn is_given() -> bool {
    program() != env!("CARGO_BIN_EXE_pdn")
}

/// Lets signals end the binary even where they are ignored, as interrupts are in the background of a shell: the binary
/// keeps ignoring what its parent ignores, but a signal that its parent handles is at its default.
#[cfg(unix)]
fn interruptible() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let ignored = signals("self", "SigIgn");
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        // For the tests themselves nothing changes.
        let ends_tests = Arc::new(AtomicBool::new(ignored & (1 << (signal - 1)) == 0));
        signal_hook::flag::register_conditional_default(signal, ends_tests).expect("a signal that can be handled");
    }
}

#[cfg(not(unix))]
fn interruptible() {}

/// Returns a mask of signals of a process from `/proc`, such as `SigCgt`: those that it handles. Without `/proc` it is empty.
#[cfg(unix)]
pub(crate) fn signals(process: &str, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

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

    /// Runs the binary with files of at most 4 KiB, as on a disk that fills up.
    #[cfg(unix)]
    pub(crate) fn run_with_little_space(&self, arguments: &[&str]) -> Output {
        let mut shell = Command::new("sh");
        shell.current_dir(self.0.path()).args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""]);
        shell.arg(program()).args(arguments).stdin(Stdio::null());
        shell.output().expect("a shell")
    }
}

fn command_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
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

/// Returns the only diagnostic with a code.
#[track_caller]
pub(crate) fn only<'a>(diagnostics: &'a [Value], code: &str) -> &'a Value {
    let mut found = diagnostics.iter().filter(|row| row["code"] == code);
    let only = found.next().unwrap_or_else(|| panic!("no {code} in {diagnostics:?}"));
    assert!(found.next().is_none(), "{code} twice in {diagnostics:?}");
    only
}

/// Returns the numbers with the given names.
#[track_caller]
pub(crate) fn numbers<const N: usize>(value: &Value, names: [&str; N]) -> [u64; N] {
    names.map(|name| value[name].as_u64().unwrap_or_else(|| panic!("no number {name} in {value}")))
}
