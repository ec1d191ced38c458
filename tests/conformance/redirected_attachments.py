#!/usr/bin/env python3
"""Count links that score.py calls wrong although they are right: redirected_attachments.py SITE_DIR DATASET_DIR

WordPress 6.4 and later redirects attachment pages to their file. The truth of such a link is then the file ("other",
no id), while wp-resolve names the media record whose page the URL is. That is the same attachment exactly when the
server's final URL is that record's source_url; prints how many links of posts and pages are of that kind.
"""
import json, pathlib, sys

site, data = map(pathlib.Path, sys.argv[1:])
truth = json.load(open(site / "truth.json"))
files = {m["id"]: m["source_url"] for m in map(json.loads, open(data / "media.jsonl"))}
redirected = {}
for document in truth["documents"]:
    for link in document["links"]:
        if link.get("kind") == "other" and link.get("redirects") and link.get("id") is None:
            redirected[document["id"], link["href"]] = link["final"]
count = 0
for name in ("posts", "pages"):
    for record in map(json.loads, open(data / f"{name}.jsonl")):
        for link in record["links"]:
            final = redirected.get((record["id"], link["href"]))
            target = link["target"]
            count += final is not None and target["type"] == "media" and files.get(target["id"]) == final
print(count)
