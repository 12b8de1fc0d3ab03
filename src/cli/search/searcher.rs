//! The games of chunks that match, as text.

use super::Format;
use super::split::SplitKey;
use crate::export::{CsvOptions, Table, write_csv_rows, write_json_game};
use crate::query::{BoardFinder, Documented, Finder, FoundGame, Needs, PrintFinder, Query, Question};
use crate::records::{game_row, head_row};
use crate::rules::{Move, Position};

/// Searches for games and writes them.
pub(super) struct Searcher {
    pub(super) question: Question,
    /// The games that do not match are wanted.
    pub(super) inverted: bool,
    /// The format, unless the games are only counted.
    pub(super) format: Option<Format>,
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
    pub(super) fn matches(&self, game: &FoundGame<'_>, found: Option<bool>) -> bool {
        self.question.fits(game, found) != self.inverted
    }
}

impl Query for Searcher {
    type Finder = BoardFinder;
    type Done = Matches;

    fn needs(&self) -> Needs {
        self.question.needs().max(self.split.map_or(Needs::Tags, SplitKey::needs))
    }

    fn finder(&self) -> BoardFinder {
        self.question.finder()
    }

    fn game(&self, game: &FoundGame<'_>, found: Option<bool>, matches: &mut Matches) {
        if !self.matches(game, found) {
            return;
        }
        if let Some(format) = self.format {
            format.write(game, &mut matches.text);
        }
        matches.ends.push(matches.text.len());
        matches.keys.extend(self.split.map(|key| key.keys(game)));
    }
}

impl Format {
    fn write(self, game: &FoundGame<'_>, out: &mut Vec<u8>) {
        if self == Self::Pdn {
            return game.copy_to(out);
        }
        let Some(review) = game.review() else { return };
        if self == Self::Csv {
            return write_csv_rows(
                out,
                Table::Games,
                &head_row(&review, game.origin()),
                CsvOptions::default().escape_formulas(true),
            );
        }
        let diagnostics = review.diagnostics().iter().map(|diagnostic| game.diagnostic_row(diagnostic)).collect();
        write_json_game(out, game_row(&review, game.origin(), diagnostics));
        out.push(b'\n');
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
    board: BoardFinder,
    prints: PrintFinder,
}

impl Finder for ComparingFinder {
    type Found = (bool, Vec<u128>);

    fn begin(&mut self, start: &Position) {
        self.board.begin(start);
        self.prints.begin(start);
    }

    fn reach(&mut self, played: Option<&Move>, after: &Position) {
        self.board.reach(played, after);
        self.prints.reach(played, after);
    }

    fn open(&mut self) {
        self.board.open();
        self.prints.open();
    }

    fn close(&mut self) {
        self.board.close();
        self.prints.close();
    }

    fn end(&mut self) -> Self::Found {
        (self.board.end(), self.prints.end())
    }
}

impl Query for Comparer<'_> {
    type Finder = ComparingFinder;
    type Done = Vec<Documented>;

    fn needs(&self) -> Needs {
        self.searcher.needs().max(Needs::Positions)
    }

    fn finder(&self) -> ComparingFinder {
        ComparingFinder { board: self.searcher.finder(), prints: PrintFinder::default() }
    }

    fn game(&self, game: &FoundGame<'_>, found: Option<(bool, Vec<u128>)>, games: &mut Vec<Documented>) {
        let (found, prints) = found.unzip();
        if self.searcher.matches(game, found) {
            let game = Documented::new(game, prints);
            games.push(if self.beginnings { game } else { game.without_beginnings() });
        }
    }
}
