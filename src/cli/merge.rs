//! `pdn merge`: the games of many inputs as one collection.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::sync::atomic::AtomicU64;

use clap::{Args, ValueEnum};

use super::context::{Context, Status, Step};
use super::options::Files;
use super::search::{Dedupe, Matches, Searcher};
use super::words::count;
use crate::check::Checking;
use crate::error::{Error, Result};
use crate::query::{SortKey, SortValue};

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
        Some(spool) => spool.add(&matches.values[n], game),
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

/// Games in an unnamed file, with their sort keys in memory.
struct Spool {
    file: BufWriter<File>,
    length: u64,
    games: Vec<(SortValue, u64, usize)>,
}

impl Spool {
    fn new() -> Result<Self> {
        let file = tempfile::tempfile().map_err(|error| Error::write(std::env::temp_dir(), error))?;
        Ok(Self { file: BufWriter::new(file), length: 0, games: Vec::new() })
    }

    fn add(&mut self, value: &SortValue, game: &[u8]) -> Result<()> {
        self.file.write_all(game).map_err(|error| Error::write(std::env::temp_dir(), error))?;
        self.games.push((value.clone(), self.length, game.len()));
        self.length += game.len() as u64;
        Ok(())
    }

    /// Writes the games in their order.
    fn write(mut self, context: &mut Context) -> Result<()> {
        self.games.sort_by(|one, other| one.0.cmp(&other.0));
        let failed = |error| Error::read(std::env::temp_dir(), error);
        let mut file = self.file.into_inner().map_err(|error| failed(error.into_error()))?;
        let mut game = Vec::new();
        for (_, offset, length) in &self.games {
            game.resize(*length, 0);
            file.seek(SeekFrom::Start(*offset)).and_then(|_| file.read_exact(&mut game)).map_err(failed)?;
            context.out.bytes(&game)?;
        }
        Ok(())
    }
}
