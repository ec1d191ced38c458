#!/usr/bin/env python3
"""Measures how much of the API's text is found in the page: page_content.py API.ndjson PAGE.ndjson MIN

Both hold the records of wp-translations; in the second the content came from the scraped pages. Compares the texts
line by line (as bags of lines) for every record that has content in the API and a page; fails below MIN (0 to 1).

Set apart are records whose content WordPress makes anew each time it is asked (made_anew.py). In the API links to the neighbouring
posts are nothing at all: then their mark in the page counts, if all lines of the API are in the page, and what the share is with them
is printed too.
"""
import collections, json, sys
from made_anew import is_made_anew

api, page = ({(r["type"], r["id"], r["link"]): r for r in map(json.loads, open(name)) if r["kind"] == "post"}
             for name in sys.argv[1:3])
equal = total = records = whole = apart = links_equal = links_total = 0
worst = []
for key, record in api.items():
    text = record["content"]["text"]
    if not text or record["scrape"]["file"] is None:
        continue
    page_text = page[key]["content"]["text"] or ""
    if is_made_anew(record["content"]["html"]) or text.startswith(page_text + "\n"):
        apart += 1
        continue
    want = collections.Counter(text.split("\n"))
    got = collections.Counter(page_text.split("\n"))
    same = sum((want & got).values())
    # Lines that only the page has count against it as well: boilerplate in a corpus is worse than a gap.
    lines = max(sum(want.values()), sum(got.values()))
    if "wp-block-post-navigation-link" in (page[key]["content"]["html"] or "") and not want - got:
        apart, links_equal, links_total = apart + 1, links_equal + same, links_total + lines
        continue
    equal, total, records, whole = equal + same, total + lines, records + 1, whole + (want == got)
    worst.append((lines - same, key))
for missing, key in sorted(worst, reverse=True, key=lambda row: row[0])[:5]:
    if missing:
        print(f"{missing} lines differ: {key}")
with_links = f" ({(equal + links_equal) / (total + links_total):.4f} with links to neighbours)" if links_total else ""
print(f"{equal / total:.4f}{with_links} of {total} lines, {whole} of {records} records to the letter, {apart} made anew set apart")
sys.exit(equal / total < float(sys.argv[3]))
