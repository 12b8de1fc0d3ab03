"""Parts of collections, and games in Parquet files."""

import itertools
import zipfile
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import pdn
from pdn import parts
from pdn.engine import Limit

LIMIT = Limit(nodes=10)


def rows(planned: list[parts.Part], work: parts.Work) -> pyarrow.Table:
    batches = itertools.chain.from_iterable(map(work, planned))
    return pyarrow.Table.from_batches(batches, parts.schema(work))


@pytest.fixture(scope="module")
def expected(files: list[Path]) -> pyarrow.Table:
    return pdn.to_arrow(pdn.annotate(pdn.read_games(files), LIMIT), "moves")


@given(st.integers(1, 30))
def test_parts_have_each_game_once(size: int) -> None:
    text = Path(__file__).resolve().parents[2] / "samples/games/italian.pdn"
    planned = parts.plan([text], games_per_part=size)
    assert [part.index for part in planned] == list(range(planned[0].parts))
    numbers = [number for part in planned for number in range(part.first, (part.last or 0) + 1)]
    assert numbers == list(range(1, parts.count(str(text)) + 1))
    assert all((part.last or 0) - part.first < size for part in planned)


def test_rows_do_not_depend_on_the_size_of_parts(files: list[Path], expected: pyarrow.Table) -> None:
    for size in (3, 1000):
        assert rows(parts.plan(files, games_per_part=size), parts.Annotated("moves", LIMIT)).equals(expected)
    for table in ("games", "positions", "diagnostics"):
        assert rows(parts.plan(files), parts.Read(table)).equals(pdn.to_arrow(files, table))


def test_folders_and_archives_are_collections(files: list[Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        for path in files:
            archive.write(path, path.name)
    (tmp_path / "below").mkdir()
    (tmp_path / "below/one.pdn").write_bytes(files[0].read_bytes())
    planned = parts.plan([tmp_path], games_per_part=100)
    assert [(Path(part.file).name, part.last) for part in planned] == [
        ("one.pdn", parts.count(str(files[0]))),
        ("games.zip", None),
    ]
    games = [len(list(pdn.read_games(path))) for path in [files[0], *files]]
    assert rows(planned, parts.Read("games")).num_rows == sum(games)
    with pytest.raises(OSError):
        parts.plan([tmp_path / "absent.pdn"])


@pytest.mark.parametrize("column", ["moves", "pdn"])
def test_games_in_parquet_are_those_of_the_files(
    files: list[Path], expected: pyarrow.Table, tmp_path: Path, column: str
) -> None:
    table = pdn.to_arrow(files, "games")
    if column == "pdn":
        texts = pyarrow.array([game.to_pdn() for game in pdn.read_games(files)])
        table = table.select(["file", "game", "variant"]).append_column("pdn", texts)
    parquet.write_table(table, tmp_path / "games.parquet", row_group_size=5)
    for size in (4, 1000):
        planned = parts.plan([tmp_path], games_per_part=size)
        assert rows(planned, parts.Annotated("moves", LIMIT)).equals(expected)
    whole = parts.plan([tmp_path / "games.parquet"])
    assert rows(whole, parts.Read("positions")).equals(pdn.to_arrow(files, "positions"))
    wanted = ["file", "game", "severity", "code", "message"]
    found = rows(whole, parts.Read("diagnostics")).select(wanted)
    assert found.equals(pdn.to_arrow(files, "diagnostics").select(wanted))


def test_evaluations_and_clocks_survive_parquet(tmp_path: Path) -> None:
    text = '[White "A \\"b\\" \\\\c"]\n[GameType "20"]\n1. 32-28 {[%eval 0.32] [%clk 1:02:03]} 19-23 {[%eval #-7]} 2. 28x19 *'
    parquet.write_table(pdn.to_arrow(text.encode(), "games"), tmp_path / "games.parquet")
    (part,) = parts.plan([tmp_path])
    columns = ["notation", "clock", "eval_cm", "win_in", "win_side"]
    found = rows([part], parts.Read("moves")).select(columns)
    assert found.equals(pdn.to_arrow(text.encode(), "moves").select(columns))
    assert rows([part], parts.Read("games")).column("White").to_pylist() == ['A "b" \\c']


def test_rows_of_parquet_are_games_of_it(tmp_path: Path) -> None:
    texts = ["1. 32-28 *", None, "1. 32-28 {open", "1. 31-27 19-23 *"]
    path = tmp_path / "texts.parquet"
    parquet.write_table(pyarrow.table({"pdn": texts}), path)
    found = rows(parts.plan([path], games_per_part=2), parts.Annotated("moves", LIMIT))
    places = zip(*(found.column(name).to_pylist() for name in ("file", "game", "ply")), strict=True)
    assert list(places) == [(str(path), 1, 1), (str(path), 3, 1), (str(path), 4, 1), (str(path), 4, 2)]
    parquet.write_table(pyarrow.table({"text": texts}), path)
    with pytest.raises(ValueError, match="expected the column `pdn`"):
        rows(parts.plan([path]), parts.Read("moves"))


def test_a_folder_of_other_rows_is_refused(files: list[Path], tmp_path: Path) -> None:
    work = parts.Read("games")
    planned = parts.plan(files, games_per_part=5)
    assert parts.prepare(tmp_path, planned, work) == planned
    assert parts.write(planned[0], work, tmp_path) == parts.write(planned[0], work, tmp_path)
    assert parts.prepare(tmp_path, planned, work) == planned[1:]
    with pytest.raises(ValueError, match="other games or settings"):
        parts.prepare(tmp_path, planned, parts.Read("games", {"strict": True}))
    with pytest.raises(ValueError, match="games_per_part must be at least 1"):
        parts.plan(files, games_per_part=0)


def test_nothing_incomplete_has_the_name_of_a_part(tmp_path: Path) -> None:
    (tmp_path / "games.pdn").write_text("1. 32-28 *\n")
    (part,) = parts.plan([tmp_path / "games.pdn"])
    work = parts.Read("games")
    out = tmp_path / "out"
    parts.prepare(out, [part], work)
    (tmp_path / "games.pdn").unlink()
    with pytest.raises(pdn.MissingFileError, match="cannot read"):
        parts.write(part, work, out)
    assert [path.name for path in out.iterdir()] == ["plan.json"]
