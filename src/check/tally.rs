//! Games and moves in numbers.

use super::{CheckOptions, PlainDetail, PlainReader, Review};
use crate::pdn::{NodeId, Parsed, ReadAs, games_as};
use crate::replay::{Ply, ReplayedGame, evidence};

/// What was played and found, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Games read.
    pub games: u64,
    /// Games whose moves are all plain, which were played without a tree.
    pub plain_games: u64,
    /// Moves written, variations included.
    pub moves: u64,
    /// Moves that could be played, variations included.
    pub played: u64,
    /// Diagnostics in games.
    pub diagnostics: u64,
}

/// Reads, replays and checks all games in the bytes as `pdn check` does, and counts them.
///
/// # Examples
///
/// ```
/// use pdn::check::{CheckOptions, tally};
///
/// let tally = tally(b"[GameType \"20\"] 1. 32-28 19-23 (18-23) 2. 28x19 *", &CheckOptions::default());
/// assert_eq!((tally.games, tally.moves, tally.played, tally.diagnostics), (1, 4, 4, 0));
/// ```
pub fn tally(bytes: &[u8], options: &CheckOptions) -> Tally {
    let options = options.clone().for_file(evidence(bytes));
    let mut tally = Tally::default();
    let mut games = games_as(bytes, ReadAs { always: options.encoding, ..ReadAs::default() });
    match PlainReader::new(bytes, &options, PlainDetail::Diagnostics) {
        Some(mut plain) => {
            while let Some(read) = games.next_with(&mut plain, PlainReader::finish) {
                match read {
                    Ok(mut game) => {
                        game.set_number(tally.games + 1, &options.replay);
                        tally.count_plain(game.moves(), game.diagnostics().len());
                    }
                    Err(parsed) => tally.review(parsed, bytes, &options),
                }
            }
        }
        None => games.for_each(|parsed| tally.review(parsed, bytes, &options)),
    }
    tally
}

impl Tally {
    const fn count_plain(&mut self, moves: usize, diagnostics: usize) {
        self.games += 1;
        self.plain_games += 1;
        self.moves += moves as u64;
        self.played += moves as u64;
        self.diagnostics += diagnostics as u64;
    }

    fn review(&mut self, parsed: Parsed, bytes: &[u8], options: &CheckOptions) {
        self.games += 1;
        let review = Review::new(parsed, self.games, bytes, options);
        self.diagnostics += review.diagnostics().len() as u64;
        self.count_moves(review.game());
    }

    fn count_moves(&mut self, game: &ReplayedGame) {
        for (n, _) in game.tree().nodes().iter().enumerate().filter(|(_, node)| node.kind().is_written_move()) {
            self.moves += 1;
            self.played += u64::from(game.ply(NodeId::new(n as u32)).is_some_and(Ply::is_played));
        }
    }
}
