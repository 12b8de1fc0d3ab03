//! The single path of games from inputs: chunks are read on many threads, and their games are returned checked, in order.

use std::cell::RefCell;
use std::sync::Arc;

use super::checked::CheckedGame;
use super::copies::CopiedGames;
use super::follow::{Collector, Follower, follow};
use super::reading::{Item, ReadGame, ReadGames};
use super::review::{CheckOptions, InputOptions};
use crate::pdn::Outside;
use crate::replay::EVIDENCE_BYTES;
use crate::source::{Chunk, Input, Location, Locator, Work};

/// The parts of each game that a work uses, so that nothing else is prepared: a game with plain moves is replayed without a
/// tree, which is many times faster.
///
/// Requesting less than the work uses costs time, never correctness: anything else that a [`CheckedGame`] is asked for is read at
/// that point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Tags and the result as written.
    Tags,
    /// The outcome of the moves: positions, results and diagnostics.
    Results,
    /// Also the comments before the first move and after the end.
    Outline,
    /// Also each move of the main line, with its variations and comments.
    Moves,
    /// The whole game as a tree.
    Tree,
}

/// The processing of checked games: the work of [`Checking`], on many chunks at once.
pub trait GameWork: Sync {
    /// The data collected from a chunk.
    type Done: Default + Send + 'static;

    /// Returns the parts of each game that the work uses.
    fn needs(&self) -> Needs;

    /// Returns how the games of an input are checked: by `options`, which are those for a file that begins with `head`.
    fn options(&self, _input: &Input, _head: &Arc<[u8]>, options: CheckOptions) -> CheckOptions {
        options
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

/// [`GameWork`] that also follows the positions of each game while it is read.
///
/// # Examples
///
/// The length in plies of the longest game in a folder, and the number of games in which a side had two kings:
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::board::Side;
/// use pdn::check::{CheckOptions, CheckedGame, Checking, Follower, FollowingWork, Needs};
/// use pdn::rules::{Move, Position};
/// use pdn::source::{ChunkOptions, Event, Pipeline, expand};
///
/// #[derive(Default)]
/// struct Kings(usize);
///
/// impl Follower for Kings {
///     type Found = usize;
///
///     fn begin(&mut self, _: &Position) {
///         self.0 = 0;
///     }
///
///     fn reach(&mut self, _: Option<&Move>, after: &Position) {
///         let kings = |side| after.squares_of(side).iter().filter(|&square| after.kings().contains(square)).count();
///         self.0 = self.0.max(kings(Side::White)).max(kings(Side::Black));
///     }
///
///     fn end(&mut self) -> usize {
///         self.0
///     }
/// }
///
/// struct Longest;
///
/// impl FollowingWork for Longest {
///     type Follower = Kings;
///     type Done = (usize, usize);
///
///     fn needs(&self) -> Needs {
///         Needs::Results
///     }
///
///     fn follower(&self) -> Option<Kings> {
///         Some(Kings::default())
///     }
///
///     fn game(&self, game: CheckedGame<'_>, kings: Option<usize>, (plies, with_kings): &mut (usize, usize)) {
///         *plies = game.plies().max(*plies);
///         *with_kings += usize::from(kings >= Some(2));
///     }
/// }
///
/// let (mut plies, mut with_kings) = (0, 0);
/// let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
/// pipeline.run(expand(["samples/games"]), &Checking::new(Longest, CheckOptions::default()), |event| {
///     match event {
///         Event::Begin(_) => {}
///         Event::Done(chunk) => (plies, with_kings) = (plies.max(chunk.0), with_kings + chunk.1),
///         Event::Error(error) => return Err(error),
///     }
///     Ok(())
/// })?;
/// assert!(plies > 100 && with_kings > 0);
/// # Ok::<(), pdn::Error>(())
/// ```
pub trait FollowingWork: Sync {
    /// The follower of positions.
    type Follower: Follower;
    /// The data collected from a chunk.
    type Done: Default + Send + 'static;

    /// Returns the parts of each game that the work uses. Positions are not followed if it is only [`Needs::Tags`].
    fn needs(&self) -> Needs;

    /// Returns a new follower, if positions are to be followed.
    fn follower(&self) -> Option<Self::Follower>;

    /// Returns how the games of an input are checked: by `options`, which are those for a file that begins with `head`.
    fn options(&self, _input: &Input, _head: &Arc<[u8]>, options: CheckOptions) -> CheckOptions {
        options
    }

    /// Begins a chunk.
    fn begin(&self, _origin: &ChunkOrigin<'_>) -> Self::Done {
        Self::Done::default()
    }

    /// Takes a game, with the result of its follower if its positions were followed.
    fn game(&self, game: CheckedGame<'_>, found: Option<FoundBy<Self>>, done: &mut Self::Done);

    /// Takes a diagnostic outside any game.
    fn outside(&self, _outside: &Outside, _origin: &ChunkOrigin<'_>, _done: &mut Self::Done) {}

    /// Completes the data collected from a chunk.
    fn end(&self, _origin: &ChunkOrigin<'_>, _done: &mut Self::Done) {}
}

/// The result of the follower of a work for a game.
pub type FoundBy<W> = <<W as FollowingWork>::Follower as Follower>::Found;

impl<G: GameWork> FollowingWork for G {
    type Follower = ();
    type Done = G::Done;

    fn needs(&self) -> Needs {
        GameWork::needs(self)
    }

    fn follower(&self) -> Option<()> {
        None
    }

    fn options(&self, input: &Input, head: &Arc<[u8]>, options: CheckOptions) -> CheckOptions {
        GameWork::options(self, input, head, options)
    }

    fn begin(&self, origin: &ChunkOrigin<'_>) -> G::Done {
        GameWork::begin(self, origin)
    }

    fn game(&self, game: CheckedGame<'_>, _: Option<()>, done: &mut G::Done) {
        GameWork::game(self, game, done);
    }

    fn outside(&self, outside: &Outside, origin: &ChunkOrigin<'_>, done: &mut G::Done) {
        GameWork::outside(self, outside, origin, done);
    }

    fn end(&self, origin: &ChunkOrigin<'_>, done: &mut G::Done) {
        GameWork::end(self, origin, done);
    }
}

/// A chunk and the input it comes from.
#[derive(Debug)]
pub struct ChunkOrigin<'a> {
    input: &'a Input,
    chunk: &'a Chunk,
    locator: RefCell<Locator<'a>>,
    copies: &'a CopiedGames,
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

    /// Returns the location of bytes of the chunk in the input; consecutive lookups are fast.
    pub fn locate(&self, start: usize, length: usize) -> Location {
        self.copies.original(self.locator.borrow_mut().locate(start, length))
    }

    /// Returns the offset in the input of a byte of the chunk.
    pub fn offset(&self, start: usize) -> u64 {
        self.copies.original_offset(self.locator.borrow_mut().offset(start))
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
/// use pdn::check::{CheckOptions, CheckedGame, Checking, GameWork, Needs};
/// use pdn::source::{ChunkOptions, Event, Input, Pipeline};
///
/// struct LongestGame;
///
/// impl GameWork for LongestGame {
///     type Done = usize;
///
///     fn needs(&self) -> Needs {
///         Needs::Results
///     }
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
pub struct Checking<W, O> {
    work: W,
    options: O,
    copies: CopiedGames,
}

impl<W: FollowingWork, O: InputOptions> Checking<W, O> {
    /// Returns work on games that are checked with these options.
    pub fn new(work: W, options: O) -> Self {
        Self { work, options, copies: CopiedGames::default() }
    }

    /// Returns the work on copies of games, which are reported with the locations of their originals.
    #[must_use]
    pub fn of_copies(self, copies: CopiedGames) -> Self {
        Self { copies, ..self }
    }

    /// Returns the work done on the games.
    pub const fn work(&self) -> &W {
        &self.work
    }
}

/// The games of a chunk, and the results for those that were followed while they were read.
#[derive(Debug)]
pub struct FollowedGames<T> {
    options: CheckOptions,
    read: ReadGames,
    found: Vec<T>,
}

impl<W: FollowingWork, O: InputOptions> Work for Checking<W, O> {
    const HEAD: usize = EVIDENCE_BYTES;
    type File = CheckOptions;
    type Read = FollowedGames<FoundBy<W>>;
    type Done = W::Done;

    fn begin(&self, input: &Input, head: Arc<[u8]>) -> CheckOptions {
        let options = self.options.of(input).for_file(Arc::clone(&head));
        self.work.options(input, &head, options)
    }

    fn read(&self, options: &CheckOptions, chunk: &Chunk) -> Self::Read {
        let mut collector = self.work.follower().map(Collector::new);
        let read = ReadGames::new(chunk, options, self.work.needs(), collector.as_mut().map(|steps| steps as _));
        let found = collector.map(Collector::into_found).unwrap_or_default();
        FollowedGames { options: options.clone(), read, found }
    }

    fn games(&self, read: &Self::Read) -> u64 {
        read.read.games() as u64
    }

    fn finish(&self, input: &Input, chunk: &Chunk, read: Self::Read, first: u64) -> W::Done {
        let FollowedGames { options, mut read, found } = read;
        let origin = ChunkOrigin { input, chunk, locator: RefCell::new(chunk.locator()), copies: &self.copies };
        let (mut found, mut follower) = (found.into_iter(), self.work.follower());
        let mut done = self.work.begin(&origin);
        let (needs, mut number) = (self.work.needs(), first);
        while let Some(item) = read.next(chunk, &options) {
            let (game, around) = match item {
                Item::Outside(outside) => {
                    self.work.outside(&outside, &origin, &mut done);
                    continue;
                }
                Item::Game(game, around) => (game, around),
            };
            let is_plain = matches!(game, ReadGame::Plain(_));
            let game = CheckedGame::new(game, (number, around), &origin, (needs, &options));
            let found = match &mut follower {
                Some(_) if is_plain => found.next(),
                Some(follower) if needs > Needs::Tags => follow(game.review().game(), follower),
                _ => None,
            };
            self.work.game(game, found, &mut done);
            number += 1;
        }
        self.work.end(&origin, &mut done);
        done
    }
}
