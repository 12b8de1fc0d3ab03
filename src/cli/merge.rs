//! `pdn merge`: the games of many inputs as one collection.

use std::sync::atomic::AtomicU64;

use clap::{Args, ValueEnum};

use super::context::{Context, Status, Step};
use super::options::Files;
use super::search::{Dedupe, Matches, Searcher};
use super::spool::Spool;
use super::words::count;
use crate::check::Checking;
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
    sort: Vec<Key>,
    #[command(flatten)]
    pub(super) dedupe: Dedupe,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Key {
    /// The date, unknown parts first
    Date,
    Event,
    Round,
    White,
    Black,
}

impl From<Key> for SortKey {
    fn from(key: Key) -> Self {
        match key {
            Key::Date => Self::Date,
            Key::Event => Self::Event,
            Key::Round => Self::Round,
            Key::White => Self::White,
            Key::Black => Self::Black,
        }
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let searcher = Searcher {
        copies: true,
        sort: options.sort.iter().map(|&key| key.into()).collect(),
        heads: options.dedupe.combine,
        recoded: Some(AtomicU64::new(0)),
        ..Searcher::default()
    };
    let mut spool = (!options.sort.is_empty()).then(Spool::new).transpose()?;
    let keep = &mut |context: &mut Context, matches: &Matches, n: usize, game: &[u8]| match &mut spool {
        Some(spool) => spool.add(matches.values[n].clone(), game),
        None => context.out.bytes(game),
    };
    if options.dedupe.dedupe {
        options.dedupe.run(&options.files, &searcher, context, b"", keep)?;
    } else {
        let work = Checking::new(&searcher, context.check_options(&options.files));
        context.read(&options.files, &work, |context, step| match step {
            Step::Done(matches) => (0..matches.len()).try_for_each(|n| keep(context, &matches, n, matches.game(n))),
            Step::Begin(_) => Ok(()),
        })?;
    }
    if let Some(spool) = spool {
        spool.write(context)?;
    }
    let recoded = searcher.recoded.map_or(0, AtomicU64::into_inner);
    if recoded > 0 {
        context.inform(&format!("{} in another encoding written as UTF-8", count(recoded, "game")));
    }
    Ok(Status::Clean)
}
