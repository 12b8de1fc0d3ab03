//! Follows a game and reports its draws.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::draws::{
    DrawCounters, DrawRules, LastPieces, Repetition, Standing, applies, is_last_pieces_draw, is_verified,
};
use super::position::{Move, Position};
use super::spec::{ManMoves, Rules, Task};
use crate::board::{Geometry, Word};

/// A draw in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrawEvent {
    /// Stable name: `threefold`, `25-move`, `last-pieces` …
    pub(super) name: &'static str,
    /// Ply from which it counts; 0 is the start of the game.
    pub(super) since_ply: u32,
    /// Ply that completes it.
    pub(super) ply: u32,
    /// Automatic or to be claimed.
    pub(super) standing: Standing,
    /// Article of the rules.
    pub(super) article: &'static str,
    /// True if the official text of the article was seen.
    pub(super) verified: bool,
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

    /// Returns true if the official text of the article was seen.
    pub const fn is_verified(&self) -> bool {
        self.verified
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
///     let next = position.play(&played)?;
///     assert!(tracker.record(&position, &played, &next).is_empty());
///     position = next;
/// }
/// # Ok::<(), pdn::rules::IllegalMove>(())
/// ```
#[derive(Clone, Debug)]
pub struct DrawTracker {
    rules: &'static DrawRules,
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
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl DrawTracker {
    /// Starts at a position with the draw rules of its variant.
    pub fn new(start: &Position) -> Self {
        Self::with_rules(start, &start.variant().spec().draws)
    }

    /// Starts at a position with other draw rules than those of its variant, such as
    /// [`DrawRules::BRAZILIAN_NATIONAL`].
    pub fn with_rules(start: &Position, rules: &'static DrawRules) -> Self {
        let counters = start.variant().dispatch(StartCounters(start, rules));
        Self { rules, repeated: Repeated::new(start), counters, ply: 0, last_pieces: false }
    }

    /// Records a move and returns the draws that it completes: each limit once, repetition once until the next irreversible
    /// move.
    pub fn record(&mut self, before: &Position, played: &Move, after: &Position) -> Vec<DrawEvent> {
        self.ply += 1;
        after.variant().dispatch(Follow { tracker: self, before, played, after })
    }

    fn repetition(&mut self, played: &Move, after: &Position, by_man: bool) -> Option<DrawEvent> {
        let rule = self.rules.repetition?;
        let forward = after.variant().spec().man_moves == ManMoves::DiagonallyForward;
        if played.is_capture() || played.promotes() || by_man && forward {
            self.repeated.restart(after, self.ply);
            return None;
        }
        let (since_ply, times) = self.repeated.count(after, self.ply);
        if times != u32::from(rule.occurrences) || std::mem::replace(&mut self.repeated.reported, true) {
            return None;
        }
        let name = if rule.occurrences == 3 { "threefold" } else { "repetition" };
        let Repetition { standing, article, .. } = rule;
        Some(DrawEvent { name, since_ply, ply: self.ply, standing, article, verified: is_verified(article) })
    }

    fn limits<G: Geometry>(&self, after: &super::State<G>) -> impl Iterator<Item = DrawEvent> {
        let reached = self.rules.limits.iter().zip(self.counters.plies());
        reached.filter(|(limit, plies)| *plies == Some(limit.plies) && applies(limit.ending, after)).map(
            |(limit, _)| DrawEvent {
                name: limit.name,
                since_ply: self.ply.saturating_sub(u32::from(limit.plies)),
                ply: self.ply,
                standing: limit.standing,
                article: limit.article,
                verified: is_verified(limit.article),
            },
        )
    }

    fn last_pieces_event(&self, LastPieces { article, .. }: LastPieces) -> DrawEvent {
        let (ply, standing) = (self.ply, Standing::Automatic);
        DrawEvent { name: "last-pieces", since_ply: ply, ply, standing, article, verified: is_verified(article) }
    }
}

struct StartCounters<'a>(&'a Position, &'static DrawRules);

impl Task for StartCounters<'_> {
    type Output = DrawCounters;

    fn run<R: Rules>(self, _: R) -> DrawCounters {
        DrawCounters::begin(self.1, &self.0.state::<R::Board>())
    }
}

struct Follow<'a> {
    tracker: &'a mut DrawTracker,
    before: &'a Position,
    played: &'a Move,
    after: &'a Position,
}

impl Task for Follow<'_> {
    type Output = Vec<DrawEvent>;

    fn run<R: Rules>(self, rules: R) -> Vec<DrawEvent> {
        let Self { tracker, played, .. } = self;
        let (before, after) = (self.before.state::<R::Board>(), self.after.state::<R::Board>());
        let step = played.step::<R::Board>();
        let by_man = (before.kings & Word::bit(step.from)).is_zero();
        tracker.counters = tracker.counters.follow(tracker.rules, &before, &step, &after);
        let mut events: Vec<_> = tracker.repetition(played, self.after, by_man).into_iter().collect();
        events.extend(tracker.limits(&after));
        if !tracker.last_pieces
            && let Some(last) = tracker.rules.last_pieces
            && is_last_pieces_draw(rules, last, &after)
        {
            tracker.last_pieces = true;
            events.push(tracker.last_pieces_event(last));
        }
        events
    }
}
