"""Loads a jsonl dataset with its own loaders and compares every value of every record with the files themselves.

loaders.py DIR [--guess]: prints a row of the table for each loader; exits with 1 if a loader with told types lost anything.
--guess also loads with what each loader does when it is told nothing, for the table: what is lost there fails nothing."""

import datetime
import gzip
import json
import os
import pathlib
import runpy
import subprocess
import sys
import warnings

warnings.filterwarnings("ignore")
os.environ.setdefault("HF_DATASETS_DISABLE_PROGRESS_BARS", "1")
os.environ["HF_HUB_OFFLINE"] = "1"
FOLDER = pathlib.Path(sys.argv[1]).resolve()
MANIFEST = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
FILES = {file["name"].rsplit(".jsonl", 1)[0]: file for file in MANIFEST["files"]}


def lines(name):
    """The records of a file, read by Python's own JSON."""
    path = FOLDER / FILES[name]["name"]
    if path.suffix == ".zst":
        data = subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout
    elif path.suffix == ".gz":
        data = gzip.open(path).read()
    else:
        data = path.read_bytes()
    return [json.loads(line) for line in data.split(b"\n") if line]


def plain(value):
    """A value as it is compared: an object without any value is null, as some loaders have it for a key that is missing.
    Times are the text they were made of."""
    if isinstance(value, dict):
        value = {key: plain(inner) for key, inner in value.items()}
        return value if any(inner is not None for inner in value.values()) else None
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return value


def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return all(same(a.get(key), b.get(key)) for key in a.keys() | b.keys())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b
    return type(a) is type(b) and a == b


def untyped(name):
    """Keys that have no type in the schema of a file."""
    schema = json.loads((FOLDER / "schema" / f"{name}.schema.json").read_text("utf-8"))
    return [key for key, value in schema["properties"].items() if "type" not in value]


def from_text(name, found):
    """The rows, in which what has no type is no longer JSON text."""
    for key in untyped(name):
        for row in found:
            if isinstance(row[key], str):
                row[key] = json.loads(row[key])
    return found


def lost(expected, found):
    """How many values differ, and the first."""
    count, first = 0, None
    for number, (record, row) in enumerate(zip(expected, found)):
        record, row = {key: plain(value) for key, value in record.items()}, {key: plain(value) for key, value in row.items()}
        for key in record.keys() | row.keys():
            if not same(record.get(key), row.get(key)):
                count += 1
                first = first or f"line {number + 1} {key}: {str(record.get(key))[:40]!r} became {str(row.get(key))[:40]!r}"
    return count, first


def beside(loader):
    """The functions of a loader that lies beside the dataset."""
    return runpy.run_path(str(FOLDER / "schema" / f"load_{loader}.py"))


def duckdb_told():
    import duckdb

    os.chdir(FOLDER)
    connection = duckdb.connect()
    connection.execute((FOLDER / "schema" / "load_duckdb.sql").read_text("utf-8"))

    def load(name):
        found = connection.sql(f'FROM "{name}"')
        return [dict(zip(found.columns, row)) for row in found.fetchall()]

    return load


def polars_told():
    load = beside("polars")["load"]
    return lambda name: load(name).to_dicts()


def arrow_told():
    load = beside("pandas")["load_arrow"]
    return lambda name: load(name).to_pylist()


def rows(frame):
    """A DataFrame's rows; pandas.NA is null."""
    import pandas
    import pyarrow

    columns = {}
    for key in frame.columns:
        column = frame[key]
        if isinstance(column.dtype, pandas.ArrowDtype):
            columns[key] = pyarrow.array(column.array).to_pylist()
        else:
            columns[key] = [None if not hasattr(value, "__len__") and pandas.isna(value) else value for value in column]
    return [dict(zip(columns, row)) for row in zip(*columns.values())] if columns else [{}] * len(frame)


def pandas_told():
    load = beside("pandas")["load"]
    return lambda name: rows(load(name))


def datasets_told():
    load = beside("datasets")["load"]
    return lambda name: load(name).to_list()


def datasets_card():
    """As from the hub: the types are in dataset_infos.json. Its reader takes `date` for a time, and makes a string with a blank of it
    (examples/loading.md)."""
    import datasets

    def load(name):
        found = datasets.load_dataset(str(FOLDER), name, split="train").to_list() if FILES[name]["records"] else []
        return [row | {"date": row["date"].replace(" ", "T")} if isinstance(row.get("date"), str) else row for row in found]

    return load


def guess(load):
    """Loads with no types told; only files that hold something."""
    return lambda: lambda name: load(str(FOLDER / FILES[name]["name"])) if FILES[name]["records"] else []


def guess_datasets(path):
    import datasets

    return datasets.load_dataset("json", data_files=path, split="train").to_list()


def guess_with(module, call):
    def load(path):
        return call(__import__(module, fromlist=["x"]), path)

    return guess(load)


TOLD = {
    "DuckDB, load_duckdb.sql": ("duckdb", duckdb_told),
    "polars, load_polars.py": ("polars", polars_told),
    "pyarrow, load_pandas.py": ("pyarrow", arrow_told),
    "pandas, load_pandas.py": ("pandas", pandas_told),
    "datasets, load_datasets.py": ("datasets", datasets_told),
    "datasets, the card": ("datasets", datasets_card),
}
GUESSED = {
    "DuckDB, told nothing": ("duckdb", guess_with("duckdb", lambda duckdb, path: (
        lambda found: [dict(zip(found.columns, row)) for row in found.fetchall()])(duckdb.connect().read_json(path)))),
    "polars, told nothing": ("polars", guess_with("polars", lambda polars, path: polars.read_ndjson(path).to_dicts())),
    "pyarrow, told nothing": ("pyarrow", guess_with("pyarrow.json", lambda arrow, path: arrow.read_json(path).to_pylist())),
    "pandas, told nothing": ("pandas", guess_with("pandas", lambda pandas, path: rows(pandas.read_json(path, lines=True)))),
    "datasets, told nothing": ("datasets", guess(guess_datasets)),
}


def row(title, module, make, expected):
    """Loads all files; how many records and values were lost, in words."""
    version = __import__(module).__version__
    records = values = 0
    first = error = None
    load = None
    for name, file in FILES.items():
        try:
            load = load or make()
            found = load(name)
            # The hub's reader has parsed the text already.
            found = from_text(name, found) if title.endswith((".sql", ".py")) else found
        except Exception as e:  # whatever a loader raises is said
            error = error or f"{name}: {type(e).__name__}: {str(e).splitlines()[0][:90] if str(e) else ''}"
            continue
        records += len(found)
        count, difference = lost(expected[name], found)
        values += count + abs(len(found) - file["records"])
        if title in TOLD and any(isinstance(row.get("date_gmt"), str) for row in found):
            error = error or f"{name}: date_gmt is no time"
        first = first or (difference and f"{name} {difference}")
    total = sum(file["records"] for file in FILES.values())
    note = error or first or ""
    print(f"| {title} | {version} | {records} of {total} | {values} | {note.replace('|', '/')} |", flush=True)
    return records == total and values == 0 and error is None


def main():
    expected = {name: lines(name) for name in FILES}
    for name, file in FILES.items():
        assert len(expected[name]) == file["records"], f"{name}: the manifest says {file['records']}"
    print(f"\n{sum(map(len, expected.values()))} records, {MANIFEST['compression'] or 'not compressed'}\n")
    print("| loader | version | records | values lost | the first |\n|---|---|--:|--:|---|")
    good = [row(title, module, make, expected) for title, (module, make) in TOLD.items()]
    if "--guess" in sys.argv:
        for title, (module, make) in GUESSED.items():
            row(title, module, make, expected)
    sys.exit(0 if all(good) else 1)


main()
