//! The native part of the Python package `pdn`: thin wrappers around the crate `pdn`, with signatures in `lib/pdn/_core.pyi`.

#![allow(missing_docs, reason = "users read the Python documentation")]
#![allow(clippy::doc_link_with_quotes, reason = "lists in docstring examples are not links")]
#![allow(clippy::trivially_copy_pass_by_ref, clippy::wrong_self_convention, reason = "methods of classes take `&self`")]

mod analysis;
mod annotate;
mod board;
mod calls;
mod command;
mod data;
mod diagnostic;
mod editing;
mod endgames;
mod engine;
mod errors;
mod game;
mod inputs;
mod interrupt;
mod matches;
mod moves;
mod node;
mod numbers;
mod reader;
mod search;
mod tables;
mod tensors;
mod values;
mod variant;
mod work;

#[pyo3::pymodule(gil_used = true)]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::interrupt::pause_for_forks(module.py())
    }

    #[pymodule_export]
    use crate::analysis::{Analysis, Evaluation, Limit, Line, restore_analysis, restore_line};
    #[pymodule_export]
    use crate::annotate::{AnnotatedGames, annotate};
    #[pymodule_export]
    use crate::board::{Board, restore_board};
    #[pymodule_export]
    use crate::calls::{chart, event, openings, players, puzzles, report, stats};
    #[pymodule_export]
    use crate::command::run_command;
    #[pymodule_export]
    use crate::diagnostic::{CheckReport, Diagnostic, Summary, explain};
    #[pymodule_export]
    use crate::endgames::{Databases, Probe};
    #[pymodule_export]
    use crate::engine::{BaseEngine, Engine, HubEngine};
    #[pymodule_export]
    use crate::game::{Game, restore_game};
    #[pymodule_export]
    use crate::inputs::files_of;
    #[pymodule_export]
    use crate::matches::{Match, MatchScore, play_match};
    #[pymodule_export]
    use crate::moves::{Move, restore_move};
    #[pymodule_export]
    use crate::node::{Annotation, Node, restore_node};
    #[pymodule_export]
    use crate::reader::{GameReader, HeaderReader, count_games, read_games, read_headers, search};
    #[pymodule_export]
    use crate::search::{PlayResult, RunningAnalysis};
    #[pymodule_export]
    use crate::tables::{TableStream, table_of_games, table_of_records};
    #[pymodule_export]
    use crate::tensors::{TensorReader, read_tensors};
    #[pymodule_export]
    use crate::values::Outcome;
    #[pymodule_export]
    use crate::variant::{Variant, variants};
    #[pymodule_export]
    use crate::work::{check, convert, fmt};
}
