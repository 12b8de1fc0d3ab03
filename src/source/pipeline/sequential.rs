//! The pipeline on the calling thread.

use super::{Event, Pipeline, Work};
use crate::error::Result;
use crate::source::Input;

pub(super) fn run<W: Work>(
    pipeline: &Pipeline,
    inputs: Vec<Result<Input>>,
    work: &W,
    mut consume: impl FnMut(Event<'_, W::Done>) -> Result<()>,
) -> Result<()> {
    for input in inputs {
        match input {
            Ok(input) => run_input(pipeline, &input, work, &mut consume)?,
            Err(error) => consume(Event::Error(error))?,
        }
    }
    Ok(())
}

fn run_input<W: Work>(
    pipeline: &Pipeline,
    input: &Input,
    work: &W,
    consume: &mut impl FnMut(Event<'_, W::Done>) -> Result<()>,
) -> Result<()> {
    consume(Event::Begin(input))?;
    let chunks = match input.chunks(pipeline.options()) {
        Ok(chunks) => chunks,
        Err(error) => return consume(Event::Error(error)),
    };
    let mut first = 1;
    let mut file = None;
    for chunk in chunks {
        match chunk {
            Ok(chunk) => {
                let file = file.get_or_insert_with(|| work.begin(input, chunk.head().cloned().unwrap_or_default()));
                let read = work.read(file, &chunk);
                let next = first + work.games(&read);
                consume(Event::Done(work.finish(input, &chunk, read, first)))?;
                first = next;
            }
            Err(error) => consume(Event::Error(error))?,
        }
    }
    Ok(())
}
