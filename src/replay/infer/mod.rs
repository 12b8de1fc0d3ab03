//! The variant of games that no tag gives, decided by all the games of a file together.
//!
//! A [`Contest`] plays each game by the rules and square names of all variants at once. What a variant
//! cannot play, or would be surprised by, counts against it; what is unusual counts a little.

mod contest;
mod file;
mod habits;
mod names;
mod set;
mod trial;

use std::ops::ControlFlow;

use contest::Contest;
pub(crate) use file::FileInference;
use names::Naming;
use set::VariantSet;

use super::choose::is_open;
use crate::diag::{Diagnostic, Span, messages};
use crate::notation::{GameType, GameTypeError, Numbering};
use crate::pdn::{Flow, GameTree, Parsed, RawTag, Visitor, games, read};
use crate::rules::Variant;

/// Number of bytes at the beginning of a file whose games decide the variant of all games of the file that have no
/// GameType.
pub const EVIDENCE_BYTES: usize = 1 << 20;

/// Returns the first bytes of a file that decide the variant: [`EVIDENCE_BYTES`], or all of a smaller file.
pub fn evidence(file: &[u8]) -> &[u8] {
    &file[..file.len().min(EVIDENCE_BYTES)]
}

/// The variant of the games of a file that have no GameType, decided by all of them together.
///
/// A game that cannot be played to its end by that variant, but by another one, is inferred by itself.
///
/// # Examples
///
/// ```
/// use pdn::replay::Inference;
/// use pdn::rules::Variant;
///
/// let inference = Inference::of(b"1. 32-28 19-23 2. 28x19 14x23 *");
/// assert_eq!(inference.variant(), Some(Variant::INTERNATIONAL));
/// assert!(inference.others().any(|other| other == Variant::KILLER));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inference {
    taken: Option<(Variant, Numbering)>,
    others: VariantSet,
    /// Number of the first game that has no GameType, from 1.
    first: u64,
    played: u64,
    written: u64,
}

impl Inference {
    /// Infers the variant from the games without a GameType in the first bytes of a file: [`EVIDENCE_BYTES`], or all of a
    /// smaller file.
    pub fn of(bytes: &[u8]) -> Self {
        let head = evidence(bytes);
        if !has_open_game(head) {
            return Self::default();
        }
        let usual = Self::contest(head, Contest::new(Naming::Usual, None));
        if usual.fits_most() {
            return usual.decision();
        }
        let unusual = Self::contest(head, Contest::new(Naming::Unusual, None));
        usual.better(unusual).decision()
    }

    /// Infers the variant from one game, on a board of this size if it is given.
    pub(super) fn of_game(tree: &GameTree, size: Option<(u8, u8)>) -> Self {
        let hear = |naming| {
            let mut contest = Contest::new(naming, size);
            contest.hear(tree);
            contest
        };
        let usual = hear(Naming::Usual);
        if usual.fits_most() { usual.decision() } else { usual.better(hear(Naming::Unusual)).decision() }
    }

    /// Lets the games of the head of a file take part. If the file goes on after it, its last game may be cut off.
    fn contest(head: &[u8], mut contest: Contest) -> Contest {
        let is_cut = head.len() == EVIDENCE_BYTES;
        let mut games = (1..).zip(games(head).map(Parsed::into_tree)).peekable();
        while let Some((number, tree)) = games.next() {
            if !is_open(&tree) {
                contest.hear_of(super::choose::tagged_variant(&tree));
                continue;
            }
            contest.set_first(number);
            if !(is_cut && games.peek().is_none() && contest.has_heard()) {
                contest.hear(&tree);
            }
            if contest.is_settled() {
                break;
            }
        }
        contest
    }

    /// The variant; `None` if nothing decides.
    pub fn variant(&self) -> Option<Variant> {
        self.taken.map(|(variant, _)| variant)
    }

    /// Returns the other variants by which all games that decided can be played alike.
    pub fn others(&self) -> impl Iterator<Item = Variant> + use<> {
        self.others.iter()
    }

    /// The variant and the names of squares.
    pub(super) const fn taken(&self) -> Option<(Variant, Numbering)> {
        self.taken
    }

    /// The variant, if the squares have its own names.
    pub(super) fn plain_variant(&self) -> Option<Variant> {
        let (variant, numbering) = self.taken?;
        (numbering == Numbering::for_variant(variant)).then_some(variant)
    }

    /// Returns the diagnostic about the inference if the game with this number in the file carries it: the first one
    /// without a GameType.
    pub(super) fn diagnostic_for(&self, number: u64, span: Span) -> Option<Diagnostic> {
        (self.first == number && number > 0).then(|| self.diagnostic(span))
    }

    /// Returns the diagnostic about the inference; `span` is where the moves of the game begin.
    pub(super) fn diagnostic(&self, span: Span) -> Diagnostic {
        let Some((variant, _)) = self.taken else { return messages::unknown_variant(span) };
        let (name, played, written) = (variant.name(), self.played, self.written);
        let others = self.others().map(Variant::name).collect::<Vec<_>>().join(", ");
        match (written, others.is_empty()) {
            (0, true) => messages::inferred_by_tags(span, name),
            (0, false) => messages::inferred_by_tags_as_likely(span, name, others),
            (_, true) => messages::inferred_variant(span, name, played, written),
            (_, false) => messages::inferred_as_likely(span, name, played, written, others),
        }
    }
}

/// Returns true if a game has no GameType that names a game. Reading stops at the first such game.
fn has_open_game(bytes: &[u8]) -> bool {
    #[derive(Default)]
    struct Tags {
        is_open: bool,
        has_game_type: bool,
    }

    impl Visitor for Tags {
        fn begin_game(&mut self, _: usize) -> Flow {
            *self = Self { is_open: true, has_game_type: false };
            Flow::Continue(())
        }

        fn tag(&mut self, tag: RawTag<'_>) -> Flow {
            if !self.has_game_type && tag.name.eq_ignore_ascii_case(b"GameType") {
                self.has_game_type = true;
                let read = GameType::parse(&String::from_utf8_lossy(tag.value));
                self.is_open = !names_a_game(&read);
            }
            Flow::Continue(())
        }

        fn end_game(&mut self, _: u32) -> Flow {
            if self.is_open { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    read(bytes, &mut Tags::default()).is_break()
}

/// Returns true if a GameType names a variant, or a game that is not draughts.
pub(super) fn names_a_game(read: &Result<GameType, GameTypeError>) -> bool {
    match read {
        Ok(game_type) => game_type.variant().is_some(),
        Err(error) => matches!(error, GameTypeError::OtherGame { .. }),
    }
}
