//! The games of chunks that match, as text.

use std::sync::Arc;

use super::split::SplitKey;
use crate::check::{CheckedGame, Follower, FollowingWork, Needs};
use crate::export::RecordWriter;
use crate::query::{BoardFinder, Documented, PrintFinder, Question};
use crate::rules::{Move, Position};

/// Searches for games and writes them.
pub(super) struct Searcher {
    pub(super) question: Question,
    /// The games that do not match are wanted.
    pub(super) inverted: bool,
    /// The bytes of the games are copied.
    pub(super) is_pdn: bool,
    /// Writes the games, unless they are only counted.
    pub(super) writer: Option<Arc<dyn RecordWriter>>,
    pub(super) split: Option<SplitKey>,
}

/// The games of a chunk that match.
#[derive(Default)]
pub(super) struct Matches {
    text: Vec<u8>,
    /// End of each game in the text.
    ends: Vec<usize>,
    /// The files that each game belongs to, if it is written to such.
    keys: Vec<Vec<String>>,
}

impl Matches {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    pub(super) fn game(&self, n: usize) -> &[u8] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.text[start..self.ends[n]]
    }

    pub(super) fn keys(&self, n: usize) -> &[String] {
        self.keys.get(n).map_or(&[], Vec::as_slice)
    }
}

impl Searcher {
    pub(super) fn matches(&self, game: &CheckedGame<'_>, found: Option<bool>) -> bool {
        self.question.fits(game, found) != self.inverted
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
        match &self.writer {
            Some(_) if self.is_pdn => game.copy_to(&mut matches.text),
            Some(writer) => writer.game(&game, &mut matches.text),
            None => {}
        }
        matches.ends.push(matches.text.len());
        matches.keys.extend(self.split.map(|key| key.keys(&game)));
    }
}

/// Searches for games and takes their fingerprints.
pub(super) struct Comparer<'a> {
    pub(super) searcher: &'a Searcher,
    /// All fingerprints are needed, not only the last one.
    pub(super) beginnings: bool,
}

/// Looks for the question, and takes fingerprints.
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
    type Done = Vec<Documented>;

    fn needs(&self) -> Needs {
        self.searcher.needs().max(Needs::Results)
    }

    fn follower(&self) -> Option<ComparingFinder> {
        Some(ComparingFinder { board: self.searcher.question.finder(), prints: PrintFinder::default() })
    }

    fn game(&self, game: CheckedGame<'_>, found: Option<(Option<bool>, Vec<u128>)>, games: &mut Vec<Documented>) {
        let (found, prints) = found.unzip();
        if self.searcher.matches(&game, found.flatten()) {
            let game = Documented::new(&game, prints);
            games.push(if self.beginnings { game } else { game.without_beginnings() });
        }
    }
}
