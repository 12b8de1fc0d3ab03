"""Arguments that no caller means: an exception is raised, and the interpreter survives.

``PDN_API_CALLS=1000000 pytest tests/test_hostile.py`` makes more random calls, ``PDN_API_SEED`` other ones.
"""

import io
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pdn

CALLS = int(os.environ.get("PDN_API_CALLS", "2000"))
SEED = int(os.environ.get("PDN_API_SEED", "1"))

RECORD = b'[GameType "20"]\n1. 32-28 19-23 2. 28x19 14x23 *\n'


def survives(program: str) -> str:
    """Runs a program in a process of its own, which may crash, and returns what it prints."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, f"{done.returncode}: {done.stderr}"
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (r"list(pdn.read_games('\ud800'))", "UnicodeEncodeError"),
        ("loop = []; loop.append(loop); pdn.read_games(loop)", "ValueError"),
        (r"list(pdn.read_games('\0'))", "ValueError, OSError, PdnError"),
        ("pdn.check(RECORD, jobs=2**40)", ""),
        ("list(pdn.annotate(pdn.read_games(RECORD), pdn.engine.Limit(nodes=1), jobs=2**40))", ""),
        ("pdn.engine.Engine(threads=2**40)", "ValueError"),
        (r"import pyarrow; pyarrow.table(pdn.to_arrow('\0'))", "OSError, ArrowInvalid, ValueError, PdnError"),
    ],
)
def test_sources_that_are_none_raise_an_exception(call: str, expected: str) -> None:
    program = f"import pdn\nRECORD = {RECORD!r}\ntry:\n    {call}\nexcept Exception as error:\n    print(*(one.__name__ for one in type(error).__mro__))"
    assert {*survives(program).split()} & {*expected.split(", ")} or not expected


def test_a_source_may_read_from_a_table() -> None:
    program = f"""
import pdn, pdn.tables
def rows(source):
    for batch in pdn.tables.batches(source):
        for tags in batch.column(0):
            yield {RECORD!r}
print(pdn.check(rows({RECORD!r})).summary.games, len(pdn.to_arrow(rows(list(pdn.read_games({RECORD!r}))))))
"""
    assert survives(program) == "1 1"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("begin", ["{}", "pdn.annotate({}, pdn.engine.Limit(nodes=500), jobs=2)"])
def test_a_forked_process_that_goes_on_reading_gets_an_error(begin: str) -> None:
    program = f"""
import os, pdn
games = {begin.format(f"pdn.read_games({RECORD * 100!r})")}
next(games)
child = os.fork()
if child == 0:
    try:
        for _ in games:
            pass
    except RuntimeError as error:
        os._exit(7 if "forked" in str(error) else 1)
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), sum(1 for _ in games))
"""
    # The games of the first chunk are in memory already.
    assert survives(program) in ("7 99", "0 99")


FORK = """
import os, signal, sys, threading, time, pdn
from pdn.engine import Engine, Limit

def in_child(work):
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        try:
            work()
        except RuntimeError as error:
            os._exit(7 if "forked" in str(error) else 1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def analyse(engine):
    engine.analyse(pdn.Board(), Limit(nodes=100))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("delay", [0.0, 0.002, 0.005, 0.01, 0.03])
def test_a_fork_waits_for_what_threads_make_for_all(delay: float) -> None:
    # The threads of the annotation read the weights of the evaluation, which takes some hundredths of a second.
    program = f"""
games = pdn.read_games({RECORD * 10!r})
threading.Thread(target=lambda: list(pdn.annotate(games, Limit(nodes=100), jobs=2)), daemon=True).start()
time.sleep({delay})
print(in_child(lambda: analyse(Engine())))
"""
    assert survives(FORK + program) == "0"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_uses_an_engine_that_was_idle_and_no_other() -> None:
    program = """
engine = Engine()
print(in_child(lambda: analyse(engine)))
threading.Thread(target=lambda: engine.analyse(pdn.Board(), Limit(time=600)), daemon=True).start()
while in_child(lambda: analyse(engine)) == 0:
    time.sleep(0.01)  # The search has not begun.
print(in_child(lambda: analyse(engine)), in_child(engine.new_game))
sys.stdout.flush()
os._exit(0)
"""
    assert survives(FORK + program).split() == ["0", "7", "7"]


def values(choose: random.Random) -> Any:
    """Returns an argument, mostly a wrong one."""
    kinds: list[Callable[[], Any]] = [
        lambda: None,
        lambda: choose.choice([0, -1, 1, 2**31, 2**64, -(2**63), 2**200]),
        lambda: choose.choice([0.5, float("nan"), float("inf")]),
        lambda: choose.choice(["", "\0", "\ud800", "W:W31:B20", "32-28", "international", "x" * 10_000, "\x1b[2J"]),
        lambda: bytes(choose.randrange(256) for _ in range(choose.randrange(40))),
        lambda: RECORD * choose.randrange(4),
        lambda: io.BytesIO(RECORD),
        lambda: io.StringIO(RECORD.decode()),
        lambda: [RECORD, "\0"],
        lambda: {"a": [1]},
        lambda: object(),
        lambda: bytearray(RECORD),
        lambda: iter([RECORD, 1]),
        lambda: choose.choice(games()),
        lambda: lambda *_: choose.choice([None, 1, "x"]),
    ]
    return choose.choice(kinds)()


def games() -> list[Any]:
    """Returns a game and what is part of it."""
    game = next(iter(pdn.read_games(RECORD)))
    return [game, game.tags, *game.main_line, game.end()]


# What starts processes, listens, or works for long on purpose.
LEFT_OUT = {"engine", "puzzles", "tables", "notebook", "ray", "spark", "annotate", "Engine", "match", "main"}


def names() -> list[str]:
    return [name for name in dir(pdn) if not name.startswith("_") and name not in LEFT_OUT]


def methods_of(made: object) -> list[str]:
    """Returns the names of the methods and fields of a value of this package; a data frame has its own tests."""
    if isinstance(made, type) or type(made).__module__.split(".")[0] != "pdn":
        return []
    # A count to a random depth has no end.
    return [name for name in dir(made) if not name.startswith("__") and name != "perft"]


def call(choose: random.Random) -> None:
    """Calls something public with random arguments, and one of its methods; any exception is right."""
    found = getattr(pdn, choose.choice(names()))
    if not callable(found):
        return
    try:
        if choose.random() < 0.3:
            made = choose.choice(games())
        else:
            made = found(*(values(choose) for _ in range(choose.randrange(4))))
        if hasattr(made, "__next__"):
            for _ in range(choose.randrange(3)):
                next(made)
        methods = methods_of(made)
        for _ in range(choose.randrange(1, 4) if methods else 0):
            name = choose.choice(methods)
            if choose.random() < 0.3:
                setattr(made, name, values(choose))
            method = getattr(made, name)
            if callable(method):
                method(*(values(choose) for _ in range(choose.randrange(3))))
    except Exception:  # noqa: BLE001
        return


def test_random_calls_raise_exceptions_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    choose = random.Random(SEED)
    for _ in range(CALLS):
        call(choose)

    def calls(seed: int) -> None:
        choose = random.Random(seed)
        for _ in range(50):
            call(choose)

    threads = [threading.Thread(target=calls, args=(SEED + n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
