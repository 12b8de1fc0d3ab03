//! The games of bytes and files with their diagnostics.

use std::path::Path;
use std::sync::Arc;
use std::vec::IntoIter;

use super::around::Around;
use super::plain::{Follower, PlainDetail, PlainGame, PlainReader};
use super::review::{CheckOptions, Review, raise};
use crate::diag::{Diagnostic, Span};
use crate::error::Result;
use crate::pdn::{self, Games, Outside, Parsed, ReadAs};
use crate::replay::{EVIDENCE_BYTES, evidence};
use crate::source::{Chunk, ChunkOptions, Chunks, Input, Location};

/// Reads, replays and checks the games in the bytes, in order.
///
/// # Examples
///
/// ```
/// use pdn::check::{CheckOptions, reviews};
///
/// let text = b"[GameType \"20\"]\n[Date \"1995.11.1\"]\n1. 32-28 19-23 2. 31-22 *";
/// for review in reviews(text, CheckOptions::default()) {
///     let found: Vec<_> = review.diagnostics().iter().map(|found| found.code().name()).collect();
///     assert_eq!(found, ["tag/date", "move/illegal"]);
///     assert!(review.has_errors() && review.game().plies_played() == 2);
/// }
/// ```
pub fn reviews(bytes: &[u8], options: CheckOptions) -> Reviews<'_> {
    let options = options.for_file(evidence(bytes));
    let read_as = ReadAs { always: options.encoding, ..ReadAs::default() };
    Reviews { bytes, games: pdn::games_as(bytes, read_as), options, read: 0 }
}

/// The games of some bytes with their diagnostics; see [`reviews`].
#[derive(Debug)]
pub struct Reviews<'a> {
    bytes: &'a [u8],
    games: Games<'a>,
    options: CheckOptions,
    read: u64,
}

impl Reviews<'_> {
    /// Returns the diagnostics outside any game found so far, in order, and forgets them.
    pub fn take_outside(&mut self) -> Vec<Outside> {
        let mut outside = self.games.take_outside();
        if self.options.strict {
            for found in &mut outside {
                raise(found.diagnostic_mut());
            }
        }
        outside
    }
}

impl Iterator for Reviews<'_> {
    type Item = Review;

    fn next(&mut self) -> Option<Review> {
        let parsed = self.games.next()?;
        self.read += 1;
        Some(Review::new(parsed, self.read, self.bytes, &self.options))
    }
}

/// A game with its diagnostics, or a diagnostic outside any game.
#[derive(Clone, Debug)]
pub enum Reviewed {
    /// A game.
    Game(Box<Review>),
    /// A game with plain moves.
    Plain(Box<PlainGame>),
    /// A diagnostic outside any game.
    Outside(Outside),
}

/// The games of a chunk, read but, apart from plain ones, not replayed yet.
///
/// Reading a chunk and reviewing its games are two steps, so that many chunks can be read at once, their games numbered
/// in order, and reviewed one after the other, of which only one is in memory at a time.
#[derive(Debug)]
pub struct ReadChunk {
    games: IntoIter<ReadGame>,
    outside: IntoIter<Outside>,
    options: CheckOptions,
    around: Around,
    /// True once a game was reviewed.
    begun: bool,
}

/// A game of a chunk.
#[derive(Debug)]
enum ReadGame {
    Plain(PlainGame),
    Tree(Parsed),
}

impl ReadGame {
    const fn offset(&self) -> usize {
        match self {
            Self::Plain(game) => game.offset(),
            Self::Tree(parsed) => parsed.offset(),
        }
    }
}

impl ReadChunk {
    /// Reads the games of a chunk, which will be reviewed with these options.
    pub fn new(chunk: &Chunk, options: &CheckOptions) -> Self {
        let mut reader = reader_of(chunk, options);
        let mut games: Vec<_> = reader.by_ref().map(ReadGame::Tree).collect();
        Self::of(&mut games, &mut reader, chunk, options)
    }

    /// Reads the games of a chunk as [`ReadChunk::new`] does, but plays and checks those whose moves are all plain at once,
    /// without a tree, many times as fast; they are returned as [`Reviewed::Plain`].
    pub fn with_plain_games(chunk: &Chunk, options: &CheckOptions, detail: PlainDetail) -> Self {
        Self::read_plain(chunk, options, detail, None)
    }

    /// Reads the games of a chunk as [`ReadChunk::with_plain_games`] does, and passes the positions of the plain ones to a
    /// follower.
    pub fn followed(chunk: &Chunk, options: &CheckOptions, follower: &mut dyn Follower) -> Self {
        Self::read_plain(chunk, options, PlainDetail::Diagnostics, Some(follower))
    }

    fn read_plain<'a>(
        chunk: &'a Chunk,
        options: &CheckOptions,
        detail: PlainDetail,
        follower: Option<&'a mut dyn Follower>,
    ) -> Self {
        let plain = PlainReader::new(chunk.bytes(), options, detail).filter(|_| chunk.diagnostics().is_empty());
        let Some(plain) = plain else {
            return Self::new(chunk, options);
        };
        let mut plain = plain.followed_by(follower);
        let mut reader = reader_of(chunk, options);
        let mut games = Vec::new();
        while let Some(read) = reader.next_with(&mut plain, PlainReader::finish) {
            games.push(read.map_or_else(ReadGame::Tree, ReadGame::Plain));
        }
        Self::of(&mut games, &mut reader, chunk, options)
    }

    fn of(games: &mut Vec<ReadGame>, reader: &mut Games<'_>, chunk: &Chunk, options: &CheckOptions) -> Self {
        let mut outside = reader.take_outside();
        assign(chunk.diagnostics(), games, &mut outside);
        Self {
            games: std::mem::take(games).into_iter(),
            outside: outside.into_iter(),
            options: options.clone(),
            around: Around::default(),
            begun: false,
        }
    }

    /// Number of games that are not reviewed yet.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Returns the diagnostics outside any game that come before the next game, in order.
    pub fn outside_ahead(&self) -> &[Outside] {
        let start = self.games.as_slice().first().map_or(usize::MAX, ReadGame::offset);
        let ahead = self.outside.as_slice();
        &ahead[..ahead.partition_point(|outside| outside.offset() < start)]
    }

    /// Reviews the next game of the chunk, or returns the next diagnostic outside any game, in the order of the text. If
    /// the game is reviewed, `number` is its number in the file, from 1.
    pub fn review(&mut self, chunk: &Chunk, number: u64) -> Option<Reviewed> {
        let reviewed = self.next_reviewed(chunk, number)?;
        let mut around = std::mem::take(&mut self.around);
        around.update(chunk, &reviewed, !self.begun, self.outside_ahead());
        self.around = around;
        self.begun |= !matches!(reviewed, Reviewed::Outside(_));
        Some(reviewed)
    }

    /// Returns the text outside any game around the game that was reviewed last.
    pub const fn around(&self) -> &Around {
        &self.around
    }

    fn next_reviewed(&mut self, chunk: &Chunk, number: u64) -> Option<Reviewed> {
        if !self.outside_ahead().is_empty()
            && let Some(mut outside) = self.outside.next()
        {
            if self.options.strict {
                raise(outside.diagnostic_mut());
            }
            return Some(Reviewed::Outside(outside));
        }
        Some(match self.games.next()? {
            ReadGame::Plain(mut game) => {
                game.set_number(number, &self.options.replay);
                Reviewed::Plain(Box::new(game))
            }
            ReadGame::Tree(parsed) => {
                Reviewed::Game(Box::new(Review::new(parsed, number, chunk.bytes(), &self.options)))
            }
        })
    }
}

fn reader_of<'a>(chunk: &'a Chunk, options: &CheckOptions) -> Games<'a> {
    let read_as = ReadAs { always: options.encoding, otherwise: chunk.encoding(), reported: chunk.encoding_seen() };
    pdn::games_as(chunk.bytes(), read_as)
}

/// Gives the diagnostics about a chunk to its last game, which they are about.
fn assign(diagnostics: &[Diagnostic], games: &mut [ReadGame], outside: &mut Vec<Outside>) {
    for diagnostic in diagnostics {
        let mut diagnostic = diagnostic.clone();
        match games.last_mut() {
            Some(ReadGame::Tree(last)) => {
                diagnostic.rebase(last.offset() as u32);
                last.add_diagnostic(diagnostic);
            }
            _ => outside.push(Outside::new(0, diagnostic)),
        }
    }
}

/// Reads, replays and checks the games of a file, in order. The file may be compressed; memory does not grow with its
/// size.
///
/// # Errors
///
/// If the file cannot be opened. If it cannot be read to its end, the last item is an error.
///
/// # Examples
///
/// ```
/// use pdn::check::{CheckOptions, file_reviews};
///
/// let mut reviews = file_reviews("samples/diagnostics/move-illegal.pdn", CheckOptions::default())?;
/// while let Some(review) = reviews.next() {
///     let review = review?;
///     for diagnostic in review.diagnostics() {
///         let line = reviews.locate(&review, diagnostic.span()).line;
///         println!("game {}, line {line}: {diagnostic}", review.number());
///     }
/// }
/// # Ok::<(), pdn::Error>(())
/// ```
pub fn file_reviews(path: impl AsRef<Path>, options: CheckOptions) -> Result<FileReviews> {
    input_reviews(&Input::file(path.as_ref()), options, &ChunkOptions::default())
}

/// Reads, replays and checks the games of an input, like [`file_reviews`].
///
/// # Errors
///
/// If the input cannot be opened. If it cannot be read to its end, the last item is an error.
pub fn input_reviews(input: &Input, options: CheckOptions, chunks: &ChunkOptions) -> Result<FileReviews> {
    let chunks = input.chunks(&ChunkOptions { head: EVIDENCE_BYTES, ..chunks.clone() })?;
    Ok(FileReviews { chunks, options, current: None, read: 0, outside: Vec::new() })
}

/// The games of a file with their diagnostics; see [`file_reviews`].
#[derive(Debug)]
pub struct FileReviews {
    chunks: Chunks,
    options: CheckOptions,
    current: Option<(Chunk, ReadChunk)>,
    read: u64,
    outside: Vec<(Location, Diagnostic)>,
}

impl FileReviews {
    /// Returns where a span of the game that was returned last is in the file.
    pub fn locate(&self, review: &Review, span: Span) -> Location {
        match &self.current {
            Some((chunk, _)) => locate(chunk, review.offset(), span),
            None => Location::default(),
        }
    }

    /// Returns the bytes of the game that was returned last.
    pub fn text(&self, review: &Review) -> &[u8] {
        let bytes = self.current.as_ref().and_then(|(chunk, _)| chunk.bytes().get(review.offset()..));
        bytes.map_or(&[], |bytes| &bytes[..bytes.len().min(review.game().tree().byte_len() as usize)])
    }

    /// Returns the text outside any game around the game that was returned last.
    pub fn around(&self) -> Around {
        self.current.as_ref().map(|(_, read)| read.around().clone()).unwrap_or_default()
    }

    /// Returns the diagnostics outside any game found so far, in order, and forgets them.
    pub fn take_outside(&mut self) -> Vec<(Location, Diagnostic)> {
        std::mem::take(&mut self.outside)
    }

    /// Returns the next game of the current chunk.
    fn next_in_chunk(&mut self) -> Option<Review> {
        let (chunk, read) = self.current.as_mut()?;
        loop {
            match read.review(chunk, self.read + 1)? {
                Reviewed::Game(review) => {
                    self.read += 1;
                    return Some(*review);
                }
                // Not asked for.
                Reviewed::Plain(_) => {}
                Reviewed::Outside(outside) => {
                    let location = locate(chunk, outside.offset(), outside.diagnostic().span());
                    self.outside.push((location, outside.into_diagnostic()));
                }
            }
        }
    }
}

impl Iterator for FileReviews {
    type Item = Result<Review>;

    fn next(&mut self) -> Option<Result<Review>> {
        loop {
            if let Some(review) = self.next_in_chunk() {
                return Some(Ok(review));
            }
            match self.chunks.next()? {
                Ok(chunk) => {
                    if let Some(head) = chunk.head() {
                        self.options = self.options.clone().for_file(Arc::clone(head));
                    }
                    let read = ReadChunk::new(&chunk, &self.options);
                    self.current = Some((chunk, read));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn locate(chunk: &Chunk, start: usize, span: Span) -> Location {
    chunk.locator().locate(start + span.start as usize, span.len() as usize)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::diag::{Code, Severity};
    use crate::rules::Variant;

    const TEXT: &[u8] =
        b"[GameType \"20\"]\n1. 32-28 19-23 2. 28x18 *\n\n}\n[GameType \"20\"]\n[Date \"1995\"]\n1. 32-28 *\n";

    fn codes(review: &Review) -> Vec<Code> {
        review.diagnostics().iter().map(Diagnostic::code).collect()
    }

    #[test]
    fn a_file_has_the_reviews_of_its_bytes() {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(TEXT).expect("written");
        let mut from_file = file_reviews(file.path(), CheckOptions::default()).expect("an open file");
        for expected in reviews(TEXT, CheckOptions::default()) {
            let review = from_file.next().expect("a game").expect("readable");
            assert_eq!((review.number(), codes(&review)), (expected.number(), codes(&expected)));
            assert!(from_file.text(&review).starts_with(b"[GameType"));
        }
        assert!(from_file.next().is_none());
        let outside = from_file.take_outside();
        assert_eq!((outside.len(), outside[0].0.line, outside[0].1.code()), (1, 4, Code::SYNTAX_STRAY_BRACE));
    }

    #[test]
    fn diagnostics_are_located_in_the_file() {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(TEXT).expect("written");
        let mut games = file_reviews(file.path(), CheckOptions::default()).expect("an open file");
        let second = games.nth(1).expect("a second game").expect("readable");
        let date = &second.diagnostics()[0];
        let location = games.locate(&second, date.span());
        assert_eq!((date.code(), location.line, location.column), (Code::TAG_DATE, 6, 8));
    }

    #[test]
    fn strict_reviews_raise_warnings_to_errors() {
        let mut games = reviews(TEXT, CheckOptions { strict: true, ..CheckOptions::default() });
        let review = games.nth(1).expect("a second game");
        assert!(codes(&review).contains(&Code::TAG_STRICT_ROSTER));
        assert!(review.diagnostics().iter().all(|found| found.severity() == Severity::Error), "{review:?}");
        assert!(games.next().is_none());
        assert_eq!(games.take_outside()[0].diagnostic().severity(), Severity::Error);
    }

    #[test]
    fn hyphens_in_thai_captures_are_no_deviation() {
        let text = b"[GameType \"31\"]\n[FEN \"W:WK29:B15,22\"]\n1. 29-18-11 *\n";
        let review = reviews(text, CheckOptions::default()).next().expect("a game");
        assert_eq!(review.game().variant(), Some(Variant::THAI));
        assert!(!codes(&review).contains(&Code::SYNTAX_DASHED_CAPTURE));
    }
}
