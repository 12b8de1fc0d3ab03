//! `--dedupe` of `search` and `merge`: all inputs are read three times: to fingerprint the games, to find games that are
//! beginnings of others, and to write those that are kept.

use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;

use super::searcher::{Comparer, Matches, Searcher};
use crate::check::Checking;
use crate::cli::check::duplicates::Inputs;
use crate::cli::context::{Context, Step};
use crate::cli::options::{ADVANCED, Files};
use crate::cli::output::Output;
use crate::cli::words::{count, counted};
use crate::error::Result;
use crate::query::{Documented, Duplicates};
use crate::source::Event;

/// What happens to copies of games.
#[derive(Debug, Args)]
#[expect(clippy::struct_field_names, reason = "fields are named after options")]
pub(in crate::cli) struct Dedupe {
    /// Of copies of a game, keep the one with the most tags, comments and other details, and drop games that are the
    /// beginning of another; games with the same moves by other players are kept
    #[arg(long)]
    pub(in crate::cli) dedupe: bool,
    /// Write the games that --dedupe drops to FILE
    #[arg(long, value_name = "FILE", requires = "dedupe", help_heading = ADVANCED)]
    pub(in crate::cli) dropped: Option<PathBuf>,
    /// Add the tags that only a dropped copy has to the copy that is kept
    #[arg(long, requires = "dedupe", help_heading = ADVANCED)]
    pub(in crate::cli) combine: bool,
}

/// The tags to add to games, by game number.
type AddedTags = HashMap<u32, Vec<(String, String)>>;

/// Called with each game that is kept: the chunk, its number in the chunk, and its text.
pub(in crate::cli) type Keep<'a> = dyn FnMut(&mut Context, &Matches, usize, &[u8]) -> Result<()> + 'a;

impl Dedupe {
    /// Reads all inputs and passes on the games that match and are kept; dropped games are written to their file after `header`.
    ///
    /// # Errors
    ///
    /// If an output cannot be written.
    pub(in crate::cli) fn run(
        &self,
        files: &Files,
        searcher: &Searcher,
        context: &mut Context,
        header: &[u8],
        keep: &mut Keep<'_>,
    ) -> Result<()> {
        let mut inputs = Inputs::new(files, context)?;
        let mut duplicates = Duplicates::default();
        // The inputs are read three times, because the games of all of them may not fit in memory.
        compare(&inputs, files, searcher, context, false, &mut |_, game, _| duplicates.add(&game))?;
        duplicates.settle();
        let mut added = AddedTags::new();
        compare(&inputs, files, searcher, context, true, &mut |number, game, tags| {
            if let Some(kept) = duplicates.kept_for(number).filter(|_| self.combine) {
                added.entry(kept).or_default().extend(tags);
            }
            duplicates.compare(number, &game);
        })?;
        let mut dropped = self.dropped.as_deref().map(|path| Output::new(Some(path))).transpose()?;
        if let Some(dropped) = &mut dropped {
            dropped.bytes(header)?;
        }
        let work = Checking::by_input(searcher, context.check_options(files));
        let mut number = 0;
        context.read(std::mem::take(&mut inputs.inputs), files, &work, |context, step| {
            let Step::Done(matches) = step else { return Ok(()) };
            for n in 0..matches.len() {
                let game = match added.get(&number) {
                    Some(tags) => matches.with_tags(n, tags),
                    None => matches.game(n).into(),
                };
                match (duplicates.is_dropped(number), &mut dropped) {
                    (false, _) => keep(context, &matches, n, &game)?,
                    (true, Some(dropped)) => dropped.bytes(matches.game(n))?,
                    (true, None) => {}
                }
                number += 1;
            }
            Ok(())
        })?;
        let counts = duplicates.counts;
        context.inform(&format!(
            "{} and {} of other games dropped; {} with the same moves as another kept: players or rounds differ",
            counted(counts.copies, "copy", "copies"),
            count(counts.beginnings, "beginning"),
            count(counts.same_moves, "game")
        ));
        dropped.map_or(Ok(()), Output::finish)
    }
}

/// Reads all inputs ahead and takes the games that match, with their numbers from 0, and their tags if they are combined.
fn compare(
    inputs: &Inputs,
    files: &Files,
    searcher: &Searcher,
    context: &Context,
    beginnings: bool,
    take: &mut dyn FnMut(u32, Documented, Vec<(String, String)>),
) -> Result<()> {
    let comparer = Comparer { searcher, beginnings };
    let work = Checking::by_input(&comparer, context.check_options(files));
    let mut number = 0;
    inputs.read_ahead(files, &work, context, |event| {
        if let Event::Done(compared) = event {
            for (game, tags) in compared.games {
                take(number, game, tags);
                number += 1;
            }
        }
    })
}
