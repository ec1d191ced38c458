#!/usr/bin/env python3
"""Passes records through a filter and writes them as Parquet, a folder for each file of the dataset. The types of the columns are those of
the schemas that wp-export has written for DATASET, which may be made of a part of the records, if it has one of each type.

usage: spark-submit parquet.py RECORDS DATASET OUT [COMMAND]"""
import json
import pathlib
import subprocess
import sys
import threading

import pyarrow
import pyarrow.json
from pyspark.sql import SparkSession
from pyspark.sql.functions import get_json_object
from pyspark.sql.pandas.types import from_arrow_schema

TYPES = {"string": pyarrow.string(), "integer": pyarrow.int64(), "number": pyarrow.float64(), "boolean": pyarrow.bool_()}
# Bytes of lines that are turned into rows at once.
CHUNK = 8 << 20


def type_of(schema):
    """The type of a value. What has no single type is JSON text."""
    if "properties" in schema:
        return pyarrow.struct([(name, type_of(value)) for name, value in schema["properties"].items()])
    if "items" in schema:
        return pyarrow.list_(type_of(schema["items"]))
    if schema.get("format") == "date-time":
        return pyarrow.timestamp("us", "UTC")
    return next((TYPES[kind] for kind in schema.get("type", ()) if kind in TYPES), pyarrow.string())


def through(command, batches):
    """What a command writes when it is given the lines of batches. Its status, and the end of the batches, are checked."""
    process = subprocess.Popen(["bash", "-o", "pipefail", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    failure = []

    def feed():
        try:
            with process.stdin as lines:
                for batch in batches:
                    lines.write("".join(f"{line}\n" for line in batch.column(0).to_pylist()).encode())
        except BrokenPipeError:
            pass  # Its status tells why it has stopped reading.
        except BaseException as error:
            failure.append(error)
            process.kill()

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        yield from process.stdout
        feeder.join()
        if failure:
            raise failure[0]
        if process.wait() != 0:
            raise subprocess.CalledProcessError(process.returncode, command)
    finally:
        # No task that ends early leaves a process.
        process.kill()


def rows(lines, schema, untyped):
    """Lines as Arrow batches. A key or a value that the schema does not have fails the task; it is not lost."""
    options = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")

    def chunk_as_rows(chunk):
        data = b"".join(chunk)
        read = pyarrow.json.ReadOptions(use_threads=False, block_size=len(data) + 1)
        return pyarrow.json.read_json(pyarrow.BufferReader(data), read, options).select(schema.names).to_batches()

    def as_text(line):
        record = json.loads(line)
        return json.dumps(record | {name: json.dumps(record[name]) for name in untyped if record.get(name) is not None}).encode() + b"\n"

    chunk, size = [], 0
    for line in map(as_text, lines) if untyped else lines:
        chunk.append(line)
        size += len(line)
        if size >= CHUNK:
            yield from chunk_as_rows(chunk)
            chunk, size = [], 0
    if chunk:
        yield from chunk_as_rows(chunk)


def main(records, dataset, out, command="wp-export -q"):
    dataset = pathlib.Path(dataset)
    files = {(file["kind"], file["type"]): file["name"].split(".")[0] for file in json.loads((dataset / "manifest.json").read_text("utf-8"))["files"]}
    # Spark's default, INT96, does not say that times are in UTC.
    times = ("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    spark = SparkSession.builder.appName("wp-export").config(*times).getOrCreate()
    lines = spark.read.text(records)
    kind, kind_type = (get_json_object("value", f"$.{key}") for key in ("kind", "type"))
    unknown = {tuple(row) for row in lines.select(kind, kind_type).distinct().collect()} - set(files) - {("end", "end")}
    if unknown:
        sys.exit(f"{dataset} has no schema for {sorted(unknown, key=str)}")
    for (one_kind, one_type), name in files.items():
        properties = json.loads((dataset / "schema" / f"{name}.schema.json").read_text("utf-8"))["properties"]
        schema = pyarrow.schema([(key, type_of(value)) for key, value in properties.items()])
        untyped = [key for key, value in properties.items() if "type" not in value]
        rows_of = lambda batches, schema=schema, untyped=untyped: rows(through(command, batches), schema, untyped)
        of_file = lines.where((kind == one_kind) & (kind_type == one_type))
        of_file.mapInArrow(rows_of, from_arrow_schema(schema)).write.parquet(f"{out}/{name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
