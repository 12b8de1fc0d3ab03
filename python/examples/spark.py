"""Annotates games with Spark: python spark.py OUT NODES FILES…

Rows go to the folder OUT as Parquet. They are those of one machine, in the order that Spark likes: sort them by file, game and ply.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from pdn import parts, tables
from pdn.engine import Limit


def annotated(
    spark: SparkSession, files: Sequence[str], limit: Limit, *, table: str = "moves", games_per_part: int = 200
) -> DataFrame:
    """Returns the rows of annotated games. Each part of the games is a task, which Spark repeats if it is lost."""
    work = parts.Annotated(table, limit)  # type: ignore[arg-type]
    planned = parts.plan(files, games_per_part=games_per_part)

    def rows(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            for fields in batch.to_pylist():
                yield from work(parts.Part(**fields))

    schema = "file string, index long, parts long, first long, last long"
    frame = spark.createDataFrame([tuple(vars(part).values()) for part in planned], schema)
    columns = from_arrow_schema(tables.batches(b"", work.table).schema)
    return frame.repartitionByRange(len(planned), "index").mapInArrow(rows, columns)


def main() -> None:
    out, nodes, *files = sys.argv[1:]
    with SparkSession.builder.appName("pdn").getOrCreate() as spark:
        annotated(spark, files, Limit(nodes=int(nodes))).write.parquet(out)


if __name__ == "__main__":
    main()
