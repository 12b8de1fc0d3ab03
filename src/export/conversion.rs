//! Conversion of collections: the work on each chunk, and the joining of chunks.

#[cfg(any(feature = "arrow", feature = "parquet"))]
use std::marker::PhantomData;
use std::sync::Arc;

use super::format::RecordWriter;
#[cfg(any(feature = "arrow", feature = "parquet"))]
use super::table::{ColumnValues, Table, TableRows};
#[cfg(feature = "query")]
use super::xlsx::Spreadsheet;
use crate::check::{CheckedGame, ChunkOrigin, GameWork, Needs, Summary};
use crate::pdn::Outside;
#[cfg(any(feature = "arrow", feature = "parquet"))]
use crate::records::{GameRow, MoveRows, checked_head, diagnostic_rows};
use crate::records::{PlayerTable, checked_row, outside_row};

/// The counts over all games.
#[derive(Debug, Default)]
struct Totals {
    players: PlayerTable,
    summary: Summary,
}

impl Totals {
    /// Adds the play of the players of an annotated game.
    fn count_players(&mut self, game: &CheckedGame<'_>) {
        let mut row = checked_row(game);
        row.assess();
        self.players += PlayerTable::of(&row);
    }
}

impl std::ops::AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.players += other.players;
        self.summary += &other.summary;
    }
}

/// Converts games to text.
#[derive(Clone, Debug)]
pub struct Conversion(Arc<dyn RecordWriter>);

impl Conversion {
    /// Returns the work of converting games.
    pub const fn new(writer: Arc<dyn RecordWriter>) -> Self {
        Self(writer)
    }
}

/// The text of a chunk of games.
#[derive(Debug, Default)]
pub struct ConvertedText {
    text: Vec<u8>,
    totals: Totals,
}

impl GameWork for Conversion {
    type Done = ConvertedText;

    fn needs(&self) -> Needs {
        self.0.needs()
    }

    fn is_eager(&self) -> bool {
        true
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut ConvertedText) {
        done.totals.summary.count_game(game.review());
        if self.0.has_players() {
            done.totals.count_players(&game);
        }
        if !done.text.is_empty() {
            done.text.extend_from_slice(self.0.separator());
        }
        self.0.game(&game, &mut done.text);
    }

    fn outside(&self, outside: &Outside, origin: &ChunkOrigin<'_>, done: &mut ConvertedText) {
        done.totals.summary.count(outside.diagnostic());
        self.0.outside(&outside_row(outside, origin), &mut done.text);
    }
}

/// Joins the text of chunks.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::{CheckOptions, Checking};
/// use pdn::export::{Conversion, CsvOptions, RecordFormat, Table, TextOutput};
/// use pdn::source::{ChunkOptions, Event, Input, Pipeline};
///
/// let format = RecordFormat::named("json").expect("a format");
/// let writer = format.writer(Table::Games, CsvOptions::default());
/// let mut output = TextOutput::new(writer.clone());
/// let mut text = output.header();
/// let work = Checking::new(Conversion::new(writer), CheckOptions::default());
/// let inputs = vec![Ok(Input::file("samples/games/italian.pdn"))];
/// Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default()).run(inputs, &work, |event| {
///     if let Event::Done(chunk) = event {
///         output.add(chunk, |piece| {
///             text.extend_from_slice(piece);
///             Ok::<_, pdn::Error>(())
///         })?;
///     }
///     Ok(())
/// })?;
/// text.extend(output.finish());
/// assert!(text.starts_with(b"[\n{\"schema\":") && text.ends_with(b"}\n]\n"));
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct TextOutput {
    writer: Arc<dyn RecordWriter>,
    totals: Totals,
    is_empty: bool,
    #[cfg(feature = "query")]
    sheet: Option<Spreadsheet>,
}

impl TextOutput {
    /// Begins output.
    pub fn new(writer: Arc<dyn RecordWriter>) -> Self {
        Self {
            #[cfg(feature = "query")]
            sheet: writer.sheet().map(Spreadsheet::new),
            writer,
            totals: Totals::default(),
            is_empty: true,
        }
    }

    /// Returns the output as a continuation of the output of other games.
    #[must_use]
    pub(crate) fn continued(self) -> Self {
        Self { is_empty: false, ..self }
    }

    /// Returns the text before all games.
    pub fn header(&self) -> Vec<u8> {
        self.writer.header()
    }

    /// Passes on the text of the next chunk, in pieces.
    ///
    /// # Errors
    ///
    /// If `write` returns an error.
    pub fn add<E>(&mut self, chunk: ConvertedText, write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.totals += chunk.totals;
        self.add_text(&chunk.text, write)
    }

    /// Passes on the text of games written elsewhere, in pieces, and adds the play of their players.
    ///
    /// # Errors
    ///
    /// If `write` returns an error.
    pub(crate) fn add_game<E>(
        &mut self,
        text: &[u8],
        players: PlayerTable,
        write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.totals.players += players;
        self.add_text(text, write)
    }

    fn add_text<E>(&mut self, text: &[u8], mut write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        if text.is_empty() {
            return Ok(());
        }
        #[cfg(feature = "query")]
        if let Some(sheet) = &mut self.sheet {
            return write(&sheet.add(text));
        }
        let between = if self.is_empty { b"" } else { self.writer.separator() };
        self.is_empty = false;
        write(between)?;
        write(text)
    }

    /// Returns the counts over the games so far.
    pub(crate) const fn summary(&self) -> &Summary {
        &self.totals.summary
    }

    /// Returns the text after all games.
    pub fn finish(self) -> Vec<u8> {
        let last = self.writer.footer(self.is_empty, &self.totals.players);
        #[cfg(feature = "query")]
        if let Some(mut sheet) = self.sheet {
            return [sheet.add(&last), sheet.finish()].concat();
        }
        last
    }
}

/// Collects the rows of a table, whose columns hold their values as `C`: for Parquet, or Arrow.
#[cfg(any(feature = "arrow", feature = "parquet"))]
#[derive(Debug)]
pub struct TableGames<C> {
    table: Table,
    // A function of `C`: threads share the work, and `C` need not be `Sync`.
    columns: PhantomData<fn() -> C>,
}

#[cfg(any(feature = "arrow", feature = "parquet"))]
impl<C: ColumnValues> TableGames<C> {
    /// Returns work that collects the rows of a table.
    pub const fn new(table: Table) -> Self {
        Self { table, columns: PhantomData }
    }

    /// Adds the rows of an assessed game that was read elsewhere.
    pub fn add_game(&self, game: &GameRow<'_>, done: &mut ConvertedRows<C>) {
        if self.table == Table::Players {
            done.totals.players += PlayerTable::of(game);
        } else {
            done.rows(self.table).add_game(game);
        }
    }
}

/// The rows of a chunk of games.
#[cfg(any(feature = "arrow", feature = "parquet"))]
#[derive(Debug)]
pub struct ConvertedRows<C> {
    rows: Option<TableRows<C>>,
    totals: Totals,
}

#[cfg(any(feature = "arrow", feature = "parquet"))]
impl<C> Default for ConvertedRows<C> {
    fn default() -> Self {
        Self { rows: None, totals: Totals::default() }
    }
}

#[cfg(any(feature = "arrow", feature = "parquet"))]
impl<C: ColumnValues> ConvertedRows<C> {
    fn rows(&mut self, table: Table) -> &mut TableRows<C> {
        // `Default`, which the pipeline calls for each chunk, does not know the table.
        self.rows.get_or_insert_with(|| TableRows::new(table))
    }
}

#[cfg(any(feature = "arrow", feature = "parquet"))]
impl<C: ColumnValues + Send + 'static> GameWork for TableGames<C> {
    type Done = ConvertedRows<C>;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut ConvertedRows<C>) {
        done.totals.summary.count_game(game.review());
        if self.table == Table::Players {
            done.totals.count_players(&game);
            return;
        }
        if let Some(moves) = MoveRows::of(game.review().game()).filter(|moves| self.table.takes_each(moves)) {
            return done.rows(self.table).add_moves(&checked_head(&game), &moves);
        }
        let row = if self.table == Table::Diagnostics {
            GameRow { diagnostics: diagnostic_rows(&game), ..checked_head(&game) }
        } else {
            // The table of games has the moves of each game as lists.
            let mut row = checked_row(&game);
            row.assess();
            row
        };
        done.rows(self.table).add_game(&row);
    }

    fn outside(&self, outside: &Outside, origin: &ChunkOrigin<'_>, done: &mut ConvertedRows<C>) {
        done.totals.summary.count(outside.diagnostic());
        done.rows(self.table).add_diagnostic(&outside_row(outside, origin));
    }
}

/// Joins the rows of chunks.
#[cfg(any(feature = "arrow", feature = "parquet"))]
#[derive(Debug, Default)]
pub struct RowOutput {
    totals: Totals,
}

#[cfg(any(feature = "arrow", feature = "parquet"))]
impl RowOutput {
    /// Returns the rows of the next chunk.
    pub fn add<C>(&mut self, chunk: ConvertedRows<C>) -> Option<TableRows<C>> {
        self.totals += chunk.totals;
        chunk.rows
    }

    /// Returns the counts over the games so far.
    #[cfg(feature = "parquet")]
    pub(crate) const fn summary(&self) -> &Summary {
        &self.totals.summary
    }

    /// Returns the rows after all games: those of the players.
    pub fn finish<C: ColumnValues>(self, table: Table) -> TableRows<C> {
        let mut rows = TableRows::new(table);
        self.totals.players.rows().for_each(|row| rows.add_player(&row));
        rows
    }
}
