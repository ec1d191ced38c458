#!/usr/bin/env python3
"""archives.py pack DIR: packs DIR/stored.warc.gz in the other forms of an archive.
archives.py judge SITE RECORDS NAME: holds records made without a dump to the dump: type, id, language and translations."""

import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import zipfile
import zlib


def members(data):
    """The records of a WARC with a gzip member each."""
    while data:
        decoder = zlib.decompressobj(31)
        yield decoder.decompress(data)
        data = decoder.unused_data


def pack(folder):
    data = (folder / "stored.warc.gz").read_bytes()
    plain = b"".join(members(data))
    (folder / "plain.warc").write_bytes(plain)
    (folder / "whole.warc.gz").write_bytes(gzip.compress(plain, 6, mtime=0))
    if shutil.which("zstd"):
        frames = [subprocess.run(["zstd", "-qc"], input=record, capture_output=True, check=True) for record in members(data)]
        (folder / "frames.warc.zst").write_bytes(b"".join(frame.stdout for frame in frames))
    for name, method, inside, content in [
        ("stored", zipfile.ZIP_STORED, "data.warc.gz", data),
        ("deflated", zipfile.ZIP_DEFLATED, "data.warc", plain),
    ]:
        with zipfile.ZipFile(folder / f"{name}.wacz", "w", method) as wacz:
            wacz.writestr("datapackage.json", "{}")
            wacz.writestr(f"archive/{inside}", content)


def judge(site, records, name):
    truth = {}
    for file in sorted((site / "dump").glob("*.json")):
        items = json.loads(file.read_text())
        for item in items if isinstance(items, list) else []:
            if isinstance(item, dict) and isinstance(item.get("id"), int) and "link" in item and item.get("type") in ("post", "page"):
                truth[item["link"].lower()] = (item["type"], item["id"])
    known = right = wrong = targets = 0
    for line in open(records):
        record = json.loads(line)
        want = truth.get((record["link"] or "").lower())
        same = record["same"] or {}
        targets += sum(1 for t in record["translations"] or [] if t["target"])
        if want:
            known += 1
            right += (same.get("type"), same.get("id")) == want
            wrong += bool(same) and (same.get("type"), same.get("id")) != want
    print(f"{name} without a dump: {right} of {known} pages of records have their type and id, {wrong} another; {targets} translations with a target")
    return 0 if known and right == known and not wrong else 1


if __name__ == "__main__":
    if sys.argv[1] == "pack":
        pack(pathlib.Path(sys.argv[2]))
    else:
        sys.exit(judge(pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]))
