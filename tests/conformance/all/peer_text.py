#!/usr/bin/env python3
"""Compares texts of `wp-parse --text wpextract` with wpextract's own functions: peer_text.py < records with their api

Reads records of `wp-parse --text wpextract --keep-api`; needs the Python of a virtual environment with wpextract 1.1.1.
Every text that differs is printed; those on which the peer crashes are counted apart.
"""
import collections, json, logging, sys, warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
from wpextract.parse.content import extract_content_data
from wpextract.parse.html import extract_html_text, parse_html

counts, differ = collections.Counter(), []


def rendered(value):
    return value.get("rendered") if isinstance(value, dict) else value


def compare(record, field, ours, theirs):
    counts[field] += 1
    if ours != theirs:
        differ.append((record["site"], record["type"], record["id"], field, ours, theirs))


for line in sys.stdin:
    record = json.loads(line)
    api = record["api"]
    if record["kind"] not in ("post", "media"):
        continue
    for field in ("title", "excerpt", "caption", "description"):
        html = rendered(api.get(field))
        if html is not None and field in record:
            theirs = extract_html_text(html)
            if field == "description" and theirs == "\n":
                theirs = ""
            compare(record, field, record[field]["text"], theirs)
    html = rendered(api.get("content"))
    if html is not None and record["kind"] == "post":
        try:
            theirs = extract_content_data(parse_html(html), record["link"]).iloc[0]
        except Exception as error:  # noqa: BLE001: whatever stops the peer
            counts["the peer crashed"] += 1
            continue
        compare(record, "content", record["content"]["text"], theirs)
for row in differ[:20]:
    print(*row[:4], "\n  ours  ", repr(row[4])[:300], "\n  theirs", repr(row[5])[:300])
print(f"{sum(counts.values())} texts ({', '.join(f'{n} {field}' for field, n in sorted(counts.items()))}), {len(differ)} differ")
sys.exit(bool(differ))
