//! The decision between variants that were tried on the same games.

use std::cmp::Reverse;

use super::super::choose::tagged_variant;
use super::super::evidence::SquareEvidence;
use super::trial::Trial;
use super::words::{asked_variant, is_common, is_rare, named_in_tags, needs_name, rarity, variant_tag};
use super::{Counts, Inference, VariantSet};
use crate::board::{Corner, Names, Shape};
use crate::notation::Numbering;
use crate::pdn::{GameTree, NodeKind};
use crate::rules::Variant;

/// Moves that convince where no game can be played to its end.
const CONVINCING: u64 = 4;
/// Moves, those of some thirty games, after which a variant that has played all games to their ends is taken: those that play
/// them alike will not differ later either, as Spanish and Portuguese draughts, or Russian draughts and pool.
const ENOUGH_MOVES: u64 = 2000;
/// Maximum number of games tried: the first megabyte of a file may have 40,000 that no variant can play.
const MAX_GAMES: u64 = 500;
/// Games that no variant can play to the end after which the other ones like them are not tried by other variants either.
const HOPELESS: usize = 16;

/// Share of the games that one variant plays in a file of that variant: slips let others play a few of them.
const UNIFORM: (u64, u64) = (9, 10);

/// A variant with certain names of squares, and how it plays each game.
struct Candidate {
    variant: Variant,
    numbering: Numbering,
    trials: Vec<Trial>,
}

impl Candidate {
    fn whole(&self) -> u64 {
        self.trials.iter().filter(|trial| trial.is_whole).count() as u64
    }

    fn played(&self) -> u64 {
        self.trials.iter().map(|trial| trial.played).sum()
    }
}

/// Games without a GameType, played by all variants.
pub(super) struct Evidence {
    /// Names of squares from another corner than usual take part, instead of the usual ones.
    is_unusual: bool,
    size: Option<(u8, u8)>,
    candidates: Vec<Candidate>,
    games: u64,
    /// Moves in them, without null moves.
    written: u64,
    squares: SquareEvidence,
    /// Captures with a colon, and with a cross.
    colons: u32,
    crosses: u32,
    /// The variant that a tag `Variant` or the record of every game names, those that a word in a tag points to, and those of the
    /// games with a GameType, with the numbers of these games.
    asked: Option<Variant>,
    /// True if only the record of a game names the first of them: what was written without a tag may have been inferred, so that
    /// other variants remain possible.
    is_recorded: bool,
    named: VariantSet,
    tagged: Vec<(Variant, u64)>,
}

impl Evidence {
    /// Returns the evidence of no game but those with a GameType, for variants on a board of this size if one is given.
    pub(super) fn new(is_unusual: bool, size: Option<(u8, u8)>, tagged: Vec<(Variant, u64)>) -> Self {
        Self {
            is_unusual,
            size,
            candidates: Vec::new(),
            games: 0,
            written: 0,
            squares: SquareEvidence::default(),
            colons: 0,
            crosses: 0,
            asked: None,
            is_recorded: false,
            named: VariantSet::default(),
            tagged,
        }
    }

    /// Returns the variants of the games with a GameType, with the numbers of these games.
    pub(super) fn into_tagged(self) -> Vec<(Variant, u64)> {
        self.tagged
    }

    /// Adds a game with a GameType.
    pub(super) fn add_tagged(&mut self, tree: &GameTree) {
        let Some(variant) = tagged_variant(tree) else { return };
        match self.tagged.iter_mut().find(|(known, _)| *known == variant) {
            Some((_, games)) => *games += 1,
            None => self.tagged.push((variant, 1)),
        }
    }

    /// Adds a game without a GameType: all variants play it.
    pub(super) fn add_game(&mut self, tree: &GameTree) {
        self.squares.add_game(tree);
        // A tag that the games do not share says nothing about the others.
        self.asked = asked_variant(tree).filter(|&asked| self.games == 0 || self.asked == Some(asked));
        self.is_recorded |= variant_tag(tree).is_none();
        self.named.extend(named_in_tags(tree));
        for &id in tree.main_line().nodes() {
            let NodeKind::Move(text) = tree.node(id).kind() else { continue };
            self.written += 1;
            if text.captures() == Some(true) {
                self.colons += u32::from(text.text().contains(':'));
                self.crosses += u32::from(text.text().contains(['x', 'X']));
            }
        }
        // The first game shows if squares are written as letters or numbers.
        if self.games == 0 {
            self.candidates = self.all_candidates();
        }
        self.games += 1;
        for candidate in &mut self.candidates {
            candidate.trials.push(Trial::of(tree, candidate.variant, candidate.numbering));
        }
    }

    fn all_candidates(&self) -> Vec<Candidate> {
        let fits = |variant: &&Variant| {
            self.size.is_none_or(|size| size == (variant.shape().width(), variant.shape().height()))
        };
        let of = |&variant: &Variant| {
            let names = names(variant, self.squares.has_letters(), self.is_unusual).into_iter();
            names.map(move |numbering| Candidate { variant, numbering, trials: Vec::new() })
        };
        Variant::ALL.iter().filter(fits).flat_map(of).collect()
    }

    /// Returns true if no more games are needed.
    pub(super) fn is_enough(&self) -> bool {
        let is_settled = |one: &Candidate| one.played() >= ENOUGH_MOVES && one.whole() == self.games;
        self.games >= MAX_GAMES || self.written >= ENOUGH_MOVES && self.candidates.iter().any(is_settled)
    }

    /// Returns true if the best variant plays most games to their ends, or there are no moves. Games with a GameType count as
    /// played: once some games have one, the others are not named from another corner.
    pub(super) fn fits_most(&self) -> bool {
        let tagged = self.all_tagged();
        self.written == 0 || self.best().is_some_and(|best| 2 * (best.whole() + tagged) > self.games + tagged)
    }

    /// Returns the evidence whose best variant plays more, this one if they are equal. Here, too, games with a GameType count as
    /// played by the usual names of squares.
    pub(super) fn better(self, unusual: Self) -> Self {
        let most = |evidence: &Self, tagged| evidence.best().map(|best| (best.whole() + tagged, best.played()));
        if most(&unusual, 0) > most(&self, self.all_tagged()) { unusual } else { self }
    }

    /// Returns the number of games with a GameType.
    fn all_tagged(&self) -> u64 {
        self.tagged.iter().map(|(_, games)| games).sum()
    }

    /// Returns the best of the variants: one that the records give; one that a tag `Variant` names if it plays as much as any; then
    /// the one that plays most games to their ends; most moves of the others; whose first side, letters, signs and board are those
    /// of the games; that a word in a tag names; the most common one.
    fn best(&self) -> Option<&Candidate> {
        let may_be = |one: &&Candidate| !needs_name(one.variant) || self.is_named(one.variant);
        let unplayed: Vec<usize> = self.unplayed().collect();
        let most = |one: &Candidate| {
            let moves: u64 = unplayed.iter().map(|&game| one.trials[game].played).sum();
            (one.whole(), moves)
        };
        let key = |one: &&Candidate| {
            let is_asked = self.asked == Some(one.variant);
            let named = self.is_named(one.variant);
            let is_usual = (is_common(one.variant), !self.has_other_sign(one), !is_turned(one));
            (
                is_asked && self.is_recorded,
                most(one),
                is_asked,
                Reverse(self.oddities(one)),
                named,
                is_usual,
                Reverse(rarity(one.variant)),
            )
        };
        // `max_by_key` takes the last of equal ones: backwards, that is the first.
        self.candidates.iter().filter(may_be).rev().max_by_key(key)
    }

    /// Returns the indices of the games that no variant plays to the end.
    fn unplayed(&self) -> impl Iterator<Item = usize> {
        let is_played = |&game: &usize| self.candidates.iter().any(|one| one.trials[game].is_whole);
        (0..self.games as usize).filter(move |game| !is_played(game))
    }

    fn is_named(&self, variant: Variant) -> bool {
        self.asked == Some(variant) || self.named.contains(variant) || self.tagged(variant) > 0
    }

    /// Returns how many habits of a variant the games do not have. The first side counts twice: records with letters instead of
    /// numbers, or crosses instead of colons, are more common than those that begin with the other side.
    fn oddities(&self, one: &Candidate) -> usize {
        let own = Numbering::for_variant(one.variant);
        let board = u32::from(own.shape().width()) * u32::from(own.shape().height());
        let oddities = [
            is_turned(one),
            is_turned(one),
            one.numbering != own,
            !self.squares.is_empty() && self.squares.has_letters() != own.is_algebraic(),
            self.has_other_sign(one),
            is_rare(one.variant) && self.asked != Some(one.variant) && !self.named.contains(one.variant),
            board > u32::from(self.squares.area()),
        ];
        oddities.into_iter().filter(|&is_odd| is_odd).count()
    }

    /// Returns true if the games have mostly colons and the variant crosses, or the other way about.
    fn has_other_sign(&self, one: &Candidate) -> bool {
        let has_colon = Numbering::for_variant(one.variant).capture_sign() == ':';
        if self.colons > self.crosses { !has_colon } else { self.crosses > 0 && has_colon }
    }

    /// Returns the number of games with a GameType of a variant.
    fn tagged(&self, variant: Variant) -> u64 {
        self.tagged.iter().find(|(known, _)| *known == variant).map_or(0, |(_, games)| *games)
    }

    /// Returns the variant of most games with a GameType, if it has these positions and no variant plays any moves to the end:
    /// `fmt` gives a GameType to all other games, and its output must be read as its input was.
    fn of_tagged(&self) -> Option<&Candidate> {
        let has_whole = |one: &Candidate| one.trials.iter().any(|trial| trial.is_whole && trial.played > 0);
        if self.asked.is_some() || self.candidates.iter().any(has_whole) {
            return None;
        }
        let fits = |one: &&Candidate| self.tagged(one.variant) > 0 && one.trials.iter().all(|trial| trial.has_begun);
        let fitting = self.candidates.iter().filter(fits).rev();
        fitting.max_by_key(|one| (self.tagged(one.variant), Reverse(rarity(one.variant))))
    }

    /// Decides: the best variant is taken if it is convincing. Games that no variant plays are read as the other games.
    pub(super) fn decision(&self) -> Inference {
        let failed = |one: &Candidate| self.games as usize - one.whole() as usize;
        let unplayed = self.unplayed().count();
        let is_hopeless = |failed: usize| unplayed >= HOPELESS && unplayed == failed;
        if let Some(tagged) = self.of_tagged() {
            let has_positions = self.written == 0 && !self.squares.is_empty();
            return Inference {
                taken: Some((tagged.variant, tagged.numbering)),
                others: if has_positions { self.others(tagged) } else { VariantSet::default() },
                is_hopeless: is_hopeless(failed(tagged)),
                ..Inference::default()
            };
        }
        let Some(best) = self.best().filter(|best| self.is_convincing(best)) else {
            return Inference { is_hopeless: is_hopeless(self.games as usize), ..Inference::default() };
        };
        Inference {
            taken: Some((best.variant, best.numbering)),
            others: self.others(best),
            counts: self.counts(best),
            is_hopeless: is_hopeless(failed(best)),
            is_uniform: self.is_uniform(best, unplayed as u64),
            ..Inference::default()
        }
    }

    /// Returns true if a variant plays nearly all games that any variant plays; those with a GameType count for its variant alone, so
    /// that the answer is the same once some of the games have one.
    fn is_uniform(&self, best: &Candidate, unplayed: u64) -> bool {
        let (own, all) = (self.tagged(best.variant) + best.whole(), self.all_tagged() + self.games - unplayed);
        own * UNIFORM.1 >= all * UNIFORM.0
    }

    /// Returns true if there is evidence enough for a variant: many moves, games played to their ends, squares that only
    /// one common board has, or, without moves, a tag `Variant`. A rare variant needs more than a few moves, which may fit it
    /// by chance.
    fn is_convincing(&self, best: &Candidate) -> bool {
        // A first move that is impossible but for the other side does not count.
        let counts = |trial: &&Trial| !trial.is_turned || trial.played >= CONVINCING;
        let counted: u64 = best.trials.iter().filter(counts).map(|trial| trial.played).sum();
        let has_whole = best.trials.iter().any(|trial| trial.is_whole && trial.played > 0);
        // Not by the GameTypes of other games: `fmt` adds some, and its output must be read alike.
        let is_likely =
            is_common(best.variant) || self.named.contains(best.variant) || self.asked == Some(best.variant);
        let has_begun = best.trials.iter().any(|trial| trial.has_begun) && (counted > 0 || self.written == 0);
        counted >= CONVINCING
            || counted > 0 && has_whole && is_likely
            || has_begun && self.squares.names_board_of(best.variant)
            || (self.written == 0 || self.is_recorded) && self.asked == Some(best.variant)
    }

    /// Returns the other variants that play each game as the best one does, without those that need a name and have none. If the
    /// best one had to begin with the other side, those in which that side begins are as likely. A tag `Variant` leaves no doubt.
    fn others(&self, best: &Candidate) -> VariantSet {
        let turns = is_turned(best);
        let is_same = |one: &Trial, best: &Trial| Trial { is_turned: best.is_turned && turns, ..*one } == *best;
        let plays_alike = |one: &Candidate| one.trials.iter().zip(&best.trials).all(|(one, best)| is_same(one, best));
        let is_alike =
            |one: &&Candidate| one.variant != best.variant && (one.trials == best.trials || turns && plays_alike(one));
        let is_offered = |variant: &Variant| !needs_name(*variant) || self.is_named(*variant);
        let is_certain = self.asked == Some(best.variant) && !self.is_recorded;
        let alike = self.candidates.iter().filter(|one| !is_certain && is_alike(one)).map(|one| one.variant);
        alike.filter(is_offered).collect()
    }

    fn counts(&self, best: &Candidate) -> Counts {
        let others = self.candidates.iter().filter(|one| one.variant != best.variant && !needs_name(one.variant));
        let next = others.max_by_key(|one| (one.whole(), one.played(), Reverse(rarity(one.variant))));
        Counts {
            games: self.games,
            whole: best.whole(),
            next: next.map(|next| (next.variant, next.whole())),
            played: best.played(),
            written: self.written,
        }
    }
}

/// Returns true if most games begin with the side that does not begin in the variant: letters for numbers are less odd.
fn is_turned(one: &Candidate) -> bool {
    2 * one.trials.iter().filter(|trial| trial.is_turned).count() > one.trials.len()
}

/// Returns the names of squares by which a variant is tried: its own, which have both letters and numbers, and for small boards
/// with letters the numbers from the bottom left; or, in letters or numbers, those from the other corners.
fn names(variant: Variant, has_letters: bool, is_unusual: bool) -> Vec<Numbering> {
    let own = Numbering::for_variant(variant);
    let names = if has_letters { Names::Algebraic } else { Names::Numeric };
    let read = if own.is_algebraic() == has_letters {
        own
    } else {
        Numbering::new(own.shape(), own.is_mirrored(), names, own.corner())
            .with_capture_sign(own.capture_sign())
            .from_usual_corner()
    };
    let has_second = !has_letters && own.is_algebraic() && own.shape() == Shape::dark(8, 8) && !own.is_mirrored();
    let second = has_second.then(|| read.with_corner(Corner::BottomLeft));
    if is_unusual {
        let corners = Corner::ALL.into_iter().map(|corner| read.with_corner(corner));
        return corners.filter(|&names| names != read && Some(names) != second).collect();
    }
    [Some(own), second].into_iter().flatten().collect()
}
