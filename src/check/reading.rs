//! The games of a chunk, read to the extent needed, in text order.

use super::checked::Around;
use super::driver::Needs;
use super::review::{CheckOptions, raise};
use crate::diag::{Code, Diagnostic, Span, messages};
use crate::import::{Records, RecordsPlace, records};
use crate::notation::is_chess_move;
use crate::pdn::{
    Attachment, Fault, Flow, GameTree, MoveText, Node, Outside, Parsed, RawTag, ReadAs, Visitor, WrittenNumber,
    decides_reading, has_foreign,
};
use crate::replay::{ReplayOptions, replay};
use crate::source::Chunk;
use crate::text::Format;

/// A game as it was read.
#[derive(Debug)]
pub(super) enum ReadGame {
    /// Tags and end, nothing else.
    Head(Box<Head>),
    /// A tree, not replayed yet.
    Tree(Box<Parsed>),
}

impl ReadGame {
    /// Returns the offset in the chunk.
    fn offset(&self) -> usize {
        match self {
            Self::Head(head) => head.offset,
            Self::Tree(parsed) => parsed.offset(),
        }
    }
}

/// The next part of a chunk.
#[derive(Debug)]
pub(super) enum Item {
    /// A game and the text around it.
    Game(ReadGame, Around),
    /// A diagnostic outside any game.
    Outside(Outside),
}

/// Maximum number of games of a chunk kept at a time: a megabyte of `1-2 *` has 175,000, whose trees take two kilobytes each.
/// What is after them is read again when they are done.
const MAX_KEPT: usize = 8192;

/// The games of a chunk, read but not replayed yet.
///
/// Reading a chunk and checking its games are two steps, so that many chunks can be read at once, their games numbered in
/// order, and checked one after the other, of which only one is in memory at a time.
#[derive(Debug)]
pub(super) struct ReadGames {
    games: std::vec::IntoIter<ReadGame>,
    /// The number of games not kept, and their start.
    more: Option<(usize, RecordsPlace)>,
    needs: Needs,
    outside: std::vec::IntoIter<Outside>,
    /// The texts before the first game; `None` once it has been returned.
    before: Option<Vec<String>>,
}

/// The way in which the games of a chunk are read.
enum Way<'a> {
    Heads(HeadReader<'a>),
    Trees,
}

impl<'a> Way<'a> {
    fn new(chunk: &'a Chunk, options: &CheckOptions, needs: Needs) -> Self {
        if needs == Needs::Tags && chunk.format() == Format::Pdn {
            Self::Heads(HeadReader::new(chunk.bytes(), options.encoding.is_some()))
        } else {
            Self::Trees
        }
    }

    fn next(&mut self, games: &mut Records<'_>) -> Option<ReadGame> {
        match self {
            Self::Heads(heads) => {
                let read = games.next_with(heads, HeadReader::finish)?;
                Some(read.map_or_else(tree, |head| ReadGame::Head(Box::new(head))))
            }
            Self::Trees => games.next().map(tree),
        }
    }

    fn read(&mut self, games: &mut Records<'_>, limit: usize) -> Vec<ReadGame> {
        std::iter::from_fn(|| self.next(games)).take(limit).collect()
    }
}

impl ReadGames {
    /// Reads the games of a chunk.
    pub(super) fn new(chunk: &Chunk, options: &CheckOptions, needs: Needs) -> Self {
        let read_as = ReadAs {
            always: options.encoding,
            otherwise: chunk.encoding(),
            reported: chunk.encoding_seen(),
            keeps_bytes: options.keeps_bytes,
        };
        let mut reader = records(chunk.bytes(), chunk.format(), read_as);
        let mut way = Way::new(chunk, options, needs);
        // Only PDN has games of a few bytes, such as `1-2 *`.
        let is_short = chunk.diagnostics().is_empty() && chunk.format() == Format::Pdn;
        let mut games = way.read(&mut reader, if is_short { MAX_KEPT } else { usize::MAX });
        let place = reader.place();
        let more = std::iter::from_fn(|| way.next(&mut reader)).count();
        let mut outside = reader.take_outside();
        let says_nothing = |found: &Outside| found.is_noise() || found.diagnostic().code() == Code::SYNTAX_LONE_RESULT;
        let is_text = games.is_empty() && !outside.iter().all(says_nothing);
        // Diagnostics about the chunk are about its last game.
        for mut diagnostic in chunk.diagnostics().iter().cloned() {
            match games.last_mut() {
                Some(ReadGame::Tree(last)) => {
                    diagnostic.rebase(last.offset() as u32);
                    last.add_diagnostic(diagnostic);
                }
                _ => outside.push(Outside::new(0, diagnostic)),
            }
        }
        let is_json = matches!(chunk.format(), Format::Lidraughts | Format::JsonArray | Format::Round);
        let is_stray = |outside: &Outside| outside.diagnostic().code() == Code::SYNTAX_STRAY_TEXT;
        let is_empty_json = is_json && games.is_empty() && outside.iter().all(is_stray);
        if is_json {
            // One such diagnostic stands for all of a file.
            let mut is_named = !chunk.is_first();
            outside.retain(|found| {
                found.diagnostic().code() != Code::SYNTAX_NO_GAME || !std::mem::replace(&mut is_named, true)
            });
        }
        let is_pdn = chunk.format() == Format::Pdn;
        if chunk.is_first() && (is_empty_json || is_pdn && (is_text || is_prose(&games, &options.replay))) {
            outside.insert(0, Outside::new(0, messages::titled(Code::SYNTAX_NO_GAME, Span::default())));
        }
        if chunk.is_first() && is_pdn && is_chess(&games) {
            outside.insert(0, Outside::new(0, messages::no_game_chess(Span::default())));
        }
        let more = place.filter(|_| more > 0).map(|place| (more, place));
        Self { games: games.into_iter(), more, needs, outside: outside.into_iter(), before: Some(Vec::new()) }
    }

    /// Number of games not returned yet.
    pub(super) fn games(&self) -> usize {
        self.games.len() + self.more.as_ref().map_or(0, |(more, _)| *more)
    }

    /// Reads more games once those that are kept were returned.
    fn refill(&mut self, chunk: &Chunk, options: &CheckOptions) {
        if self.games.len() == 0
            && let Some((more, place)) = self.more.take()
        {
            let mut reader = Records::from_place(chunk.bytes(), &place);
            let games = Way::new(chunk, options, self.needs).read(&mut reader, MAX_KEPT);
            let left = more - games.len();
            self.more = reader.place().filter(|_| left > 0).map(|place| (left, place));
            self.games = games.into_iter();
        }
    }

    /// Returns the next game, or the next diagnostic outside any game, in the order of the text.
    pub(super) fn next(&mut self, chunk: &Chunk, options: &CheckOptions) -> Option<Item> {
        let encoding = options.encoding.or(chunk.encoding());
        if !self.outside_ahead().is_empty()
            && let Some(mut outside) = self.outside.next()
        {
            if let Some(before) = &mut self.before {
                before.extend(outside.text(chunk.bytes(), encoding));
            }
            if options.strict {
                raise(outside.diagnostic_mut());
            }
            return Some(Item::Outside(outside));
        }
        let game = self.games.next()?;
        self.refill(chunk, options);
        let text = |outside: &Outside| outside.text(chunk.bytes(), encoding);
        let after = self.outside_ahead().iter().filter_map(text).collect();
        Some(Item::Game(game, [self.before.take().unwrap_or_default(), after]))
    }

    /// Returns the diagnostics outside any game that come before the next game, in order.
    fn outside_ahead(&self) -> &[Outside] {
        let start = self.games.as_slice().first().map_or(usize::MAX, ReadGame::offset);
        let ahead = self.outside.as_slice();
        &ahead[..ahead.partition_point(|outside| outside.offset() < start)]
    }
}

/// Returns true if there are games, but they and the text around them are rather a log or a letter: `12:00:00 started` looks like a
/// capture, but no game has a tag, a number or a result, and none of the first ones has two moves that can be played.
fn is_prose(games: &[ReadGame], options: &ReplayOptions) -> bool {
    /// So many games say enough: each of them is played once more.
    const PLAYED: usize = 20;
    let is_stray = |diagnostic: &Diagnostic| diagnostic.code() == Code::SYNTAX_STRAY_TEXT;
    let is_record = |game: &ReadGame| match game {
        ReadGame::Head(_) => true,
        ReadGame::Tree(parsed) => {
            let tree = parsed.tree();
            let marked = !tree.tags().is_empty() || tree.terminator().is_some();
            marked
                || tree.nodes().iter().any(|node| node.number().is_some())
                || !parsed.diagnostics().iter().any(is_stray)
        }
    };
    let is_played = |tree: &GameTree| replay(tree.clone(), options).plies_played() > 1;
    !games.is_empty() && !games.iter().any(is_record) && !trees(games).take(PLAYED).any(is_played)
}

/// Returns true if the first games have moves of chess: words such as `Nf3` and `exd5` where moves are expected, and more of them
/// than moves of draughts.
fn is_chess(games: &[ReadGame]) -> bool {
    /// So many may be in a letter about chess; of a file, the first games say enough.
    const WORDS: usize = 3;
    const GAMES: usize = 20;
    let (mut words, mut pieces, mut moves) = (0, 0, 0);
    for tree in trees(games).take(GAMES) {
        moves += tree.written_moves();
        let attachments = tree.nodes().iter().flat_map(Node::attachments).chain(tree.main_line().intro());
        let strays =
            attachments.filter_map(|item| if let Attachment::Stray { text, .. } = item { Some(text) } else { None });
        for word in strays.flat_map(|text| text.split(' ')) {
            words += usize::from(is_chess_move(word));
            pieces += usize::from(is_chess_move(word) && word.starts_with(['K', 'Q', 'R', 'B', 'N', 'O']));
        }
    }
    words >= WORDS && pieces > 0 && words > moves
}

fn trees(games: &[ReadGame]) -> impl Iterator<Item = &GameTree> {
    games.iter().filter_map(|game| if let ReadGame::Tree(parsed) = game { Some(parsed.tree()) } else { None })
}

fn tree(parsed: Parsed) -> ReadGame {
    ReadGame::Tree(Box::new(parsed))
}

/// The spans of a tag, counted from the start of its game.
#[derive(Clone, Copy, Debug)]
pub(super) struct TagPlace {
    pub(super) name: Span,
    pub(super) value: Span,
    /// The whole tag, with its brackets.
    pub(super) all: Span,
}

/// The spans of the tags and of the end of a game, counted from its start.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// First byte of the game in its chunk.
    pub(super) offset: usize,
    pub(super) length: u32,
    pub(super) tags: Vec<TagPlace>,
    pub(super) terminator: Option<Span>,
}

/// Reads the heads of games. A game whose tags are not in standard form, or not UTF-8, is read into a tree.
#[derive(Default)]
pub(super) struct HeadReader<'a> {
    bytes: &'a [u8],
    /// True if the encoding is given, so that only ASCII needs no decoding.
    ascii_only: bool,
    depth: u32,
    /// For the last move of the main line, true if it has a number.
    numbered: Option<bool>,
    /// True if move 1 is written after another move, or not every second move has a number: lines of a list may start again.
    starts_again: bool,
    head: Head,
}

impl<'a> HeadReader<'a> {
    pub(super) fn new(bytes: &'a [u8], ascii_only: bool) -> Self {
        Self { bytes, ascii_only, ..Self::default() }
    }

    /// Returns the last head read, if its text needs no decoding.
    pub(super) fn finish(&mut self) -> Option<Head> {
        let head = std::mem::take(&mut self.head);
        // The game may be several, which only the rules can decide.
        if head.tags.is_empty() || self.starts_again {
            return None;
        }
        let text = &self.bytes[head.offset..][..head.length as usize];
        let is_known = if self.ascii_only { text.is_ascii() } else { str::from_utf8(text).is_ok() };
        is_known.then_some(head)
    }
}

const GO: Flow = Flow::Continue(());

impl Visitor for HeadReader<'_> {
    fn begin_game(&mut self, offset: usize) -> Flow {
        self.head = Head { offset, ..Head::default() };
        (self.depth, self.numbered, self.starts_again) = (0, None, false);
        GO
    }

    #[inline]
    fn game_move(&mut self, number: Option<(WrittenNumber, Span)>, _: MoveText, _: Span) -> Flow {
        if self.depth == 0 {
            let number = number.map(|(number, _)| number);
            let is_one = number == Some(WrittenNumber::new(1, 1));
            // `1. 32-28 {good} 1... 19-23` goes on.
            let is_irregular =
                self.numbered == Some(number.is_some()) && number.is_none_or(|number| number.dots() == 1);
            self.starts_again |= self.numbered.is_some() && is_one || is_irregular;
            self.numbered = Some(number.is_some());
        }
        GO
    }

    /// Text between games is reported, which takes the reader of whole games.
    fn outside(&mut self, _: usize, _: Fault<'_>) -> Flow {
        Flow::Break(())
    }

    fn begin_variation(&mut self, _: Span) -> Flow {
        self.depth += 1;
        GO
    }

    fn end_variation(&mut self, _: Span) -> Flow {
        self.depth = self.depth.saturating_sub(1);
        GO
    }

    fn tag(&mut self, tag: RawTag<'_>) -> Flow {
        let start = tag.span.start + 1;
        let name = Span::new(start, start + tag.name.len() as u32);
        let written = self.bytes.get(self.head.offset + start as usize..).unwrap_or_default();
        let is_plain = written.starts_with(tag.name)
            && !tag.value.iter().any(|&byte| byte == b'\\' || byte < b' ')
            && !(decides_reading(tag.name) && has_foreign(tag.value));
        if !is_plain {
            return Flow::Break(());
        }
        self.head.tags.push(TagPlace { name, value: tag.value_span, all: tag.span });
        GO
    }

    fn terminator(&mut self, text: &[u8], span: Span) -> Flow {
        if has_foreign(text) {
            return Flow::Break(());
        }
        self.head.terminator = Some(span);
        GO
    }

    fn end_game(&mut self, length: u32) -> Flow {
        self.head.length = length;
        GO
    }
}
