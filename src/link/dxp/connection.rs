//! A TCP connection on which messages are exchanged.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::message::{DxpMessage, GameAnswer, MAX_LENGTH};
use crate::rules::Variant;

/// The customary port.
const PORT: u16 = 27531;
/// Time after which a message that the other program does not read is abandoned.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// Interval at which the reading thread checks whether its connection was dropped, and a listener checks the programs that have
/// connected.
const POLL: Duration = Duration::from_millis(50);
/// Time and number of bytes for which a dropped connection is still read, so that an opponent that keeps sending, even
/// a byte a minute, does not keep it open.
const LINGER: Duration = Duration::from_secs(10);
const LINGER_BYTES: usize = 1 << 16;
/// Maximum number of waiting connections that have sent no message; the oldest is closed to make room for another.
const MAX_SILENT: usize = 64;

/// A file in which messages are recorded: `>` before those sent, `<` before those received.
#[derive(Clone, Debug, Default)]
pub struct DxpLog(Option<Arc<Mutex<File>>>);

impl DxpLog {
    /// Creates the file.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        File::create(path).map(|file| Self(Some(Arc::new(Mutex::new(file)))))
    }

    /// Adds a line. If it cannot be written, the game continues.
    fn add(&self, direction: char, text: &str) {
        if let Some(file) = &self.0 {
            let _ = writeln!(file.lock().unwrap_or_else(PoisonError::into_inner), "{direction} {text}");
        }
    }
}

/// Something received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Incoming {
    Message(DxpMessage),
    /// Bytes that are not a message, as text.
    Invalid(String),
    Closed,
}

/// A connection to another program. It is closed when dropped.
#[derive(Debug)]
pub struct DxpConnection {
    stream: TcpStream,
    incoming: Receiver<Incoming>,
    shared: Arc<Shared>,
}

/// What a connection shares with the thread that reads.
#[derive(Debug, Default)]
struct Shared {
    interrupt: Arc<AtomicBool>,
    /// True once a valid message has arrived.
    has_spoken: AtomicBool,
    /// The time at which the connection was dropped.
    dropped: OnceLock<Instant>,
    log: DxpLog,
}

impl DxpConnection {
    /// Returns the address `HOST:PORT` for `HOST` or `HOST:PORT`; `None` if the text is neither. Without a port, the
    /// customary one is used.
    pub(crate) fn address(text: &str) -> Option<String> {
        // The colons of an IPv6 address are in brackets.
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()?),
            _ => (text, PORT),
        };
        (!host.is_empty()).then(|| format!("{host}:{port}"))
    }

    /// Connects to a program at an address such as `localhost:27531`.
    ///
    /// # Errors
    ///
    /// If there is none within the given time.
    pub fn connect(address: &str, timeout: Duration, log: DxpLog) -> Result<Self, DxpError> {
        let connect = || {
            let mut last = io::ErrorKind::AddrNotAvailable.into();
            for address in address.to_socket_addrs()? {
                match TcpStream::connect_timeout(&address, timeout) {
                    Ok(stream) => return Self::start(stream, log),
                    Err(error) => last = error,
                }
            }
            Err(last)
        };
        connect().map_err(|error| DxpError::CannotConnect(address.to_owned(), error))
    }

    /// Waits for a program to connect.
    ///
    /// # Errors
    ///
    /// If the listener fails.
    pub fn accept(listener: &TcpListener, log: DxpLog) -> io::Result<Self> {
        let (stream, _) = listener.accept()?;
        Self::start(stream, log)
    }

    /// Waits for a program that proposes a game: of all that connect, the first to send a valid message. The others do not block
    /// the listener, and their connections are closed after the given time, whatever they send.
    ///
    /// # Errors
    ///
    /// If the listener fails.
    pub(crate) fn accept_program(listener: &TcpListener, timeout: Duration, log: &DxpLog) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let mut silent: Vec<(Instant, Self)> = Vec::new();
        loop {
            match listener.accept() {
                // A program that has already left does not stop the listener.
                Ok((stream, _)) => {
                    let started = stream.set_nonblocking(false).and_then(|()| Self::start(stream, log.clone()));
                    silent.extend(started.ok().map(|connection| (Instant::now(), connection)));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(POLL),
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => return Err(error),
            }
            let has_spoken = |(_, connection): &(_, Self)| connection.shared.has_spoken.load(Ordering::Relaxed);
            if let Some(n) = silent.iter().position(has_spoken) {
                listener.set_nonblocking(false)?;
                return Ok(silent.swap_remove(n).1);
            }
            silent.retain(|(since, _)| since.elapsed() < timeout);
            silent.drain(..silent.len().saturating_sub(MAX_SILENT));
        }
    }

    fn start(stream: TcpStream, log: DxpLog) -> io::Result<Self> {
        // Messages are short, and the other program waits for each.
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        stream.set_read_timeout(Some(POLL))?;
        let (sender, incoming) = channel();
        let shared = Arc::new(Shared { log, ..Shared::default() });
        let (reader, input) = (Arc::clone(&shared), stream.try_clone()?);
        // Not joined: it ends with the connection.
        thread::Builder::new().name("from opponent".to_owned()).spawn(move || reader.read(input, &sender))?;
        Ok(Self { stream, incoming, shared })
    }

    /// Returns the flag that is set when something has arrived that can end or change the game, so that a search stops.
    pub(crate) fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.interrupt)
    }

    /// Sends a message. If the connection is closed, the next [`receive`](Self::receive) returns [`Incoming::Closed`].
    pub(crate) fn send(&self, message: &DxpMessage) {
        let text = message.to_string();
        self.shared.log.add('>', &text);
        let _ = (&self.stream).write_all(format!("{text}\0").as_bytes());
    }

    /// Waits for something to arrive, up to a time. `duration` is the total waiting time, for the error.
    ///
    /// # Errors
    ///
    /// If nothing arrives.
    pub(crate) fn receive(&self, until: Instant, duration: Duration) -> Result<Incoming, DxpError> {
        match self.incoming.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(incoming) => Ok(incoming),
            Err(RecvTimeoutError::Timeout) => Err(DxpError::TimedOut(duration)),
            Err(RecvTimeoutError::Disconnected) => Ok(Incoming::Closed),
        }
    }

    /// Waits for something to arrive, without a limit.
    pub(crate) fn wait(&self) -> Incoming {
        self.incoming.recv().unwrap_or(Incoming::Closed)
    }

    /// Returns something already received, if any.
    pub(crate) fn arrived(&self) -> Option<Incoming> {
        self.incoming.try_recv().ok()
    }
}

impl Drop for DxpConnection {
    fn drop(&mut self) {
        // Reading continues for a while, because the system discards what was sent last if a connection is closed with
        // unread messages.
        let _ = self.shared.dropped.set(Instant::now());
        let _ = self.stream.shutdown(Shutdown::Write);
    }
}

impl Shared {
    /// Reads messages and passes them on until the connection is closed.
    fn read(&self, stream: TcpStream, sender: &Sender<Incoming>) {
        let (mut input, mut left) = (BufReader::new(stream), LINGER_BYTES);
        let mut goes_on = |bytes| {
            let Some(since) = self.dropped.get() else { return true };
            left = left.saturating_sub(bytes);
            left > 0 && since.elapsed() < LINGER
        };
        while let Some(frame) = next_frame(&mut input, &mut goes_on) {
            let text = frame.escape_ascii().to_string();
            self.log.add('<', &text);
            // What is too long was cut, and its beginning must not be read as a whole message.
            let message = std::str::from_utf8(&frame).ok().filter(|text| text.len() <= MAX_LENGTH);
            let message = message.and_then(|text| text.parse().ok());
            self.pass(message.map_or(Incoming::Invalid(text), Incoming::Message), sender);
        }
        self.pass(Incoming::Closed, sender);
    }

    fn pass(&self, incoming: Incoming, sender: &Sender<Incoming>) {
        let is_message = matches!(incoming, Incoming::Message(_));
        // Anything that can end or change the game out of turn stops a search.
        let interrupts = matches!(
            incoming,
            Incoming::Closed | Incoming::Message(DxpMessage::End { .. } | DxpMessage::BackRequest { .. })
        );
        // After a drop, everything received is discarded.
        let _ = sender.send(incoming);
        // After sending: a search that stops must be able to read why.
        self.interrupt.fetch_or(interrupts, Ordering::Relaxed);
        self.has_spoken.fetch_or(is_message, Ordering::Relaxed);
    }
}

// More than a message may have, so that a longer one is still seen to be too long.
/// Maximum length of the part of a message that is kept for a report.
const KEPT: usize = 2 * MAX_LENGTH;

/// Reads the bytes up to the next NUL byte; of a message that is too long, only the first ones. Returns `None` at the
/// end of the input, where an incomplete message is dropped, and when `goes_on`, which is called with the number of
/// bytes after every read, returns false.
fn next_frame(input: &mut impl BufRead, mut goes_on: impl FnMut(usize) -> bool) -> Option<Vec<u8>> {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    let mut frame = Vec::new();
    loop {
        let available = match input.fill_buf() {
            Ok([]) => return None,
            Ok(available) => available,
            // Nothing has come yet: only `goes_on` is asked.
            Err(error) if matches!(error.kind(), Interrupted | TimedOut | WouldBlock) => &[],
            Err(_) => return None,
        };
        if !goes_on(available.len()) {
            return None;
        }
        let end = memchr::memchr(0, available);
        let part = &available[..end.unwrap_or(available.len())];
        frame.extend_from_slice(&part[..part.len().min(KEPT - frame.len())]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Some(frame);
        }
    }
}

/// An error in a game over DXP.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DxpError {
    /// The program at this address cannot be reached.
    #[error("cannot connect to {0}: {1}")]
    CannotConnect(String, #[source] io::Error),
    /// This address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    CannotListen(String, #[source] io::Error),
    /// DXP has no board for the variant.
    #[error("DXP supports boards of 50 squares only, and {0} has another board")]
    UnsupportedVariant(Variant),
    /// The opponent closed the connection.
    #[error("the opponent closed the connection")]
    Closed,
    /// The opponent sent nothing within this time.
    #[error("the opponent sent nothing within {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The opponent declined the game, for this reason.
    #[error("the opponent declined the game: {0}")]
    Declined(&'static str),
    /// The opponent sent this move, which is not legal.
    #[error("the opponent sent an illegal move: `{0}`")]
    IllegalMove(String),
    /// The opponent sent this message at a point where it is meaningless.
    #[error("the opponent sent an unexpected message: `{0}`")]
    Unexpected(String),
    /// The opponent ended the game without giving a result.
    #[error("the opponent ended the game")]
    Ended,
}

impl DxpError {
    /// Returns the error for the answer to a proposal, unless the proposal was accepted.
    pub(super) const fn of(answer: GameAnswer) -> Option<Self> {
        Some(Self::Declined(match answer {
            GameAnswer::Accepted => return None,
            GameAnswer::OtherVersion => "it uses a different version of the protocol",
            GameAnswer::NotThisGame => "it does not play games like this one",
            GameAnswer::NoGame => "it plays no game",
        }))
    }

    /// Returns true if another attempt cannot succeed.
    pub(crate) const fn is_permanent(&self) -> bool {
        matches!(
            self,
            Self::CannotConnect(..) | Self::CannotListen(..) | Self::UnsupportedVariant(_) | Self::Declined(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_port() {
        assert_eq!(DxpConnection::address("localhost").as_deref(), Some("localhost:27531"));
        assert_eq!(DxpConnection::address("[::1]:9").as_deref(), Some("[::1]:9"));
        assert_eq!(DxpConnection::address("localhost:x"), None);
    }

    #[test]
    fn frames_are_read_whatever_arrives() {
        let mut bytes = b"E00\0\0".to_vec();
        bytes.extend(vec![b'x'; 100_000]);
        bytes.extend(b"\0\xff\0half");
        // A small buffer gives the messages in parts.
        let mut input = BufReader::with_capacity(2, &bytes[..]);
        let frames: Vec<_> = std::iter::from_fn(|| next_frame(&mut input, |_| true)).collect();
        assert_eq!(frames, [b"E00".to_vec(), Vec::new(), vec![b'x'; KEPT], b"\xff".to_vec()]);
    }

    #[test]
    fn a_dropped_connection_ends_although_bytes_keep_arriving() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let mut peer = TcpStream::connect(listener.local_addr().expect("an address")).expect("it listens");
        let connection = DxpConnection::accept(&listener, DxpLog::default()).expect("a connection");
        drop(connection);
        // Without an end of a message, so that nothing but the number of bytes ends the connection.
        let sent = (0..1 << 20).take_while(|_| peer.write_all(&[b'x'; 64]).is_ok()).count();
        assert!(sent < 1 << 20, "the connection is still open after {sent} writes");
    }
}
