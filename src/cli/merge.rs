//! `pdn merge`: the games of many inputs as one collection.

use std::sync::atomic::AtomicU64;

use clap::Args;

use super::context::{Context, Remarks};
use super::options::Files;
use super::search::{Dedupe, Matches, Searcher};
use super::spool::Spool;
use super::words::count;
use crate::error::Result;
use crate::query::SortKey;

/// Write the games of all inputs, sorted
///
/// The games are written as UTF-8 and are otherwise unchanged, unless --combine adds tags. Games with equal keys keep the order
/// of the inputs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn merge --sort date,event,round archive/ -o all.pdn
  pdn merge --dedupe --dropped rest.pdn archive/ -o all.pdn
  pdn merge games.pdn russian.pdn -o all.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Sort by these keys, in order of priority [default: the order of the inputs]
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    sort: Vec<SortKey>,
    #[command(flatten)]
    pub(super) dedupe: Dedupe,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let searcher = Searcher {
        copies: true,
        sort: options.sort.clone(),
        heads: options.dedupe.combine,
        recoded: Some(AtomicU64::new(0)),
        ..Searcher::default()
    };
    context.remarks = Remarks::DoubtsAndTexts;
    let mut spool = (!options.sort.is_empty()).then(Spool::new).transpose()?;
    let keep = &mut |context: &mut Context, matches: &Matches, n: usize, game: &[u8]| match &mut spool {
        Some(spool) => spool.add(matches.values[n].clone(), game),
        None => context.out.bytes(game),
    };
    if options.dedupe.dedupe {
        options.dedupe.run(&options.files, &searcher, context, b"", keep)?;
    } else {
        context.each(&options.files, &searcher, |context, matches| {
            (0..matches.len()).try_for_each(|n| keep(context, &matches, n, matches.game(n)))
        })?;
    }
    if let Some(spool) = spool {
        spool.write(context)?;
    }
    let recoded = searcher.recoded.map_or(0, AtomicU64::into_inner);
    if recoded > 0 {
        context.inform(&format!("{} in another encoding written as UTF-8", count(recoded, "game")));
    }
    Ok(())
}
