"""Reads wp-export's documents and the metadata of texts back with the tools they are made for.

check OUT       OUT: SITE.ndjson and SITE/FORMAT for each site. Prints a row a check.
"""

import csv
import json
import pathlib
import sys

import datasets
import pandas
from datatrove.pipeline.readers import JsonlReader

checks = failed = 0


def row(site, form, tool, what, found, expected):
    global checks, failed
    checks += 1
    failed += found != expected
    print(f"{'ok' if found == expected else 'FAILED':7}{site:15}{form:10}{tool:12}{what:34}{str(found)[:60]}"
          + ("" if found == expected else f"  expected {str(expected)[:200]}"))


def differ(found, want):
    return f"{len(found)} of {len(want)}" if len(found) != len(want) else sum(a != b for a, b in zip(found, want))


def documents(records):
    return [r for r in records if r["kind"] in ("post", "html")]


def check_documents(site, records, folder):
    want = [r for r in documents(records) if (r["content"]["text"] or "").strip()]
    time = lambda value: value and value.strftime("%Y-%m-%dT%H:%M:%SZ")
    # The whole folder, as from the hub: types by the card.
    loaded = list(datasets.load_dataset(str(folder), split="train", cache_dir=str(folder.parent / "cache")))
    row(site, "documents", "datasets", "documents", len(loaded), len(want))
    row(site, "documents", "datasets", "texts that differ", differ([d["text"] for d in loaded], [r["content"]["text"] for r in want]), 0)
    row(site, "documents", "datasets", "dates that differ", differ([time(d["created"]) for d in loaded], [r["date_gmt"] for r in want]), 0)
    found = [(d["metadata"]["url"], d["metadata"]["record_id"], d["metadata"]["title"], d["metadata"]["language"]) for d in loaded]
    row(site, "documents", "datasets", "metadata that differ", differ(found, [(r["link"], r["id"], r["title"]["text"], r["language"]) for r in want]), 0)
    row(site, "documents", "datasets", "different ids", len({d["id"] for d in loaded}), len(want))
    read = list(JsonlReader(str(folder), glob_pattern="documents.jsonl").run())
    row(site, "documents", "datatrove", "texts that differ", differ([d.text for d in read], [r["content"]["text"] for r in want]), 0)
    row(site, "documents", "datatrove", "sources and URLs that differ",
        differ([(d.metadata["source"], d.metadata["url"]) for d in read], [(r["site"], r["link"]) for r in want]), 0)


def check_metadata(site, records, folder):
    want = [r for r in documents(records) if (r["title"]["text"] or "").strip("\n\r") or (r["content"]["text"] or "").strip("\n\r")]
    table = pandas.read_csv(folder / "metadata.tsv", sep="\t", dtype=str, keep_default_na=False, quoting=csv.QUOTE_NONE, lineterminator="\n")
    row(site, "text", "pandas", "rows", len(table), len(want))
    there = sum((folder / name).is_file() for name in table.file)
    row(site, "text", "pandas", "files that are there", there, len(want))
    one_line = lambda value: " ".join("".join(c if ord(c) >= 32 and not 127 <= ord(c) < 160 else " " for c in value or "").split())
    row(site, "text", "pandas", "titles that differ", differ(table.title.tolist(), [one_line(r["title"]["text"]) for r in want]), 0)
    row(site, "text", "pandas", "links that differ", differ(table.link.tolist(), [r["link"] or "" for r in want]), 0)


out = pathlib.Path(sys.argv[1])
for path in sorted(out.glob("*.ndjson")):
    stream = [json.loads(line) for line in path.open()]
    check_documents(path.stem, stream, out / path.stem / "documents")
    check_metadata(path.stem, stream, out / path.stem / "text")
print(f"{checks - failed} of {checks} checks: documents and metadata are read back whole")
sys.exit(failed > 0)
