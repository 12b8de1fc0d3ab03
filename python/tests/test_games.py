"""Reading, checking, converting and formatting."""

import gzip
import io
import json
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import random_game
from hypothesis import given
from hypothesis import strategies as st

import pdn

TEXT = b"""[White "A"]
[Black "B"]
[GameType "20"]
[Result "1-1"]

1. 32-28 {[%clk 0:01:30][%eval 0.35] solid} (1. 31-27 19-23) 1... 19-23 2. 28x19 14x23 1-1
"""


def one(source: bytes) -> pdn.Game:
    (game,) = pdn.read_games(source)
    return game


def test_games_have_tags_moves_and_variations() -> None:
    game = one(TEXT)
    assert game.tags == {"White": "A", "Black": "B", "GameType": "20", "Result": "1-1"}
    assert game.result == "1-1" and game.winner is None and game.is_legal
    first, *rest = game.main_line
    assert (first.text, first.notation, first.ply, first.turn) == ("32-28", "32-28", 1, pdn.WHITE)
    assert first.clock == 90.0 and first.comment == "solid"
    assert first.evaluation is not None and first.evaluation.cm == 35 and first.evaluation.pov(pdn.BLACK) == -35
    # The least number of 32 bits has no opposite.
    least = -(2**31)
    assert pdn.Evaluation(win_in=3, winner=pdn.WHITE).pov(pdn.WHITE, win=least) == least
    assert pdn.Evaluation(win_in=3, winner=pdn.WHITE).pov(pdn.BLACK, win=least) == 2**31 - 1
    assert [[node.notation for node in line] for line in first.variations] == [["31-27", "19-23"]]
    assert [str(node) for node in rest] == ["19-23", "28x19", "14x23"]
    assert len(game.positions()) == 5 and game.positions()[-1] == game.end()


def test_the_moves_of_a_game_replay_on_a_board() -> None:
    game = one(TEXT)
    board = game.board()
    assert board is not None
    for node in game.main_line:
        assert node.move is not None and node.board_before() == board
        board.push(node.move)
        assert node.board() == board


def test_sources_are_paths_bytes_files_and_lists(tmp_path: Path) -> None:
    path = tmp_path / "a.pdn"
    path.write_bytes(TEXT)
    packed = tmp_path / "b.pdn.gz"
    packed.write_bytes(gzip.compress(TEXT))
    sources: list[object] = [path, str(path), packed, TEXT, bytearray(TEXT), memoryview(TEXT), gzip.compress(TEXT)]
    sources += [io.BytesIO(TEXT), io.StringIO(TEXT.decode()), [path], tmp_path]
    counts = [len(list(pdn.read_games(source))) for source in sources]  # type: ignore[arg-type]
    assert counts == [1] * 10 + [2]
    with path.open("rb") as file:
        assert [game.file for game in pdn.read_games(file)] == [str(path)]


def test_errors_of_the_environment_are_exceptions(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(pdn.read_games(tmp_path / "missing.pdn"))
    with pytest.raises(FileNotFoundError):
        pdn.check(tmp_path)
    with pytest.raises(TypeError):
        pdn.read_games(3)  # type: ignore[arg-type]
    reader = pdn.read_games([tmp_path / "missing.pdn", TEXT])
    with pytest.raises(OSError):
        next(reader)
    assert next(reader).plies == 4


def test_a_file_that_fails_raises() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1, /) -> bytes:
            raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        list(pdn.read_games(Broken()))


def test_diagnostics_are_values() -> None:
    game = one(b'[GameType "20"]\n[Date "1995.11.1"]\n1. 32-28 19-23 2. 31-22 *')
    date, illegal = game.diagnostics
    assert (date.code, date.severity, date.line) == ("tag/date", "warning", 2)
    assert (illegal.code, illegal.severity, illegal.game) == ("move/illegal", "error", 1)
    assert game.has_errors and game.plies == 2 and not game.main_line[2].is_legal
    report = pdn.check(b'[GameType "20"]\n[Date "1995.11.1"]\n1. 32-28 19-23 2. 31-22 *')
    assert report.diagnostics == game.diagnostics and not report.ok
    assert pdn.check(TEXT).ok
    with pytest.raises(pdn.ArgumentError, match="unknown code `no/such`; expected a code such as move/illegal"):
        pdn.explain("no/such")


def test_diagnostics_outside_games_are_known_of_files_without_games() -> None:
    reader = pdn.read_games(b"A letter without any game.")
    assert list(reader) == [] and reader.diagnostics == pdn.check(b"A letter without any game.").diagnostics != []


def test_an_encoding_is_for_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.pdn"
    path.write_bytes('[White "Юрий"]\n1. 32-28 *\n'.encode("cp1251"))
    calls: list[Callable[..., object]] = [pdn.read_games, pdn.check, pdn.fmt, pdn.stats, pdn.to_arrow]
    for call in calls:
        with path.open(encoding="cp1251") as file, pytest.raises(pdn.ArgumentError, match="open as text"):
            call(file, encoding="cp1251")
    with path.open(encoding="cp1251") as file:
        assert next(pdn.read_games(file)).tags["White"] == "Юрий"
    with path.open("rb") as binary:
        assert next(pdn.read_games(binary, encoding="cp1251")).tags["White"] == "Юрий"
    with pytest.raises(pdn.ArgumentError, match="give a file"):
        pdn.convert(TEXT, to="xlsx")  # type: ignore[call-overload]


def test_games_in_json_keep_their_variant() -> None:
    for variant in ("brazilian", "killer"):
        text = {"brazilian": b"1. c3-d4 *", "killer": b"1. 32-28 *"}[variant]
        (game,) = pdn.read_games(text, variant=variant)
        again = one(game.to_json().encode())
        assert again.variant == pdn.Variant(variant) == pickle.loads(pickle.dumps(again)).variant
        again.tags["White"] = "A"
        assert again.variant == pdn.Variant(variant)


def test_the_file_decides_the_variant_of_games_without_tags() -> None:
    games = list(pdn.read_games(b"1. c3-d4 d6-c5 *\n\n1. c3-d4 *", variant="russian"))
    assert [str(game.variant) for game in games] == ["russian", "russian"]


def test_headers_are_read_without_moves(samples: Path) -> None:
    headers = list(pdn.read_headers(samples / "games"))
    games = list(pdn.read_games(samples / "games"))
    assert headers == [game.tags for game in games]


def test_iteration_can_end_early(samples: Path) -> None:
    big = (samples / "games/international.pdn").read_bytes() * 2000
    before = threading.active_count()
    for _ in range(20):
        assert next(pdn.read_games(big)).number == 1
    assert threading.active_count() == before


def run(command: str, *arguments: str) -> str:
    done = subprocess.run([command, *arguments], capture_output=True, encoding="utf-8", errors="surrogateescape", check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize("arguments", [("jsonl",), ("json",), ("pdn",), ("fen",), *(("csv", table) for table in ["games", "moves", "positions", "diagnostics"])])
def test_conversions_are_those_of_the_command_line(samples: Path, command: str, arguments: tuple[str, ...]) -> None:
    to, table = (*arguments, "games")[:2]
    names = [str(path) for path in sorted(samples.glob("*/*.pdn"))]
    expected = run(command, "convert", "--to", to, "--table", table, *names)
    assert pdn.convert(names, to=to, table=table) == expected  # type: ignore[call-overload]


def test_options_are_those_of_the_commands() -> None:
    assert pdn.fmt(b"1. 32-28 {c} 19-23 *", comments=False, notation="full") == "1. 32-28 19-23 *\n"
    assert pdn.convert(b'[White "=1"] 1. 32-28 *', to="csv", escape_formulas=True).count("'=1") == 1
    bad = b'[Date "1995.11.1"] 1. 32-28 19-23 2. 28x19 14x23 3. 31-22 *'
    codes = {found.code for found in pdn.check(bad).diagnostics}
    assert {"tag/date", "move/illegal"} <= codes
    assert {found.code for found in pdn.check(bad, select=["move"], severity="error").diagnostics} == {"move/illegal"}
    assert [found.code for found in pdn.check(TEXT, select=["tag/missing"], require_tags=["Site"]).diagnostics] == ["tag/missing"]
    with pytest.raises(TypeError, match="widht"):
        pdn.fmt(TEXT, widht=100)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="unheard"):
        pdn.check(TEXT, select=["unheard"])


def test_conversions_are_written_to_files(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert pdn.convert(TEXT, to="jsonl", out=out) is None
    assert out.read_text() == pdn.convert(TEXT, to="jsonl") and list(tmp_path.iterdir()) == [out]
    assert json.loads(out.read_text()) == one(TEXT).to_dict()
    assert pdn.convert(TEXT, to="jsonl", out=os.devnull) is None and not os.path.isfile(os.devnull)


def test_files_of_others_are_not_touched(tmp_path: Path) -> None:
    out, part = tmp_path / "out.jsonl", tmp_path / "out.jsonl.part"
    part.write_text("kept")
    with pytest.raises(pdn.MissingFileError):
        pdn.convert(tmp_path / "missing.pdn", to="jsonl", out=out)
    assert list(tmp_path.iterdir()) == [part] and part.read_text() == "kept"
    pdn.convert(TEXT, to="jsonl", out=out)
    assert sorted(tmp_path.iterdir()) == [out, part] and part.read_text() == "kept"


def test_a_record_is_replaced_only_by_its_games(tmp_path: Path) -> None:
    record = tmp_path / "a.pdn"
    record.write_text("1. 32-28 *\n")
    for to in ("csv", "fen", "json"):
        with pytest.raises(pdn.ArgumentError, match="would replace an input"):
            pdn.convert(record, to=to, out=record)
    assert record.read_text() == "1. 32-28 *\n"
    pdn.convert(record, to="pdn", out=record)
    assert len(list(pdn.read_games(record))) == 1


def test_diagnostics_are_in_a_language() -> None:
    english, dutch = (pdn.check(b"1. 32-26 *", lang="en"), pdn.check(b"1. 32-26 *", lang="nl"))
    assert english.diagnostics[-1].message != dutch.diagnostics[-1].message


def test_the_canonical_form_is_that_of_the_command_line(samples: Path, command: str) -> None:
    for path in sorted(samples.glob("*/*.pdn")):
        assert pdn.fmt(path) == run(command, "fmt", str(path)), path
        assert pdn.fmt(path, fix=True) == run(command, "fmt", "--fix", str(path)), path


@given(st.sampled_from(["international", "english", "russian", "italian"]), st.randoms(use_true_random=False))
def test_written_games_are_read_again(variant: str, rng: random.Random) -> None:
    game = one(random_game(rng, variant, rng.randrange(60)).encode())
    again = one(game.to_pdn().encode())
    assert [str(node) for node in again.main_line] == [str(node) for node in game.main_line]
    assert again.end() == game.end()


@given(st.binary(max_size=300))
def test_any_bytes_are_read(data: bytes) -> None:
    games = list(pdn.read_games(b"1. 32-28 *\n" + data, jobs=1))
    assert games and pdn.check(b"1. 32-28 *\n" + data, jobs=1).summary.games == len(games)


def test_random_games_are_those_of_the_command_line(command: str, tmp_path: Path) -> None:
    rng = random.Random(7)
    variants = ["international", "english", "russian", "brazilian", "italian", "frisian", "thai", "turkish"]
    path = tmp_path / "random.pdn"
    path.write_text("".join(random_game(rng, rng.choice(variants), rng.randrange(1, 80)) for _ in range(10_000)))
    expected = run(command, "convert", "--to", "jsonl", str(path)).splitlines()
    games = list(pdn.read_games(path))
    assert [game.to_json() for game in games] == expected
    found = [json.loads(line) for line in run(command, "check", "--format", "json", str(path)).splitlines()]
    summary = found.pop()["summary"]
    report = pdn.check(path)
    fields = ["file", "game", "offset", "length", "line", "column", "severity", "code", "message", "help"]
    assert [{field: getattr(row, field) for field in fields} for row in report.diagnostics] == found
    assert (summary["games"], summary["errors"]) == (report.summary.games, report.summary.errors)
    assert [row for game in games for row in game.diagnostics] == [row for row in report.diagnostics if row.game]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_ends_long_work() -> None:
    program = (
        "import pdn\n"
        "try:\n"
        "    print('ready', flush=True)\n"
        "    pdn.engine.analyse(pdn.Board(), pdn.engine.Limit(time=600))\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait() == 0
