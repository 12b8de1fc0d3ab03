//! The identity of games: whether two records with the same moves are copies of one game.

use std::borrow::Cow;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::players::{Name, event_and_round, round_and_board, round_number};
use crate::check::CheckedGame;
use crate::notation::{DateParts, Outcome, one_space};

/// The players and circumstances of a game as hashes, in 40 bytes.
///
/// Two games with the same moves are copies if their players are the same: equal names, apart from case, accents and order, in
/// the same round if it is known; or similar names (a transcription, initials for a given name, an unknown player), if no
/// date, event, round or result contradicts this. Two games without player names are copies too, because only their moves can
/// be compared. Other games with the same moves are different games: short draws are often repeated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Identity {
    /// Both names as written, apart from case, accents and order.
    pub(super) players: u64,
    sides: [NameKey; 2],
    /// Hashes of the other known details; 0: unknown.
    event: u32,
    round: u32,
    /// The board within the round: `3.2` may be the copy of a game in round `3`, but not in `3.1`.
    board: u16,
    date: [u16; 2],
    pub(super) result: u8,
}

/// The name of a player, as hashes; 0: unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct NameKey {
    surname: u32,
    initial: u16,
    given: u16,
}

impl NameKey {
    fn of(name: &Name) -> Self {
        let (surname, initial, given) = name.key();
        // 0 stands for an unknown name.
        let small = |part: &[char]| (hash(&part) as u16).max(1);
        Self {
            surname: (hash(&surname) as u32).max(1),
            initial: initial.map_or(0, |initial| small(&[initial])),
            given: given.map_or(0, small),
        }
    }

    fn is_similar(self, other: Self) -> bool {
        let agree = |one: u32, other: u32| one == other || one == 0 || other == 0;
        agree(self.surname, other.surname)
            && agree(self.initial.into(), other.initial.into())
            && agree(self.given.into(), other.given.into())
    }
}

pub(super) fn hash(part: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    part.hash(&mut hasher);
    hasher.finish()
}

/// Returns a hash of a text that is never 0.
fn text_hash(text: &str) -> u32 {
    (hash(&super::expression::folded(&one_space(text))) as u32).max(1)
}

impl Identity {
    pub(super) fn of(game: &CheckedGame<'_>) -> Self {
        // A hash of the whole name, and its parts.
        let name = |tag| {
            let Some(text) = game.known_tag(tag) else { return (0, NameKey::default()) };
            match Name::read(text) {
                Some(name) => (text_hash(&name.parts), NameKey::of(&name)),
                None => (text_hash(text), NameKey { surname: text_hash(text), ..NameKey::default() }),
            }
        };
        let [(white, white_key), (black, black_key)] = ["White", "Black"].map(name);
        let (event, of_event) = game.known_tag("Event").map(event_and_round).unzip();
        let number = |round| round_number(round).map_or(Cow::from(round), Cow::from);
        let round = game.known_tag("Round").map(number).or(of_event.flatten().map(Cow::from));
        let (round, board) = round.as_deref().map(round_and_board).unzip();
        let [year, month, day]: DateParts = game.date();
        let result = match game.winner() {
            None => 0,
            Some(Outcome::Draw) => 1,
            Some(Outcome::Win(side)) => 2 + side as u8,
        };
        Self {
            players: u64::from(white) << 32 | u64::from(black),
            sides: [white_key, black_key],
            event: event.map_or(0, text_hash),
            round: round.map_or(0, text_hash),
            board: board.flatten().map_or(0, |board| (text_hash(board) as u16).max(1)),
            date: [year.unwrap_or(0), month.unwrap_or(0) << 8 | day.unwrap_or(0)],
            result,
        }
    }

    /// Returns true if two games with the same moves are copies of one game.
    pub(super) fn is_copy_of(&self, other: &Self) -> bool {
        let differ = |one: u32, other: u32| one != other && one != 0 && other != 0;
        let apart = differ(self.event, other.event);
        let other_round = differ(self.round, other.round) || differ(self.board.into(), other.board.into());
        if self.players == 0 && other.players == 0 {
            return true;
        }
        let has_both = |names: u64| names >> 32 != 0 && names as u32 != 0;
        if self.players == other.players && has_both(self.players) {
            return apart || !other_round;
        }
        let dates = self.date.iter().zip(other.date).any(|(&one, other)| differ(one.into(), other.into()));
        let results = differ(self.result.into(), other.result.into());
        let similar = self.sides.iter().zip(other.sides).all(|(one, other)| one.is_similar(other));
        // An unknown player is the other one only in the same round, or on the same day, of the same event.
        let is_known = self.sides.iter().chain(&other.sides).all(|side| side.surname != 0);
        let same_day = self.date == other.date && self.date[1] & 0xff != 0;
        let same_round = self.round == other.round && self.round != 0;
        let is_close = is_known || self.event == other.event && self.event != 0 && (same_round || same_day);
        similar && is_close && !(apart || other_round || dates || results)
    }

    /// Returns a fingerprint for a game without moves, if its players and its round are known.
    pub(super) fn print(&self) -> Option<u128> {
        let is_known = self.players >> 32 != 0 && self.players as u32 != 0 && self.round != 0;
        is_known.then(|| u128::from(hash(&("no moves", self.players, self.round, self.event, self.result))) << 64)
    }

    /// Returns true if a game with fewer moves may be the beginning of this one, whatever its result.
    pub(super) fn is_beginning_like(&self, shorter: &Self) -> bool {
        self.is_copy_of(&Self { result: self.result, ..*shorter })
    }

    /// Returns true if a game with fewer moves is this one without its last moves, however few are left: the players, the day and
    /// the round are known and the same.
    pub(super) fn is_cut_off_as(&self, shorter: &Self) -> bool {
        let is_known =
            self.players >> 32 != 0 && self.players as u32 != 0 && self.date[1] & 0xff != 0 && self.round != 0;
        let same = (self.players, self.date, self.round) == (shorter.players, shorter.date, shorter.round);
        is_known && same && self.is_beginning_like(shorter)
    }
}
