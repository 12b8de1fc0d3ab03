//! The text formats in which records are written. A new format is a file with its [`RecordWriter`], and an entry in
//! [`FORMATS`].

use std::fmt::Debug;
use std::sync::Arc;

use serde::Deserialize;

use super::csv::{CsvOptions, CsvWriter};
use super::json::JsonWriter;
use super::lidraughts::LidraughtsWriter;
use super::pdn::{FenWriter, PdnWriter, write_pdn};
use super::table::Table;
use crate::check::{CheckedGame, Needs};
use crate::records::{DiagnosticRow, GameRow, MoveRows, PlayerTable, checked_head, checked_row, diagnostic_rows};
use crate::replay::ReplayedGame;

/// A text format.
#[derive(Clone, Copy, Debug)]
pub struct RecordFormat {
    name: &'static str,
    new: fn(Table, CsvOptions) -> Arc<dyn RecordWriter>,
}

/// All text formats.
pub const FORMATS: [RecordFormat; 6] = [
    RecordFormat { name: "csv", new: |table, options| Arc::new(CsvWriter { table, options }) },
    RecordFormat { name: "json", new: |_, _| Arc::new(JsonWriter { is_array: true }) },
    RecordFormat { name: "jsonl", new: |_, _| Arc::new(JsonWriter { is_array: false }) },
    RecordFormat { name: "pdn", new: |_, _| Arc::new(PdnWriter) },
    RecordFormat { name: "lidraughts", new: |_, _| Arc::new(LidraughtsWriter) },
    RecordFormat { name: "fen", new: |_, _| Arc::new(FenWriter) },
];

impl RecordFormat {
    /// Returns its name, which is also the extension of its files.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the format with a name, in lower case.
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.into_iter().find(|format| format.name == name)
    }

    /// Returns a writer; the table and the options are for formats that have tables.
    pub fn writer(&self, table: Table, options: CsvOptions) -> Arc<dyn RecordWriter> {
        (self.new)(table, options)
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
    /// For CSV and Parquet: one row per game, move, position, diagnostic or (for annotated records) player [default: games]
    #[cfg_attr(feature = "cli", arg(long, value_name = "TABLE"))]
    pub table: Option<Table>,
    /// For CSV: put an apostrophe before text that a spreadsheet would treat as a formula because it starts with `=`, `+`, `-` or `@`
    #[cfg_attr(feature = "cli", arg(long, help_heading = crate::options::ADVANCED))]
    pub escape_formulas: bool,
}

/// Returns the names of all formats: those of text, and the one of binary tables.
#[cfg(feature = "cli")]
fn format_names() -> [&'static str; FORMATS.len() + 1] {
    std::array::from_fn(|n| FORMATS.get(n).map_or("parquet", RecordFormat::name))
}

impl ConvertOptions {
    /// Returns the writer of the format, if it is one of text.
    pub fn writer(&self) -> Option<Arc<dyn RecordWriter>> {
        let csv = CsvOptions::default().escape_formulas(self.escape_formulas);
        Some(RecordFormat::named(self.to.as_deref()?)?.writer(self.table.unwrap_or(Table::Games), csv))
    }
}

/// Writes games in a format, on many threads at once: the text of each game is independent of the others.
pub trait RecordWriter: Debug + Send + Sync {
    /// Returns the parts of each game that are written.
    fn needs(&self) -> Needs;

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

    /// Returns the game as PDN, with an empty line after it.
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
        write_pdn(self.replayed())
    }
}
