//! Counts of games and diagnostics.

use std::ops::AddAssign;
use std::time::Duration;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::{CheckOptions, Review};
use crate::diag::{Diagnostic, Severity};
use crate::import::games_as;
use crate::pdn::{NodeId, Parsed};
use crate::replay::{Ply, ReplayedGame, evidence};
use crate::text::Format;

/// Counts of what was checked and found.
///
/// # Examples
///
/// ```
/// use pdn::check::{CheckOptions, Summary, reviews};
/// use pdn::diag::Severity;
///
/// let mut summary = Summary::default();
/// for review in reviews(b"[GameType \"20\"] 1. 32-28 *\n\n[GameType \"20\"] 1. 31-22 *", CheckOptions::default()) {
///     summary.count_game(&review);
/// }
/// assert_eq!((summary.games(), summary.replayed_games(), summary.games_without_errors()), (2, 1, 1));
/// assert_eq!((summary.plies(), summary.diagnostics(Severity::Error)), (1, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    files: u64,
    games: u64,
    replayed: u64,
    without_errors: u64,
    without_moves: u64,
    unknown_variant: u64,
    unusable_position: u64,
    plies: u64,
    /// Number of diagnostics by severity.
    diagnostics: [u64; 3],
    time: Duration,
}

impl Summary {
    /// Counts a file.
    pub fn count_file(&mut self) {
        self.files += 1;
    }

    /// Counts a game and its diagnostics.
    pub fn count_game(&mut self, review: &Review) {
        let game = review.game();
        self.games += 1;
        self.replayed += u64::from(game.is_clean());
        self.without_errors += u64::from(!review.has_errors());
        self.plies += game.plies_played() as u64;
        if !game.is_clean() {
            self.count_unplayed(game);
        }
        review.diagnostics().iter().for_each(|diagnostic| self.count(diagnostic));
    }

    /// Counts the reason why a game was not replayed at all.
    fn count_unplayed(&mut self, game: &ReplayedGame) {
        if game.main_moves().next().is_none() {
            self.without_moves += 1;
        } else if game.variant().is_none() {
            self.unknown_variant += 1;
        } else if game.start().is_none() && game.plies_played() == 0 {
            self.unusable_position += 1;
        }
    }

    /// Counts a diagnostic, or all those that it represents.
    pub fn count(&mut self, diagnostic: &Diagnostic) {
        self.diagnostics[diagnostic.severity() as usize] += u64::from(diagnostic.count());
    }

    /// Subtracts diagnostics of a severity that turn out not to be reported.
    ///
    /// # Panics
    ///
    /// Panics in debug builds if fewer were counted.
    pub(crate) fn discount(&mut self, severity: Severity, count: u64) {
        self.diagnostics[severity as usize] -= count;
    }

    /// Sets the time taken.
    pub(crate) fn set_time(&mut self, time: Duration) {
        self.time = time;
    }

    /// Files read.
    pub const fn files(&self) -> u64 {
        self.files
    }

    /// Games found.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Games with at least one move whose main line could be replayed to its end.
    pub const fn replayed_games(&self) -> u64 {
        self.replayed
    }

    /// Games without a diagnostic of severity error.
    pub const fn games_without_errors(&self) -> u64 {
        self.without_errors
    }

    /// Games without moves.
    pub(crate) const fn games_without_moves(&self) -> u64 {
        self.without_moves
    }

    /// Games with moves that were not replayed because their variant is unknown.
    pub(crate) const fn games_of_unknown_variant(&self) -> u64 {
        self.unknown_variant
    }

    /// Games with moves that were not replayed because their starting position cannot be used.
    pub(crate) const fn games_with_unusable_position(&self) -> u64 {
        self.unusable_position
    }

    /// Games with moves and no known variant or position.
    pub const fn games_not_replayed(&self) -> u64 {
        self.unknown_variant + self.unusable_position
    }

    /// Moves of main lines that could be played.
    pub const fn plies(&self) -> u64 {
        self.plies
    }

    /// Diagnostics of a severity.
    pub const fn diagnostics(&self, severity: Severity) -> u64 {
        self.diagnostics[severity as usize]
    }

    /// The time taken.
    pub(crate) const fn time(&self) -> Duration {
        self.time
    }
}

/// As the fields of the last line of JSON output. `clean_games` is the former name of `replayed_games`.
impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = [
            ("files", self.files),
            ("games", self.games),
            ("clean_games", self.replayed),
            ("replayed_games", self.replayed),
            ("games_without_errors", self.without_errors),
            ("games_not_replayed", self.games_not_replayed()),
            ("plies", self.plies),
            ("errors", self.diagnostics(Severity::Error)),
            ("warnings", self.diagnostics(Severity::Warning)),
            ("notes", self.diagnostics(Severity::Note)),
        ];
        let mut fields = serializer.serialize_struct("Summary", counts.len() + 1)?;
        for (name, count) in &counts {
            fields.serialize_field(name, count)?;
        }
        fields.serialize_field("seconds", &self.time.as_secs_f64())?;
        fields.end()
    }
}

/// Adds the numbers and times of both.
impl AddAssign<&Self> for Summary {
    fn add_assign(&mut self, other: &Self) {
        self.files += other.files;
        self.games += other.games;
        self.replayed += other.replayed;
        self.without_errors += other.without_errors;
        self.without_moves += other.without_moves;
        self.unknown_variant += other.unknown_variant;
        self.unusable_position += other.unusable_position;
        self.plies += other.plies;
        for (count, more) in self.diagnostics.iter_mut().zip(other.diagnostics) {
            *count += more;
        }
        self.time += other.time;
    }
}

/// Counts of what was played and found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct Tally {
    /// Games read.
    pub games: u64,
    /// Moves written, variations included.
    pub moves: u64,
    /// Moves that could be played, variations included.
    pub played: u64,
    /// Diagnostics in games.
    pub diagnostics: u64,
}

/// Reads, replays and checks all games in the bytes as `pdn check` does, and counts them.
pub(crate) fn tally(bytes: &[u8], options: &CheckOptions) -> Tally {
    let options = options.clone().for_file(evidence(bytes));
    let mut tally = Tally::default();
    let games = games_as(bytes, Format::of(bytes), options.encoding);
    games.for_each(|parsed| tally.review(parsed, bytes, &options));
    tally
}

impl Tally {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, reviews};

    fn summary(text: &str) -> Summary {
        let mut summary = Summary::default();
        reviews(text.as_bytes(), CheckOptions::default()).for_each(|review| summary.count_game(&review));
        summary
    }

    #[test]
    fn games_are_counted_by_how_far_they_were_replayed() {
        for (text, [replayed, without_errors, without_moves, variant, position]) in [
            ("[GameType \"20\"] 1. 32-28 *", [1, 1, 0, 0, 0]),
            ("[GameType \"20\"] *", [0, 1, 1, 0, 0]),
            ("[GameType \"20\"] 1. 32-28 31-13 *", [0, 0, 0, 0, 0]),
            ("[GameType \"20\"] 1. 31-13 *", [0, 0, 0, 0, 0]),
            ("[Event \"?\"] 1. 3-1 *", [0, 1, 0, 1, 0]),
            ("[GameType \"1\"] 1. 32-28 *", [0, 0, 0, 1, 0]),
            ("[GameType \"20\"] [FEN \"nonsense\"] 1. 32-28 *", [0, 0, 0, 0, 1]),
        ] {
            let found = summary(text);
            let counts = [
                found.replayed_games(),
                found.games_without_errors(),
                found.games_without_moves(),
                found.games_of_unknown_variant(),
                found.games_with_unusable_position(),
            ];
            assert_eq!(counts, [replayed, without_errors, without_moves, variant, position], "{text}");
            assert_eq!(found.games_not_replayed(), variant + position);
        }
    }

    #[test]
    fn sums_have_the_numbers_of_both() {
        let (one, two) = ("[GameType \"20\"] 1. 32-28 31-13 *", "[GameType \"1\"] 1. 3-1 *");
        let mut sum = summary(one);
        sum += &summary(two);
        assert_eq!(sum, summary(&format!("{one}\n\n{two}")));
    }
}
