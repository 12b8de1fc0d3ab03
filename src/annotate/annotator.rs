//! Games in, annotated games out.

use std::borrow::Cow;
use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use super::clean::clean;
use super::engines::EnginePool;
use super::former::FormerAnnotations;
use super::game::annotate_lines;
use super::journal::{GameJournal, GameRecord};
use super::lines::each_line;
use super::options::AnnotateOptions;
use super::progress::{AnnotateStep, BatchProgress, SharedProgress};
use super::searches::GameSearches;
use super::words::words;
use crate::check::{Play, Review};
use crate::diag::{Diagnostic, Group, Severity};
use crate::error::{Error, Result};
use crate::notation::date_parts;
use crate::pdn::Attachment;
use crate::records::{AnnotatedGame, Annotation, NotAnnotated};
use crate::replay::ReplayedGame;
use crate::rules::{Variant, fnv_1a, pack};

/// Annotates games, on any number of threads at once; a [`BatchRun`](super::BatchRun) keeps them in order.
///
/// # Examples
///
/// ```
/// use pdn::annotate::{AnnotateOptions, EnginePool, GameAnnotator};
/// use pdn::check::{CheckOptions, reviews};
/// use pdn::engine::{EngineOptions, Limit};
/// use pdn::export::annotated_pdn;
///
/// let engines = EnginePool::built_in(EngineOptions::default().with_hash_mb(4));
/// let annotator = GameAnnotator::new(engines, AnnotateOptions::new(Limit::depth(7)));
/// for review in reviews(b"1. 32-28 20-25 2. 28-23 19x28 *", CheckOptions::default()) {
///     let game = annotator.annotate(review);
///     assert!(game.annotations[2].judgement.is_some(), "White loses a man");
///     let text = annotated_pdn(game.review.game(), &game.annotations, &game.annotator);
///     assert!(text.contains("depth 7 hash 4 scale standard") && text.contains("1. 32-28 {[%eval "));
/// }
/// ```
pub struct GameAnnotator {
    engines: Arc<EnginePool>,
    options: AnnotateOptions,
    journals: Vec<GameJournal>,
    progress: SharedProgress,
    observer: Option<Box<Observer>>,
}

/// The function called after each step.
type Observer = dyn Fn(BatchProgress) + Send + Sync;

impl fmt::Debug for GameAnnotator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameAnnotator")
            .field("engines", &self.engines)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl GameAnnotator {
    /// Returns an annotator. Several may share their engines.
    pub fn new(engines: impl Into<Arc<EnginePool>>, options: AnnotateOptions) -> Self {
        let (journals, progress) = Default::default();
        Self { engines: engines.into(), options, journals, progress, observer: None }
    }

    /// Sets what is called after each step of a game, on the thread that annotates it. Other threads can ask for the
    /// [`progress`](Self::progress) at any time.
    #[must_use]
    pub(crate) fn with_observer(self, observer: impl Fn(BatchProgress) + Send + Sync + 'static) -> Self {
        Self { observer: Some(Box::new(observer)), ..self }
    }

    /// Adds a file in which the searches of finished games are kept, and found again by later runs.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or is not such a file of this version.
    pub fn with_journal(mut self, path: &Path) -> Result<Self> {
        self.journals.push(GameJournal::open(path)?);
        Ok(self)
    }

    /// Returns the errors of files with searches that could not be read or written; they were not used any more.
    pub fn journal_errors(&self) -> Vec<Error> {
        self.journals.iter().filter_map(GameJournal::failure).collect()
    }

    /// Returns the progress over all games.
    pub fn progress(&self) -> BatchProgress {
        self.progress.get()
    }

    /// Sets the total number of games and of their written moves, for the progress.
    pub(crate) fn expect(&self, games: u64, moves: u64) {
        self.progress.set_all(games, moves);
    }

    /// Ends the work: games that are being annotated, and later ones, fail soon.
    pub fn stop(&self) {
        self.engines.stop();
    }

    /// Returns the name for the tag `Annotator` of games of a variant: the program, the engine and its limit, the options,
    /// and the endgame databases.
    fn name(&self, variant: Option<Variant>) -> String {
        let engine = self.engines.label(self.options.limit());
        let databases = self.engines.databases().label(variant.as_slice());
        let databases = if databases.is_empty() { databases } else { format!(" egdb {databases}") };
        format!("pdn {} {engine} {}{databases}", env!("CARGO_PKG_VERSION"), self.options.label(variant))
    }

    /// Annotates a game. If it cannot be annotated, it has no annotations, and the reason is part of the result.
    pub fn annotate(&self, mut review: Review) -> AnnotatedGame {
        if self.options.clean {
            let remains = clean(&mut review);
            return AnnotatedGame { remains, ..AnnotatedGame::new(review) };
        }
        let game = self.without_lines(review.game());
        let progress = RefCell::new(self.progress.begin(game.written() as u64));
        let observed = |step| {
            progress.borrow_mut().step(step);
            if let Some(observer) = &self.observer {
                observer(self.progress.get());
            }
        };
        // A panic is the failure of one game; the others can still be annotated.
        let made = catch_unwind(AssertUnwindSafe(|| self.analyse(&game, &observed)));
        let made = made.unwrap_or_else(|_| Err(NotAnnotated::Failed(Error::unavailable("internal error"))));
        let (mut annotations, failure) = match made {
            Ok(annotations) => (annotations, None),
            Err(failure) => (Vec::new(), Some(failure)),
        };
        // It borrows the review, which is changed next.
        drop(game);
        if self.options.words {
            let say = |made: &mut Annotation| {
                made.sentence = made.explanation.as_ref().and_then(|made| words(made, self.options.lang));
            };
            annotations.iter_mut().for_each(say);
        }
        let former = FormerAnnotations::of_moves(review.game(), &mut annotations, self.options.keep_evals);
        former.remove_from(review.game_mut());
        let annotator = self.name(review.game().variant());
        let plain = self.options.plain;
        AnnotatedGame { annotations, annotator, failure, plain, ..AnnotatedGame::new(review) }
    }

    /// Returns the annotations of the selected moves of a game.
    ///
    /// # Errors
    ///
    /// If the engine fails, or if the game has moves, or text in their place, but none that can be annotated.
    pub fn annotations(&self, game: &ReplayedGame) -> Result<Vec<Annotation>, NotAnnotated> {
        self.analyse(game, &|_| {})
    }

    fn analyse(&self, game: &ReplayedGame, progress: &dyn Fn(AnnotateStep)) -> Result<Vec<Annotation>, NotAnnotated> {
        let Some(options) = self.options.of_game(game) else { return Ok(Vec::new()) };
        if game.written() == 0 {
            return if has_text(game) { Err(NotAnnotated::NoText) } else { Ok(Vec::new()) };
        }
        // An invalid FEN may also be the reason why the variant is unknown.
        let is_fen = |found: &Diagnostic| found.code().group() == Group::Fen && found.severity() == Severity::Error;
        if game.start().is_none() && game.diagnostics().iter().any(is_fen) {
            return Err(NotAnnotated::Position);
        }
        let variant = game.variant().ok_or(NotAnnotated::UnknownVariant)?;
        if game.main_moves().all(|id| game.played(id).is_none()) {
            return Err(NotAnnotated::NoMove);
        }
        let engine = format!("{} {}{}", self.engines.identity(variant), options.limit(), options.searched());
        let key = if self.journals.is_empty() { 0 } else { game_key(&engine, game, options.variations) };
        let known = self.journals.iter().flat_map(|journal| journal.find(key, &engine)).collect();
        let made = self.engines.lend(variant, |lent| {
            let mut searches = GameSearches::new(lent, known, options.variations, progress);
            let annotations = annotate_lines(game, &options, &self.engines.databases(), &mut searches)?;
            Ok((annotations, searches.is_known(), searches.saved()))
        });
        let (annotations, is_known, new) = made.map_err(NotAnnotated::Failed)?;
        if let Some(searches) = new.filter(|_| !self.journals.is_empty()) {
            let record = GameRecord::new(key, engine, searches);
            self.journals.iter().for_each(|journal| journal.add(&record));
            self.progress.add_saved(false);
        } else if is_known {
            // An equal game of this run may have added them.
            self.progress.add_saved(self.journals.iter().any(|journal| journal.had(key)));
        }
        Ok(annotations)
    }

    /// Returns the game to analyse: where variations are annotated too, without the best lines of an earlier run, which would
    /// be annotated as if people had written them.
    fn without_lines<'a>(&self, game: &'a ReplayedGame) -> Cow<'a, ReplayedGame> {
        if !self.options.variations {
            return Cow::Borrowed(game);
        }
        let lines = FormerAnnotations::lines(game);
        if lines.is_empty() { Cow::Borrowed(game) } else { Cow::Owned(lines.removed_from(game.clone())) }
    }
}

/// Returns true if a game was played and has text in place of its moves: words like moves, unlike the remark `Black did not appear`.
fn has_text(game: &ReplayedGame) -> bool {
    let has_moves = |text: &str| text.split(' ').any(is_like_move);
    let is_text = |item: &Attachment| matches!(item, Attachment::Stray { text, .. } if has_moves(text));
    let result = game.tag("Result").or(game.tree().terminator());
    Play::of(|name| game.tag(name), result, false) == Play::Game && game.tree().main_line().intro().iter().any(is_text)
}

/// Returns true for words such as `Nf3` and `zz-28`, but not for `3rd` and dates.
fn is_like_move(word: &str) -> bool {
    let digits = word.char_indices().filter(|(_, letter)| letter.is_ascii_digit());
    let mut before = digits.filter_map(|(at, _)| word[..at].chars().next_back());
    before.any(|letter| letter.is_alphabetic() || "-–×".contains(letter)) && date_parts(word)[0].is_none()
}

/// Returns a hash of an engine and the moves of the lines that it searches, regardless of tags and comments.
fn game_key(engine: &str, game: &ReplayedGame, variations: bool) -> u64 {
    let mut bytes = engine.as_bytes().to_vec();
    let Ok(()) = each_line(game, variations, |line| {
        for ply in line.own() {
            pack(&ply.before, &mut bytes);
            pack(&ply.after, &mut bytes);
        }
        Ok::<(), Infallible>(())
    });
    fnv_1a(&bytes)
}
