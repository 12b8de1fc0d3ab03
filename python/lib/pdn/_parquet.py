"""Games in the rows of Parquet files."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from pdn.errors import ArgumentError

if TYPE_CHECKING:
    import pyarrow as _pyarrow

_TEXT = "pdn"
"""The column with the text of a game."""
_ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
_FURTHER = ["file", "game", "variant", "tags", "moves", "eval_cm", "win_in", "win_side", "clock"]
"""The other columns needed to rebuild a game from a table of games."""
_GROUP = 256
"""Rows in memory."""


def is_parquet(file: str) -> bool:
    """Returns true if this is the name of a Parquet file."""
    return file.endswith(".parquet")


def count(file: str) -> int:
    """Returns the number of rows."""
    from pyarrow import parquet

    return int(parquet.read_metadata(file).num_rows)


class Record(io.BytesIO):
    """The text of a game; its name is its index in the group."""

    def __init__(self, text: bytes, place: int) -> None:
        super().__init__(text)
        self.name = str(place)


@dataclass(frozen=True)
class Group:
    """Rows that are read with the same options."""

    records: list[Record]
    names: list[tuple[str, int]]
    """The file and the number of each game."""
    reading: Mapping[str, Any]

    def named(self, batches: Iterable[_pyarrow.RecordBatch]) -> Iterator[_pyarrow.RecordBatch]:
        """Yields rows with the games' files and numbers instead of their indices in the group."""
        import pyarrow

        for batch in batches:
            places = [self.names[int(place)] for place in batch.column("file").to_pylist()]
            # Anything outside a game has the number 0.
            found = zip(places, batch.column("game").to_pylist(), strict=True)
            numbers = [number if game else 0 for (_, number), game in found]
            columns = {"file": [file for file, _ in places], "game": numbers}
            for name, values in columns.items():
                index = batch.schema.get_field_index(name)
                column = pyarrow.array(values, batch.schema.field(index).type)
                batch = batch.set_column(index, batch.schema.field(index), column)
            yield batch


def groups(file: str, first: int, last: int | None, reading: Mapping[str, Any]) -> Iterator[Group]:
    """Yields the games of the rows `first` to `last`, counted from 1, in order."""
    rows = _rows(file, first, last)
    for variant, alike in groupby(rows, key=lambda row: row[1].get("variant")):
        while chunk := list(islice(alike, _GROUP)):
            records = [Record(_text(row), place) for place, (_, row) in enumerate(chunk)]
            names = [(row.get("file") or file, row.get("game") or number) for number, row in chunk]
            # A variant inferred from a whole file cannot be inferred from a single game.
            yield Group(records, names, {"variant": variant, **reading})


def _rows(path: str, first: int, last: int | None) -> Iterator[tuple[int, dict[str, Any]]]:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        columns = _columns(path, file.schema_arrow.names)
        number = 0
        for group in range(file.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            if last is not None and number >= last:
                return
            if number + rows < first:
                number += rows
                continue
            for batch in file.iter_batches(_GROUP, row_groups=[group], columns=columns):
                for number, row in enumerate(batch.to_pylist(), number + 1):
                    if first <= number and (last is None or number <= last):
                        yield number, row


def _columns(path: str, present: list[str]) -> list[str]:
    wanted = [_TEXT, "file", "game", "variant"] if _TEXT in present else [*_ROSTER, *_FURTHER]
    if _TEXT not in present and not {"tags", "moves"} <= set(present):
        raise ArgumentError(f"{path}: expected the column `{_TEXT}` or the columns of the table of games")
    return [name for name in wanted if name in present]


def _text(row: Mapping[str, Any]) -> bytes:
    """Returns the text of the game in a row."""
    if _TEXT in row:
        text = row[_TEXT] or b""
        return text if isinstance(text, bytes) else str(text).encode()
    tags = {name: row[name] for name in _ROSTER if row.get(name) is not None}
    tags |= json.loads(row["tags"] or "{}")
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *_moves(row), tags.get("Result") or "*", ""]).encode()


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _moves(row: Mapping[str, Any]) -> Iterator[str]:
    """Yields the moves of the main line, each with the commands made from its columns."""
    for index, move in enumerate(row["moves"]):
        value = {name: (row.get(name) or {index: None})[index] for name in ("eval_cm", "win_in", "win_side", "clock")}
        commands = []
        if value["win_in"] is not None:
            commands.append(f"[%eval #{'-' if value['win_side'] == 'B' else ''}{value['win_in']}]")
        elif value["eval_cm"] is not None:
            commands.append(f"[%eval {value['eval_cm'] / 100:.2f}]")
        if (seconds := value["clock"]) is not None:
            commands.append(f"[%clk {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}]")
        yield f"{move} {{{' '.join(commands)}}}" if commands else move
