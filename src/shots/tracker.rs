//! The shots played in a game, found while following its moves.

use super::line::{Frame, raid_of};
use super::material::{balance, kept, settled};
use super::{Definition, Shot};
use crate::board::Side;
use crate::rules::{Move, Position};

/// A move with the position before it.
#[derive(Clone, Copy, Debug)]
struct Step {
    before: Position,
    /// `None` if a position is set up.
    played: Option<Move>,
    /// Number of moves before it.
    ply: usize,
    runs: Runs,
}

/// Where the run of each side begins: its first quiet move since the last quiet move of the other side.
type Runs = [Option<usize>; 2];

/// The line that a variation interrupts.
#[derive(Debug)]
struct Outer {
    last: Option<Step>,
    after: Position,
    runs: Runs,
    /// The start of the interrupted line.
    branch: usize,
}

/// Follows a game, with its variations, and finds the shots in it.
///
/// A quiet move of a side begins a run, which the next quiet move of the other side ends. Runs in which the side captures and
/// wins material are shots. Nearly all runs end with their first move, so that following a game costs one comparison per
/// move.
#[derive(Debug)]
pub(crate) struct Tracker {
    position: Position,
    runs: Runs,
    steps: Vec<Step>,
    outer: Vec<Outer>,
    /// Where the current line begins.
    branch: usize,
    /// The only shot to find, if set.
    only: Option<&'static Definition>,
    found: Vec<(usize, Shot)>,
}

impl Tracker {
    /// Returns a tracker of a game from a position.
    pub(crate) fn new(start: &Position) -> Self {
        let (steps, outer, found) = (Vec::new(), Vec::new(), Vec::new());
        Self { position: *start, runs: [None; 2], steps, outer, branch: 0, only: None, found }
    }

    /// Skips shots that cannot have a certain name, if one is given; others may be found too.
    #[must_use]
    pub(crate) fn only(self, only: Option<&'static Definition>) -> Self {
        Self { only, ..self }
    }

    /// Begins another game; shots not yet returned are dropped.
    pub(crate) fn begin(&mut self, start: &Position) {
        (self.position, self.runs, self.branch) = (*start, [None; 2], 0);
        self.steps.clear();
        self.outer.clear();
        self.found.clear();
    }

    /// Adds the next move of the line, or a position that is set up.
    pub(crate) fn reach(&mut self, played: Option<&Move>, after: &Position) {
        let (before, runs) = (self.position, self.runs);
        let ply = self.steps.last().map_or(0, |step| step.ply + usize::from(step.played.is_some()));
        let (index, turn) = (self.steps.len(), before.turn());
        match played {
            // The move before a record that begins with a capture is the first of the shot.
            Some(played) if played.is_capture() => {
                if index == 0 {
                    self.runs[(!turn).index()] = Some(0);
                }
            }
            Some(_) => {
                self.end_run(!turn, false);
                self.runs[turn.index()].get_or_insert(index);
            }
            None => self.end_line(),
        }
        self.steps.push(Step { before, played: played.copied(), ply, runs });
        self.position = *after;
    }

    /// Opens a variation, which replaces the last move.
    pub(crate) fn open(&mut self) {
        let last = self.steps.pop();
        self.outer.push(Outer { last, after: self.position, runs: self.runs, branch: self.branch });
        if let Some(last) = last {
            (self.position, self.runs) = (last.before, last.runs);
        }
        self.branch = self.steps.len();
    }

    /// Closes the last variation.
    pub(crate) fn close(&mut self) {
        self.end_line();
        self.steps.truncate(self.branch);
        if let Some(outer) = self.outer.pop() {
            self.steps.extend(outer.last);
            (self.position, self.runs, self.branch) = (outer.after, outer.runs, outer.branch);
        }
    }

    /// Ends the game and returns its shots, each with the number of its first move, from 1.
    pub(crate) fn end(&mut self) -> Vec<(usize, Shot)> {
        self.end_line();
        std::mem::take(&mut self.found)
    }

    fn end_line(&mut self) {
        for side in Side::ALL {
            self.end_run(side, true);
        }
    }

    /// Ends the run of a side before the current position, at the end of a line or because the other side moves quietly.
    fn end_run(&mut self, side: Side, line_ends: bool) {
        let Some(mut begin) = self.runs[side.index()].take() else { return };
        while let Some((raid, end)) = self.next_raid(begin, side, line_ends, true) {
            self.add(begin, raid, end, side, |_| true);
            let quiet = |index: &usize| {
                let step = &self.steps[*index];
                step.before.turn() == side && step.played.is_some_and(|played| !played.is_capture())
            };
            let Some(next) = (end..self.steps.len()).find(quiet) else { return };
            begin = next;
        }
        if let Some((raid, end)) = self.next_raid(begin, side, line_ends, false) {
            // What was given before a record that begins with a capture is unknown.
            let counted = |shot: &Shot| if shot.start().turn() == side { shot.gain() } else { 0 };
            self.add(begin, raid, end, side, |shot| shot.is_named_with(counted(shot)));
        }
    }

    /// Adds a shot, if it is requested.
    fn add(&mut self, begin: usize, raid: usize, end: usize, side: Side, accepts: impl Fn(&Shot) -> bool) {
        let (start, variant) = (&self.steps[begin].before, self.position.variant());
        let frame = Frame::new(variant.shape(), side);
        // What a variation shares with the line around it was found there.
        if raid < self.branch {
            return;
        }
        let moves: Vec<_> = self.steps[begin..end].iter().filter_map(|step| step.played).collect();
        let wanted = |only: &Definition| {
            let raid = raid_of(&moves, usize::from(start.turn() != side)).map(|raid| frame.number(moves[raid].from()));
            raid.is_some_and(|from| only.may_end_from(from, variant))
        };
        if !self.only.is_none_or(wanted) {
            return;
        }
        let shot = Shot::of_line(start, &moves, side).filter(|shot| self.only.is_none_or(|only| shot.fits(only)));
        if let Some(shot) = shot.filter(accepts) {
            self.found.push((self.steps[begin].ply + 1, shot));
        }
    }

    /// Returns the first capture of a side in its run after which it has won something, and the end of the moves that belong to
    /// it: the reply to it, if the reply is a capture. What does not have to win is the last capture of several pieces at once
    /// that breaks even, or else the last one; after a capture that begins the record, one piece suffices.
    fn next_raid(&self, begin: usize, side: Side, line_ends: bool, must_win: bool) -> Option<(usize, usize)> {
        let run = &self.steps[begin..];
        let first = if run.first()?.before.turn() == side { 2 } else { 1 };
        if run.len() <= first || (first == 1 && must_win) {
            return None;
        }
        let start = &run[0].before;
        let had = balance(start, side);
        let taken =
            |index: usize| run.get(index).and_then(|step| step.played).map_or(0, |played| played.captured().len());
        let (mut even, mut other) = (None, None);
        for raid in (first..run.len()).step_by(2).filter(|&index| taken(index) > 0 && taken(index + 2) == 0) {
            let end = (raid + 2).min(run.len());
            let after = run.get(end).map_or(&self.position, |step| &step.before);
            // A record may end before the recapture.
            let has = if line_ends && end == run.len() { settled(after, side) } else { balance(after, side) };
            let attacks = || end == run.len() && taken(raid) > 1 && kept(after, side) > had;
            // A king that costs as much as it is worth is not won.
            if must_win && (has > had || attacks()) {
                return Some((begin + raid, begin + end));
            }
            if !must_win && (taken(raid) > 1 || first == 1) {
                *(if has >= had || first == 1 { &mut even } else { &mut other }) = Some((begin + raid, begin + end));
            }
        }
        even.or(other)
    }
}

/// Returns the shots in a line, each with the number of its first move, from 1.
///
/// # Examples
///
/// ```
/// use pdn::notation::Numbering;
/// use pdn::rules::{Position, Variant};
/// use pdn::shots::played;
///
/// let mut position = Position::from_fen(Variant::INTERNATIONAL, "W:W32,37,41:B14,21,23")?;
/// let start = position;
/// let mut line = Vec::new();
/// for text in ["32-27", "21x32", "37x10"] {
///     let moves = position.legal_moves();
///     let played = *moves.iter().find(|played| position.short(played) == text).expect("a legal move");
///     position = position.play_unchecked(&played);
///     line.push(played);
/// }
/// let [(ply, shot)] = &played(&start, &line)[..] else { panic!("one shot") };
/// assert_eq!((*ply, shot.gain(), shot.name().map(|name| name.id())), (1, 2, Some("coup_direct")));
/// # Ok::<(), pdn::ParseError>(())
/// ```
pub fn played(start: &Position, moves: &[Move]) -> Vec<(usize, Shot)> {
    let (mut tracker, mut position) = (Tracker::new(start), *start);
    for played in moves {
        position = position.play_unchecked(played);
        tracker.reach(Some(played), &position);
    }
    tracker.end()
}
