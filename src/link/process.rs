//! A program with which lines of text are exchanged, always with a time limit.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::command_line::CommandLine;
use super::lines::{InputLine, next_line};

/// Number of lines buffered before the program has to wait.
const BUFFERED_LINES: usize = 1024;

/// Why no line was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReceiveError {
    /// The output of the program is closed.
    Closed,
    /// The time is up.
    TimedOut,
}

/// A running program. It is killed when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Leads to a separate thread, because a program that does not read would block the writer.
    input: Option<Sender<String>>,
    output: Receiver<InputLine>,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(command: &CommandLine) -> io::Result<Self> {
        let [program, arguments @ ..] = command.words() else { return Err(io::ErrorKind::NotFound.into()) };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (sender, input) = channel();
        let (output, receiver) = sync_channel(BUFFERED_LINES);
        let process = Self { child, input: Some(sender), output: receiver };
        let (stdin, stdout) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        // Neither thread is joined: they end with the pipes.
        thread::Builder::new().name("to engine".to_owned()).spawn(move || write_lines(stdin, &input))?;
        thread::Builder::new().name("from engine".to_owned()).spawn(move || read_lines(stdout, &output))?;
        Ok(process)
    }

    /// Sends a line. If the program has exited, the next [`receive`](Self::receive) fails.
    pub(super) fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Waits for a line until the given time.
    pub(super) fn receive(&self, until: Instant) -> Result<InputLine, ReceiveError> {
        let left = until.saturating_duration_since(Instant::now());
        self.output.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => ReceiveError::TimedOut,
            RecvTimeoutError::Disconnected => ReceiveError::Closed,
        })
    }

    /// Discards all lines that were not received yet.
    pub(super) fn discard_output(&self) {
        while !matches!(self.output.try_recv(), Err(TryRecvError::Empty | TryRecvError::Disconnected)) {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Closes the input, so that child processes of the program can notice the end.
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &SyncSender<InputLine>) {
    let mut stdout = BufReader::new(stdout);
    while let Ok(Some(line)) = next_line(&mut stdout) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Returns the instant after a duration from now, or a far one if that cannot be represented.
pub(super) fn deadline(after: Duration) -> Instant {
    const FAR: Duration = Duration::from_hours(100 * 365 * 24);
    let now = Instant::now();
    now.checked_add(after.min(FAR)).unwrap_or(now)
}
