//! Programs with which lines of text are exchanged, always with a time limit. Each leads a process group, or has a job
//! object, so that its children end with it, and so that an interrupt from the terminal reaches it only through this
//! process.

use std::io::{self, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::message::{InputLine, next_line};
use super::spec::CommandLine;

/// Interval of checks for the exit of a program that was asked to quit.
const POLL: Duration = Duration::from_millis(5);

/// All running programs.
static RUNNING: Mutex<Running> = Mutex::new(Running { ended: false, programs: Vec::new() });

struct Running {
    /// True once all programs have been ended permanently.
    ended: bool,
    programs: Vec<Arc<Program>>,
}

/// A running program.
#[derive(Debug)]
struct Program {
    child: Mutex<Box<dyn ChildWrapper>>,
    /// The channel to the writing thread; a program that does not read would block any other thread.
    lines: Mutex<Option<Sender<String>>>,
}

/// The ends of the pipes to a program.
struct Pipes {
    input: ChildStdin,
    /// The lines to write to the input.
    lines: Receiver<String>,
    output: ChildStdout,
}

/// Ends all engines that are other programs, and their children: each is asked to quit and killed if it has not exited after
/// the given time. None can be started afterwards. This is for programs that are about to exit without returning, as after
/// an interrupt.
pub(crate) fn end_engines(after: Duration) {
    let mut running = lock(&RUNNING);
    running.ended = true;
    end(&running.programs, after);
}

impl Program {
    /// Starts a program.
    fn start(command: &CommandLine) -> io::Result<(Arc<Self>, Pipes)> {
        // Locked until the program is listed, so that none is missed when all are ended.
        let mut running = lock(&RUNNING);
        if running.ended {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let mut child = grouped(command)?.spawn()?;
        let pipes = child.stdin().take().zip(child.stdout().take());
        let (sender, lines) = channel();
        let program = Arc::new(Self { child: Mutex::new(child), lines: Mutex::new(Some(sender)) });
        running.programs.push(Arc::clone(&program));
        let (input, output) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok((program, Pipes { input, lines, output }))
    }

    /// Sends a line. If the program has exited, there is no effect.
    fn send(&self, line: &str) {
        if let Some(lines) = &*lock(&self.lines) {
            let _ = lines.send(format!("{line}\n"));
        }
    }
}

fn end(programs: &[Arc<Program>], after: Duration) {
    let until = deadline(after);
    for program in programs {
        program.send("stop");
        program.send("quit");
        // Its input is closed, so that its children notice the end too.
        *lock(&program.lines) = None;
    }
    let has_exited = |program: &Arc<Program>| lock(&program.child).try_wait().is_ok_and(|status| status.is_some());
    while !programs.iter().all(has_exited) && Instant::now() < until {
        thread::sleep(POLL);
    }
    // Even if the program has exited, its children may still be running.
    for program in programs {
        let mut child = lock(&program.child);
        let _ = child.start_kill();
        let _ = child.wait();
    }
}

/// Returns the command of a program that leads a group.
fn grouped(command: &CommandLine) -> io::Result<CommandWrap> {
    let [program, arguments @ ..] = command.words() else { return Err(io::ErrorKind::NotFound.into()) };
    let mut plain = Command::new(program);
    // stderr is not a pipe, which would fill up and block the program if it is not read.
    plain.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut grouped = CommandWrap::from(plain);
    #[cfg(unix)]
    grouped.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    grouped.wrap(process_wrap::std::JobObject);
    Ok(grouped)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Number of lines buffered before the program has to wait.
const BUFFERED_LINES: usize = 1024;

/// Time for a program to quit before it is killed.
const TIME_TO_QUIT: Duration = Duration::from_millis(300);

/// A running program. When it is dropped, it is asked to quit and soon killed.
#[derive(Debug)]
pub(super) struct Process {
    program: Arc<Program>,
    output: Receiver<InputLine>,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(command: &CommandLine) -> io::Result<Self> {
        let (program, Pipes { input, lines, output: stdout }) = Program::start(command)?;
        // Bounded: a program that writes without end must not fill the memory.
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

    /// Waits for a line until the given time, or until the output of the program is closed.
    pub(super) fn receive(&self, until: Instant) -> Result<InputLine, RecvTimeoutError> {
        self.output.recv_timeout(until.saturating_duration_since(Instant::now()))
    }

    /// Discards all lines that were not received yet.
    pub(super) fn discard_output(&self) {
        while !matches!(self.output.try_recv(), Err(TryRecvError::Empty | TryRecvError::Disconnected)) {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(std::slice::from_ref(&self.program), TIME_TO_QUIT);
        lock(&RUNNING).programs.retain(|other| !Arc::ptr_eq(&self.program, other));
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

/// Returns the instant this long from now, or a distant one if that cannot be represented.
pub(super) fn deadline(after: Duration) -> Instant {
    // Some systems count instants in so few bits that a century overflows them; the longest time that fits is taken.
    const FAR: Duration = Duration::from_hours(100 * 365 * 24);
    let now = Instant::now();
    let shorter = std::iter::successors(Some(after.min(FAR)), |time| Some(*time / 2));
    shorter.map_while(|time| (!time.is_zero()).then(|| now.checked_add(time))).flatten().next().unwrap_or(now)
}
