//! What is to hold for all bytes. The stable run beside this folder and the targets of cargo-fuzz in `/fuzz` share it.

pub(crate) mod commands;
pub(crate) mod files;
pub(crate) mod grammar;
pub(crate) mod import;
pub(crate) mod read;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod write;

use std::io::Cursor;
use std::num::NonZeroUsize;

use pdn::source::{ChunkOptions, Event, Input, Pipeline, Work};

/// A property; it panics where it does not hold.
pub(crate) type Target = fn(&[u8]);

/// The properties of the library by their names.
pub(crate) const ALL: [(&str, Target); 6] = [
    ("read", read::check),
    ("write", write::check),
    ("grammar", grammar::check),
    ("import", import::check),
    ("replay", replay::check),
    ("rules", rules::check),
];

/// Passes bytes through a work as a file; the events of the chunks go to `each`.
fn run<W: Work>(bytes: &[u8], work: &W, mut each: impl FnMut(W::Done)) {
    let inputs = vec![Ok(Input::stream("-", Cursor::new(bytes.to_vec())))];
    let run = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default()).run(inputs, work, |event| {
        if let Event::Done(done) = event {
            each(done);
        }
        Ok(())
    });
    run.expect("no error is returned");
}
