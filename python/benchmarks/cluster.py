"""Annotates games on clusters on this machine: python cluster.py FILE [GAMES] [NODES]

Games of FILE, repeated, are annotated on one machine; on three nodes of Ray with one worker and with two; with two while the driver
is killed and started again; with three while one node is killed; and by Spark. All must have the same rows.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("RAY_worker_niceness", "0")

import pdn.ray
import pyarrow
import ray
from pdn.engine import Limit
from pyarrow import parquet
from ray.cluster_utils import Cluster

GAMES_PER_PART = 20
NODE = {"num_cpus": 1, "object_store_memory": 200_000_000, "include_dashboard": False}
SPARK = Path(__file__).resolve().parents[1] / "examples/spark.py"


def repeated(source: str, games: int, out: Path) -> None:
    """Writes games of a file, again and again, until there are enough."""
    texts = [game.to_pdn() for game in pdn.read_games(source)]
    out.write_text("\n".join(texts[index % len(texts)] for index in range(games)), encoding="utf-8")


def drive(address: str, file: str, out: str, nodes: str, workers: str) -> None:
    """Annotates as a driver that may be killed."""
    ray.init(address, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    limit = Limit(nodes=int(nodes))
    pdn.ray.annotate_dataset([file], out, limit, games_per_part=GAMES_PER_PART, workers=int(workers))


class Runs:
    """Runs of drivers on a cluster, compared with one machine."""

    def __init__(self, folder: Path, games: int, nodes: int) -> None:
        self.folder, self.games, self.nodes = folder, games, nodes
        self.file = folder / "games.pdn"

    def one_machine(self) -> None:
        """Annotates in this process; the other runs must have the same rows."""
        start = time.monotonic()
        games = pdn.annotate(pdn.read_games(self.file), Limit(nodes=self.nodes), jobs=1)
        self.expected = pdn.to_arrow(games, "moves")
        self.show("one machine, one thread", start, self.expected)

    def driver(self, cluster: Cluster, name: str, workers: int) -> subprocess.Popen[bytes]:
        """Starts a driver that writes to the folder of this name."""
        arguments = [cluster.address, self.file, self.folder / name, self.nodes, workers]
        command = [sys.executable, __file__, "drive", *map(str, arguments)]
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(command, start_new_session=True, stderr=log)

    def on_cluster(self, cluster: Cluster, name: str, workers: int) -> None:
        """Annotates with a number of workers."""
        start = time.monotonic()
        self.finish(name, self.driver(cluster, name, workers), start)

    def disturbed(self, cluster: Cluster, name: str, workers: int, disturb: Callable[..., None]) -> None:
        """Annotates with a number of workers; when a third of the parts is done, something happens to the driver or nodes."""
        start = time.monotonic()
        driver = self.driver(cluster, name, workers)
        while driver.poll() is None and self.parts(name) < self.games // GAMES_PER_PART // 3:
            time.sleep(0.05)
        disturb(driver)
        if driver.poll() is not None:
            driver = self.driver(cluster, name, workers)
        self.finish(f"{name} after {self.parts(name)} parts", driver, start, name)

    def finish(self, title: str, driver: subprocess.Popen[bytes], start: float, name: str = "") -> None:
        """Waits for a driver and compares its rows."""
        name = name or title
        if driver.wait():
            log = (self.folder / f"{name}.log").read_text(encoding="utf-8")
            raise SystemExit(f"{title}: status {driver.returncode}\n{log[-5000:]}")
        files = sorted((self.folder / name).glob("moves-*.parquet"))
        self.show(title, start, pyarrow.concat_tables(map(parquet.read_table, files)))

    def spark(self) -> None:
        """Annotates by Spark with two threads."""
        start = time.monotonic()
        environment = {
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false --driver-memory 1g pyspark-shell",
        }
        arguments = [self.folder / "spark", self.nodes, self.file]
        command = [sys.executable, str(SPARK), *map(str, arguments)]
        subprocess.run(command, check=True, env=os.environ | environment, stderr=subprocess.DEVNULL)
        found = pyarrow.concat_tables(map(parquet.read_table, (self.folder / "spark").glob("*.parquet")))
        order = [(name, "ascending") for name in ("file", "game", "ply")]
        self.show("Spark, two threads", start, found.sort_by(order).cast(self.expected.schema))

    def parts(self, name: str) -> int:
        """Returns the number of parts that are done."""
        return len(list((self.folder / name).glob("moves-*.parquet")))

    def show(self, title: str, start: float, rows: pyarrow.Table) -> None:
        """Prints a line about a run."""
        verdict = "the same rows" if rows.equals(self.expected) else "OTHER ROWS"
        seconds = time.monotonic() - start
        print(f"{title:48} {self.games / seconds:6.1f} games/s {seconds:6.0f} s {len(rows)} rows, {verdict}", flush=True)


def kill(driver: subprocess.Popen[bytes]) -> None:
    """Kills a driver and what it started."""
    os.killpg(driver.pid, signal.SIGKILL)
    driver.wait()


def main() -> None:
    """Runs everything."""
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    nodes = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(Path(folder), games, nodes)
        repeated(sys.argv[1], games, runs.file)
        runs.one_machine()
        cluster = Cluster(initialize_head=True, head_node_args=NODE)
        cluster.add_node(**NODE)
        lost = cluster.add_node(**NODE)
        for workers in (1, 2):
            runs.on_cluster(cluster, f"Ray, workers: {workers}", workers)
        runs.disturbed(cluster, "Ray, driver killed and started again", 2, kill)
        runs.disturbed(cluster, "Ray, node killed", 3, lambda _: cluster.remove_node(lost, allow_graceful=False))
        cluster.shutdown()
        if shutil.which("java"):
            runs.spark()


if __name__ == "__main__":
    if sys.argv[1] == "drive":
        drive(*sys.argv[2:])
    else:
        main()
