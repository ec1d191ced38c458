#!/usr/bin/env python3
"""Scores the main text of pages of all kinds without API content against whole texts. page_types.py SET WORK [--worst N] [MIN MIN MIN]

SET is the half `dev` of github.com/Murrough-Foley/web-content-extraction-benchmark: pages, each with its type and its text.
The half `test` is for others to measure with: this program refuses to read it. Counted as the benchmark's own evaluate.py counts:
words as bags, F of each page, the mean over the pages. A page is WordPress' if it has wp-content/, wp-includes/ or the generator.
trafilatura reads the same pages where python3 can import it; its texts are kept in WORK.
MIN MIN MIN: fails where F is lower on WordPress' pages, forums, or documentation. --worst lists pages.
"""
import argparse, collections, glob, gzip, json, os, re, subprocess, sys

parser = argparse.ArgumentParser()
parser.add_argument("set")
parser.add_argument("work")
parser.add_argument("minima", nargs="*", type=float)
parser.add_argument("--worst", type=int, default=0)
options = parser.parse_args()
if os.path.basename(os.path.realpath(options.set)) != "dev":
    sys.exit(f"{options.set} is not the half dev")
pages = os.path.join(options.work, "pages")
os.makedirs(pages, exist_ok=True)
wordpress = re.compile(rb"wp-content/|wp-includes/|<meta[^>]+generator[^>]+WordPress", re.I)


def truth():
    """Of each page its URL, its text, and the groups that it is in."""
    found = {}
    for name in sorted(glob.glob(os.path.join(options.set, "ground-truth", "*.json"))):
        key = os.path.basename(name).removesuffix(".json")
        with open(name, encoding="utf-8") as item:
            item = json.load(item)
        with gzip.open(os.path.join(options.set, "html", key + ".html.gz")) as page:
            html = page.read()
        with open(os.path.join(pages, key + ".html"), "wb") as out:
            out.write(html)
        kind = item["_internal"]["page_type"]["primary"]
        groups = {"all", "collection" if kind == "category" else kind}
        if wordpress.search(html):
            groups |= {"WordPress", "WordPress " + kind}
        text = (item.get("ground_truth") or {}).get("main_content")
        if text is not None:
            found[key] = item.get("url") or f"https://{key}.example/", text, groups
    return found


def ours(items):
    records = [json.dumps({"site": "s", "kind": "html", "type": "html", "id": None, "link": url,
                           "scrape": {"root": ".", "file": key + ".html", "url": url}}) for key, (url, _, _) in items.items()]
    done = subprocess.run(["wp-translations", "-q", "--scrape-root", pages], input="\n".join(records), stdout=subprocess.PIPE,
                          text=True, check=True)
    found = {}
    for record in map(json.loads, filter(None, done.stdout.split("\n"))):
        key = record["scrape"]["file"].removesuffix(".html")
        found[key] = (record.get("content") or {}).get("text") or ""
        rules[key] = record.get("content_rule")
    return found


def theirs(items):
    try:
        import trafilatura
    except ImportError as missing:
        print(f"SKIPPED: {missing}: not compared with trafilatura")
        return {}
    kept = os.path.join(options.work, "trafilatura.json")
    if not os.path.exists(kept):
        texts = {}
        for key in items:
            with open(os.path.join(pages, key + ".html"), "rb") as page:
                try:
                    texts[key] = trafilatura.extract(page.read()) or ""
                except Exception:  # as an empty text
                    texts[key] = ""
        with open(kept, "w") as out:
            json.dump(texts, out)
    return json.load(open(kept))


def score(found, want):
    found, want = (collections.Counter(re.findall(r"\w+", text.lower())) for text in (found, want))
    if not want or not found:
        return (float(want == found),) * 3
    both = sum((found & want).values())
    p, r = both / sum(found.values()), both / sum(want.values())
    return p, r, 2 * p * r / (p + r) if both else 0.0


rules = {}
items = truth()
scores = {}
for name, texts in (("wpipe", ours(items)), ("trafilatura", theirs(items))):
    if texts:
        scores[name] = {key: score(texts.get(key, ""), text) for key, (_, text, _) in items.items()}
groups = collections.Counter(group for _, _, of in items.values() for group in of)
results = {}
for group, count in sorted(groups.items()):
    row = f"{group:24} n {count:5}"
    for name, of in scores.items():
        means = [sum(of[key][part] for key in items if group in items[key][2]) / count for part in range(3)]
        row += "  {} P {:.3f} R {:.3f} F {:.3f}".format(name, *means)
        results[name, group] = means[2]
    print(row)
for key in sorted(items, key=lambda key: scores["wpipe"][key][2])[: options.worst]:
    p, r, f = scores["wpipe"][key]
    print(f"  F {f:.2f} P {p:.2f} R {r:.2f} {rules.get(key)} {key} {'/'.join(sorted(items[key][2]))} {items[key][0]}")
low = [group for group, least in zip(("WordPress", "forum", "documentation"), options.minima) if results["wpipe", group] < least]
sys.exit(f"F of {', '.join(low)} is too low" if low else 0)
