#!/usr/bin/env python3
"""Scores the main text of pages without API content against whole texts. article_bodies.py SET WORK [--errors N] [MIN]

SET is a checkout of github.com/scrapinghub/article-extraction-benchmark (pages, the text of each article, what some thirty
other programs made of them) or the folder test/test-pages of github.com/mozilla/readability (pages, and what Readability
makes of them, in most cases rightly). Counted as the benchmark's own evaluate.py counts: shingles of four words; of each
page the true, false and lost ones as parts of one; precision and recall are means over the pages, F their harmonic mean.

Half 0 (even md5 of the name of the page) is the one that rules may be tuned on, half 1 is held back. MIN: fails where F of
all pages is lower. --errors lists the paragraphs lost and false of the pages of half 0, the worst page first.
"""
import argparse, collections, gzip, hashlib, json, os, re, statistics, subprocess, sys

parser = argparse.ArgumentParser()
parser.add_argument("set")
parser.add_argument("work")
parser.add_argument("least", nargs="?", type=float, default=0)
parser.add_argument("--errors", type=int, default=0)
options = parser.parse_args()
os.makedirs(options.work, exist_ok=True)


def article_extraction_benchmark():
    """The true texts, and those of the other programs."""
    truth = json.load(open(os.path.join(options.set, "ground-truth.json")))
    peers = {}
    for name in ("trafilatura", "readability_js", "readability", "justext"):
        found = json.load(open(os.path.join(options.set, "output", name + ".json")))
        found = found["output"] if "output" in found else found
        peers[name] = {key: found[key].get("articleBody") or "" for key in truth}
    for key in truth:
        with gzip.open(os.path.join(options.set, "html", key + ".html.gz")) as page:
            keep(key, page.read())
    return {key: (item["articleBody"], item["url"]) for key, item in truth.items()}, peers


def readability_pages():
    import lxml.html
    truth = {}
    for key in sorted(os.listdir(options.set)):
        with open(os.path.join(options.set, key, "expected.html"), encoding="utf-8") as expected:
            document = lxml.html.fromstring(expected.read())
        for part in document.iter("p", "div", "li", "br", "td", "th", "tr", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"):
            part.tail = "\n" + (part.tail or "")
        truth[key] = document.text_content(), f"http://fakehost/{key}/"
        with open(os.path.join(options.set, key, "source.html"), "rb") as page:
            keep(key, page.read())
    return truth, {}


def keep(key, page):
    with open(os.path.join(options.work, key + ".html"), "wb") as out:
        out.write(page)


def ours(truth):
    records = [json.dumps({"site": "s", "kind": "html", "type": "html", "id": None, "link": url,
                           "scrape": {"root": ".", "file": key + ".html", "url": url}}) for key, (_, url) in truth.items()]
    command = ["wp-translations", "-q", "--scrape-root", options.work]
    done = subprocess.run(command, input="\n".join(records), stdout=subprocess.PIPE, text=True, check=True)
    found = {}
    for record in map(json.loads, filter(None, done.stdout.split("\n"))):
        key = record["scrape"]["file"].removesuffix(".html")
        found[key] = (record.get("content") or {}).get("text") or ""
        rules[key] = record.get("content_rule")
    return found


def shingles(text):
    words = re.findall(r"\w+", text)
    found = (tuple(words[at : at + 4]) for at in range(max(1, len(words) - 3)))
    return collections.Counter(shingle for shingle in found if shingle)


def count(true, found):
    true, found = shingles(true), shingles(found)
    both = sum((true & found).values())
    counts = both, sum(found.values()) - both, sum(true.values()) - both
    return [part / (sum(counts) or 1) for part in counts]


def part(tp, other):
    return tp / (tp + other) if other else 1.0


def scores(counts):
    precision = statistics.mean(part(tp, fp) for tp, fp, _ in counts if tp + fp)
    recall = statistics.mean(part(tp, fn) for tp, _, fn in counts if tp + fn)
    return precision, recall, 2 * precision * recall / (precision + recall)


def paragraphs(text, other):
    """The lines of a text whose shingles are mostly not in the other, and how much of it they are."""
    known = shingles(other)
    total = sum(shingles(text).values()) or 1
    for line in filter(None, map(str.strip, text.split("\n"))):
        own = shingles(line)
        if sum((own & known).values()) * 2 < sum(own.values()):
            yield sum(own.values()) / total, line


is_benchmark = os.path.exists(os.path.join(options.set, "ground-truth.json"))
truth, peers = article_extraction_benchmark() if is_benchmark else readability_pages()
half = {key: int(hashlib.md5(key.encode()).hexdigest(), 16) % 2 for key in truth}
rules, failed = {}, False
print(f"{'':14}" + "".join(f"{of:>24}" for of in ("half 0", "half 1", "all")))
for name, texts in {"wpipe": ours(truth), **peers}.items():
    counts = {key: count(truth[key][0], texts.get(key, "")) for key in truth}
    columns = [scores([counts[key] for key in truth if half[key] in of]) for of in ((0,), (1,), (0, 1))]
    print(f"{name:14}" + "".join("{:>9.3f} {:.3f} F {:.3f}".format(*column).rjust(24) for column in columns))
    if name == "wpipe":
        failed = columns[2][2] < options.least
        mine, own = counts, texts
worst = sorted((key for key in truth if half[key] == 0), key=lambda key: mine[key][0])
for key in worst[: options.errors]:
    tp, fp, fn = mine[key]
    print(f"{key} {truth[key][1]} [{rules.get(key)}] true {tp:.3f} false {fp:.3f} lost {fn:.3f}")
    for sign, text, other in (("-", truth[key][0], own.get(key, "")), ("+", own.get(key, ""), truth[key][0])):
        lines = list(paragraphs(text, other))
        for share, line in lines[:12]:
            print(f"  {sign} {share:.3f} {line[:130]!r}")
        if len(lines) > 12:
            print(f"  {sign} … {len(lines) - 12} more")
sys.exit(failed)
