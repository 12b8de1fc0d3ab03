//! The contest of variants for the games of a file.

use std::sync::LazyLock;

use super::Inference;
use super::habits::Habits;
use super::names::Naming;
use super::set::VariantSet;
use super::trial::{Game, Trial};
use crate::notation::Numbering;
use crate::pdn::GameTree;
use crate::rules::{RuleSpec, Variant};

// What counts against a variant, in thousandths of a natural logarithm of odds.

/// A game that cannot be played to its end, but by another variant. About one record in a thousand has a wrong move.
const NOT_PLAYED: i64 = 8000;
/// No game can be played to its end, but some can by another variant: more than all that is unusual.
const NEVER_PLAYED: i64 = 30_000;
/// A move less than another variant can play.
const MOVE_LESS: i64 = 1000;
/// A game that the other side begins.
const TURNED: i64 = 6000;
/// A move that is not written as it should be, and how many of them count in a game.
const DEVIATION: i64 = 1000;
const MAX_DEVIATIONS: i64 = 3;
/// A result that the board contradicts, and one that the board does not confirm although it does by another variant.
const CONTRADICTED: i64 = 5000;
const UNCONFIRMED: i64 = 700;
/// A player does not choose by chance: choices count half as much as if they did.
const CHOICE_DIVISOR: i64 = 2;

/// A variant whose cost exceeds the least by more than this plays no more games.
const HOPELESS: i64 = 40_000;
/// A variant whose cost without that of what is usual exceeds that of the best one by this does not play the games alike.
const BEHIND: i64 = 10_000;
/// Moves that convince where no game can be played to its end.
const CONVINCING: u64 = 4;

/// A variant that takes part, and what counts against it.
#[derive(Clone, Debug)]
struct Hypothesis {
    variant: Variant,
    numbering: Numbering,
    cost: i64,
    /// Games that another one plays better.
    faults: u64,
    played: u64,
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
    first: u64,
    games: u64,
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
    fn of(trials: &[Trial]) -> Self {
        let whole = || trials.iter().filter(|trial| trial.is_whole);
        Self {
            is_whole: whole().next().is_some(),
            played: trials.iter().map(|trial| trial.played).max().unwrap_or(0),
            surprise: whole().map(|trial| trial.surprise).min().unwrap_or(0),
            is_confirmed: whole().any(|trial| trial.agrees == Some(true)),
        }
    }
}

impl Hypothesis {
    fn new(variant: Variant, numbering: Numbering) -> Self {
        Self { variant, numbering, cost: 0, faults: 0, played: 0, whole: 0, has_begun: false }
    }

    /// Counts what a game says.
    fn charge(&mut self, trial: &Trial, best: &Best, has_moves: bool) {
        self.played += if has_moves { trial.played } else { 0 };
        self.whole += u64::from(trial.is_whole && has_moves);
        self.has_begun |= trial.has_begun;
        let is_behind = trial.played < best.played || best.is_whole && !trial.is_whole;
        self.faults += u64::from(is_behind || trial.is_turned);
        self.cost += i64::from(trial.is_turned) * TURNED + MAX_DEVIATIONS.min(trial.deviations as i64) * DEVIATION;
        self.cost += match (trial.is_whole, best.is_whole) {
            (true, _) => (trial.surprise - best.surprise) as i64 / CHOICE_DIVISOR,
            (false, true) => NOT_PLAYED,
            (false, false) => NOT_PLAYED.min((best.played - trial.played) as i64 * MOVE_LESS),
        };
        self.cost += match trial.agrees {
            Some(true) => 0,
            Some(false) => CONTRADICTED,
            None => i64::from(best.is_confirmed) * UNCONFIRMED,
        };
    }

    /// Returns true if it plays all games without kings as another one does.
    fn plays_men_like(&self, other: &Self) -> bool {
        let alike = || self.variant.index().is_some_and(|index| MEN_ALIKE[index].contains(other.variant));
        self.numbering == other.numbering && alike()
    }
}

/// The variants that play all games without kings as each variant does, in the order of [`Variant::ALL`].
static MEN_ALIKE: LazyLock<Vec<VariantSet>> = LazyLock::new(|| {
    let all = Variant::ALL.iter().copied();
    all.clone().map(|a| all.clone().filter(|b| plays_men_like(a.spec(), b.spec())).collect()).collect()
});

/// Returns true if two variants have the same rules where there are no kings.
fn plays_men_like(a: &RuleSpec, b: &RuleSpec) -> bool {
    let without_kings = RuleSpec {
        name: b.name,
        king_landing: b.king_landing,
        king_move_limit: b.king_move_limit,
        goal: b.goal,
        draws: b.draws.clone(),
        ..a.clone()
    };
    without_kings == *b
}

impl Contest {
    /// Returns a contest of all variants, or those on a board of this size.
    pub(super) fn new(naming: Naming, size: Option<(u8, u8)>) -> Self {
        Self { naming, size, hypotheses: Vec::new(), habits: Habits::default(), first: 0, games: 0, written: 0 }
    }

    /// Sets the number of the first game that takes part.
    pub(super) fn set_first(&mut self, number: u64) {
        if self.first == 0 {
            self.first = number;
        }
    }

    /// Hears of a game with the GameType of a variant.
    pub(super) fn hear_of(&mut self, variant: Option<Variant>) {
        if let Some(variant) = variant {
            self.habits.see_tagged(variant);
        }
    }

    /// Returns true if a game took part.
    pub(super) const fn has_heard(&self) -> bool {
        self.games > 0
    }

    /// Lets all variants play a game.
    pub(super) fn hear(&mut self, tree: &GameTree) {
        let game = Game::new(tree);
        self.habits.see(tree);
        if self.hypotheses.is_empty() {
            self.hypotheses = self.all_hypotheses();
        }
        self.games += 1;
        self.written += if game.has_moves { game.written } else { 0 };
        let trials = self.trials(&game);
        let best = Best::of(&trials);
        for (hypothesis, trial) in self.hypotheses.iter_mut().zip(&trials) {
            hypothesis.charge(trial, &best, game.has_moves);
        }
        self.drop_hopeless();
    }

    fn all_hypotheses(&self) -> Vec<Hypothesis> {
        let letters = self.habits.squares().files > 0;
        let fits = |variant: &&Variant| {
            self.size.is_none_or(|size| size == (variant.shape().width(), variant.shape().height()))
        };
        let of = |&variant: &Variant| {
            self.naming.of(variant, letters).into_iter().map(move |numbering| Hypothesis::new(variant, numbering))
        };
        Variant::ALL.iter().filter(fits).flat_map(of).collect()
    }

    /// Plays a game by each variant; of those that play it alike by one.
    fn trials(&self, game: &Game<'_>) -> Vec<Trial> {
        let mut trials: Vec<Trial> = Vec::with_capacity(self.hypotheses.len());
        for hypothesis in &self.hypotheses {
            let earlier = self.hypotheses.iter().zip(&trials).find(|(earlier, _)| hypothesis.plays_men_like(earlier));
            let known = earlier.map(|(_, trial)| *trial).filter(|trial| trial.is_plain);
            trials.push(known.unwrap_or_else(|| game.play(hypothesis.variant, hypothesis.numbering)));
        }
        trials
    }

    fn drop_hopeless(&mut self) {
        let least = self.hypotheses.iter().map(|hypothesis| hypothesis.cost).min().unwrap_or(0);
        self.hypotheses.retain(|hypothesis| hypothesis.cost - least <= HOPELESS);
    }

    /// Returns true if only one variant is left.
    pub(super) fn is_settled(&self) -> bool {
        matches!(self.hypotheses[..], [_])
    }

    /// Returns true if the best variant plays most games to their ends, or there are no moves.
    pub(super) fn fits_most(&self) -> bool {
        self.written == 0 || self.best().is_some_and(|best| 2 * best.whole > self.games)
    }

    /// Returns the contest whose best variant plays more games to their ends, this one if they are equal.
    pub(super) fn better(self, other: Self) -> Self {
        let rank = |contest: &Self| contest.best().map(|best| (best.whole, best.played));
        if rank(&other) > rank(&self) { other } else { self }
    }

    fn best(&self) -> Option<&Hypothesis> {
        self.hypotheses.iter().min_by_key(|hypothesis| self.total(hypothesis))
    }

    fn best_tagged(&self) -> Option<&Hypothesis> {
        let tagged = self.hypotheses.iter().filter(|hypothesis| self.habits.is_tagged(hypothesis.variant));
        tagged.min_by_key(|hypothesis| self.total(hypothesis))
    }

    fn total(&self, hypothesis: &Hypothesis) -> i64 {
        let never = hypothesis.whole == 0 && self.hypotheses.iter().any(|other| other.whole > 0);
        let habits = self.habits.cost(hypothesis.variant, hypothesis.numbering);
        hypothesis.cost + habits + if never { NEVER_PLAYED } else { 0 }
    }

    /// Decides: the best variant is taken if it convinces or, where there are neither moves nor positions, the best of those
    /// that other games have as GameType.
    pub(super) fn decision(&self) -> Inference {
        let undecided = Inference { first: self.first, ..Inference::default() };
        let convincing = self.best().filter(|best| self.is_convincing(best));
        let is_empty = self.written == 0 && self.habits.squares().is_empty();
        let Some(best) = convincing.or_else(|| self.best_tagged().filter(|_| is_empty)) else { return undecided };
        Inference {
            taken: Some((best.variant, best.numbering)),
            others: self.others(best),
            first: self.first,
            played: best.played,
            written: self.written,
        }
    }

    /// Returns true if there is evidence enough for a variant: games played to their ends, or many moves, or squares that
    /// only one common board has.
    fn is_convincing(&self, best: &Hypothesis) -> bool {
        let has_begun = best.has_begun && (best.played > 0 || self.written == 0);
        let is_named = || self.habits.squares().names_board_of(best.variant);
        best.whole > 0 || best.played >= CONVINCING || has_begun && is_named()
    }

    /// Returns the other variants that play all games as well as the best.
    fn others(&self, best: &Hypothesis) -> VariantSet {
        let is_alike = |other: &&Hypothesis| {
            other.faults <= best.faults && other.has_begun == best.has_begun && other.cost - best.cost < BEHIND
        };
        let mut others: VariantSet = self.hypotheses.iter().filter(is_alike).map(|other| other.variant).collect();
        others.remove(best.variant);
        others
    }
}
