"""The documents beside a dataset, read by those they are for: documents.py DIR [--read]. Every record is as its schema says,
by jsonschema; croissant.json is valid, and with --read mlcroissant finds as many records as the manifest lists (150 a
second; it reads JSON lines with pandas' guesses, so values are not compared: load with schema/ instead)."""

import gzip
import json
import logging
import pathlib
import sys

import jsonschema
import mlcroissant

logging.disable(logging.WARNING)
folder = pathlib.Path(sys.argv[1])
manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
records = 0
for file in manifest["files"]:
    name = file["name"].rsplit(".jsonl", 1)[0]
    schema = json.loads((folder / "schema" / f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    opened = gzip.open if file["name"].endswith(".gz") else open
    with opened(folder / file["name"], "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            validator.validate(json.loads(line))
            records += 1
dataset = mlcroissant.Dataset(str(folder / "croissant.json"))
found = {}
if "--read" not in sys.argv:
    print(f"{folder.name}: {records} records valid by jsonschema, croissant.json valid by mlcroissant")
    sys.exit()
for record_set in dataset.metadata.record_sets:
    found[record_set.uuid] = sum(1 for _ in dataset.records(record_set=record_set.uuid))
expected = {file["name"].rsplit(".jsonl", 1)[0]: file["records"] for file in manifest["files"] if file["records"]}
assert found == expected, (found, expected)
print(f"{folder.name}: {records} records valid by jsonschema, {sum(found.values())} found by mlcroissant")
