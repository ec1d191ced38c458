"""Load a file of this dataset into polars, with the types of its schema instead of types guessed from the
first rows.

In the dataset's folder:  python3 -i schema/load_polars.py
                          >>> load("posts")
                          >>> load("posts")["content"].struct.field("text")
                          >>> load("posts").write_parquet("posts.parquet")

Needs: pip install polars"""

import json
import pathlib

import polars

FOLDER = pathlib.Path(__file__).resolve().parent.parent
TYPES = {"string": polars.String, "integer": polars.Int64, "number": polars.Float64, "boolean": polars.Boolean}


def names():
    """The files, without .jsonl and what follows."""
    manifest = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
    return {file["name"].rsplit(".jsonl", 1)[0]: FOLDER / file["name"] for file in manifest["files"]}


def dtype(schema):
    """The type of a value."""
    if "properties" in schema:
        return polars.Struct({name: dtype(value) for name, value in schema["properties"].items()})
    if "items" in schema:
        return polars.List(dtype(schema["items"]))
    kinds = [kind for kind in TYPES if kind in schema.get("type", ())]
    return TYPES[kinds[0]] if kinds else polars.String


def json_text(line, key):
    """A value of no single type as JSON text."""
    value = json.loads(line).get(key)
    return None if value is None else json.dumps(value, ensure_ascii=False)


def load(name):
    """A file as a DataFrame: "posts", "pages", ..."""
    columns = json.loads((FOLDER / "schema" / f"{name}.schema.json").read_text("utf-8"))["properties"]
    typed = {key: dtype(schema) for key, schema in columns.items() if "type" in schema}
    times = [key for key, schema in columns.items() if schema.get("format") == "date-time"]
    frame = polars.read_ndjson(names()[name], schema=typed)
    frame = frame.with_columns(polars.col(times).str.to_datetime("%Y-%m-%dT%H:%M:%SZ", time_unit="ms", time_zone="UTC"))
    others = [key for key in columns if key not in typed]
    if others and len(frame):
        lines = polars.read_lines(names()[name]).to_series().to_list()
        frame = frame.with_columns(polars.Series(key, [json_text(line, key) for line in lines], polars.String) for key in others)
    elif others:
        frame = frame.with_columns(polars.Series(key, [], polars.String) for key in others)
    return frame.select(list(columns))


if __name__ == "__main__":
    for name in names():
        print(name, *load(name).shape)
