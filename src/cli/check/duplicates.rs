//! Games with the same moves, over all inputs.
//!
//! All inputs are read twice: first to hash their games, 64 bytes a game, then to check them. Standard input is
//! copied to an unnamed file, if the system supports such files.

use std::io;

use crate::check::{Checking, Each};
use crate::cli::context::Context;
use crate::cli::options::Files;
use crate::cli::pending::Spooled;
use crate::error::{Error, Result};
use crate::query::{DuplicateIndex, IndexedGame};
use crate::source::{Event, Input, Pipeline, Work};

/// The inputs, each of which can be read twice, and the copies of some of them.
pub(in crate::cli) struct Inputs {
    pub(in crate::cli) inputs: Vec<Result<Input>>,
    _copies: Vec<Spooled>,
}

impl Inputs {
    /// Finds the inputs and copies standard input to a file.
    ///
    /// # Errors
    ///
    /// If standard input cannot be read or copied, or the settings of an input are invalid.
    pub(in crate::cli) fn new(files: &Files, context: &Context) -> Result<Self> {
        let mut copies = Vec::new();
        let mut inputs = files.inputs(context)?;
        for input in inputs.iter_mut().flatten().filter(|input| input.path().is_none()) {
            let copy = Spooled::new(&mut io::stdin().lock()).map_err(|error| Error::read(input.label(), error))?;
            *input = Input::with_label(input.label(), copy.path());
            copies.push(copy);
        }
        context.prepare(&mut inputs, files)?;
        Ok(Self { inputs, _copies: copies })
    }

    /// Reads the inputs before they are read again, which then reports their errors.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    pub(in crate::cli) fn read_ahead<W: Work>(
        &self,
        files: &Files,
        work: &W,
        context: &Context,
        mut take: impl FnMut(Event<W::Done>),
    ) -> Result<()> {
        let found = self.inputs.iter().flatten().cloned().map(Ok).collect();
        Pipeline::new(context.jobs, files.chunk_options()).run(found, work, |event| {
            take(event);
            Ok(())
        })
    }
}

/// Reads all inputs for the first time and returns the index of their games.
///
/// # Errors
///
/// If threads cannot be started.
pub(super) fn index(inputs: &Inputs, files: &Files, context: &Context) -> Result<DuplicateIndex> {
    let work = Checking::by_input(Each(IndexedGame::new), context.check_options(files));
    let mut index = DuplicateIndex::default();
    inputs.read_ahead(files, &work, context, |event| match event {
        Event::Begin(input) => index.begin_input(input.label()),
        Event::Done(games) => index.add(games.into_iter().flatten()),
        Event::Error(_) => {}
    })?;
    index.sort();
    Ok(index)
}
