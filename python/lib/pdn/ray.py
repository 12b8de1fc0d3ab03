"""Collections on a cluster, by Ray Data.

Each function makes the rows of a table and writes them to a folder that all nodes share, as Parquet: a file for each part of the
collection, which gets its name when it is complete. A run that was killed goes on where it was, and the rows depend neither on
the number of workers, nor on their order, nor on retries: they are those of one machine. The result is the dataset of all rows.

Files are of PDN or of Parquet: see :func:`pdn.parts.plan`. Nothing is sent to the makers of Ray, unless the variable
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

    The options are those of :func:`pdn.annotate`, and `reading` those of :func:`pdn.read_games`. Each of the `workers` has a
    processor; by default there are as many as the cluster has processors.
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
    """Checks files, each by one worker: the rows are the diagnostics. The options are those of :func:`pdn.tables.rows`."""
    _start()
    return _run(parts.plan(files), Path(out), parts.Read("diagnostics", reading), workers)


def positions_dataset(
    files: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    workers: int | None = None,
    **reading: Any,
) -> ray.data.Dataset:
    """Collects the positions of main lines, each file by one worker. The options are those of :func:`pdn.tables.rows`."""
    _start()
    return _run(parts.plan(files), Path(out), parts.Read("positions", reading), workers)


class _Worker:
    """An actor that writes parts; its process keeps the endgame tables and weights."""

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
        raise ValueError("there are no games")
    missing = parts.prepare(out, planned, work)
    if missing:
        number = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        items = [vars(part) for part in missing]
        # A block, which is what one worker takes at a time, for each part.
        dataset = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
            _Worker,
            fn_constructor_args=(work, out.absolute()),
            batch_size=1,
            batch_format="pyarrow",
            num_cpus=1,
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=min(number, len(items))),
        )
        # Only numbers of rows come back, so that memory does not grow with the rows.
        for _ in dataset.iter_batches(batch_size=None):
            pass
    # Not a list of the files: without `aiohttp`, an import that Ray tries in several threads fails in some of them.
    return ray.data.read_parquet(str(out), file_extensions=["parquet"])


def _counts(files: Sequence[str]) -> list[int]:
    counting = ray.remote(parts.count)
    counted: list[int] = ray.get([counting.remote(file) for file in files])
    return counted
