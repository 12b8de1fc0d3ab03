//! `pdn search`: the games that match a query.

mod dedupe;
mod indexed;
mod searcher;
mod split;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::context::{Context, Status, Step};
use super::options::{ADVANCED, Files};
use crate::check::Checking;
use crate::error::{Error, Result};
use crate::export::{CsvOptions, RecordFormat, RecordWriter, Table};
use crate::query::{BoardQuestion, Expression, Question, QuestionError};
use crate::source::Input;
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
    question: Asked,
    /// Find the games that do not match
    #[arg(short = 'v', long)]
    invert: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "pdn")]
    to: Format,
    /// Print only the number of games
    #[arg(long, conflicts_with_all = ["to", "split", "dropped"])]
    count: bool,
    /// Write the games to one file for each player, event, year or variant
    #[arg(long, value_name = "KEY", requires = "out_dir", conflicts_with = "output")]
    split: Option<SplitKey>,
    /// The folder for the files of --split
    #[arg(long, value_name = "DIR", requires = "split")]
    out_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(super) dedupe: Dedupe,
}

/// The conditions of the search.
#[derive(Debug, Args)]
struct Asked {
    /// Find games that match an expression
    #[arg(long = "where", value_name = "EXPRESSION")]
    filter: Option<String>,
    /// Find games with this position; `?` as the side to move means either side
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Look up --fen in the index in DIR instead of reading files; the indexed files must not have moved
    #[arg(long, value_name = "DIR", requires = "fen", conflicts_with_all = ["paths", "list", "dedupe", "invert"])]
    index: Option<PathBuf>,
    /// Find games with a position whose squares hold, or do not hold, certain pieces, such as `28=w 24=. *=!B`
    #[arg(long, value_name = "PATTERN")]
    pattern: Option<String>,
    /// Find games with a position of this material, such as `kings=0 white<=5`
    #[arg(long, value_name = "COUNTS")]
    material: Option<String>,
    /// Find games with these consecutive moves
    #[arg(long, value_name = "MOVES")]
    sequence: Option<String>,
    /// Find games with this combination, such as `philippe`, `royal:missed` or `any`; `pdn shots --names` lists them
    #[arg(long, value_name = "SHOT")]
    shot: Option<String>,
    /// Also find positions and moves with the colours swapped and the board rotated
    #[arg(long)]
    mirror: bool,
    /// Look for positions and moves in main lines only
    #[arg(long, help_heading = ADVANCED)]
    no_variations: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The bytes of the games
    Pdn,
    /// One JSON object per game
    Jsonl,
    /// A row per game
    Csv,
}

impl Format {
    /// Returns the name, which is also the extension of files.
    const fn name(self) -> &'static str {
        match self {
            Self::Pdn => "pdn",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
        }
    }

    fn writer(self) -> Option<Arc<dyn RecordWriter>> {
        let format = RecordFormat::named(self.name())?;
        Some(format.writer(Table::Games, CsvOptions::default().escape_formulas(true)))
    }

    fn header(self) -> Vec<u8> {
        self.writer().map(|writer| writer.header()).unwrap_or_default()
    }
}

impl Asked {
    fn question(&self, context: &Context) -> Result<Question> {
        let of = |option: &str, error: QuestionError| Error::usage(format!("{option}: {error}"));
        let filter = self.filter.as_deref().map(Expression::parse).transpose();
        let filter = filter.map_err(|error| of("--where", error))?;
        let board = BoardQuestion::default()
            .fen(self.fen.clone())
            .pattern(self.pattern.clone())
            .material(self.material.clone())
            .sequence(self.sequence.clone())
            .shot(self.shot.clone())
            .mirror(self.mirror)
            .main_line_only(self.no_variations);
        Question::new(filter, board, context.variant).map_err(|error| Error::usage(error.to_string()))
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let searcher = Searcher {
        question: options.question.question(context)?,
        inverted: options.invert,
        copies: options.to == Format::Pdn && !options.count,
        recoded: None,
        writer: options.to.writer().filter(|_| options.to != Format::Pdn && !options.count),
        split: options.split,
        sort: Vec::new(),
        heads: options.dedupe.combine,
    };
    if options.dedupe.combine && options.to != Format::Pdn {
        return Err(Error::usage("--combine adds tags to records: use it with --to pdn"));
    }
    let mut sink = Sink::new(options, context)?;
    if options.dedupe.dedupe {
        let keep = &mut |context: &mut Context, matches: &Matches, n, game: &[u8]| sink.game(matches, n, game, context);
        options.dedupe.run(&options.files, &searcher, context, &options.to.header(), keep)?;
    } else {
        match &options.question.index {
            Some(folder) => indexed::search(folder, options, &searcher, context, &mut sink)?,
            None => search(context.inputs(&options.files)?, options, &searcher, context, &mut sink)?,
        }
    }
    sink.finish(context)?;
    Ok(Status::Clean)
}

fn search(
    inputs: Vec<Result<Input>>,
    options: &Options,
    searcher: &Searcher,
    context: &mut Context,
    sink: &mut Sink,
) -> Result<()> {
    let work = Checking::new(searcher, context.check_options(&options.files));
    context.read_found(inputs, &options.files, &work, |context, step| match step {
        Step::Begin(_) => Ok(()),
        Step::Done(matches) => sink.all(&matches, context),
    })
}

/// Where the games go.
struct Sink {
    count: Option<u64>,
    split: Option<Split>,
}

impl Sink {
    fn new(options: &Options, context: &mut Context) -> Result<Self> {
        let split =
            options.split.and(options.out_dir.as_deref()).map(|folder| Split::new(folder, options.to)).transpose()?;
        if split.is_none() && !options.count {
            context.out.bytes(&options.to.header())?;
        }
        Ok(Self { count: options.count.then_some(0), split })
    }

    /// Takes all games of a chunk.
    fn all(&mut self, matches: &Matches, context: &mut Context) -> Result<()> {
        if self.split.is_some() {
            return (0..matches.len()).try_for_each(|n| self.game(matches, n, matches.game(n), context));
        }
        match &mut self.count {
            Some(count) => *count += matches.len() as u64,
            None => context.out.bytes(matches.text())?,
        }
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
        self.split.map_or(Ok(()), Split::finish)
    }
}
