//! Follows a game and reports its draws.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::draws::{DrawCounters, DrawRules, Standing, applies, is_last_pieces_draw, is_verified};
use super::position::{Move, Position};
use super::spec::{ManMoves, with_rules};
use crate::board::Word;

/// A draw in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawEvent {
    name: &'static str,
    since_ply: u32,
    ply: u32,
    standing: Standing,
    article: &'static str,
}

impl DrawEvent {
    /// Returns its stable name: `threefold`, `25-move`, `last-pieces` …
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the ply from which it counts; 0 is the start of the game.
    pub const fn since_ply(&self) -> u32 {
        self.since_ply
    }

    /// Returns the ply that completes it.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns whether it is automatic or to be claimed.
    pub const fn standing(&self) -> Standing {
        self.standing
    }

    /// Returns the article of the rules.
    pub const fn article(&self) -> &'static str {
        self.article
    }

    /// Returns true if the official text of the article was available.
    pub const fn is_verified(&self) -> bool {
        is_verified(self.article)
    }
}

/// Follows a game and reports its draws.
///
/// # Examples
///
/// ```
/// use pdn::notation::Numbering;
/// use pdn::rules::{DrawTracker, Position, Variant};
///
/// let squares = Numbering::for_variant(Variant::INTERNATIONAL);
/// let mut position = Position::start(Variant::INTERNATIONAL);
/// let mut tracker = DrawTracker::new(&position);
/// for (from, to) in [("32", "28"), ("17", "22"), ("28", "17"), ("11", "22")] {
///     let (from, to) = (squares.find(from).unwrap(), squares.find(to).unwrap());
///     let played = position.moves_between(from, to)[0];
///     let next = position.play(&played).expect("a legal move");
///     assert!(tracker.record(&position, &played, &next).is_empty());
///     position = next;
/// }
/// ```
#[derive(Clone, Debug)]
pub struct DrawTracker {
    rules: &'static DrawRules<'static>,
    repeated: Repeated,
    counters: DrawCounters,
    ply: u32,
    last_pieces: bool,
}

/// Positions since the last irreversible move, with the ply of the first occurrence and the number of occurrences.
#[derive(Clone, Debug)]
struct Repeated {
    seen: HashMap<u64, (u32, u32), BuildHasherDefault<KeyHasher>>,
    /// The position after that move, without a key: most are followed by another such move.
    first: Option<(Position, u32)>,
    /// True if the draw has been reported.
    reported: bool,
}

impl Repeated {
    fn new(start: &Position) -> Self {
        Self { seen: HashMap::default(), first: Some((*start, 0)), reported: false }
    }

    fn restart(&mut self, position: &Position, ply: u32) {
        if !self.seen.is_empty() {
            self.seen.clear();
        }
        self.first = Some((*position, ply));
        self.reported = false;
    }

    /// Counts a position that can be repeated; returns the ply of its first occurrence and the number of occurrences.
    fn count(&mut self, position: &Position, ply: u32) -> (u32, u32) {
        // The first position enters the table with the second: often none follows that can be repeated.
        if let Some((first, ply)) = self.first.take() {
            self.seen.insert(first.key(), (ply, 1));
        }
        let (since, times) = self.seen.entry(position.key()).or_insert((ply, 0));
        *times += 1;
        (*since, *times)
    }
}

/// Uses Zobrist keys as hashes: they are random already.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // Only for the trait: a key comes through `write_u64`.
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl DrawTracker {
    /// Starts at a position with the draw rules of its variant.
    pub fn new(start: &Position) -> Self {
        let rules = &start.variant().spec().draws;
        let counters = with_rules!(
            start.variant(),
            <'a, R>(_, start: &'a Position = start, rules: &'static DrawRules<'static> = rules) -> DrawCounters {
                DrawCounters::begin(rules, &start.state::<R::Board>())
            }
        );
        Self { rules, repeated: Repeated::new(start), counters, ply: 0, last_pieces: false }
    }

    /// Records a move and returns the draws that it completes: each limit once, repetition once until the next irreversible
    /// move.
    pub fn record(&mut self, before: &Position, played: &Move, after: &Position) -> Vec<DrawEvent> {
        self.ply += 1;
        with_rules!(after.variant(), <'a, R>(
            rules,
            tracker: &'a mut DrawTracker = self,
            before: &'a Position = before,
            played: &'a Move = played,
            after: &'a Position = after,
        ) -> Vec<DrawEvent> {
            let (states, step) = ([before.state::<R::Board>(), after.state()], played.step::<R::Board>());
            let by_man = (states[0].kings & Word::bit(step.from)).is_zero();
            let former = tracker.counters;
            tracker.counters = former.follow(tracker.rules, &states[0], &step, &states[1]);
            let mut events: Vec<_> = tracker.repetition(played, after, by_man).into_iter().collect();
            let counts = tracker.counters.plies().zip(former.plies());
            for (limit, (plies, before)) in tracker.rules.limits.iter().zip(counts) {
                // Not `>=`: the counter continues after the limit, and the draw is reported once, also where a promotion, which
                // does not count against a lone king, leaves the counter at the limit.
                if plies == Some(limit.plies) && plies != before && applies(limit.ending, &states[1]) {
                    let since = tracker.ply.saturating_sub(u32::from(limit.plies));
                    events.push(tracker.event(limit.name, since, limit.standing, limit.article));
                }
            }
            if !tracker.last_pieces
                && let Some(last) = tracker.rules.last_pieces
                && is_last_pieces_draw(rules, last, &states[1])
            {
                tracker.last_pieces = true;
                events.push(tracker.event("last-pieces", tracker.ply, Standing::Automatic, last.article));
            }
            events
        })
    }

    fn repetition(&mut self, played: &Move, after: &Position, by_man: bool) -> Option<DrawEvent> {
        let rule = self.rules.repetition?;
        // Turkish men move sideways and can come back.
        let forward = after.variant().spec().man_moves == ManMoves::DiagonallyForward;
        if played.is_capture() || played.promotes() || by_man && forward {
            self.repeated.restart(after, self.ply);
            return None;
        }
        let (since, times) = self.repeated.count(after, self.ply);
        // A second position may reach the number too if the game continues; one report is enough.
        if times != u32::from(rule.occurrences) || std::mem::replace(&mut self.repeated.reported, true) {
            return None;
        }
        let name = if rule.occurrences == 3 { "threefold" } else { "repetition" };
        Some(self.event(name, since, rule.standing, rule.article))
    }

    const fn event(&self, name: &'static str, since_ply: u32, standing: Standing, article: &'static str) -> DrawEvent {
        DrawEvent { name, since_ply, ply: self.ply, standing, article }
    }
}
