#!/usr/bin/env python3
"""Count what score.py calls wrong on the site wpnew although it is right: known_right.py SITE_DIR DATASET_DIR

Its truth is what the server answered. Right all the same are: a further page of a list or of a post that the server does
not have (/page/2/, /amp/: 404), which means that list or post; a link to the site's own host with www., which has no
server; an image that a CDN serves from the site's uploads. Prints links and images as one JSON object.
"""
import json, pathlib, re, sys

site, data = map(pathlib.Path, sys.argv[1:])
truth = json.load(open(site / "truth.json"))
host = re.match(r"https?://([^/]+)", truth["site"])[1]
files = {m["id"]: m["source_url"] for m in map(json.loads, open(data / "media.jsonl"))}
links = images = 0
documents = {d["id"]: d for d in truth["documents"]}
bare = lambda url: re.sub(r"^https?://(www\.)?", "", (url or "").split("?")[0].split("#")[0]).rstrip("/")
for name in ("posts", "pages", "product", "docs"):
    for record in map(json.loads, open(data / f"{name}.jsonl")) if (data / f"{name}.jsonl").exists() else []:
        document = documents.get(record["id"], {"links": [], "images": []})
        dead = {l["href"] for l in document["links"] if l.get("status") == 404}
        for link in record["links"]:
            target, url = link["target"]["link"], bare(link["url"])
            part = re.sub(r"/(page/\d+|amp)$", "", url)
            is_part = link["href"] in dead and part != url and part == bare(target)
            is_www = re.match(rf"https?://www\.{re.escape(host)}/", link["href"] or "") and target is not None
            links += bool(is_part or is_www)
        external = {i["src"] for i in document["images"] if i.get("id") is None}
        for image in record["images"]:
            file = files.get(image["target"]["id"])
            images += image["src"] in external and file is not None and bare(image["url"]).endswith(bare(file))
print(json.dumps({"links": links, "images": images}))
