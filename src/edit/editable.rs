//! A game in memory that can be changed.

use std::collections::HashMap;

use super::Refusal;
use super::change::Change;
use super::game::{Applied, Ground, address, reviewed};
use crate::check::{CheckOptions, CheckedGame, Review};
use crate::diag::Span;
use crate::notation::{GameRecord, GameType};
use crate::pdn::{GameTree, NodeId, ReadAs, WriteOptions, games_as, write_game};
use crate::replay::ReplayOptions;
use crate::source::Location;
use crate::text::{Encoding, Format, LineIndex};

/// The identity of a move of an [`EditableGame`]. Changes keep it, while the [`NodeId`] is the place of a move in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveKey(u32);

/// A game with its bytes, which changes as [`GameEdits`](super::GameEdits) change games in files: all bytes but those of the
/// changes stay, and what is written is read again.
///
/// # Examples
///
/// ```
/// use pdn::Evaluation;
/// use pdn::edit::{Change, EditableGame};
/// use pdn::export::write_pdn;
/// use pdn::notation::GameRecord;
/// use pdn::rules::{Position, Variant};
///
/// let mut game = EditableGame::new(&GameRecord::new(Position::start(Variant::INTERNATIONAL), &[]).players("Ada", "Ben"));
/// let last = game.apply(&[Change::moves("0", ["32-28", "19-23"])])?.expect("a move was added");
/// game.apply(&[Change::moves("1", ["18-23"])])?;
/// game.apply(&[Change::evaluation(game.address(last).unwrap(), Evaluation::CentiMen(12))])?;
/// assert!(write_pdn(game.review().game()).ends_with("\n1. 32-28 19-23 {[%eval 0.12]} (1... 18-23) *\n\n"));
/// # Ok::<(), pdn::edit::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct EditableGame {
    text: Vec<u8>,
    /// The offset of the game in its text.
    start: usize,
    encoding: Encoding,
    review: Review,
    /// True if the review is of the text, and not of a record in another format.
    is_of_text: bool,
    options: CheckOptions,
    /// The keys of all nodes; before any change, those with the numbers of the nodes.
    keys: Option<Vec<MoveKey>>,
    /// The key of the next new move.
    next: u32,
}

impl EditableGame {
    /// Returns a game that was read. A game of a format other than PDN has the bytes of its form in PDN.
    pub fn of(game: CheckedGame<'_>) -> Self {
        let mut options = game.options().clone();
        let is_of_text = game.format() == Format::Pdn;
        if !is_of_text {
            let review = game.into_review();
            // The PDN has only the tags.
            if review.game().is_inferred() && review.game().tree().recorded_variant().is_some() {
                options.replay = ReplayOptions::of(review.game().variant());
            }
            return Self::with(Self::written(review.game().tree()), Encoding::Utf8, review, options, false);
        }
        let (bytes, own) = (game.bytes().to_vec(), game.encoding());
        // ASCII is alike in every encoding: that of the file decides how new letters are written.
        let is_ascii = own == Encoding::Utf8 && bytes.is_ascii();
        let encoding = game.chunk().encoding().filter(|_| is_ascii).unwrap_or(own);
        Self::with(bytes, encoding, game.into_review(), options, true)
    }

    /// Reads the first game of some bytes as the one with a number in its file; `None` if they have none.
    pub fn read(text: Vec<u8>, options: CheckOptions, number: u64) -> Option<Self> {
        let read_as = ReadAs { always: options.encoding, ..ReadAs::default() };
        let parsed = games_as(&text, read_as).next()?;
        let encoding = parsed.tree().encoding();
        let review = Review::new(parsed, number, &text, &options);
        let start = review.offset();
        Some(Self { start, ..Self::with(text, encoding, review, options, true) })
    }

    /// Returns a new game.
    pub fn new(record: &GameRecord<'_>) -> Self {
        let text = Self::written(&record.to_tree());
        let variant = record.start().variant();
        // The tag cannot name every variant.
        let is_named = variant.game_type().and_then(GameType::variant) == Some(variant);
        let replay = ReplayOptions::of(Some(variant).filter(|_| !is_named));
        let options = CheckOptions { replay, ..CheckOptions::default() };
        let review = Review::new(record.to_tree().into(), 1, &text, &options);
        let mut game = Self::with(text, Encoding::Utf8, review, options, false);
        game.read_text();
        game
    }

    fn with(text: Vec<u8>, encoding: Encoding, review: Review, options: CheckOptions, is_of_text: bool) -> Self {
        let next = review.game().tree().nodes().len() as u32;
        Self { text, start: 0, encoding, review, is_of_text, options, keys: None, next }
    }

    fn written(tree: &GameTree) -> Vec<u8> {
        write_game(tree, WriteOptions::default()).into_bytes()
    }

    /// Reviews the text of a game that was not read from it.
    fn read_text(&mut self) {
        let (number, nodes) = (self.review.number(), self.review.game().tree().nodes().len());
        let read = reviewed(self.start, &self.text, self.encoding, number, &self.options);
        if let Some(review) = read.filter(|read| read.game().tree().nodes().len() == nodes) {
            self.start += review.offset();
            (self.review, self.is_of_text) = (review, true);
        }
    }

    /// Returns the bytes of the game.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the game with its diagnostics.
    pub const fn review(&self) -> &Review {
        &self.review
    }

    /// Returns the location of a span of the game in its bytes.
    pub fn locate(&self, span: Span) -> Location {
        let start = (self.start + span.start as usize).min(self.text.len());
        let (line, column) = LineIndex::of(&self.text).line_column(&self.text, start);
        Location { offset: start as u64, length: span.len().into(), line, column }
    }

    /// Returns the identity of a move.
    pub fn key(&self, id: NodeId) -> MoveKey {
        self.keys.as_ref().map_or(MoveKey(id.index() as u32), |keys| keys[id.index()])
    }

    /// Returns the move with an identity, unless it was removed.
    pub fn find(&self, key: MoveKey) -> Option<NodeId> {
        let mut ids = self.review.game().tree().node_ids();
        match &self.keys {
            None => ids.nth(key.0 as usize),
            Some(keys) => ids.zip(keys).find(|(_, other)| **other == key).map(|(id, _)| id),
        }
    }

    /// Returns the address of a move in changes.
    pub fn address(&self, id: NodeId) -> Option<String> {
        address(&self.review, |node| node == id)
    }

    /// Makes changes, or none of them if one is refused. Returns the move to be shown: the one that was changed, or the last one
    /// that was added.
    ///
    /// # Errors
    ///
    /// Returns an error if a change cannot be made, or would be read otherwise than it is meant.
    pub fn apply(&mut self, changes: &[Change]) -> Result<Option<NodeId>, Refusal> {
        if !self.is_of_text {
            self.read_text();
        }
        if !self.is_of_text {
            return Err(Refusal::Format);
        }
        let length = self.review.game().tree().byte_len() as usize;
        let (review, bytes, own) = (&self.review, &self.text[..], self.start..self.start + length);
        let ground = Ground { review, bytes, own, dates: &self.options.dates, encoding: self.encoding };
        let Applied { plan, text, .. } = ground.apply(changes)?;
        let focus = plan.focus.map(|focus| plan.focused(focus));
        if plan.splices.is_empty() {
            return Ok(focus.and_then(|at| self.at(at)));
        }
        let after = reviewed(self.start, &text, self.encoding, self.review.number(), &self.options);
        let after = after.ok_or(Refusal::OtherReading)?;
        let start = self.start + after.offset();
        let tree = self.review.game().tree();
        let place = |id: NodeId| plan.place_of(self.start + tree.node(id).span().start as usize);
        let kept: HashMap<_, _> = tree.node_ids().filter_map(|id| Some((place(id)?, self.key(id)))).collect();
        let mut next = self.next;
        let mut key = |at: usize| {
            kept.get(&at).copied().unwrap_or_else(|| {
                next += 1;
                MoveKey(next - 1)
            })
        };
        let nodes = after.game().tree().nodes();
        let keys = nodes.iter().map(|node| key(start + node.span().start as usize)).collect();
        (self.keys, self.next) = (Some(keys), next);
        (self.text, self.start, self.review) = (text, start, after);
        Ok(focus.and_then(|at| self.at(at)))
    }

    /// Returns the move at a byte of the text.
    fn at(&self, byte: usize) -> Option<NodeId> {
        let tree = self.review.game().tree();
        tree.node_ids().find(|&id| self.start + tree.node(id).span().start as usize == byte)
    }
}
