//! Diagnostics, and the results of a check.

use pdn::check::Summary as Counted;
use pdn::diag::{Code, Severity};
use pdn::records::DiagnosticRow;
use pyo3::prelude::*;

use crate::errors::ArgumentError;

/// A problem or observation in a record.
#[pyclass(frozen, eq, module = "pdn")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Diagnostic(pub(crate) DiagnosticRow);

#[pymethods]
impl Diagnostic {
    /// The file name as given.
    #[getter]
    fn file(&self) -> &str {
        &self.0.file
    }

    /// The number of the game in the file, from 1; 0 outside any game.
    #[getter]
    const fn game(&self) -> u64 {
        self.0.game
    }

    /// The offset of the first byte in the decompressed file, from 0.
    #[getter]
    const fn offset(&self) -> u64 {
        self.0.offset
    }

    /// The number of bytes.
    #[getter]
    const fn length(&self) -> u64 {
        self.0.length
    }

    /// The line, from 1.
    #[getter]
    const fn line(&self) -> u64 {
        self.0.line
    }

    /// The column, from 1, in characters.
    #[getter]
    const fn column(&self) -> u64 {
        self.0.column
    }

    /// ``"error"``, ``"warning"`` or ``"note"``.
    #[getter]
    fn severity(&self) -> String {
        self.0.severity.to_string()
    }

    /// The stable diagnostic code, such as ``"move/illegal"``.
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code.name()
    }

    /// The message.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// How to fix the problem, or ``None``.
    #[getter]
    fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    fn __str__(&self) -> String {
        let Self(row) = self;
        format!("{}:{}:{}: {}[{}]: {}", row.file, row.line, row.column, row.severity, row.code.name(), row.message)
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {} at {}:{}>", self.code(), self.0.line, self.0.column)
    }
}

/// Returns the meaning of a diagnostic code.
///
/// >>> import pdn
/// >>> pdn.explain("tag/date")[:25]
/// 'A date is not in the form'
#[pyfunction]
pub(crate) fn explain(code: &str) -> PyResult<&'static str> {
    let known = code.parse().map_err(|error: pdn::ParseError| ArgumentError::new_err(error.to_string()));
    known.map(Code::meaning)
}

/// The counts of a check.
#[pyclass(frozen, module = "pdn")]
#[derive(Clone, Default)]
pub(crate) struct Summary(pub(crate) Counted);

#[pymethods]
impl Summary {
    /// The number of files.
    #[getter]
    const fn files(&self) -> u64 {
        self.0.files()
    }

    /// The number of games.
    #[getter]
    const fn games(&self) -> u64 {
        self.0.games()
    }

    /// The number of games with at least one move whose main line is legal to its end.
    #[getter]
    const fn replayed_games(&self) -> u64 {
        self.0.replayed_games()
    }

    /// The number of games without errors.
    #[getter]
    const fn games_without_errors(&self) -> u64 {
        self.0.games_without_errors()
    }

    /// The number of games with moves but without a known variant or position.
    #[getter]
    const fn games_not_replayed(&self) -> u64 {
        self.0.games_not_replayed()
    }

    /// The number of legal moves of main lines.
    #[getter]
    const fn plies(&self) -> u64 {
        self.0.plies()
    }

    /// The number of errors.
    #[getter]
    const fn errors(&self) -> u64 {
        self.0.diagnostics(Severity::Error)
    }

    /// The number of warnings.
    #[getter]
    const fn warnings(&self) -> u64 {
        self.0.diagnostics(Severity::Warning)
    }

    /// The number of notes.
    #[getter]
    const fn notes(&self) -> u64 {
        self.0.diagnostics(Severity::Note)
    }

    fn __repr__(&self) -> String {
        let counts = &self.0;
        format!(
            "<Summary games={} plies={} errors={} warnings={} notes={}>",
            counts.games(),
            counts.plies(),
            counts.diagnostics(Severity::Error),
            counts.diagnostics(Severity::Warning),
            counts.diagnostics(Severity::Note)
        )
    }
}

/// The diagnostics of records, with a summary.
#[pyclass(frozen, module = "pdn")]
pub(crate) struct CheckReport {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) summary: Summary,
}

#[pymethods]
impl CheckReport {
    /// The diagnostics, in the order of the text.
    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.clone()
    }

    /// The counts.
    #[getter]
    fn summary(&self) -> Summary {
        self.summary.clone()
    }

    /// True if there are no errors.
    #[getter]
    const fn ok(&self) -> bool {
        self.summary.0.diagnostics(Severity::Error) == 0
    }

    fn __repr__(&self) -> String {
        format!("<CheckReport {}>", self.summary.__repr__().trim_matches(['<', '>']))
    }
}
