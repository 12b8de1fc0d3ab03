//! The variant of games without a tag for it, inferred from all the games of a file together.
//!
//! A [`Contest`] plays each game by the rules and square names of all variants at once, using one of those that play it
//! alike. Anything that a variant cannot play, or that would be surprising in it, counts against it; anything unusual counts a
//! little.

mod contest;
mod habits;
mod trial;
mod variants;

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use compact_str::CompactString;
use contest::Contest;
use trial::Record;
use variants::{Naming, VariantSet};

use super::choose::{is_open, tagged_variant};
use super::evidence::SquareEvidence;
use super::opening::{Written, first_number, is_set_up};
use super::walk::Purpose;
use crate::diag::{Diagnostic, Span, messages};
use crate::import::{Format, games};
use crate::notation::{GameType, GameTypeError, Numbering};
use crate::pdn::{Flow, GameTree, MoveKind, NodeKind, Parsed, RawTag, Visitor, read};
use crate::rules::Variant;

/// Number of bytes at the beginning of a file whose games decide the variant of all games of the file that have no
/// GameType.
pub const EVIDENCE_BYTES: usize = 1 << 20;

/// Returns the first bytes of a file that decide the variant: [`EVIDENCE_BYTES`], or all of a smaller file.
pub fn evidence(file: &[u8]) -> &[u8] {
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
    played: u64,
    written: u64,
    kept: Kept,
}

/// What stays as it is where the games of a file are written, as it would otherwise be read differently then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kept {
    #[default]
    Nothing,
    /// The moves of the games that have no GameType.
    Games,
    /// The whole file.
    File,
}

/// The first game of a file that has no GameType.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct First {
    /// Its number in the file, from 1.
    number: u64,
    /// The number of its first move, if that is not the first of a game and no FEN gives the position before it.
    begins_at: Option<u32>,
    /// True if it and others read as evidence differ in that only some of them have tags.
    is_mixed: bool,
}

impl First {
    fn of(number: u64, tree: &GameTree) -> Self {
        let begins_at = first_number(tree).filter(|&number| number > 1 && !is_set_up(tree));
        Self { number, begins_at, is_mixed: false }
    }
}

impl Inference {
    /// Infers the variant from the games without a GameType in the first bytes of a file: [`EVIDENCE_BYTES`], or all of a
    /// smaller file.
    pub fn of(bytes: &[u8]) -> Self {
        let head = evidence(bytes);
        if !has_open_game(head) {
            return Self::default();
        }
        let usual = HeadContest::new(head, Naming::Usual);
        let first = usual.first;
        let decision = if usual.contest.fits_most() {
            usual.contest.decision()
        } else {
            usual.contest.better(HeadContest::new(head, Naming::Unusual).contest).decision()
        };
        Self { first, ..decision }
    }

    /// Infers the variant from one game, on a board of this size if it is given. If the purpose is a test, it is right only
    /// for a game that some variant plays to its end.
    pub(super) fn of_game(game: &Written<'_>, size: Option<(u8, u8)>, purpose: Purpose) -> Self {
        let (record, first) = (Record::new(game), First::of(0, game.tree));
        // A position on a small board fits many variants, and nothing distinguishes them: trying took half the time of
        // problems.
        if record.written == 0 && !SquareEvidence::of(game.tree).names_board() {
            return Self { first, ..Self::default() };
        }
        let beginning = Beginning::of(game);
        if beginning.as_ref().is_some_and(Beginning::is_known_as_impossible) {
            return Self { first, ..Self::default() };
        }
        let contest = |naming| {
            let mut contest = Contest::new(naming, size);
            contest.add_game(&record, purpose);
            contest
        };
        let usual = contest(Naming::Usual);
        if usual.fits_most() {
            return Self { first, ..usual.decision() };
        }
        let unusual = contest(Naming::Unusual);
        if size.is_none() && !usual.has_played() && !unusual.has_played() {
            beginning.into_iter().for_each(Beginning::keep_as_impossible);
        }
        Self { first, ..usual.better(unusual).decision() }
    }

    /// The variant; `None` if it cannot be determined.
    pub fn variant(&self) -> Option<Variant> {
        self.taken.map(|(variant, _)| variant)
    }

    /// Returns the other variants under which all the games used as evidence can be played alike.
    pub fn others(&self) -> impl Iterator<Item = Variant> + use<> {
        self.others.iter()
    }

    /// Returns this inference for the file of another one, whose first game without a GameType carries the diagnostic.
    pub(crate) fn in_place_of(self, other: Self) -> Self {
        Self { first: other.first, ..self }
    }

    /// Returns this inference as one for which no other variant is as likely.
    pub(crate) fn as_certain(self) -> Self {
        Self { others: VariantSet::default(), ..self }
    }

    /// Returns this inference as one that is not confirmed by the games as they would be written.
    pub(crate) fn as_kept(self) -> Self {
        Self { kept: Kept::Games, ..self }
    }

    /// Returns this inference as one of a file that would be read differently even if only its other games were rewritten.
    pub(crate) fn as_left(self) -> Self {
        Self { kept: Kept::File, ..self }
    }

    /// Returns true if games that have no GameType stay as they are where they are written.
    pub(crate) const fn is_kept(&self) -> bool {
        !matches!(self.kept, Kept::Nothing)
    }

    /// Returns true if the file stays as it is.
    pub(crate) const fn is_left(&self) -> bool {
        matches!(self.kept, Kept::File)
    }

    /// Returns true if some of the games that have no GameType have tags and others have none.
    pub(crate) const fn is_mixed(&self) -> bool {
        self.first.is_mixed
    }

    /// Returns true if games that have no GameType are played as by another inference.
    pub(crate) fn reads_like(&self, other: &Self) -> bool {
        self.taken == other.taken
    }

    /// Returns true if games that have no GameType get the same variant, names of squares and rivals as by another inference.
    pub(crate) fn decides_like(&self, other: &Self) -> bool {
        (self.taken, self.others) == (other.taken, other.others)
    }

    /// The variant and the names of squares.
    pub(super) const fn taken(&self) -> Option<(Variant, Numbering)> {
        self.taken
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

/// The first move of a game that starts from the first position of its variant, and whether its squares have letters:
/// what decides which variants can play the move.
#[derive(PartialEq, Eq, Hash)]
struct Beginning {
    text: CompactString,
    has_letters: bool,
}

thread_local! {
    /// First moves that no variant can play. All variants were tried for each of 400,000 games `1-2 *`, which took 33 µs a
    /// game and 22 s in all.
    static IMPOSSIBLE: RefCell<HashSet<Beginning>> = RefCell::default();
}

/// Maximum number of first moves that are remembered.
const MAX_IMPOSSIBLE: usize = 4096;

impl Beginning {
    /// Returns the beginning of a game; `None` for captures, which the next move may continue, and for long texts.
    fn of(game: &Written<'_>) -> Option<Self> {
        let (tree, has_fen) = (game.tree, game.has_fen());
        let mut nodes = tree.main_line().nodes().iter().map(|&id| tree.node(id));
        let text = nodes.next()?.move_text()?;
        let is_simple = text.kind() != MoveKind::Capture && text.squares().len() == 2 && text.text().len() <= 12;
        let has_setups = nodes.any(|node| matches!(node.kind(), NodeKind::Setup { .. }));
        let beginning = || Self { text: text.text().into(), has_letters: SquareEvidence::of(tree).files > 0 };
        (is_simple && !has_fen && !has_setups).then(beginning)
    }

    fn is_known_as_impossible(&self) -> bool {
        IMPOSSIBLE.with_borrow(|known| known.contains(self))
    }

    fn keep_as_impossible(self) {
        IMPOSSIBLE.with_borrow_mut(|known| {
            if known.len() < MAX_IMPOSSIBLE {
                known.insert(self);
            }
        });
    }
}

/// The contest of variants for the games of the head of a file.
struct HeadContest {
    contest: Contest,
    first: First,
}

impl HeadContest {
    /// Lets the games without a GameType take part, until they have decided. If the file continues after the head, its last
    /// game may be cut off.
    fn new(head: &[u8], naming: Naming) -> Self {
        let is_cut = head.len() == EVIDENCE_BYTES;
        let (mut contest, mut first) = (Contest::new(naming, None), None::<(First, bool)>);
        let mut games = (1..).zip(games(head).map(Parsed::into_tree)).peekable();
        while let Some((number, tree)) = games.next() {
            if !is_open(&tree) {
                contest.add_tagged(tagged_variant(&tree));
                continue;
            }
            let has_tags = !tree.tags().is_empty();
            let (first, has_first_tags) = first.get_or_insert_with(|| (First::of(number, &tree), has_tags));
            first.is_mixed |= has_tags != *has_first_tags;
            if !(is_cut && games.peek().is_none() && contest.has_games()) {
                contest.add_game(&Record::new(&Written::new(&tree)), Purpose::Trial);
            }
            if contest.is_settled() {
                break;
            }
        }
        Self { contest, first: first.map(|(first, _)| first).unwrap_or_default() }
    }
}

/// The first bytes of a file and, once a game without a GameType is met, what is inferred from them.
#[derive(Clone, Debug)]
pub(crate) struct FileInference(Arc<Lazy>);

/// How the first bytes of a file decide.
type Decide = dyn Fn(&[u8]) -> Inference + Send + Sync;

struct Lazy {
    head: Arc<[u8]>,
    decide: Box<Decide>,
    inference: OnceLock<Inference>,
}

impl fmt::Debug for Lazy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inference.get().fmt(f)
    }
}

impl FileInference {
    pub(crate) fn of(head: Arc<[u8]>) -> Self {
        Self::by(head, Inference::of)
    }

    /// Returns the inference that `decide` makes of the first bytes.
    pub(crate) fn by(head: Arc<[u8]>, decide: impl Fn(&[u8]) -> Inference + Send + Sync + 'static) -> Self {
        Self(Arc::new(Lazy { head, decide: Box::new(decide), inference: OnceLock::new() }))
    }

    pub(crate) fn get(&self) -> &Inference {
        self.0.inference.get_or_init(|| (self.0.decide)(&self.0.head))
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

    if Format::of(bytes) != Format::Pdn {
        return games(bytes).any(|game| is_open(game.tree()));
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

#[cfg(test)]
mod tests {
    use crate::diag::Diagnostic;
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};

    #[test]
    fn nothing_is_inferred_for_games_with_a_game_type() {
        let text = b"[GameType \"20\"]\n1. 32-28 *\n\n1. 32-28 19-23 2. 28x19 *";
        let options = ReplayOptions::default().for_file(&text[..]);
        let is_made = || options.file.as_ref().is_some_and(|file| file.0.inference.get().is_some());
        let made: Vec<_> =
            games(text).map(|game| (replay(game.into_tree(), &options).plies_played(), is_made())).collect();
        assert_eq!(made, [(1, false), (3, true)]);
    }
    #[test]
    fn a_first_move_that_is_remembered_as_impossible_changes_nothing() {
        let known = |text: &str| {
            let game = replay(games(text.as_bytes()).next().expect("a game").into_tree(), &ReplayOptions::default());
            let codes: Vec<_> = game.diagnostics().iter().map(Diagnostic::code).collect();
            (game.variant(), game.plies_played(), codes)
        };
        // The same move is legal from the position of a FEN, or after another one.
        let texts = [
            "1-2 *",
            "1-2 32-28 *",
            "[FEN \"B:W50:B1,3\"]\n1-7 2-7 *",
            "1-7 *",
            "32-28 19-23 28x19 *",
            "1x2 *",
            "11x22 *",
        ];
        let first = texts.map(known);
        assert_eq!(texts.map(known), first);
        assert_eq!((first[0].0, first[0].1), (None, 0));
        let alone = std::thread::spawn(move || texts.map(known)).join().expect("no panic");
        assert_eq!(alone, first);
    }
}
