//! `pdn merge`: the games of many inputs as one collection.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};

use clap::{Args, ValueEnum};

use super::context::{Context, Status, Step};
use super::options::Files;
use crate::check::{CheckedGame, Checking, GameWork, Needs};
use crate::error::{Error, Result};
use crate::query::{SortKey, SortValue};

/// Write the games of all inputs, sorted
///
/// The bytes of each game are unchanged. Games that are equal in the order keep the order of the inputs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn merge --sort date,event,round archive/ -o all.pdn
  pdn merge games.pdn russian.pdn -o all.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Sort by these keys, the first of them first [default: the order of the inputs]
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    sort: Vec<Key>,
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

/// Copies games and notes their places in the order.
struct Copying {
    keys: Vec<SortKey>,
}

/// The games of a chunk, each with its place in the order and its length.
#[derive(Default)]
struct Copied {
    text: Vec<u8>,
    games: Vec<(SortValue, usize)>,
}

impl GameWork for Copying {
    type Done = Copied;

    fn needs(&self) -> Needs {
        Needs::Tags
    }

    fn game(&self, game: CheckedGame<'_>, copied: &mut Copied) {
        let before = copied.text.len();
        game.copy_to(&mut copied.text);
        copied.games.push((SortValue::new(&game, &self.keys), copied.text.len() - before));
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let copying = Copying { keys: options.sort.iter().map(|&key| key.into()).collect() };
    let mut spool = (!options.sort.is_empty()).then(Spool::new).transpose()?;
    let work = Checking::new(copying, context.check_options(&options.files));
    context.read(&options.files, &work, |context, step| match (step, &mut spool) {
        (Step::Done(copied), Some(spool)) => spool.add(copied),
        (Step::Done(copied), None) => context.out.bytes(&copied.text),
        (Step::Begin(_), _) => Ok(()),
    })?;
    if let Some(spool) = spool {
        spool.write(context)?;
    }
    Ok(Status::Clean)
}

/// Games in a file without a name, and their places in the order in memory.
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

    fn add(&mut self, copied: Copied) -> Result<()> {
        self.file.write_all(&copied.text).map_err(|error| Error::write(std::env::temp_dir(), error))?;
        for (value, length) in copied.games {
            self.games.push((value, self.length, length));
            self.length += length as u64;
        }
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
