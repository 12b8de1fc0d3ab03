//! Requests: what they must have, and what answers them.

use std::io::Read as _;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_LENGTH, ETAG, HeaderMap, HeaderValue, IF_MATCH, LOCATION, RETRY_AFTER, SET_COOKIE};
use hyper::{Method, Request, StatusCode};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};

use super::access::Access;
use super::answer::{Answer, Busy, json_answer, made, refusal, whole};
use super::assets;
use super::folder::{FileError, Folder, Listing};
use super::host::NativeHost;
use super::session::{Held, MEMORY_OF_SESSION, Memory, Session};
use super::work::{Thinkers, answer, work};
use crate::calls::CallOptions;

/// Most bytes in memory of the options of a request: 20,000 files with their names take 30 MB.
const MEMORY_OF_OPTIONS: usize = 32 << 20;
/// Largest request, in bytes: a record that a page sends, with its options.
const LARGEST_REQUEST: usize = MEMORY_OF_SESSION - MEMORY_OF_OPTIONS;
/// Largest question about a position.
const LARGEST_QUESTION: usize = 1 << 20;
const LARGEST_PASSWORD: usize = 1 << 10;

/// Least bytes of a request in each window of time, unless it is complete: 64 kB a second. A total time would let a client hold
/// what it takes for as long as the length that it named allows, which was over an hour.
const WINDOW: Duration = Duration::from_secs(10);
const LEAST_IN_WINDOW: usize = 640_000;

/// Time between looks whether there is room for what arrived.
const NEXT_LOOK: Duration = Duration::from_millis(50);

/// Time that work waits for other work.
const PATIENCE: Duration = Duration::from_secs(30);

/// Requests of a kind that wait; fewer than the connections for all kinds together, so that there is always one for a short
/// question.
const MOST_WAITING: usize = 64;

/// Time that a wrong password costs.
const WRONG_PASSWORD: Duration = Duration::from_secs(1);

/// Bytes of a file that are sent together.
const PIECE: usize = 64 << 10;

/// What all requests share.
pub(super) struct Shared {
    pub(super) access: Access,
    pub(super) folder: Folder,
    pub(super) thinkers: Thinkers,
    pub(super) host: Arc<NativeHost>,
    pub(super) jobs: NonZeroUsize,
    /// Work on records at the same time.
    works: Slots,
    thoughts: Slots,
    questions: Slots,
    memory: Arc<Memory>,
}

type Refused<T> = Result<T, Answer>;

/// Requests of a kind: those that are answered at the same time, and those that wait.
struct Slots {
    free: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Slots {
    fn new(count: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(count)), waiting: Semaphore::new(MOST_WAITING) }
    }

    /// Waits for a slot.
    async fn take(&self) -> Refused<OwnedSemaphorePermit> {
        if let Ok(slot) = Arc::clone(&self.free).try_acquire_owned() {
            return Ok(slot);
        }
        let _place = self.waiting.try_acquire().map_err(|_| busy())?;
        let waited = timeout(PATIENCE, Arc::clone(&self.free).acquire_owned()).await;
        waited.ok().and_then(Result::ok).ok_or_else(busy)
    }
}

impl Shared {
    pub(super) fn new(
        access: Access,
        folder: Folder,
        thinkers: Thinkers,
        host: NativeHost,
        jobs: NonZeroUsize,
    ) -> Self {
        Self {
            access,
            folder,
            thinkers,
            host: Arc::new(host),
            jobs,
            // On one or two processors, too, a long work must not stop all others.
            works: Slots::new(jobs.get().max(4)),
            thoughts: Slots::new(jobs.get().max(2)),
            questions: Slots::new(16),
            memory: Arc::default(),
        }
    }
}

/// The connection that a request came by.
pub(super) struct Connection {
    pub(super) address: IpAddr,
    /// The number of its requests that are being answered.
    pub(super) requests: Arc<AtomicUsize>,
}

/// Answers a request.
pub(super) async fn answered(shared: Arc<Shared>, connection: Connection, request: Request<Incoming>) -> Answer {
    routed(shared, connection, request).await.unwrap_or_else(|refused| refused)
}

async fn routed(shared: Arc<Shared>, connection: Connection, request: Request<Incoming>) -> Refused<Answer> {
    let (sent, headers) = (request.method().clone(), request.headers());
    // An answer to HEAD is sent without its content.
    let method = if sent == Method::HEAD { Method::GET } else { sent.clone() };
    // A request to a proxy names another host in its first line.
    if request.uri().authority().is_some() || !shared.access.is_own_host(headers) {
        return Err(refusal(StatusCode::MISDIRECTED_REQUEST, "unknown host"));
    }
    let path = request.uri().path().trim_start_matches('/').to_owned();
    let is_page = path.is_empty() && method == Method::GET;
    // Links on other pages may lead to the first page, which shows nothing of the folder by itself.
    if !is_page && !shared.access.is_own_page(&sent, headers) {
        return Err(refusal(StatusCode::FORBIDDEN, "the request comes from another page"));
    }
    if is_page {
        return first_page(&shared, connection.address, &request);
    }
    if path == "sign-in" {
        return match method {
            Method::POST => sign_in(&shared, connection.address, request).await,
            // Somebody who could not sign in loads the page again.
            Method::GET => Ok(to_first_page()),
            _ => Err(not_allowed("GET, HEAD, POST")),
        };
    }
    let Some(call) = path.strip_prefix("api/") else {
        return match (path.is_empty(), assets::asset(&path)) {
            (false, None) => Err(not_found()),
            (false, Some(found)) if method == Method::GET => Ok(found),
            _ => Err(not_allowed("GET, HEAD")),
        };
    };
    let unknown = || refusal(StatusCode::UNAUTHORIZED, "open the address that the server printed, or sign in again");
    let session = shared.access.session(headers).ok_or_else(unknown)?;
    let call = call.to_owned();
    // Only connections of people who are let in are kept when there are too many.
    let guards = [session.requests().ok_or_else(busy)?, &connection.requests].map(Busy::new);
    let mut answer = called(shared, session, &method, &call, request).await?;
    answer.body_mut().keep(guards);
    Ok(answer)
}

/// Answers a call of the application. What a request brings is read before it takes a turn, so that slow clients take none.
async fn called(
    shared: Arc<Shared>,
    session: Arc<Session>,
    method: &Method,
    call: &str,
    request: Request<Incoming>,
) -> Refused<Answer> {
    match (method, call) {
        (&Method::GET, "files") => files(shared).await,
        (&Method::GET, "file") => file(shared, &parameter(&request, "path")?).await,
        (&Method::PUT, "file") => save(shared, session, request).await,
        (&Method::POST, "answer") => question(shared, session, request).await,
        (&Method::POST, "work") => {
            let name = parameter(&request, "name")?;
            let (bytes, memory) = asked(&shared, session, request, LARGEST_REQUEST).await?;
            let slot = shared.works.take().await?;
            Ok(made("application/octet-stream", move |pieces| {
                let _held = (slot, memory);
                work(&name, bytes, &shared.folder, &shared.host, shared.jobs, pieces);
            }))
        }
        (&Method::POST, "analyse") => {
            let (bytes, memory) = asked(&shared, session, request, LARGEST_QUESTION).await?;
            let slot = {
                let _waiting = Busy::new(shared.thinkers.waiting());
                shared.thoughts.take().await?
            };
            Ok(made("text/event-stream", move |pieces| {
                let _held = (slot, memory);
                shared.thinkers.think(&bytes, &pieces);
            }))
        }
        (_, "files") => Err(not_allowed("GET, HEAD")),
        (_, "file") => Err(not_allowed("GET, HEAD, PUT")),
        (_, "answer" | "work" | "analyse") => Err(not_allowed("POST")),
        _ => Err(not_found()),
    }
}

/// Returns the page for a browser that is known, and lets one in that has the token.
fn first_page(shared: &Shared, address: IpAddr, request: &Request<Incoming>) -> Refused<Answer> {
    // Programs that look at an address before somebody opens it must not use up a token.
    let token = parameter(request, "token").ok().filter(|_| request.method() == Method::GET);
    if token.is_some_and(|token| shared.access.is_token(&token)) {
        return let_in(shared, address, request.headers());
    }
    // Somebody who is known may have opened an old address.
    if shared.access.session(request.headers()).is_some() {
        return Ok(assets::page());
    }
    if shared.access.has_password() {
        return Ok(assets::sign_in(StatusCode::OK, ""));
    }
    let text = "Open the address that `pdn serve` printed, with its token.\n";
    Err(whole(StatusCode::FORBIDDEN, "text/plain; charset=utf-8", text))
}

/// Gives a browser the cookie, and sends it to the page without a secret in its address.
fn let_in(shared: &Shared, address: IpAddr, headers: &HeaderMap) -> Refused<Answer> {
    let mut answer = to_first_page();
    let cookie = shared.access.cookie(address, headers).map_err(|_| failed())?;
    answer.headers_mut().insert(SET_COOKIE, HeaderValue::from_str(&cookie).map_err(|_| failed())?);
    Ok(answer)
}

fn to_first_page() -> Answer {
    let mut answer = whole(StatusCode::SEE_OTHER, "text/plain; charset=utf-8", "");
    answer.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
    answer
}

async fn sign_in(shared: &Arc<Shared>, address: IpAddr, request: Request<Incoming>) -> Refused<Answer> {
    let headers = request.headers().clone();
    let (bytes, _) = content(shared, None, request, LARGEST_PASSWORD).await?;
    // After this nothing is waited for until the answer is known, so that guesses at the same time are counted too.
    if !shared.access.sessions.may_guess(address) {
        let notice = "Too many wrong passwords: wait ten seconds, and sign in again.";
        return Err(assets::sign_in(StatusCode::TOO_MANY_REQUESTS, notice));
    }
    let text = String::from_utf8_lossy(&bytes);
    let given = text.split('&').find_map(|pair| pair.strip_prefix("password=")).and_then(|text| decoded(text, true));
    if given.is_some_and(|given| shared.access.is_password(given.as_bytes())) {
        return let_in(shared, address, &headers);
    }
    shared.access.sessions.failed(address);
    tokio::time::sleep(WRONG_PASSWORD).await;
    Ok(assets::sign_in(StatusCode::UNAUTHORIZED, "The password is wrong."))
}

async fn files(shared: Arc<Shared>) -> Refused<Answer> {
    let slot = shared.questions.take().await?;
    let list = move || {
        let _slot = slot;
        let Listing { files, left_out } = shared.folder.files()?;
        Ok(json!({
            "folder": shared.folder.name(),
            "writable": shared.folder.is_writable(),
            "engine": shared.thinkers.program(),
            "files": files,
            "leftOut": left_out,
        }))
    };
    let listed = tokio::task::spawn_blocking(list).await.map_err(|_| failed())?;
    let unreadable = |error: std::io::Error| {
        refusal(StatusCode::INTERNAL_SERVER_ERROR, &format!("the folder cannot be read: {error}"))
    };
    Ok(json_answer(StatusCode::OK, &listed.map_err(unreadable)?))
}

/// Returns the bytes of a file.
async fn file(shared: Arc<Shared>, path: &str) -> Refused<Answer> {
    let slot = shared.questions.take().await?;
    let (mut file, length, version) = shared.folder.read(path).map_err(not_read)?;
    let mut answer = made("application/octet-stream", move |pieces| {
        let _slot = slot;
        let mut left = length;
        while left > 0 {
            let mut piece = vec![0; PIECE.min(usize::try_from(left).unwrap_or(PIECE))];
            // A file that became shorter ends the answer early, which the client sees.
            let Ok(read @ 1..) = file.read(&mut piece) else { return };
            piece.truncate(read);
            left -= read as u64;
            if pieces.send(piece).is_err() {
                return;
            }
        }
    });
    answer.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
    answer.headers_mut().extend(HeaderValue::from_str(&format!("\"{version}\"")).ok().map(|tag| (ETAG, tag)));
    Ok(answer)
}

/// Saves a file: a new one, or one that replaces the version named by the request.
async fn save(shared: Arc<Shared>, session: Arc<Session>, request: Request<Incoming>) -> Refused<Answer> {
    if !shared.folder.is_writable() {
        return Err(not_read(FileError::ReadOnly));
    }
    let path = parameter(&request, "path")?;
    let replaced = request.headers().get(IF_MATCH).and_then(|tag| tag.to_str().ok());
    let replaced = replaced.map(|tag| tag.trim_matches('"').to_owned());
    let certain = parameter(&request, "certain").is_ok_and(|value| value == "1");
    let (bytes, memory) = content(&shared, Some(session), request, LARGEST_REQUEST).await?;
    let slot = shared.questions.take().await?;
    let write = move || {
        let _held = (slot, memory);
        shared.folder.save(&path, (replaced.as_deref(), certain), &bytes)
    };
    let version = tokio::task::spawn_blocking(write).await.map_err(|_| failed())?.map_err(not_read)?;
    Ok(json_answer(StatusCode::OK, &json!({ "version": version })))
}

async fn question(shared: Arc<Shared>, session: Arc<Session>, request: Request<Incoming>) -> Refused<Answer> {
    let name = parameter(&request, "name")?;
    let (bytes, _memory) = asked(&shared, session, request, LARGEST_QUESTION).await?;
    let _slot = shared.questions.take().await?;
    let answered = tokio::task::spawn_blocking(move || answer(&name, &bytes)).await.map_err(|_| failed())?;
    Ok(json_answer(StatusCode::OK, &answered))
}

/// Reads the content of a request whose first line has options, holds the memory for these, and counts the house rules among them.
async fn asked(
    shared: &Shared,
    session: Arc<Session>,
    request: Request<Incoming>,
    largest: usize,
) -> Refused<(Bytes, Held)> {
    let (bytes, mut held) = content(shared, Some(Arc::clone(&session)), request, largest).await?;
    let line = bytes.slice(..memchr::memchr(b'\n', &bytes).unwrap_or(bytes.len()));
    let size = parsed_size(&line);
    if size > MEMORY_OF_OPTIONS {
        return Err(refusal(StatusCode::PAYLOAD_TOO_LARGE, "the options are too large"));
    }
    room(&mut held, size).await?;
    let rules = move || CallOptions::parse(&line).ok()?.rules().map(str::to_owned);
    let rules = tokio::task::spawn_blocking(rules).await.map_err(|_| failed())?;
    if rules.is_some_and(|text| !shared.access.sessions.may_use_rules(&session, &text)) {
        return Err(refusal(StatusCode::TOO_MANY_REQUESTS, "too many different house rules came from this address"));
    }
    Ok((bytes, held))
}

/// Reads the content of a request, and holds the memory for it, counted as it arrives.
async fn content(
    shared: &Shared,
    session: Option<Arc<Session>>,
    request: Request<Incoming>,
    largest: usize,
) -> Refused<(Bytes, Held)> {
    let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    let length = length.ok_or_else(|| refusal(StatusCode::LENGTH_REQUIRED, "expected a length"))?;
    if length > largest {
        return Err(refusal(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large"));
    }
    let mut held = Held::new(&shared.memory, session);
    let mut body = std::pin::pin!(request.into_body());
    let (mut bytes, mut arrived, mut end) = (Vec::new(), 0, Instant::now() + WINDOW);
    loop {
        let next = std::future::poll_fn(|context| body.as_mut().poll_frame(context));
        let Ok(next) = timeout_at(end, next).await else {
            if arrived < LEAST_IN_WINDOW {
                return Err(refusal(StatusCode::REQUEST_TIMEOUT, "the request is too slow"));
            }
            (arrived, end) = (0, Instant::now() + WINDOW);
            continue;
        };
        let Some(frame) = next else { return Ok((bytes.into(), held)) };
        let frame = frame.map_err(|_| refusal(StatusCode::BAD_REQUEST, "the request ends early"))?;
        let piece = frame.into_data().unwrap_or_default();
        if !held.grow(piece.len()) {
            room(&mut held, piece.len()).await?;
            // The client has no part in that time.
            end = Instant::now() + WINDOW;
        }
        arrived += piece.len();
        bytes.extend(piece);
    }
}

/// Returns an upper estimate of the memory that JSON takes when it is parsed and copied once: a list of numbers takes 40 times its
/// length, objects in each other 200 times, and texts twice.
fn parsed_size(json: &[u8]) -> usize {
    let (mut is_text, mut is_escaped) = (false, false);
    let size = |&byte: &u8| {
        if std::mem::take(&mut is_escaped) {
            return 2;
        }
        is_escaped = is_text && byte == b'\\';
        is_text ^= byte == b'"';
        match byte {
            b'{' if !is_text => 1280,
            b'[' | b',' if !is_text => 128,
            _ => 2,
        }
    };
    json.iter().map(size).sum()
}

/// Waits for memory that others hold.
async fn room(held: &mut Held, bytes: usize) -> Refused<()> {
    let end = Instant::now() + PATIENCE;
    while !held.grow(bytes) {
        if Instant::now() > end {
            return Err(busy());
        }
        tokio::time::sleep(NEXT_LOOK).await;
    }
    Ok(())
}

/// Returns a parameter of the address.
fn parameter(request: &Request<Incoming>, name: &str) -> Refused<String> {
    let pairs = request.uri().query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    let found = pairs.into_iter().find(|(key, _)| *key == name).and_then(|(_, value)| decoded(value, false));
    found.ok_or_else(|| refusal(StatusCode::BAD_REQUEST, &format!("expected `{name}` in the address")))
}

/// Decodes `%41`, and in forms also `+`.
fn decoded(text: &str, is_form: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                (digit(rest.next()?)? * 16 + digit(rest.next()?)?) as u8
            }
            b'+' if is_form => b' ',
            _ => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn not_read(error: FileError) -> Answer {
    match error {
        FileError::Unknown => refusal(StatusCode::NOT_FOUND, "there is no such record in the folder"),
        FileError::Changed => refusal(StatusCode::PRECONDITION_FAILED, "the file has changed on the disk"),
        FileError::ReadOnly => refusal(StatusCode::FORBIDDEN, "the folder or the file is read-only"),
        FileError::Unsure => refusal(StatusCode::CONFLICT, "the file is not UTF-8, so its encoding is not certain"),
        FileError::Failed(kind) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &kind.to_string()),
    }
}

fn not_found() -> Answer {
    refusal(StatusCode::NOT_FOUND, "not found")
}

/// Refuses a method that a path does not have.
fn not_allowed(methods: &'static str) -> Answer {
    let mut answer = refusal(StatusCode::METHOD_NOT_ALLOWED, "the method is not allowed here");
    answer.headers_mut().insert(ALLOW, HeaderValue::from_static(methods));
    answer
}

fn busy() -> Answer {
    let mut answer = refusal(StatusCode::SERVICE_UNAVAILABLE, "the server is busy");
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("5"));
    answer
}

fn failed() -> Answer {
    refusal(StatusCode::INTERNAL_SERVER_ERROR, "the server failed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_in_texts_take_no_more_memory_than_others() {
        let text = format!("\"{}\"", r#"a\"{[,"#.repeat(1000));
        assert_eq!(parsed_size(text.as_bytes()), 2 * text.len());
        assert_eq!(parsed_size(br#"{"\\":[1,2]}"#), 1280 + 2 * 128 + 2 * 9);
    }

    #[test]
    fn addresses_are_decoded_once() {
        assert_eq!(decoded("a%20b+c", false).as_deref(), Some("a b+c"));
        assert_eq!(decoded("a+b%2Bc", true).as_deref(), Some("a b+c"));
        assert_eq!(decoded("%252e%252e", false).as_deref(), Some("%2e%2e"));
        for wrong in ["%", "%4", "%zz", "%ff", "%c0%ae"] {
            assert_eq!(decoded(wrong, false), None, "{wrong}");
        }
    }
}
