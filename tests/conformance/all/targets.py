#!/usr/bin/env python3
"""Compares our targets with wpextract's: targets.py NAME OURS THEIRS

Both directories hold the six files of `--format wpextract`. Counts links and images by what became of the peer's
destination: gained (the peer has none), same, lost (only the peer has one), different. Fails when any is lost or differs.
"""
import collections, json, pathlib, sys, urllib.parse

name, ours, theirs = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
failed = False
for what in ("links", "images"):
    counts, examples = collections.Counter(), []
    for file in ("posts.json", "pages.json"):
        read = lambda d: {r["id"]: r for r in json.load(open(d / file))}
        mine, peers = read(ours), read(theirs)
        for key, record in mine.items():
            pick = lambda r: (r["links"]["internal"] if what == "links" else r["images"])
            a, b = pick(record), pick(peers[key])
            url = "href" if what == "links" else "src"
            # The peer's internal links are a subset: it goes by the host to the letter.
            found = collections.defaultdict(list)
            # We write URLs as browsers do, with letters escaped; Python's urljoin leaves them as they are.
            plain = lambda link: urllib.parse.unquote(link[url] or "")
            for link in a:
                found[plain(link)].append(link.get("destination"))
            for link in b:
                got = found[plain(link)].pop(0) if found[plain(link)] else None
                want = link.get("destination")
                kind = ("same" if got == want else "lost" if got is None else "gained" if want is None else "different") \
                    if got or want else "none"
                counts[kind] += 1
                if kind in ("lost", "different"):
                    examples.append((file, key, link[url], got, want))
            counts["gained"] += sum(d is not None for rest in found.values() for d in rest)
    print(f"{name:15} {what:7}", *(f"{kind} {counts[kind]}" for kind in ("gained", "same", "lost", "different", "none")), sep="  ")
    for example in examples[:12]:
        print("   ", *example)
    failed |= bool(examples)
sys.exit(failed)
