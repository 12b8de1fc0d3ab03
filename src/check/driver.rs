//! The single path of games from inputs: chunks are read on many threads, and their games are returned checked, in order.

use std::cell::RefCell;
use std::sync::Arc;

use super::checked::CheckedGame;
use super::copies::CopiedGames;
use super::reading::{Item, ReadGame, ReadGames};
use super::review::{CheckOptions, InputOptions};
use crate::notation::{DATE_TAGS, WrittenDate, english_tag, read_date_in};
use crate::pdn::{GameTree, Outside};
use crate::replay::{EVIDENCE_BYTES, tagged_variant};
use crate::source::{Chunk, Input, Located, Location, Work};
use crate::text::Encoding;

/// The parts of each game that a work uses, so that nothing else is prepared.
///
/// Requesting less than the work uses costs time, never correctness: anything else that a [`CheckedGame`] is asked for is read at
/// that point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Tags and the result as written.
    Tags,
    /// The whole game, replayed and checked.
    Game,
}

/// The processing of checked games: the work of [`Checking`], on many chunks at once.
pub trait GameWork: Sync {
    /// The data collected from a chunk.
    type Done: Default + Send + 'static;

    /// Returns the parts of each game that the work uses: by default, whole games.
    fn needs(&self) -> Needs {
        Needs::Game
    }

    /// Returns how the games of an input are checked: by `options`, which are those for a file that begins with `head`.
    fn options(&self, _input: &Input, _head: &Arc<[u8]>, options: CheckOptions) -> CheckOptions {
        options
    }

    /// Returns true if each game should be processed as soon as it is complete, even while a stream waits for more bytes.
    fn is_eager(&self) -> bool {
        false
    }

    /// Begins a chunk.
    fn begin(&self, _origin: &ChunkOrigin<'_>) -> Self::Done {
        Self::Done::default()
    }

    /// Takes a game.
    fn game(&self, game: CheckedGame<'_>, done: &mut Self::Done);

    /// Takes a diagnostic outside any game.
    fn outside(&self, _outside: &Outside, _origin: &ChunkOrigin<'_>, _done: &mut Self::Done) {}

    /// Completes the data collected from a chunk.
    fn end(&self, _origin: &ChunkOrigin<'_>, _done: &mut Self::Done) {}
}

/// Lists what a function makes of each game.
pub(crate) struct Each<F>(pub(crate) F);

impl<T: Send + 'static, F: Fn(&CheckedGame<'_>) -> T + Sync> GameWork for Each<F> {
    type Done = Vec<T>;

    fn game(&self, game: CheckedGame<'_>, done: &mut Vec<T>) {
        done.push((self.0)(&game));
    }
}

/// A chunk and the input it comes from.
#[derive(Debug)]
pub struct ChunkOrigin<'a> {
    input: &'a Input,
    chunk: &'a Chunk,
    located: RefCell<Located>,
    copies: &'a CopiedGames,
    encoding: Option<Encoding>,
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

    /// Returns the encoding of the text outside games: the one that is given, or else the one that its bytes suggest if they are not
    /// UTF-8.
    pub(crate) const fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// Returns the location of bytes of the chunk in the input; consecutive lookups are fast.
    pub fn locate(&self, start: usize, length: usize) -> Location {
        self.copies.original(self.located.borrow_mut().locate(self.chunk, start, length))
    }

    /// Returns the offset in the input of a byte of the chunk.
    pub fn offset(&self, start: usize) -> u64 {
        self.copies.original_offset(self.located.borrow_mut().offset(self.chunk, start))
    }

    /// Returns the number in the input of the game at an offset of the chunk: the given one, unless it is a copy.
    pub(super) fn number(&self, offset: usize, number: u64) -> u64 {
        self.copies.number(self.chunk, offset).unwrap_or(number)
    }
}

/// Checks the games of chunks and passes them to a work; each thread holds one checked game at a time.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::{CheckOptions, CheckedGame, Checking, GameWork};
/// use pdn::source::{ChunkOptions, Event, Input, Pipeline};
///
/// struct LongestGame;
///
/// impl GameWork for LongestGame {
///     type Done = usize;
///
///     fn game(&self, game: CheckedGame<'_>, longest: &mut usize) {
///         *longest = game.plies().max(*longest);
///     }
/// }
///
/// let work = Checking::new(LongestGame, CheckOptions::default());
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
pub struct Checking<W> {
    work: W,
    options: Box<dyn InputOptions>,
    copies: CopiedGames,
}

impl<W: GameWork> Checking<W> {
    /// Returns work on games that are checked with these options; [`GameWork::options`] may change them for an input.
    pub fn new(work: W, options: CheckOptions) -> Self {
        Self::by_input(work, options)
    }

    /// Returns work on games that are checked with the options of their inputs.
    pub(crate) fn by_input(work: W, options: impl InputOptions + 'static) -> Self {
        Self { work, options: Box::new(options), copies: CopiedGames::default() }
    }

    /// Returns the work on copies of games, which are reported with the locations of their originals.
    #[must_use]
    pub(crate) fn of_copies(self, copies: CopiedGames) -> Self {
        Self { copies, ..self }
    }

    /// Returns the work done on the games.
    pub const fn work(&self) -> &W {
        &self.work
    }
}

/// The games of a chunk, not checked yet.
#[derive(Debug)]
pub struct UncheckedGames {
    options: CheckOptions,
    read: ReadGames,
}

/// Returns true if no date in the games of a text has a reading that other dates of the file decide.
fn has_plain_dates(text: &[u8]) -> bool {
    crate::pdn::games(text).all(|parsed| is_plainly_dated(parsed.tree()))
}

/// Returns true if, besides, no game of a text has its variant inferred from the file.
fn names_its_variants(text: &[u8]) -> bool {
    crate::pdn::games(text).all(|parsed| is_plainly_dated(parsed.tree()) && tagged_variant(parsed.tree()).is_some())
}

fn is_plainly_dated(tree: &GameTree) -> bool {
    let is_date = |name: &str| DATE_TAGS.contains(&english_tag(name).unwrap_or(name));
    let mut dates = tree.tags().iter().filter(|tag| is_date(tag.name()));
    dates.all(|tag| read_date_in(tag.value(), None) == WrittenDate::Standard)
}

impl<W: GameWork> Work for Checking<W> {
    const HEAD: usize = EVIDENCE_BYTES;
    type File = CheckOptions;
    type Read = UncheckedGames;
    type Done = W::Done;

    fn begin(&self, input: &Input, head: Arc<[u8]>) -> Self::File {
        let options = self.options.of(input).for_file(Arc::clone(&head));
        CheckOptions { doubts: self.options.doubts(input), ..self.work.options(input, &head, options) }
    }

    fn read(&self, options: &CheckOptions, chunk: &Chunk) -> Self::Read {
        let read = ReadGames::new(chunk, options, self.work.needs());
        UncheckedGames { options: options.clone(), read }
    }

    fn games(&self, read: &Self::Read) -> u64 {
        read.read.games() as u64
    }

    fn independent(&self, input: &Input) -> Option<fn(&[u8]) -> bool> {
        let has_variant = self.options.of(input).replay.variant.is_some();
        self.work.is_eager().then_some(if has_variant { has_plain_dates } else { names_its_variants })
    }

    fn finish(&self, input: &Input, chunk: &Chunk, read: Self::Read, first: u64) -> W::Done {
        let UncheckedGames { options, mut read } = read;
        if chunk.is_cut() {
            options.doubts.add_cut();
        }
        let encoding = options.encoding.or(chunk.encoding());
        let origin = ChunkOrigin { input, chunk, located: RefCell::default(), copies: &self.copies, encoding };
        let mut done = self.work.begin(&origin);
        let (needs, mut number) = (self.work.needs(), first);
        while let Some(item) = read.next(chunk, &options) {
            let (game, around) = match item {
                Item::Outside(outside) => {
                    let has_words = || outside.text(chunk.bytes(), encoding).is_some();
                    options.doubts.add_outside(&outside, has_words);
                    self.work.outside(&outside, &origin, &mut done);
                    continue;
                }
                Item::Game(game, around) => (game, around),
            };
            if let ReadGame::Tree(parsed) = &game {
                options.doubts.add(parsed, options.encoding);
            }
            self.work.game(CheckedGame::new(game, (number, around), &origin, (needs, &options)), &mut done);
            number += 1;
        }
        self.work.end(&origin, &mut done);
        done
    }
}
