//! The functions that JavaScript calls, and those that it provides.
//!
//! Texts and options are in memory that [`pdn_alloc`] returned and that the callee frees. The list of imports is asserted by
//! a test: the module needs nothing else.

#![allow(unsafe_code, reason = "functions of the module's interface have pointers into its memory")]

use std::alloc::{Layout, alloc};
use std::cell::RefCell;
use std::io::{self, Read};
use std::sync::Arc;

use pdn::Result;
use pdn::calls::{CallOptions, Outlet, Progress, Session, error_row};
use pdn::source::Input;
use serde::Deserialize;
use serde_json::{Value, json};

#[link(wasm_import_module = "pdn")]
unsafe extern "C" {
    /// Reads bytes of an input into memory: their number, 0 at its end, [`PENDING`] or [`FAILED`].
    #[link_name = "read"]
    fn host_read(input: u32, bytes: *mut u8, length: usize) -> i32;
    /// Takes bytes: output, or a message.
    #[link_name = "emit"]
    fn host_emit(kind: u32, bytes: *const u8, length: usize);
    /// Returns the time in milliseconds since any fixed moment.
    #[link_name = "now"]
    fn host_now() -> f64;
}

/// There are no bytes now, but there will be.
const PENDING: i32 = -1;
/// The input cannot be read.
const FAILED: i32 = -2;

/// What bytes are.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Output,
    Message,
    Panic,
}

/// Passes bytes to JavaScript.
fn emit(kind: Kind, bytes: &[u8]) {
    // SAFETY: the bytes are valid for the call, which only reads them.
    unsafe { host_emit(kind as u32, bytes.as_ptr(), bytes.len()) }
}

/// Returns the time in milliseconds since any fixed moment.
pub(crate) fn now() -> f64 {
    // SAFETY: the function has no arguments.
    unsafe { host_now() }
}

/// Sends a message.
pub(crate) fn send(message: &Value) {
    emit(Kind::Message, message.to_string().as_bytes());
}

/// Passes answers to JavaScript.
struct Page;

impl Outlet for Page {
    fn output(&self, bytes: &[u8]) -> Result<()> {
        emit(Kind::Output, bytes);
        Ok(())
    }

    fn message(&self, json: &str) -> Result<()> {
        emit(Kind::Message, json.as_bytes());
        Ok(())
    }

    fn now(&self) -> f64 {
        now()
    }

    #[cfg(feature = "engine")]
    fn lacks(&self, data: &str) -> bool {
        crate::engine::lacks(data)
    }
}

#[derive(Deserialize)]
struct NamedInput {
    id: u32,
    name: String,
}

fn begin(name: &str, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let inputs: Vec<NamedInput> = options.take("inputs")?.unwrap_or_default();
    let inputs = inputs.iter().map(|input| Ok(Input::stream(&input.name, HostReader(input.id)))).collect();
    pdn::calls::begin(
        name,
        options,
        inputs,
        Arc::new(Page),
        #[cfg(feature = "engine")]
        None,
    )
}

/// An input that JavaScript has.
struct HostReader(u32);

impl Read for HostReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the buffer is valid for the call, which writes at most its length.
        match unsafe { host_read(self.0, buffer.as_mut_ptr(), buffer.len()) } {
            PENDING => Err(io::ErrorKind::WouldBlock.into()),
            FAILED => Err(io::Error::other("the stream failed")),
            read => Ok(usize::try_from(read).unwrap_or_default().min(buffer.len())),
        }
    }
}

thread_local! {
    /// The sessions by their handles, counted from 1.
    static SESSIONS: RefCell<Vec<Option<Box<dyn Session>>>> = const { RefCell::new(Vec::new()) };
}

/// Returns memory for this number of bytes, or 0 if there is none.
#[unsafe(no_mangle)]
extern "C" fn pdn_alloc(length: usize) -> *mut u8 {
    // SAFETY: the size is not zero.
    Layout::array::<u8>(length.max(1)).map_or(std::ptr::null_mut(), |layout| unsafe { alloc(layout) })
}

/// Takes over bytes that JavaScript wrote into memory of [`pdn_alloc`].
fn taken(bytes: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: JavaScript passes what `pdn_alloc` returned for this length, once, with all bytes written.
    unsafe { Vec::from_raw_parts(bytes, length, length.max(1)) }
}

fn named(bytes: *mut u8, length: usize) -> String {
    String::from_utf8_lossy(&taken(bytes, length)).into_owned()
}

/// Answers a call with a message. Returns 0, or 1 for an error.
#[unsafe(no_mangle)]
extern "C" fn pdn_call(name: *mut u8, name_length: usize, options: *mut u8, length: usize) -> u32 {
    prepare();
    let name = named(name, name_length);
    let answer = CallOptions::parse(&taken(options, length)).and_then(|options| crate::call(&name, options));
    u32::from(reported(answer.map(|answer| send(&json!({ "result": answer })))).is_none())
}

/// Begins work and returns its handle, or 0 for an error.
#[unsafe(no_mangle)]
extern "C" fn pdn_open(name: *mut u8, name_length: usize, options: *mut u8, length: usize) -> u32 {
    prepare();
    let name = named(name, name_length);
    let opened = CallOptions::parse(&taken(options, length)).and_then(|options| begin(&name, options));
    let Some(session) = reported(opened) else { return 0 };
    SESSIONS.with_borrow_mut(|sessions| {
        let place = sessions.iter().position(Option::is_none).unwrap_or(sessions.len());
        if place == sessions.len() {
            sessions.push(None);
        }
        sessions[place] = Some(session);
        place as u32 + 1
    })
}

/// Does the next step of work: 0 if it was the last one, 1 if there are more, 2 if an input has no bytes now, 3 for an error,
/// and 4 if a file of data is needed first, which a message names.
#[unsafe(no_mangle)]
extern "C" fn pdn_step(handle: u32) -> u32 {
    let place = (handle as usize).wrapping_sub(1);
    let session = SESSIONS.with_borrow_mut(|sessions| sessions.get_mut(place).and_then(Option::take));
    let Some(mut session) = session else { return 3 };
    let step = reported(session.step());
    SESSIONS.with_borrow_mut(|sessions| sessions[place] = Some(session));
    match step {
        Some(Progress::Done) => 0,
        Some(Progress::More) => 1,
        Some(Progress::Pending) => 2,
        None => 3,
        Some(Progress::Needs) => 4,
    }
}

/// Ends work.
#[unsafe(no_mangle)]
extern "C" fn pdn_close(handle: u32) {
    let place = (handle as usize).wrapping_sub(1);
    let session = SESSIONS.with_borrow_mut(|sessions| sessions.get_mut(place).and_then(Option::take));
    drop(session);
}

/// Takes over a file of data: weights, or an endgame database. Returns 0, or 1 for an error.
#[unsafe(no_mangle)]
extern "C" fn pdn_data(name: *mut u8, name_length: usize, bytes: *mut u8, length: usize) -> u32 {
    prepare();
    let name = named(name, name_length);
    u32::from(reported(crate::data::take(&name, taken(bytes, length))).is_none())
}

/// Reports an error, if it is one.
fn reported<T>(made: Result<T>) -> Option<T> {
    made.map_err(|error| send(&json!({ "error": error_row(&error) }))).ok()
}

/// Has a panic leave its message before the module traps.
fn prepare() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| emit(Kind::Panic, panic.to_string().as_bytes())));
        #[cfg(feature = "engine")]
        crate::engine::set_clock();
    });
}
