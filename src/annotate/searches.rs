//! The searches of one game: by an engine, or known from an earlier run.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::engines::LentEngine;
use super::progress::AnnotateStep;
use crate::board::Side;
use crate::engine::{Analysis, Limit, Score, ScoredLine};
use crate::error::Error;
use crate::rules::{Position, fnv_1a, line_indices, line_moves, pack};

/// Maximum number of earlier positions in a search. Without this limit, the searches of a game with thousands of king moves
/// would take quadratic space; the draw rules count fewer moves.
pub(super) const MAX_HISTORY: usize = 200;

/// What may be searched in a game, and what was.
///
/// The result of a search depends on the searches before it in the game, whose results the engine keeps. So known results are used
/// only as long as the game is searched as it was then. At the first difference, the engine repeats the earlier searches.
pub(super) struct GameSearches<'a, 'b> {
    engine: &'a mut LentEngine<'b>,
    progress: &'a dyn Fn(AnnotateStep),
    /// True in the main line, whose moves are counted in the progress.
    pub(super) counts_moves: bool,
    /// The searches of earlier runs that have begun like this one.
    known: Vec<Vec<SavedSearch>>,
    made: Vec<Search>,
    /// Number of these searches that the engine has made itself.
    at_engine: usize,
    /// The places of the searches by their hashes, if a search is not to be repeated: variations begin with positions of other
    /// lines. In a single line, a repeated search is wanted: it can use later results.
    memory: Option<HashMap<u64, usize>>,
}

struct Search {
    position: Position,
    history: Vec<Position>,
    limit: Limit,
    lines: usize,
    hash: u64,
    found: Analysis,
}

impl<'a, 'b> GameSearches<'a, 'b> {
    /// Returns the searches of a game in which a search may have been made before. `progress` is called with each step.
    pub(super) fn new(
        engine: &'a mut LentEngine<'b>,
        known: Vec<Vec<SavedSearch>>,
        remember: bool,
        progress: &'a dyn Fn(AnnotateStep),
    ) -> Self {
        let memory = remember.then(HashMap::new);
        Self { engine, progress, counts_moves: true, known, made: Vec::new(), at_engine: 0, memory }
    }

    /// Reports that a move has its first evaluation, unless it was known: then it took no time.
    pub(super) fn report_move(&self) {
        if self.counts_moves && self.at_engine > 0 {
            (self.progress)(AnnotateStep::Move);
        }
    }

    /// Searches a position for this number of lines. `history` holds the earlier positions of the game, oldest first; only those
    /// that can occur again are used, at most the last 200. `cost` is reported as progress if the engine searches.
    ///
    /// # Errors
    ///
    /// If the engine fails, or the work was stopped.
    pub(super) fn search(
        &mut self,
        position: &Position,
        history: &[Position],
        (limit, lines): (Limit, usize),
        cost: u32,
    ) -> Result<Analysis, Error> {
        self.engine.check_stop()?;
        let history = &history[first_repeatable(position, history)..];
        let hash = hash(position, history, limit, lines);
        if let Some(&place) = self.memory.as_ref().and_then(|memory| memory.get(&hash)) {
            let made = &self.made[place];
            // Two questions may have one hash.
            if (made.position, &*made.history, made.limit, made.lines) == (*position, history, limit, lines) {
                return Ok(made.found.clone());
            }
        }
        let place = self.made.len();
        // Saved runs that asked another question here are of no more use.
        self.known.retain(|known| known.get(place).is_some_and(|saved| saved.hash == hash));
        let known = self.known.first().and_then(|known| known[place].read(*position));
        let found = match known {
            Some(found) => found,
            None => {
                let found = self.ask(position, history, (limit, lines))?;
                (self.progress)(AnnotateStep::Search(cost));
                found
            }
        };
        if let Some(memory) = &mut self.memory {
            memory.insert(hash, place);
        }
        let history = history.to_vec();
        self.made.push(Search { position: *position, history, limit, lines, hash, found: found.clone() });
        Ok(found)
    }

    /// Has the engine search a position, after the searches that were known.
    fn ask(
        &mut self,
        position: &Position,
        history: &[Position],
        (limit, lines): (Limit, usize),
    ) -> Result<Analysis, Error> {
        if self.at_engine == 0 {
            self.engine.get()?.forget();
        }
        for Search { position, history, limit, lines, .. } in &self.made[self.at_engine..] {
            self.engine.check_stop()?;
            self.engine.get()?.analyse(position, history, *limit, *lines)?;
        }
        let found = self.engine.get()?.analyse(position, history, limit, lines)?;
        // An interrupted search found less than its limit allows.
        self.engine.check_stop()?;
        self.at_engine = self.made.len() + 1;
        Ok(found)
    }

    /// Returns true if there are searches, and all were known before.
    pub(super) fn is_known(&self) -> bool {
        self.at_engine == 0 && !self.made.is_empty()
    }

    /// Returns the searches, to be known later; `None` if all were known before, or one cannot be saved.
    pub(super) fn saved(&self) -> Option<Vec<SavedSearch>> {
        if self.at_engine == 0 { None } else { self.made.iter().map(SavedSearch::of).collect() }
    }
}

/// A search as it is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedSearch {
    /// A hash of the position, the earlier positions, the limit and the number of lines.
    #[serde(rename = "search")]
    hash: u64,
    pub(crate) fen: String,
    /// Number of earlier positions that can occur again.
    pub(crate) history: usize,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// The lines, the best first: the score for the side to move, and the index of each move among the legal ones.
    lines: Vec<(i32, Vec<u16>)>,
}

impl SavedSearch {
    fn of(search: &Search) -> Option<Self> {
        let line = |line: &ScoredLine| {
            let indices = line_indices(search.position, line.moves());
            // An engine of another program may show an illegal move.
            (indices.len() == line.moves().len()).then(|| (line.score().value(), indices))
        };
        Some(Self {
            hash: search.hash,
            fen: search.position.fen(),
            history: search.history.len(),
            depth: search.found.depth(),
            nodes: search.found.nodes(),
            lines: search.found.lines().map(line).collect::<Option<_>>()?,
        })
    }

    /// Returns what the search of a position found; `None` if it was another position.
    pub(crate) fn read(&self, position: Position) -> Option<Analysis> {
        let line = |(score, indices): &(i32, Vec<u16>)| {
            Some(ScoredLine::new(Score::from_value(*score), line_moves(position, indices)?))
        };
        let mut lines = self.lines.iter().map(line).collect::<Option<Vec<_>>>()?.into_iter();
        let best = lines.next()?;
        let found = Analysis::new(best.score(), best.moves().to_vec(), self.depth, self.nodes);
        Some(found.with_others(lines.collect()))
    }
}

/// Returns a hash that is the same in all processes.
fn hash(position: &Position, history: &[Position], limit: Limit, lines: usize) -> u64 {
    let mut bytes = format!("{limit} lines {lines} ").into_bytes();
    pack(position, &mut bytes);
    for position in history {
        pack(position, &mut bytes);
    }
    fnv_1a(&bytes)
}

/// Returns the index of the first position after the last capture or man move, or of the oldest of the last 200.
fn first_repeatable(position: &Position, history: &[Position]) -> usize {
    let after = |n: usize| history.get(n + 1).unwrap_or(position);
    let oldest = history.len().saturating_sub(MAX_HISTORY);
    let change = (oldest..history.len()).rev().find(|&n| !is_king_move(&history[n], after(n)));
    change.map_or(oldest, |last| last + 1)
}

/// Returns true if only a king moved, without capturing.
fn is_king_move(before: &Position, after: &Position) -> bool {
    // The moves are not known here, only the positions.
    Side::ALL.into_iter().all(|side| {
        before.kings_of(side).len() == after.kings_of(side).len() && before.men_of(side) == after.men_of(side)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn positions_that_cannot_occur_again_are_left_out() {
        let mut position = Position::from_fen(Variant::INTERNATIONAL, "W:WK48,31:BK3,16").expect("a position");
        let mut history = Vec::new();
        for text in ["48-43", "3-8", "31-27", "8-3", "43-48"] {
            let played = position.legal_moves().into_iter().find(|played| position.short(played) == text);
            history.push(position);
            position = position.play_unchecked(&played.expect(text));
        }
        assert_eq!(first_repeatable(&position, &history), 3);
        let repeated: Vec<_> = (0..1000).map(|n| history[3 + n % 2]).collect();
        assert_eq!(first_repeatable(&position, &repeated), 1000 - MAX_HISTORY);
    }

    #[test]
    fn searches_have_all_lines() {
        let position = Position::start(Variant::FRISIAN);
        let line = |score, indices: &[u16]| ScoredLine::new(score, line_moves(position, indices).expect("legal moves"));
        let best = line(Score::loss_in(5), &[0; 5]);
        let found = Analysis::new(best.score(), best.moves().to_vec(), 7, 123_456)
            .with_others(vec![line(Score::centi_men(-7), &[3, 1, 0]), line(Score::DRAW, &[])]);
        let (history, limit) = (vec![position], Limit::depth(7));
        let hash = hash(&position, &history, limit, 3);
        let saved = SavedSearch::of(&Search { position, history, limit, lines: 3, hash, found: found.clone() });
        let text = serde_json::to_string(&saved.expect("legal lines")).expect("JSON");
        let read: SavedSearch = serde_json::from_str(&text).expect("a search");
        assert_eq!((read.hash, read.history, read.read(position)), (hash, 1, Some(found)));
    }
}
