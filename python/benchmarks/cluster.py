"""A run over three nodes of Ray on this machine: python cluster.py FILE [GAMES] [NODES]

Annotates games of FILE, repeated, on one machine; then on the cluster with one worker and with two, with two while a node is
killed, and with two while the driver is killed and started again. All must have the same rows.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pyarrow
from pyarrow import parquet

import pdn.ray
from pdn.engine import Limit

import ray
from ray.cluster_utils import Cluster

GAMES_PER_PART = 20


def rows(out: Path) -> pyarrow.Table:
    """Returns the rows of all parts, in order."""
    return pyarrow.concat_tables(parquet.read_table(path) for path in sorted(out.glob("moves-*.parquet")))


def until_parts(out: Path, number: int) -> None:
    while len(list(out.glob("moves-*.parquet"))) < number:
        time.sleep(0.05)


def repeated(source: str, games: int, out: Path) -> None:
    texts = [game.to_pdn() for game in pdn.read_games(source)]
    out.write_text("\n".join(texts[index % len(texts)] for index in range(games)))


def drive(address: str, file: str, out: str, nodes: str, workers: str) -> None:
    """Annotates as a driver that may be killed."""
    ray.init(address, log_to_driver=False)
    pdn.ray.annotate_dataset(
        [file], out, Limit(nodes=int(nodes)), games_per_part=GAMES_PER_PART, concurrency=int(workers)
    )


def main() -> None:
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    nodes = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    limit = Limit(nodes=nodes)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        file = folder / "games.pdn"
        repeated(sys.argv[1], games, file)
        start = time.monotonic()
        expected = pdn.to_arrow(pdn.annotate(pdn.read_games(file), limit, jobs=1), "moves")
        print(f"one machine, one thread: {games / (time.monotonic() - start):.1f} games/s, {len(expected)} rows", flush=True)

        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        cluster.add_node(num_cpus=1)
        lost = cluster.add_node(num_cpus=1)
        arguments = [sys.executable, __file__, "drive", cluster.address, str(file)]

        def start_driver(name: str, workers: int) -> tuple[subprocess.Popen[bytes], Path]:
            command = [*arguments, str(folder / name), str(nodes), str(workers)]
            return subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL), folder / name

        def finish(name: str, driver: subprocess.Popen[bytes], out: Path, start: float) -> None:
            if driver.wait():
                raise SystemExit(f"{name}: status {driver.returncode}")
            seconds, found = time.monotonic() - start, rows(out)
            verdict = "the same rows" if found.equals(expected) else "OTHER ROWS"
            print(f"{name}: {games / seconds:.1f} games/s, {len(found)} rows, {verdict}", flush=True)

        for workers in (1, 2):
            start = time.monotonic()
            finish(f"workers: {workers}", *start_driver(f"w{workers}", workers), start)

        start = time.monotonic()
        driver, out = start_driver("killed-driver", 2)
        until_parts(out, games // GAMES_PER_PART // 3)
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
        done = len(list(out.glob("moves-*.parquet")))
        driver, out = start_driver("killed-driver", 2)
        finish(f"driver killed after {done} parts and started again", driver, out, start)

        start = time.monotonic()
        driver, out = start_driver("killed-node", 2)
        until_parts(out, games // GAMES_PER_PART // 3)
        done = len(list(out.glob("moves-*.parquet")))
        threading.Thread(target=cluster.remove_node, args=[lost]).start()
        finish(f"node killed after {done} parts", driver, out, start)
        cluster.shutdown()


if __name__ == "__main__":
    if sys.argv[1] == "drive":
        drive(*sys.argv[2:])
    else:
        main()
