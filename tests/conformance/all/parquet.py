"""Whether five readers find in a dataset's Parquet files what its JSON Lines say, value for value.

parquet.py JSONL PARQUET [READER...]: two datasets of the same records; for each reader (pyarrow, polars, duckdb, datasets,
spark; all that are installed) it prints the rows, and the hash of all values, which must be that of the JSON Lines."""

import datetime
import hashlib
import importlib
import importlib.util
import json
import pathlib
import re
import sys

import pyarrow
import pyarrow.parquet


def of_pyarrow(path):
    return pyarrow.parquet.read_table(path).to_pylist()


def of_polars(path):
    return importlib.import_module("polars").read_parquet(path).to_dicts()


def of_duckdb(path):
    connection = importlib.import_module("duckdb").connect()
    connection.execute("SET TimeZone = 'UTC'")
    found = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
    names = [column[0] for column in found.description]
    return [dict(zip(names, row)) for row in found.fetchall()]


def of_datasets(path):
    if pyarrow.parquet.read_metadata(path).num_rows == 0:
        return []  # it refuses them, and the card names none
    library = importlib.import_module("datasets")
    return library.Dataset.from_parquet(str(path), cache_dir=str(path.parent.parent / "cache")).to_list()


def of_spark(path):
    sql = importlib.import_module("pyspark.sql")
    session = sql.SparkSession.builder.config("spark.sql.session.timeZone", "UTC").config("spark.ui.enabled", "false")
    return [row.asDict(recursive=True) for row in session.getOrCreate().read.parquet(str(path)).collect()]


LONE = re.compile("[\ud800-\udfff]")

READERS = {
    "pyarrow": of_pyarrow, "polars": of_polars, "duckdb": of_duckdb, "datasets": of_datasets, "pyspark": of_spark,
}  # fmt: skip


def plain(value, of):
    """A value as the JSON Lines say it: times as text; null where an object or its key is missing."""
    if value is None:
        return None
    if pyarrow.types.is_timestamp(of):
        if isinstance(value, str):
            return value
        zone = value.tzinfo
        return (value.astimezone(datetime.UTC) if zone else value).strftime("%Y-%m-%dT%H:%M:%SZ")
    if pyarrow.types.is_struct(of):
        return {field.name: plain(value.get(field.name), field.type) for field in of}
    if pyarrow.types.is_list(of):
        return [plain(element, of.value_type) for element in value]
    if pyarrow.types.is_string(of) and not isinstance(value, str):
        return json.dumps(value, sort_keys=True)
    if pyarrow.types.is_floating(of):
        return float(value)
    return value


def row_hash(row, schema, texts):
    """The hash of a row; JSON text counts by its value, so that white space does not."""
    row = {field.name: plain(row.get(field.name), field.type) for field in schema}
    for name in texts:
        if row[name] is not None:
            row[name] = json.loads(row[name])
    return json.dumps(row, sort_keys=True, ensure_ascii=False).encode()


def main(lines, files, wanted):
    failed = False
    for name, reader in READERS.items():
        if wanted and name not in wanted:
            continue
        if importlib.util.find_spec(name) is None:
            print(f"{name}: SKIPPED, not installed")
            continue
        rows, ours, theirs = 0, hashlib.sha256(), hashlib.sha256()
        for path in sorted(files.glob("*.parquet")):
            schema = pyarrow.parquet.read_schema(path)
            text = (lines / f"{path.stem}.jsonl").read_bytes()
            # half of a surrogate pair, which no text can hold, is U+FFFD
            records = [json.loads(line) for line in text.split(b"\n")[:-1]]
            records = json.loads(LONE.sub("\ufffd", json.dumps(records, ensure_ascii=False)))
            texts = {key for row in records for key, value in row.items()
                     if value is not None and not isinstance(value, str) and pyarrow.types.is_string(schema.field(key).type)}  # fmt: skip
            for row in records:
                # a text among other values is JSON text, too
                row.update({key: json.dumps(row[key]) for key in texts if row.get(key) is not None})
                ours.update(row_hash(row, schema, texts))
            for row in reader(path):
                theirs.update(row_hash(row, schema, texts))
                rows += 1
        same = rows > 0 and ours.digest() == theirs.digest()
        failed |= not same
        print(f"{name} {importlib.import_module(name).__version__}: {rows} rows, {theirs.hexdigest()[:16]}, {'equal' if same else 'DIFFERENT'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]))
