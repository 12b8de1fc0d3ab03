//! Endgame databases.

use std::path::PathBuf;

use pdn::egdb::{Databases as Tables, Probe as Found};
use pyo3::prelude::*;

use crate::board::Board;
use crate::errors::exception;
use crate::moves::Move;

/// The built-in endgame databases and, optionally, those in a folder.
///
/// >>> import pdn
/// >>> probe = pdn.egdb.Databases().probe(pdn.Board("W:WKc1,Ke1,Ka1:BKh8", variant="russian"))
/// >>> probe.value
/// 'win'
#[pyclass(frozen, module = "pdn.egdb")]
pub(crate) struct Databases(Tables);

#[pymethods]
impl Databases {
    #[new]
    #[pyo3(signature = (folder=None))]
    fn new(folder: Option<PathBuf>) -> PyResult<Self> {
        folder.map_or(Ok(Tables::embedded()), |folder| Tables::in_folder(&folder)).map(Self).map_err(exception)
    }

    /// Looks up a position; returns ``None`` if no table has it.
    fn probe(&self, py: Python<'_>, board: &Board) -> Option<Probe> {
        let position = board.position;
        py.detach(|| self.0.probe(&position)).map(Probe::of)
    }

    /// Looks up the legal moves. Each comes with the value for the side to move, or ``None`` if no table has the position after
    /// it. Plies are counted from the position before the move.
    fn probe_moves(&self, py: Python<'_>, board: &Board) -> Vec<(Move, Option<Probe>)> {
        let position = board.position;
        let found = py.detach(|| self.0.tables(position.variant()).probe_moves(&position));
        let found = found.into_iter();
        found.map(|(played, probe)| (Move::new(played, &position), probe.map(Probe::of))).collect()
    }
}

/// The value of a position for the side to move.
#[pyclass(frozen, get_all, eq, module = "pdn.egdb")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Probe {
    /// ``"win"``, ``"draw"`` or ``"loss"``.
    value: &'static str,
    /// The distance to the end in plies, or ``None`` if it is unknown.
    plies: Option<u32>,
}

impl Probe {
    fn of(found: Found) -> Self {
        Self { value: found.value().name(), plies: found.plies() }
    }
}

#[pymethods]
impl Probe {
    fn __repr__(&self) -> String {
        let plies = self.plies.map_or_else(|| "None".to_owned(), |plies| plies.to_string());
        format!("Probe(value='{}', plies={plies})", self.value)
    }
}
