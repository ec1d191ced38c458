"""Compares what wp-fetch got with what the site has: fetch.py FAULT RAW CONTENT STATUS WANTED [MISSING]. Prints a line of counts."""
import glob
import json
import sys

fault, raw, content, status, wanted, *missing_key = sys.argv[1:]
truth = json.load(open(content))
account = json.load(open(f"{raw}/fetch.json"))
log = [json.loads(line) for line in open(f"{raw}/fetch.ndjson")]
allowed = missing_key[0] if missing_key else None
gaps = [line["gap"] for line in log if line["event"] == "gap"]
named = {(gap["type"], gap["id"]) for gap in gaps}
wrong = []

got = {}
for kind, ids in truth.items():
    if not isinstance(ids, list):
        continue
    got[kind] = set()
    for name in glob.glob(f"{raw}/dump/{kind}-*.json"):
        value = json.load(open(name))
        got[kind] |= {item["id"] for item in (value if isinstance(value, list) else [value])}
    if extra := got[kind] - set(ids):
        wrong.append(f"{kind}: not public: {sorted(extra)[:5]}")
    lost = set(ids) - got[kind]
    if allowed == "all":
        continue
    if unnamed := [item for item in lost if (kind, item) not in named]:
        wrong.append(f"{kind}: missing and not named: {sorted(unnamed)[:5]}")
    if lost and allowed is None:
        wrong.append(f"{kind}: missing: {sorted(lost)[:5]}")
if allowed == "poison" and named != {("posts", truth["poison"])}:
    wrong.append(f"the gap is {named}, not the post {truth['poison']}")
if allowed == "all" and not gaps:
    wrong.append("nothing was named")
if status != wanted:
    wrong.append(f"status {status}, not {wanted}")
if account["complete"] != (wanted == "0"):
    wrong.append(f"complete: {account['complete']}")
for collection in account["collections"]:
    if collection["got"] + collection["hidden"] + collection["gaps"] != collection["total_end"]:
        wrong.append(f"{collection['type']}: the counts do not add up")

requests = sum(line["event"] == "request" for line in log)
total = sum(len(ids) for ids in truth.values() if isinstance(ids, list))
hidden = sum(collection["hidden"] for collection in account["collections"])
count = sum(len(ids) for ids in got.values())
print(f"{fault:9} {status:>6} {requests:8} {total:6} {count:6} {hidden:6} {len(gaps):5} {sum('not named' in w for w in wrong):8}")
for words in wrong:
    print(f"  {words}")
sys.exit(bool(wrong))
