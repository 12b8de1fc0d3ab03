//! The values of the positions of a game, by searches with several limits and by the moves that followed.

use super::analyst::{Analyst, AnalystQuestion};
use super::lines::MAX_PLIES;
use super::options::AnnotateOptions;
use super::progress::AnnotateStep;
use crate::board::Side;
use crate::engine::{Analysis, Score, ScoredLine};
use crate::error::Error;
use crate::pdn::NodeId;
use crate::records::{Expectation, Judgement};
use crate::rules::{Move, Position};

/// Threshold for a second search, in tenths of the smallest judged loss (0.06 points). A first search errs by several hundredths
/// of a point, so a move that loses enough for a mark often seems to lose less.
const SUSPICIOUS: u32 = 6;

/// Threshold for a third search, and for a mark by the mean of the last two, in tenths of the smallest judged loss (0.08 points).
/// It is higher than the first one, because second searches, with 8 times the limit, err less.
const DOUBTFUL: u32 = 8;

/// How much more than a threshold a move has to lose to be marked, in thousandths of a point: longer searches often find a smaller
/// loss. With it, a search with 20 times the nodes confirms 549 of 569 marks (docs/annotations.md).
const MARGIN: u16 = 30;

/// How much more than the highest threshold a move has to lose by the second and the third searches, in thousandths of a point, to
/// be marked without the last ones: those have 128 times the limit, and would not change such a mark.
const BEYOND_DOUBT: u16 = 100;

/// A played move of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    pub(super) node: NodeId,
    pub(super) number: u32,
    pub(super) before: Position,
    pub(super) played: Move,
    pub(super) after: Position,
}

/// The searches of a position, by their limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effort {
    /// All positions.
    First,
    /// Positions before and after a move that may be judged.
    Second,
    /// Positions before and after a move that still loses something.
    Third,
    /// The positions after the best moves in these, with the same limit.
    Rivals,
    /// Positions before and after a move that is about to be marked.
    Last,
}

/// The result of a search of a position.
struct Search {
    effort: Effort,
    found: Analysis,
}

/// A position of the game, with its searches and value.
struct Station {
    /// The searches, by increasing limits; none if there is only one legal move, and it was played.
    searches: Vec<Search>,
    /// Its value, from its own last search or from that of the next position.
    value: Analysis,
}

impl Station {
    /// Returns true if only one move is legal, and it was played.
    const fn is_forced(&self) -> bool {
        self.searches.is_empty()
    }

    fn effort(&self) -> Effort {
        self.searches.last().map_or(Effort::First, |search| search.effort)
    }

    /// Returns the result of the last search.
    fn own(&self) -> Option<&Analysis> {
        self.searches.last().map(|search| &search.found)
    }

    /// Returns the score that the search with a limit found, or else the one with the next lower limit.
    fn score(&self, effort: Effort) -> Score {
        let found = self.searches.iter().rfind(|search| search.effort <= effort);
        found.map_or(Score::DRAW, |search| search.found.score())
    }

    /// Returns the score that the last search of this position found.
    fn score_alone(&self) -> Score {
        let found = self.searches.iter().rfind(|search| search.effort != Effort::Rivals);
        found.map_or(Score::DRAW, |search| search.found.score())
    }
}

/// Consecutive moves with the values of the positions between them.
pub(super) struct Study<'a> {
    run: &'a [Ply],
    /// The earlier positions of each position, oldest first.
    history: Vec<Position>,
    options: &'a AnnotateOptions,
    progress: &'a dyn Fn(AnnotateStep),
    /// The first position that is searched.
    first: usize,
    /// The positions, from `first`.
    stations: Vec<Station>,
}

impl<'a> Study<'a> {
    /// Studies the moves of a run, beginning with the index `first`.
    pub(super) fn of(
        run: &'a [Ply],
        first: usize,
        analyst: &mut dyn Analyst,
        options: &'a AnnotateOptions,
        progress: &'a dyn Fn(AnnotateStep),
    ) -> Result<Self, Error> {
        let history = run.iter().map(|ply| ply.before).collect();
        let stations = Vec::with_capacity(run.len() - first + 1);
        let mut study = Self { run, history, options, progress, first, stations };
        for n in first..=run.len() {
            let is_forced = run.get(n).is_some_and(|ply| ply.before.legal_moves().len() == 1);
            let mut station = Station { searches: Vec::new(), value: Analysis::new(Score::DRAW, Vec::new(), 0, 0) };
            if !is_forced {
                let own = study.ask(n, Effort::First, analyst)?;
                station.value = own.clone();
                station.searches.push(Search { effort: Effort::First, found: own });
            }
            study.stations.push(station);
            if n > first {
                progress(AnnotateStep::Move);
            }
        }
        // From the end, because values pass from later positions to earlier ones.
        for n in (first..=run.len()).rev() {
            study.update(n);
        }
        study.confirm(analyst)?;
        Ok(study)
    }

    /// Returns the index of the first move that is studied.
    pub(super) const fn first(&self) -> usize {
        self.first
    }

    /// Returns the n-th move.
    pub(super) fn ply(&self, n: usize) -> &'a Ply {
        &self.run[n]
    }

    /// Returns how the moves are annotated.
    pub(super) const fn options(&self) -> &'a AnnotateOptions {
        self.options
    }

    /// Returns the line of the n-th move, derived from the value of the next position.
    pub(super) fn played_line(&self, n: usize) -> ScoredLine {
        let played = self.by_played_move(n);
        ScoredLine::new(played.score(), played.pv().to_vec())
    }

    /// Asks for the best lines from the position before the n-th move.
    pub(super) fn ask_for_lines(&self, n: usize, analyst: &mut dyn Analyst) -> Result<Analysis, Error> {
        let lines = self.options.lines();
        let question = AnalystQuestion::new(self.position(n), &self.history[..n], self.options.limit_of_lines());
        self.answer(&question.with_lines(lines), u32::try_from(lines).unwrap_or(u32::MAX), analyst)
    }

    /// Returns the value of a position.
    pub(super) fn value(&self, n: usize) -> &Analysis {
        &self.stations[n - self.first].value
    }

    /// Returns the value of a position in centi-men from White's point of view; that of a won one is out of reach of estimates.
    pub(super) fn white_centi_men(&self, n: usize) -> i32 {
        let value = self.value(n).score().value();
        if self.position(n).turn() == Side::White { value } else { -value }
    }

    /// Returns true if the n-th move was the only legal one.
    pub(super) fn is_forced(&self, n: usize) -> bool {
        self.stations[n - self.first].is_forced()
    }

    /// Returns the expectation of the side that moves, before and after the n-th move.
    pub(super) fn expectation(&self, n: usize) -> Expectation {
        self.change(n, self.value(n).score())
    }

    /// Returns the judgement of the n-th move by the last searches.
    pub(super) fn judgement(&self, n: usize) -> Option<Judgement> {
        match self.effort_between(n) {
            Effort::Last => self.judgement_by(n, Effort::Last),
            Effort::Rivals if self.is_beyond_doubt(n) => Some(Judgement::Blunder),
            _ => None,
        }
    }

    /// Returns the judgement of the n-th move by the smallest loss that the third searches and those of an effort found; an
    /// inaccuracy if that loss is too small for a mark, but the mean is not. One search that errs can then lower a mark, and none
    /// can raise it.
    fn judgement_by(&self, n: usize, effort: Effort) -> Option<Judgement> {
        if self.prefers_played(n) {
            return None;
        }
        let scale = self.options.scale();
        let losses = [Effort::Rivals.min(effort), effort].map(|effort| self.loss(n, effort));
        let least = losses.into_iter().fold(self.expectation(n).loss(), u16::min);
        let mean = u16::midpoint(losses[0], losses[1]);
        let is_inaccuracy = self.is_doubtful(least) && scale.judge_loss(mean.saturating_sub(MARGIN)).is_some();
        scale.judge_loss(least.saturating_sub(MARGIN)).or_else(|| is_inaccuracy.then_some(Judgement::Inaccuracy))
    }

    /// Returns true if the second and the third searches agree that the n-th move loses far more than a blunder has to.
    fn is_beyond_doubt(&self, n: usize) -> bool {
        let [.., blunder] = self.options.scale().thresholds();
        let losses = [self.loss(n, Effort::Second), self.loss(n, Effort::Rivals), self.expectation(n).loss()];
        !self.prefers_played(n) && losses.iter().all(|&loss| loss >= blunder.saturating_add(BEYOND_DOUBT))
    }

    /// Returns true if a loss is large enough for another search.
    fn is_doubtful(&self, loss: u16) -> bool {
        let [least, ..] = self.options.scale().thresholds();
        10 * u32::from(loss) >= DOUBTFUL * u32::from(least)
    }

    /// Returns true if the n-th move is the only one or the best one known.
    fn prefers_played(&self, n: usize) -> bool {
        self.is_forced(n) || self.value(n).best_move() == Some(self.run[n].played)
    }

    /// Returns the loss of the n-th move, in thousandths of a point, by the searches of an effort before and after it alone. The
    /// value of a position also depends on the moves that followed, which were searched less, and the highest of many such values
    /// is too high.
    fn loss(&self, n: usize, effort: Effort) -> u16 {
        let next = self.decisive(n + 1);
        let played = self.played_score(n, self.stations[next - self.first].score(effort));
        self.loss_between(n, self.stations[n - self.first].score(effort), played)
    }

    /// Returns true if the n-th move still loses something by its searches, or by the moves that followed.
    fn still_loses(&self, n: usize) -> bool {
        self.is_doubtful(self.possible_loss(n)) || self.options.scale().judge(self.expectation(n)).is_some()
    }

    /// Returns the loss of the n-th move without the searches of positions after best moves.
    fn possible_loss(&self, n: usize) -> u16 {
        let alone = |n: usize| self.stations[n - self.first].score_alone();
        self.loss_between(n, alone(n), self.played_score(n, alone(self.decisive(n + 1))))
    }

    fn loss_between(&self, n: usize, best: Score, played: Score) -> u16 {
        self.options.scale().expectation(&self.run[n].before, best, played).loss()
    }

    /// Returns the score of the n-th move from that of the next position that is not forced.
    fn played_score(&self, n: usize, next: Score) -> Score {
        (n..self.decisive(n + 1)).fold(next, |score, _| score.one_ply_earlier())
    }

    fn ask(&self, n: usize, effort: Effort, analyst: &mut dyn Analyst) -> Result<Analysis, Error> {
        let question = AnalystQuestion::new(self.position(n), &self.history[..n], self.options.limit_of(effort));
        self.answer(&question, self.options.factor(effort), analyst)
    }

    /// Asks a question with this multiple of the limit of a first search.
    fn answer(
        &self,
        question: &AnalystQuestion<'_>,
        factor: u32,
        analyst: &mut dyn Analyst,
    ) -> Result<Analysis, Error> {
        let answer = analyst.analyse(question)?;
        (self.progress)(AnnotateStep::Search(factor));
        Ok(answer)
    }

    fn position(&self, n: usize) -> &Position {
        self.run.get(n).map_or_else(|| &self.run[n - 1].after, |ply| &ply.before)
    }

    fn change(&self, n: usize, best: Score) -> Expectation {
        let played = self.value(n + 1).score().one_ply_earlier();
        self.options.scale().expectation(&self.run[n].before, best, played)
    }

    /// Returns the index of the position from which this one's value comes if it has only one move.
    fn decisive(&self, n: usize) -> usize {
        (n..self.run.len()).find(|&n| !self.is_forced(n)).unwrap_or(self.run.len())
    }

    fn effort(&self, n: usize) -> Effort {
        self.stations[self.decisive(n) - self.first].effort()
    }

    /// Returns the lower effort of those spent on the positions before and after the n-th move.
    fn effort_between(&self, n: usize) -> Effort {
        self.effort(n).min(self.effort(n + 1))
    }

    /// Computes the values of a position and of those before it that depend on it.
    fn settle(&mut self, last: usize) {
        for n in (self.first..=last).rev() {
            // Earlier positions depend on this one only through its value.
            if !self.update(n) && n < last {
                return;
            }
        }
    }

    /// Computes the value of a position and returns true if it has changed.
    fn update(&mut self, n: usize) -> bool {
        let value = self.settled(n);
        let known = &mut self.stations[n - self.first].value;
        let is_changed = *known != value;
        *known = value;
        is_changed
    }

    /// Returns the value of a position from its own search and the value of the next one. Where the search prefers the move
    /// that was played, or that move turned out better than what it found, the next position decides.
    fn settled(&self, n: usize) -> Analysis {
        let Some(own) = self.stations[n - self.first].own() else { return self.by_played_move(n) };
        if n == self.run.len() {
            return own.clone();
        }
        let prefers = own.best_move() == Some(self.run[n].played);
        let is_better = self.value(n + 1).score().one_ply_earlier() >= own.score();
        let agrees = self.effort(n) > Effort::First || !self.disagrees(n);
        if is_better || prefers && agrees { self.by_played_move(n) } else { own.clone() }
    }

    /// Returns the value of a position, derived from that of the next one.
    fn by_played_move(&self, n: usize) -> Analysis {
        let next = self.value(n + 1);
        let pv = std::iter::once(self.run[n].played).chain(next.pv().iter().copied()).take(MAX_PLIES).collect();
        Analysis::new(next.score().one_ply_earlier(), pv, next.depth() + 1, 0)
    }

    /// Returns true if the search of a position and the value of the next one differ so much that the move between them may
    /// be judged, or missed.
    fn disagrees(&self, n: usize) -> bool {
        let Some(own) = self.stations[n - self.first].own() else { return false };
        let change = self.change(n, own.score());
        let [least, ..] = self.options.scale().thresholds();
        // In 32 bits: thresholds that programs set may be anything.
        10 * u32::from(change.before.abs_diff(change.after)) >= SUSPICIOUS * u32::from(least)
    }

    /// Searches again the positions around moves that may be judged, until only confirmed differences are left.
    fn confirm(&mut self, analyst: &mut dyn Analyst) -> Result<(), Error> {
        while let Some((n, effort)) = self.open() {
            let next = self.decisive(n + 1);
            // The later position first: its new value may settle the move.
            let again = if self.stations[next - self.first].effort() < effort { next } else { n };
            self.deepen(again, effort, analyst)?;
            self.settle(again);
        }
        Ok(())
    }

    /// Returns the move to search again, and how: the last of those with the lowest limit. Values pass from later
    /// positions to earlier ones, so a later search may settle an earlier move.
    fn open(&self) -> Option<(usize, Effort)> {
        let wanted = |n| match self.effort_between(n) {
            Effort::First => self.disagrees(n).then_some(Effort::Second),
            Effort::Second => self.still_loses(n).then_some(Effort::Third),
            Effort::Third => self.judgement_by(n, Effort::Third).map(|_| Effort::Rivals),
            Effort::Rivals if self.is_beyond_doubt(n) => None,
            Effort::Rivals => self.judgement_by(n, Effort::Rivals).map(|_| Effort::Last),
            Effort::Last => None,
        };
        let moves = (self.first..self.run.len()).rev().filter(|&n| !self.is_forced(n));
        moves.filter_map(|n| Some((n, wanted(n)?))).min_by_key(|&(n, effort)| (effort, std::cmp::Reverse(n)))
    }

    /// Searches a position again, or the position after its best move.
    fn deepen(&mut self, n: usize, effort: Effort, analyst: &mut dyn Analyst) -> Result<(), Error> {
        let known = self.stations[n - self.first].own().filter(|_| effort == Effort::Rivals);
        let found = match known {
            Some(own) => self.confronted(n, own, analyst)?,
            None => self.ask(n, effort, analyst)?,
        };
        self.stations[n - self.first].searches.push(Search { effort, found });
        Ok(())
    }

    /// Returns what was found in a position after a search of the position after the best move, if another one was played.
    fn confronted(&self, n: usize, own: &Analysis, analyst: &mut dyn Analyst) -> Result<Analysis, Error> {
        let rival = own.best_move().filter(|best| self.run.get(n).is_some_and(|ply| ply.played != *best));
        let Some(rival) = rival else { return Ok(own.clone()) };
        let (position, after) = (*self.position(n), self.position(n).play_unchecked(&rival));
        let history = [&self.history[..n], &[position]].concat();
        let (limit, factor) = (self.options.limit_of(Effort::Rivals), self.options.factor(Effort::Rivals));
        let reply = self.answer(&AnalystQuestion::new(&after, &history, limit), factor, analyst)?;
        Ok(agreed(own, rival, &reply))
    }
}

/// Returns the analysis of a position that agrees with the one after its best move: the lower of both scores.
fn agreed(own: &Analysis, best: Move, reply: &Analysis) -> Analysis {
    let pv = std::iter::once(best).chain(reply.pv().iter().copied()).collect();
    Analysis::new(own.score().min(reply.score().one_ply_earlier()), pv, own.depth(), own.nodes())
}
