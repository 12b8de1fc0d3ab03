//! The variant of games without a tag for it, inferred from all the games of a file together.
//!
//! All variants play the games, and the best is taken, in this order: one that the records give beside the tags; one that a tag
//! `Variant` names, if it plays as much as any; the one that plays most games to their ends; that plays most moves of the
//! others; whose letters, sign of captures and first side are those of the games; that a whole word in a tag names; the most
//! common one.

mod decide;
mod trial;
mod words;

use std::sync::{Arc, OnceLock};

use decide::Evidence;
pub(super) use words::asked_variant;

use super::choose::is_open;
use super::evidence::SquareEvidence;
use super::opening::{first_number, is_set_up};
use crate::diag::{Diagnostic, Span, messages};
use crate::import::games;
use crate::notation::{GameType, GameTypeError, Numbering};
use crate::pdn::{GameTree, Parsed};
use crate::rules::Variant;

/// Number of bytes at the beginning of a file whose games decide the variant of all games of the file that have no
/// GameType.
pub const EVIDENCE_BYTES: usize = 1 << 20;

/// Returns the first bytes of a file that decide the variant: [`EVIDENCE_BYTES`], or all of a smaller file.
pub(crate) fn evidence(file: &[u8]) -> &[u8] {
    &file[..file.len().min(EVIDENCE_BYTES)]
}

/// The variant of the games without a GameType in a file, inferred from all of them together.
///
/// If a game can be played to its end only by a different variant, its variant is inferred separately.
///
/// # Examples
///
/// ```
/// use pdn::replay::Inference;
/// use pdn::rules::Variant;
///
/// let inference = Inference::of(b"1. 32-28 19-23 2. 28x19 14x23 *");
/// assert_eq!(inference.variant(), Some(Variant::INTERNATIONAL));
/// assert!(inference.others().any(|other| other == Variant::FRISIAN));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inference {
    taken: Option<(Variant, Numbering)>,
    others: VariantSet,
    first: First,
    counts: Counts,
    is_hopeless: bool,
    is_uniform: bool,
}

/// The first game of a file that has no GameType.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct First {
    /// Its number in the file, from 1.
    number: u64,
    /// The number of its first move, if that is not the first of a game and no FEN gives the position before it.
    begins_at: Option<u32>,
}

/// What the variant taken has played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    games: u64,
    /// Games played to their ends.
    whole: u64,
    /// The next best variant, and the games that it plays to their ends.
    next: Option<(Variant, u64)>,
    /// Moves played, and written.
    played: u64,
    written: u64,
}

impl First {
    fn of(number: u64, tree: &GameTree) -> Self {
        let begins_at = first_number(tree).filter(|&number| number > 1 && !is_set_up(tree));
        Self { number, begins_at }
    }
}

impl Inference {
    /// Infers the variant from the games without a GameType in the first bytes of a file: [`EVIDENCE_BYTES`], or all of a
    /// smaller file.
    pub fn of(bytes: &[u8]) -> Self {
        OfFile::read(bytes).inference
    }

    /// Infers the variant from one game, on a board of this size if it is given, and from how many games with a GameType there are of
    /// each variant.
    pub(super) fn of_game(tree: &GameTree, size: Option<(u8, u8)>, tagged: &[(Variant, u64)]) -> Self {
        let first = First::of(0, tree);
        // A position on a small board fits many variants, and nothing distinguishes them: trying took half the time of
        // problems.
        let is_position = tree.main_line().nodes().is_empty() && !SquareEvidence::of(tree).names_board();
        if is_position && asked_variant(tree).is_none() && tagged.is_empty() {
            return Self { first, ..Self::default() };
        }
        let tried = |is_unusual| {
            let mut evidence = Evidence::new(is_unusual, size, tagged.to_vec());
            evidence.add_game(tree);
            evidence
        };
        let usual = tried(false);
        let decision = if usual.fits_most() { usual } else { usual.better(tried(true)) }.decision();
        Self { first, ..decision }
    }

    /// The variant; `None` if it cannot be determined.
    pub fn variant(&self) -> Option<Variant> {
        self.taken.map(|(variant, _)| variant)
    }

    /// Returns the other variants under which all the games used as evidence can be played alike.
    pub fn others(&self) -> impl Iterator<Item = Variant> + use<> {
        self.others.iter()
    }

    /// The variant and the names of squares.
    pub(super) const fn taken(&self) -> Option<(Variant, Numbering)> {
        self.taken
    }

    /// Returns true if games without a GameType were used as evidence.
    pub(super) const fn has_games(&self) -> bool {
        self.first.number > 0
    }

    /// Returns true if no other variant could play to the end any of the many games that this one could not.
    pub(crate) const fn is_hopeless(&self) -> bool {
        self.is_hopeless
    }

    /// Returns true if nearly all playable games, with or without a GameType, are of this variant.
    pub(crate) const fn is_uniform(&self) -> bool {
        self.is_uniform
    }

    /// Returns the diagnostic about the inference if the game with this number in the file carries it: the first one
    /// without a GameType.
    pub(super) fn diagnostic_for(&self, number: u64, span: Span) -> Option<Diagnostic> {
        (self.first.number == number && number > 0).then(|| self.diagnostic(span))
    }

    /// Returns the diagnostic about the inference; `span` is where the moves of the game begin.
    pub(super) fn diagnostic(&self, span: Span) -> Diagnostic {
        let Some((variant, _)) = self.taken else {
            return match self.first.begins_at {
                Some(number) => messages::unknown_start(span, number),
                None => messages::unknown_variant(span),
            };
        };
        let Counts { games, whole, next, played, written } = self.counts;
        let name = variant.name();
        let others = self.others().map(Variant::name).collect::<Vec<_>>().join(", ");
        match (written, next.filter(|_| games > 1 && whole > 0), others.is_empty()) {
            (0, _, true) => messages::inferred_by_tags(span, name),
            (0, _, false) => messages::inferred_by_tags_as_likely(span, name, others),
            (_, Some((next, next_whole)), true) => {
                messages::inferred_variant(span, name, whole, games, next.name(), next_whole)
            }
            (_, Some(_), false) => messages::inferred_as_likely(span, name, whole, games, others),
            (_, None, true) => messages::inferred_by_moves(span, name, played, written),
            (_, None, false) => messages::inferred_by_moves_as_likely(span, name, played, written, others),
        }
    }
}

/// What the games in the first bytes of a file say.
#[derive(Debug)]
struct OfFile {
    /// What those without a GameType say together.
    inference: Inference,
    /// If all have a GameType, their variants, with the numbers of games: each later game is decided alone, with these numbers, and
    /// reports its variant.
    tagged: Vec<(Variant, u64)>,
}

impl OfFile {
    fn read(bytes: &[u8]) -> Self {
        let head = evidence(bytes);
        let (usual, first) = of_games(head, false);
        let Some(first) = first else {
            return Self { inference: Inference::default(), tagged: usual.into_tagged() };
        };
        let decision = if usual.fits_most() { usual } else { usual.better(of_games(head, true).0) }.decision();
        Self { inference: Inference { first, ..decision }, tagged: Vec::new() }
    }
}

/// Returns the evidence of the games without a GameType in the head of a file, and the first of these games. If the file
/// continues after the head, its last game may be cut off.
fn of_games(head: &[u8], is_unusual: bool) -> (Evidence, Option<First>) {
    let is_cut = head.len() == EVIDENCE_BYTES;
    let (mut evidence, mut first) = (Evidence::new(is_unusual, None, Vec::new()), None);
    let mut games = (1..).zip(games(head).map(Parsed::into_tree)).peekable();
    while let Some((number, tree)) = games.next() {
        // The GameType may be in the part that is cut off.
        if is_cut && tree.nodes().is_empty() && games.peek().is_none() {
            break;
        }
        if !is_open(&tree) {
            evidence.add_tagged(&tree);
            continue;
        }
        let is_only = first.is_none();
        first.get_or_insert_with(|| First::of(number, &tree));
        // A first game that may be cut off is better than no evidence at all.
        if is_only || !is_cut || games.peek().is_some() {
            evidence.add_game(&tree);
        }
        if evidence.is_enough() {
            break;
        }
    }
    (evidence, first)
}

/// The first bytes of a file and, once a game without a GameType is met, what is inferred from them.
#[derive(Clone, Debug)]
pub(crate) struct FileInference(Arc<(Arc<[u8]>, OnceLock<OfFile>)>);

impl FileInference {
    pub(crate) fn of(head: Arc<[u8]>) -> Self {
        Self(Arc::new((head, OnceLock::new())))
    }

    pub(crate) fn get(&self) -> &Inference {
        &self.of_file().inference
    }

    /// Returns the variants of the games with a GameType, with the numbers of these games, if all games in the first bytes have one.
    pub(super) fn tagged(&self) -> &[(Variant, u64)] {
        &self.of_file().tagged
    }

    fn of_file(&self) -> &OfFile {
        let (head, of_file) = &*self.0;
        of_file.get_or_init(|| OfFile::read(head))
    }
}

/// Returns true if a GameType names a variant, or a game that is not draughts.
pub(super) fn names_a_game(read: &Result<GameType, GameTypeError>) -> bool {
    match read {
        Ok(game_type) => game_type.variant().is_some(),
        Err(error) => matches!(error, GameTypeError::OtherGame { .. }),
    }
}

/// A set of built-in variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct VariantSet(u32);

impl VariantSet {
    fn contains(self, variant: Variant) -> bool {
        variant.index().is_some_and(|index| self.0 >> index & 1 == 1)
    }

    fn iter(self) -> impl Iterator<Item = Variant> {
        Variant::ALL.iter().copied().filter(move |&variant| self.contains(variant))
    }
}

impl Extend<Variant> for VariantSet {
    fn extend<T: IntoIterator<Item = Variant>>(&mut self, variants: T) {
        variants.into_iter().filter_map(Variant::index).for_each(|index| self.0 |= 1 << index);
    }
}

impl FromIterator<Variant> for VariantSet {
    fn from_iter<T: IntoIterator<Item = Variant>>(variants: T) -> Self {
        let mut set = Self::default();
        set.extend(variants);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::{ReplayOptions, main_span, replay};

    #[test]
    fn nothing_is_inferred_for_games_with_a_game_type() {
        let text = b"[GameType \"20\"]\n1. 32-28 *\n\n1. 32-28 19-23 2. 28x19 *";
        let options = ReplayOptions::default().for_file(&text[..]);
        let is_made = || options.file.as_ref().is_some_and(|file| file.0.1.get().is_some());
        let made: Vec<_> =
            games(text).map(|game| (replay(game.into_tree(), &options).plies_played(), is_made())).collect();
        assert_eq!(made, [(1, false), (3, true)]);
    }

    #[test]
    fn games_after_the_evidence_are_inferred_as_in_a_small_file() {
        const TAGGED: &str =
            "[White \"P\"]\n[GameType \"20\"]\n[Result \"1-1\"]\n\n1. 32-28 19-23 2. 28x19 14x23 1-1\n\n";
        let inferred = |before: usize, last: &str| {
            let text = format!("{}[White \"X\"]\n\n{last}\n", TAGGED.repeat(before));
            let options = ReplayOptions::default().for_file(evidence(text.as_bytes()));
            let game = replay(games(text.as_bytes()).last().expect("a game").into_tree(), &options);
            let of_file = options.diagnostic_for(before as u64 + 1, main_span(game.tree()));
            let mut found: Vec<_> = game.diagnostics().iter().cloned().chain(of_file).collect();
            found.sort_by_key(|diagnostic| diagnostic.span().start);
            (game.variant(), game.plies_played(), game.rivals().collect::<Vec<_>>(), found)
        };
        // The evidence ends in the tags of a game, before its GameType.
        assert_eq!(EVIDENCE_BYTES % TAGGED.len(), 9);
        for last in [
            "1. 32-28 18-23 2. 32-28 *",
            "1. 32-28 19-23 *",
            "1. c3-d4 d6-c5 2. b2-c3 f6-g5 *",
            "[FEN \"W:W31:B20\"]\n\n*",
        ] {
            let after = inferred(EVIDENCE_BYTES / TAGGED.len() + 1, last);
            assert!(after.0.is_some() && !after.3.is_empty(), "{last}: {after:?}");
            assert_eq!(inferred(10, last), after, "{last}");
        }
    }

    #[test]
    fn evidence_is_bounded() {
        let games_needed = |text: &str| {
            let mut evidence = Evidence::new(false, None, Vec::new());
            let trees = games(text.as_bytes()).map(Parsed::into_tree);
            let needed = trees.take_while(|tree| {
                evidence.add_game(tree);
                !evidence.is_enough()
            });
            (needed.count() + 1, evidence.decision().variant())
        };
        assert_eq!(games_needed(&"1-2 *\n".repeat(2500)), (500, None));
        // Spanish and Portuguese draughts have the same moves.
        let moves = "1. 10-13 23-20 2. 5-10 21-17 *\n";
        assert_eq!(games_needed(&moves.repeat(1000)), (500, Some(Variant::SPANISH)));
        assert_eq!(games_needed(&moves.replace(" *", " 3. 12-16 *").repeat(1000)), (400, Some(Variant::SPANISH)));
    }
}
