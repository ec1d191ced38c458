#!/usr/bin/env python3
"""How often a content from a page is wrong: makes the table of `content_doubt`. doubt.py [figures | rows NAME SITE PAGES API]

Prints src/stage/translations/doubt.toml, made from docs/doubt.tsv. That has a row for each site, truth and cell of the table: how many
contents were compared, and how many were wrong. Truth `hand`: drawn pages that three readers graded, wrong are a part (more than 2 % of
the words too much or too little) and bad. Truth `api`: posts of a mirror, wrong is F < .95 against the API's text. A mirror counts as 20
pages at most. Half of the sites, by the hash of owner/name, make the table; `figures` prints how well it finds errors of the other half.

A cell has few contents. So its share is drawn towards that of the cells with the same page and texts, that towards all with the same page,
and so on, by FIRM pages each.

rows NAME SITE PAGES API prints rows of a mirror for docs/doubt.tsv: NAME is its owner/name, SITE its folder, PAGES the records that its
pages alone give (wp-index --no-dump --all-pages), API those of its dump with their pages (wp-index DUMP --scrape SITE | wp-parse). Which
cell a record is in shows its `content_doubt`, by the present table.
"""

import collections
import hashlib
import html
import json
import math
import pathlib
import re
import sys
import tomllib

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "conformance"))
from made_anew import is_made_anew
from mirror import words_of

DATA = here.parents[1] / "docs/doubt.tsv"
TABLE = here.parents[1] / "src/stage/translations/doubt.toml"
MANY, MUCH = 15, 0.1
CELLS = [(page, texts, cut) for page in ("front", "post", "other") for texts in ("few", "many") for cut in ("little", "much")]
FIRM, MOST = 4, 20


def data():
    """Of each row: half, truth, cell, weight, pages, wrong."""
    rows = [line.split("\t") for line in DATA.read_text().splitlines()[1:]]
    of_mirror = collections.Counter()
    for name, truth, *_, pages, _ in rows:
        of_mirror[name, truth] += int(pages)
    return [
        (hashlib.sha256(name.encode()).digest()[0] & 1, truth, (page, texts, cut), min(1, MOST / of_mirror[name, truth]), int(pages), int(wrong))
        for name, truth, page, texts, cut, pages, wrong in rows
    ]


def table(rows):
    """The share that was wrong, by cell."""
    sums = collections.defaultdict(lambda: [0, 0])
    for _, _, cell, weight, pages, wrong in rows:
        for part in range(len(cell) + 1):
            sums[cell[:part]][0] += weight * pages
            sums[cell[:part]][1] += weight * wrong
    shares = {}
    for cell in CELLS:
        share = sums[()][1] / sums[()][0]
        for part in range(1, len(cell) + 1):
            pages, wrong = sums[cell[:part]]
            share = (wrong + FIRM * share) / (pages + FIRM)
        shares[cell] = math.ceil(share * 1000) / 1000  # never 0
    return shares


def toml(shares):
    lines = [
        "# The share of contents from pages that were wrong: [of those from which little was dropped, much], by the kind of page and whether the",
        "# content has few texts or many. `tests/accuracy/doubt.py > src/stage/translations/doubt.toml` makes this file from docs/doubt.tsv.",
        f"many = {MANY}",
        f"much = {MUCH}",
    ]
    for page in ("front", "post", "other"):
        few, many = ([shares[page, texts, cut] for cut in ("little", "much")] for texts in ("few", "many"))
        lines.append(f"{page} = {{ few = {few}, many = {many} }}")
    return "\n".join(lines)


def figures(rows):
    for half in (0, 1):
        shares = table([row for row in rows if row[0] == half])
        other = [row for row in rows if row[0] != half]
        print(f"the table of half {half}, on the sites of the other")
        for name, truths in (("hand", {"hand"}), ("api", {"api"}), ("both", {"hand", "api"})):
            those = sorted((row for row in other if row[1] in truths), key=lambda row: -shares[row[2]])
            pages, wrong = (sum(row[3] * row[part] for row in those) for part in (4, 5))
            left, found = pages / 10, 0
            for doubt in sorted(set(shares.values()), reverse=True):
                weight, errors = (sum(row[3] * row[part] for row in those if shares[row[2]] == doubt) for part in (4, 5))
                found += errors * min(1, left / weight) if weight else 0
                left = max(0, left - weight)
            print(f"  {name}: {pages:.0f} pages, {wrong:.1f} wrong; the tenth with most doubt holds {found / wrong:.2f} of these, at most {min(1, pages / 10 / wrong):.2f}")
        for low, high in ((0, 0.05), (0.05, 0.15), (0.15, 0.4), (0.4, 1)):
            those = [row for row in other if low <= shares[row[2]] < high]
            weight = sum(row[3] * row[4] for row in those)
            if weight:
                stated = sum(row[3] * row[4] * shares[row[2]] for row in those) / weight
                print(f"  doubt {low} to {high}: {sum(row[4] for row in those)} pages, stated {stated:.3f}, measured {sum(row[3] * row[5] for row in those) / weight:.3f}")


def cells():
    """The cell of each doubt in the present table."""
    present = tomllib.loads(TABLE.read_text())
    found = {present[page][texts][cut == "much"]: (page, texts, cut) for page, texts, cut in CELLS}
    return found if len(found) == len(CELLS) else sys.exit("two cells have one doubt: put other numbers into the table first")


def records(path):
    with open(path, "rb") as lines:
        yield from (json.loads(line) for line in lines)


def rows_of(name, site, pages, api):
    text = lambda record: (record.get("content") or {}).get("text") or ""
    file = lambda record: (record.get("scrape") or {}).get("file")
    wanted = {file(post): post for post in records(api) if post["kind"] == "post" and file(post) and len(text(post)) >= 200}
    of, counts = cells(), collections.defaultdict(lambda: [0, 0])
    for record in records(pages):
        want = wanted.get(file(record))
        if want is None or record.get("content_doubt") is None or is_made_anew(want["content"]["html"] or ""):
            continue
        page = (pathlib.Path(site) / file(record)).read_text(encoding="utf-8", errors="replace")
        shown = words_of(html.unescape(re.sub(r"(?is)<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>", " ", page)))
        found, want = words_of(text(record)), words_of(re.sub(r"\[/?[a-z]+_\w+[^]]*\]", " ", text(want)))
        if sum((shown & want).values()) >= 0.8 * sum(want.values()):  # others were saved at another time
            count = counts[of[record["content_doubt"]]]
            count[0] += 1
            count[1] += 2 * sum((found & want).values()) < 0.95 * sum((found + want).values())
    for cell in CELLS:
        if cell in counts:
            print(name, "api", *cell, *counts[cell], sep="\t")


match sys.argv[1:]:
    case []:
        print(toml(table([row for row in data() if row[0] == 0])))
    case ["figures"]:
        figures(data())
    case ["rows", name, site, pages, api]:
        rows_of(name, site, pages, api)
    case _:
        sys.exit(__doc__)
