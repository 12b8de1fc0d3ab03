"""Annotates games with Spark: spark-submit spark.py OUT NODES FILES…

The table of moves is written to the folder OUT as Parquet. Its rows are the same as on one machine, but in any order: sort
them by file, game and ply.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from pdn import parts
from pdn.engine import Limit


def annotated(spark: SparkSession, files: Sequence[str], limit: Limit, *, games_per_part: int = 200) -> DataFrame:
    """Returns the rows of annotated games. Each part of the games is a task; Spark repeats lost tasks."""
    work = parts.Annotated("moves", limit)
    planned = parts.plan(files, games_per_part=games_per_part)

    def rows(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            for fields in batch.to_pylist():
                yield from work(parts.Part(**fields))

    fields = [tuple(vars(part).values()) for part in planned]
    frame = spark.createDataFrame(fields, "file string, index long, parts long, first long, last long")
    columns = from_arrow_schema(parts.schema(work))
    return frame.repartitionByRange(len(planned), "index").mapInArrow(rows, columns)


def main() -> None:
    """Annotates the files of the command line."""
    out, nodes, *files = sys.argv[1:]
    with SparkSession.builder.appName("pdn").getOrCreate() as spark:
        annotated(spark, files, Limit(nodes=int(nodes))).write.parquet(out)


if __name__ == "__main__":
    main()
