//! `pdn convert`: records into other formats.

#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
mod parquet {
    //! In a build without Parquet.

    use super::{Context, Options};
    use crate::cli::context::Status;
    use crate::error::{Error, Result};

    pub(super) fn run(_: &Options, _: &mut Context) -> Result<Status> {
        Err(Error::usage("this build cannot write Parquet: it needs the feature `parquet`"))
    }
}

use std::path::Path;

use clap::{Args, ValueEnum};

use super::context::{Context, Status, Step};
use super::games::{ChunkOrigin, Games, Reviewing};
use super::options::Files;
use super::words::counted;
use crate::check::{Around, PlainDetail, PlainGame, Review, Summary};
use crate::error::{Error, Result};
use crate::export::{self, CsvOptions, SEPARATOR, Table};
use crate::pdn::Outside;
use crate::records::{Aliases, GameRow, PlayerTable};

/// Convert records to CSV, JSON, PDN, FEN or Parquet
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn convert games.pdn -o games.jsonl
  pdn convert --to csv --table moves archive/
  pdn convert --to csv --table players annotated.pdn
  pdn convert --table positions archive/ -o positions.parquet

Without --to the name of the output file decides: .csv, .json, .jsonl, .pdn, .fen or .parquet.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// What to write [default: by the name of the output file]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// For CSV and Parquet: a row for each game, move, position or diagnostic, or, of annotated records, for each player
    #[arg(long, value_name = "TABLE", default_value = "games")]
    table: TableName,
    /// For CSV: put an apostrophe before text that a spreadsheet would take for a formula (`=`, `+`, `-` or `@` first)
    #[arg(long)]
    escape_formulas: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Json,
    Jsonl,
    Pdn,
    Fen,
    Parquet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableName {
    Games,
    Moves,
    Positions,
    Players,
    Diagnostics,
}

impl From<TableName> for Table {
    fn from(name: TableName) -> Self {
        match name {
            TableName::Games => Self::Games,
            TableName::Moves => Self::Moves,
            TableName::Positions => Self::Positions,
            TableName::Players => Self::Players,
            TableName::Diagnostics => Self::Diagnostics,
        }
    }
}

impl Format {
    /// Returns the format that the extension of a file names.
    fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::from_str(extension, true).ok()
    }
}

impl Options {
    /// Returns the format that was requested, or else the one that the name of the output file has.
    fn format(&self, context: &Context) -> Result<Format> {
        let named = || context.out.path().and_then(Format::of);
        let unknown = "the format is unknown: use --to, or -o with a name that ends in .csv, .json, .jsonl, .pdn, .fen or \
                       .parquet";
        self.to.or_else(named).ok_or_else(|| Error::usage(unknown))
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let csv = CsvOptions::default().escape_formulas(options.escape_formulas);
    let rows = match options.format(context)? {
        Format::Parquet => return parquet::run(options, context),
        Format::Csv => Rows::Csv(options.table.into(), csv),
        Format::Json => Rows::JsonItems,
        Format::Jsonl => Rows::JsonLines,
        Format::Fen => Rows::Fen,
        Format::Pdn => Rows::Pdn,
    };
    context.out.bytes(&rows.header())?;
    let work = Reviewing { games: &rows, options: context.check_options(&options.files) };
    let mut summary = Summary::default();
    let (mut empty, mut players) = (true, PlayerTable::default());
    context.read(&options.files, &work, |context, step| {
        let Step::Done(done) = step else { return Ok(()) };
        summary += &done.summary;
        players += done.players;
        let skipped = if rows == Rows::JsonItems && empty { SEPARATOR.len().min(done.text.len()) } else { 0 };
        empty &= done.text.is_empty();
        context.out.bytes(&done.text[skipped..])
    })?;
    context.out.bytes(rows.footer(empty))?;
    let mut text = Vec::new();
    players.rows().for_each(|row| export::write_csv_player(&mut text, &row, csv));
    context.out.bytes(&text)?;
    Ok(status(&summary, context))
}

/// Returns the status of a conversion, and says if there were errors.
fn status(summary: &Summary, context: &Context) -> Status {
    if summary.errors() == 0 {
        return Status::Clean;
    }
    let errors = counted(summary.errors(), "error was", "errors were");
    context.inform(&format!("{errors} found in the records; `pdn check` shows them"));
    Status::Errors
}

/// What is written for each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    /// Rows of a table. Those of players are written at the end.
    Csv(Table, CsvOptions),
    JsonItems,
    JsonLines,
    Pdn,
    /// The last known position of each game.
    Fen,
}

#[derive(Default)]
struct Converted {
    text: Vec<u8>,
    players: PlayerTable,
    summary: Summary,
}

impl Rows {
    fn header(self) -> Vec<u8> {
        match self {
            Self::Csv(table, options) => export::csv_header(table, options),
            Self::JsonItems => b"[\n".to_vec(),
            Self::JsonLines | Self::Pdn | Self::Fen => Vec::new(),
        }
    }

    const fn footer(self, empty: bool) -> &'static [u8] {
        match self {
            Self::JsonItems if empty => b"]\n",
            Self::JsonItems => b"\n]\n",
            _ => b"",
        }
    }

    fn write(self, out: &mut Vec<u8>, review: &Review, origin: &mut ChunkOrigin<'_>) {
        match self {
            Self::Csv(table, _) => self.write_row(out, origin.table_row(review, table), &origin.around),
            Self::JsonItems | Self::JsonLines => self.write_row(out, origin.row(review), &origin.around),
            Self::Pdn => out.extend_from_slice(export::write_pdn(review.game()).as_bytes()),
            Self::Fen => {
                if let Some(fen) = review.game().final_fen() {
                    out.extend_from_slice(fen.as_bytes());
                    out.push(b'\n');
                }
            }
        }
    }

    fn write_plain(self, out: &mut Vec<u8>, game: &PlainGame, number: u64, origin: &mut ChunkOrigin<'_>) {
        let mut row = origin.plain_row(game, number);
        if matches!(self, Self::Csv(Table::Diagnostics, _) | Self::JsonItems | Self::JsonLines) {
            row.diagnostics = origin.plain_diagnostics(game, number);
        }
        self.write_row(out, row, &origin.around);
    }

    fn write_row(self, out: &mut Vec<u8>, mut row: GameRow<'_>, around: &Around) {
        row.add_around(around);
        match self {
            Self::Csv(table, options) => export::write_csv_rows(out, table, &row, options),
            Self::JsonItems => {
                out.extend_from_slice(SEPARATOR);
                export::write_json_game(out, row);
            }
            Self::JsonLines => {
                export::write_json_game(out, row);
                out.push(b'\n');
            }
            Self::Pdn | Self::Fen => {}
        }
    }
}

impl Games for Rows {
    type Done = Converted;

    fn game(&self, review: Review, origin: &mut ChunkOrigin<'_>, done: &mut Converted) {
        done.summary.count_game(&review);
        if let Self::Csv(Table::Players, _) = self {
            done.players += players(&review, origin);
        }
        self.write(&mut done.text, &review, origin);
    }

    fn plain_detail(&self) -> Option<PlainDetail> {
        match self {
            Self::Csv(Table::Games | Table::Diagnostics, _) => Some(PlainDetail::Heads),
            Self::Csv(Table::Players, _) | Self::Pdn | Self::Fen => None,
            Self::Csv(..) | Self::JsonItems | Self::JsonLines => Some(PlainDetail::Moves),
        }
    }

    fn plain(&self, game: PlainGame, number: u64, origin: &mut ChunkOrigin<'_>, done: &mut Converted) {
        done.summary.count_plain(&game);
        self.write_plain(&mut done.text, &game, number, origin);
    }

    fn outside(&self, outside: &Outside, origin: &mut ChunkOrigin<'_>, done: &mut Converted) {
        done.summary.count(&outside.diagnostic);
        if let Self::Csv(Table::Diagnostics, options) = *self {
            let row = origin.diagnostic_row(&outside.diagnostic, 0, 0);
            export::write_csv_diagnostic(&mut done.text, &row, options);
        }
    }
}

/// Returns how well the players of an annotated game played.
fn players(review: &Review, origin: &mut ChunkOrigin<'_>) -> PlayerTable {
    let mut row = origin.moves(review);
    row.assess();
    PlayerTable::of(&row, &Aliases::default())
}
