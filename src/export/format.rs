//! The formats in which records are written. A new format is a file with its [`RecordWriter`], and an entry in
//! [`FORMATS`].

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use super::csv::CsvOptions;
use super::json::JsonWriter;
use super::lidraughts::LidraughtsWriter;
use super::pdn::{FenWriter, PdnWriter, canonical_pdn};
use super::table::{Table, TableWriter};
#[cfg(feature = "query")]
use super::xlsx::XlsxRows;
use crate::check::CheckedGame;
use crate::error::{Error, Result};
use crate::options::Excel;
#[cfg(feature = "query")]
use crate::query::{SearchFormat, SearchOptions};
use crate::records::{DiagnosticRow, GameRow, MoveRows, PlayerTable, checked_head, checked_row, diagnostic_rows};
use crate::replay::ReplayedGame;
use crate::text::Format;

/// A format of records.
#[derive(Clone, Copy, Debug)]
pub struct RecordFormat {
    name: &'static str,
    new: fn(Table, CsvOptions) -> Arc<dyn RecordWriter>,
}

/// All formats that are written as records are read.
pub const FORMATS: &[RecordFormat] = &[
    RecordFormat { name: "csv", new: csv_writer },
    #[cfg(feature = "query")]
    RecordFormat { name: "xlsx", new: |table, _| Arc::new(TableWriter { table, form: XlsxRows::default() }) },
    RecordFormat { name: "json", new: |_, _| Arc::new(JsonWriter { is_array: true }) },
    RecordFormat { name: "jsonl", new: |_, _| Arc::new(JsonWriter { is_array: false }) },
    RecordFormat { name: "pdn", new: |_, _| Arc::new(PdnWriter) },
    RecordFormat { name: "lidraughts", new: |_, _| Arc::new(LidraughtsWriter) },
    RecordFormat { name: "fen", new: |_, _| Arc::new(FenWriter) },
];

/// Returns the writer of a table as CSV, or as CSV for spreadsheets.
fn csv_writer(table: Table, options: CsvOptions) -> Arc<dyn RecordWriter> {
    match options.spreadsheet() {
        Some(form) => Arc::new(TableWriter { table, form }),
        None => Arc::new(TableWriter { table, form: options }),
    }
}

impl RecordFormat {
    /// Returns its name, which is also the extension of its files.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the format with a name, in lower case.
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.iter().copied().find(|format| format.name == name)
    }

    /// Returns a writer; the table and the options are for formats that have tables.
    pub fn writer(&self, table: Table, options: CsvOptions) -> Arc<dyn RecordWriter> {
        (self.new)(table, options)
    }
}

#[cfg(feature = "query")]
impl SearchOptions {
    /// Returns the options for CSV.
    pub(crate) const fn csv(&self) -> CsvOptions {
        CsvOptions { escape_formulas: self.escape_formulas, excel: self.excel }
    }

    /// Returns what writes the games that are found, unless their bytes are copied.
    pub(crate) fn writer(&self) -> Option<Arc<dyn RecordWriter>> {
        let format = RecordFormat::named(self.to.name()).filter(|_| self.to != SearchFormat::Pdn)?;
        Some(format.writer(Table::Games, self.csv()))
    }
}

/// What records are converted to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct ConvertOptions {
    /// Output format [default: from the name of the output file]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FORMAT", value_parser = format_names()))]
    pub to: Option<String>,
    /// For CSV, XLSX and Parquet: one row per game, move, position, diagnostic or (for annotated records) player [default: games]
    #[cfg_attr(feature = "cli", arg(long, value_name = "TABLE"))]
    pub table: Option<Table>,
    /// For CSV: put an apostrophe before text that a spreadsheet would treat as a formula because it starts with `=`, `+`, `-` or `@`
    #[cfg_attr(feature = "cli", arg(long, help_heading = crate::options::ADVANCED))]
    pub escape_formulas: bool,
    /// For CSV: write for spreadsheets, with a byte order mark, CRLF and escaped formulas, and keep results and moves from becoming dates
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "SEPARATOR", num_args = 0..=1, require_equals = true, default_missing_value = "auto", help_heading = crate::options::ADVANCED)
    )]
    pub excel: Option<Excel>,
}

/// Returns the names of all formats that this build can write.
#[cfg(feature = "cli")]
fn format_names() -> Vec<&'static str> {
    FORMATS.iter().map(RecordFormat::name).chain(["parquet"]).collect()
}

impl ConvertOptions {
    /// Returns the format, PDN or JSON, of an output of this name that holds the records as they can be read again, and may replace them.
    pub fn record_format(&self, output: &Path) -> Option<Format> {
        let extension = output.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let is_json = ["json", "jsonl", "ndjson"].contains(&&*extension);
        match self.to.as_deref()? {
            "pdn" => Some(Format::Pdn),
            "json" if is_json => Some(Format::JsonArray),
            "jsonl" if is_json => Some(Format::Lidraughts),
            _ => None,
        }
    }

    const fn csv(&self) -> CsvOptions {
        CsvOptions { escape_formulas: self.escape_formulas, excel: self.excel }
    }

    /// Returns true if a format has tables.
    pub(crate) fn has_tables(to: &str) -> bool {
        ["csv", "xlsx", "parquet"].contains(&to)
    }

    /// Returns the writer of the format, if it is one of [`FORMATS`].
    pub(crate) fn writer(&self) -> Option<Arc<dyn RecordWriter>> {
        Some(RecordFormat::named(self.to.as_deref()?)?.writer(self.table.unwrap_or(Table::Games), self.csv()))
    }

    /// Checks that each option has an effect on a format. Those without tables have games.
    ///
    /// # Errors
    ///
    /// If one has none.
    pub(crate) fn check(&self, to: &str) -> Result<()> {
        match self.table {
            Some(table) if table != Table::Games && !Self::has_tables(to) => {
                Err(Error::usage(format!("option `table`: {to} has no tables")))
            }
            _ => self.csv().check(to),
        }
    }

    /// Returns the writer of the format.
    ///
    /// # Errors
    ///
    /// If it is none of [`FORMATS`], or an option has no effect on it.
    pub fn known_writer(&self) -> Result<Arc<dyn RecordWriter>> {
        let to = self.to.as_deref().ok_or_else(|| Error::usage("the option `to` is required"))?;
        let names: Vec<_> = FORMATS.iter().map(RecordFormat::name).collect();
        let unknown = || Error::usage(format!("unknown format `{to}`; expected one of {}", names.join(", ")));
        let writer = self.writer().ok_or_else(unknown)?;
        self.check(to).map(|()| writer)
    }
}

/// Writes games in a format, on many threads at once: the text of each game is independent of the others.
pub trait RecordWriter: Debug + Send + Sync {
    /// Returns the text before all games.
    fn header(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Returns the text between two games.
    fn separator(&self) -> &'static [u8] {
        b""
    }

    /// Appends a game.
    fn game(&self, game: &dyn WrittenGame, out: &mut Vec<u8>);

    /// Appends a diagnostic outside any game.
    fn outside(&self, _row: &DiagnosticRow, _out: &mut Vec<u8>) {}

    /// Returns true if the writer uses the players of all games.
    fn has_players(&self) -> bool {
        false
    }

    /// Returns the text after all games, given the play of their players.
    fn footer(&self, _is_empty: bool, _players: &PlayerTable) -> Vec<u8> {
        Vec::new()
    }

    /// Returns the table whose spreadsheet takes the text, if that is not a file by itself.
    fn sheet(&self) -> Option<Table> {
        None
    }

    /// Returns the number of texts that were cut, because a cell of a spreadsheet holds no more.
    fn cut_texts(&self) -> u64 {
        0
    }
}

/// A game to be written: as checked, or with annotations.
pub trait WrittenGame {
    /// Returns its row without moves and diagnostics.
    fn head(&self) -> GameRow<'_>;

    /// Returns its row with moves, without diagnostics.
    fn row(&self) -> GameRow<'_>;

    /// Returns its moves, if it has some that are not in its row yet; with its head, they are its row.
    fn moves(&self) -> Option<MoveRows<'_>> {
        None
    }

    /// Returns the rows of its diagnostics.
    fn diagnostics(&self) -> Vec<DiagnosticRow>;

    /// Returns the game as replayed.
    fn replayed(&self) -> &ReplayedGame;

    /// Returns the game as PDN, without an empty line after it.
    fn pdn(&self) -> String;
}

impl WrittenGame for CheckedGame<'_> {
    fn head(&self) -> GameRow<'_> {
        checked_head(self)
    }

    fn row(&self) -> GameRow<'_> {
        checked_row(self)
    }

    fn moves(&self) -> Option<MoveRows<'_>> {
        MoveRows::of(self.replayed())
    }

    fn diagnostics(&self) -> Vec<DiagnosticRow> {
        diagnostic_rows(self)
    }

    fn replayed(&self) -> &ReplayedGame {
        self.review().game()
    }

    fn pdn(&self) -> String {
        canonical_pdn(self.replayed())
    }
}
