//! Requests: what they must have, and what answers them.

use std::io::Read as _;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, ETAG, HeaderValue, IF_MATCH, LOCATION, RETRY_AFTER, SET_COOKIE};
use hyper::{Method, Request, StatusCode};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};

use super::access::Access;
use super::answer::{Answer, Busy, json_answer, made, refusal, whole};
use super::assets;
use super::folder::{FileError, Folder};
use super::host::NativeHost;
use super::work::{Thinkers, answer, work};

/// Largest request, in bytes: a record that a page sends.
const LARGEST_REQUEST: usize = 300 << 20;
/// Largest question about a position.
const LARGEST_QUESTION: usize = 1 << 20;
const LARGEST_PASSWORD: usize = 1 << 10;

/// Bytes of all requests that are in memory together, in units.
const MEMORY_UNITS: usize = 600;
const MEMORY_UNIT: usize = 1 << 20;

/// Time for the next bytes of a request.
const NEXT_BYTES: Duration = Duration::from_secs(10);

/// Time for receiving a request, and the number of bytes that earn it another second.
const WHOLE_REQUEST: Duration = Duration::from_secs(20);
const SLOWEST: usize = 64_000;

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
    passwords: Semaphore,
    memory: Arc<Semaphore>,
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
            works: Slots::new(jobs.get().max(4)),
            thoughts: Slots::new(jobs.get().max(2)),
            questions: Slots::new(16),
            passwords: Semaphore::new(4),
            memory: Arc::new(Semaphore::new(MEMORY_UNITS)),
        }
    }
}

/// Answers a request.
pub(super) async fn answered(shared: Arc<Shared>, request: Request<Incoming>) -> Answer {
    routed(shared, request).await.unwrap_or_else(|refused| refused)
}

async fn routed(shared: Arc<Shared>, request: Request<Incoming>) -> Refused<Answer> {
    let (method, headers) = (request.method().clone(), request.headers());
    // A request to a proxy names another host in its first line.
    if request.uri().authority().is_some() || !shared.access.is_own_host(headers) {
        return Err(refusal(StatusCode::MISDIRECTED_REQUEST, "unknown host"));
    }
    let path = request.uri().path().trim_start_matches('/').to_owned();
    let is_page = path.is_empty() && method == Method::GET;
    // Links on other pages may lead to the first page, which shows nothing of the folder by itself.
    if !is_page && !Access::is_own_page(&method, headers) {
        return Err(refusal(StatusCode::FORBIDDEN, "the request comes from another page"));
    }
    if is_page {
        return first_page(&shared, &request);
    }
    if path == "sign-in" && method == Method::POST {
        return sign_in(&shared, request).await;
    }
    let Some(call) = path.strip_prefix("api/") else {
        let found = if method == Method::GET { assets::asset(&path) } else { None };
        return found.ok_or_else(|| refusal(StatusCode::NOT_FOUND, "not found"));
    };
    if !shared.access.is_known(headers) {
        return Err(refusal(StatusCode::UNAUTHORIZED, "open the address that the server printed, or sign in again"));
    }
    let call = call.to_owned();
    called(shared, &method, &call, request).await
}

/// Answers a call of the application.
async fn called(shared: Arc<Shared>, method: &Method, call: &str, request: Request<Incoming>) -> Refused<Answer> {
    match (method, call) {
        (&Method::GET, "files") => files(shared).await,
        (&Method::GET, "file") => file(shared, &parameter(&request, "path")?).await,
        (&Method::PUT, "file") => save(shared, request).await,
        (&Method::POST, "answer") => question(shared, request).await,
        (&Method::POST, "work") => {
            let name = parameter(&request, "name")?;
            let slot = shared.works.take().await?;
            let (bytes, memory) = content(&shared, request, LARGEST_REQUEST).await?;
            Ok(made("application/octet-stream", move |pieces| {
                let _held = (slot, memory);
                work(&name, bytes, &shared.folder, &shared.host, shared.jobs, pieces);
            }))
        }
        (&Method::POST, "analyse") => {
            let slot = {
                let _waiting = Busy::new(shared.thinkers.waiting());
                shared.thoughts.take().await?
            };
            let (bytes, _) = content(&shared, request, LARGEST_QUESTION).await?;
            Ok(made("text/event-stream", move |pieces| {
                let _slot = slot;
                shared.thinkers.think(&bytes, &pieces);
            }))
        }
        _ => Err(refusal(StatusCode::NOT_FOUND, "not found")),
    }
}

/// Returns the page for a browser that is known, and lets one in that has the token.
fn first_page(shared: &Shared, request: &Request<Incoming>) -> Refused<Answer> {
    if let Ok(token) = parameter(request, "token") {
        if shared.access.is_token(&token) {
            return Ok(let_in(shared));
        }
    } else if shared.access.is_known(request.headers()) {
        return Ok(assets::page());
    }
    if shared.access.has_password() {
        return Ok(assets::sign_in(StatusCode::OK));
    }
    let text = "Open the address that `pdn serve` printed, with its token.\n";
    Err(whole(StatusCode::FORBIDDEN, "text/plain; charset=utf-8", text))
}

/// Gives a browser the cookie, and sends it to the page without a secret in its address.
fn let_in(shared: &Shared) -> Answer {
    let mut answer = whole(StatusCode::SEE_OTHER, "text/plain; charset=utf-8", "");
    answer.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
    if let Ok(cookie) = HeaderValue::from_str(&shared.access.cookie()) {
        answer.headers_mut().insert(SET_COOKIE, cookie);
    }
    answer
}

async fn sign_in(shared: &Arc<Shared>, request: Request<Incoming>) -> Refused<Answer> {
    // Few passwords are looked at together, so that they cannot be tried by the thousand.
    let _turn = shared.passwords.try_acquire().map_err(|_| busy())?;
    let (bytes, _) = content(shared, request, LARGEST_PASSWORD).await?;
    let text = String::from_utf8_lossy(&bytes);
    let given = text.split('&').find_map(|pair| pair.strip_prefix("password=")).and_then(|text| decoded(text, true));
    if given.is_some_and(|given| shared.access.is_password(given.as_bytes())) {
        return Ok(let_in(shared));
    }
    tokio::time::sleep(WRONG_PASSWORD).await;
    Ok(assets::sign_in(StatusCode::UNAUTHORIZED))
}

async fn files(shared: Arc<Shared>) -> Refused<Answer> {
    let slot = shared.questions.take().await?;
    let list = move || {
        let _slot = slot;
        json!({
            "folder": shared.folder.name(),
            "writable": shared.folder.is_writable(),
            "engine": shared.thinkers.program(),
            "files": shared.folder.files(),
        })
    };
    let listed = tokio::task::spawn_blocking(list).await.map_err(|_| failed())?;
    Ok(json_answer(StatusCode::OK, &listed))
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
async fn save(shared: Arc<Shared>, request: Request<Incoming>) -> Refused<Answer> {
    if !shared.folder.is_writable() {
        return Err(not_read(FileError::ReadOnly));
    }
    let slot = shared.questions.take().await?;
    let path = parameter(&request, "path")?;
    let replaced = request.headers().get(IF_MATCH).and_then(|tag| tag.to_str().ok());
    let replaced = replaced.map(|tag| tag.trim_matches('"').to_owned());
    let certain = parameter(&request, "certain").is_ok_and(|value| value == "1");
    let (bytes, memory) = content(&shared, request, LARGEST_REQUEST).await?;
    let write = move || {
        let _held = (slot, memory);
        shared.folder.save(&path, (replaced.as_deref(), certain), &bytes)
    };
    let version = tokio::task::spawn_blocking(write).await.map_err(|_| failed())?.map_err(not_read)?;
    Ok(json_answer(StatusCode::OK, &json!({ "version": version })))
}

async fn question(shared: Arc<Shared>, request: Request<Incoming>) -> Refused<Answer> {
    let _slot = shared.questions.take().await?;
    let name = parameter(&request, "name")?;
    let (bytes, _) = content(&shared, request, LARGEST_QUESTION).await?;
    let answered = tokio::task::spawn_blocking(move || answer(&name, &bytes)).await.map_err(|_| failed())?;
    Ok(json_answer(StatusCode::OK, &answered))
}

/// Reads the content of a request, and holds the memory for it.
async fn content(
    shared: &Shared,
    request: Request<Incoming>,
    largest: usize,
) -> Refused<(Bytes, OwnedSemaphorePermit)> {
    let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    let length = length.ok_or_else(|| refusal(StatusCode::LENGTH_REQUIRED, "expected a length"))?;
    if length > largest {
        return Err(refusal(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large"));
    }
    let units = (length / MEMORY_UNIT + 1) as u32;
    let memory = timeout(PATIENCE, Arc::clone(&shared.memory).acquire_many_owned(units)).await;
    let memory = memory.ok().and_then(Result::ok).ok_or_else(busy)?;
    let end = Instant::now() + WHOLE_REQUEST + Duration::from_secs((length / SLOWEST) as u64);
    let mut body = std::pin::pin!(request.into_body());
    let mut bytes = Vec::new();
    loop {
        let next = std::future::poll_fn(|context| body.as_mut().poll_frame(context));
        let slow = |_| refusal(StatusCode::REQUEST_TIMEOUT, "the request is too slow");
        match timeout_at(end.min(Instant::now() + NEXT_BYTES), next).await.map_err(slow)? {
            None => return Ok((bytes.into(), memory)),
            Some(Ok(frame)) => bytes.extend(frame.into_data().unwrap_or_default()),
            Some(Err(_)) => return Err(refusal(StatusCode::BAD_REQUEST, "the request ends early")),
        }
    }
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
        FileError::ReadOnly => refusal(StatusCode::FORBIDDEN, "the folder is read-only"),
        FileError::Unsure => refusal(StatusCode::CONFLICT, "the file is not UTF-8, so its encoding is not certain"),
        FileError::Failed(kind) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &kind.to_string()),
    }
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
    fn addresses_are_decoded_once() {
        assert_eq!(decoded("a%20b+c", false).as_deref(), Some("a b+c"));
        assert_eq!(decoded("a+b%2Bc", true).as_deref(), Some("a b+c"));
        assert_eq!(decoded("%252e%252e", false).as_deref(), Some("%2e%2e"));
        for wrong in ["%", "%4", "%zz", "%ff", "%c0%ae"] {
            assert_eq!(decoded(wrong, false), None, "{wrong}");
        }
    }
}
