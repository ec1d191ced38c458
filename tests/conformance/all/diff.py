"""What all/diff.sh needs: scores OLD NEW CHANGES compares the lines of wp-diff with two snapshots of the database, class by class; renumber
gives the records of stdin other ids, with or without a guid; renumbered OLD CHANGES scores which record they say each has become."""

import json
import sys


def truth(old, new):
    """The classes of each record that differs."""
    found = {}
    for key in old.keys() | new.keys():
        if key not in old or key not in new:
            found[key] = {"added" if key in new else "gone"}
            continue
        was, now = old[key], new[key]
        classes = set()
        moved = was["link"] != now["link"]
        if moved:
            classes.add("moved")
        if was["date"] != now["date"]:
            classes.add("redated")
        # What one that is gone takes along is not an edit of the others.
        kind = key.split(":")[0]
        parent = str(was["parent"])
        name = parent if ":" in parent else f"{kind}:{parent}"
        follows = name in old and name not in new
        address = was["slug"] != now["slug"] or (was["parent"] != now["parent"] and not follows)
        own, other = json.loads(json.dumps(was["own"])), json.loads(json.dumps(now["own"]))
        if kind in ("post", "page", "book"):
            names = {"category": "category", "post_tag": "tag", "genre": "genre"}
            for taxonomy, ids in own[5].items() if own[5] else ():
                own[5][taxonomy] = [i for i in ids if f"{names[taxonomy]}:{i}" in new]
        if own != other or (address and not moved):
            classes.add("changed")
        if classes:
            found[key] = classes
    return found


def scores(old, new, changes):
    want = truth(json.load(open(old)), json.load(open(new)))
    have = {}
    for line in open(changes):
        change = json.loads(line)
        if change["kind"] == "change":
            have[f"{change['type']}:{change['id']}"] = set(change["changes"])
    good = True
    for name in ("added", "gone", "renumbered", "moved", "redated", "changed"):
        wanted = {key for key, classes in want.items() if name in classes}
        said = {key for key, classes in have.items() if name in classes}
        right = len(wanted & said)
        precision = right / len(said) if said else 1.0
        recall = right / len(wanted) if wanted else 1.0
        print(f"{name:10} {len(wanted):4} in the database, {len(said):4} lines, precision {precision:.3f}, recall {recall:.3f}")
        for what, keys in (("wrong", said - wanted), ("missed", wanted - said)):
            if keys:
                good = False
                print(f"  {what}: {' '.join(sorted(keys)[:12])}")
    return good


def renumber(guids):
    """Other ids for posts of all types, in another order."""
    for line in sys.stdin:
        record = json.loads(line)
        if record["kind"] == "post":
            record["id"] = 1_000_000 - 3 * record["id"]
            if not guids:
                record["guid"] = None
        print(json.dumps(record, ensure_ascii=False))


def renumbered(old, changes):
    posts = [record for record in map(json.loads, open(old)) if record["kind"] == "post"]
    pairs = {}
    for change in map(json.loads, open(changes)):
        if "renumbered" in change.get("changes", ()):
            pairs[change["type"], change["old"]["id"]] = change["new"]["id"]
    right = sum(pairs.get((post["type"], post["id"])) == 1_000_000 - 3 * post["id"] for post in posts)
    precision, recall = right / max(len(pairs), 1), right / len(posts)
    print(f"renumbered: {len(posts)} posts, precision {precision:.4f}, recall {recall:.4f}")
    return precision >= 0.99 and recall >= 0.99


if __name__ == "__main__":
    if sys.argv[1] == "renumber":
        renumber(sys.argv[2] == "guids")
    else:
        sys.exit(0 if {"scores": scores, "renumbered": renumbered}[sys.argv[1]](*sys.argv[2:]) else 1)
