//! The games of many files, reviewed in parallel: what `check`, `convert`, `fmt` and `annotate` share.

use std::borrow::Cow;
use std::sync::Arc;

use super::checks::Checks;
use super::file_settings::FileSettings;

use crate::check::{Around, CheckOptions, InputOptions, PlainDetail, PlainGame, ReadChunk, Review, Reviewed};
use crate::diag::Diagnostic;
use crate::export::Table;
use crate::pdn::Outside;
use crate::records::{DiagnosticRow, GameRow, Origin, game_row, head_row, plain_row};
use crate::replay::EVIDENCE_BYTES;
use crate::source::{Chunk, Input, Locator, Work};

/// What a command does with games, on many threads at once.
pub(super) trait Games: Sync {
    /// What it collects of a chunk.
    type Done: Default + Send + 'static;

    /// Takes a game.
    fn game(&self, review: Review, origin: &mut ChunkOrigin<'_>, done: &mut Self::Done);

    /// Returns what [`Games::plain`] needs of games with plain moves, if it takes them, which is much faster.
    fn plain_detail(&self) -> Option<PlainDetail> {
        None
    }

    /// Takes a game with plain moves.
    fn plain(&self, _game: PlainGame, _number: u64, _origin: &mut ChunkOrigin<'_>, _done: &mut Self::Done) {}

    /// Takes a diagnostic outside any game.
    fn outside(&self, _outside: &Outside, _origin: &mut ChunkOrigin<'_>, _done: &mut Self::Done) {}

    /// Completes what was collected of a chunk.
    fn end(&self, _done: &mut Self::Done) {}
}

/// A chunk and the input it comes from.
pub(super) struct ChunkOrigin<'a> {
    pub(super) input: &'a Input,
    pub(super) chunk: &'a Chunk,
    pub(super) locator: Locator<'a>,
    /// The settings of the input.
    pub(super) settings: Arc<FileSettings>,
    /// The text around the game at hand.
    pub(super) around: Around,
}

impl<'a> ChunkOrigin<'a> {
    /// Returns a game as a row.
    pub(super) fn row<'r>(&mut self, review: &'r Review) -> GameRow<'r>
    where
        'a: 'r,
    {
        let diagnostics = self.diagnostic_rows(review);
        game_row(review, self.of_game(review), diagnostics)
    }

    /// Returns the diagnostics of a game as rows.
    pub(super) fn diagnostic_rows(&mut self, review: &Review) -> Vec<DiagnosticRow> {
        let row = |found| self.diagnostic_row(found, review.offset(), review.number());
        review.diagnostics().iter().map(row).collect()
    }

    /// Returns a game as a row without diagnostics and moves.
    pub(super) fn head<'r>(&mut self, review: &'r Review) -> GameRow<'r>
    where
        'a: 'r,
    {
        head_row(review, self.of_game(review))
    }

    /// Returns a game as a row with its moves, without diagnostics.
    pub(super) fn moves<'r>(&mut self, review: &'r Review) -> GameRow<'r>
    where
        'a: 'r,
    {
        game_row(review, self.of_game(review), Vec::new())
    }

    /// Returns a game as a row with what a table in text has of it.
    pub(super) fn table_row<'r>(&mut self, review: &'r Review, table: Table) -> GameRow<'r>
    where
        'a: 'r,
    {
        match table {
            Table::Moves | Table::Positions => self.moves(review),
            Table::Diagnostics => GameRow { diagnostics: self.diagnostic_rows(review), ..self.head(review) },
            _ => self.head(review),
        }
    }

    /// Returns the text of a game as it is in the input.
    pub(super) fn text(&self, review: &Review) -> Cow<'a, str> {
        let tree = review.game().tree();
        tree.encoding.decode(&self.chunk.bytes()[review.offset()..][..tree.len as usize])
    }

    /// Returns a plain game as a row, with the rows of its moves if it has them, without diagnostics.
    pub(super) fn plain_row(&mut self, game: &PlainGame, number: u64) -> GameRow<'a> {
        let offset = self.locator.offset(game.offset());
        let origin = Origin { file: self.input.label(), game: number, offset };
        let bytes = &self.chunk.bytes()[game.offset()..][..game.length()];
        plain_row(game, str::from_utf8(bytes).expect("plain games are UTF-8"), origin)
    }

    /// Returns the diagnostics of a plain game as rows.
    pub(super) fn plain_diagnostics(&mut self, game: &PlainGame, number: u64) -> Vec<DiagnosticRow> {
        let row = |found| self.diagnostic_row(found, game.offset(), number);
        game.diagnostics().iter().map(row).collect()
    }

    /// Returns a diagnostic as a row; its span counts from the byte of the chunk at `start`.
    pub(super) fn diagnostic_row(&mut self, diagnostic: &Diagnostic, start: usize, game: u64) -> DiagnosticRow {
        let span = diagnostic.span();
        let location = self.locator.locate(start + span.start as usize, span.len() as usize);
        DiagnosticRow::new(self.input.label(), game, location, diagnostic)
    }

    /// Returns the place of a game in its file.
    pub(super) fn of_game(&mut self, review: &Review) -> Origin<'a> {
        let offset = self.locator.offset(review.offset());
        Origin { file: self.input.label(), game: review.number(), offset }
    }
}

/// Reads chunks, then reviews their games one after the other, so that each thread holds one replayed game at a time.
pub(super) struct Reviewing<'a, G> {
    pub(super) games: &'a G,
    pub(super) options: Checks,
}

impl<G: Games> Work for Reviewing<'_, G> {
    const HEAD: usize = EVIDENCE_BYTES;
    type File = CheckOptions;
    type Read = ReadChunk;
    type Done = G::Done;

    fn begin(&self, input: &Input, head: Arc<[u8]>) -> CheckOptions {
        self.options.of(input).for_file(head)
    }

    fn read(&self, options: &CheckOptions, chunk: &Chunk) -> ReadChunk {
        match self.games.plain_detail() {
            Some(detail) => ReadChunk::with_plain_games(chunk, options, detail),
            None => ReadChunk::new(chunk, options),
        }
    }

    fn games(&self, read: &ReadChunk) -> u64 {
        read.games() as u64
    }

    fn finish(&self, input: &Input, chunk: &Chunk, mut read: ReadChunk, first: u64) -> G::Done {
        let mut done = G::Done::default();
        let settings = self.options.settings(input);
        let mut origin = ChunkOrigin { input, chunk, locator: chunk.locator(), settings, around: Around::default() };
        let mut number = first;
        while let Some(reviewed) = read.review(chunk, number) {
            if !matches!(reviewed, Reviewed::Outside(_)) {
                origin.around.clone_from(read.around());
            }
            match reviewed {
                Reviewed::Game(review) => {
                    number += 1;
                    self.games.game(*review, &mut origin, &mut done);
                }
                Reviewed::Plain(game) => {
                    self.games.plain(*game, number, &mut origin, &mut done);
                    number += 1;
                }
                Reviewed::Outside(outside) => self.games.outside(&outside, &mut origin, &mut done),
            }
        }
        self.games.end(&mut done);
        done
    }
}
