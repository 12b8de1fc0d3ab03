//! Why a move was judged: facts, each counted on the board, or known from the search or the databases.

use super::gain::{Gain, advance, clear_gain, completed, exchange, lasts, loses_nothing, positions};
use super::mention::{safe_moves, shot_clause};
use crate::board::Side;
use crate::egdb::{EndgameTables, Value};
use crate::notation::Numbering;
use crate::pdn::Evaluation;
use crate::records::{Expectation, FactClause, SentenceFacts, lead};
use crate::rules::{Move, Position};
use crate::shots::{Bounds, Shot, balance, counts_material, find, first_in_line, is_winning};

/// Longest line to a lost game that is shown whole, in plies.
const MAX_PLIES: usize = 13;

/// Maximum number of plies to the end of a game that is mentioned: only the endgame databases know longer wins.
const MAX_COUNTED: u32 = 40;

/// Plies that show the idea of a line that wins nothing, and the most that are shown if material is not level earlier.
const IDEA_PLIES: usize = 5;
const MAX_IDEA_PLIES: usize = 9;

/// Minimum expectation of a side, in thousandths of a point, with the best line, if it is said to win something: a side that is
/// worse even so only loses less.
const MIN_HOPE: u16 = 460;

/// Evaluation in centi-men from which a side that gave away a forced win may still win.
const MAY_WIN: i32 = 50;

/// Expectations of the better side, in thousandths of a point: below these, the chances are even, or the side has a slight
/// advantage, or an advantage.
const EVEN: u16 = 560;
const SLIGHT: u16 = 680;
const CLEAR: u16 = 850;

/// A judged move with what the search found around it.
pub(in crate::annotate) struct JudgedMove<'a> {
    /// The position with whose material others are compared: the one before the move or, in the middle of an exchange, the last
    /// one in which there was nothing to capture.
    pub(in crate::annotate) base: &'a Position,
    pub(in crate::annotate) before: &'a Position,
    /// The best line from there.
    pub(in crate::annotate) best: &'a [Move],
    /// The move that was played, and the best line after it.
    pub(in crate::annotate) played: &'a [Move],
    /// The evaluations before and after the move.
    pub(in crate::annotate) evaluations: [Evaluation; 2],
    /// The expectation of the side that moved.
    pub(in crate::annotate) expectation: Expectation,
    pub(in crate::annotate) tables: &'a EndgameTables,
    pub(in crate::annotate) numbering: Numbering,
}

/// What an evaluation means for a side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outlook {
    /// A proven win, with the number of plies if it is known.
    Won(Option<u32>),
    Open,
    Lost(Option<u32>),
}

impl Outlook {
    fn of(evaluation: Evaluation, side: Side) -> Self {
        match evaluation.winner() {
            None => Self::Open,
            Some(winner) if winner == side.letter() => Self::Won(evaluation.win_in()),
            Some(_) => Self::Lost(evaluation.win_in()),
        }
    }
}

/// Moves of a side that may together lose what a mistake loses, although none of them is one.
const FEWEST_MOVES: usize = 4;
const MOST_MOVES: usize = 8;

/// What they have to lose, in thousandths of a point.
const DRIFT: u16 = 250;

/// A move of a side, in the order of the game.
pub(in crate::annotate) struct OwnMove {
    /// Its move number.
    pub(in crate::annotate) number: u32,
    /// The expectation of its side.
    pub(in crate::annotate) expectation: Expectation,
    pub(in crate::annotate) is_judged: bool,
}

/// Returns what is said after the last of some moves of a side if it lost as much in several of them as by a mistake, although none
/// is one.
pub(in crate::annotate) fn drift(moves: &[OwnMove], side: Side) -> Option<SentenceFacts> {
    let last = moves.last()?;
    let since_mark = moves.iter().rev().take_while(|own| !own.is_judged).count();
    let count = (FEWEST_MOVES..=MOST_MOVES.min(since_mark)).find(|count| {
        let first = &moves[moves.len() - count];
        // The first and the last of the moves that are named lose something too.
        let loses = [first, last].iter().all(|own| own.expectation.loss() > 0);
        loses && first.expectation.before >= last.expectation.after.saturating_add(DRIFT)
    })?;
    let first = &moves[moves.len() - count];
    let [from, to] = [first.expectation.before, last.expectation.after].map(level);
    let who = if side == Side::White { "W" } else { "B" };
    let [first, last] = [first, last].map(|own| own.number.to_string());
    let sign = |level: i32| if level > 0 { format!("+{level}") } else { level.to_string() };
    let values = [first, last, who.to_owned(), sign(from), sign(to)];
    (from > to).then(|| SentenceFacts::new([FactClause::new("drift", values)]))
}

/// Returns how large the advantage of a side is, from 0 to 3, and negative if it is the other side's.
const fn level(expectation: u16) -> i32 {
    let (better, sign) = if expectation >= 500 { (expectation, 1) } else { (1000 - expectation, -1) };
    sign * match better {
        ..EVEN => 0,
        EVEN..SLIGHT => 1,
        SLIGHT..CLEAR => 2,
        _ => 3,
    }
}

/// Returns a line as a value of a clause.
pub(super) fn line_value(start: &Position, line: &[Move], numbering: Numbering) -> String {
    start.short_line_in(line, numbering).join(",")
}

/// Returns the number of plies to the first position without captures after some.
fn opening(start: &Position, line: &[Move]) -> usize {
    let positions = positions(start, line);
    (IDEA_PLIES..positions.len()).find(|&n| !positions[n].can_capture()).unwrap_or(line.len())
}

impl JudgedMove<'_> {
    /// Returns the loss by the move, and the better move.
    pub(in crate::annotate) fn explain(&self) -> SentenceFacts {
        let side = self.before.turn();
        let [before, after] = self.evaluations.map(|evaluation| Outlook::of(evaluation, side));
        let clauses = match (before, after) {
            (Outlook::Won(plies), Outlook::Open) => {
                let shot = shot_in(self.before, self.best);
                match shot.and_then(|shot| shot_clause("misses", &shot, self.tables, self.numbering)) {
                    Some(missed) => vec![missed, self.win_given_away()],
                    None => vec![self.win_given_away(), self.win_kept(plies)],
                }
            }
            (Outlook::Won(plies), Outlook::Lost(lost)) => {
                vec![self.win_given_away(), self.loss_of_game(lost), self.win_kept(plies)]
            }
            (Outlook::Open, Outlook::Lost(plies)) => self.game_lost(plies),
            _ => self.material(),
        };
        SentenceFacts::new(clauses)
    }

    /// Returns the position after the move.
    fn after(&self) -> Position {
        self.played.first().map_or(*self.before, |step| self.before.play_unchecked(step))
    }

    /// Returns the position after the best move.
    fn after_best(&self) -> Position {
        self.best.first().map_or(*self.before, |step| self.before.play_unchecked(step))
    }

    /// Returns the number of plies that show the idea of a line that wins nothing: if possible to a position without captures in
    /// which material is level, since a piece that was only offered comes back later.
    fn idea(&self, start: &Position, line: &[Move]) -> usize {
        let (side, positions) = (self.before.turn(), positions(start, line));
        let quiet = || (1..positions.len()).filter(|&n| !positions[n].can_capture());
        let advance = |n: usize| advance(self.base, &positions[n], side);
        let mut shown = quiet().filter(|n| (IDEA_PLIES..=MAX_IDEA_PLIES).contains(n));
        let level = shown.clone().find(|&n| advance(n) == 0);
        let earlier = || quiet().rfind(|&n| n < IDEA_PLIES && advance(n) == 0);
        let level = level.or_else(earlier).or_else(|| shown.find(|&n| advance(n) > 0));
        level.unwrap_or_else(|| opening(start, line))
    }

    fn best_move(&self) -> String {
        line_value(self.before, self.best.get(..1).unwrap_or_default(), self.numbering)
    }

    fn reply_line(&self, plies: usize) -> String {
        let reply = self.played.get(1..).unwrap_or_default();
        let moves = completed(&self.after(), &reply[..plies.min(reply.len())]);
        line_value(&self.after(), &moves, self.numbering)
    }

    fn best_line(&self, plies: usize) -> String {
        let moves = completed(self.before, &self.best[..plies.min(self.best.len())]);
        line_value(self.before, &moves, self.numbering)
    }

    fn value(&self, position: &Position) -> Option<Value> {
        self.tables.probe(position).map(|probe| probe.value())
    }

    fn win_given_away(&self) -> FactClause {
        let side = self.before.turn();
        let key = match self.value(&self.after()) {
            Some(Value::Draw) => "gives-win-draw",
            _ if lead(self.evaluations[1], side) >= MAY_WIN => "misses-win",
            _ => "gives-win",
        };
        FactClause::new(key, [])
    }

    fn win_kept(&self, plies: Option<u32>) -> FactClause {
        let (side, after) = (self.before.turn(), self.after_best());
        let [own, other] = [side, !side].map(|side| after.squares_of(side).len());
        let only_kings = after.pieces().all(|(.., piece)| piece == crate::board::Piece::King);
        if only_kings && own > 1 && self.value(&after) == Some(Value::Loss) {
            return FactClause::new("better-win-kings", [self.best_move(), own.to_string(), other.to_string()]);
        }
        match plies {
            // The side that wins makes the first and the last of the plies.
            Some(plies @ 3..=MAX_COUNTED) => {
                FactClause::new("better-win-in", [self.best_move(), plies.div_ceil(2).to_string()])
            }
            _ => FactClause::new("better-win", [self.best_move()]),
        }
    }

    /// The opponent now wins by force.
    fn game_lost(&self, plies: Option<u32>) -> Vec<FactClause> {
        if self.value(&self.after_best()) == Some(Value::Draw) {
            let key = if exchange(self.before, self.best).is_some() { "better-exchange-draw" } else { "better-draw" };
            return vec![
                FactClause::new("gives-draw", [self.winning_line()]),
                FactClause::new(key, [self.best_move()]),
            ];
        }
        vec![self.loss_of_game(plies), self.better(clear_gain(self.base, self.before, self.best, !self.before.turn()))]
    }

    fn loss_of_game(&self, plies: Option<u32>) -> FactClause {
        if let Some(allowed) = self.allowed_shot() {
            return allowed;
        }
        match plies {
            Some(plies @ 3..=MAX_COUNTED) => {
                FactClause::new("loses-game", [plies.div_ceil(2).to_string(), self.winning_line()])
            }
            Some(..3) => FactClause::new("loses-at-once", [self.winning_line()]),
            _ => FactClause::new("lost-endgame", [self.winning_line()]),
        }
    }

    /// Returns the opponent's winning line, or its beginning.
    fn winning_line(&self) -> String {
        let reply = self.played.get(1..).unwrap_or_default();
        let end = reply.iter().fold(self.after(), |position, step| position.play_unchecked(step));
        let plies = if reply.len() <= MAX_PLIES { reply.len() } else { opening(&self.after(), reply) };
        let is_whole = plies == reply.len() && end.winner().is_some();
        self.reply_line(plies) + if is_whole { "" } else { ",…" }
    }

    /// Returns what a side gains in a line from the position before the move, as [`clear_gain`], if it keeps that, and the number of
    /// plies after which it has it. The side that moves gains nothing by a line to a draw that the databases know.
    fn gain(&self, line: &[Move], side: Side) -> Option<(usize, Gain)> {
        let found = clear_gain(self.base, self.before, line, side);
        found.filter(|&(plies, _)| {
            let end = self.end(line, plies);
            let is_drawn = side == self.before.turn() && self.value(&end) == Some(Value::Draw);
            !is_drawn && lasts(&end, side, balance(&end, side)).unwrap_or(false)
        })
    }

    /// Returns the position after so many plies of a line from the position before the move, with the captures that complete it.
    fn end(&self, line: &[Move], plies: usize) -> Position {
        positions(self.before, &completed(self.before, line))[plies]
    }

    /// What the move loses or misses in material, or else in the evaluation.
    fn material(&self) -> Vec<FactClause> {
        let side = self.before.turn();
        let gain = |line: &[Move], side| self.gain(line, side);
        let worth = |gain: Option<(usize, Gain)>| gain.map_or(0, |(_, gain)| gain.worth());
        let (lost, lost_anyway) = (gain(self.played, !side), gain(self.best, !side));
        let (won, won_anyway) = (gain(self.best, side), gain(self.played, side));
        // The search has to agree, as below: it may know how the material comes back.
        let is_behind = is_winning(self.base, !side, lead(self.evaluations[1], !side));
        if let Some((plies, lost)) = lost.filter(|_| worth(lost) > worth(lost_anyway) && is_behind) {
            return vec![self.loss(plies, lost), self.better(lost_anyway)];
        }
        // If a man can be crowned at once, other moves crown it too.
        if let Some((plies, won)) =
            won.filter(|&(plies, _)| plies > 1 && worth(won) > worth(won_anyway) && self.is_ahead())
        {
            let shot = shot_in(self.before, self.best);
            let shot = shot.and_then(|shot| shot_clause("misses", &shot, self.tables, self.numbering));
            let key = if self.is_crowning(self.best, (plies, won), side) { "misses-king" } else { "misses" };
            let missed = || FactClause::new(key, [won.to_string(), self.best_line(plies)]);
            return vec![shot.unwrap_or_else(missed)];
        }
        let what = self.tied_up().or_else(|| self.chances());
        what.into_iter().chain([self.better(None)]).collect()
    }

    /// Who is better after the opponent's best reply; `None` if the search found no reply.
    fn chances(&self) -> Option<FactClause> {
        let reply = self.played.get(1..).filter(|reply| !reply.is_empty())?;
        let line = self.reply_line(self.idea(&self.after(), reply));
        let level = level(self.expectation.after);
        let better = if level > 0 { self.before.turn() } else { !self.before.turn() };
        let key = match level.abs() {
            0 => return Some(FactClause::new("even", [line])),
            1 => "slightly",
            2 => "ahead",
            _ => "much",
        };
        Some(FactClause::new(key, [line, if better == Side::White { "W" } else { "B" }.to_owned()]))
    }

    /// Returns true if the search agrees that the best line wins something.
    fn is_ahead(&self) -> bool {
        let side = self.before.turn();
        self.expectation.before >= MIN_HOPE && is_winning(self.base, side, lead(self.evaluations[0], side))
    }

    /// Few moves remain after the best reply that lose nothing at once, at most half as many as before the move.
    fn tied_up(&self) -> Option<FactClause> {
        let reply = *self.played.get(1)?;
        let next = self.after().play_unchecked(&reply);
        if !counts_material(&next) || self.before.can_capture() || self.after().can_capture() || next.can_capture() {
            return None;
        }
        let safe = safe_moves(&next);
        if 2 * safe.len() > safe_moves(self.before).len() {
            return None;
        }
        let reply = line_value(&self.after(), &[reply], self.numbering);
        let clause = match safe[..] {
            [only] => FactClause::new("tied-one", [reply, line_value(&next, &[only], self.numbering)]),
            [_, _] => FactClause::new("tied-two", [reply]),
            [_, _, _] => FactClause::new("tied-three", [reply]),
            _ => return None,
        };
        Some(clause)
    }

    /// The opponent gains something in so many plies from the position before the move.
    fn loss(&self, plies: usize, lost: Gain) -> FactClause {
        if let Some(allowed) = self.allowed_shot() {
            return allowed;
        }
        let (side, line) = (self.before.turn(), self.reply_line(plies.saturating_sub(1)));
        let end = self.end(self.played, plies);
        if self.value(&end) == Some(Value::Draw) {
            return FactClause::new("drawn", [line]);
        }
        let key = if self.is_crowning(self.played, (plies, lost), !side) { "lets" } else { "loses" };
        FactClause::new(key, [lost.to_string(), line])
    }

    /// Returns true if a side gains a king in a line by crowning it: one that is captured is lost, and not got. If both sides crown a
    /// man, only men are gained.
    fn is_crowning(&self, line: &[Move], (plies, gain): (usize, Gain), side: Side) -> bool {
        !gain.is_men() && self.end(line, plies).kings_of(side).len() > self.base.kings_of(side).len()
    }

    /// The shot that the move allows.
    fn allowed_shot(&self) -> Option<FactClause> {
        // In an exchange that has begun, a shot takes back what was given.
        let reply = self.played.get(1..).filter(|_| !self.before.can_capture())?;
        shot_clause("allows", &shot_in(&self.after(), reply)?, self.tables, self.numbering)
    }

    /// What was better; the best line may lose something too.
    fn better(&self, lost: Option<(usize, Gain)>) -> FactClause {
        let side = self.before.turn();
        let worth = |gain: Option<(usize, Gain)>| gain.map_or(0, |(_, gain)| gain.worth());
        let (won, won_anyway) = (self.gain(self.best, side), self.gain(self.played, side));
        // Several moves may crown a man, or win the same one.
        let is_more = |&(plies, _): &(usize, Gain)| plies > 1 && worth(won) > worth(won_anyway) && self.is_ahead();
        if let Some((plies, won)) = won.filter(is_more) {
            return FactClause::new("better-wins", [self.best_line(plies), won.to_string()]);
        }
        if let Some((plies, lost)) = lost.filter(|(_, lost)| lost.is_men()) {
            return FactClause::new("better-less", [self.best_line(plies), lost.to_string()]);
        }
        let traded = exchange(self.before, self.best);
        let plies = traded.unwrap_or_else(|| self.idea(self.before, self.best));
        let line = self.best_line(plies);
        let given = clear_gain(self.base, self.before, self.played, !side);
        // A best line that ends before the loss would shows nothing.
        let is_long = given.is_some_and(|(plies, _)| self.best.len() >= plies);
        match (traded.is_some(), is_long && self.is_level(plies) && self.is_level(self.best.len())) {
            (true, true) => FactClause::new("better-exchange", [line]),
            (true, false) => FactClause::new("better-exchange-line", [line]),
            (false, true) => FactClause::new("better-keeps", [line]),
            (false, false) => FactClause::new("better-line", [line]),
        }
    }

    /// Returns true if the side that moves has lost nothing after so many plies of the best line.
    fn is_level(&self, plies: usize) -> bool {
        let line = completed(self.before, &self.best[..plies.min(self.best.len())]);
        let (side, end) =
            (self.before.turn(), line.iter().fold(*self.before, |before, step| before.play_unchecked(step)));
        let loses_nothing = counts_material(&end) && loses_nothing(self.base, &end, side);
        loses_nothing && lasts(&end, side, balance(self.base, side)).unwrap_or(false)
    }
}

/// Returns the shot with which the best line from a position begins: one that wins whatever the other side captures, or the line.
fn shot_in(position: &Position, line: &[Move]) -> Option<Shot> {
    let first = line.first()?;
    let sure = find(position, &Bounds::default());
    sure.filter(|shot| shot.gain() > 0 && shot.moves().first() == Some(first)).or_else(|| first_in_line(position, line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn a_man_is_lost_if_both_sides_crown_one() {
        let fen = "B:Wb2,b4,c1,c5,e1,e5,f2,g1,h2:Ba7,b8,c7,d4,e7,f6,f8,h4,h8";
        let before = Position::from_fen(Variant::CZECH, fen).expect("a FEN");
        let mut end = before;
        let line = ["f6-g5", "e5-f6", "c7-b6", "f6xd8", "d4-c3", "d8xa5", "c3xa1"].map(|text| {
            let step = end.legal_moves().into_iter().find(|step| end.short(step) == text).expect(text);
            end = end.play_unchecked(&step);
            step
        });
        assert_eq!(Gain::between(&before, &end, Side::White), Some(Gain::Men(1)));
        let judged = JudgedMove {
            base: &before,
            before: &before,
            best: &[],
            played: &line,
            evaluations: [Evaluation::CentiMen(0), Evaluation::CentiMen(100)],
            expectation: Expectation::new(500, 300),
            tables: &EndgameTables::embedded(Variant::CZECH),
            numbering: Numbering::for_variant(Variant::CZECH),
        };
        assert_eq!(judged.loss(line.len(), Gain::Men(1)).key(), "loses");
        assert_eq!(judged.loss(line.len(), Gain::King).key(), "lets", "a king that is crowned");
    }
}
