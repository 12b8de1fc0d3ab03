//! Records as text: CSV, JSON, PDN, FEN.

use super::{Totals, players};
use crate::check::{Around, PlainDetail, PlainGame, Review, Summary};
use crate::export::csv::{CsvOptions, csv_header, write_csv_diagnostic, write_csv_player, write_csv_rows};
use crate::export::games::{ChunkOrigin, GameWork};
use crate::export::json::{SEPARATOR, write_json_game};
use crate::export::pdn::write_pdn;
use crate::export::table::Table;
use crate::pdn::Outside;
use crate::records::GameRow;

/// What text is written for each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextFormat {
    /// Rows of a table. Those of players come after all games.
    Csv(Table, CsvOptions),
    /// Items of a JSON array.
    Json,
    /// A JSON object a line.
    JsonLines,
    /// The game in PDN.
    Pdn,
    /// The last known position.
    Fen,
}

/// The text of a chunk of games.
#[derive(Debug, Default)]
pub struct ConvertedText {
    text: Vec<u8>,
    totals: Totals,
}

impl TextFormat {
    fn write(self, out: &mut Vec<u8>, review: &Review, origin: &mut ChunkOrigin<'_>) {
        match self {
            Self::Csv(table, _) => self.write_row(out, origin.table_row(review, table), origin.around()),
            Self::Json | Self::JsonLines => self.write_row(out, origin.row(review), origin.around()),
            Self::Pdn => out.extend_from_slice(write_pdn(review.game()).as_bytes()),
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
        if matches!(self, Self::Csv(Table::Diagnostics, _) | Self::Json | Self::JsonLines) {
            row.diagnostics = origin.plain_diagnostics(game, number);
        }
        self.write_row(out, row, origin.around());
    }

    fn write_row(self, out: &mut Vec<u8>, mut row: GameRow<'_>, around: &Around) {
        row.add_around(around);
        match self {
            Self::Csv(table, options) => write_csv_rows(out, table, &row, options),
            Self::Json => {
                out.extend_from_slice(SEPARATOR);
                write_json_game(out, row);
            }
            Self::JsonLines => {
                write_json_game(out, row);
                out.push(b'\n');
            }
            Self::Pdn | Self::Fen => {}
        }
    }
}

impl GameWork for TextFormat {
    type Done = ConvertedText;

    fn game(&self, review: Review, origin: &mut ChunkOrigin<'_>, done: &mut ConvertedText) {
        done.totals.summary.count_game(&review);
        if let Self::Csv(Table::Players, _) = self {
            done.totals.players += players(&review, origin);
        }
        self.write(&mut done.text, &review, origin);
    }

    fn plain_detail(&self) -> Option<PlainDetail> {
        match self {
            Self::Csv(Table::Games | Table::Diagnostics, _) => Some(PlainDetail::Heads),
            Self::Csv(Table::Players, _) | Self::Pdn | Self::Fen => None,
            Self::Csv(..) | Self::Json | Self::JsonLines => Some(PlainDetail::Moves),
        }
    }

    fn plain(&self, game: PlainGame, number: u64, origin: &mut ChunkOrigin<'_>, done: &mut ConvertedText) {
        done.totals.summary.count_plain(&game);
        self.write_plain(&mut done.text, &game, number, origin);
    }

    fn outside(&self, outside: &Outside, origin: &mut ChunkOrigin<'_>, done: &mut ConvertedText) {
        done.totals.summary.count(outside.diagnostic());
        if let Self::Csv(Table::Diagnostics, options) = *self {
            let row = origin.diagnostic_row(outside.diagnostic(), 0, 0);
            write_csv_diagnostic(&mut done.text, &row, options);
        }
    }
}

/// Joins the text of chunks.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::CheckOptions;
/// use pdn::export::{Reviewing, TextFormat, TextOutput};
/// use pdn::source::{ChunkOptions, Event, Input, Pipeline};
///
/// let mut output = TextOutput::new(TextFormat::Json);
/// let mut text = output.header();
/// let work = Reviewing::new(TextFormat::Json, CheckOptions::default());
/// let inputs = vec![Ok(Input::file("samples/games/italian.pdn"))];
/// Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default()).run(inputs, &work, |event| {
///     if let Event::Done(chunk) = event {
///         text.extend(output.add(chunk));
///     }
///     Ok(())
/// })?;
/// text.extend(output.finish());
/// assert!(text.starts_with(b"[\n{\"schema\":") && text.ends_with(b"}\n]\n"));
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct TextOutput {
    format: TextFormat,
    totals: Totals,
    is_empty: bool,
}

impl TextOutput {
    /// Begins output.
    pub fn new(format: TextFormat) -> Self {
        Self { format, totals: Totals::default(), is_empty: true }
    }

    /// Returns what comes before all games.
    pub fn header(&self) -> Vec<u8> {
        match self.format {
            TextFormat::Csv(table, options) => csv_header(table, options),
            TextFormat::Json => b"[\n".to_vec(),
            TextFormat::JsonLines | TextFormat::Pdn | TextFormat::Fen => Vec::new(),
        }
    }

    /// Returns the text of the next chunk.
    pub fn add(&mut self, chunk: ConvertedText) -> Vec<u8> {
        let ConvertedText { mut text, totals } = chunk;
        self.totals += totals;
        if self.format == TextFormat::Json && self.is_empty && !text.is_empty() {
            // The first item has no comma before it.
            text.drain(..SEPARATOR.len());
        }
        self.is_empty &= text.is_empty();
        text
    }

    /// Returns what was counted over the games so far.
    pub const fn summary(&self) -> &Summary {
        &self.totals.summary
    }

    /// Returns what comes after all games.
    pub fn finish(self) -> Vec<u8> {
        let mut text = match self.format {
            TextFormat::Json if self.is_empty => b"]\n".to_vec(),
            TextFormat::Json => b"\n]\n".to_vec(),
            _ => Vec::new(),
        };
        if let TextFormat::Csv(Table::Players, options) = self.format {
            self.totals.players.rows().for_each(|row| write_csv_player(&mut text, &row, options));
        }
        text
    }
}
