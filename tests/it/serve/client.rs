//! A server on a thread, and a client that says exactly what it is told to.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use pdn::egdb::Databases;
use pdn::serve::{ServeOptions, Server};
use tempfile::{TempDir, tempdir};

/// A record of two games, the second with an illegal move.
pub(super) const GAMES: &str = "[Event \"Cup\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n\
                                [Event \"Cup\"]\n[GameType \"20\"]\n\n1. 31-13 *\n";

/// A served folder: `club/games.pdn` inside, `secret.pdn` beside it.
pub(super) struct Served {
    pub(super) place: TempDir,
    /// Such as `127.0.0.1:1234`.
    pub(super) host: String,
    token: String,
}

pub(super) fn serve(change: impl FnOnce(ServeOptions) -> ServeOptions) -> Served {
    serve_with(change, Databases::default())
}

/// Serves with endgame databases.
pub(super) fn serve_with(change: impl FnOnce(ServeOptions) -> ServeOptions, databases: Databases) -> Served {
    let place = tempdir().expect("a folder");
    fs::create_dir(place.path().join("club")).expect("a folder");
    fs::write(place.path().join("club/games.pdn"), GAMES).expect("a file");
    fs::write(place.path().join("secret.pdn"), GAMES).expect("a file");
    let options = change(ServeOptions::default());
    let jobs = NonZeroUsize::new(2).expect("not zero");
    let server = Server::bind(&place.path().join("club"), options, databases, jobs).expect("a server");
    let found = Served::at(place, &server.url());
    thread::spawn(move || server.run());
    found
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }

    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// Returns the messages in an answer to work, and its output.
    pub(super) fn frames(&self) -> (Vec<serde_json::Value>, Vec<u8>) {
        let (mut messages, mut output, mut rest) = (Vec::new(), Vec::new(), &self.body[..]);
        while let [kind, a, b, c, d, content @ ..] = rest {
            let (content, others) = content.split_at(u32::from_le_bytes([*a, *b, *c, *d]) as usize);
            match kind {
                0 => output.extend(content),
                _ => messages.push(serde_json::from_slice(content).expect("JSON")),
            }
            rest = others;
        }
        (messages, output)
    }
}

impl Served {
    /// Returns a folder that is served at an address with a token.
    pub(super) fn at(place: TempDir, url: &str) -> Self {
        let (host, token) = url.trim().trim_start_matches("http://").split_once('/').expect("a path");
        Self { place, host: host.to_owned(), token: token.trim_start_matches("?token=").to_owned() }
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_mins(1))).expect("a time");
        stream
    }

    /// Sends bytes and returns the answer; the server must end the connection.
    pub(super) fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses early may not take everything.
        let _ = stream.write_all(request);
        answer(&mut stream)
    }

    /// Sends a request with headers besides `Host` and the length of the body.
    pub(super) fn send(&self, request: &str, headers: &[&str], body: &[u8]) -> Answer {
        let mut head = format!("{request} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.host);
        for header in headers {
            head.extend([*header, "\r\n"]);
        }
        if !request.starts_with("GET") {
            head.extend(["Content-Length: ", &body.len().to_string(), "\r\n"]);
        }
        self.raw(&[head.as_bytes(), b"\r\n", body].concat())
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// The header of a browser that was let in.
    pub(super) fn cookie(&self) -> String {
        let answer = self.send(&format!("GET /?token={}", self.token), &[], b"");
        format!("Cookie: {}", answer.header("set-cookie").expect("a cookie").split(';').next().expect("a pair"))
    }

    /// Sends a request as the page does.
    pub(super) fn ask(&self, request: &str, body: &[u8]) -> Answer {
        let origin = format!("Origin: http://{}", self.host);
        self.send(request, &[&self.cookie(), &origin, "Sec-Fetch-Site: same-origin"], body)
    }
}

/// Reads an answer up to the end of the connection.
pub(super) fn answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let rest = &bytes[(end + 4).min(bytes.len())..];
    let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    Answer { status, head, body: if is_chunked { joined(rest) } else { rest.to_vec() } }
}

/// Joins the chunks of a body.
fn joined(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(&String::from_utf8_lossy(&rest[..end]), 16).unwrap_or(0);
        let Some(content) = rest.get(end + 2..end + 2 + size) else { break };
        body.extend(content);
        rest = rest.get(end + 4 + size..).unwrap_or_default();
    }
    body
}
