"""Work on collections on a cluster, with Ray Data.

Each function makes the rows of a table, writes them as Parquet to a folder that all nodes share, and returns the dataset of all
rows. There is one file per part of the collection, which gets its final name only when it is complete. A killed run can
therefore continue where it stopped. The rows are the same as on one machine, whatever the number and order of workers,
and despite retries.

Files are PDN or Parquet: see :func:`pdn.parts.plan`. Ray's usage statistics are off unless the environment variable
``RAY_USAGE_STATS_ENABLED`` is set before the import.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
import ray.data

from pdn import parts
from pdn.errors import ArgumentError

if TYPE_CHECKING:
    import pyarrow as _pyarrow

    from pdn._core import Limit

__all__ = ["annotate_dataset", "check_dataset", "positions_dataset"]


def annotate_dataset(
    files: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    limit: Limit,
    *,
    table: Literal["games", "moves", "positions"] = "moves",
    games_per_part: int = 200,
    workers: int | None = None,
    reading: Mapping[str, Any] | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Annotates games with a search of each position.

    The options are those of :func:`pdn.annotate`, and `reading` has those of :func:`pdn.read_games`. Each of the `workers` uses
    one processor; by default, there is one worker per processor of the cluster.
    """
    work = parts.Annotated(table, limit, options, reading or {})
    _start()
    planned = parts.plan(files, games_per_part=games_per_part, counts=_counts)
    return _run(planned, Path(out), work, workers)


def check_dataset(
    files: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    workers: int | None = None,
    **reading: Any,
) -> ray.data.Dataset:
    """Checks files, one worker per file; the rows are diagnostics. The options are those of :func:`pdn.tables.rows`."""
    _start()
    return _run(parts.plan(files), Path(out), parts.Read("diagnostics", reading), workers)


def positions_dataset(
    files: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    workers: int | None = None,
    **reading: Any,
) -> ray.data.Dataset:
    """Collects main-line positions, one worker per file. The options are those of :func:`pdn.tables.rows`."""
    _start()
    return _run(parts.plan(files), Path(out), parts.Read("positions", reading), workers)


class _Worker:
    """An actor that writes parts; its process keeps endgame tables and weights loaded."""

    def __init__(self, work: parts.Work, out: Path) -> None:
        self.work = work
        self.out = out

    def __call__(self, batch: _pyarrow.Table) -> dict[str, list[int]]:
        return {"rows": [parts.write(parts.Part(**fields), self.work, self.out) for fields in batch.to_pylist()]}


def _start() -> None:
    if not ray.is_initialized():
        ray.init()


def _run(planned: Sequence[parts.Part], out: Path, work: parts.Work, workers: int | None) -> ray.data.Dataset:
    if not planned:
        raise ArgumentError("there are no games")
    missing = parts.prepare(out, planned, work)
    if missing:
        number = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        items = [vars(part) for part in missing]
        # One block per part, because a worker takes one block at a time.
        dataset = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
            _Worker,
            fn_constructor_args=(work, out.absolute()),
            batch_size=1,
            batch_format="pyarrow",
            num_cpus=1,
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=min(number, len(items))),
        )
        # Only row counts come back, so memory does not grow with the rows.
        for _ in dataset.iter_batches(batch_size=None):
            pass
    # Not a list of files: without `aiohttp`, an import that Ray tries in several threads fails in some of them.
    return ray.data.read_parquet(str(out), file_extensions=["parquet"])


def _counts(files: Sequence[str]) -> list[int]:
    counting = ray.remote(parts.count)
    counted: list[int] = ray.get([counting.remote(file) for file in files])
    return counted
