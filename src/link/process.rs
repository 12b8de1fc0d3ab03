//! A program with which lines of text are exchanged, always with a time limit.

use std::io::{self, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::command_line::CommandLine;
use super::lines::{InputLine, next_line};
use super::program::{Pipes, Program};

/// Number of lines buffered before the program has to wait.
const BUFFERED_LINES: usize = 1024;

/// Time for a program to quit before it is killed.
const TIME_TO_QUIT: Duration = Duration::from_millis(300);

/// Why no line was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReceiveError {
    /// The output of the program is closed.
    Closed,
    /// The time is up.
    TimedOut,
}

/// A running program. When this is dropped, it is asked to quit and soon killed.
#[derive(Debug)]
pub(super) struct Process {
    program: Arc<Program>,
    output: Receiver<InputLine>,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(command: &CommandLine) -> io::Result<Self> {
        let (program, Pipes { input, lines, output: stdout }) = Program::start(command)?;
        let (sender, output) = sync_channel(BUFFERED_LINES);
        let process = Self { program, output };
        // Neither thread is joined: they end with the pipes.
        thread::Builder::new().name("to engine".to_owned()).spawn(move || write_lines(input, &lines))?;
        thread::Builder::new().name("from engine".to_owned()).spawn(move || read_lines(stdout, &sender))?;
        Ok(process)
    }

    /// Sends a line. If the program has exited, the next [`receive`](Self::receive) fails.
    pub(super) fn send(&self, line: &str) {
        self.program.send(line);
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
        self.program.end(TIME_TO_QUIT);
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
