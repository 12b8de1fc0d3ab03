//! A program that is talked to line by line, and never waited for without an end.

use std::fmt;
use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::lines::{Line, next_line};

/// Lines kept of what a program said and nobody has read yet; then it has to wait.
const KEPT_LINES: usize = 1024;

/// A program and its arguments, from one text: words between blanks, or between quotes of either kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    text: String,
    words: Vec<String>,
}

impl CommandLine {
    /// Reads a command line; `None` if it has no word or a quote is not closed.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::link::CommandLine;
    ///
    /// let command = CommandLine::parse("'my engine/scan' hub").unwrap();
    /// assert_eq!(command.words(), ["my engine/scan", "hub"]);
    /// assert!(CommandLine::parse(" ").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for c in text.chars() {
            match quote {
                Some(open) if c == open => quote = None,
                None if c == '"' || c == '\'' => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                None if c.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        (quote.is_none() && !words.is_empty()).then(|| Self { text: text.trim().to_owned(), words })
    }

    /// The program and its arguments.
    pub fn words(&self) -> &[String] {
        &self.words
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a program says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// Its output is closed.
    Closed,
    /// The time is over.
    TimedOut,
}

/// A running program. It is killed when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Leads to a thread of its own, since a program that does not read would block whoever writes.
    input: Option<Sender<String>>,
    output: Receiver<Line>,
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
        let (output, receiver) = sync_channel(KEPT_LINES);
        let process = Self { child, input: Some(sender), output: receiver };
        let (stdin, stdout) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        // Neither is joined: they end with the pipes.
        thread::Builder::new().name("to engine".to_owned()).spawn(move || write_all(stdin, &input))?;
        thread::Builder::new().name("from engine".to_owned()).spawn(move || read_all(stdout, &output))?;
        Ok(process)
    }

    /// Sends a line. Whether anybody reads it shows in the answer.
    pub(super) fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Waits for a line.
    pub(super) fn receive(&self, until: Instant) -> Result<Line, Silence> {
        let left = until.saturating_duration_since(Instant::now());
        self.output.recv_timeout(left).map_err(|fault| match fault {
            RecvTimeoutError::Timeout => Silence::TimedOut,
            RecvTimeoutError::Disconnected => Silence::Closed,
        })
    }

    /// Forgets what was said and not read.
    pub(super) fn skip(&self) {
        while !matches!(self.output.try_recv(), Err(TryRecvError::Empty | TryRecvError::Disconnected)) {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Whatever the program has started itself sees the end of its input.
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_all(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(stdout: ChildStdout, lines: &SyncSender<Line>) {
    let mut stdout = BufReader::new(stdout);
    while let Ok(Some(line)) = next_line(&mut stdout) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Returns the time that lies so far ahead, or one that is far enough.
pub(super) fn ahead(time: Duration) -> Instant {
    const FAR: Duration = Duration::from_hours(100 * 365 * 24);
    let now = Instant::now();
    now.checked_add(time.min(FAR)).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_command_line() {
        let words = |text: &str| CommandLine::parse(text).map(|command| command.words().to_vec());
        let table: [(&str, &[&str]); 4] = [
            ("scan hub", &["scan", "hub"]),
            ("  'a b'/c  --x=\"d e\" ", &["a b/c", "--x=d e"]),
            ("sh -c 'cd \"x\" && ./scan hub'", &["sh", "-c", "cd \"x\" && ./scan hub"]),
            ("a ''", &["a", ""]),
        ];
        for (text, expected) in table {
            assert_eq!(words(text).unwrap(), expected, "{text}");
        }
        for text in ["", "  ", "a 'b", "\""] {
            assert_eq!(words(text), None, "{text}");
        }
    }
}
