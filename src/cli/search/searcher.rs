//! The games of chunks that match, as text.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::split::SplitKey;
use crate::check::{CheckedGame, Follower, FollowingWork, Needs};
use crate::export::RecordWriter;
use crate::pdn::{Parsed, games};
use crate::query::{BoardFinder, Documented, PrintFinder, Question, SortKey, SortValue, written_tag};
use crate::rules::{Move, Position};
use crate::text::{Encoding, Format};

/// Searches for games and writes them.
#[derive(Default)]
pub(in crate::cli) struct Searcher {
    pub(in crate::cli) question: Question,
    /// True if the bytes of the games are copied.
    pub(in crate::cli) copies: bool,
    /// Number of games converted to UTF-8; `None` if copies keep their encoding.
    pub(in crate::cli) recoded: Option<AtomicU64>,
    /// Writes the games, unless they are copied or only counted.
    pub(in crate::cli) writer: Option<Arc<dyn RecordWriter>>,
    pub(in crate::cli) split: Option<SplitKey>,
    /// The sort keys.
    pub(in crate::cli) sort: Vec<SortKey>,
    /// True if the heads of the games are needed, to add tags.
    pub(in crate::cli) heads: bool,
}

/// The games of a chunk that match.
#[derive(Default)]
pub(in crate::cli) struct Matches {
    text: Vec<u8>,
    /// End of each game in the text.
    ends: Vec<usize>,
    /// The files that each game is written to, with --split.
    keys: Vec<Vec<String>>,
    /// The sort key of each game, if they are sorted.
    pub(in crate::cli) values: Vec<SortValue>,
    heads: Vec<Head>,
}

/// The tags of a game, if others are to be added.
struct Head {
    /// The end of the last tag in the text of the game.
    end: Option<usize>,
    names: Vec<String>,
    encoding: Encoding,
}

impl Matches {
    /// Returns a game with its missing tags added, if its encoding has their characters.
    pub(super) fn with_tags(&self, n: usize, tags: &[(String, String)]) -> Cow<'_, [u8]> {
        let (game, head) = (self.game(n), &self.heads[n]);
        let line_end = if game.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
        let (mut names, mut text) = (head.names.clone(), Vec::new());
        for (name, value) in tags {
            let tag = written_tag(name, value);
            let tag = if head.end.is_some() { format!("{line_end}{tag}") } else { format!("{tag}{line_end}") };
            if !names.contains(name)
                && let Some(bytes) = head.encoding.encode(&tag)
            {
                names.push(name.clone());
                text.extend_from_slice(&bytes);
            }
        }
        let (before, after) = game.split_at(head.end.unwrap_or_default());
        [before, &text, after].concat().into()
    }

    pub(in crate::cli) fn text(&self) -> &[u8] {
        &self.text
    }

    pub(in crate::cli) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(in crate::cli) fn game(&self, n: usize) -> &[u8] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.text[start..self.ends[n]]
    }

    pub(super) fn keys(&self, n: usize) -> &[String] {
        self.keys.get(n).map_or(&[], Vec::as_slice)
    }
}

impl Searcher {
    pub(super) fn matches(&self, game: &CheckedGame<'_>, found: Option<bool>) -> bool {
        self.question.fits(game, found)
    }
}

impl FollowingWork for &Searcher {
    type Follower = BoardFinder;
    type Done = Matches;

    fn needs(&self) -> Needs {
        self.question.needs().max(self.split.map_or(Needs::Tags, SplitKey::needs))
    }

    fn follower(&self) -> Option<BoardFinder> {
        self.question.finder()
    }

    fn game(&self, game: CheckedGame<'_>, found: Option<bool>, matches: &mut Matches) {
        if !self.matches(&game, found) {
            return;
        }
        let start = matches.text.len();
        if self.copies {
            game.copy_to(&mut matches.text);
            // Most games are UTF-8, and testing for that is faster than detecting the encoding.
            if let Some(recoded) = &self.recoded
                && std::str::from_utf8(&matches.text[start..]).is_err()
            {
                let text = game.encoding().decode(&matches.text[start..]).into_owned();
                matches.text.truncate(start);
                matches.text.extend_from_slice(text.as_bytes());
                recoded.fetch_add(1, Ordering::Relaxed);
            }
        } else if let Some(writer) = &self.writer {
            writer.game(&game, &mut matches.text);
        }
        matches.ends.push(matches.text.len());
        matches.keys.extend(self.split.map(|key| key.keys(&game)));
        if !self.sort.is_empty() {
            matches.values.push(SortValue::new(&game, &self.sort));
        }
        if self.heads {
            let copy = &matches.text[start..];
            // In other formats and encodings, the offsets of tags in the copy differ from those in the original.
            let (end, encoding) = if self.recoded.is_some() || game.chunk().format() != Format::Pdn {
                let copied = games(copy).next().map(Parsed::into_tree);
                (copied.and_then(|tree| Some(tree.tags().last()?.span().end as usize)), Encoding::Utf8)
            } else {
                (game.last_tag_end(), game.encoding())
            };
            let names = game.tags().map(|(name, _)| name.to_owned()).collect();
            matches.heads.push(Head { end, names, encoding });
        }
    }
}

/// Searches for games and takes their fingerprints.
pub(super) struct Comparer<'a> {
    pub(super) searcher: &'a Searcher,
    /// True if all fingerprints are needed, not only the last one.
    pub(super) beginnings: bool,
}

/// Runs the query, and takes fingerprints.
pub(super) struct ComparingFinder {
    board: Option<BoardFinder>,
    prints: PrintFinder,
}

impl Follower for ComparingFinder {
    type Found = (Option<bool>, Vec<u128>);

    fn begin(&mut self, start: &Position) {
        if let Some(board) = &mut self.board {
            board.begin(start);
        }
        self.prints.begin(start);
    }

    fn reach(&mut self, played: Option<&Move>, after: &Position) {
        if let Some(board) = &mut self.board {
            board.reach(played, after);
        }
        self.prints.reach(played, after);
    }

    fn open(&mut self) {
        if let Some(board) = &mut self.board {
            board.open();
        }
        self.prints.open();
    }

    fn close(&mut self) {
        if let Some(board) = &mut self.board {
            board.close();
        }
        self.prints.close();
    }

    fn end(&mut self) -> Self::Found {
        (self.board.as_mut().map(Follower::end), self.prints.end())
    }
}

impl FollowingWork for &Comparer<'_> {
    type Follower = ComparingFinder;
    type Done = Vec<(Documented, Vec<(String, String)>)>;

    fn needs(&self) -> Needs {
        self.searcher.needs().max(Needs::Results)
    }

    fn follower(&self) -> Option<ComparingFinder> {
        Some(ComparingFinder { board: self.searcher.question.finder(), prints: PrintFinder::default() })
    }

    fn game(&self, game: CheckedGame<'_>, found: Option<(Option<bool>, Vec<u128>)>, games: &mut Self::Done) {
        let (found, prints) = found.unzip();
        if self.searcher.matches(&game, found.flatten()) {
            let tags = game.tags().filter(|_| self.beginnings && self.searcher.heads);
            let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let game = Documented::new(&game, prints);
            games.push((if self.beginnings { game } else { game.without_beginnings() }, tags));
        }
    }
}
