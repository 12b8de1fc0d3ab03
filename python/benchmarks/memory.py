"""Memory of passes over a collection, and time beside the command line: python memory.py FILE [BYTES]

FILE is repeated until it has BYTES bytes (default 1 GB). Each pass runs in a process of its own. `PDN_COMMAND` is the command
line (default `pdn`).
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

COMMAND = os.environ.get("PDN_COMMAND", "pdn")

PASSES = {
    "read_games": "print(sum(game.plies for game in pdn.read_games(path, jobs=1)))",
    "read_headers": "print(sum(1 for _ in pdn.read_headers(path, jobs=1)))",
    "check": "print(pdn.check(path, jobs=1).summary)",
    "tables.batches moves": "print(sum(batch.num_rows for batch in pdn.tables.batches(path, 'moves', jobs=1)))",
    "convert csv": "pdn.convert(path, to='csv', out=os.devnull, jobs=1)",
}
COMMANDS = {
    "pdn check": ["check", "--quiet", "--jobs", "1"],
    "pdn convert --to csv": ["convert", "--to", "csv", "--jobs", "1"],
}


def measured(name: str, command: list[str]) -> None:
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    print(f"{name:24} {seconds:7.1f} s of processor time {usage.ru_maxrss / 1024:7.0f} MiB at most", flush=True)


def repeated(source: Path, size: int, out: Path) -> None:
    text = source.read_bytes()
    with out.open("wb") as file:
        for _ in range(-(-size // len(text))):
            file.write(text)


def main() -> None:
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 10**9
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.pdn"
        repeated(Path(sys.argv[1]), size, path)
        print(f"{path.stat().st_size / 1e6:.0f} MB")
        for name, code in PASSES.items():
            program = f"import os, sys, pdn; path = sys.argv[1]; {code}"
            measured(name, [sys.executable, "-c", program, str(path)])
        for name, arguments in COMMANDS.items():
            measured(name, [COMMAND, *arguments, str(path)])


if __name__ == "__main__":
    main()
