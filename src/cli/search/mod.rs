//! `pdn search`: the games that match a query.

mod dedupe;
mod indexed;
mod searcher;
mod split;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::context::{Context, Remarks};
use super::options::Files;
use crate::error::{Error, Result};
use crate::export::{Excel, RecordWriter};
use crate::query::{Expression, Question, SearchFormat, SearchOptions};
pub(super) use dedupe::Dedupe;
pub(super) use searcher::{Matches, Searcher};
use split::{Split, SplitKey};

/// Find games by tags, positions and moves
///
/// A game must match all conditions: the expression of --where; --fen, --pattern and --material, all in the same position; and
/// the moves of --sequence, anywhere. docs/data.md describes expressions and patterns. Conditions on tags and results alone are
/// fast, because no game is replayed for them.
#[derive(Debug, Args)]
#[command(mut_arg("paths", |paths| paths.required_unless_present("index")))]
#[command(after_help = "\
Examples:
  pdn search --where 'White ~ \"sijbrands\" and year >= 1990 and result = 2-0' archive/
  pdn search --where year>=2000 --count games.pdn
  pdn search --fen W:W31-50:B1-20 --count games.pdn
  pdn search --pattern '28=w 23=b *=!WB' --material 'all<=20' --mirror games.pdn -o found.pdn
  pdn search --shot royal --count games.pdn
  pdn search --where year>=1900 --split event --out-dir events archive/
  pdn search --dedupe archive/ -o all.pdn
  pdn search --index positions --fen W:W31-50:B1-20 --to jsonl")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    question: SearchOptions,
    /// Look up --fen in the index in DIR instead of reading files; the indexed files must not have moved
    // After `fen`, which is the second option of `SearchOptions` and the sixth of the command.
    #[arg(long, value_name = "DIR", requires = "fen", conflicts_with_all = ["paths", "list", "dedupe", "invert"], display_order = 5)]
    index: Option<PathBuf>,
    /// Print only the number of games
    #[arg(long, conflicts_with_all = ["to", "split", "dropped"])]
    count: bool,
    /// Write the games to one file for each player, event, year or variant
    #[arg(long, value_name = "KEY", requires = "out_dir")]
    split: Option<SplitKey>,
    /// The folder for the files of --split
    #[arg(long, value_name = "DIR", requires = "split")]
    out_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(super) dedupe: Dedupe,
}

impl Options {
    /// Returns true if games are only counted.
    fn counts(&self) -> bool {
        self.count || self.question.to == SearchFormat::None
    }

    /// Returns what writes rows, unless games are copied or only counted.
    fn writer(&self) -> Option<Arc<dyn RecordWriter>> {
        let written = SearchOptions { excel: self.question.excel.map(Excel::of_this_system), ..self.question.clone() };
        written.writer().filter(|_| !self.counts())
    }

    /// Returns what a file of games begins with.
    fn header(&self) -> Vec<u8> {
        self.writer().map(|writer| writer.header()).unwrap_or_default()
    }

    fn question(&self, context: &Context) -> Result<Question> {
        let filter = self.question.r#where.as_deref().map(str::parse::<Expression>).transpose();
        filter.map_err(|error| Error::usage(format!("--where: {error}")))?;
        self.question.question(context.variant).map_err(|error| Error::usage(error.to_string()))
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let format = options.question.to;
    let searcher = Searcher {
        question: options.question(context)?,
        copies: format == SearchFormat::Pdn && !options.counts(),
        writer: options.writer(),
        split: options.split,
        heads: options.dedupe.combine,
        ..Searcher::default()
    };
    if options.dedupe.combine && format != SearchFormat::Pdn {
        return Err(Error::usage("--combine adds tags to records: use it with --to pdn"));
    }
    context.remarks = Remarks::of_records(searcher.copies);
    let mut sink = Sink::new(options, context)?;
    if options.dedupe.dedupe {
        let keep = &mut |context: &mut Context, matches: &Matches, n, game: &[u8]| sink.game(matches, n, game, context);
        options.dedupe.run(&options.files, &searcher, context, &options.header(), keep)?;
    } else {
        match &options.index {
            Some(folder) => indexed::search(folder, options, &searcher, context, &mut sink)?,
            None => context.each(&options.files, &searcher, |context, matches| sink.all(&matches, context))?,
        }
    }
    sink.finish(context)
}

/// Where the games go.
struct Sink {
    count: Option<u64>,
    split: Option<Split>,
}

impl Sink {
    fn new(options: &Options, context: &mut Context) -> Result<Self> {
        let split = |folder| Split::new(folder, options.question.to, options.header());
        let split = options.split.and(options.out_dir.as_deref()).map(split).transpose()?;
        let count = options.counts().then_some(0);
        if split.is_none() && count.is_none() {
            context.out.bytes(&options.header())?;
        }
        Ok(Self { count, split })
    }

    /// Takes all games of a chunk.
    fn all(&mut self, matches: &Matches, context: &mut Context) -> Result<()> {
        if self.split.is_some() {
            return (0..matches.len()).try_for_each(|n| self.game(matches, n, matches.game(n), context));
        }
        let Some(count) = &mut self.count else { return context.out.bytes(&matches.text) };
        *count += matches.len() as u64;
        Ok(())
    }

    /// Takes one game of a chunk.
    fn game(&mut self, matches: &Matches, n: usize, game: &[u8], context: &mut Context) -> Result<()> {
        match (&mut self.split, &mut self.count) {
            (Some(split), _) => matches.keys(n).iter().try_for_each(|key| split.add(key, game)),
            (None, Some(count)) => {
                *count += 1;
                Ok(())
            }
            (None, None) => context.out.bytes(game),
        }
    }

    fn finish(self, context: &mut Context) -> Result<()> {
        if let Some(count) = self.count {
            context.out.text(&format!("{count}\n"))?;
        }
        self.split.map_or(Ok(()), |split| split.finish(context))
    }
}
