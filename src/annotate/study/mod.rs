//! Evaluations of the positions of a game, within a budget for the game.
//!
//! A move that loses much is a step between two evaluations, and a few good evaluations show where the steps are. All positions
//! get a quick search, from the last to the first: they share one transposition table, so each search can use the results of
//! the later ones. The budget then goes to moves that seem to lose or gain too much: both positions are searched again with
//! higher limits, and finally the position after the best move and the one before it. Between good evaluations that differ, the
//! position in the middle is searched, and the rest of the budget fills the widest gaps.

mod choice;

use std::ops::Range;

use super::lines::MAX_PLIES;
use super::options::AnnotateOptions;
use super::scale::JudgementScale;
use super::searches::GameSearches;
use crate::board::Side;
use crate::engine::{Analysis, Score, ScoredLine};
use crate::error::Error;
use crate::pdn::NodeId;
use crate::records::{Expectation, Judgement};
use crate::rules::{Move, Position};

use choice::Step;

/// Number of levels of searches.
const LEVELS: usize = 4;

/// Search limit at each level, in fifths of the limit for each position.
const LADDER: [u32; LEVELS] = [1, 5, 15, 30];

/// The same on small boards, with enough nodes: a search sees as much there with fewer nodes, and the budget confirms more marks.
/// Of 157 lost moves of English, Italian and Russian, 69 instead of 51 are marked with 50,000 nodes, and 84 instead of 69 with
/// 100,000, and the share of marks that are right is the same. With 20,000, fewer are right: 72 of 92 instead of 57 of 68. In
/// International, no more lost moves are marked.
const SMALL_LADDER: [u32; LEVELS] = [1, 4, 8, 16];
/// Maximum number of squares of a small board.
const SMALL_BOARD: u8 = 32;
/// Minimum limit for each position, in nodes, for that ladder, and for the smaller margin on other boards.
const MANY_NODES: u64 = 50_000;

/// Margin where most smaller losses are real too, in thousandths of a point: on small boards with few nodes, and on others with
/// many. Of 118 lost moves of International, 66 instead of 61 are marked with 100,000 nodes, with 91 of 96 marks right instead of
/// 76 of 79; of 157 on small boards, 58 instead of 47 with 20,000, and 67 of 75 instead of 54 of 62. Elsewhere, fewer are right.
const SMALL_MARGIN: u16 = 30;

/// Share of each position in the budget of its game, in fifths of the limit for each position.
pub(super) const SHARE: u32 = 5;

/// Level of a good evaluation: one worth comparing with those several moves away.
const GOOD: usize = 2;

/// The highest level, which confirms marks.
const HIGHEST: usize = LEVELS - 1;

/// Number of moves that share a budget. Each search is chosen among all of them: if that were the whole game, a very long
/// game would take quadratic time.
const PART: usize = 512;

/// Minimum number of positions assumed in the budget for suspicious moves. Otherwise, a shorter game could not confirm a
/// single mark.
const LEAST_POSITIONS: u64 = 40;

/// Minimum loss at each level for marking a move without further searches, in thousandths of a point above the smallest judged
/// loss.
const BEYOND_DOUBT: [i32; LEVELS] = [i32::MAX, 200, 140, 100];

/// A move played in a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    pub(super) node: NodeId,
    pub(super) number: u32,
    pub(super) before: Position,
    pub(super) played: Move,
    pub(super) after: Position,
}

/// What is known about a move of the game and the position before it.
struct MoveStudy {
    /// The level and result of the last search of the position; `None` if the played move is the only legal one.
    own: Option<(usize, Analysis)>,
    /// The score of the best alternative at the time, from a separate search of the position after it.
    alternative: Option<Score>,
    /// True if the position was searched with the highest limit after that.
    is_compared: bool,
    /// The evaluation of the position, from its own last search or from that of the next position.
    value: Analysis,
}

/// Consecutive moves with the evaluations of the positions between them.
pub(super) struct Study<'a> {
    run: &'a [Ply],
    /// The positions before the moves, oldest first.
    history: Vec<Position>,
    /// The options for annotating the moves.
    pub(super) options: &'a AnnotateOptions,
    /// Search limit at each level, in fifths of the limit for each position.
    ladder: [u32; LEVELS],
    /// Loss above a threshold that a mark needs, in thousandths of a point.
    margin: u16,
    /// Index of the first position to search.
    first: usize,
    /// The moves from `first`, and what comes after the last one.
    moves: Vec<MoveStudy>,
    /// Budget spent on the current part of the game, in fifths of the limit for each position.
    spent: u64,
}

impl<'a> Study<'a> {
    /// Studies the moves of a run, starting at the index `first`.
    pub(super) fn of(
        run: &'a [Ply],
        first: usize,
        searches: &mut GameSearches<'_, '_>,
        options: &'a AnnotateOptions,
    ) -> Result<Self, Error> {
        let history = run.iter().map(|ply| ply.before).collect();
        let unknown = |_| MoveStudy {
            own: None,
            alternative: None,
            is_compared: false,
            value: Analysis::new(Score::DRAW, Vec::new(), 0, 0),
        };
        let moves = (first..=run.len()).map(unknown).collect();
        let is_small = run.first().is_some_and(|ply| ply.before.variant().shape().square_count() <= SMALL_BOARD);
        let is_many = options.limit().nodes.map(|nodes| nodes >= MANY_NODES);
        let ladder = if is_small && is_many != Some(false) { SMALL_LADDER } else { LADDER };
        let margin = if is_many == Some(!is_small) { SMALL_MARGIN } else { JudgementScale::MARGIN };
        let mut study = Self { run, history, options, ladder, margin, first, moves, spent: 0 };
        for n in (first..=run.len()).rev() {
            let is_forced = run.get(n).is_some_and(|ply| ply.before.legal_moves().len() == 1);
            if !is_forced {
                study.search(n, 0, searches)?;
            }
            if n < run.len() {
                searches.report_move();
            }
        }
        study.spend(searches)?;
        study.settle();
        Ok(study)
    }

    /// Returns the indices of the moves that are studied.
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.run.len()
    }

    /// Returns the n-th move.
    pub(super) fn ply(&self, n: usize) -> &'a Ply {
        &self.run[n]
    }

    /// Returns the line that starts with the n-th move, derived from the evaluation of the next position.
    pub(super) fn played_line(&self, n: usize) -> ScoredLine {
        let played = self.by_played_move(n);
        ScoredLine::new(played.score(), played.pv().to_vec())
    }

    /// Searches for the best lines from the position before the n-th move.
    pub(super) fn search_lines(&self, n: usize, searches: &mut GameSearches<'_, '_>) -> Result<Analysis, Error> {
        let lines = self.options.lines;
        let cost = lines.saturating_mul(SHARE);
        searches.search(self.position(n), &self.history[..n], (self.options.limit_of_lines(), lines as usize), cost)
    }

    /// Returns the evaluation of a position.
    pub(super) fn value(&self, n: usize) -> &Analysis {
        &self.moves[n - self.first].value
    }

    /// Returns the evaluation of a position in centi-men from White's point of view; a win is outside the range of estimates.
    pub(super) fn white_centi_men(&self, n: usize) -> i32 {
        let value = self.value(n).score().value();
        if self.position(n).turn() == Side::White { value } else { -value }
    }

    /// Returns true if the n-th move was the only legal one.
    pub(super) fn is_forced(&self, n: usize) -> bool {
        self.own(n).is_none()
    }

    /// Returns the expectation of the side that plays the n-th move, before and after it.
    pub(super) fn expectation(&self, n: usize) -> Expectation {
        let played = self.value(n + 1).score().one_ply_earlier();
        self.options.judgement_scale().expectation(&self.run[n].before, self.value(n).score(), played)
    }

    /// Returns the judgement of the n-th move: from the searches before and after it if they leave no doubt, and otherwise from
    /// the mean of the losses that they and the search of the position after the best move found.
    pub(super) fn judgement(&self, n: usize) -> Option<Judgement> {
        if self.prefers_played(n) {
            return None;
        }
        let study = &self.moves[n - self.first];
        let loss = self.loss(n);
        let confirmed = match study.alternative.filter(|_| study.is_compared) {
            _ if self.is_beyond_doubt(n) => loss,
            Some(alternative) => i32::midpoint(loss, self.change(n, alternative).min(loss)),
            None => return None,
        };
        let confirmed = u16::try_from(confirmed)
            // A move that gains loses nothing.
            .unwrap_or(0)
            .min(self.expectation(n).loss().saturating_add(JudgementScale::MARGIN));
        self.options.judgement_scale().judge_loss(confirmed.saturating_sub(self.margin))
    }

    /// Spends the budget of each part of the game, from the last to the first.
    fn spend(&mut self, searches: &mut GameSearches<'_, '_>) -> Result<(), Error> {
        let mut end = self.run.len();
        loop {
            let start = end.saturating_sub(PART).max(self.first);
            self.spend_on(start..end, searches)?;
            if start == self.first {
                return Ok(());
            }
            end = start;
        }
    }

    /// Searches for the moves of a part until its budget is spent or nothing is left to search.
    fn spend_on(&mut self, moves: Range<usize>, searches: &mut GameSearches<'_, '_>) -> Result<(), Error> {
        // The position after the last move counts in the part that follows.
        let is_last = moves.end == self.run.len();
        let positions = (moves.start..moves.end + usize::from(is_last)).filter(|&n| !self.is_forced(n)).count() as u64;
        self.spent = u64::from(self.ladder[0]) * positions;
        let budget = u64::from(SHARE) * positions;
        let for_moves = budget.max(u64::from(SHARE) * LEAST_POSITIONS);
        while let Some(step) = self.suspicious(&moves, for_moves).or_else(|| self.unexplained(&moves, budget)) {
            match step {
                Step::Position(n, level) => self.search(n, level, searches)?,
                Step::Alternative(n) => self.search_alternative(n, searches)?,
            }
        }
        Ok(())
    }

    /// Searches a position with the limit of a level.
    fn search(&mut self, n: usize, level: usize, searches: &mut GameSearches<'_, '_>) -> Result<(), Error> {
        let cost = self.ladder[level];
        let found = searches.search(self.position(n), &self.history[..n], (self.options.limit_of(cost), 1), cost)?;
        self.spent += u64::from(cost);
        let study = &mut self.moves[n - self.first];
        study.is_compared |= study.alternative.is_some() && level == HIGHEST;
        study.own = Some((level, found));
        Ok(())
    }

    /// Searches the position after the best alternative to the n-th move.
    fn search_alternative(&mut self, n: usize, searches: &mut GameSearches<'_, '_>) -> Result<(), Error> {
        let Some((_, own)) = &self.moves[n - self.first].own else { return Ok(()) };
        // A position without legal moves is already lost, and no move in it can lose anything.
        let Some(best) = own.best_move() else { return Ok(()) };
        let (position, after) = (*self.position(n), self.position(n).play_unchecked(&best));
        let history = [&self.history[..n], &[position]].concat();
        let cost = self.ladder[HIGHEST];
        let reply = searches.search(&after, &history, (self.options.limit_of(cost), 1), cost)?;
        self.spent += u64::from(cost);
        self.moves[n - self.first].alternative = Some(reply.score().one_ply_earlier());
        Ok(())
    }

    fn own(&self, n: usize) -> Option<&Analysis> {
        self.moves[n - self.first].own.as_ref().map(|(_, found)| found)
    }

    fn level(&self, n: usize) -> usize {
        self.moves[n - self.first].own.as_ref().map_or(0, |&(level, _)| level)
    }

    /// Returns the score from the last search of a position.
    fn score(&self, n: usize) -> Score {
        self.own(n).map_or(Score::DRAW, Analysis::score)
    }

    /// Returns true if both searches agree that the n-th move loses far more than a mark needs.
    fn is_beyond_doubt(&self, n: usize) -> bool {
        let level = self.level(n).min(self.level(self.decisive(n + 1)));
        let [least, ..] = self.options.judgement_scale().thresholds;
        !self.prefers_played(n) && self.loss(n) >= i32::from(least).saturating_add(BEYOND_DOUBT[level])
    }

    /// Returns true if the n-th move is the only legal move or the best one known.
    fn prefers_played(&self, n: usize) -> bool {
        self.own(n).is_none_or(|own| own.best_move() == Some(self.run[n].played))
    }

    /// Returns the loss of the n-th move in the last searches before and after it, in thousandths of a point; negative for a
    /// gain.
    fn loss(&self, n: usize) -> i32 {
        self.change(n, self.score(n))
    }

    /// Returns the loss of the n-th move compared with a best move of the given score, in thousandths of a point.
    fn change(&self, n: usize, best: Score) -> i32 {
        let next = self.decisive(n + 1);
        let played = (n..next).fold(self.score(next), |score, _| score.one_ply_earlier());
        let change = self.options.judgement_scale().expectation(&self.run[n].before, best, played);
        i32::from(change.before) - i32::from(change.after)
    }

    fn position(&self, n: usize) -> &Position {
        self.run.get(n).map_or_else(|| &self.run[n - 1].after, |ply| &ply.before)
    }

    /// Returns the index of the position whose evaluation this one takes if it has only one move.
    fn decisive(&self, n: usize) -> usize {
        (n..self.run.len()).find(|&n| !self.is_forced(n)).unwrap_or(self.run.len())
    }

    /// Computes the evaluations of all positions. Better searches pass on what they found: to the next position if they prefer
    /// the played move, and then back to the previous one.
    fn settle(&mut self) {
        let mut known: Vec<_> = self.moves.iter().map(|study| study.own.clone()).collect();
        for n in self.first..self.run.len() {
            let next = self.decisive(n + 1);
            let Some((level, found)) = &known[n - self.first] else { continue };
            let is_better = known[next - self.first].as_ref().is_some_and(|(of_next, _)| of_next < level);
            // The line goes on after the next position.
            if is_better && found.best_move() == Some(self.run[n].played) && found.pv().len() > next - n {
                known[next - self.first] = Some((*level, later(found, next - n)));
            }
        }
        for n in (self.first..=self.run.len()).rev() {
            self.moves[n - self.first].value = self.settled(n, &known);
        }
    }

    /// Returns the evaluation of a position from what is known about it and the evaluation of the next one. If the search prefers
    /// the played move, the next position decides; also if that move turned out better than what the search found, unless less is
    /// known about it.
    fn settled(&self, n: usize, known: &[Option<(usize, Analysis)>]) -> Analysis {
        let Some((level, own)) = &known[n - self.first] else { return self.by_played_move(n) };
        let Some(ply) = self.run.get(n) else { return own.clone() };
        let is_better = self.value(n + 1).score().one_ply_earlier() >= own.score();
        let next = &known[self.decisive(n + 1) - self.first];
        let is_known = next.as_ref().is_some_and(|(of_next, _)| of_next >= level);
        if own.best_move() == Some(ply.played) || is_known && is_better { self.by_played_move(n) } else { own.clone() }
    }

    /// Returns the evaluation of a position, derived from that of the next one.
    fn by_played_move(&self, n: usize) -> Analysis {
        let next = self.value(n + 1);
        let pv = std::iter::once(self.run[n].played).chain(next.pv().iter().copied()).take(MAX_PLIES).collect();
        Analysis::new(next.score().one_ply_earlier(), pv, next.depth() + 1, 0)
    }
}

/// Returns what an analysis says about the position after the first moves of its line.
fn later(found: &Analysis, plies: usize) -> Analysis {
    let score = (0..plies).fold(found.score(), |score, _| score.one_ply_later());
    Analysis::new(score, found.pv()[plies..].to_vec(), found.depth().saturating_sub(plies as u32), found.nodes())
}
