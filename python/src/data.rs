//! What Python objects of a game have in common: the game, its file, and its annotations.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pdn::NodeId;
use pdn::check::{CheckedGame, Review};
use pdn::edit::{Change, EditableGame, MoveKey};
use pdn::export::{annotated_pdn, plain_pdn, write_pdn};
use pdn::records::{Annotation, DiagnosticRow, GameRow, Origin, annotate_row, diagnostic_rows, game_row};
use pdn::replay::ReplayedGame;
use pdn::source::Location;
use pdn::text::Format;
use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};

use crate::board::{Board, boards_of};
use crate::diagnostic::Diagnostic;
use crate::errors::EditError;
use crate::game::Game;

/// A game with everything that belongs to it.
#[derive(Clone)]
pub(crate) struct GameData {
    pub(crate) game: EditableGame,
    pub(crate) around: [Vec<String>; 2],
    pub(crate) file: Arc<str>,
    /// The place of the first byte of the game in its file.
    pub(crate) place: Location,
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
        let around = game.around().clone();
        // Any other format is changed as PDN, which has its own lines.
        let is_pdn = game.format() == Format::Pdn;
        let place = if is_pdn { game.location() } else { place(game.offset(), 1, 1) };
        let diagnostics = diagnostic_rows(&game).into_iter().map(Diagnostic).collect();
        let game = EditableGame::of(game);
        Self { game, around, file, place, diagnostics, annotated: None, main: OnceLock::new() }
    }

    /// Returns a game that was made alone.
    pub(crate) fn alone(game: EditableGame) -> Self {
        Self::at(place(0, 1, 1), game, "".into())
    }

    /// Returns a game that was restored alone, from a place in a file.
    pub(crate) fn at(place: Location, game: EditableGame, file: Arc<str>) -> Self {
        let (around, diagnostics, main) = (<[Vec<String>; 2]>::default(), Vec::new(), OnceLock::new());
        let mut data = Self { game, around, file, place, diagnostics, annotated: None, main };
        data.renew();
        data
    }

    /// Updates what follows from the text of the game.
    pub(crate) fn renew(&mut self) {
        let (game, review) = (&self.game, self.game.review());
        let start = self.place;
        let in_file = |mut found: Location| {
            if found.line == 1 {
                found.column = found.column.saturating_add(start.column - 1);
            }
            found.line = found.line.saturating_add(start.line - 1);
            found.offset = found.offset.saturating_add(start.offset);
            found
        };
        let row = |found: &pdn::diag::Diagnostic| {
            let place = in_file(game.locate(found.span()));
            Diagnostic(DiagnosticRow::new(&self.file, review.number(), place, found))
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
        let origin = Origin { file: &self.file, game: self.review().number(), offset: self.place.offset };
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

/// Returns the place of a byte in a file; lines and columns count from 1.
pub(crate) fn place(offset: u64, line: u64, column: u64) -> Location {
    let mut place = Location::default();
    (place.offset, place.line, place.column) = (offset, line.max(1), column.max(1));
    place
}

/// A game that Python objects have in common, as it is now.
pub(crate) struct Shared {
    data: Mutex<Arc<GameData>>,
    /// The Python object that nodes have for their game.
    object: Mutex<Option<Py<PyWeakrefReference>>>,
}

impl Shared {
    pub(crate) const fn new(data: Arc<GameData>) -> Self {
        Self { data: Mutex::new(data), object: Mutex::new(None) }
    }

    /// Returns the Python object that nodes have for their game, if there still is one.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Game>>> {
        let known =
            self.object.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|known| known.clone_ref(py));
        known.map_or(Ok(None), |known| known.bind(py).upgrade_as::<Game>())
    }

    /// Sets that object.
    pub(crate) fn set_object(&self, object: &Bound<'_, Game>) -> PyResult<()> {
        let known = PyWeakrefReference::new(object.as_any())?.unbind();
        *self.object.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Arc<GameData>> {
        // A game is replaced as a whole, so that it is right after a panic too.
        self.data.lock().unwrap_or_else(PoisonError::into_inner)
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
