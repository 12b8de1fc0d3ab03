//! The transposition table: what was found out about positions, found again by their keys.

use crate::board::Geometry;
use crate::rules::Step;

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// A stored result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    pub(super) score: i16,
    pub(super) depth: i8,
    pub(super) bound: Bound,
    /// First and last square of the best move; equal where none is known (also for the rare circular captures).
    from: u8,
    to: u8,
    /// Game in which it was stored; entries of other games count as absent.
    game: u16,
}

impl Entry {
    const ABSENT: Self = Self { key: 0, score: 0, depth: 0, bound: Bound::Exact, from: 0, to: 0, game: 0 };

    /// Whether this is the best move that was stored.
    pub(super) fn is_best<G: Geometry>(&self, step: &Step<G>) -> bool {
        (self.from, self.to) == (step.from, step.to)
    }
}

/// Entries of one cluster share a cache line.
const CLUSTER: usize = 4;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Cluster([Entry; CLUSTER]);

/// A table of fixed size.
pub(super) struct Table {
    clusters: Vec<Cluster>,
    game: u16,
}

impl Table {
    /// Returns a table of at most this many megabytes, at least one.
    pub(super) fn new(megabytes: usize) -> Self {
        let wanted = megabytes.max(1) * (1 << 20) / size_of::<Cluster>();
        let count = 1_usize << wanted.ilog2();
        Self { clusters: vec![Cluster([Entry::ABSENT; CLUSTER]); count], game: 1 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        if self.game == u16::MAX {
            self.clusters.fill(Cluster([Entry::ABSENT; CLUSTER]));
            self.game = 0;
        }
        self.game += 1;
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.clusters.len() - 1)
    }

    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let cluster = &self.clusters[self.index(key)];
        cluster.0.iter().find(|entry| entry.key == key && entry.game == self.game).copied()
    }

    /// Stores a result, over an older one of the same position or else over the shallowest.
    pub(super) fn store<G: Geometry>(
        &mut self,
        key: u64,
        depth: i32,
        score: i32,
        bound: Bound,
        best: Option<&Step<G>>,
    ) {
        let (index, game) = (self.index(key), self.game);
        let cluster = &mut self.clusters[index].0;
        let worth = |entry: &Entry| if entry.game == game { i32::from(entry.depth) } else { i32::MIN };
        let same = cluster.iter().position(|entry| entry.key == key && entry.game == game);
        let shallowest = || (0..CLUSTER).min_by_key(|&n| worth(&cluster[n])).unwrap_or(0);
        let place = same.unwrap_or_else(shallowest);
        let old = (cluster[place].from, cluster[place].to);
        let kept = if same.is_some() { old } else { (0, 0) };
        let (from, to) = best.map_or(kept, |step| (step.from, step.to));
        let (score, depth) = (score as i16, depth.clamp(-128, 127) as i8);
        cluster[place] = Entry { key, score, depth, bound, from, to, game };
    }
}
