"""What all/spark.sh needs: mix LAKE FILE... spreads the records of files over those of a lake, each site's in their order;
same DATASET PARQUET compares the values of Parquet folders with those of the dataset's files."""
import datetime
import json
import pathlib
import random
import sys


def mix(lake, *paths):
    rest = [path.open(encoding="utf-8") for path in map(pathlib.Path, paths)]
    order = random.Random(1)
    turns = [at for at, path in enumerate(paths) for _ in open(path, encoding="utf-8")]
    order.shuffle(turns)
    pathlib.Path(lake).mkdir()
    size = len(turns) // 7 + 1
    for part in range(7):
        with open(f"{lake}/part-{part}.ndjson", "w", encoding="utf-8") as out:
            out.writelines(rest[at].readline() for at in turns[part * size : (part + 1) * size])


def same(dataset, parquet):
    import pyarrow.parquet

    time = lambda value: value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    canonical = lambda record: json.dumps(record, sort_keys=True, ensure_ascii=False, default=time)
    total = 0
    for file in json.loads(pathlib.Path(dataset, "manifest.json").read_text("utf-8"))["files"]:
        name = file["name"].split(".")[0]
        with open(f"{dataset}/{file['name']}", encoding="utf-8") as lines:
            want = sorted(canonical(json.loads(line)) for line in lines)
        table = pyarrow.parquet.read_table(f"{parquet}/{name}")
        for column in {"date_gmt", "modified_gmt"} & set(table.column_names):
            assert pyarrow.types.is_timestamp(table.schema.field(column).type), (name, column)
        got = sorted(map(canonical, table.to_pylist()))
        if got != want:
            different = next(((g, w) for g, w in zip(got, want) if g != w), (len(got), len(want)))
            sys.exit(f"{name}: {different}")
        total += len(got)
    print(f"mapInArrow: the values of {total} rows of Parquet are those of the dataset")


{"mix": mix, "same": same}[sys.argv[1]](*sys.argv[2:])
