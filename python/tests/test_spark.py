"""The recipe for Spark, on this machine."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

import pdn
from pdn.engine import Limit

SCRIPT = Path(__file__).resolve().parents[1] / "examples/spark.py"


@pytest.mark.skipif(importlib.util.find_spec("pyspark") is None, reason="Spark is not installed: pip install pyspark")
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java")
def test_rows_are_those_of_one_machine(samples: Path, tmp_path: Path) -> None:
    files = [str(samples / f"games/{name}.pdn") for name in ("brazilian", "italian")]
    local = {
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_SUBMIT_ARGS": "--conf spark.ui.enabled=false --driver-memory 512m pyspark-shell",
    }
    command = [sys.executable, str(SCRIPT), str(tmp_path / "out"), "20", *files]
    subprocess.run(command, check=True, env=os.environ | local, stderr=subprocess.DEVNULL)
    order = [(name, "ascending") for name in ("file", "game", "ply")]
    found = pyarrow.concat_tables(parquet.read_table(path) for path in (tmp_path / "out").glob("*.parquet"))
    expected = pdn.to_arrow(pdn.annotate(pdn.read_games(files), Limit(nodes=20)), "moves").sort_by(order)
    assert found.sort_by(order).cast(expected.schema).equals(expected)
