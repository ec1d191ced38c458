"""Load a file of this dataset into pandas or pyarrow, with the types of its schema instead of types guessed from the
first rows.

In the dataset's folder:  python3 -i schema/load_pandas.py
                          >>> load("posts")
                          >>> load_arrow("posts")
                          >>> load("posts")["content"].struct.field("text").astype("string")
                          >>> load("posts").to_parquet("posts.parquet")

Needs: pip install pandas pyarrow"""

import io
import json
import pathlib

import pandas
import pyarrow
import pyarrow.json

FOLDER = pathlib.Path(__file__).resolve().parent.parent
TYPES = {"string": pyarrow.string(), "integer": pyarrow.int64(), "number": pyarrow.float64(), "boolean": pyarrow.bool_()}


def names():
    """The files, without .jsonl and what follows."""
    manifest = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
    return {file["name"].rsplit(".jsonl", 1)[0]: FOLDER / file["name"] for file in manifest["files"]}


def dtype(schema):
    """The type of a value."""
    if "properties" in schema:
        return pyarrow.struct([(name, dtype(value)) for name, value in schema["properties"].items()])
    if "items" in schema:
        return pyarrow.list_(dtype(schema["items"]))
    if schema.get("format") == "date-time":
        return pyarrow.timestamp("s", "UTC")
    kinds = [kind for kind in TYPES if kind in schema.get("type", ())]
    return TYPES[kinds[0]] if kinds else pyarrow.string()


def json_texts(name, key):
    """The values of a key that has no single type, as JSON text."""
    with io.TextIOWrapper(pyarrow.input_stream(str(names()[name]), compression="detect"), "utf-8", newline="\n") as lines:
        values = (json.loads(line).get(key) for line in lines)
        return [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]


def load_arrow(name):
    """A file as a pyarrow.Table: "posts", "pages", ..."""
    schema = json.loads((FOLDER / "schema" / f"{name}.schema.json").read_text("utf-8"))
    types = pyarrow.schema(list(dtype(schema)))
    if not schema["x-longest-line"]:
        return types.empty_table()
    others = [key for key, value in schema["properties"].items() if "type" not in value]
    typed = pyarrow.schema([field for field in types if field.name not in others])
    table = pyarrow.json.read_json(
        str(names()[name]),
        # Each line must fit into a block.
        pyarrow.json.ReadOptions(block_size=max(1 << 20, 2 * schema["x-longest-line"])),
        pyarrow.json.ParseOptions(explicit_schema=typed, unexpected_field_behavior="ignore" if others else "error"),
    )
    for key in others:
        table = table.append_column(key, pyarrow.array(json_texts(name, key), pyarrow.string()))
    return table.select(types.names)


def load(name):
    """A file as a DataFrame; its columns have pyarrow's types, so that integers remain integers next to nulls."""
    return load_arrow(name).to_pandas(types_mapper=pandas.ArrowDtype)


if __name__ == "__main__":
    for name in names():
        print(name, *load(name).shape)
