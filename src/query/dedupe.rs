//! Removal of duplicates: of copies, the best documented game is kept.

use std::collections::{HashMap, HashSet};

use super::identity::Identity;
use crate::check::{CheckedGame, fingerprints};

/// Minimum length in plies of a game that counts as the beginning of another: ten moves by each side, more than most openings.
pub(super) const MIN_BEGINNING: usize = 20;

/// The main line of a game, its players, and how well it is documented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Documented {
    prints: Vec<u128>,
    /// Number of moves.
    plies: u32,
    pub(super) identity: Identity,
    /// Number of tags with known values, and number of bytes.
    merit: (u32, u32),
}

impl Documented {
    /// Returns the entry of a game.
    pub(crate) fn new(game: &CheckedGame<'_>) -> Self {
        let identity = Identity::of(game);
        let prints = prints(game, &identity);
        let merit = (game.known_tags() as u32, game.bytes().len() as u32);
        Self { plies: prints.len() as u32, prints, identity, merit }
    }

    /// Returns the entry without the parts that [`Duplicates::add`] does not need.
    #[must_use]
    pub(crate) fn without_beginnings(mut self) -> Self {
        // Fingerprints of each ply would be most of the memory.
        self.prints.drain(..self.prints.len().saturating_sub(1));
        self.prints.shrink_to_fit();
        self
    }

    /// Returns the entry with a fingerprint of the players and the round if the game has no legal move.
    pub(super) fn or_by_tags(mut self) -> Self {
        if self.prints.is_empty() {
            self.prints.extend(self.identity.print());
        }
        self
    }

    /// Returns half of the fingerprint of all moves.
    pub(super) fn print(&self) -> u64 {
        self.prints.last().map_or(0, |&print| upper_half(print))
    }
}

/// Returns the fingerprints of the moves of a game. A result recorded without moves, such as a bye or a forfeit, has one of the players
/// and the round.
pub(super) fn prints(game: &CheckedGame<'_>, identity: &Identity) -> Vec<u128> {
    let mut prints = fingerprints(game.review().game());
    if is_result_alone(game) {
        prints.extend(identity.print());
    }
    prints
}

/// Returns true if a game has no moves, not even ones that cannot be played, and no position.
pub(super) fn is_result_alone(game: &CheckedGame<'_>) -> bool {
    game.review().game().tree().written_moves() == 0 && game.known_tag("FEN").is_none()
}

/// A game in 64 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// Half of its fingerprint.
    print: u64,
    identity: Identity,
    merit: (u32, u32),
    number: u32,
    /// The number of the game kept in its place.
    kept: u32,
}

/// Number of games with the same moves and other players that a game is compared with, apart from those with the same
/// names: short draws have the same moves many times.
const MAX_COMPARED: usize = 64;

/// Decides which games are kept. All games are added in order and then compared; after that, the answers are final.
///
/// Of copies of a game, the one with the most tags is kept, or else the one with the longest text, or else the first. A game of
/// at least twenty moves that is the beginning of another game between the same players is dropped, and a shorter one too if the
/// day and the round are the same. Games with the same moves
/// that are not copies are kept. Results without moves are copies if the players, the round, the event and the result are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Duplicates {
    /// Once settled, the games that are kept, in the order of their fingerprints.
    entries: Vec<Entry>,
    /// The fingerprints of games with fewer moves than [`MIN_BEGINNING`]: nearly no move of a game leads to one of them.
    short: HashSet<u64>,
    added: u32,
    dropped: Vec<bool>,
    /// The games kept in place of others, by the numbers of the others.
    kept: HashMap<u32, u32>,
    /// The number of games of each kind.
    pub(crate) counts: DuplicateCounts,
}

/// The number of games of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DuplicateCounts {
    /// Games dropped as copies of others.
    pub(crate) copies: u64,
    /// Games dropped as beginnings of others.
    pub(crate) beginnings: u64,
    /// Games that are kept although a game of other players has the same moves.
    pub(crate) same_moves: u64,
}

impl Duplicates {
    /// Adds the next game.
    pub(crate) fn add(&mut self, game: &Documented) {
        if let Some(&print) = game.prints.last() {
            let (print, number) = (upper_half(print), self.added);
            if game.plies < MIN_BEGINNING as u32 {
                self.short.insert(print);
            }
            self.entries.push(Entry { print, identity: game.identity, merit: game.merit, number, kept: number });
        }
        self.added += 1;
    }

    /// Finds the copies after the last game has been added.
    pub(crate) fn settle(&mut self) {
        self.dropped = vec![false; self.added as usize];
        let mut entries = std::mem::take(&mut self.entries);
        // Of copies the best record comes first, of equal ones the earliest.
        entries.sort_unstable_by_key(|entry| (entry.print, std::cmp::Reverse(entry.merit), entry.number));
        for same in entries.chunk_by_mut(|one, other| one.print == other.print) {
            self.settle_group(same);
        }
        entries.retain(|entry| entry.kept == entry.number);
        self.entries = entries;
    }

    /// Finds the copies among games with the same moves, the best documented first.
    fn settle_group(&mut self, games: &mut [Entry]) {
        let mut by_players: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut kept: Vec<usize> = Vec::new();
        for n in 0..games.len() {
            let own = games[n].identity;
            let same_names = by_players.entry(own.players).or_default();
            // Both lists are short, so that thousands of draws with the same moves take linear time.
            let compared = same_names.iter().chain(&kept).take(2 * MAX_COMPARED);
            let found = compared.copied().find(|&other| own.is_copy_of(&games[other].identity));
            if let Some(other) = found {
                games[n].kept = games[other].number;
                self.dropped[games[n].number as usize] = true;
                self.kept.insert(games[n].number, games[other].number);
                self.counts.copies += 1;
                continue;
            }
            self.counts.same_moves += u64::from(n > 0);
            if same_names.len() < MAX_COMPARED {
                same_names.push(n);
            }
            if kept.len() < MAX_COMPARED {
                kept.push(n);
            }
        }
    }

    /// Drops the games that are beginnings of a game, if that game is kept.
    pub(crate) fn compare(&mut self, number: u32, game: &Documented) {
        if self.is_dropped(number) {
            return;
        }
        // The last fingerprint is that of the whole game.
        let beginnings = game.prints.split_last().map_or(&[][..], |(_, beginnings)| beginnings);
        for (n, &print) in beginnings.iter().enumerate() {
            let print = upper_half(print);
            let is_short = n + 1 < MIN_BEGINNING;
            // Few games are so short: a set shows that without a search of all entries.
            if is_short && !self.short.contains(&print) {
                continue;
            }
            let shorter = &self.entries[self.entries.partition_point(|entry| entry.print < print)..];
            let shorter = shorter.iter().take_while(|entry| entry.print == print).take(MAX_COMPARED);
            let is_beginning = if is_short { Identity::is_cut_off_as } else { Identity::is_beginning_like };
            for entry in shorter.filter(|entry| is_beginning(&game.identity, &entry.identity)) {
                let dropped = &mut self.dropped[entry.number as usize];
                self.counts.beginnings += u64::from(!*dropped);
                *dropped = true;
            }
        }
    }

    /// Returns true if a game, given by its number from 0, is not kept.
    pub(crate) fn is_dropped(&self, number: u32) -> bool {
        self.dropped.get(number as usize).copied().unwrap_or(false)
    }

    /// Returns the number of the game kept in place of a copy.
    pub(crate) fn kept_for(&self, number: u32) -> Option<u32> {
        self.kept.get(&number).copied()
    }
}

/// Returns the upper half of a fingerprint, mixed with all bits of the lower half.
pub(super) const fn upper_half(print: u128) -> u64 {
    (print >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(prints: &[u128], merit: (u32, u32)) -> Documented {
        let plies = prints.len() as u32;
        Documented {
            prints: prints.iter().map(|print| print << 64).collect(),
            plies,
            identity: Identity::default(),
            merit,
        }
    }

    #[test]
    fn the_best_documented_game_stays() {
        let long: Vec<u128> = (1..=30).collect();
        let games = [
            game(&[7], (1, 90)),
            game(&[7], (2, 10)),
            game(&[7], (2, 10)),
            game(&[], (0, 0)),
            game(&long[..25], (9, 9)),
            game(&long, (0, 0)),
        ];
        let mut duplicates = Duplicates::default();
        for game in &games {
            duplicates.add(&game.clone().without_beginnings());
        }
        duplicates.settle();
        (0..).zip(&games).for_each(|(number, game)| duplicates.compare(number, game));
        let dropped: Vec<_> = (0..6).map(|number| duplicates.is_dropped(number)).collect();
        assert_eq!(dropped, [true, false, true, false, true, false]);
    }
}
