//! Answers: their bodies, whole or in pieces, and their headers.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::error::{Error, Result};

/// The policy of the pages: only what this server has, and no frame around them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
     trusted-types pdn";

/// Pieces of an answer that wait for the client.
const WAITING_PIECES: usize = 16;

/// Time after which a client that takes nothing is given up.
const STALLED: Duration = Duration::from_secs(30);

/// Minimum speed of a client, in bytes a millisecond. Time that a slower client takes beyond it counts towards [`STALLED`].
const SLOWEST: u64 = 64;

/// The body of an answer.
pub(super) struct Content {
    kind: Kind,
    /// The session and the connection have something to do until the body is dropped.
    busy: Option<[Busy; 2]>,
}

enum Kind {
    Whole(Option<Bytes>),
    Pieces(mpsc::Receiver<Bytes>),
}

impl Body for Content {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut self.kind {
            Kind::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Kind::Pieces(pieces) => pieces.poll_recv(context).map(|piece| piece.map(|bytes| Ok(Frame::data(bytes)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.kind, Kind::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match &self.kind {
            Kind::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Kind::Pieces(_) => SizeHint::default(),
        }
    }
}

impl Content {
    /// Marks a session and a connection as busy until the body is gone.
    pub(super) fn keep(&mut self, busy: [Busy; 2]) {
        self.busy = Some(busy);
    }
}

/// Counts a request of a session, a connection or a kind while it lives.
pub(super) struct Busy(Arc<AtomicUsize>);

impl Busy {
    pub(super) fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(super) type Answer = Response<Content>;

/// What a thread sends to a client, in pieces.
#[derive(Clone)]
pub(super) struct Pieces {
    sender: mpsc::Sender<Bytes>,
    runtime: Handle,
    /// Milliseconds spent waiting for the client, less the time that its bytes may take.
    waited: Arc<AtomicU64>,
}

impl Pieces {
    /// Sends a piece, and waits while the client is slow.
    ///
    /// # Errors
    ///
    /// If the client is gone, or takes nothing for a long time.
    pub(super) fn send(&self, piece: impl Into<Bytes>) -> Result<()> {
        let piece = piece.into();
        let (begun, granted) = (Instant::now(), piece.len() as u64 / SLOWEST);
        let waited = self.waited.load(Ordering::Relaxed);
        let patience = STALLED.saturating_sub(Duration::from_millis(waited));
        let sent = self.runtime.block_on(timeout(patience, self.sender.send(piece)));
        let waited = waited + begun.elapsed().as_millis() as u64;
        self.waited.store(waited.saturating_sub(granted), Ordering::Relaxed);
        sent.ok().and_then(Result::ok).ok_or_else(|| Error::unavailable("the client is gone"))
    }

    /// Returns true if the client is gone.
    pub(super) fn is_gone(&self) -> bool {
        self.sender.is_closed()
    }

    /// Calls a function when the client is gone, the answer is complete, or it is to end for another reason.
    pub(super) fn when_over(
        &self,
        is_over: impl Fn() -> bool + Send + Sync + 'static,
        act: impl FnOnce() + Send + 'static,
    ) {
        let sender = self.sender.downgrade();
        self.runtime.spawn(async move {
            // What waits must not keep the answer open itself.
            loop {
                match sender.upgrade() {
                    Some(sender) if !sender.is_closed() && !is_over() => {}
                    _ => return act(),
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
    }
}

fn response(status: StatusCode, media: &'static str, kind: Kind) -> Answer {
    let mut answer = Response::new(Content { kind, busy: None });
    *answer.status_mut() = status;
    let fixed = [
        (CONTENT_TYPE, media),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    answer.headers_mut().extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
    answer
}

/// Returns an answer that is complete.
pub(super) fn whole(status: StatusCode, media: &'static str, content: impl Into<Bytes>) -> Answer {
    let content = content.into();
    response(status, media, Kind::Whole(Some(content).filter(|content| !content.is_empty())))
}

/// Returns a value as JSON.
pub(super) fn json_answer(status: StatusCode, value: &Value) -> Answer {
    whole(status, "application/json", value.to_string())
}

/// Returns an error as the application reads it.
pub(super) fn refusal(status: StatusCode, message: &str) -> Answer {
    json_answer(status, &json!({ "error": { "kind": "unavailable", "message": message } }))
}

/// Returns an answer whose pieces a thread makes.
pub(super) fn made(media: &'static str, make: impl FnOnce(Pieces) + Send + 'static) -> Answer {
    let (sender, receiver) = mpsc::channel(WAITING_PIECES);
    let pieces = Pieces { sender, runtime: Handle::current(), waited: Arc::default() };
    tokio::task::spawn_blocking(move || make(pieces));
    response(StatusCode::OK, media, Kind::Pieces(receiver))
}
