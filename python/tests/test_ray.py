"""Collections on a cluster of Ray on this machine."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

import pdn
from pdn.engine import Limit

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install pdn[ray]")
pytestmark = pytest.mark.filterwarnings("ignore")

# Workers would wait for other programs.
os.environ.setdefault("RAY_worker_niceness", "0")
LIMIT = Limit(nodes=20)
NODE = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    import pdn.ray  # noqa: F401, I001 - it switches off the usage statistics
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    cluster.add_node(**NODE)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def expected(files: list[Path]) -> pyarrow.Table:
    return pdn.to_arrow(pdn.annotate(pdn.read_games(files), LIMIT), "moves")


def rows(out: Path, table: str = "moves") -> pyarrow.Table:
    return pyarrow.concat_tables(parquet.read_table(path) for path in sorted(out.glob(f"{table}-*.parquet")))


def test_rows_are_those_of_one_machine(
    cluster: Any, files: list[Path], expected: pyarrow.Table, tmp_path: Path
) -> None:
    from pdn.ray import annotate_dataset, check_dataset, positions_dataset

    for size, workers in [(2, 2), (7, 1)]:
        out = tmp_path / str(size)
        dataset = annotate_dataset(files, out, LIMIT, games_per_part=size, workers=workers)
        assert dataset.count() == expected.num_rows and rows(out).equals(expected)
        assert not list(out.glob("*.growing"))
    parquet.write_table(pdn.to_arrow(files, "games"), tmp_path / "games.parquet")
    annotate_dataset([tmp_path / "games.parquet"], tmp_path / "again", LIMIT, games_per_part=11)
    assert rows(tmp_path / "again").equals(expected)
    positions_dataset(files, tmp_path / "positions")
    assert rows(tmp_path / "positions", "positions").equals(pdn.to_arrow(files, "positions"))
    check_dataset(files, tmp_path / "diagnostics", strict=True)
    assert rows(tmp_path / "diagnostics", "diagnostics").equals(pdn.to_arrow(files, "diagnostics", strict=True))


def test_a_lost_node_changes_nothing(
    cluster: Any, files: list[Path], expected: pyarrow.Table, tmp_path: Path
) -> None:
    from pdn.ray import annotate_dataset

    node = cluster.add_node(**NODE)

    def kill() -> None:
        until_parts(tmp_path, 3)
        cluster.remove_node(node, allow_graceful=False)

    killer = threading.Thread(target=kill)
    killer.start()
    annotate_dataset(files, tmp_path, LIMIT, games_per_part=1, workers=3)
    killer.join()
    assert rows(tmp_path).equals(expected)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_run_goes_on(cluster: Any, files: list[Path], expected: pyarrow.Table, tmp_path: Path) -> None:
    from pdn.ray import annotate_dataset

    program = (
        "import ray, pdn.ray\n"
        f"ray.init({cluster.address!r}, log_to_driver=False)\n"
        f"files = {list(map(str, files))!r}\n"
        f"pdn.ray.annotate_dataset(files, {str(tmp_path)!r}, pdn.engine.Limit(nodes=20), games_per_part=1)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], start_new_session=True) as driver:
        until_parts(tmp_path, 3)
        os.killpg(driver.pid, signal.SIGKILL)
    done = {path: path.stat().st_mtime_ns for path in tmp_path.glob("moves-*.parquet")}
    assert len(done) >= 3
    annotate_dataset(files, tmp_path, LIMIT, games_per_part=1)
    assert rows(tmp_path).equals(expected)
    assert all(path.stat().st_mtime_ns == written for path, written in done.items())


def until_parts(out: Path, number: int) -> None:
    """Waits for the parts of a run, but not forever."""
    for _ in range(1200):
        if len(list(out.glob("moves-*.parquet"))) >= number:
            return
        time.sleep(0.1)
