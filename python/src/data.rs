//! What Python objects of a game have in common: the game, its file, and its annotations.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pdn::NodeId;
use pdn::check::{CheckedGame, Review};
use pdn::edit::{Change, EditableGame, MoveKey};
use pdn::export::{annotated_pdn, plain_pdn, write_pdn};
use pdn::records::{Annotation, DiagnosticRow, GameRow, Origin, annotate_row, diagnostic_rows, game_row};
use pdn::replay::ReplayedGame;
use pyo3::PyResult;

use crate::board::{Board, boards_of};
use crate::diagnostic::Diagnostic;
use crate::errors::EditError;

/// A game with everything that belongs to it.
#[derive(Clone)]
pub(crate) struct GameData {
    pub(crate) game: EditableGame,
    pub(crate) around: [Vec<String>; 2],
    pub(crate) file: Arc<str>,
    pub(crate) offset: u64,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) annotated: Option<Arc<Annotated>>,
    /// The boards after the nodes of the main line, made when they are asked for.
    pub(crate) main: OnceLock<Vec<(NodeId, Board)>>,
}

/// A game with annotations.
pub(crate) struct Annotated {
    pub(crate) review: Review,
    pub(crate) annotations: Vec<Annotation>,
    /// The value of the tag `Annotator`.
    pub(crate) annotator: String,
    /// True if the annotations are written without commands.
    pub(crate) plain: bool,
}

impl GameData {
    /// Returns a game of a file.
    pub(crate) fn of(game: CheckedGame<'_>, file: Arc<str>) -> Self {
        let (around, offset) = (game.around().clone(), game.offset());
        let diagnostics = diagnostic_rows(&game).into_iter().map(Diagnostic).collect();
        let game = EditableGame::of(game);
        Self { game, around, file, offset, diagnostics, annotated: None, main: OnceLock::new() }
    }

    /// Returns a game that was made, or restored, alone.
    pub(crate) fn alone(game: EditableGame, file: Arc<str>) -> Self {
        let (around, diagnostics, main) = (<[Vec<String>; 2]>::default(), Vec::new(), OnceLock::new());
        let mut data = Self { game, around, file, offset: 0, diagnostics, annotated: None, main };
        data.renew();
        data
    }

    /// Updates what follows from the text of the game.
    pub(crate) fn renew(&mut self) {
        let (game, review) = (&self.game, self.game.review());
        let row = |found: &pdn::diag::Diagnostic| {
            Diagnostic(DiagnosticRow::new(&self.file, review.number(), game.locate(found.span()), found))
        };
        self.diagnostics = review.diagnostics().iter().map(row).collect();
        self.main = OnceLock::new();
    }

    /// Returns the game with its diagnostics; annotated, if it is.
    pub(crate) fn review(&self) -> &Review {
        self.annotated.as_ref().map_or_else(|| self.game.review(), |annotated| &annotated.review)
    }

    /// Returns the game as it is played.
    pub(crate) fn played(&self) -> &ReplayedGame {
        self.review().game()
    }

    /// Returns the boards after the nodes of the main line.
    pub(crate) fn main_boards(&self) -> &[(NodeId, Board)] {
        let game = self.played();
        self.main.get_or_init(|| boards_of(game, game.tree().main_line().nodes().iter().copied()))
    }

    /// Returns the game as a row.
    pub(crate) fn row(&self) -> GameRow<'_> {
        let origin = Origin { file: &self.file, game: self.review().number(), offset: self.offset };
        let diagnostics = self.diagnostics.iter().map(|diagnostic| diagnostic.0.clone()).collect();
        let mut row = game_row(self.review(), origin, diagnostics);
        row.add_around(&self.around);
        if let Some(annotated) = &self.annotated {
            annotate_row(&mut row, annotated.review.game(), &annotated.annotations);
        }
        row
    }

    /// Returns the game as a row, with the judgements that follow from its evaluations.
    pub(crate) fn assessed_row(&self) -> GameRow<'_> {
        let mut row = self.row();
        if self.annotated.is_none() {
            row.assess();
        }
        row
    }

    /// Returns the annotation of a move.
    pub(crate) fn annotation(&self, node: NodeId) -> Option<&Annotation> {
        self.annotated.as_ref()?.annotations.iter().find(|annotation| annotation.node == node)
    }

    /// Returns the game as PDN, with its annotations if it has been annotated.
    pub(crate) fn pdn(&self) -> String {
        let Some(annotated) = &self.annotated else { return write_pdn(self.played()) };
        let write = if annotated.plain { plain_pdn } else { annotated_pdn };
        write(annotated.review.game(), &annotated.annotations, &annotated.annotator)
    }
}

/// A game that Python objects have in common, as it is now.
pub(crate) struct Shared(Mutex<Arc<GameData>>);

impl Shared {
    pub(crate) const fn new(data: Arc<GameData>) -> Self {
        Self(Mutex::new(data))
    }

    fn lock(&self) -> MutexGuard<'_, Arc<GameData>> {
        // A game is replaced as a whole, so that it is right after a panic too.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the game as it is now.
    pub(crate) fn data(&self) -> Arc<GameData> {
        Arc::clone(&self.lock())
    }

    /// Makes changes to the game, or none of them, and returns the move that was changed or added last.
    pub(crate) fn edit(&self, changes: &[Change]) -> PyResult<Option<MoveKey>> {
        let mut now = self.lock();
        if now.annotated.is_some() {
            return Err(EditError::new_err(
                "the game is annotated: change it before it is annotated, or read its PDN again",
            ));
        }
        let data = Arc::make_mut(&mut now);
        let shown = data.game.apply(changes);
        let shown = shown.map_err(|reason| EditError::new_err(format!("the game is left unchanged: {reason}")))?;
        data.renew();
        Ok(shown.map(|id| data.game.key(id)))
    }

    /// Does work that makes several changes, and takes all of them back if it fails.
    pub(crate) fn all_or_nothing<T>(&self, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        let before = self.data();
        work().inspect_err(|_| *self.lock() = before)
    }
}
