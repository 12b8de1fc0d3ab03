//! The opening moves of a player: a tree, and what changed lately.

use std::collections::HashSet;

use super::facts::Facts;
use crate::board::Side;
use crate::pdn::WrittenNumber;
use crate::query::openings::{OpeningLine, Openings, Played};
use crate::records::ChangeRow;
use crate::rules::{Move, Position};

/// Minimum number of games in a position, before and lately, for a change.
const MIN_GAMES: u64 = 3;
/// Minimum change of the share of a move.
const MIN_CHANGE: f64 = 0.25;
/// Maximum number of changes that are reported.
const MAX_CHANGES: usize = 10;

/// The games of a side before a year and since then.
pub(super) struct Repertoire {
    side: Side,
    root: Position,
    before: Openings,
    late: Openings,
}

impl Repertoire {
    pub(super) fn new<'a>(
        side: Side,
        root: Position,
        late_since: Option<u16>,
        games: impl Iterator<Item = &'a Facts>,
    ) -> Self {
        let mut repertoire = Self { side, root, before: Openings::default(), late: Openings::default() };
        for facts in games.filter(|facts| !facts.line.is_empty()) {
            let is_late = late_since.is_some_and(|since| facts.date[0] >= Some(since));
            let openings = if is_late { &mut repertoire.late } else { &mut repertoire.before };
            let played = Played::once(facts.winner, facts.ratings, facts.date[0]);
            openings.add(&OpeningLine::of(root, &facts.line), played);
        }
        repertoire
    }

    /// Returns all games as one tree.
    pub(super) fn into_openings(self) -> Openings {
        let mut all = self.before;
        all += self.late;
        all
    }

    /// Returns the moves of the player whose share changed most.
    pub(super) fn changes(&self) -> Vec<ChangeRow> {
        let mut changes = Vec::new();
        let (mut seen, mut waiting) = (HashSet::new(), vec![(self.root, String::new(), 0)]);
        while let Some((position, line, ply)) = waiting.pop() {
            // Lines may lead to a position in several orders of moves.
            if !seen.insert(position.variant_key()) {
                continue;
            }
            let branches = self.branches(&position);
            let games = |n: usize| branches.iter().map(|(.., games)| games[n]).sum::<u64>();
            let all = [games(0), games(1)];
            if all.iter().any(|&games| games < MIN_GAMES) {
                continue;
            }
            for (played, after, [before, late]) in branches {
                let text = numbered(&position, &played, ply, line.is_empty());
                if position.turn() == self.side {
                    let notation = numbered(&position, &played, ply, true);
                    changes.push(ChangeRow {
                        line: line.clone(),
                        notation,
                        before: [before, all[0]],
                        late: [late, all[1]],
                    });
                }
                waiting.push((after, format!("{line} {text}").trim_start().to_owned(), ply + 1));
            }
        }
        changes.retain(|change| size(change) >= MIN_CHANGE);
        changes.sort_by(|one, other| {
            size(other)
                .total_cmp(&size(one))
                .then_with(|| (&one.line, &one.notation).cmp(&(&other.line, &other.notation)))
        });
        changes.truncate(MAX_CHANGES);
        changes
    }

    /// Returns the moves in a position, each with its games before and lately, the most frequent last.
    fn branches(&self, position: &Position) -> Vec<(Move, Position, [u64; 2])> {
        let mut branches: Vec<(Move, Position, [u64; 2])> = Vec::new();
        for (n, openings) in [&self.before, &self.late].into_iter().enumerate() {
            for (played, after, games) in openings.played_at(position) {
                let known = branches.iter().position(|(known, ..)| *known == played);
                let place = known.unwrap_or_else(|| {
                    branches.push((played, after, [0; 2]));
                    branches.len() - 1
                });
                branches[place].2[n] += games;
            }
        }
        branches.sort_by_key(|(played, _, games)| (games[0] + games[1], *played));
        branches
    }
}

/// Returns the absolute change of the share of a move.
fn size(change: &ChangeRow) -> f64 {
    let share = |[part, all]: [u64; 2]| part as f64 / all.max(1) as f64;
    (share(change.late) - share(change.before)).abs()
}

/// Returns a move with its number, if it begins a pair or a line.
pub(super) fn numbered(before: &Position, played: &Move, ply: usize, is_first: bool) -> String {
    let text = before.short(played);
    WrittenNumber::in_line(ply, is_first).map_or_else(|| text.clone(), |number| format!("{number} {text}"))
}
