//! The pipeline on the calling thread.

use super::untyped::{Consumer, UntypedWork};
use super::{Event, Pipeline};
use crate::error::Result;
use crate::source::Input;

pub(super) fn run(
    pipeline: &Pipeline,
    inputs: Vec<Result<Input>>,
    work: &dyn UntypedWork,
    consume: &mut Consumer<'_>,
) -> Result<()> {
    for input in inputs {
        match input {
            Ok(input) => run_input(pipeline, &input, work, consume)?,
            Err(error) => consume(Event::Error(error))?,
        }
    }
    Ok(())
}

fn run_input(pipeline: &Pipeline, input: &Input, work: &dyn UntypedWork, consume: &mut Consumer<'_>) -> Result<()> {
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
                let next = first + work.games(&*read);
                consume(Event::Done(work.finish(input, &chunk, read, first)))?;
                first = next;
            }
            Err(error) => consume(Event::Error(error))?,
        }
    }
    Ok(())
}
