//! `pdn search --dedupe`: all inputs are read three times, for the fingerprints of the games, for the games that are
//! beginnings of others, and to write those that are kept.

use super::searcher::{Comparer, Matches, Searcher};
use super::{Options, Sink};
use crate::check::Checking;
use crate::cli::check::duplicates::Inputs;
use crate::cli::context::{Context, Step};
use crate::cli::output::Output;
use crate::error::Result;
use crate::query::{Documented, Duplicates};
use crate::source::{Event, Pipeline};

pub(super) fn search(options: &Options, searcher: &Searcher, context: &mut Context, sink: &mut Sink) -> Result<()> {
    let mut inputs = Inputs::new(&options.files, context)?;
    let mut duplicates = Duplicates::default();
    compare(&inputs, options, searcher, context, false, &mut |_, game| duplicates.add(game))?;
    duplicates.settle();
    compare(&inputs, options, searcher, context, true, &mut |number, game| duplicates.compare(number, game))?;
    let mut dropped = options.dropped.as_deref().map(|path| Output::new(Some(path))).transpose()?;
    if let Some(dropped) = &mut dropped {
        dropped.bytes(&options.to.header())?;
    }
    let work = Checking::new(searcher, context.check_options(&options.files));
    let mut number = 0;
    context.read_found(std::mem::take(&mut inputs.inputs), &options.files, &work, |context, step| {
        let Step::Done(matches) = step else { return Ok(()) };
        write(&matches, &mut number, &duplicates, &mut |n, is_dropped| match (is_dropped, &mut dropped) {
            (false, _) => sink.game(&matches, n, context),
            (true, Some(dropped)) => dropped.bytes(matches.game(n)),
            (true, None) => Ok(()),
        })
    })?;
    dropped.map_or(Ok(()), Output::finish)
}

/// Passes the games of a chunk on, each with the answer if it is dropped; `number` counts them.
fn write(
    matches: &Matches,
    number: &mut u32,
    duplicates: &Duplicates,
    game: &mut dyn FnMut(usize, bool) -> Result<()>,
) -> Result<()> {
    for n in 0..matches.len() {
        game(n, duplicates.is_dropped(*number))?;
        *number += 1;
    }
    Ok(())
}

/// Reads all inputs and takes the games that match, with their numbers from 0. Errors are reported by the last reading.
fn compare(
    inputs: &Inputs,
    options: &Options,
    searcher: &Searcher,
    context: &Context,
    beginnings: bool,
    take: &mut dyn FnMut(u32, &Documented),
) -> Result<()> {
    let comparer = Comparer { searcher, beginnings };
    let work = Checking::new(&comparer, context.check_options(&options.files));
    let found: Vec<_> = inputs.inputs.iter().flatten().cloned().map(Ok).collect();
    let mut number = 0;
    Pipeline::new(context.jobs, context.chunk_options(&options.files)).run(found, &work, |event| {
        if let Event::Done(games) = event {
            for game in &games {
                take(number, game);
                number += 1;
            }
        }
        Ok(())
    })
}
