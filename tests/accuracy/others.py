"""The truth of sites that have one in another form, in that of docs/accuracy.md: others.py example|wplive DIR > truth.json"""

import collections
import json
import pathlib
import sys

NOT_INTERNAL = {"external", "mailto", "tel", "javascript", "broken", "no href"}


def mention(name):
    """`TYPE:ID` or `html:URL` of expected.tsv; `-` is none."""
    kind, _, rest = name.partition(":")
    return None if name == "-" else {"type": kind, "link": rest} if kind == "html" else {"type": kind, "id": int(rest)}


def example(folder):
    """examples/site/expected.tsv (its README has the form)."""
    records = collections.defaultdict(lambda: {"language": None, "links": [], "images": []})
    for line in (folder / "expected.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        fact, name, url, value, how = line.split("\t")
        if fact not in ("page", "language", "group", "link", "image"):
            continue
        record = records[name]
        record.update(mention(name))
        if fact in ("language", "group"):
            record[fact] = value
        elif fact in ("link", "image"):
            key = "href" if fact == "link" else "src"
            entry = {key: None if url == "-" else url, "target": mention(value)}
            record[fact + "s"].append(entry | {"internal": how not in NOT_INTERNAL})
    for record in records.values():
        if record["type"] in ("comment", "user"):
            del record["language"]
        record.setdefault("group", None)
    return {"records": list(records.values())}


def in_dump(folder):
    """(type, id) of all items of the dump."""
    items = {}
    for file in (folder / "dump").glob("*.json"):
        for item in json.loads(file.read_text(encoding="utf-8")):
            kind = item.get("taxonomy") or item.get("type") or ("user" if "avatar_urls" in item else "comment")
            items[{"post_tag": "tag", "attachment": "media"}.get(kind, kind), item["id"]] = item
    return items


def wplive(folder):
    """truth.json of a site that was really run: from its database, and from asking its server where each link leads."""
    truth, items = json.loads((folder / "truth.json").read_text(encoding="utf-8")), in_dump(folder)
    tags = {x["locale"]: x["w3c"] for x in truth.get("languages") or [] if isinstance(x, dict) and x.get("w3c")}
    documents = {d["id"]: d for d in truth["documents"]}
    kinds = {"attachment-page": "media", "author": "user"}
    posts = [p for p in truth["posts"] if (p["type"], p["id"]) in items]
    types, records = {p["id"]: p["type"] for p in posts}, []

    def target(kind, id):
        kind = kinds.get(kind, kind)
        return {"target": {"type": kind, "id": id} if (kind, id) in items else None}

    for post in posts:
        record = {"type": post["type"], "id": post["id"], "link": post["permalink"]}
        if post.get("locale"):
            record["language"] = tags.get(post["locale"], post["locale"])
            others = [id for id in post["translations"].values() if id != post["id"] and id in types]
            record["translations"] = [{"type": types[id], "id": id} for id in others]
        document = documents.get(post["id"], {"links": [], "images": []})
        # Redirects are the server's: an attachment's page leads to its file.
        record["links"] = [
            {
                "href": link["href"],
                "internal": link["class"] == "internal",
                **({} if link.get("redirects") else target(link.get("kind"), link.get("id"))),
            }
            for link in document["links"]
            if link["class"] != "no-href"
        ]
        record["images"] = [{"src": image["src"], **target("media", image.get("id"))} for image in document["images"]]
        records.append(record)
    return {"records": records}


if __name__ == "__main__":
    json.dump({"example": example, "wplive": wplive}[sys.argv[1]](pathlib.Path(sys.argv[2])), sys.stdout)
