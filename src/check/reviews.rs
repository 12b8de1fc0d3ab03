//! The games of bytes and files with their diagnostics.

use std::path::Path;
use std::sync::{Arc, Mutex};

use super::checked::Around;
use super::driver::Needs;
use super::reading::{Item, ReadGame, ReadGames};
use super::review::{CheckOptions, Review, raise};
use crate::diag::{Diagnostic, Span};
use crate::error::Result;
use crate::import::{Records, games_as};
use crate::pdn::Outside;
use crate::replay::{EVIDENCE_BYTES, evidence};
use crate::shared::lock;
use crate::source::{Chunk, ChunkOptions, Chunks, Input, Located, Location};
use crate::text::Format;

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
    Reviews { bytes, games: games_as(bytes, Format::of(bytes), options.encoding), options, read: 0 }
}

/// The games of some bytes with their diagnostics; see [`reviews`].
#[derive(Debug)]
pub struct Reviews<'a> {
    bytes: &'a [u8],
    games: Records<'a>,
    options: CheckOptions,
    read: u64,
}

impl Reviews<'_> {
    /// Removes and returns the diagnostics outside any game found so far, in order.
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
    Ok(FileReviews { chunks, options, current: None, read: 0, around: Around::default(), outside: Vec::new() })
}

/// The games of a file with their diagnostics; see [`file_reviews`].
#[derive(Debug)]
pub struct FileReviews {
    chunks: Chunks,
    options: CheckOptions,
    current: Option<Current>,
    read: u64,
    around: Around,
    outside: Vec<(Location, Diagnostic)>,
}

/// The chunk whose games are returned.
#[derive(Debug)]
struct Current {
    chunk: Chunk,
    games: ReadGames,
    /// What lookups have found: without it, each would count all lines of the chunk again.
    located: Mutex<Located>,
}

impl Current {
    fn locate(&self, start: usize, span: Span) -> Location {
        // What was found before a panic stays right.
        lock(&self.located).locate(&self.chunk, start + span.start as usize, span.len() as usize)
    }
}

impl FileReviews {
    /// Returns the location in the file of a span of the last game returned.
    pub fn locate(&self, review: &Review, span: Span) -> Location {
        self.current.as_ref().map_or_else(Location::default, |current| current.locate(review.offset(), span))
    }

    /// Returns the bytes of the last game returned.
    pub fn text(&self, review: &Review) -> &[u8] {
        let bytes = self.current.as_ref().and_then(|current| current.chunk.bytes().get(review.offset()..));
        bytes.map_or(&[], |bytes| &bytes[..bytes.len().min(review.game().tree().byte_len() as usize)])
    }

    /// Returns the texts outside any game before the last game returned, if it is the first of its chunk, and after it.
    pub const fn around(&self) -> &[Vec<String>; 2] {
        &self.around
    }

    /// Removes and returns the diagnostics outside any game found so far, in order.
    pub fn take_outside(&mut self) -> Vec<(Location, Diagnostic)> {
        std::mem::take(&mut self.outside)
    }

    /// Returns the next game of the current chunk.
    fn next_in_chunk(&mut self) -> Option<Review> {
        let current = self.current.as_mut()?;
        loop {
            match current.games.next(&current.chunk, &self.options)? {
                Item::Game(ReadGame::Tree(parsed), around) => {
                    self.read += 1;
                    self.around = around;
                    return Some(Review::new(*parsed, self.read, current.chunk.bytes(), &self.options));
                }
                Item::Game(..) => unreachable!("all games are read into trees"),
                Item::Outside(outside) => {
                    let location = current.locate(outside.offset(), outside.diagnostic().span());
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
                    let games = ReadGames::new(&chunk, &self.options, Needs::Game);
                    self.current = Some(Current { chunk, games, located: Mutex::default() });
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
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
