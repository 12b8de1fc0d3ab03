"""Tables for Arrow, pandas and Polars."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas
import polars
import pyarrow
import pytest
from test_games import run

import pdn
from pdn import tables
from pdn.engine import Limit

if TYPE_CHECKING:
    from pdn._core import _Table

TABLES: list["_Table"] = ["games", "moves", "positions", "players", "diagnostics"]


def plain(name: str, value: Any) -> str:
    """Returns a value as CSV writes it."""
    if value is None:
        return ""
    if name.endswith("_key"):
        return f"{value % 2**64:016x}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    return str(value)


@pytest.mark.parametrize("table", ["games", "moves", "positions", "diagnostics"])
def test_rows_are_those_of_the_command_line(samples: Path, command: str, table: "_Table") -> None:
    for path in sorted(samples.glob("*/*.pdn")):
        text = run(command, "convert", "--to", "csv", "--table", table, str(path))
        expected = list(csv.DictReader(io.StringIO(text, newline="")))
        rows = tables.to_arrow(path, table).to_pylist()
        assert [{name: plain(name, row[name]) for name in (expected or [{}])[0]} for row in rows] == expected, path


def test_games_that_are_read_have_the_rows_of_files(samples: Path) -> None:
    path = samples / "games/brazilian.pdn"
    for table in TABLES:
        from_games = pdn.to_arrow(pdn.read_games(path), table)
        assert from_games.equals(pdn.to_arrow(path, table)), table
        assert from_games.equals(pdn.to_arrow(list(pdn.read_games(path)), table)), table
    assert pdn.to_arrow([], "games").num_rows == 0


def test_annotated_games_have_evaluations(samples: Path, command: str) -> None:
    path = str(samples / "games/italian.pdn")
    arguments = ["annotate", "--nodes", "200", "--no-config", path, "--to"]
    annotated = list(pdn.annotate(pdn.read_games(path), Limit(nodes=200)))
    rows = [json.loads(line) for line in run(command, *arguments, "jsonl").splitlines()]
    moves = pdn.to_arrow(annotated, "moves").to_pylist()
    expected = [move for row in rows for move in row["moves"]]
    for name in ["ply", "notation", "judgement", "best", "forced"]:
        assert [row[name] for row in moves] == [move.get(name) for move in expected], name
    assert [row["eval_cm"] for row in moves] == [(move["eval"] or {}).get("cm") for move in expected]
    games = pdn.to_arrow(annotated, "games").to_pylist()
    assert [game["white_accuracy"] for game in games] == [row["accuracy"]["W"] for row in rows]
    players = run(command, *arguments, "csv", "--table", "players").splitlines()
    assert pdn.to_arrow(annotated, "players").num_rows == len(players) - 1


def test_pandas_and_polars_have_the_columns(samples: Path) -> None:
    path = samples / "games/brazilian.pdn"
    for table in TABLES:
        columns = pdn.to_arrow(path, table).column_names
        frame, polar = pdn.to_pandas(path, table), pdn.to_polars(path, table)
        assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == columns
        assert isinstance(polar, polars.DataFrame) and polar.columns == columns
        assert len(frame) == polar.height
    dates = pdn.to_polars(b'[Date "1970.01.02"] 1. 11-15 *', variant="english")["played_on"]
    assert dates.dtype == polars.Date and dates[0].day == 2


def test_schemas_are_known_before_rows() -> None:
    for table in TABLES:
        schema = tables.batches(b"", table).schema
        assert schema.metadata[b"pdn.table"] == table.encode() and b"pdn.schema_version" in schema.metadata
        assert pdn.to_arrow(b"1. 32-28 *", table).schema == schema


def test_rows_are_read_lazily_and_once() -> None:
    def games() -> Iterator[pdn.Game]:
        (game,) = pdn.read_games(b"1. 32-28 19-23 *")
        while True:
            yield game

    batches = tables.batches(games(), "moves")
    assert batches.read_next_batch().num_rows > 0
    stream = tables.rows(b"1. 32-28 *", "games")
    assert pyarrow.table(stream).num_rows == 1
    with pytest.raises(ValueError, match="consumed"):
        pyarrow.table(stream)


def test_faults_of_sources_are_exceptions(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown table"):
        pdn.to_arrow(b"", "nothing")  # type: ignore[arg-type]
    for read in (pdn.to_arrow, pdn.to_pandas, pdn.to_polars, lambda source: tables.batches(source).read_next_batch()):
        with pytest.raises(pdn.MissingFileError, match="missing.pdn"):
            read(tmp_path / "missing.pdn")
    (game,) = pdn.read_games(b"1. 32-28 *")
    for sources in ([game, None], [None, game], [None]):
        with pytest.raises(TypeError):
            pdn.to_arrow(sources)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        pdn.to_arrow([3], "games")  # type: ignore[arg-type]
    with pytest.raises(pdn.ArgumentError, match="already read"):
        tables.rows(pdn.read_games(b"1. 32-28 *"), "games", variant="russian")
