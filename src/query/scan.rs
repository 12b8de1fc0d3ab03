//! The games of inputs, put to a query on many threads.

use std::cell::RefCell;
use std::sync::Arc;
use std::vec::IntoIter;

use super::copies::CopiedGames;
use super::follow::follow;
use super::game::{FoundGame, GamePlace};
use super::heads::{Head, heads};
use crate::check::{CheckOptions, Follower, InputOptions, ReadChunk, Reviewed};
use crate::diag::Diagnostic;
use crate::replay::EVIDENCE_BYTES;
use crate::rules::{Move, Position};
use crate::source::{Chunk, Input, Work};

/// How much of the games a query needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Tags and results as written; nothing is replayed.
    Tags,
    /// Also what the board says, and the positions.
    Positions,
    /// Also comments and annotations: every game as a tree.
    Trees,
}

/// Finds something in the positions of one game after the other.
pub trait Finder: Send {
    /// What it finds in a game.
    type Found: Send + 'static;

    /// A game begins in this position. A game that began before and has not ended is void: it turned out to need another
    /// way of reading, and begins again.
    fn begin(&mut self, start: &Position);

    /// A position is reached, by a move unless it is set up.
    fn reach(&mut self, played: Option<&Move>, after: &Position);

    /// A variation opens: it continues from the position before the last move.
    fn open(&mut self) {}

    /// A variation closes: the line around it continues.
    fn close(&mut self) {}

    /// Returns what was found in the game.
    fn end(&mut self) -> Self::Found;
}

/// A query about games, which [`Scan`] asks in all chunks of the inputs of a [`Pipeline`](crate::source::Pipeline).
///
/// Chunks are worked on at the same time, each with a separate finder and result; the pipeline passes the results
/// on in the order of the games.
///
/// # Examples
///
/// The length of the longest game in a folder, in plies, and the number of games in which a side had two kings:
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::board::Side;
/// use pdn::check::CheckOptions;
/// use pdn::query::{Finder, FoundGame, Needs, Query, Scan};
/// use pdn::rules::{Move, Position};
/// use pdn::source::{ChunkOptions, Event, Pipeline, expand};
///
/// #[derive(Default)]
/// struct Kings(usize);
///
/// impl Finder for Kings {
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
/// impl Query for Longest {
///     type Finder = Kings;
///     type Done = (usize, usize);
///
///     fn needs(&self) -> Needs {
///         Needs::Positions
///     }
///
///     fn finder(&self) -> Kings {
///         Kings::default()
///     }
///
///     fn game(&self, game: &FoundGame<'_>, kings: Option<usize>, (plies, with_kings): &mut (usize, usize)) {
///         *plies = game.plies().max(*plies);
///         *with_kings += usize::from(kings >= Some(2));
///     }
/// }
///
/// let (mut plies, mut with_kings) = (0, 0);
/// let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
/// pipeline.run(expand(["samples/games"]), &Scan::new(&Longest, CheckOptions::default()), |event| {
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
pub trait Query: Sync {
    /// What follows the positions of a game.
    type Finder: Finder;
    /// What is collected of a chunk.
    type Done: Default + Send + 'static;

    /// Returns how much of the games is needed.
    fn needs(&self) -> Needs;

    /// Returns a new finder.
    fn finder(&self) -> Self::Finder;

    /// Takes a game, and what was found in its positions if they were followed.
    fn game(&self, game: &FoundGame<'_>, found: Option<FoundBy<Self>>, done: &mut Self::Done);

    /// Takes a diagnostic outside any game.
    fn outside(&self, _diagnostic: &Diagnostic, _done: &mut Self::Done) {}
}

/// What the finder of a query finds in a game.
pub type FoundBy<Q> = <<Q as Query>::Finder as Finder>::Found;

/// Puts the games of chunks to a query.
#[derive(Debug)]
pub struct Scan<'a, Q> {
    query: &'a Q,
    options: Box<dyn InputOptions + 'a>,
    copies: CopiedGames,
}

impl<'a, Q: Query> Scan<'a, Q> {
    /// Returns the work of putting games to a query; they are checked with the options.
    pub fn new(query: &'a Q, options: impl InputOptions + 'a) -> Self {
        Self { query, options: Box::new(options), copies: CopiedGames::default() }
    }

    /// Returns the work on copies of games, which are reported with the places of their originals.
    #[must_use]
    pub fn of_copies(self, copies: CopiedGames) -> Self {
        Self { copies, ..self }
    }
}

/// The games of a chunk.
#[derive(Debug)]
pub struct ScannedChunk<T> {
    options: CheckOptions,
    games: Games<T>,
}

#[derive(Debug)]
enum Games<T> {
    Heads(Vec<Head>),
    Replayed(ReadChunk, IntoIter<T>),
}

/// Collects what a finder finds.
struct Collector<F: Finder> {
    finder: F,
    found: Vec<F::Found>,
}

impl<F: Finder> Collector<F> {
    const fn new(finder: F) -> Self {
        Self { finder, found: Vec::new() }
    }
}

impl<F: Finder> Follower for Collector<F> {
    fn begin(&mut self, start: &Position) {
        self.finder.begin(start);
    }

    fn reach(&mut self, played: Option<&Move>, after: &Position) {
        self.finder.reach(played, after);
    }

    fn open(&mut self) {
        self.finder.open();
    }

    fn close(&mut self) {
        self.finder.close();
    }

    fn end(&mut self) {
        let found = self.finder.end();
        self.found.push(found);
    }
}

impl<Q: Query> Work for Scan<'_, Q> {
    const HEAD: usize = EVIDENCE_BYTES;
    type File = CheckOptions;
    type Read = ScannedChunk<FoundBy<Q>>;
    type Done = Q::Done;

    fn begin(&self, input: &Input, head: Arc<[u8]>) -> CheckOptions {
        self.options.of(input).for_file(head)
    }

    fn read(&self, options: &CheckOptions, chunk: &Chunk) -> Self::Read {
        let games = match self.query.needs() {
            Needs::Tags => Games::Heads(heads(chunk, options)),
            Needs::Positions => {
                let mut collector = Collector::new(self.query.finder());
                let read = ReadChunk::followed(chunk, options, &mut collector);
                Games::Replayed(read, collector.found.into_iter())
            }
            Needs::Trees => Games::Replayed(ReadChunk::new(chunk, options), Vec::new().into_iter()),
        };
        ScannedChunk { options: options.clone(), games }
    }

    fn games(&self, read: &Self::Read) -> u64 {
        match &read.games {
            Games::Heads(heads) => heads.len() as u64,
            Games::Replayed(read, _) => read.games() as u64,
        }
    }

    fn finish(&self, input: &Input, chunk: &Chunk, read: Self::Read, first: u64) -> Q::Done {
        let locator = RefCell::new(chunk.locator());
        let locate = |start, length| self.copies.original(locator.borrow_mut().locate(start, length));
        let place =
            GamePlace { input, chunk, options: &read.options, locate: &locate, number: first, offset: 0, length: 0 };
        match read.games {
            Games::Heads(heads) => self.finish_heads(place, &heads),
            Games::Replayed(read, found) => self.finish_replayed(place, read, found),
        }
    }
}

impl<Q: Query> Scan<'_, Q> {
    fn place<'p>(&self, place: GamePlace<'p>, number: u64, offset: usize, length: usize) -> GamePlace<'p> {
        let number = self.copies.number(place.chunk, offset).unwrap_or(number);
        GamePlace { number, offset, length, ..place }
    }

    fn finish_heads(&self, place: GamePlace<'_>, heads: &[Head]) -> Q::Done {
        let mut done = Q::Done::default();
        for (number, head) in (place.number..).zip(heads) {
            let (offset, length) = head.place();
            let place = self.place(place, number, offset, length);
            self.query.game(&FoundGame::of_head(place, head), None, &mut done);
        }
        done
    }

    fn finish_replayed(&self, place: GamePlace<'_>, mut read: ReadChunk, mut found: IntoIter<FoundBy<Q>>) -> Q::Done {
        let mut done = Q::Done::default();
        let mut collector = Collector::new(self.query.finder());
        let mut number = place.number;
        while let Some(reviewed) = read.review(place.chunk, number) {
            match reviewed {
                Reviewed::Plain(game) => {
                    let place = self.place(place, number, game.offset(), game.length());
                    self.query.game(&FoundGame::of_plain(place, &game), found.next(), &mut done);
                }
                Reviewed::Game(review) => {
                    follow(review.game(), &mut collector);
                    let length = review.game().tree().byte_len() as usize;
                    let place = self.place(place, number, review.offset(), length);
                    self.query.game(&FoundGame::of_review(place, &review), collector.found.pop(), &mut done);
                }
                Reviewed::Outside(outside) => {
                    self.query.outside(outside.diagnostic(), &mut done);
                    continue;
                }
            }
            number += 1;
        }
        done
    }
}
