//! Conversion of collections: the work on each chunk, and the joining of chunks.

use std::sync::Arc;

use super::format::RecordWriter;
#[cfg(feature = "query")]
use super::xlsx::Spreadsheet;
use crate::check::{CheckedGame, ChunkOrigin, GameWork, Summary};
use crate::pdn::Outside;
use crate::records::{PlayerTable, checked_row, outside_row};

/// The counts over all games.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) players: PlayerTable,
    pub(super) summary: Summary,
}

impl Totals {
    /// Adds the play of the players of an annotated game.
    pub(super) fn count_players(&mut self, game: &CheckedGame<'_>) {
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
