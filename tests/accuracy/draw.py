#!/usr/bin/env python3
"""Draws sites and one page of each by their hashes, so that nobody chooses what is read by hand.

draw.py sites CANDIDATES EXCLUDED ... prints the order in which repositories are tried: one line each, its number and owner/name. CANDIDATES
has an owner/name a line. An owner whose name is a word of an EXCLUDED file, or of a file in such a folder, is left out, whether upper or
lower case. Of an owner's repositories the one with the least SHA-256 of owner/name is tried; these hashes also give the order.

draw.py page OWNER/NAME DATASET prints the drawn page of a mirror, as JSON, from the dataset that wpipe made of it: of the records that
come from a page and have a content_rule, the one with the least SHA-256 of owner/name, NUL and the path of the page. A record of an error
page, an archive or a file that is not HTML is in the draw if wpipe writes one, and so is a record whose content is empty. A dataset
without any text from a page prints nothing, and the exit status is 1.
"""

import hashlib
import json
import pathlib
import re
import sys


def digest(of):
    return hashlib.sha256(of.encode("utf-8", "surrogateescape")).hexdigest()


def excluded(paths):
    """The words of the files, in lower case: letters, digits and hyphens, as in a name of GitHub."""
    words = set()
    for path in map(pathlib.Path, paths):
        for file in [path] if path.is_file() else filter(pathlib.Path.is_file, path.rglob("*")):
            words.update(re.findall(r"[a-z0-9-]+", file.read_bytes().decode("latin-1").lower()))
    return words


def sites(candidates, *paths):
    taken = excluded(paths)
    ordered = sorted(set(pathlib.Path(candidates).read_text().split()), key=digest)
    number = 0
    for repository in ordered:
        owner = repository.split("/")[0].lower()
        if owner not in taken:
            taken.add(owner)
            number += 1
            print(number, repository, sep="\t")


def page(repository, dataset):
    found = []
    for file in sorted(pathlib.Path(dataset).glob("*.jsonl")):
        for line in filter(None, file.read_bytes().split(b"\n")):
            record = json.loads(line)
            if (record.get("source") or {}).get("via") == "page" and record.get("content_rule"):
                found.append(record)
    if not any(record["content"]["text"] for record in found):
        sys.exit(1)
    drawn = min(found, key=lambda record: digest(repository + "\0" + record["scrape"]["file"]))
    print(json.dumps(drawn, ensure_ascii=False))


if __name__ == "__main__":
    {"sites": sites, "page": page}[sys.argv[1]](*sys.argv[2:])
