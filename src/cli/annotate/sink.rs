//! Where annotated games go.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use indicatif::ProgressBar;

use super::annotator::Written;
use super::counters::Counters;
use super::options::Layout;
use crate::cli::context::Context;
use crate::cli::interrupt;
use crate::cli::output::{Growth, Output};
use crate::error::{Error, Result};
use crate::export::{self, CsvOptions, SEPARATOR, Table};
use crate::records::PlayerTable;

/// What the output receives, in the order of the inputs.
pub(super) enum Piece {
    /// The games of another input follow, which go to another file.
    File(PathBuf),
    Game(Written),
}

/// The columns of the table of moves.
pub(super) const MOVES: CsvOptions = CsvOptions::new().assessed(true);

/// Where annotated games go.
pub(super) struct Sink<'a> {
    pub(super) context: &'a mut Context,
    bar: ProgressBar,
    counters: Arc<Counters>,
    layout: Layout,
    /// The file of the current input, if each input has one.
    file: Option<Output>,
    /// True until the first game of the output.
    empty: bool,
    /// The play of all players.
    pub(super) players: PlayerTable,
}

impl<'a> Sink<'a> {
    /// Returns a sink; `empty` is true unless games of another part come before those of this one.
    pub(super) fn new(
        context: &'a mut Context,
        bar: ProgressBar,
        counters: Arc<Counters>,
        layout: Layout,
        empty: bool,
    ) -> Self {
        Self { context, bar, counters, layout, file: None, empty, players: PlayerTable::default() }
    }

    /// Writes the header of the output.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.put(&self.layout.header())
    }

    /// Writes the end of the output.
    pub(super) fn end(&mut self) -> Result<()> {
        if self.layout == Layout::Players {
            let mut text = Vec::new();
            self.players.rows().for_each(|row| export::write_csv_player(&mut text, &row, CsvOptions::default()));
            self.put(&text)?;
        }
        self.put(self.layout.footer(self.empty))
    }

    /// Completes the file of the last input, if each input has one.
    pub(super) fn end_file(&mut self) -> Result<()> {
        if self.file.is_none() {
            return Ok(());
        }
        self.end()?;
        self.file.take().map_or(Ok(()), Output::finish)
    }

    /// Writes a piece, so that a reader of the output sees it at once.
    pub(super) fn write(&mut self, piece: Result<Piece>) -> Result<()> {
        match piece? {
            Piece::File(path) => self.begin_file(&path),
            Piece::Game(written) => self.write_game(written),
        }
    }

    fn begin_file(&mut self, path: &std::path::Path) -> Result<()> {
        self.end_file()?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
        }
        self.file = Some(Output::growing(Some(path), Growth::Visible)?);
        self.empty = true;
        self.begin()
    }

    fn write_game(&mut self, written: Written) -> Result<()> {
        let Written { text, error, players } = written;
        let skipped = if self.layout == Layout::Json && self.empty { SEPARATOR.len() } else { 0 };
        self.players += players;
        let bar = self.bar.clone();
        bar.suspend(|| {
            interrupt::while_running(|| {
                self.put(text.get(skipped..).unwrap_or_default())?;
                self.out().flush()?;
                self.counters.add_game();
                if let Some(error) = &error {
                    self.context.report(error);
                }
                Ok::<(), Error>(())
            })
        })?;
        self.empty = false;
        Ok(())
    }

    fn out(&mut self) -> &mut Output {
        self.file.as_mut().unwrap_or(&mut self.context.out)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.out().bytes(bytes)
    }

    pub(super) fn report(&mut self, error: &Error) {
        self.bar.suspend(|| interrupt::while_running(|| self.context.report(error)));
    }

    /// Removes the progress from the terminal.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Layout {
    /// Returns the beginning of the output.
    fn header(self) -> Vec<u8> {
        match self {
            Self::Moves => export::csv_header(Table::Moves, MOVES),
            Self::Players => export::csv_header(Table::Players, MOVES),
            Self::Json => b"[\n".to_vec(),
            Self::Pdn | Self::Jsonl => Vec::new(),
        }
    }

    const fn footer(self, empty: bool) -> &'static [u8] {
        match self {
            Self::Json if empty => b"]\n",
            Self::Json => b"\n]\n",
            Self::Pdn | Self::Jsonl | Self::Moves | Self::Players => b"",
        }
    }

    /// Returns the extension of files.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Pdn => "pdn",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Moves | Self::Players => "csv",
        }
    }
}
