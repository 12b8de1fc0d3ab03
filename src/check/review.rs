//! One game with all its diagnostics.

use std::fmt::Debug;
use std::sync::Arc;

use super::clocks::check_clocks;
use super::dates::FileDates;
use super::doubts::Doubts;
use super::draws::find_draws;
use super::numbers::check_numbers;
use super::result::{Outcomes, check_result};
use super::strict::check_writing;
use super::tags::check_tags;
use crate::diag::{Code, Diagnostic, Group, Selection, Severity};
use crate::egdb::Databases;
use crate::notation::{Aliases, DateOrder, Outcome};
use crate::pdn::Parsed;
use crate::replay::{ReplayOptions, ReplayedGame, main_span, replay};
use crate::rules::Variant;
use crate::source::Input;
use crate::text::Encoding;

/// Options for checking games.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// The options for replaying games.
    pub replay: ReplayOptions,
    /// True to check the writing rules too, and raise warnings to errors.
    pub strict: bool,
    /// The encoding of all games; without it, it is detected.
    pub encoding: Option<Encoding>,
    /// Keeps bytes that are not UTF-8 in the texts, to write them as they were.
    pub(crate) keeps_bytes: bool,
    pub(crate) databases: Databases,
    pub(crate) aliases: Arc<Aliases>,
    /// The dates of the file.
    pub(crate) dates: FileDates,
    /// The collector of uncertainties about the file.
    pub(crate) doubts: Arc<Doubts>,
}

impl CheckOptions {
    /// Sets the endgame databases that results are compared with.
    #[must_use]
    pub fn with_databases(self, databases: Databases) -> Self {
        Self { databases, ..self }
    }

    /// Sets the aliases of players and events, which are replaced in every game.
    #[must_use]
    pub(crate) fn with_aliases(self, aliases: Arc<Aliases>) -> Self {
        Self { aliases, ..self }
    }

    /// Sets what comes first in dates with two readings; without it, the other dates of the file decide.
    #[must_use]
    pub(crate) fn with_date_order(self, order: Option<DateOrder>) -> Self {
        Self { dates: FileDates::given(order), ..self }
    }

    /// Returns the options for the games of a file that begins with these bytes, which determine the variant of games without a
    /// GameType: [`EVIDENCE_BYTES`](crate::replay::EVIDENCE_BYTES), or all of a smaller file.
    #[must_use]
    pub fn for_file(self, head: impl Into<Arc<[u8]>>) -> Self {
        let head = head.into();
        let dates = self.dates.for_file(Arc::clone(&head));
        Self { replay: self.replay.for_file(head), dates, ..self }
    }
}

/// The options for checking the games of each input: the same [`CheckOptions`] for all inputs, or different ones.
pub(crate) trait InputOptions: Debug + Send + Sync {
    /// Returns the options for checking the games of an input.
    fn of(&self, input: &Input) -> CheckOptions;

    /// Returns the collector of uncertainties about an input; called once, before the input is read.
    fn doubts(&self, _input: &Input) -> Arc<Doubts> {
        Arc::default()
    }
}

impl InputOptions for CheckOptions {
    fn of(&self, _: &Input) -> CheckOptions {
        self.clone()
    }
}

/// A replayed game with its result and all its diagnostics: of reading and replaying it, of its tags, move numbers,
/// clocks, draws and result, and of the writing rules if they are checked.
///
/// [`reviews`](super::reviews()) and [`file_reviews`](super::file_reviews()) return the reviews of many games.
#[derive(Clone, Debug)]
pub struct Review {
    game: ReplayedGame,
    number: u64,
    offset: usize,
    outcomes: Outcomes,
    diagnostics: Vec<Diagnostic>,
    strict: bool,
}

impl Review {
    /// Replays and checks a game that was read from `bytes`; `number` is its number in the file, from 1.
    ///
    /// # Panics
    ///
    /// Panics if the writing rules are checked and the game was read from other bytes.
    pub fn new(parsed: Parsed, number: u64, bytes: &[u8], options: &CheckOptions) -> Self {
        let (offset, numbers_are_regular) = (parsed.offset(), parsed.numbers_are_regular());
        let (mut tree, reading) = parsed.into_parts();
        options.aliases.apply(&mut tree);
        let game = replay(tree, &options.replay);
        let draws = find_draws(&game);
        let (outcomes, result_diagnostics) = check_result(&game, &draws, (&options.databases, options.strict));
        let is_thai = game.variant() == Some(Variant::THAI);
        let written = || check_writing(&game, &bytes[offset..][..game.tree().byte_len() as usize]);
        // Only a game that was inferred needs the inference from its file, which reads a megabyte.
        let inferred = || options.replay.diagnostic_for(number, main_span(game.tree()));
        let found = ByCheck {
            reading: if is_thai { without_hyphens(reading) } else { reading },
            variant: game.is_inferred().then(inferred).flatten(),
            replay: game.diagnostics().to_vec(),
            numbers: if numbers_are_regular { Vec::new() } else { check_numbers(&game) },
            clocks: check_clocks(&game),
            draws: draws.diagnostics,
            result: result_diagnostics,
            tags: check_tags(&game, options.dates.order()),
            writing: if options.strict { written() } else { Vec::new() },
        };
        let mut review = Self { number, offset, outcomes, diagnostics: found.in_order(), strict: options.strict, game };
        review.raise();
        review
    }

    /// Adds diagnostics, such as those of a comparison with other games.
    pub(crate) fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.extend(diagnostics);
        sort(&mut self.diagnostics);
        self.raise();
    }

    /// Removes the diagnostics that a selection does not report, and raises those that it denies.
    pub(crate) fn select(&mut self, selection: &Selection) {
        self.diagnostics.retain_mut(|diagnostic| selection.admit(diagnostic));
    }

    /// Raises warnings to errors if the writing rules are checked.
    fn raise(&mut self) {
        if self.strict {
            self.diagnostics.iter_mut().for_each(raise);
        }
    }

    /// The replayed game.
    pub const fn game(&self) -> &ReplayedGame {
        &self.game
    }

    /// The replayed game, to change its comments. The diagnostics are not updated.
    pub(crate) const fn game_mut(&mut self) -> &mut ReplayedGame {
        &mut self.game
    }

    /// Returns the replayed game.
    pub(crate) fn into_game(self) -> ReplayedGame {
        self.game
    }

    /// Number of the game in its file, from 1.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Offset of the game in the bytes that it was read from.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The outcome according to the Result tag, or its equivalent in another language, or else the terminator; `None` if neither
    /// gives one.
    pub const fn winner(&self) -> Option<Outcome> {
        self.outcomes.winner
    }

    /// The outcome according to the final position, if the main line could be replayed to its end.
    pub const fn board(&self) -> Option<Outcome> {
        self.outcomes.board
    }

    /// All diagnostics, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns true if a diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error)
    }

    /// Returns the first error of some groups.
    #[cfg(feature = "arena")]
    pub(crate) fn error_of(&self, groups: &[Group]) -> Option<&Diagnostic> {
        let is_error =
            |found: &&Diagnostic| found.severity() == Severity::Error && groups.contains(&found.code().group());
        self.diagnostics.iter().find(is_error)
    }
}

/// Returns the diagnostics of reading a game without those that do not apply to Thai draughts, where captures are written with
/// hyphens.
pub(super) fn without_hyphens(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.retain(|diagnostic| diagnostic.code() != Code::SYNTAX_DASHED_CAPTURE);
    diagnostics
}

/// Turns a warning into an error. Warnings lowered to notes because they are unambiguous count as warnings here.
pub(super) fn raise(diagnostic: &mut Diagnostic) {
    if diagnostic.severity().max(diagnostic.code().severity()) == Severity::Warning {
        diagnostic.set_severity(Severity::Error);
    }
}

/// The diagnostics of a game by the check that found them, in the order in which those at the same position are reported.
#[derive(Debug, Default)]
pub(super) struct ByCheck {
    /// About the variant of the file.
    pub(super) variant: Option<Diagnostic>,
    pub(super) reading: Vec<Diagnostic>,
    pub(super) replay: Vec<Diagnostic>,
    pub(super) numbers: Vec<Diagnostic>,
    pub(super) clocks: Vec<Diagnostic>,
    pub(super) draws: Vec<Diagnostic>,
    pub(super) result: Vec<Diagnostic>,
    pub(super) tags: Vec<Diagnostic>,
    pub(super) writing: Vec<Diagnostic>,
}

impl ByCheck {
    /// Returns all diagnostics in text order.
    pub(super) fn in_order(self) -> Vec<Diagnostic> {
        let mut all: Vec<_> = self.variant.into_iter().collect();
        for found in
            [self.reading, self.replay, self.numbers, self.clocks, self.draws, self.result, self.tags, self.writing]
        {
            all.extend(found);
        }
        sort(&mut all);
        all
    }
}

/// Sorts diagnostics in text order. At the same position, those of the syntax come first and those of the writing rules last; the
/// others keep their order.
pub(super) fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(order);
}

/// The start of a diagnostic, and where it is among those at the same position.
fn order(diagnostic: &Diagnostic) -> (u32, bool, bool) {
    let code = diagnostic.code();
    (diagnostic.span().start, code.group() != Group::Syntax, code.is_writing_rule())
}
