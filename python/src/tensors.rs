//! Positions as arrays of numpy.

use std::collections::VecDeque;

use pdn::board::{Piece, Side, Square};
use pdn::check::{CheckedGame, Checking, GameWork, Needs};
use pdn::notation::{Numbering, Outcome};
use pdn::rules::{Position, Variant as Rules};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyDict};

use crate::inputs::inputs;
use crate::interrupt::Exclusive;
use crate::numbers::{self, Jobs};
use crate::reader::{Ahead, check_options};
use crate::variant::{AnyVariant, optional};

/// Planes of a position: the men and kings of one side, and those of the other.
const PLANES: usize = 4;
/// Bytes of a number.
const SIZE: usize = size_of::<f32>();

/// The squares of a board, in the order of their numbers.
struct Places(Vec<Square>);

impl Places {
    fn of(variant: Rules) -> Self {
        let numbers = Numbering::internal(variant);
        Self((1..=variant.shape().square_count()).filter_map(|number| numbers.square(number)).collect())
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the place that a side sees at another one; Black sees the board rotated by 180 degrees.
    fn seen_by(&self, side: Side, place: usize) -> usize {
        if side == Side::White { place } else { self.count() - 1 - place }
    }

    /// Returns the place of a square, as a side sees it.
    fn of_square(&self, square: Square, side: Side) -> usize {
        self.seen_by(side, self.0.iter().position(|known| *known == square).unwrap_or_default())
    }

    /// Returns the number of bytes of the planes of a position.
    fn size(&self) -> usize {
        PLANES * self.count() * SIZE
    }

    /// Writes the planes of a position, as a side sees it, over zeros.
    fn write(&self, position: &Position, side: Side, planes: &mut [u8]) {
        for (place, &square) in self.0.iter().enumerate() {
            let Some((owner, piece)) = position.piece_at(square) else { continue };
            let plane = 2 * usize::from(owner != side) + usize::from(piece == Piece::King);
            let at = (plane * self.count() + self.seen_by(side, place)) * SIZE;
            planes[at..at + SIZE].copy_from_slice(&1_f32.to_ne_bytes());
        }
    }
}

/// Returns an array of a type and a shape with the bytes that `fill` writes over zeros.
fn array<'py>(
    py: Python<'py>,
    kind: &str,
    size: usize,
    shape: &[usize],
    fill: impl FnOnce(&mut [u8]),
) -> PyResult<Bound<'py, PyAny>> {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let make = MAKE.get_or_try_init(py, || PyResult::Ok(py.import("numpy")?.getattr("ndarray")?.unbind()))?;
    let bytes = PyByteArray::new_with(py, size, |bytes| {
        fill(bytes);
        Ok(())
    })?;
    make.bind(py).call1((shape, kind, bytes))
}

/// Returns the planes of a position as a side sees it.
pub(crate) fn tensor<'py>(py: Python<'py>, position: &Position, side: Side) -> PyResult<Bound<'py, PyAny>> {
    let places = Places::of(position.variant());
    array(py, "float32", places.size(), &[PLANES, places.count()], |bytes| places.write(position, side, bytes))
}

/// A position before a move, the move, and the points of the side to move.
struct Sample {
    position: Position,
    squares: [Square; 2],
    points: f32,
}

/// Collects the positions of games of a variant.
struct Sampling(Rules);

impl GameWork for Sampling {
    type Done = Vec<Sample>;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Vec<Sample>) {
        let outcome = game.review().winner();
        let played = game.review().game();
        if played.variant() != Some(self.0) {
            return;
        }
        for ply in played.main_moves().filter_map(|id| played.ply(id)) {
            let Some((position, step)) = ply.before().zip(ply.played()) else { continue };
            let points = match outcome {
                None => f32::NAN,
                Some(Outcome::Draw) => 0.5,
                Some(Outcome::Win(side)) => f32::from(u8::from(side == position.turn())),
            };
            done.push(Sample { position: *position, squares: [step.from(), step.to()], points });
        }
    }
}

/// An iterator over batches of positions; see :func:`pdn.read_tensors`.
#[pyclass(frozen, module = "pdn")]
pub(crate) struct TensorReader(Exclusive<Reader>);

struct Reader {
    ahead: Ahead<Vec<Sample>>,
    samples: VecDeque<Sample>,
    places: Places,
    batch: usize,
}

#[pymethods]
impl TensorReader {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut reader = self.0.wait(py)?;
        while reader.samples.len() < reader.batch {
            let Some(done) = reader.ahead.next(py)? else { break };
            reader.samples.extend(done);
        }
        let count = reader.batch.min(reader.samples.len());
        if count == 0 {
            return Ok(None);
        }
        let samples: Vec<_> = reader.samples.drain(..count).collect();
        let places = &reader.places;
        let pieces = array(py, "float32", count * places.size(), &[count, PLANES, places.count()], |bytes| {
            for (sample, planes) in samples.iter().zip(bytes.chunks_exact_mut(places.size())) {
                places.write(&sample.position, sample.position.turn(), planes);
            }
        })?;
        let moves = array(py, "uint8", 2 * count, &[count, 2], |bytes| {
            let of = |sample: &Sample, square| places.of_square(square, sample.position.turn()) as u8;
            let squares = samples.iter().flat_map(|sample| sample.squares.map(|square| of(sample, square)));
            bytes.iter_mut().zip(squares).for_each(|(byte, place)| *byte = place);
        })?;
        let points = array(py, "float32", SIZE * count, &[count], |bytes| {
            for (sample, bytes) in samples.iter().zip(bytes.chunks_exact_mut(SIZE)) {
                bytes.copy_from_slice(&sample.points.to_ne_bytes());
            }
        })?;
        let arrays = PyDict::new(py);
        arrays.set_item("planes", pieces)?;
        arrays.set_item("moves", moves)?;
        arrays.set_item("points", points)?;
        Ok(Some(arrays))
    }
}

/// Reads the positions of games as arrays of numpy, ``batch`` positions at a time: those before the moves of the main lines of all games
/// of a variant.
///
/// Each batch is a dictionary of three arrays. ``planes`` are as :meth:`Board.tensor` returns them, of type ``float32`` and shape
/// ``(n, 4, squares)``; ``moves`` are the first and the last square of the move that was played, from 0 and as the side to move sees
/// them, of type ``uint8``; ``points`` are what the side to move got in the game: 1, 0.5 or 0, or NaN if the result is unknown.
///
/// >>> import pdn
/// >>> for batch in pdn.read_tensors("samples/games/international.pdn", batch=100):
/// ...     print(batch["planes"].shape, batch["moves"].shape, batch["points"].shape)
/// ...     break
/// (100, 4, 50) (100, 2) (100,)
#[pyfunction]
#[pyo3(signature = (source, *, variant=None, batch=4096, encoding=None, jobs=None))]
pub(crate) fn read_tensors(
    source: &Bound<'_, PyAny>,
    variant: Option<AnyVariant>,
    #[pyo3(from_py_with = numbers::batch)] batch: usize,
    encoding: Option<&str>,
    jobs: Option<Jobs>,
) -> PyResult<TensorReader> {
    let variant = optional(variant)?.unwrap_or(Rules::INTERNATIONAL);
    let (checks, chunks) = check_options(None, false, encoding)?;
    let ahead =
        Ahead::new(inputs(source, encoding.is_some())?, Checking::new(Sampling(variant), checks), jobs, chunks)?;
    let reader = Reader { ahead, samples: VecDeque::new(), places: Places::of(variant), batch };
    Ok(TensorReader(Exclusive::new(reader)))
}
