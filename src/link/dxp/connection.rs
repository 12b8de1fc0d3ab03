//! A TCP connection on which messages are exchanged.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::error::DxpError;
use super::frame::next_frame;
use super::message::{DxpMessage, MAX_LENGTH};

/// The customary port.
const PORT: u16 = 27531;
/// Time after which a message that the other program does not take is given up.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// A file in which messages are recorded: `>` before those sent, `<` before those received.
#[derive(Clone, Debug, Default)]
pub struct DxpLog(Option<Arc<Mutex<File>>>);

impl DxpLog {
    /// Creates the file.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        File::create(path).map(|file| Self(Some(Arc::new(Mutex::new(file)))))
    }

    /// Adds a line. The game goes on if it cannot be written.
    fn add(&self, direction: char, text: &str) {
        if let Some(file) = &self.0 {
            let _ = writeln!(file.lock().unwrap_or_else(PoisonError::into_inner), "{direction} {text}");
        }
    }
}

/// What arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Incoming {
    Message(DxpMessage),
    /// Bytes that are not a message, as text.
    Invalid(String),
    Closed,
}

impl Incoming {
    /// Returns true for what can end or change the game out of turn.
    const fn interrupts(&self) -> bool {
        matches!(self, Self::Closed | Self::Message(DxpMessage::End { .. } | DxpMessage::BackRequest { .. }))
    }
}

/// A connection to another program. When this is dropped, it is closed.
#[derive(Debug)]
pub struct DxpConnection {
    stream: TcpStream,
    incoming: Receiver<Incoming>,
    interrupt: Arc<AtomicBool>,
    log: DxpLog,
}

impl DxpConnection {
    /// Returns the address `HOST:PORT` for `HOST` or `HOST:PORT`; `None` if the text is neither. Without a port it is the
    /// customary one.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::link::DxpConnection;
    ///
    /// assert_eq!(DxpConnection::address("localhost").as_deref(), Some("localhost:27531"));
    /// assert_eq!(DxpConnection::address("[::1]:9"), Some("[::1]:9".to_owned()));
    /// assert_eq!(DxpConnection::address("localhost:x"), None);
    /// ```
    pub fn address(text: &str) -> Option<String> {
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
        let stream = connect(address, timeout).and_then(|stream| Self::start(stream, log));
        stream.map_err(|error| DxpError::CannotConnect(address.to_owned(), error))
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

    fn start(stream: TcpStream, log: DxpLog) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let (sender, incoming) = channel();
        let interrupt = Arc::new(AtomicBool::new(false));
        let reader = Reader { sender, interrupt: Arc::clone(&interrupt), log: log.clone() };
        let input = stream.try_clone()?;
        // Not joined: it ends with the connection.
        thread::Builder::new().name("from opponent".to_owned()).spawn(move || reader.read(input))?;
        Ok(Self { stream, incoming, interrupt, log })
    }

    /// Returns the flag that is set when something has arrived that can end or change the game, so that a search stops.
    pub(crate) fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Sends a message. If the connection is closed, the next [`receive`](Self::receive) says so.
    pub(crate) fn send(&self, message: &DxpMessage) {
        let text = message.to_string();
        self.log.add('>', &text);
        let _ = (&self.stream).write_all(format!("{text}\0").as_bytes());
    }

    /// Waits for something to arrive, up to a time that is a certain duration after the wait began.
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

    /// Returns what has arrived already.
    pub(crate) fn arrived(&self) -> Option<Incoming> {
        self.incoming.try_recv().ok()
    }
}

impl Drop for DxpConnection {
    fn drop(&mut self) {
        // Reading goes on until the other program closes its side, because the system discards what was sent last if a
        // connection is closed with unread messages.
        let _ = self.stream.shutdown(Shutdown::Write);
    }
}

fn connect(address: &str, timeout: Duration) -> io::Result<TcpStream> {
    let mut last = io::ErrorKind::AddrNotAvailable.into();
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, timeout) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The thread that reads.
struct Reader {
    sender: Sender<Incoming>,
    interrupt: Arc<AtomicBool>,
    log: DxpLog,
}

impl Reader {
    fn read(&self, stream: TcpStream) {
        let mut input = BufReader::new(stream);
        while let Ok(Some(frame)) = next_frame(&mut input) {
            let text = frame.escape_ascii().to_string();
            self.log.add('<', &text);
            let message = std::str::from_utf8(&frame).ok().filter(|text| text.len() <= MAX_LENGTH);
            let message = message.and_then(|text| text.parse().ok());
            if !self.pass(message.map_or(Incoming::Invalid(text), Incoming::Message)) {
                return;
            }
        }
        self.pass(Incoming::Closed);
    }

    /// Passes something on. Returns false if it is no longer wanted.
    fn pass(&self, incoming: Incoming) -> bool {
        let interrupts = incoming.interrupts();
        let passed = self.sender.send(incoming).is_ok();
        self.interrupt.fetch_or(interrupts, Ordering::Relaxed);
        passed
    }
}
