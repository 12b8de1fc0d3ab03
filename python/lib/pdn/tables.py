"""Records as tables: games, moves, positions, players and diagnostics, with the columns of `pdn convert --to parquet`.

A source is anything that :func:`pdn.read_games` accepts, or an iterable of games, such as annotated ones. Columns pass to other
libraries through Apache Arrow's C stream interface, without copies.

>>> from pdn import tables
>>> tables.to_arrow(b"1. 32-28 19-23 *", "moves").column("notation").to_pylist()
['32-28', '19-23']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any

from pdn._core import Game, TableStream, table_of_games, table_of_records
from pdn.errors import ArgumentError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow as _pyarrow

    from pdn._core import _AnyVariant, _Source, _Table

__all__ = ["TableStream", "batches", "rows", "to_arrow", "to_pandas", "to_polars"]


def rows(
    source: _Source | Iterable[Game],
    table: _Table = "games",
    *,
    variant: _AnyVariant | None = None,
    strict: bool = False,
    encoding: str | None = None,
    jobs: int | None = None,
) -> TableStream:
    """Returns the rows of a table, for any library that accepts an Arrow stream. They are read lazily, and only once.

    The options are for records. Raises :exc:`ArgumentError` if one is given with games, which are already read.
    """
    records: Any = source
    is_one = isinstance(source, (str, bytes, bytearray, memoryview)) or hasattr(source, "read")
    if isinstance(source, Iterable) and not is_one:
        items: Iterator[Any] = iter(source)
        end = object()
        first = next(items, end)
        if isinstance(first, Game):
            if variant is not None or strict or encoding is not None or jobs is not None:
                raise ArgumentError("variant, strict, encoding and jobs are for records, but the games are already read")
            return table_of_games(chain([first], items), table)
        records = [] if first is end else chain([first], items)
    return table_of_records(records, table, variant=variant, strict=strict, encoding=encoding, jobs=jobs)


@contextmanager
def _errors_of(stream: TableStream) -> Iterator[None]:
    """Re-raises the original exceptions of the rows, since Arrow keeps only their messages."""
    try:
        yield
    except Exception as error:
        raise stream._error() or error from None


def batches(source: _Source | Iterable[Game], table: _Table = "games", **options: Any) -> _pyarrow.RecordBatchReader:
    """Returns the rows of a table as batches, read lazily. The options are those of :func:`rows`."""
    import pyarrow

    stream = rows(source, table, **options)
    reader = pyarrow.RecordBatchReader.from_stream(stream)

    def read() -> Iterator[_pyarrow.RecordBatch]:
        with _errors_of(stream):
            yield from reader

    return pyarrow.RecordBatchReader.from_batches(reader.schema, read())


def to_arrow(source: _Source | Iterable[Game], table: _Table = "games", **options: Any) -> _pyarrow.Table:
    """Returns an Arrow table. The options are those of :func:`rows`."""
    return batches(source, table, **options).read_all()


def to_pandas(source: _Source | Iterable[Game], table: _Table = "games", **options: Any) -> pandas.DataFrame:
    """Returns a pandas data frame. The options are those of :func:`rows`.

    >>> from pdn import tables
    >>> tables.to_pandas("samples/games/brazilian.pdn")["variant"].unique().tolist()
    ['brazilian']
    """
    frame: pandas.DataFrame = to_arrow(source, table, **options).to_pandas()
    return frame


def to_polars(source: _Source | Iterable[Game], table: _Table = "games", **options: Any) -> polars.DataFrame:
    """Returns a Polars data frame. The options are those of :func:`rows`.

    >>> from pdn import tables
    >>> tables.to_polars("samples/games/brazilian.pdn", "positions").height > 100
    True
    """
    import polars

    stream = rows(source, table, **options)
    with _errors_of(stream):
        return polars.DataFrame(stream)
