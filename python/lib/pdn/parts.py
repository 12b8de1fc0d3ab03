"""Independent parts of collections, for runs on many machines: each is a file or a range of its games.

The rows of a part go to a separate file, which gets its final name only when it is complete. A killed run can therefore
continue where it stopped, and the rows depend neither on the number and order of workers nor on retries.

>>> from pdn import parts
>>> [(part.first, part.last) for part in parts.plan(["samples/games/italian.pdn"], games_per_part=3)]
[(1, 3), (4, 6), (7, 8)]
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pdn import _parquet, tables
from pdn._core import annotate, count_games, files_of, read_games
from pdn.errors import ArgumentError

if TYPE_CHECKING:
    import pyarrow as _pyarrow

    from pdn._core import Limit

__all__ = ["Annotated", "Part", "Read", "Work", "count", "plan", "prepare", "schema", "write"]


@dataclass(frozen=True)
class Part:
    """Games of a file: part `index`, from 0, of a collection with this number of `parts`."""

    file: str
    index: int
    parts: int
    first: int = 1
    """The number of the first game."""
    last: int | None = None
    """The number of the last game, or ``None`` for all."""

    def path(self, out: Path, table: str) -> Path:
        """Returns the path, in an output folder, of the file for this part's rows."""
        return out / f"{table}-{self.index:06}-of-{self.parts:06}.parquet"


@dataclass(frozen=True)
class Read:
    """Makes the rows of a table from files, as `pdn convert` does on one machine."""

    table: Literal["games", "moves", "positions", "diagnostics"]
    reading: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, part: Part) -> Iterator[_pyarrow.RecordBatch]:
        """Returns the rows of a part, read lazily."""
        if not _parquet.is_parquet(part.file):
            return iter(tables.batches(part.file, self.table, jobs=1, **self.reading))
        groups = _parquet.groups(part.file, part.first, part.last, self.reading)
        return chain.from_iterable(
            group.named(tables.batches(group.records, self.table, jobs=1, **group.reading)) for group in groups
        )

    def settings(self) -> dict[str, Any]:
        """Returns the settings that the rows depend on."""
        return {"table": self.table, "reading": _texts(self.reading)}


@dataclass(frozen=True)
class Annotated:
    """Makes the rows of a table from annotated games, as `pdn annotate` does on one machine."""

    table: Literal["games", "moves", "positions"]
    limit: Limit
    options: Mapping[str, Any] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, part: Part) -> Iterator[_pyarrow.RecordBatch]:
        """Returns the rows of a part, read lazily."""
        if not _parquet.is_parquet(part.file):
            games = read_games(part.file, first=part.first, last=part.last, jobs=1, **self.reading)
            return self._batches(games)
        groups = _parquet.groups(part.file, part.first, part.last, self.reading)
        return chain.from_iterable(
            group.named(self._batches(read_games(group.records, jobs=1, **group.reading))) for group in groups
        )

    def _batches(self, games: Iterable[Any]) -> Iterator[_pyarrow.RecordBatch]:
        return iter(tables.batches(annotate(games, self.limit, jobs=1, **self.options), self.table))

    def settings(self) -> dict[str, Any]:
        """Returns the settings that the rows depend on."""
        texts = {"options": _texts(self.options), "reading": _texts(self.reading)}
        return {"table": self.table, "limit": repr(self.limit), **texts}


Work: TypeAlias = Read | Annotated


def _texts(options: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in sorted(options.items())}


def schema(work: Work) -> _pyarrow.Schema:
    """Returns the names and types of the columns of the rows."""
    return tables.batches(b"", work.table).schema


def count(file: str) -> int:
    """Returns the number of games in a PDN file, or in a Parquet file with one game per row."""
    if _parquet.is_parquet(file):
        return _parquet.count(file)
    return count_games(file, jobs=1)


def _expanded(files: Iterable[str | os.PathLike[str]]) -> Iterator[tuple[str, bool]]:
    """Yields file names, each with true if the file is one sequence of games; an archive has one sequence per member."""
    for name in (os.fspath(file) for file in files):
        if tables_in_folder := sorted(map(str, Path(name).rglob("*.parquet"))):
            yield from ((table, True) for table in tables_in_folder)
        elif _parquet.is_parquet(name):
            yield name, True
        else:
            # The members of an archive are listed one after another.
            yield from dict.fromkeys((str(path), label == str(path)) for label, path in files_of(name))


def plan(
    files: Iterable[str | os.PathLike[str]],
    *,
    games_per_part: int | None = None,
    counts: Callable[[Sequence[str]], Iterable[int]] | None = None,
) -> list[Part]:
    """Returns the parts of a collection: one file each, or this number of games.

    A file is PDN, compressed or not, or Parquet with one game per row: either with its text in the column `pdn`, or with the
    columns of the table of games. A folder means all Parquet files below it or, if there are none, all PDN files. An archive
    is a single part. `counts` returns the number of games in each file, and may count on other machines.
    """
    names = list(_expanded(files))
    if games_per_part is None:
        return [Part(name, index, len(names)) for index, (name, _) in enumerate(names)]
    if games_per_part < 1:
        raise ArgumentError("games_per_part must be at least 1")
    divided = [name for name, is_one in names if is_one]
    numbers = dict(zip(divided, counts(divided) if counts else map(count, divided), strict=True))
    ranges: list[tuple[str, int, int | None]] = []
    for name, _ in names:
        if (games := numbers.get(name)) is None:
            ranges.append((name, 1, None))
        else:
            firsts = range(1, games + 1, games_per_part)
            ranges += [(name, first, min(first + games_per_part - 1, games)) for first in firsts]
    return [Part(name, index, len(ranges), first, last) for index, (name, first, last) in enumerate(ranges)]


def prepare(out: Path, parts: Sequence[Part], work: Work) -> list[Part]:
    """Prepares a folder for the rows of parts, and returns the parts whose rows are missing there.

    Raises :exc:`ArgumentError` if the folder holds the rows of other games or settings.
    """
    out.mkdir(parents=True, exist_ok=True)
    sizes = {part.file: os.path.getsize(part.file) for part in parts}
    planned = {"settings": work.settings(), "sizes": sizes, "parts": [asdict(part) for part in parts]}
    text = json.dumps(planned, indent=1)
    file = out / "plan.json"
    if not file.exists():
        _write_whole(file, lambda growing: growing.write_text(text, encoding="utf-8"))
    elif file.read_text(encoding="utf-8") != text:
        raise ArgumentError(f"{out}: the folder has the rows of other games or settings")
    return [part for part in parts if not part.path(out, work.table).exists()]


def write(part: Part, work: Work, out: Path) -> int:
    """Writes the rows of a part, unless an earlier attempt has done so, and returns their number."""
    from pyarrow import parquet

    path = part.path(out, work.table)
    if path.exists():
        return int(parquet.read_metadata(path).num_rows)
    rows = 0

    def fill(growing: Path) -> None:
        nonlocal rows
        with parquet.ParquetWriter(growing, schema(work)) as writer:
            for batch in work(part):
                writer.write_batch(batch)
                rows += batch.num_rows

    _write_whole(path, fill)
    return rows


def _write_whole(path: Path, fill: Callable[[Path], object]) -> None:
    """Writes a file under a unique temporary name, then renames it."""
    growing = path.with_name(f"{path.name}.{uuid.uuid4().hex}.growing")
    try:
        fill(growing)
        growing.replace(path)
    finally:
        growing.unlink(missing_ok=True)
