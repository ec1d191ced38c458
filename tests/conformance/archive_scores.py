#!/usr/bin/env python3
"""archive_scores.py TABLE: scores real sites as directories and as archives, each with a dump and without, and writes a table.

Needs SHARED (score.py), WORK (the corpora) and the programs on the PATH. Fails where a translation is false, or where an archive
gives another score than the directory it was made from.

Without a dump a page is scored as the record that it says it shows (`same`). Terms, users, lists of posts and files without a page are
no records then, so that links and images that lead to them count as missed. Links of mirrors are not scored, which rewrite them.
"""
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import urllib.parse

import archives

SHARED, WORK = (pathlib.Path(os.environ[name]) for name in ("SHARED", "WORK"))
OUT = WORK / "out" / "archive-scores"
FILES = {"post": "posts", "page": "pages"}


def warc_of_list(tree, warc):
    """A WARC of a tree of a URL list, with the URLs that were asked for: all of them end with a slash."""
    with open(warc, "wb") as out:
        for file in sorted(tree.rglob("index.html")):
            path = file.relative_to(tree).as_posix().removesuffix("index.html")
            url = "http://" + urllib.parse.quote(path, safe="/").replace("%2E", ".")
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=UTF-8\r\n\r\n" + file.read_bytes()
            head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-20T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
            out.write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6, mtime=0))


def links_of(dump):
    """The links of all items of a dump."""
    files = [json.loads(file.read_text()) for file in dump.glob("*.json")]
    return {urllib.parse.unquote(item["link"]) for items in files if isinstance(items, list) for item in items if item.get("link")}


def as_records(folder, links):
    """Makes of the pages the records that they say they show: of several with one id the one at a link of the dump."""
    records = [json.loads(line) for file in folder.glob("*.jsonl") for line in open(file)]
    pages = [record for record in records if record["kind"] in ("post", "html")]
    pages.sort(key=lambda page: urllib.parse.unquote(page["link"] or "") not in links)
    shown = {}
    for page in pages:
        if page["same"]["id"] is not None:
            shown[page["link"]] = (page["same"]["type"], page["same"]["id"])
    files, known = {"posts": [], "pages": []}, set()
    for page in pages:
        record = shown.get(page["link"])
        if record is None or record in known:
            continue
        known.add(record)
        page["type"], page["id"] = record
        for thing in page["translations"] + page["links"] + page["images"]:
            target = thing["target"]
            if target["link"] in shown:
                target["type"], target["id"] = shown[target["link"]]
        files.setdefault(FILES.get(record[0], record[0]), []).append(page)
    for name, records in files.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))


def score(site, scrape, with_dump):
    """What score.py says of the dataset from this scrape, whose path is relative to WORK."""
    out = OUT / "dataset"
    shutil.rmtree(out, ignore_errors=True)
    dump = str(site.relative_to(WORK) / "dump") if with_dump else "--no-dump"
    pipe = f"wp-index -q {dump} --scrape '{scrape}' | wp-parse -q | wp-translations -q | wp-resolve -q | wp-export -q -d '{out}'"
    subprocess.run(["bash", "-o", "pipefail", "-c", pipe], cwd=WORK, check=True)
    if not with_dump:
        as_records(out, links_of(site / "dump"))
    command = [sys.executable, SHARED / "tools/score.py", site, out, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()[0])


def cell(rates):
    shown = [rates[part] for part in ("precision", "recall")] if rates else [None]
    return "" if None in shown else " ".join(f"{part:.3f}" for part in shown)


def row(name, with_dump, result):
    records = result["records"]
    cells = [name, "yes" if with_dump else "no", f"{records['found']} of {records['dumped']}"]
    parts = ["language", "translations", "groups", "links", "images"]
    if not with_dump:
        result["images"] = None
        result["links"] = result["links"] if not name.endswith(("wget -k", "HTTrack")) else None
    cells += [cell(result.get(part)) for part in parts]
    return "| " + " | ".join(cells) + " |"


def scrapes():
    """Sites, and their scrapes in all forms; those that follow one another must score the same."""
    for name in ("classic", "polylang", "translatepress"):
        site, packed = WORK / "wplive" / name, OUT / name
        packed.mkdir(parents=True, exist_ok=True)
        shutil.copy(site / "warc" / f"{name}.warc.gz", packed / "stored.warc.gz")
        archives.pack(packed)
        tree = f"wplive/{name}/scrape"
        yield site, [(f"{name}, tree", tree)] + [
            (f"{name}, {form}", str((packed / file).relative_to(WORK)))
            for form, file in [("WARC", "stored.warc.gz"), ("whole-gzip WARC", "whole.warc.gz"), ("WACZ", "stored.wacz")]
        ]
    site, warc = WORK / "wpnew", OUT / "wpnew-list.warc.gz"
    warc_of_list(site / "scrape-list", warc)
    yield site, [("wpnew, URL list, tree", "wpnew/scrape-list"), ("wpnew, URL list, WARC", str(warc.relative_to(WORK)))]
    yield site, [("wpnew, wget -k", "wpnew/mirror-k")]
    yield site, [("wpnew, HTTrack", "wpnew/mirror-h")]


def main(table):
    OUT.mkdir(parents=True, exist_ok=True)
    lines = ["| scrape | dump | records | language | translations | groups | links | images |", "|---|---|---|---|---|---|---|---|"]
    failures = []
    for site, forms in scrapes():
        for with_dump in (True, False):
            results = [score(site, scrape, with_dump) for _, scrape in forms]
            for (name, _), result in zip(forms, results):
                if result != results[0]:
                    failures.append(f"{name}: another score than {forms[0][0]}")
                if result.get("translations", {}).get("fp"):
                    failures.append(f"{name}: {result['translations']['fp']} false translations")
            lines += [row(name, with_dump, result) for (name, _), result in zip(forms, results)]
    pathlib.Path(table).write_text("\n".join(lines) + "\n")
    print("\n".join(failures) or f"{len(lines) - 2} scores: archives as directories, no false translation")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
