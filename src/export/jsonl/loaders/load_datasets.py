"""Load a file of this dataset with Hugging Face datasets, with the types of its schema instead of types guessed
from the first rows.

In the dataset's folder:  python3 -i schema/load_datasets.py
                          >>> load("posts")
                          >>> load("posts").to_parquet("posts.parquet")

From the hub, which reads the types from dataset_infos.json:  datasets.load_dataset("user/name", "posts", split="train")
Needs: pip install datasets"""

import datetime
import json
import pathlib

import datasets
import pyarrow

FOLDER = pathlib.Path(__file__).resolve().parent.parent
TYPES = {"string": "string", "integer": "int64", "number": "float64", "boolean": "bool"}


def names():
    """The files, without .jsonl and what follows."""
    manifest = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
    return {file["name"].rsplit(".jsonl", 1)[0]: file for file in manifest["files"]}


def feature(schema):
    """The type of a value."""
    if "properties" in schema:
        return {name: feature(value) for name, value in schema["properties"].items()}
    if "items" in schema:
        return [feature(schema["items"])]
    if schema.get("format") == "date-time":
        return datasets.Value("timestamp[s, tz=UTC]")
    kinds = [kind for kind in TYPES if kind in schema.get("type", ())]
    return datasets.Value(TYPES[kinds[0]] if kinds else "string")


def records(path, sha256, untyped, times):
    """The lines of a file. datasets caches what it has read by these arguments; another checksum is another dataset."""

    def record(line):
        values = json.loads(line)
        for name in untyped:
            if values.get(name) is not None:
                values[name] = json.dumps(values[name], ensure_ascii=False)
        for name in times:
            if values.get(name) is not None:
                values[name] = datetime.datetime.fromisoformat(values[name].replace("Z", "+00:00"))
        return values

    with pyarrow.input_stream(path, compression="detect") as stream:
        rest = b""
        while block := stream.read(1 << 20):
            *lines, rest = (rest + block).split(b"\n")
            yield from map(record, lines)
        if rest:
            yield record(rest)


def load(name):
    """A file as a Dataset: "posts", "pages", ..."""
    schema = json.loads((FOLDER / "schema" / f"{name}.schema.json").read_text("utf-8"))
    features, file = datasets.Features(feature(schema)), names()[name]
    if not file["records"]:
        return datasets.Dataset.from_dict({column: [] for column in features}, features)
    # What has no single type is JSON text. A tuple: datasets would take a list for shards.
    untyped = tuple(column for column, value in schema["properties"].items() if "type" not in value)
    times = tuple(column for column, value in schema["properties"].items() if value.get("format") == "date-time")
    place = {"path": str(FOLDER / file["name"]), "sha256": file["sha256"], "untyped": untyped, "times": times}
    # The JSON loader of datasets would parse texts that look like times, and format them differently.
    return datasets.Dataset.from_generator(records, features=features, gen_kwargs=place)


if __name__ == "__main__":
    for name in names():
        print(name, *load(name).shape)
