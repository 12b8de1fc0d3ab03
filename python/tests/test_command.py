"""The command line that comes with the package."""

import os
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import pdn

SCRIPT = Path(sysconfig.get_path("scripts")) / "pdn"
SAMPLES = Path(__file__).parents[2] / "samples"
CLEAN = b'[GameType "20"]\n1. 32-28 19-23 2. 28x19 14x23 *\n'


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([str(SCRIPT), *arguments], input=stdin, capture_output=True, timeout=100)


def test_version_and_module() -> None:
    assert run("--version").stdout.startswith(b"pdn ")
    module = subprocess.run([sys.executable, "-m", "pdn", "--version"], capture_output=True, timeout=100)
    assert module.stdout == run("--version").stdout


@pytest.mark.parametrize(
    ("arguments", "stdin", "status"),
    [
        (["check", "-"], CLEAN, 0),
        (["check", "-"], CLEAN.replace(b"19-23", b"19-24"), 1),
        (["check", "missing.pdn"], b"", 2),
        (["check", "--unknown"], b"", 2),
        ([], b"", 2),
    ],
)
def test_exit_statuses(arguments: list[str], stdin: bytes, status: int) -> None:
    assert run(*arguments, stdin=stdin).returncode == status


def test_results_are_those_of_the_library() -> None:
    written = run("fmt", "-", stdin=CLEAN)
    assert written.stdout.decode() == pdn.fmt(CLEAN)
    assert written.returncode == 0
    rows = run("convert", "--to", "csv", str(SAMPLES / "games")).stdout.splitlines()
    assert len(rows) - 1 == pdn.tables.to_arrow(SAMPLES / "games", "games").num_rows


def test_a_closed_pipe_ends_quietly() -> None:
    arguments = [str(SCRIPT), "convert", "--quiet", "--to", "jsonl", str(SAMPLES / "games")]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(timeout=100)


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_an_interrupt_leaves_no_partial_output(tmp_path: Path) -> None:
    arguments = ["annotate", "--depth", "60", str(SAMPLES / "games"), "-o", str(tmp_path / "out.pdn")]
    with subprocess.Popen([str(SCRIPT), *arguments], stderr=subprocess.DEVNULL) as process:
        # The output is there once the handlers are.
        while process.poll() is None and not any(tmp_path.iterdir()):
            pass
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=100) == 130
    assert not (tmp_path / "out.pdn").exists()
