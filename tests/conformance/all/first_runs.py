"""Runs `wpipe MIRROR -d DS` once on each mirror of a site, without any other option, and counts what the pages state.

usage: first_runs.py MIRRORS WORK: a folder with a mirror in each folder of it, called OWNER+NAME. A row each to standard output, as in
docs/first-runs.tsv: the status, the pages of HTML, the ids of posts, pages and attachments that classes of body elements state, those of
them that no record has, and the records by kind.
"""

import collections
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

BODY = re.compile(rb"""<body[^>]*class=["']?([^"'>]*)""", re.I)
ID = re.compile(rb"(?:^|\s)(?:postid-|page-id-|attachmentid-)(\d+)")
OTHER = {".js", ".css", ".json", ".svg", ".php", ".woff", ".woff2", ".ttf", ".eot", ".map", ".gif"}
KINDS = ("post", "html", "media")


def stated(mirror):
    """The number of pages, and the ids that they state."""
    pages, ids = 0, set()
    for file in mirror.rglob("*"):
        if not file.is_file() or file.suffix.lower() in OTHER:
            continue
        text = file.read_bytes()[:400_000]
        start = text[:3000].lower()
        if b"<html" not in start and b"<!doctype html" not in start:
            continue
        pages += 1
        classes = BODY.search(text)
        found = classes and b"error404" not in classes[1] and ID.search(classes[1])
        if found:
            ids.add(int(found[1]))
    return pages, ids


def made(dataset):
    """How many records of each kind it has, and the ids that they have or are said to be the same as."""
    kinds, ids = collections.Counter(), set()
    for file in dataset.glob("*.jsonl"):
        for line in file.read_bytes().split(b"\n"):
            record = json.loads(line) if line else {}
            if record.get("kind") in KINDS:
                kinds[record["kind"]] += 1
                ids.add(record.get("id") or (record.get("same") or {}).get("id"))
    return kinds, ids


def main():
    mirrors, work = map(Path, sys.argv[1:])
    work.mkdir(parents=True, exist_ok=True)
    print("repository", "status", "pages", "ids", "missing", *KINDS, sep="\t")
    for mirror in sorted(path for path in mirrors.iterdir() if path.is_dir()):
        dataset = work / "ds"
        shutil.rmtree(dataset, ignore_errors=True)
        run = subprocess.run(["wpipe", "-q", mirror, "-d", dataset], capture_output=True)
        pages, ids = stated(mirror)
        kinds, known = made(dataset)
        row = run.returncode, pages, len(ids), len(ids - known), *(kinds[kind] for kind in KINDS)
        print(mirror.name.replace("+", "/"), *row, sep="\t", flush=True)


main()
