#!/usr/bin/env python3
"""Compare our six files with wpextract's own, value by value, except for the differences in a ledger.

usage: wpextract_e2e.py OURS THEIRS [--ledger FILE] [--all]

OURS    what `wp-export --format wpextract -d OURS` wrote of the peer's own end-to-end case
THEIRS  what wpextract wrote (extract_out)
--all   print every unlisted difference, not just the first twenty

The ledger (wpextract-ledger.toml beside this script) lists differences on purpose, each with its reason:

    [[difference]]
    path = "posts.json[*].images[*].destination"   # records by id: posts.json[12]; * is any id, index or key
    ours = "record"                                # shape of our value: null, absent, record, list, text, number, flag
    theirs = "null"                                # shape of theirs
    count = 48                                     # how many there are
    reason = "…"

It cuts both ways: a difference that is not listed fails, and so does a listed one that has vanished or come more
(or less) often than the ledger says. Exit status: 0 all as expected, 1 not, 2 trouble.
"""
import argparse, collections, json, pathlib, re, sys, tomllib

FILES = ["posts.json", "pages.json", "media.json", "tags.json", "categories.json", "users.json"]
ABSENT = object()


def shape(value):
    if value is ABSENT:
        return "absent"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, (int, float)):
        return "number"
    return {str: "text", list: "list", dict: "record"}[type(value)]


def differences(path, ours, theirs):
    """Yields (path, ours, theirs) of every leaf, key and element that is not the same."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            yield from differences(f"{path}.{key}", ours.get(key, ABSENT), theirs.get(key, ABSENT))
    elif isinstance(ours, list) and isinstance(theirs, list):
        for i in range(max(len(ours), len(theirs))):
            pair = [values[i] if i < len(values) else ABSENT for values in (ours, theirs)]
            yield from differences(f"{path}[{i}]", *pair)
    elif shape(ours) != shape(theirs) or ours != theirs:
        yield path, ours, theirs


def compare(name, ours, theirs):
    """Records side by side by their id; their order is compared too."""
    order = [[record["id"] for record in records] for records in (ours, theirs)]
    if order[0] != order[1]:
        yield f"{name}#order", order[0], order[1]
    by_id = [{record["id"]: record for record in records} for records in (ours, theirs)]
    for key in sorted(by_id[0].keys() | by_id[1].keys()):
        yield from differences(f"{name}[{key}]", by_id[0].get(key, ABSENT), by_id[1].get(key, ABSENT))


def matcher(entry):
    parts = re.split(r"(\*)", entry["path"])
    path = re.compile("".join(r"[^.\[\]]+" if part == "*" else re.escape(part) for part in parts))

    def matches(at, ours, theirs):
        if not path.fullmatch(at):
            return False
        sides = (("ours", ours), ("theirs", theirs))
        return all(side not in entry or entry[side] == shape(value) for side, value in sides)

    return matches


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours", type=pathlib.Path)
    parser.add_argument("theirs", type=pathlib.Path)
    here = pathlib.Path(__file__).parent
    parser.add_argument("--ledger", type=pathlib.Path, default=here / "wpextract-ledger.toml")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    try:
        ledger = tomllib.loads(options.ledger.read_text(encoding="utf-8")).get("difference", [])
        pairs = [[json.loads((side / name).read_text(encoding="utf-8")) for side in (options.ours, options.theirs)]
                 for name in FILES]
    except (OSError, ValueError) as error:
        print(f"wpextract_e2e.py: {error}", file=sys.stderr)
        return 2

    matchers = [matcher(entry) for entry in ledger]
    found, unlisted = collections.Counter(), []
    for name, pair in zip(FILES, pairs):
        for difference in compare(name, *pair):
            listed = next((i for i, matches in enumerate(matchers) if matches(*difference)), None)
            if listed is None:
                unlisted.append(difference)
            found[listed] += 1

    show = lambda value: "absent" if value is ABSENT else json.dumps(value, ensure_ascii=False)[:300]
    for path, ours, theirs in unlisted if options.all else unlisted[:20]:
        print(f"unlisted: {path}\n  ours   {show(ours)}\n  theirs {show(theirs)}")
    if len(unlisted) > 20 and not options.all:
        print(f"… and {len(unlisted) - 20} more unlisted differences (--all shows them)")
    wrong = [(entry, found[i]) for i, entry in enumerate(ledger) if found[i] != entry["count"]]
    for entry, n in wrong:
        print(f"ledger: {entry['path']} is listed {entry['count']} times and was found {n} times: {entry['reason']}")
    records = sum(len(theirs) for _, theirs in pairs)
    print(f"{records} records in {len(FILES)} files; {sum(found.values()) - len(unlisted)} differences as listed, "
          f"{len(unlisted)} unlisted, {len(wrong)} entries of the ledger not as found")
    return 1 if unlisted or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
