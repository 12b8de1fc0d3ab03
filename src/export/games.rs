//! The games of many files, reviewed in parallel and passed on one after the other.

use std::borrow::Cow;
use std::sync::Arc;

use super::table::Table;
use crate::check::{Around, CheckOptions, InputOptions, PlainDetail, PlainGame, ReadChunk, Review, Reviewed};
use crate::diag::Diagnostic;
use crate::pdn::Outside;
use crate::records::{DiagnosticRow, GameRow, Origin, game_row, head_row, plain_row};
use crate::replay::EVIDENCE_BYTES;
use crate::source::{Chunk, Input, Location, Locator, Work};

/// What is done with games, on many threads at once: the work of [`Reviewing`].
pub trait GameWork: Sync {
    /// What is collected of a chunk.
    type Done: Default + Send + 'static;

    /// Begins a chunk of an input.
    fn begin(&self, _input: &Input) -> Self::Done {
        Self::Done::default()
    }

    /// Takes a game.
    fn game(&self, review: Review, origin: &mut ChunkOrigin<'_>, done: &mut Self::Done);

    /// Returns what [`GameWork::plain`] needs of games with plain moves, if it takes them, which is much faster.
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
#[derive(Debug)]
pub struct ChunkOrigin<'a> {
    input: &'a Input,
    chunk: &'a Chunk,
    locator: Locator<'a>,
    /// The text around the game at hand.
    around: Around,
}

impl<'a> ChunkOrigin<'a> {
    /// Returns the input.
    pub const fn input(&self) -> &'a Input {
        self.input
    }

    /// Returns the chunk.
    pub const fn chunk(&self) -> &'a Chunk {
        self.chunk
    }

    /// Returns the text around the game at hand.
    pub const fn around(&self) -> &Around {
        &self.around
    }

    /// Returns the place of bytes of the chunk in the input; places that follow one another are found fast.
    pub fn locate(&mut self, start: usize, length: usize) -> Location {
        self.locator.locate(start, length)
    }

    /// Returns a game as a row.
    pub fn row<'r>(&mut self, review: &'r Review) -> GameRow<'r>
    where
        'a: 'r,
    {
        let diagnostics = self.diagnostic_rows(review);
        game_row(review, self.of_game(review), diagnostics)
    }

    /// Returns the diagnostics of a game as rows.
    pub fn diagnostic_rows(&mut self, review: &Review) -> Vec<DiagnosticRow> {
        let row = |found| self.diagnostic_row(found, review.offset(), review.number());
        review.diagnostics().iter().map(row).collect()
    }

    /// Returns a game as a row without diagnostics and moves.
    pub fn head<'r>(&mut self, review: &'r Review) -> GameRow<'r>
    where
        'a: 'r,
    {
        head_row(review, self.of_game(review))
    }

    /// Returns a game as a row with its moves, without diagnostics.
    pub fn moves<'r>(&mut self, review: &'r Review) -> GameRow<'r>
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
    ///
    /// # Panics
    ///
    /// Panics if the game is not of the chunk.
    pub fn text(&self, review: &Review) -> Cow<'a, str> {
        let tree = review.game().tree();
        tree.encoding().decode(&self.chunk.bytes()[review.offset()..][..tree.byte_len() as usize])
    }

    /// Returns a plain game as a row, with the rows of its moves if it has them, without diagnostics.
    ///
    /// # Panics
    ///
    /// Panics if the game is not of the chunk.
    pub fn plain_row(&mut self, game: &PlainGame, number: u64) -> GameRow<'a> {
        let offset = self.locator.offset(game.offset());
        let origin = Origin { file: self.input.label(), game: number, offset };
        let bytes = &self.chunk.bytes()[game.offset()..][..game.length()];
        plain_row(game, str::from_utf8(bytes).expect("plain games are UTF-8"), origin)
    }

    /// Returns the diagnostics of a plain game as rows.
    pub fn plain_diagnostics(&mut self, game: &PlainGame, number: u64) -> Vec<DiagnosticRow> {
        let row = |found| self.diagnostic_row(found, game.offset(), number);
        game.diagnostics().iter().map(row).collect()
    }

    /// Returns a diagnostic as a row; its span counts from the byte of the chunk at `start`.
    pub fn diagnostic_row(&mut self, diagnostic: &Diagnostic, start: usize, game: u64) -> DiagnosticRow {
        let span = diagnostic.span();
        let location = self.locator.locate(start + span.start as usize, span.len() as usize);
        DiagnosticRow::new(self.input.label(), game, location, diagnostic)
    }

    /// Returns the place of a game in its file.
    pub fn of_game(&mut self, review: &Review) -> Origin<'a> {
        let offset = self.locator.offset(review.offset());
        Origin { file: self.input.label(), game: review.number(), offset }
    }
}

/// Reads chunks, then reviews their games one after the other, so that each thread holds one replayed game at a time.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::{CheckOptions, Review};
/// use pdn::export::{ChunkOrigin, GameWork, Reviewing};
/// use pdn::source::{ChunkOptions, Event, Input, Pipeline};
///
/// struct LongestGame;
///
/// impl GameWork for LongestGame {
///     type Done = usize;
///
///     fn game(&self, review: Review, _: &mut ChunkOrigin<'_>, longest: &mut usize) {
///         *longest = review.game().plies_played().max(*longest);
///     }
/// }
///
/// let work = Reviewing::new(LongestGame, CheckOptions::default());
/// let inputs = vec![Ok(Input::file("samples/games/international.pdn"))];
/// let mut longest = 0;
/// Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default()).run(inputs, &work, |event| {
///     if let Event::Done(plies) = event {
///         longest = plies.max(longest);
///     }
///     Ok(())
/// })?;
/// assert!(longest > 100);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct Reviewing<G, O> {
    games: G,
    options: O,
}

impl<G: GameWork, O: InputOptions> Reviewing<G, O> {
    /// Returns work on games that are checked by these options.
    pub const fn new(games: G, options: O) -> Self {
        Self { games, options }
    }

    /// Returns what is done with the games.
    pub const fn each(&self) -> &G {
        &self.games
    }
}

impl<G: GameWork, O: InputOptions> Work for Reviewing<G, O> {
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
        let mut done = self.games.begin(input);
        let mut origin = ChunkOrigin { input, chunk, locator: chunk.locator(), around: Around::default() };
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
