//! Tables of records through Apache Arrow's C stream interface.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pdn::check::Checking;
use pdn::export::{ArrowColumn, ConvertedRows, RowOutput, Table, TableGames, arrow_schema};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::ArgumentError;
use crate::game::Game;
use crate::inputs::inputs;
use crate::interrupt::called_back;
use crate::numbers::Jobs;
use crate::reader::{Ahead, check_options};
use crate::variant::AnyVariant;

/// Number of Python games per record batch.
const BATCH: usize = 256;

type Rows = ConvertedRows<ArrowColumn>;

/// Where the games of a table come from.
enum Source {
    /// Records, read on other threads.
    Records(Ahead<Rows>),
    /// A Python iterator, until it ends.
    Games(Option<Py<PyAny>>),
}

impl Source {
    fn next(&mut self, py: Python<'_>, table: &TableGames<ArrowColumn>) -> PyResult<Option<Rows>> {
        let games = match self {
            Self::Records(ahead) => return ahead.next(py),
            Self::Games(games) => games,
        };
        let Some(iterator) = games else { return Ok(None) };
        let next = iterator.bind(py).try_iter()?.take(BATCH);
        let batch = next.map(|game| Ok(game?.extract()?)).collect::<PyResult<Vec<Game>>>()?;
        if batch.len() < BATCH {
            *games = None;
        }
        let mut rows = Rows::default();
        py.detach(|| batch.iter().for_each(|game| table.add_game(&game.data().assessed_row(), &mut rows)));
        Ok(Some(rows))
    }
}

/// Makes the record batches of a table.
struct Batches {
    table: Table,
    games: TableGames<ArrowColumn>,
    source: Source,
    /// The writer of the rows, until they end.
    output: Option<RowOutput>,
    /// Why the rows ended early.
    error: Failure,
}

/// An exception, of which Arrow passes on only the text.
type Failure = Arc<Mutex<Option<PyErr>>>;

impl Batches {
    fn new(table: Table, source: Source) -> Self {
        Self {
            table,
            games: TableGames::new(table),
            source,
            output: Some(RowOutput::default()),
            error: Failure::default(),
        }
    }

    fn next_batch(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        while let Some(mut output) = self.output.take() {
            let rows = match self.source.next(py, &self.games)? {
                Some(chunk) => {
                    let rows = output.add(chunk);
                    self.output = Some(output);
                    rows
                }
                None => Some(output.finish(self.table)),
            };
            let batch = rows.map(|mut rows| rows.finish()).filter(|batch| batch.num_rows() > 0);
            if batch.is_some() {
                return Ok(batch);
            }
        }
        Ok(None)
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // Arrow passes the message on as a string of C, and aborts if it contains a NUL.
        let failure = Arc::clone(&self.error);
        let text = |error: PyErr| {
            let text = error.to_string().replace('\0', "\\0");
            *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            text
        };
        let batch = called_back(|py| self.next_batch(py).map_err(text));
        let batch = batch.unwrap_or_else(|| Err("the interpreter is shutting down".to_owned()));
        batch.map_err(|error| ArrowError::ExternalError(error.into())).transpose()
    }
}

impl Drop for Batches {
    fn drop(&mut self) {
        if let Source::Games(games) = &mut self.source {
            called_back(|_| drop(games.take()));
        }
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        arrow_schema(self.table)
    }
}

/// The rows of a table, which any library that supports Arrow's C stream interface can consume once.
#[pyclass(frozen, module = "pdn.tables")]
pub(crate) struct TableStream {
    batches: Mutex<Option<Batches>>,
    error: Failure,
}

#[pymethods]
impl TableStream {
    /// Returns the rows as an Arrow stream. Consumers that request other types must cast the columns.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner).take();
        let batches = batches.ok_or_else(|| ArgumentError::new_err("the rows have already been consumed"))?;
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    /// Returns the exception that ended the rows early, or ``None``.
    fn _error(&self, py: Python<'_>) -> Option<PyErr> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|error| error.clone_ref(py))
    }
}

/// Returns the table with this name.
pub(crate) fn table_named(name: &str) -> PyResult<Table> {
    let found = Table::ALL.into_iter().find(|table| table.name() == name);
    let names = Table::ALL.map(Table::name).join(", ");
    found.ok_or_else(|| ArgumentError::new_err(format!("unknown table `{name}`; expected one of {names}")))
}

/// Returns the rows of a table of records; see :mod:`pdn.tables`.
#[pyfunction]
#[pyo3(signature = (source, table, *, variant=None, strict=false, encoding=None, jobs=None))]
pub(crate) fn table_of_records(
    source: &Bound<'_, PyAny>,
    table: &str,
    variant: Option<AnyVariant>,
    strict: bool,
    encoding: Option<&str>,
    jobs: Option<Jobs>,
) -> PyResult<TableStream> {
    let table = table_named(table)?;
    let (checks, chunks) = check_options(variant, strict, encoding)?;
    let work = Checking::new(TableGames::new(table), checks);
    let source = Source::Records(Ahead::new(inputs(source, encoding.is_some())?, work, jobs, chunks)?);
    Ok(stream(Batches::new(table, source)))
}

/// Returns the rows of a table of games; see :mod:`pdn.tables`.
#[pyfunction]
pub(crate) fn table_of_games(games: &Bound<'_, PyAny>, table: &str) -> PyResult<TableStream> {
    let source = Source::Games(Some(games.try_iter()?.into_any().unbind()));
    Ok(stream(Batches::new(table_named(table)?, source)))
}

fn stream(batches: Batches) -> TableStream {
    TableStream { error: Arc::clone(&batches.error), batches: Mutex::new(Some(batches)) }
}
