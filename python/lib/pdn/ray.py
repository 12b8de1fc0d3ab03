"""Collections on a cluster, by Ray Data.

Each function makes the rows of a table and writes them to a folder that all nodes share, as Parquet: a file for each part of the
collection, which gets its name when it is complete. A run that was killed goes on where it was, and the rows depend on neither
the number of workers, nor their order, nor retries: they are those of one machine. The result is the dataset of all rows.

Nothing is sent to the makers of Ray, unless the variable ``RAY_USAGE_STATS_ENABLED`` says so.
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
    import pyarrow

    from pdn._core import Limit

__all__ = ["annotate_dataset", "check_dataset", "positions_dataset"]


def annotate_dataset(
    files: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    limit: Limit,
    *,
    table: Literal["games", "moves", "positions"] = "moves",
    games_per_part: int = 200,
    concurrency: int | tuple[int, int] | None = None,
    reading: Mapping[str, Any] | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Annotates games with a search of each position.

    The options are those of :func:`pdn.annotate`, and `reading` those of :func:`pdn.read_games`. Each worker has a processor
    and an engine; `concurrency` is the number of workers, or its least and greatest value.
    """
    work = parts.Annotated(table, limit, options, reading or {})
    planned = parts.plan(files, games_per_part=games_per_part, counts=_counts)
    return _run(planned, Path(out), work, concurrency)


def check_dataset(
    files: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    concurrency: int | tuple[int, int] | None = None,
    **reading: Any,
) -> ray.data.Dataset:
    """Checks files: the rows are the diagnostics. The options are those of :func:`pdn.tables.rows`."""
    return _run(parts.plan(files), Path(out), parts.Read("diagnostics", reading), concurrency)


def positions_dataset(
    files: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    concurrency: int | tuple[int, int] | None = None,
    **reading: Any,
) -> ray.data.Dataset:
    """Collects the positions of the main lines of files. The options are those of :func:`pdn.tables.rows`."""
    return _run(parts.plan(files), Path(out), parts.Read("positions", reading), concurrency)


class _Worker:
    """An actor that writes parts."""

    def __init__(self, work: parts.Work, out: Path) -> None:
        self.work = work
        self.out = out

    def __call__(self, batch: pyarrow.Table) -> dict[str, list[int]]:
        return {"rows": [parts.write(parts.Part(**fields), self.work, self.out) for fields in batch.to_pylist()]}


def _run(
    planned: Sequence[parts.Part], out: Path, work: parts.Work, concurrency: int | tuple[int, int] | None
) -> ray.data.Dataset:
    if not planned:
        raise ValueError("there are no games")
    missing = parts.prepare(out, planned, work)
    if missing:
        workers = concurrency or (1, max(1, int(ray.cluster_resources().get("CPU", 1))))
        items = [vars(part) for part in missing]
        # A block, which is what one worker takes at a time, for each part.
        dataset = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
            _Worker,
            fn_constructor_args=(work, out),
            batch_size=1,
            batch_format="pyarrow",
            num_cpus=1,
            concurrency=workers,
        )
        # Only numbers of rows come back, so that memory does not grow with the rows.
        for _ in dataset.iter_batches(batch_size=None):
            pass
    return ray.data.read_parquet([str(part.path(out, work.table)) for part in planned])


def _counts(files: Sequence[str]) -> list[int]:
    counting = ray.remote(parts.count)
    counted: list[int] = ray.get([counting.remote(file) for file in files])
    return counted
