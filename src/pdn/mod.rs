//! Portable Draughts Notation: bytes to games and back, without any rules.
//!
//! [`read`] tells a [`Visitor`] of every token and allocates nothing; [`games`] builds a [`GameTree`] of each game.
//! Both read whatever they are given: faults are told as values beside the games and never stop them.

mod build;
mod builder;
mod command;
mod evaluation;
mod grammar;
mod movetext;
mod reader;
mod recover;
mod text;
mod tree;
mod visitor;
mod write;

use crate::diag::Diagnostic;

pub use crate::text::Encoding;

pub use builder::GameBuilder;
pub use command::{Command, Mark, SideClock, Time, parse_commands, text_without_commands};
pub use evaluation::{Evaluation, ParseEvaluationError};
pub use movetext::{MoveKind, MoveText, ParseMoveError, WrittenSquare, with_digits};
pub use reader::read;
pub use tree::{
    Attachment, DEEPEST_TOLD, GameTree, Line, LineId, Node, NodeId, NodeKind, Tag, Terminator, WrittenNumber,
};
pub use visitor::{Fault, Flow, RawTag, Visitor};
pub use write::{AsWritten, ExtraMove, Overlay, ROSTER, WriteOptions, write_game};

/// A game and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The game.
    pub tree: GameTree,
    /// Where it begins in the bytes that were read.
    pub offset: usize,
    /// Its faults, in the order of the text; spans count from the start of the game.
    pub diagnostics: Vec<Diagnostic>,
}

/// A fault outside any game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// Where it begins in the bytes that were read.
    pub offset: usize,
    /// What it is; its span counts from `offset`.
    pub diagnostic: Diagnostic,
}

/// Reads games one by one; see [`games`].
#[derive(Debug)]
pub struct Games<'a> {
    bytes: &'a [u8],
    reader: reader::Reader<'a>,
    builder: build::Builder,
}

impl Games<'_> {
    /// Returns the faults outside any game met so far, in order, and forgets them.
    pub fn take_outside(&mut self) -> Vec<Outside> {
        self.builder.take_outside(self.bytes)
    }
}

impl Iterator for Games<'_> {
    type Item = Parsed;

    fn next(&mut self) -> Option<Parsed> {
        let found = self.reader.next_game(&mut self.builder);
        found.continue_value()?.then(|| self.builder.take(self.bytes))
    }
}

/// Returns the games in the bytes, in order, each with its faults.
///
/// # Examples
///
/// ```
/// let mut games = pdn::pdn::games(b"[Event \"Club\"]\n1. 32-28 19-23 (18-23) 2. 28x19 *");
/// let game = games.next().unwrap();
/// assert_eq!(game.tree.tag("Event"), Some("Club"));
/// assert_eq!(game.tree.written_moves(), 3);
/// assert!(game.diagnostics.is_empty() && games.next().is_none());
/// ```
pub fn games(bytes: &[u8]) -> Games<'_> {
    games_as(bytes, ReadAs::default())
}

/// Returns the games in the bytes as [`games`] does, their bytes turned into text as asked.
pub fn games_as(bytes: &[u8], read_as: ReadAs) -> Games<'_> {
    Games { bytes, reader: reader::Reader::new(bytes), builder: build::Builder::new(read_as) }
}

/// How bytes are turned into text. By default a game is UTF-8 if it can be, else what its bytes and those around it tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadAs {
    /// The encoding of every game, whatever it looks like; there is no finding about it then.
    pub always: Option<Encoding>,
    /// The encoding of games that are no UTF-8 and too short to tell one by themselves.
    pub otherwise: Option<Encoding>,
    /// Whether a game that is not UTF-8 was reported before.
    pub reported: bool,
}
