//! The comparison of variants by the games of a file.

use super::super::choose::game_type;
use super::super::walk::Purpose;
use super::Inference;
use super::habits::Habits;
use super::trial::{Record, Trial};
use super::variants::{KnownBy, Naming, VariantSet, is_common, known_by};
use crate::notation::Numbering;
use crate::rules::Variant;

// The costs of a variant, in thousandths of a natural logarithm of odds.

/// A game that cannot be played to its end, but by another variant. About one record in a thousand has a wrong move.
const NOT_PLAYED: i64 = 8000;
/// No game can be played to its end, but some can by another variant: more than all that is unusual.
const NEVER_PLAYED: i64 = 30_000;
/// One move fewer than another variant can play.
const MOVE_LESS: i64 = 1000;
/// A game that the other side begins.
const TURNED: i64 = 6000;
/// A move not written correctly, and the maximum number of them counted in a game.
const DEVIATION: i64 = 1000;
const MAX_DEVIATIONS: i64 = 3;
/// A result that the board contradicts, and one that the board does not confirm although it does by another variant.
const CONTRADICTED: i64 = 5000;
const UNCONFIRMED: i64 = 700;
/// A player does not choose by chance: choices count half as much as if they did.
const CHOICE_DIVISOR: i64 = 2;

/// A variant whose cost exceeds the lowest by more than this does not play any more games.
const HOPELESS: i64 = 40_000;
/// A variant whose cost without that of what is usual exceeds that of the best one by this does not play the games alike.
const BEHIND: i64 = 10_000;
/// Moves that convince where no game can be played to its end.
const CONVINCING: u64 = 4;

/// Maximum number of games compared: short ones without evidence would otherwise fill the first megabyte of a file.
const MAX_GAMES: u64 = 2000;
/// Maximum number of positions without moves that the variants are tried on: more add no information.
const MAX_POSITIONS: u64 = 200;
/// Moves, those of some eight games, after which a variant that fits far worse, or differs only in results that do not favour
/// it, is not expected to catch up: in giveaway and breakthrough draughts nearly every game is decided on the board.
const ENOUGH_MOVES: u64 = 500;
/// Moves, those of some thirty games, after which variants that play all games alike are taken as one: Spanish and
/// Portuguese draughts never differ, and Russian and pool only where a man is promoted during a capture.
const MANY_MOVES: u64 = 2000;

/// A variant that takes part, and its costs.
#[derive(Clone, Debug)]
struct Hypothesis {
    variant: Variant,
    numbering: Numbering,
    score: Score,
}

/// The evidence of the games for and against a variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Score {
    cost: i64,
    /// Games that fit another variant better.
    worse: u64,
    played: u64,
    /// The moves played, except in short games begun by the wrong side: an impossible first move does not count.
    counted: u64,
    /// Games with moves played to their ends.
    whole: u64,
    has_begun: bool,
}

/// The variants that take part, and what they have in common.
#[derive(Clone, Debug)]
pub(super) struct Contest {
    naming: Naming,
    size: Option<(u8, u8)>,
    hypotheses: Vec<Hypothesis>,
    habits: Habits,
    games: u64,
    /// All of them have a GameType, which cannot be used.
    all_typed: bool,
    /// Those of them without moves.
    positions: u64,
    written: u64,
}

/// The best of the trials of a game.
struct Best {
    is_whole: bool,
    played: u64,
    surprise: u64,
    is_confirmed: bool,
}

impl Best {
    fn of(trials: &[Trial], record: &Record<'_>) -> Self {
        let whole = || trials.iter().filter(|trial| trial.is_whole);
        Self {
            is_whole: whole().next().is_some(),
            played: trials.iter().map(|trial| trial.played).max().unwrap_or(0),
            surprise: whole().map(|trial| trial.surprise).min().unwrap_or(0),
            is_confirmed: whole().any(|trial| trial.agrees(record) == Some(true)),
        }
    }
}

impl Score {
    /// Adds the evidence of a game.
    fn add(&mut self, trial: &Trial, best: &Best, record: &Record<'_>) {
        if record.has_moves {
            let is_counted = !trial.is_turned || trial.played >= CONVINCING;
            self.played += trial.played;
            self.counted += if is_counted { trial.played } else { 0 };
            self.whole += u64::from(trial.is_whole);
        }
        self.has_begun |= trial.has_begun;
        let is_behind = trial.played < best.played || best.is_whole && !trial.is_whole;
        self.worse += u64::from(is_behind || trial.is_turned);
        self.cost += i64::from(trial.is_turned) * TURNED + MAX_DEVIATIONS.min(trial.deviations as i64) * DEVIATION;
        self.cost += match (trial.is_whole, best.is_whole) {
            (true, _) => (trial.surprise - best.surprise) as i64 / CHOICE_DIVISOR,
            (false, true) => NOT_PLAYED,
            (false, false) => NOT_PLAYED.min((best.played - trial.played) as i64 * MOVE_LESS),
        };
        self.cost += match trial.agrees(record) {
            Some(true) => 0,
            Some(false) => CONTRADICTED,
            None => i64::from(best.is_confirmed) * UNCONFIRMED,
        };
    }
}

impl Contest {
    /// Returns a contest of all variants, or those on a board of this size.
    pub(super) fn new(naming: Naming, size: Option<(u8, u8)>) -> Self {
        Self {
            naming,
            size,
            hypotheses: Vec::new(),
            habits: Habits::default(),
            games: 0,
            all_typed: true,
            positions: 0,
            written: 0,
        }
    }

    /// Adds a game with the GameType of a variant.
    pub(super) fn add_tagged(&mut self, variant: Option<Variant>) {
        if let Some(variant) = variant {
            self.habits.add_tagged(variant);
        }
    }

    /// Returns true if a game took part.
    pub(super) const fn has_games(&self) -> bool {
        self.games > 0
    }

    /// Returns true if a variant that takes part has played a move.
    pub(super) fn has_played(&self) -> bool {
        self.hypotheses.iter().any(|hypothesis| hypothesis.score.played > 0)
    }

    /// Adds a game without a GameType: all variants play it.
    pub(super) fn add_game(&mut self, record: &Record<'_>, purpose: Purpose) {
        self.habits.add_game(record.game.tree);
        self.all_typed &= game_type(record.game.tree).is_some();
        if self.hypotheses.is_empty() {
            self.hypotheses = self.all_hypotheses();
        }
        self.games += 1;
        self.positions += u64::from(!record.has_moves);
        if !record.has_moves && self.positions > MAX_POSITIONS {
            return;
        }
        self.written += if record.has_moves { record.written } else { 0 };
        let variants = self.hypotheses.iter().map(|hypothesis| (hypothesis.variant, hypothesis.numbering));
        let trials = record.trials(variants, purpose);
        let best = Best::of(&trials, record);
        for (hypothesis, trial) in self.hypotheses.iter_mut().zip(&trials) {
            hypothesis.score.add(trial, &best, record);
        }
        self.drop_hopeless();
    }

    fn all_hypotheses(&self) -> Vec<Hypothesis> {
        let letters = self.habits.squares().files > 0;
        let fits = |variant: &&Variant| {
            self.size.is_none_or(|size| size == (variant.shape().width(), variant.shape().height()))
        };
        let of = |&variant: &Variant| {
            let numberings = self.naming.of(variant, letters);
            numberings.map(move |numbering| Hypothesis { variant, numbering, score: Score::default() })
        };
        Variant::ALL.iter().filter(fits).flat_map(of).collect()
    }

    fn drop_hopeless(&mut self) {
        let least = self.hypotheses.iter().map(|hypothesis| hypothesis.score.cost).min().unwrap_or(0);
        self.hypotheses.retain(|hypothesis| hypothesis.score.cost - least <= HOPELESS);
    }

    /// Returns true if more games would hardly change the decision: one variant is left, or the others fit far worse, have played
    /// many games in full just as the best one has, or could differ only in their results, which do not favour them.
    pub(super) fn is_settled(&self) -> bool {
        if self.games >= MAX_GAMES {
            return true;
        }
        let Some(best) = self.candidates().min_by_key(|hypothesis| hypothesis.score.cost) else { return false };
        let is_settled = |other: &Hypothesis| {
            let is_kin = known_by(other.variant) == KnownBy::Results && other.score.cost >= best.score.cost;
            let is_outdone = is_kin || other.score.cost - best.score.cost >= BEHIND;
            let is_one = is_outdone || other.score == best.score;
            is_one && best.score.played >= if is_outdone { ENOUGH_MOVES } else { MANY_MOVES }
        };
        self.candidates().all(|other| std::ptr::eq(other, best) || is_settled(other))
    }

    /// Returns the variants that may be chosen.
    fn candidates(&self) -> impl Iterator<Item = &Hypothesis> {
        let may_be = |variant| known_by(variant) != KnownBy::Words || self.habits.is_named(variant);
        self.hypotheses.iter().filter(move |hypothesis| may_be(hypothesis.variant))
    }

    /// Returns true if the best variant plays most games to their ends, or there are no moves.
    pub(super) fn fits_most(&self) -> bool {
        self.written == 0 || self.best().is_some_and(|best| 2 * best.score.whole > self.games)
    }

    /// Returns the contest whose best variant plays more games to their ends, this one if they are equal.
    pub(super) fn better(self, other: Self) -> Self {
        let rank = |contest: &Self| contest.best().map(|best| (best.score.whole, best.score.played));
        if rank(&other) > rank(&self) { other } else { self }
    }

    fn best(&self) -> Option<&Hypothesis> {
        self.candidates().min_by_key(|hypothesis| self.total(hypothesis))
    }

    fn best_tagged(&self) -> Option<&Hypothesis> {
        let tagged = self.hypotheses.iter().filter(|hypothesis| self.habits.is_tagged(hypothesis.variant));
        tagged.min_by_key(|hypothesis| self.total(hypothesis))
    }

    fn total(&self, hypothesis: &Hypothesis) -> i64 {
        let never = hypothesis.score.whole == 0 && self.hypotheses.iter().any(|other| other.score.whole > 0);
        let habits = self.habits.cost(hypothesis.variant, hypothesis.numbering);
        hypothesis.score.cost + habits + if never { NEVER_PLAYED } else { 0 }
    }

    /// Decides: the best variant is chosen if it is convincing. Otherwise, if the games have a GameType that cannot be used, it
    /// is the one in the GameType tags of all other games and, without moves and positions, the best of those.
    pub(super) fn decision(&self) -> Inference {
        let convincing = self.best().filter(|best| self.is_convincing(best));
        let is_empty = self.written == 0 && self.habits.squares().is_empty();
        let is_tagged = self.habits.has_one_tagged() && self.all_typed;
        let is_known = |tagged: &&Hypothesis| is_empty || is_tagged && tagged.score.has_begun;
        let Some(best) = convincing.or_else(|| self.best_tagged().filter(is_known)) else {
            return Inference::default();
        };
        let is_certain = convincing.is_none() && !is_empty;
        Inference {
            taken: Some((best.variant, best.numbering)),
            others: if is_certain { VariantSet::default() } else { self.others(best) },
            played: best.score.played,
            written: self.written,
            ..Inference::default()
        }
    }

    /// Returns true if there is evidence enough for a variant: many moves, games played to their ends, or squares that only
    /// one common board has. A rare variant needs more than a few moves, which may fit it by chance.
    fn is_convincing(&self, best: &Hypothesis) -> bool {
        let score = &best.score;
        let is_likely = || is_common(best.variant) || self.habits.is_named(best.variant);
        let has_begun = score.has_begun && (score.counted > 0 || self.written == 0);
        let is_on_board = || self.habits.squares().names_board_of(best.variant);
        score.counted >= CONVINCING || score.counted > 0 && score.whole > 0 && is_likely() || has_begun && is_on_board()
    }

    /// Returns the other variants that play all games as well as the best, without those whose moves cannot point to
    /// them and which no tag names.
    fn others(&self, best: &Hypothesis) -> VariantSet {
        let is_alike = |other: &&Hypothesis| {
            other.score.worse <= best.score.worse
                && other.score.has_begun == best.score.has_begun
                && other.score.cost - best.score.cost < BEHIND
        };
        let is_offered = |variant: &Variant| {
            *variant != best.variant && (known_by(*variant) == KnownBy::Moves || self.habits.is_named(*variant))
        };
        self.hypotheses.iter().filter(is_alike).map(|other| other.variant).filter(is_offered).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::replay::opening::Written;

    /// Returns the number of games that take part until the contest is settled, and its decision.
    fn settled(text: &str) -> (u64, Option<Variant>) {
        let mut contest = Contest::new(Naming::Usual, None);
        for game in games(text.as_bytes()) {
            let tree = game.into_tree();
            let game = Written::new(&tree);
            contest.add_game(&Record::new(&game), Purpose::Trial);
            if contest.is_settled() {
                break;
            }
        }
        (contest.games, contest.decision().variant())
    }

    #[test]
    fn a_variant_far_behind_plays_no_more_games() {
        // In Frisian draughts 33 takes 23 instead of the last move. Breakthrough and giveaway draughts allow all of them.
        let moves = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 13-19 4. 41-37 *\n";
        assert_eq!(settled(&moves.repeat(1000)), (ENOUGH_MOVES / 7 + 1, Some(Variant::INTERNATIONAL)));
    }

    #[test]
    fn evidence_is_bounded() {
        assert_eq!(settled(&"1-2 *\n".repeat(2500)), (MAX_GAMES, None));
        // Spanish and Portuguese draughts have the same moves.
        let moves = "1. 10-13 23-20 2. 5-10 21-17 *\n";
        assert_eq!(settled(&moves.repeat(1000)), (MANY_MOVES / 4, Some(Variant::SPANISH)));
    }
}
