//! The programs that run at present. Each leads a process group, or has a job object, so that its children end with it, and so
//! that an interrupt from the terminal reaches it only through this process.

use std::io;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::command_line::CommandLine;

/// How often a program that was asked to quit is looked at.
const POLL: Duration = Duration::from_millis(5);

/// All running programs.
static RUNNING: Mutex<Running> = Mutex::new(Running { ended: false, programs: Vec::new() });

struct Running {
    /// True once all programs were ended for good.
    ended: bool,
    programs: Vec<Arc<Program>>,
}

/// A running program.
#[derive(Debug)]
pub(super) struct Program {
    child: Mutex<Box<dyn ChildWrapper>>,
    /// Leads to the thread that writes, because a program that does not read would block any other.
    lines: Mutex<Option<Sender<String>>>,
}

/// The ends of the pipes to a program.
pub(super) struct Pipes {
    pub(super) input: ChildStdin,
    /// The lines to write to the input.
    pub(super) lines: Receiver<String>,
    pub(super) output: ChildStdout,
}

/// Ends all engines that are other programs, and their children: each is asked to quit and killed if it has not exited after
/// the given time. None can be started afterwards. This is for programs that are about to exit without returning, as after
/// an interrupt.
pub fn end_engines(after: Duration) {
    let mut running = lock(&RUNNING);
    running.ended = true;
    end(&running.programs, after);
}

impl Program {
    /// Starts a program.
    pub(super) fn start(command: &CommandLine) -> io::Result<(Arc<Self>, Pipes)> {
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
    pub(super) fn send(&self, line: &str) {
        if let Some(lines) = &*lock(&self.lines) {
            let _ = lines.send(format!("{line}\n"));
        }
    }

    /// Ends the program as [`end_engines`] does.
    pub(super) fn end(self: &Arc<Self>, after: Duration) {
        end(std::slice::from_ref(self), after);
        lock(&RUNNING).programs.retain(|other| !Arc::ptr_eq(self, other));
    }

    /// Asks the program to stop its search and to quit. Its input is closed, so that its children notice the end too.
    fn ask_to_quit(&self) {
        self.send("stop");
        self.send("quit");
        *lock(&self.lines) = None;
    }

    fn has_exited(&self) -> bool {
        lock(&self.child).try_wait().is_ok_and(|status| status.is_some())
    }

    /// Kills what is left of the program and its children.
    fn kill(&self) {
        let mut child = lock(&self.child);
        let _ = child.start_kill();
        let _ = child.wait();
    }
}

fn end(programs: &[Arc<Program>], after: Duration) {
    let until = Instant::now() + after;
    for program in programs {
        program.ask_to_quit();
    }
    while !programs.iter().all(|program| program.has_exited()) && Instant::now() < until {
        thread::sleep(POLL);
    }
    for program in programs {
        program.kill();
    }
}

/// Returns the command of a program that leads a group.
fn grouped(command: &CommandLine) -> io::Result<CommandWrap> {
    let [program, arguments @ ..] = command.words() else { return Err(io::ErrorKind::NotFound.into()) };
    let mut plain = Command::new(program);
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
