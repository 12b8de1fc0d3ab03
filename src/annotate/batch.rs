//! Batches: reviews in, annotated games out.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use super::checkpoint::AnnotationCheckpoint;
use super::former::{FormerAnnotations, FormerEvaluations};
use super::options::AnnotateOptions;
use super::pool::AnalystPool;
use super::progress::{AnnotateStep, BatchProgress, SharedProgress};
use super::words::words;
use crate::board::Side;
use crate::check::Review;
use crate::error::{Error, Result};
use crate::notation::rules_label;
use crate::records::Annotation;
use crate::replay::ReplayedGame;
use crate::rules::Variant;
use crate::text::Language;

/// How the games of a batch are annotated.
#[derive(Clone, Debug)]
pub struct BatchOptions {
    moves: AnnotateOptions,
    former: FormerEvaluations,
    player: Option<String>,
    rules: Option<Variant>,
    words: Option<Language>,
}

impl BatchOptions {
    /// Returns options to annotate all games in the same way.
    pub fn new(moves: AnnotateOptions) -> Self {
        Self { moves, former: FormerEvaluations::Replace, player: None, rules: None, words: None }
    }

    /// Sets what happens to the evaluations that games already have.
    #[must_use]
    pub fn with_former(self, former: FormerEvaluations) -> Self {
        Self { former, ..self }
    }

    /// Restricts the annotations to the moves of players whose name contains a text, in upper or lower case.
    #[must_use]
    pub fn with_player(self, player: Option<String>) -> Self {
        Self { player, ..self }
    }

    /// Sets the variant of all games, which the name of the annotator describes if it has house rules.
    #[must_use]
    pub fn with_variant(self, variant: Option<Variant>) -> Self {
        Self { rules: variant.filter(|variant| variant.is_house()), ..self }
    }

    /// Sets the language in which marked moves and shots are explained, in comments; `None` for no such comments. Shots are found
    /// for it.
    #[must_use]
    pub fn with_words(self, words: Option<Language>) -> Self {
        let shots = self.moves.shots || words.is_some();
        Self { words, moves: self.moves.with_shots(shots), ..self }
    }

    /// Returns everything on which annotations depend besides the game, the engine and its limit.
    fn label(&self) -> String {
        let moves = &self.moves;
        let rules = self.rules.map(|house| format!(" rules {}", rules_label(house)));
        let side = moves.side.map(|side| format!(" side {}", side.letter()));
        let player = self.player.as_ref().map(|name| format!(" player {name}"));
        let (first, last) = (*moves.plies.start(), *moves.plies.end());
        let from = (first > 1).then(|| format!(" from ply {first}"));
        let to = (last < u32::MAX).then(|| format!(" to ply {last}"));
        let lines = (moves.lines > 1).then(|| format!(" multipv {}", moves.lines));
        let variations = moves.variations.then(|| " variations".to_owned());
        let shots = moves.shots.then(|| " shots".to_owned());
        let words = self.words.map(|language| format!(" words {language}"));
        let selection = [rules, side, player, from, to, lines, variations, shots, words];
        let selection: String = selection.into_iter().flatten().collect();
        format!("scale {}{selection}", moves.scale)
    }

    /// Returns the options for annotating a game; `None` if none of its moves is annotated.
    fn of_game(&self, game: &ReplayedGame) -> Option<AnnotateOptions> {
        let Some(player) = &self.player else { return Some(self.moves.clone()) };
        let player = player.to_lowercase();
        let plays = |tag| game.tree().tag(tag).unwrap_or_default().to_lowercase().contains(&player);
        match (plays("White"), plays("Black")) {
            (false, false) => None,
            (true, true) => Some(self.moves.clone()),
            (white, _) => self.moves.only(if white { Side::White } else { Side::Black }),
        }
    }
}

/// Annotates games, on any number of threads at once; a [`BatchRun`](super::BatchRun) keeps them in order.
///
/// # Examples
///
/// ```
/// use pdn::annotate::{AnalystPool, AnnotateOptions, Batch, BatchOptions};
/// use pdn::check::{CheckOptions, reviews};
/// use pdn::engine::{EngineOptions, Limit};
/// use pdn::export::annotated_pdn;
///
/// let analysts = AnalystPool::built_in(EngineOptions::default().with_hash_mb(4));
/// let batch = Batch::new(analysts, BatchOptions::new(AnnotateOptions::new(Limit::depth(3))));
/// for review in reviews(b"1. 32-28 19-23 2. 28x19 14x23 *", CheckOptions::default()) {
///     let game = batch.annotate(review)?;
///     let text = annotated_pdn(game.review().game(), game.annotations(), game.annotator());
///     assert!(text.contains("depth 3 hash 4 scale standard") && text.contains("1. 32-28 {[%eval "));
/// }
/// # Ok::<(), pdn::Error>(())
/// ```
pub struct Batch {
    analysts: Arc<AnalystPool>,
    options: BatchOptions,
    checkpoint: Option<AnnotationCheckpoint>,
    progress: SharedProgress,
    observer: Option<Box<Observer>>,
}

/// The function called after each step.
type Observer = dyn Fn(BatchProgress) + Send + Sync;

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("analysts", &self.analysts)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// A game with its annotations, without those of an earlier run.
#[derive(Debug)]
pub struct AnnotatedGame {
    review: Review,
    annotations: Vec<Annotation>,
    annotator: String,
    error: Option<Error>,
}

impl AnnotatedGame {
    /// Returns the game, without the annotations of an earlier run that the new ones replace.
    pub const fn review(&self) -> &Review {
        &self.review
    }

    /// Returns the annotations; none if the game could not be annotated or is not selected.
    pub fn annotations(&self) -> &[Annotation] {
        &self.annotations
    }

    /// Returns the name for the tag `Annotator`.
    pub fn annotator(&self) -> &str {
        &self.annotator
    }

    /// Returns why the game could not be annotated.
    pub const fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Returns the game, its annotations and the name for the tag `Annotator`.
    ///
    /// # Errors
    ///
    /// If the game could not be annotated.
    pub fn into_result(self) -> Result<(Review, Vec<Annotation>, String)> {
        self.error.map_or(Ok((self.review, self.annotations, self.annotator)), Err)
    }
}

impl Batch {
    /// Returns a batch. Batches may share their analysts.
    pub fn new(analysts: impl Into<Arc<AnalystPool>>, options: BatchOptions) -> Self {
        let analysts = analysts.into();
        Self { analysts, options, checkpoint: None, progress: SharedProgress::default(), observer: None }
    }

    /// Sets what is called after each step of a game, on the thread that annotates it. Other threads can ask for the
    /// [`progress`](Self::progress) at any time.
    #[must_use]
    pub fn with_observer(self, observer: impl Fn(BatchProgress) + Send + Sync + 'static) -> Self {
        Self { observer: Some(Box::new(observer)), ..self }
    }

    /// Saves finished games in a file and, if it exists, reads those of an earlier run from it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is not a checkpoint, or belongs to a run with other settings.
    pub fn with_checkpoint(self, path: &Path) -> Result<Self> {
        let variants: Vec<_> = Variant::ALL.iter().copied().chain(self.options.rules).collect();
        let checkpoint = AnnotationCheckpoint::open(path, &self.annotator(&variants))?;
        let checkpoint = checkpoint.with_variations(self.options.moves.has_variations());
        self.progress.add_saved(checkpoint.len() as u64);
        Ok(Self { checkpoint: Some(checkpoint), ..self })
    }

    /// Returns the progress of the batch.
    pub fn progress(&self) -> BatchProgress {
        self.progress.get()
    }

    /// Sets the total number of games and of their written moves, for the progress.
    pub fn expect(&self, games: u64, moves: u64) {
        self.progress.set_all(games, moves);
    }

    /// Ends the work: games that are being annotated, and later ones, fail soon.
    pub fn stop(&self) {
        self.analysts.stop();
    }

    /// Writes what the cache has not written yet.
    ///
    /// # Errors
    ///
    /// If it could not be read or written at any time: since then, games were annotated without it.
    #[cfg(feature = "cli")]
    pub(crate) fn finish_cache(&self) -> Result<()> {
        let failed = |why| Err(Error::unavailable(format!("{why}; the run continued without the cache")));
        self.analysts.finish_cache().map_or(Ok(()), failed)
    }

    /// Returns the name for the tag `Annotator` of games of these variants: the program, the engine and its limit, the options,
    /// and the endgame databases.
    fn annotator(&self, variants: &[Variant]) -> String {
        let engine = self.analysts.label(self.options.moves.limit());
        let databases = self.analysts.databases().label(variants);
        let databases = if databases.is_empty() { databases } else { format!(" egdb {databases}") };
        format!("pdn {} {engine} {}{databases}", env!("CARGO_PKG_VERSION"), self.options.label())
    }

    /// Annotates a game. If it cannot be annotated, it has no annotations, and the reason is part of the result.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be written.
    pub fn annotate(&self, mut review: Review) -> Result<AnnotatedGame> {
        let game = self.without_lines(review.game());
        let progress = RefCell::new(self.progress.begin(game.written() as u64));
        let known = self.checkpoint.as_ref().and_then(|checkpoint| checkpoint.find(&game));
        let is_new = known.is_none();
        let observed = |step| {
            progress.borrow_mut().step(step);
            if let Some(observer) = &self.observer {
                observer(self.progress.get());
            }
        };
        let made = known.map_or_else(|| self.analyse(&game, &observed), Ok);
        let (mut annotations, error) = match made {
            Ok(annotations) => (annotations, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        // A game without annotations takes no time to be analysed again.
        if let Some(checkpoint) = self.checkpoint.as_ref().filter(|_| is_new && !annotations.is_empty()) {
            checkpoint.add(&game, &annotations)?;
            self.progress.add_saved(1);
        }
        // It borrows the review, which is changed next.
        drop(game);
        if let Some(language) = self.options.words {
            let say = |made: &mut Annotation| {
                made.sentence = made.explanation.as_ref().and_then(|made| words(made, language));
            };
            annotations.iter_mut().for_each(say);
        }
        let former = FormerAnnotations::of_moves(review.game(), &mut annotations, self.options.former);
        former.remove_from(review.game_mut());
        let annotator = self.annotator(review.game().variant().as_slice());
        Ok(AnnotatedGame { review, annotations, annotator, error })
    }

    /// Analyses the moves of a game that are selected.
    fn analyse(&self, game: &ReplayedGame, progress: &dyn Fn(AnnotateStep)) -> Result<Vec<Annotation>> {
        let Some(options) = self.options.of_game(game) else { return Ok(Vec::new()) };
        let options = options.with_databases(self.analysts.databases());
        let analyse = || self.analysts.annotate_with(game, &options, progress);
        // A panic is the failure of one game; the others can still be annotated.
        catch_unwind(AssertUnwindSafe(analyse)).unwrap_or_else(|_| Err(Error::unavailable("internal error")))
    }

    /// Returns the game to analyse: where variations are annotated too, without the best lines of an earlier run, which would
    /// be annotated as if people had written them.
    fn without_lines<'a>(&self, game: &'a ReplayedGame) -> Cow<'a, ReplayedGame> {
        if !self.options.moves.has_variations() {
            return Cow::Borrowed(game);
        }
        let lines = FormerAnnotations::lines(game);
        if lines.is_empty() { Cow::Borrowed(game) } else { Cow::Owned(lines.removed_from(game.clone())) }
    }
}

/// The I-th of N parts of the games, each a range of consecutive games, for runs on several machines. As text: `2/5`.
///
/// # Examples
///
/// ```
/// use pdn::annotate::Shard;
///
/// let shard: Shard = "2/3".parse()?;
/// assert_eq!(shard.range(10), 3..6);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    parts: u64,
}

impl Shard {
    /// Returns the indices, from 0, of the games of the part, given the number of all games.
    pub fn range(self, games: u64) -> Range<u64> {
        // In 128 bits, because the product of two numbers from the user may not fit into 64.
        let end = |part: u64| (u128::from(games) * u128::from(part) / u128::from(self.parts)) as u64;
        end(self.part - 1)..end(self.part)
    }

    /// Returns true for the part with which the joined output begins.
    pub(crate) const fn is_first(self) -> bool {
        self.part == 1
    }

    /// Returns true for the part with which the joined output ends.
    pub(crate) const fn is_last(self) -> bool {
        self.part == self.parts
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The integer parser accepts a plus sign.
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let number = |text: &str| text.parse().ok().filter(|_| is_number(text));
        let numbers = text.split_once('/').and_then(|(part, parts)| number(part).zip(number(parts)));
        let shard = numbers.map(|(part, parts)| Self { part, parts });
        shard
            .filter(|shard| (1..=shard.parts).contains(&shard.part))
            .ok_or("expected I/N with I from 1 to N, such as 2/5")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_all_games() {
        for (games, parts) in [(0, 3), (2, 5), (7, 3), (100, 7)] {
            let ranges: Vec<_> = (1..=parts).map(|part| Shard { part, parts }.range(games)).collect();
            assert_eq!(ranges.iter().cloned().flatten().collect::<Vec<_>>(), (0..games).collect::<Vec<_>>());
            assert!(ranges.iter().all(|range| range.end - range.start <= games.div_ceil(parts)));
        }
    }

    #[test]
    fn shards_count_from_1() {
        assert_eq!("2/5".parse(), Ok(Shard { part: 2, parts: 5 }));
        for text in ["", "1", "0/5", "6/5", "1/0", "a/b", "1/2/3", "+1/3", "1/+3", " 1/3", "/3", "1/"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
